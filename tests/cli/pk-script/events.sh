# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# --header-only --events: a line for each event with the fields of its attr that are not 0, as perf evlist -v prints it.
cd "$PK_TOP/format/vectors/good" || exit
for file in attr-fields-le.pk attr-flags-le.pk features-le.pk pk-two-sessions.pk; do
	echo "== $file"
	pk-script -q --header-only --events $file
done
# The fields are those of --header.
for file in *-le.pk; do
	pk-script -q --header-only --events "$file" 2>/dev/null | sed 's/: /\n/; s/: / = /g' | sed -n 'n;p' |
		cmp - <(pk-script -q --header-only "$file" 2>/dev/null | sed -n 's/^# event : .*, \(type = .*\)/\1/p')
done
pk-script --events features-le.pk
echo "status $?"
pk-script --header --events features-le.pk
echo "status $?"
