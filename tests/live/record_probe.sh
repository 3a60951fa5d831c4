# SPDX-License-Identifier: BSD-2-Clause
# Probes of functions with the uprobe PMU: each call is counted, and no probe remains afterwards.
. "$PK_TOP/tests/live/record.bash"

[ -e /sys/bus/event_source/devices/uprobe ] || skip "this kernel has no uprobes"
[ "$(id -u)" = 0 ] || skip "needs root"
command -v "${CC:-gcc}" >/dev/null || skip "no compiler"
cat >calls.c <<'C'
__attribute__((noinline)) int called(int x) { __asm__ volatile("" : "+r"(x)); return x; }
__attribute__((noinline)) int called_too(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 100; i++)
		sum += called(i) + (i < 7 ? called_too(i) : 0);
	return sum == 0;
}
C
"${CC:-gcc}" -O1 -o calls calls.c || fail "no program"

count()
{
	local wanted=$1
	shift
	pk-record -o out.pk "$@" -- ./calls 2>err || fail "$*: $(cat err)"
	may_define_probes || sed -i '/needs a definition in tracefs$/d' err
	silent err
	check out.pk
	[ "$(records $SAMPLE)" = "$wanted" ] || fail "$*: $(records $SAMPLE) samples, not $wanted"
}
count 100 -x ./calls --probe called
count 100 -x ./calls --probe called%return
count 100 -x calls --probe called+0
count 107 --call-graph dwarf -x ./calls --probe 'called*'
# At the first instruction, frame pointers lack the caller, except where samples have the link register or the word at the
# stack pointer.
says() # NUMBER OPTION...
{
	local wanted=$1
	shift
	case $(uname -m) in aarch64 | x86_64) wanted=0 ;; esac
	pk-record -o fp.pk "$@" -- ./calls 2>err || fail "$*: $(cat err)"
	[ "$(grep -c 'is at the start of a function, where frame pointers lack its caller: --call-graph auto or dwarf' err)" = "$wanted" ] ||
		fail "$*: $(cat err)"
}
says 1 -g -x ./calls --probe 'called*'
says 1 -g -i -x ./calls --probe called
says 1 -x ./calls -e cpu-clock --probe called -g --probe called_too
says 0 -q -g -x ./calls --probe called
says 0 -g -x ./calls --probe called%return
says 0 -x ./calls --probe called
says 0 --kernel-callchains -x ./calls --probe called
says 0 --call-graph auto -x ./calls --probe called
pk-script out.pk 2>/dev/null | grep -q 'probe_calls:called_too:' || fail "names: $(pk-script out.pk | head -n 3)"

# Arguments and what is returned.
if [ "$(uname -m)" = x86_64 ]; then
	count 200 -x ./calls --probe 'called x=$arg1:s32 di=%di low=%di:u8' --probe 'called%return back=$retval:s32'
	pk-filter --where 'x == 7 || back == 7' out.pk 2>err | pk-script -F event,trace 2>>err | sed 's/^ *//; s/ *$//; s/ ([0-9a-f]*\( <- [0-9a-f]*\)*)//' |
		sort >got
	printf '%s\n' 'probe_calls:called: x=7 di=7 low=7' 'probe_calls:called__return: back=7' | sort >wanted
	diff wanted got || fail "other arguments: $(cat err)"
fi

# What is not there.
refuse()
{
	local words=$1
	shift
	pk-record -o none.pk "$@" -- ./calls 2>err
	[ $? = 2 ] || fail "$*: not a usage error"
	grep -q "$words" err || fail "$*: said: $(cat err)"
}
refuse 'no function is called nothing' -x ./calls --probe nothing
refuse 'No such file' -x ./no-such --probe main
refuse 'must be FUNCTION' -x ./calls --probe 'called%sideways'
refuse 'must be FUNCTION' -x ./calls --probe 'called+x'
refuse 'no USDT probe' -x ./calls --probe 'sdt_some:thing'
! grep -F "$PWD/" /sys/kernel/tracing/uprobe_events 2>/dev/null || fail "something is left in tracefs"

# Markers: made by hand, since not every machine has sys/sdt.h.
[ "$(uname -m)" = x86_64 ] || exit 0
cat >usdt.c <<'C'
#define MARK(sem) \
	__asm__ volatile("990: nop\n" \
		".pushsection .note.stapsdt,\"\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
		"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte " sem "\n" \
		".asciz \"some\"\n.asciz \"thing\"\n.asciz \"\"\n994: .balign 4\n.popsection\n" \
		".ifndef _.stapsdt.base\n.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
		".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n.endif\n")
__attribute__((section(".probes"))) volatile unsigned short listeners = 0;
int main(void)
{
	for (int i = 0; i < 9; i++)
		if (listeners)
			MARK("listeners");
	return 0;
}
C
"${CC:-gcc}" -O1 -fno-pie -no-pie -o calls usdt.c || fail "no program with markers"
count 9 -x ./calls --probe sdt_some:thing
count 9 -x ./calls --probe 'some:th*'
exit 0
