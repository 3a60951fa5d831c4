# SPDX-License-Identifier: BSD-2-Clause
# The options of perf 7.2 (perf COMMAND --list-opts): a program has each of them, or answers it.
declare -A programs=([record]=pk-record [report]=pk-report [script]=pk-script [stat]=pk-stat [annotate]=pk-annotate [top]=pk-top [inject]=pk-inject
	[diff]=pk-report)
n=0
while read -r command option; do
	program=${programs[$command]}
	n=$((n + 1))
	[ -e "$program" ] || "$program" --list-options </dev/null | cut -f 2 >"$program"
	grep -qxe "$option" "$program" && continue
	said=$("$program" "$option" </dev/null 2>&1)
	[[ $said == *"there is no $option: "* ]] || echo "$program $option: ${said%%$'\n'*}"
done <"$PK_TOP/tests/data/perf_options.txt"
echo "$n options"
echo "== -i and --stdio"
cd "$PK_TOP/format/vectors/good" || exit 1
for line in 'report --stdio --csv -i sample-plain-be.pk' 'report --csv --input=sample-plain-le.pk sample-plain-be.pk' \
	'script -F comm,ip -i sample-plain-le.pk -i sample-plain-be.pk' 'annotate --stdio nothing sample-plain-le.pk'; do
	echo "$ $line"
	# shellcheck disable=SC2086 # words on purpose
	pk-$line 2>&1 </dev/null | head -n 4 | tr -c '[:print:]\n' .
done
