# SPDX-License-Identifier: BSD-2-Clause
# The golden streams in the checkout are those that their generator makes.
set -eu
[ -x "$PK_BUILD/format/mkvectors" ] || ${MAKE:-make} -C "$PK_TOP" --no-print-directory \
	B="$PK_BUILD" SAN="$PK_SAN" "$PK_BUILD/format/mkvectors" >/dev/null
mkdir good bad
"$PK_BUILD/format/mkvectors" .
for kind in good bad; do
	for f in $kind/*; do
		cmp "$f" "$PK_TOP/format/vectors/$f"
	done
done
