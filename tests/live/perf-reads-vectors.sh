# SPDX-License-Identifier: BSD-2-Clause
# perf reads those golden streams that any perf from 6.1 on should be able to read, with as many
# samples as they hold: the definitions and trailers of pk's do not disturb it.
perf --version >/dev/null 2>&1 || {
	echo "no perf" >&2
	exit 77
}
status=0
for name in attr-size-0-le attr-sizes-le compressed-le features-le kernel-synthesized-le like-perf-le \
	order-none order-rounds pk-definitions-le pk-later-le pk-no-trailer-le pk-reordered pk-reset-le \
	sample-bits-le sample-branches-le sample-branch-counters-le sample-callchains-le \
	sample-extra-bytes-le sample-ids-same-le sample-plain-le sample-raw-le sample-stacks-le user-le; do
	file=$PK_TOP/format/vectors/good/$name.pk
	samples=$(pk-script --dump "$file" | grep -c '^[0-9]* SAMPLE ')
	# Callchains stand on lines of their own, which begin with a tab.
	if ! found=$(perf script -i - <"$file" 2>err | grep -vc -e '^	' -e '^$') || [ "$found" != "$samples" ]; then
		echo "$name: perf script shows $found samples, not $samples"
		cat err
		status=1
	fi
	if perf report -i - --stdio <"$file" 2>&1 >/dev/null | grep -iE 'failed|error|incompat'; then
		echo "$name: perf report"
		status=1
	fi
done
exit $status
