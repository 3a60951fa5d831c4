# SPDX-License-Identifier: BSD-2-Clause
# The stacks of `pk record`, `pk flame` and the like reach main() without an option: in programs that are compiled as usual,
# without frame pointers, and in those of the distribution. For root and for an ordinary user.
. "$PK_TOP/tests/live/record.bash"
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip "registers of $(uname -m) are not recorded" ;;
esac
chmod 777 .
as=()
event=cpu-clock

# reach NAME COMMAND...: at least 98 % of its samples have main(), or the function that calls the main() of a program without
# symbols, among their callers. Samples of the end count, too, but not those of exec and of the dynamic loader, which take longer on a
# busy machine, nor those of uprobes that other programs have set.
reach()
{
	local name=$1
	shift
	rm -f recorded.pk
	"${as[@]}" pk record -e $event -o recorded.pk -- "$@" >out 2>err || fail "$name: status $?: $(cat err)"
	! grep -q 'samples lost' err || fail "$name: $(cat err)"
	pk-fold --weight samples recorded.pk >folded 2>fold.err || fail "$name: $(cat fold.err)"
	awk '/;(main|__libc_start_call_main)[; ]/ { m += $NF } !/;(main|__libc_start_call_main)[; ]/ && /;(_dl_|_start;_dl_|_start [0-9]+$|__GI___execve|__x64_sys_execve|\[\[uprobes\]\])/ { next } { n += $NF } END { exit !(n >= 100 && m >= n * 0.98) }' folded ||
		fail "$name: of $(awk '{ n += $NF } END { print n }' folded) samples, without main:" \
			"$(grep -vE ';(main|__libc_start_call_main)[; ]' folded | cut -c1-300)" "$(cat err)"
}

programs()
{
	reach "C $*" ./c 60
	[ ! -x cc ] || reach "C++ $*" ./cc 70
	reach "perl $*" perl -e 'sub f { my $n = shift; $n < 2 ? 1 : f($n - 1) + f($n - 2) } for (1 .. 16) { f(19); my %h;
		$h{$_ * 7919 % 5003} .= "x$_" =~ s/(\d)x/$1y/r for 1 .. 40000; my @s = sort { $h{$a} cmp $h{$b} } keys %h }'
	! command -v sqlite3 >/dev/null || reach "sqlite3 $*" sqlite3 :memory: 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL
		SELECT x + 1 FROM c WHERE x < 400000) SELECT count(*), sum(length(hex(x * 7919 % 5003)))
		FROM (SELECT x FROM c ORDER BY x * 7919 % 100003)'
}

flags='-O2 -fomit-frame-pointer'
# shellcheck disable=SC2086 # words
${CC:-cc} -std=gnu11 $flags -o c "$PK_TOP/tests/live/workload/first_picture.c" 2>err || fail "$(cat err)"
# shellcheck disable=SC2086
! command -v "${CXX:-g++}" >/dev/null ||
	${CXX:-g++} -std=c++17 $flags -o cc "$PK_TOP/tests/live/workload/first_picture.cc" 2>err || fail "$(cat err)"

pk-record -q -e cpu-clock -o probe.pk -- true 2>err
! grep -q 'user space only' err || event=cpu-clock:u
programs "as $(id -un)"

# The choice of --call-graph auto: code of the program, and that of libraries, decides. Frame pointers and -g win.
pk-record -v --call-graph auto -e $event -o auto.pk -- ./c 1 2>err || fail "auto: $(cat err)"
grep -q "$PWD/c does not keep frame pointers: --call-graph \(unwind\|dwarf\)" err || fail "auto: $(cat err)"
pk-record -v --call-graph auto -g -e $event -o auto.pk -- ./c 1 2>err || fail "auto -g: $(cat err)"
! grep -q "does not keep frame pointers" err || fail "auto -g: $(cat err)"
cat >alone.c <<'END'
static volatile long sum;
__attribute__((noinline)) static void add(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}
__attribute__((noinline)) static void twice(void)
{
	add(30000000);
	add(20000000);
	sum++;
}
void start(void)
{
	twice();
	__builtin_trap();
}
END
if [ "$(uname -m)" = x86_64 ]; then
	${CC:-cc} -O2 -fno-omit-frame-pointer -fasynchronous-unwind-tables -static -nostdlib -Wl,-e,start -o alone alone.c 2>err ||
		fail "$(cat err)"
	pk-record -v --call-graph auto -e $event -o auto.pk -- ./alone 2>err
	grep -q 'the code keeps frame pointers: --call-graph fp' err || fail "auto, frame pointers: $(cat err)"
	# At the start of a function, the frame pointer is that of the caller: the kernel's chain lacks it, except where the
	# first instruction saves the frame pointer (Linux 6.12). The word at the stack pointer is the return address.
	entry() # OPTION...
	{
		local wanted probe
		for wanted in 'start;twice;add 2' 'start;twice 1'; do
			probe=${wanted% *}
			pk-record -v "$@" -x ./alone --probe "${probe##*;}" -o entry.pk -- ./alone 2>err
			[ -s entry.pk ] || { echo "not tried: probes: $(head -n 1 err)" >&2; return; }
			! grep -q 'frame pointers lack' err || fail "$*: $(cat err)"
			pk-unwind -q entry.pk | tee unwound.pk | pk-symbolize -q | pk-fold -q >folded
			grep -qE "^alone;(\[unknown\];)?$wanted\$" folded || fail "the caller of a probed function, $*: $(cat folded)"
			pk-unwind -q unwound.pk | pk-symbolize -q | pk-fold -q | cmp - folded || fail "$*: unwound twice"
		done
	}
	entry --call-graph auto
	grep -q 'the code keeps frame pointers: --call-graph fp' err || fail "auto, probe: $(cat err)"
	entry -g
	if [ -s entry.pk ]; then
		pk-fold entry.pk >out 2>err
		grep -q 'in the link register or the stack dump of 1 sample; run pk-unwind before pk-fold' err || fail "pk-fold: $(cat err)"
		! pk-script --dump unwound.pk | grep -a 'STACK_USER' || fail 'the dump is still there'
	fi
	# Without frame pointers, the caller is right at least.
	${CC:-cc} -O2 -fomit-frame-pointer -fasynchronous-unwind-tables -static -nostdlib -Wl,-e,start -o alone2 alone.c 2>err ||
		fail "$(cat err)"
	pk-record -q -g -x ./alone2 --probe add -o entry.pk -- ./alone2 2>err
	if [ -s entry.pk ]; then
		pk-unwind -q entry.pk | pk-symbolize -q | pk-fold -q >folded
		grep -q ';twice;add 2$' folded || fail "the caller of a probed function without frame pointers: $(cat folded)"
	fi
fi
# With -g, the summaries name the code without frame pointers. They do not where it keeps them, or stacks are unwound.
pk-record -q -g -e $event -o fp.pk -- ./c 20 2>err || fail "-g: $(cat err)"
pk-symbolize -o symbolized.pk fp.pk 2>err || fail "pk-symbolize: $(cat err)"
grep -Eq 'no frame pointers in .*\bc\b.*: callers are missing; record with --call-graph auto' err &&
	grep -q '% of stacks end in code without frame pointers' err || fail "pk-symbolize: $(cat err)"
pk-report symbolized.pk >out 2>err || fail "pk-report: $(cat err)"
grep -q '^# .*% of stacks end in code without frame pointers' out || fail "pk-report: $(cat out)"
pk-report fp.pk >out 2>err || fail "pk-report: $(cat err)"
grep -q 'no frame pointers in ' err || fail "pk-report: $(cat err)"
pk-record -q --call-graph dwarf -F 999 -e $event -- ./c 10 2>err | pk-unwind 2>>err | pk-symbolize -o symbolized.pk 2>>err ||
	fail "pk-symbolize: $(cat err)"
! grep 'frame pointers' err || fail 'unwound stacks: a claim about frame pointers'
if [ -x alone ]; then
	pk-record -q -g -e $event -o fp.pk -- ./alone 2>err
	pk-symbolize -o symbolized.pk fp.pk 2>err || fail "pk-symbolize: $(cat err)"
	! grep 'frame pointers' err || fail 'frame pointers: a claim that there are none'
fi
# The stages of a command do no harm to what they need not change, and say nothing about it.
pk flame -g -e $event -- ./c 20 >out 2>err || fail "pk flame -g: $(cat err)"
! grep -q pk-unwind: err || fail "pk flame -g: $(cat err)"
pk flame --call-graph dwarf -e $event -- ./c 20 >out 2>err || fail "pk flame --call-graph dwarf: $(cat err)"
grep -q '>main' flame.svg && grep -q '>parse' flame.svg || fail "pk flame --call-graph dwarf: $(cat err)"

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then exit 0; fi
as=(env HOME=/ setpriv --reuid=65534 --regid=65534 --clear-groups)
"${as[@]}" pk --version >/dev/null 2>&1 || skip "all but an ordinary user, who may not run the programs in $PK_BIN"
"${as[@]}" pk-record -q -e cpu-clock:u -o ordinary.pk -- true 2>err ||
	skip "all but an ordinary user, who may not record here: $(cat err)"
event=cpu-clock:u
programs 'as an ordinary user'
