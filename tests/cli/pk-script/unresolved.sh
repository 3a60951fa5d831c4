# SPDX-License-Identifier: BSD-2-Clause
# long
# Each printed frame is counted once, whether or not it is resolved: at most 100 % are unresolved. Chains,
# deferred chains apart from their samples, and samples without their chains.
cd "$PK_TOP/format/vectors/good" || exit
for options in '' -G --max-stack=1 --json; do
	echo "options ${options:-(none)}"
	# shellcheck disable=SC2086 # no option is no word
	{ pk-script --no-merge $options kernel-deferred-le.pk >/dev/null; } 2>&1
done
for file in *-le.pk; do
	for options in --fields=ip,sym -G --json; do
		pk-script --no-merge "$options" "$file" 2>&1 >/dev/null |
			sed -n 's/.* \([0-9.]*\)% of frames unresolved.*/\1/p' |
			awk -v file="$file $options" '$1 > 100 { print file, $1 "%" }'
	done
done
