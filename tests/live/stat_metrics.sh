# SPDX-License-Identifier: BSD-2-Clause
# Metrics out of JSON files: worth what the counts beside them say, in every layout.
set -u
PATH=$PK_BUILD/tests/live:$PATH
status=0
fail()
{
	echo "$*"
	status=1
}
pk-stat -o /dev/null -e task-clock -- true 2>err || {
	echo "counting is not possible here: $(head -n 1 err)" >&2
	exit 77
}
dir=$PK_TOP/tests/data/metrics
file=$dir/software.json

# value NAME FILE: of a metric in fields
value()
{
	awk -F, -v name="$1" '$NF == name || $NF ~ "  " name "$" { print $(NF - 1) }' "$2"
}

number()
{
	awk -F, -v name="$1" '$3 ~ "^" name "(:u)?$" && $1 ~ /^[0-9.]+$/ { print $1; exit }' "$2"
}

about()
{
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a ~ /^[0-9.]+$/ && a >= b * 0.99 - 0.1 && a <= b * 1.01 + 0.1) }'
}

pk-stat -q -x, -o csv --metric "$file:faults_per_ms,busy,interruptions,major_share,nothing,otherwise" -- toucher 2000 ||
	fail "status $?"
faults=$(number page-faults csv)
ms=$(number task-clock csv)
elapsed=$(number duration_time csv)
switches=$(number context-switches csv)
about "$(value faults_per_ms csv)" "$(awk "BEGIN { print $faults / $ms }")" || fail "faults_per_ms: $(cat csv)"
about "$(value busy csv)" "$(awk "BEGIN { print 100 * $ms * 1e6 / $elapsed }")" || fail "busy: $(cat csv)"
about "$(value interruptions csv)" "$(awk "BEGIN { print ($faults + $switches) / $ms }")" || fail "interruptions: $(cat csv)"
[ "$(value nothing csv)" = nan ] || fail "nothing divided by nothing: $(cat csv)"
about "$(value otherwise csv)" 1 || fail "otherwise: $(cat csv)"
awk -F, 'NF != 7 && !(NF == 6 && $1 == "") { print "not 7 fields: " $0; bad = 1 } END { exit bad }' csv || status=1

# A metric that needs no event has a line all the same; recordings tell how they were made.
echo '[{"MetricName":"seven","MetricExpr":"min(7, 8)"}]' >seven.json
pk-stat -q -x, -o csv --metric seven.json:seven -- true
[ "$(value seven csv)" = 7.00 ] || fail "a constant: $(cat csv)"
pk-stat --stream --metric seven.json:seven -- true | pk-stat >text
grep -q -- '--metric seven.json:seven' text || fail "how it was counted: $(cat text)"

# Groups of metrics; events that several need are counted once.
pk-stat -q -x, -o csv --metric-dir "$dir" -M software -- true
for name in faults_per_ms busy interruptions; do
	[ "$(value $name csv | grep -c .)" = 1 ] || fail "-M software has no $name: $(cat csv)"
done
[ "$(grep -c context-switches csv)" = 1 ] || fail "counted twice: $(cat csv)"
pk-stat -q -x, -o apart --metric-dir "$dir" -M faults_per_ms,interruptions --metric-no-merge -- true
[ "$(grep -c ',page-faults' apart)" = 2 ] || fail "--metric-no-merge: $(cat apart)"
pk-stat -q -x, -o together --metric-dir "$dir" -M faults_per_ms,interruptions -- true
[ "$(grep -c ',page-faults' together)" = 1 ] || fail "what one has the other could use: $(cat together)"

# Software events need no group: metrics that have only some in common share these. A clock has no rate.
pk-stat -q -x, -o csv --metric "$file:faults_per_ms,busy" -- true
for name in task-clock page-faults duration_time; do
	[ "$(grep -cE "^[^,]+,[^,]*,$name(:u)?," csv)" = 1 ] || fail "$name is not counted once: $(cat csv)"
done
grep -qE '^[0-9]+,ns,duration_time(:u)?,[0-9]+,100.00,,$' csv || fail "duration_time has a rate: $(cat csv)"
pk-stat --stream -e duration_time,task-clock -- true 2>/dev/null | pk-stat -x, >csv
grep -qE ',duration_time(:u)?,[0-9]+,100.00,,$' csv || fail "duration_time of a recording has a rate: $(cat csv)"

# As newer perfs name software events in their files.
cat >common.json <<'J'
[{"MetricName": "cs_per_second", "ScaleUnit": "1cs/sec", "MetricExpr":
  "software@context\\-switches\\,name\\=context\\-switches@ * 1e9 / (software@cpu\\-clock\\,name\\=cpu\\-clock@ if #target_cpu else software@task\\-clock\\,name\\=task\\-clock@)"},
 {"MetricName": "CPUs_utilized", "ScaleUnit": "1CPUs", "BriefDescription": "How many CPUs were used", "MetricExpr":
  "(software@cpu\\-clock\\,name\\=cpu\\-clock@ if #target_cpu else software@task\\-clock\\,name\\=task\\-clock@) / (duration_time * 1e9)"}]
J
pk-stat -q -x, -o csv --metric common.json:all -- true || fail "software/EVENT,name=.../: status $?"
[ "$(grep -cE ',task-clock(:u)?,' csv)" = 1 ] || fail "task-clock is not counted once: $(cat csv)"
value cs_per_second csv | grep -q . || fail "no cs_per_second: $(cat csv)"
pk-stat --metric-dir common.json --list metric | grep -qE '^CPUs_utilized +How many CPUs were used$' || fail "--list metric"
PK_CPUID=none pk-stat --list metric 2>err && fail "--list metric: there are none"
grep -q 'no metrics: name files that describe them with --metric-dir before --list' err || fail "$(cat err)"

# What is counted by default has the names of perf's metrics; with -e it has not.
pk-stat -q -x, -o csv -- toucher 1000 || fail "the default: status $?"
ms=$(number task-clock csv)
about "$(value page_faults_per_second csv)" "$(awk "BEGIN { print $(number page-faults csv) / $ms * 1000 }")" ||
	fail "page_faults_per_second: $(cat csv)"
for name in CPUs_utilized cs_per_second migrations_per_second; do
	value $name csv | grep -q . || fail "no $name: $(cat csv)"
done
pk-stat -q -x, -o csv -e task-clock,page-faults -- true
grep _per_second csv && fail "-e: names of the default"
pk-stat -q -o text -- true
grep -qE '^ +[0-9.,]+ msec task-clock(:u)? +# +[0-9]+\.[0-9] CPUs  CPUs_utilized +$' text || fail "the default: $(cat text)"

# Processors or tasks.
echo '[{ "MetricName": "target", "MetricExpr": "#target_cpu + 0 * duration_time" }]' >target.json
for options in '-C 0' -a ''; do
	# shellcheck disable=SC2086 # words
	pk-stat -q -x, -o csv $options --metric target.json:target -- true || fail "target.json $options: status $?"
	want=1
	[ -n "$options" ] || want=0
	[ "$(value target csv | cut -d. -f1)" = $want ] || fail "#target_cpu with '$options': $(cat csv)"
done

# Layouts
pk-stat -q -o text --metric "$file:busy,nothing" -- true
grep -qE '^ +[0-9.]+ msec task-clock(:u)? +# +[0-9.]+ CPUs utilized +$' text || fail "task-clock: $(cat text)"
grep -qE '^ {50}# +[0-9]+\.[0-9] %  busy +$' text || fail "busy: $(cat text)"
grep -qE '# +nan nothing +$' text || fail "nothing: $(cat text)"
pk-stat -q -j -o json --metric "$file:busy,nothing" -- true
grep -qE '"metric-value" : [0-9.]+, "metric-unit" : "%  busy"\}$' json || fail "JSON: $(cat json)"
grep -q '"metric-value" : null, "metric-unit" : "nothing"}' json || fail "NaN in JSON: $(cat json)"
pk-stat -q -x, -o only --metric-only -I 15 --metric "$file:busy,faults_per_ms" -- sleep 0.05
awk -F, 'NR == 1 { n = NF; next } NF != n { print "not " n " fields: " $0; bad = 1 } END { exit bad || NR < 3 }' only ||
	fail "columns of --metric-only: $(cat only)"
[ "$(head -n 1 only | tr , '\n' | grep -cE 'faults_per_ms|busy')" = 2 ] || fail "names of columns: $(cat only)"
pk-stat -q -o means -r 3 --metric "$file:faults_per_ms" -- true
grep -q 'faults/ms  faults_per_ms' means || fail "-r: $(cat means)"

# Of what has been recorded
pk-stat --stream -e page-faults,task-clock,duration_time -- toucher 1000 >some.pk
if pk-stat -x, some.pk | grep -q ',page-faults,'; then
	pk-stat -x, --metric "$file:faults_per_ms,busy" some.pk >csv || fail "metrics of a recording: $?"
	about "$(value faults_per_ms csv)" "$(awk "BEGIN { print $(number page-faults csv) / $(number task-clock csv) }")" ||
		fail "of a recording: $(cat csv)"
	pk-stat --metric "$file:major_share" some.pk >out 2>err && fail "major-faults are not in it"
	grep -q 'major-faults has not been counted' err || fail "not said: $(cat err)"
fi

# Names of events in the files are events.
if pk-stat -x, -e instructions:u -- true 2>&1 | grep -q '^[0-9]' && grep -q AMD /proc/cpuinfo; then
	# counters may be others' for a while
	counted()
	{
		for _ in 1 2 3 4 5; do
			"$@"
			awk -F, '$5 != "100.00" && NF == 7 { bad = 1 } END { exit bad }' csv && return 0
		done
		return 1
	}
	counted pk-stat -x, -o csv --metric-dir "$dir" -e retired.all:u,instructions:u -- perl -e '$i++ for 1 .. 200000' && {
		retired=$(cut -d, -f1 csv | head -n 1)
		about "$retired" "$(cut -d, -f1 csv | tail -n 1)" || fail "retired.all: $(cat csv)"
	}
	counted pk-stat -q -x, -o csv --metric "$file:ipc,retired_share" -- true && {
		about "$(value ipc csv)" "$(awk -F, '$7 == "insn per cycle" { print $6; exit }' csv)" || fail "ipc: $(cat csv)"
		about "$(value retired_share csv)" 100 || fail "retired_share: $(cat csv)"
	}
fi

# Beside perf's own, of a processor that has the same two events
cat >amd.json <<'END'
[{"EventName":"ex_ret_brn","EventCode":"0xc2"},{"EventName":"ex_ret_brn_misp","EventCode":"0xc3"},
 {"MetricName":"branch_misprediction_ratio","MetricExpr":"d_ratio(ex_ret_brn_misp, ex_ret_brn)","ScaleUnit":"100%"}]
END
# Which event comes first, and so has the metric beside it, is perf's own.
shape()
{
	sed -E '/^#|^$|seconds/d; s/[0-9]+(\.[0-9]+)?/N/g; s/ +/ /g; s/"\(null\)"/""/; s/( \( \+- N% \))?$//
		s/ # /\n# /; s/, "metric-value"/\n&/; s/,([^,]*,[^,]*)$/\n\1/' "$1" | sed 's/ *$//' | sort
}
export PERF_CPUID=AuthenticAMD-25-1-0
if grep -q AMD /proc/cpuinfo && perf stat -x, -o perf.out -M branch_misprediction_ratio -- true 2>/dev/null &&
	grep -q 'branch_misprediction_ratio' perf.out; then
	for flag in '-x,' -j -n -i; do
		case $flag in -n) flag='-r2' ;; esac
		perf stat $flag -o perf.out -M branch_misprediction_ratio -- true
		pk-stat -q $flag -o pk.out --metric amd.json:branch_misprediction_ratio -- true
		grep -q 'not counted' perf.out pk.out && continue
		shape perf.out >perf.shape
		shape pk.out >pk.shape
		cmp -s perf.shape pk.shape || {
			fail "$flag: not as perf's:"
			diff perf.shape pk.shape
			cat perf.out pk.out
		}
	done
fi
exit $status
