# SPDX-License-Identifier: BSD-2-Clause
# long
# Profiles of each golden stream, good or bad: they end with a status, and messages are equal whenever they are written.
mkdir out
for stream in "$PK_TOP"/format/vectors/{good,bad}/*.pk; do
	for format in bolt profgen autofdo; do
		pk-export $format -q --no-cache -o out "$stream" >/dev/null 2>err
		status=$?
		[ $status -le 1 ] || echo "$format $stream: status $status"
		[ $format = autofdo ] || pk-export $format -q --no-cache -o out "$stream" 2>&1 >/dev/null | cmp - err
	done
done
