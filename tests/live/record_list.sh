# SPDX-License-Identifier: BSD-2-Clause
# --list: all kinds of events, with what stands in the way of those that are not to be had; quickly.
without_recording=1
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/fake_sysfs.bash"
# No tables of events: those of this machine can exist (make event-tables).
export PK_CPUID=none

before=$(date +%s%N)
pk-record --list >all 2>err || fail "--list: $(cat err)"
[ $(($(date +%s%N) - before)) -lt 20000000000 ] || fail "took too long"
[ -s err ] && fail "said: $(cat err)"
for name in cycles cpu-clock context-switches L1-dcache-loads rNNN 'mem:ADDRESS.*' '-x OBJECT --probe FUNCTION' \
	'-x OBJECT -e sdt_PROVIDER:NAME' '--probe FUNCTION'; do
	grep -qE -- "^$name +[a-zA-Z]" all || fail "no $name"
done
grep -qE ':.* tracepoint' all || fail "no tracepoints, and not why"
awk 'length($0) > 1000' all | grep . && fail "long lines"

# What it says can be recorded is so, and the other way round; of ourselves.
while read -r name kind rest; do
	case $name in *cycles | dummy | bpf-output | cgroup-switches) continue ;; esac # cycles: there is something else instead
	pk-record -q -e "$name" -o one.pk -- true 2>one.err
	status=$?
	locked_out one.err
	case $kind in
	*:) [ $status != 0 ] || fail "$name: $kind $rest, and yet recorded" ;;
	*) [ $status = 0 ] || fail "$name: $(head -n 1 one.err)" ;;
	esac
done < <(pk-record --list 2>/dev/null | grep -E ' (software|hardware|cache)')

# Patterns, words, nothing.
pk-record --list 'cpu-*' >some 2>err || fail "pattern: $(cat err)"
grep -v '^cpu-' some && fail "others than cpu-"
grep -q '^cpu-clock ' some || fail "no cpu-clock"
pk-record --list=switches | grep -q '^context-switches ' || fail "a word in the name"
pk-record --list 'no such thing' >none 2>err && fail "something is called so"
grep -q 'no event has this name' err || fail "$(cat err)"

# Kinds, as perf list has them.
pk-record --list >all
for kind in hw:hardware hardware:hardware sw:software software:software cache:cache hwcache:cache; do
	pk-record --list "${kind%:*}" >some || fail "--list ${kind%:*}: status $?"
	grep -vE '^mem:' some | diff - <(grep -E "^[^ ]+ +${kind#*:}(:|\$)" all | grep -v /) || fail "--list ${kind%:*}"
done
# Other tests that run meanwhile can add probes.
pk-record --list tracepoint | grep -v '^pk_[0-9]' | diff - <(grep -E ' tracepoint(:.*)?$' all | grep -v '^pk_[0-9]') || fail "--list tracepoint"
pk-record --list pmu >some || fail "--list pmu: status $?"
grep -qE '(cpu-clock|:.*tracepoint)' some && fail "--list pmu: others, too"
grep -q '^rNNN' some || fail "--list pmu: no rNNN"
pk-record --list sdt | grep -q '^-x OBJECT -e sdt_' || fail "--list sdt"

# Nothing found is not the same as nothing looked at.
[ -d /sys/kernel/tracing/events/sched ] || [ -d /sys/kernel/debug/tracing/events/sched ] ||
	expect 1 'tracepoints cannot be listed: (tracefs is not mounted|no permission to read tracefs)' pk-record --list 'sched:*'

# PMUs, with terms, units and formats.
fake_sysfs intel
SYSFS_PATH=$PWD/intel pk-record --list '*/*/' >pmus || fail "no PMUs"
grep -qE '^cpu/mem-loads/ +event=0xcd,umask=0x1,ldlat=3' pmus || fail "no event of a PMU"
grep -qE '^uncore_imc_1/cas_count_read/ +.* in MiB' pmus || fail "no unit"
grep -qE '^cpu/offcore_rsp=\.\.\./ +config1:0-63' pmus || fail "no format"

# What files of pmu-events describe, once for each name, whatever it is of.
cat >described.json <<'J'
[{"EventName": "some.event", "EventCode": "0x3c", "UMask": "0x1", "BriefDescription": "What\nit\u001b[1m counts"},
 {"EventName": "SOME.EVENT", "EventCode": "0x3c", "Unit": "nowhere"},
 {"EventName": "other.event", "EventCode": "0x3c", "Unit": "nowhere"},
 {"MetricName": "some.metric", "MetricExpr": "some.event"}]
J
for how in --events-dir=described.json ''; do
	PK_EVENTS_DIR=described.json SYSFS_PATH=$PWD/intel pk-record $how --list '*.event' >described 2>err || fail "events of JSON: $(cat err)"
	[ "$(wc -l <described)" = 2 ] || fail "not two events of JSON: $(cat described)"
	grep -qiE '^some.event +[^ ]' described || fail "no event of JSON"
	grep -qE '^other.event +event=0x3c: not on this machine$' described || fail "an event of no PMU"
done
pk-record --events-dir no-such.json --list 2>err && fail "lists files that are not there"

# The markers of an object; one without any, and none.
cat >marked.s <<'S'
.text
.globl main
main: nop
.section .note.stapsdt, "?", %note
.balign 4
.4byte 8, 2f-1f, 3
.asciz "stapsdt"
1: .8byte main, 0, 0
.asciz "some"
.asciz "thing"
.asciz "8@5"
2: .balign 4
.section .note.GNU-stack, "", %progbits
S
if command -v "${CC:-gcc}" >/dev/null && "${CC:-gcc}" -c -o marked.o marked.s 2>/dev/null &&
	"${CC:-gcc}" -o marked marked.o 2>/dev/null; then
	pk-record -x ./marked --list 2>err | grep -qE '^sdt_some:thing +8@5$' || fail "markers: $(cat err)"
	pk-record -x ./marked --list nothing 2>err && fail "has a marker of another name"
	grep -q 'no USDT probe is called nothing' err || fail "$(cat err)"
	pk-record -x ./marked --probe some:other -- true 2>err && fail "another marker was found"
	grep -q 'no USDT probe is called some:other: .* --list shows' err || fail "$(cat err)"
fi
pk-record -x /bin/true --list 2>err && fail "has markers"
grep -q 'has no USDT probes (section .note.stapsdt)' err || fail "$(cat err)"
pk-record -x /bin/true --probe some:thing -- true 2>err && fail "a marker was found"
grep -q 'the file has none at all' err || fail "$(cat err)"
pk-record -x /bin/true --probe main:12 -- true 2>err && fail "a line was found"
grep -q 'no debugging information: compile with -g' err || fail "$(cat err)"
pk-record -x marked.s --list 2>err && fail "is an object"
grep -q 'not an ELF file' err || fail "$(cat err)"

# A counter that is missing gives one sentence. So does tracefs that only root can read.
for name in $(awk '$2 == "cache:" && $3 == "not" { print $1; exit }' all); do
	expect 1 "^pk-record: ($name(:u)?: this processor, or virtual machine, has no such counter|perf_event_open: |$name(:u)?: no permission to record )" pk-record -e "$name" -- true
done
if [ "$(id -u)" = 0 ] && [ "$(stat -c %a /sys/kernel/tracing)" = 700 ] && [ -d /sys/kernel/tracing/events ] &&
	setpriv --reuid=65534 --clear-groups "$PK_BIN/pk-record" --version >/dev/null 2>&1; then
	expect 2 'no permission to read tracefs' \
		setpriv --reuid=65534 --clear-groups "$PK_BIN/pk-record" -e sched:sched_switch -- true
fi
exit 0
