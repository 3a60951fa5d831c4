# SPDX-License-Identifier: BSD-2-Clause
# Markers that a program's author has put there: those that count their listeners, and arguments in
# registers, constants, and the stack, in programs of all kinds. They are made by hand, since not
# every machine has sys/sdt.h.
. "$PK_TOP/tests/live/record.bash"

[ -e /sys/bus/event_source/devices/uprobe ] || skip "this kernel has no uprobes"
[ "$(id -u)" = 0 ] || skip "needs root"
[ "$(uname -m)" = x86_64 ] || skip "the program is for x86_64"
command -v "${CC:-gcc}" >/dev/null || skip "no compiler"
cat >marked.c <<'C'
#include <stdint.h>
#define MARK(name, semaphore, words, ...) \
	__asm__ volatile("990: nop\n" \
		".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
		"991: .asciz \"stapsdt\"\n992: .balign 4\n993: .8byte 990b\n.8byte _.stapsdt.base\n" \
		".8byte " semaphore "\n.asciz \"some\"\n.asciz \"" name "\"\n.asciz \"" words "\"\n" \
		"994: .balign 4\n.popsection\n.ifndef _.stapsdt.base\n" \
		".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n.weak _.stapsdt.base\n" \
		".hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base,1\n.popsection\n.endif\n" \
		: : __VA_ARGS__)
__attribute__((section(".probes"), visibility("hidden"))) volatile unsigned short listeners = 0;
static volatile int global = 17;
__attribute__((noinline)) void look_at(volatile int64_t *local)
{
	__asm__ volatile("" : : "r"(local) : "memory");
}
__attribute__((noinline)) void fire(int i, int64_t *heap)
{
	volatile int64_t local[4] = {-1000 - i, 0, 0, 5000000000 + i};
	unsigned char byte = (unsigned char)(200 + i);

	if (listeners)
		MARK("thing", "listeners", "-4@%0 8@%1 4@%2 -8@%3 8@%4 1@%b5 4@%6 8f@%7 8@%8",
		     "r"(-i), "r"(heap), "i"(42), "m"(local[0]), "m"(local[3]), "q"(byte),
		     "m"(global), "x"(1.5), "m"(heap[2]));
	MARK("plain", "0", "", "i"(0));
	look_at(local);
}
#ifndef LIBRARY
static int64_t heap[4] = {1, 2, 3, 4};
int main(void)
{
	for (int i = 0; i < 9; i++)
		fire(i, heap);
	return 0;
}
#endif
C
cat >caller.c <<'C'
#include <stdint.h>
void fire(int i, int64_t *heap);
static int64_t heap[4];
int main(void)
{
	for (int i = 0; i < 9; i++)
		fire(i, heap);
	return 0;
}
C
build()
{
	"${CC:-gcc}" -O2 "$@" 2>cc.err || fail "no program: $(head -n 3 cc.err)"
}
build -fPIE -pie -o pie marked.c
build -fno-pie -no-pie -o fixed marked.c
build -O1 -fno-omit-frame-pointer -o frames marked.c
build -DLIBRARY -shared -fPIC -o libmarked.so marked.c
build -o caller caller.c -L. -lmarked -Wl,-rpath,"$PWD"

# What the arguments of the nine calls are; the address in the second one is left out.
for i in 0 1 2 3 4 5 6 7 8; do
	echo "arg1=$((-i)) arg3=42 arg4=$((-1000 - i)) arg5=$((5000000000 + i)) arg6=$((200 + i)) arg7=? arg8=? arg9=?"
done >wanted

# record OBJECT COMMAND OPTION...: new tasks inherit nothing, so the arguments are from registers and stacks.
record()
{
	local object=$1 command=$2
	shift 2
	pk-record -i -o out.pk -x "$object" "$@" -- "./$command" 2>err || fail "$object: $(cat err)"
	silent err
	check out.pk
}
arguments()
{
	pk-script -F trace "$1" 2>err | sed 's/^ *//; s/arg2=[0-9]* //; s/ *$//' | grep . >got
	diff wanted got || fail "$2: other arguments"
}
record ./pie pie --probe sdt_some:thing
arguments out.pk "position-independent"
record ./fixed fixed -e 'sdt_some:th*'
arguments out.pk "not position-independent"
record ./frames frames --probe some:thing
arguments out.pk "counted from frame pointers"
record ./libmarked.so caller -g -e '{sdt_some:thing/max-stack=3/}'
arguments out.pk "library"
record ./pie pie --call-graph dwarf --probe some:thing
arguments out.pk "with stacks to unwind"

# Without -g nothing is there to unwind, and nothing is taken away.
record ./pie pie --probe some:thing
pk-unwind -q -o unwound.pk out.pk 2>err || fail "pk-unwind: $(cat err)"
arguments unwound.pk "after pk-unwind"
perf script -i - <out.pk >perf.out 2>/dev/null &&
	[ "$(grep -c sdt_some:thing perf.out)" != 9 ] && fail "perf does not read it"

pk-filter --where 'arg1 <= -7 && arg5 & 1' out.pk 2>err | pk-script -F event,trace 2>>err >got
[ "$(sed 's/.*arg1=//; s/ .*//' got)" = -7 ] || fail "--where: $(cat err got)"
pk-script --json out.pk 2>err | grep -q '"fields":{"arg1":-8,"arg2":[0-9]*,"arg3":42,.*"arg7":null' ||
	fail "--json: $(cat err)"
pk-filter --drop regs out.pk 2>err | pk-script -F trace 2>>err | grep -q 'arg1=? .*arg3=42' ||
	fail "without registers: $(cat err)"
pk-filter --strip-extensions out.pk 2>err | pk-script 2>>err | grep arg1 && fail "still there"

pk-symbolize out.pk 2>err | pk-fold --weight arg6 2>>err >got
[ "$(awk '{ sum += $NF } END { print sum }' got)" = $((9 * 200 + 36)) ] || fail "--weight: $(cat err got)"

# Two at once; one of them has no arguments, and counts no listeners.
record ./pie pie --probe 'some:*'
[ "$(records $SAMPLE)" = 18 ] || fail "$(records $SAMPLE) samples of two markers"
[ "$(pk-script -F event,trace out.pk | grep -c 'plain: *$')" = 9 ] || fail "arguments of what has none"
[ "$(pk-symbolize out.pk 2>err | pk-fold 2>>err | awk '{ sum += $NF } END { print sum }')" = 18 ] ||
	fail "both are not folded: $(cat err)"

# By a definition, the kernel reads the arguments, and also evaluates filters on them.
if may_define_probes; then
	sed 's/arg7=.*/arg9=3/' wanted >wanted_of_kernel
	pk-record -o out.pk -x ./pie -e 'sdt_some:thing/max-stack=3/' -- ./pie 2>err || fail "defined: $(cat err)"
	grep -q '2 arguments of markers are not recorded' err || fail "arguments that the kernel cannot read: $(cat err)"
	pk-script -F trace out.pk 2>err | sed 's/^ *([0-9a-f]*) //; s/arg2=[0-9]* //; s/ *$//' | grep . >got
	diff wanted_of_kernel got || fail "defined: other arguments"
	pk-record -o out.pk -x ./libmarked.so --probe some:thing --filter 'arg1 < -4 && arg5 != 5000000006' -- ./caller 2>err ||
		fail "filter: $(cat err)"
	[ "$(pk-script -F trace out.pk | grep -o 'arg1=[-0-9]*' | tr -d '\n')" = arg1=-5arg1=-7arg1=-8 ] || fail "filter: $(pk-script out.pk)"
fi

# Arguments of a choice: text where the argument points to, other names and types.
cat >texts.c <<'C'
#include <stdint.h>
C
sed -n '/^#define MARK/,/^		: :/p' marked.c >>texts.c
cat >>texts.c <<'C'
int main(int argc, char **argv)
{
	const char *volatile on_stack = argv[argc - 1];

	for (int i = 0; i < argc; i++)
		MARK("text", "0", "8@%0 -4@%1 8@%2", "r"(argv[i]), "r"(-i), "m"(on_stack));
	return 0;
}
C
build -o texts texts.c
record ./texts texts --probe 'some:text other=arg2'
[ "$(pk-script -F trace out.pk | tr -d ' ')" = other=0 ] || fail "chosen: $(pk-script out.pk)"
refused()
{
	pk-record -o none.pk -x ./texts --probe "$1" -- ./texts 2>err && fail "accepted: $1"
	grep -qF "$2" err || fail "$1: $(cat err)"
}
refused 'some:text arg4' 'some:text: arg4: the marker has no such argument'
refused 'some:text arg1 arg1:string' 'arg1:string: the marker has no such argument, or the name is used twice'
refused 'some:text *arg1' 'must be [NAME=]argN[:TYPE]'
refused 'some:text arg1:double' "the type of a marker's argument must be"
refused 'some:text a_name_of_16_ch_=arg1' 'at most 15 characters'
if may_define_probes; then
	for options in '-i -x ./texts' ''; do
		# shellcheck disable=SC2086 # options, or none
		pk-record $options -o out.pk --probe 'some:text arg1:string last=arg3:string hex=arg2:x arg2' -- ./texts a 'b c' 2>err ||
			fail "strings: $(cat err)"
		silent err
		check out.pk
		pk-script -F trace out.pk 2>err | sed 's/^ *([0-9a-f]*) //; s/ *$//' | grep . >got
		printf '%s\n' 'arg1="./texts" last="b c" hex=0x0 arg2=0' 'arg1="a" last="b c" hex=0xffffffff arg2=-1' \
			'arg1="b c" last="b c" hex=0xfffffffe arg2=-2' | diff - got || fail "strings: other arguments ($options)"
	done
fi

# Without -x: in the file of the command, or in those that a process has mapped.
for option in '--probe some:thing' '-e sdt_some:thing' '-e sdt_some:th*,dummy'; do
	# shellcheck disable=SC2086 # an option and its value
	pk-record -i -o out.pk $option -- ./pie 2>err || fail "$option without -x: $(cat err)"
	silent err
	arguments out.pk "$option without -x"
done
pk-record -o none.pk -e '{sdt_some:thing,dummy}' -- ./pie 2>err && fail "a marker without -x in a group"
grep -q 'no such tracepoint as sdt_some:thing\|tracefs is not mounted' err || fail "in a group: $(cat err)"
LD_PRELOAD=./libmarked.so sleep 100 &
pid=$!
while ! grep -q libmarked "/proc/$pid/maps"; do kill -0 $pid || fail "has ended"; done
pk-record --probe 'sdt_some:*' -p $pid --dry-run >got 2>err || fail "-p: $(cat err)"
kill $pid
[ "$(grep -c "$PWD/libmarked.so: offset 0x[0-9a-f]*, arguments" got)" = 2 ] || fail "-p: $(cat got)"
pk-record -o none.pk --probe some:nothing -- ./pie 2>err && fail "a marker that is not there"
grep -q 'no USDT probe of this name' err || fail "was said: $(cat err)"
exit 0
