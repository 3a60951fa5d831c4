# SPDX-License-Identifier: BSD-2-Clause
# Probes by source, of a program with known values, without and with optimization: functions, lines, inlined
# copies, returns, expressions, strings, filters; what remains in tracefs; and what is refused.
. "$PK_TOP/tests/live/record.bash"

[ -e /sys/bus/event_source/devices/uprobe ] || skip "this kernel has no uprobes"
[ "$(id -u)" = 0 ] || skip "needs root"
may_define_probes || skip "no tracefs, or a folder with blanks"
case $(uname -m) in x86_64 | aarch64) ;; *) skip "registers of this machine are not known" ;; esac
command -v "${CC:-gcc}" >/dev/null || skip "no compiler"
for level in 0 2; do
	"${CC:-gcc}" -g -O$level -o known$level "$PK_TOP/tests/live/workload/known_values.c" || fail "no program"
done
ours()
{
	grep -F "$PWD/" /sys/kernel/tracing/uprobe_events | grep -c ":pk_[0-9]*_"
}
texts() # texts OBJECT OPTION...: the samples of a recording, as text
{
	local object=$1
	shift
	pk-record -o out.pk -x "./$object" "$@" -- "./$object" 2>err || fail "$*: $(cat err)"
	silent err
	pk-script -F event,trace out.pk 2>/dev/null | sed 's/^ *//; s/ ([0-9a-f]*\( <- [0-9a-f]*\)*)//; s/known[02]/known/'
}
compare() # compare WHAT: stdin is wanted
{
	diff - got >differences || fail "$1: $(cat differences)"
}

members='work count t->name:string x2=t->ptr->x[2] t->ptr->high t->own.low t->next->name:string
 t->next->text:string text=t->text:string both=((union both *)opaque)->half.second counter c2=@counter:x32 d=*t->ptr->x'
for level in 0 2; do
	texts known$level --probe "$(echo $members)" >got
	compare "members, -O$level" <<'T'
probe_known:work: count=0 name="zero" x2=100 high=17 low=2 name_2="the next" text="inside" text_2="an array" both=-8 counter=1000 c2=0x3e8 d=10
probe_known:work: count=1 name="one" x2=101 high=17 low=2 name_2="the next" text="inside" text_2="an array" both=-8 counter=1000 c2=0x3e8 d=10
probe_known:work: count=2 name="two" x2=102 high=17 low=2 name_2="the next" text="inside" text_2="an array" both=-8 counter=1001 c2=0x3e9 d=10
probe_known:work: count=3 name="three" x2=103 high=17 low=2 name_2="the next" text="inside" text_2="an array" both=-8 counter=1003 c2=0x3eb d=10
T
	texts known$level --probe 'other text:string a low=a:u8' --probe 'other%return $retval' >got
	compare "returns, -O$level" <<'T'
probe_known:other: text="zero" a=0 low=0
probe_known:other__return: arg1=0
probe_known:other: text="one" a=1000000007 low=7
probe_known:other__return: arg1=-1000000007
probe_known:other: text="two" a=2000000014 low=14
probe_known:other__return: arg1=-2000000014
probe_known:other: text="three" a=3000000021 low=21
probe_known:other__return: arg1=-3000000021
T
	# The entry's arguments at the return.
	pk-span functions --carry a out.pk 2>/dev/null | pk-script -F trace 2>/dev/null | grep -c 'a=2000000014' >got
	[ "$(cat got)" = 1 ] || fail "pk-span --carry: $(pk-span functions --carry a out.pk | pk-script)"
	# Line 5 from the function's first one on is the same.
	[ "$(pk-stat -x, --object ./known$level --probe work:5 -- ./known$level 2>&1 >/dev/null | cut -d, -f1)" = 6 ] ||
		fail "work:5: $(pk-stat --object ./known$level --probe work:5 -- ./known$level 2>&1)"
done
# The kernel filters. The line is that of counter++; with optimization, a register has the counter.
texts known0 --probe 'at=known_values.c:34 i counter' --filter 'i >= 1 && counter > 1001' >got
compare "a line of a file and a filter" <<'T'
probe_known:at: i=1 counter=1002
probe_known:at: i=1 counter=1004
probe_known:at: i=2 counter=1005
T
# Inlined copies count, too: 0 + 1 + 2 + 3 calls.
[ "$(pk-stat -x, --object ./known2 --probe twice -- ./known2 2>&1 >/dev/null | cut -d, -f1)" = 6 ] ||
	fail "twice: $(pk-stat --object ./known2 --probe twice -- ./known2 2>&1)"
texts known0 --probe 'other $params' >got
grep -qE '^probe_known:other: a=1000000007 text=0x[0-9a-f]+$' got || fail "\$params: $(cat got)"
texts known0 --probe 'work:8 $vars' >got
grep -qE '^probe_known:work_L8: t=0x[0-9a-f]+ count=3 opaque=0x[0-9a-f]+ sum=12$' got || fail "\$vars: $(cat got)"
[ "$(ours)" = 0 ] || fail "left in tracefs: $(cat /sys/kernel/tracing/uprobe_events)"

# perf reads these recordings.
if "${PK_PERF:-perf}" --version >/dev/null 2>&1; then
	pk-record -o out.pk -x ./known2 --probe 'other text:string a' -- ./known2 2>err || fail "$(cat err)"
	"${PK_PERF:-perf}" script -i out.pk 2>/dev/null | grep -c 'probe_known2:other: ([0-9a-f]*) text="[a-z]*" a=' >got
	[ "$(cat got)" = 4 ] || fail "perf script: $("${PK_PERF:-perf}" script -i out.pk 2>&1)"
fi

# After SIGKILL, probes without tracefs are gone; definitions go away with the next recorder.
pk-record -o killed.pk -x ./known2 --probe 'work t->name:string' -- sleep 100 2>err &
pid=$!
recording $pid
[ "$(ours)" = 1 ] || fail "not defined: $(cat /sys/kernel/tracing/uprobe_events)"
kill -KILL $pid
wait $pid 2>/dev/null
texts known2 --probe 'other text:string' >got
[ "$(ours)" = 0 ] || fail "left after SIGKILL: $(cat /sys/kernel/tracing/uprobe_events)"

# Nothing is recorded by a dry run.
pk-record -o dry.pk -x ./known2 --probe 'work:5 i' --probe 'other text:string' --dry-run -- ./known2 >got 2>err || fail "$(cat err)"
[ ! -e dry.pk ] || fail "--dry-run has recorded"
grep -qE '^  p:probe_known2/work_L5 [^ ]*/known2:0x[0-9a-f]+ i=%[a-z0-9]+:s32$' got || fail "--dry-run: $(cat got)"
grep -q 'known_values.c:34$' got && grep -q '^    text: char\*$' got || fail "--dry-run: $(cat got)"

refuse() # refuse WORDS OPTION...
{
	local words=$1
	shift
	pk-record -o none.pk -x ./known2 "$@" -- ./known2 2>err
	[ $? = 2 ] || fail "$*: not a usage error: $(cat err)"
	grep -q -- "$words" err || fail "$*: said: $(cat err)"
}
refuse 'no variable has this name' --probe 'work nothing'
refuse 'has no member .nothing' --probe 'work t->nothing'
refuse 'has several members' --probe 'work t->own'
refuse 'not a pointer' --probe 'work *count'
refuse 'this line has no code' --probe 'known_values.c:9'
refuse 'no function .* has this name' --probe 'nothing:3'
refuse 'needs a place' --probe 'work +8'
refuse 'must follow' -e cpu-clock --filter 'i > 1'
strip -o bare known2
pk-record -o none.pk -x ./bare --probe 'known_values.c:34' -- ./bare 2>err
grep -q 'no debugging information' err || fail "without debugging information: $(cat err)"
# Names of the object do not change the definition that the kernel gets.
LC_ALL=C sed 's/opaque\x00/o\np: x\x00/' known2 >evil && chmod +x evil
pk-record -x ./evil --probe 'work $vars' --dry-run >got 2>err || fail "$(cat err)"
grep -qE '^  p:probe_evil/work .* o_p__x=%' got && [ "$(grep -c 'p:' got)" = 1 ] || fail "a name with a newline: $(cat got)"
exit 0
