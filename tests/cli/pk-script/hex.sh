# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# -D, as perf script has it: the bytes of each record, before its fields.
. "$PK_TOP/tests/cli/stream.bash"
# Whole lines, a short one, and control characters.
{ header; event 1 7; comm 5 5 'a\eb\"\xffc'; } | assemble >small.pk
pk-script -D small.pk | sed -n '/COMM/,$p'
pk-script --dump-raw-trace small.pk | cmp - <(pk-script --dump --hex small.pk)
cd "$PK_TOP/format/vectors/good" || exit

# Where nothing is compressed or swapped the lines have all bytes of the stream behind its header, those of payloads too; without
# them it is the same dump.
for file in kernel-le.pk user-aux-le.pk features-le.pk sample-all-le.pk pk-definitions-le.pk; do
	pk-script -D $file | grep -v '^\.  ' | cmp - <(pk-script --dump $file)
	pk-script -D $file | sed -n 's/^\.  [0-9a-f]*: \(.\{48\}\).*/\1/p' | while read -r line; do
		# shellcheck disable=SC2059 # escapes on purpose
		printf "$(printf '\\x%s' $line)"
	done | cmp - <(tail -c +17 $file) && echo "$file: all bytes"
done
pk-script -D user-aux-le.pk | sed -n '/ AUXTRACE /,/payload=/p'
pk-script -D user-aux-be.pk 2>&1 | grep '^\.' | cmp - <(pk-script -D user-aux-le.pk | grep '^\.') && echo "byte order: the same"
pk-script --hex user-aux-le.pk
