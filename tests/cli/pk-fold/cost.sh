# SPDX-License-Identifier: BSD-2-Clause
# Stacks of thousands of frames with long names: 96 KB of input once made 4.8 GB of text.
. "$PK_TOP/tests/cli/cost.bash"
exec 2>&1
unpack deep-names.pk
bounded 5 200 pk-fold deep-names.pk >folded
[ "$(wc -c <folded)" -lt 100000000 ] || echo "$(wc -c <folded) bytes"
wc -l <folded
awk 'length($0) > 1100000' folded | wc -l
# The ends of a line stay.
grep -c '^comm;\(.*;\)\?\[\.\.\.\];' folded
bounded 5 300 pk-fold -q --sort=weight deep-names.pk | wc -l
# A stack with 32,000 frames for each of 32,000 samples.
unpack deep-stack.pk
bounded 2 200 pk-fold --addresses deep-stack.pk | wc -l
# Each of many events has one sample.
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	for ((id = 1; id <= 20000; id++)); do
		event 2 "$id" "$id"
	done
	for ((id = 1; id <= 20000; id++)); do
		sample "$id" 5 0x1000 1
	done
} | assemble >events.pk
bounded 3 200 pk-fold -q --addresses events.pk
# And between their samples, they get new names.
{
	header
	for ((id = 1; id <= 20000; id++)); do
		event 2 "$id" "$id"
	done
	for ((id = 1; id <= 20000; id++)); do
		name "$id" "x$id"
		sample "$id" 5 0x1000 1
		echo FINISHED_ROUND
	done
} | assemble >renamed.pk
bounded 3 200 pk-fold -q --addresses renamed.pk
