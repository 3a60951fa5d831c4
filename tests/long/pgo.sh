# SPDX-License-Identifier: BSD-2-Clause
# timeout: 900
# From exact branches to an optimized program: pk-export bolt, perf2bolt and llvm-bolt; pk-export profgen, llvm-profgen and clang. The
# profiles and the programs are equal to those that perf2bolt and llvm-profgen make of the same recording as a perf.data file.
[ "$(uname -m)" = x86_64 ] || {
	echo "branches are recorded by single steps, which needs x86-64" >&2
	exit 77
}
versions=()
for v in 16 17 18 19 20 21 22; do
	[ -x /usr/lib/llvm-$v/bin/perf2bolt ] && [ -x /usr/lib/llvm-$v/bin/llvm-profgen ] && [ -x /usr/lib/llvm-$v/bin/clang ] &&
		[ -x /usr/lib/llvm-$v/bin/ld.lld ] && versions+=("$v")
done
[ ${#versions[@]} -gt 0 ] && command -v perf >/dev/null || {
	echo "no perf, or not all of perf2bolt, llvm-profgen, clang and lld (bolt-19, llvm-19, clang-19, lld-19)" >&2
	exit 77
}
newest=${versions[-1]}
llvm=/usr/lib/llvm-$newest/bin
record=$PK_BUILD/tests/live/record_branches

cat >app.c <<'C'
#include <stdio.h>
#include <stdlib.h>

static int rare(int x)
{
	return x * 7 + 1;
}

static int common(int x)
{
	return x ^ x >> 3;
}

__attribute__((noinline)) int work(int x)
{
	if (x % 61 == 7)
		return rare(x);
	if (x % 5 == 1)
		return x - 1;
	return common(x) + 5;
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 0;
	unsigned int sum = 0;

	for (int i = 0; i < rounds; i++)
		sum += (unsigned int)work(i);
	printf("%u\n", sum);
	return 0;
}
C

fail()
{
	echo "$*"
	exit 1
}

# recorded PROGRAM: makes PROGRAM.pk and PROGRAM.data
recorded()
{
	"$record" 61 "./$1" 2000 >"$1.pk" 2>"$1.printed" || fail "$1 was not recorded"
	pk-export perf.data -q -o "$1.data" "$1.pk" || fail "$1.data"
}

# same WHAT FILE OTHER: fails if the files differ or are empty
same()
{
	[ -s "$2" ] || fail "$1: $2 is empty"
	cmp "$2" "$3" || fail "$1: $(diff "$2" "$3" | head -n 20)"
}

# code_of PROGRAM: its instructions
code_of()
{
	objdump -d --no-show-raw-insn "$1" | grep -v 'file format'
}

# peer NAME COMMAND...: runs a program of LLVM, and prints what it wrote if it fails
peer()
{
	"${@:2}" >log 2>&1 || fail "$1: $(cat log)"
}

# ---- BOLT ----

"$llvm/clang" -O2 -g -Wl,--emit-relocs -o app app.c || fail "not compiled"
recorded app
pk-export bolt -q --object app -o app.bolt app.pk || fail "no profile"
for v in "${versions[@]}"; do
	bin=/usr/lib/llvm-$v/bin
	mkdir ours.$v peer.$v
	peer "perf2bolt --pa ($v)" "$bin/perf2bolt" --pa -p app.bolt -o ours.$v/app.fdata ./app
	peer "perf2bolt ($v)" "$bin/perf2bolt" -p app.data -o peer.$v/app.fdata ./app
	for side in ours peer; do
		sort -o $side.$v/sorted $side.$v/app.fdata
		peer "llvm-bolt ($v)" "$bin/llvm-bolt" app -o $side.$v/app.fast -data=$side.$v/app.fdata -reorder-blocks=ext-tsp \
			-reorder-functions=hfsort -split-functions
		code_of $side.$v/app.fast >$side.$v/code
	done
	[ "$(grep -c ' work ' ours.$v/sorted)" -ge 4 ] || fail "the profile has no branches of work"
	same "profile of perf2bolt $v" ours.$v/sorted peer.$v/sorted
	same "code of llvm-bolt $v" ours.$v/code peer.$v/code
	code_of app | cmp -s - ours.$v/code && fail "llvm-bolt $v did not change the code"
	[ "$(ours.$v/app.fast 12345)" = "$(./app 12345)" ] || fail "the program of llvm-bolt $v prints something else"
done

# Samples after each 7 branches have most branches several times. Both programs count all of them.
"$record" 7 ./app 500 >often.pk 2>log || fail "often.pk was not recorded"
pk-export perf.data -q -o often.data often.pk
for option in '' --traces --basic; do
	[ -z "$option" ] || [ "$newest" -ge 21 ] || continue
	basic=
	[ "$option" != --basic ] || basic=--ba
	pk-export bolt -q $option --object app -o often.bolt often.pk || fail "no profile $option"
	peer "perf2bolt --pa $basic" "$llvm/perf2bolt" --pa $basic -p often.bolt -o often.ours ./app
	peer "perf2bolt $basic" "$llvm/perf2bolt" $basic -p often.data -o often.peer ./app
	# perf script adds a colon to the names of events with modifiers.
	sed 's/^\(no_lbr .*\):$/\1/' often.peer | sort -o often.peer
	sort -o often.ours often.ours
	grep -q 'work ' often.ours || fail "bolt $option: the profile has no work"
	same "profile with overlapping samples $option" often.ours often.peer
done

mkdir folder other
pk-export bolt -q -o folder app.pk
same "file of the folder" app.bolt folder/app.*.bolt
[ "$(ls folder | sed 's/\..*//' | sort | grep -c -x 'app\|ld-linux-x86-64\|libc')" = 3 ] || fail "folder has $(ls folder)"
"$llvm/clang" -O1 -o other/app app.c
pk-export bolt --object other/app app.pk 2>log && fail "another build was accepted"
grep -q '^pk-export: other/app: not the recorded file: its build-id is [0-9a-f]*, but the build-id of the recorded file is ' log ||
	fail "another build: $(cat log)"
pk-export bolt -q --traces --object app -o app.traces app.pk
strip -o other/app app
pk-export bolt -q --traces --object other/app -o stripped.traces app.pk
same "a stripped program" app.traces stripped.traces

# ---- clang ----

"$llvm/clang" -O2 -g -fdebug-info-for-profiling -Wl,-z,now -o app app.c || fail "not compiled"
recorded app
pk-export profgen -q --object app -o app.raw app.pk || fail "no profile"
for v in "${versions[@]}"; do
	peer "llvm-profgen ($v)" /usr/lib/llvm-$v/bin/llvm-profgen --perfdata=app.data --binary=app --output=peer.raw --skip-symbolization
	same "unsymbolized profile of llvm-profgen $v" app.raw peer.raw
done
peer llvm-profgen "$llvm/llvm-profgen" --unsymbolized-profile=app.raw --binary=app --output=ours.prof
peer llvm-profgen "$llvm/llvm-profgen" --perfdata=app.data --binary=app --output=peer.prof
for side in ours peer; do
	"$llvm/clang" -O2 -g -fdebug-info-for-profiling -fprofile-sample-use=$side.prof -Rpass=inline -c -o $side.o app.c 2>$side.inlined ||
		fail "not compiled with the profile"
done
same "decisions to inline" ours.inlined peer.inlined
for call in "'common' inlined into 'work'" "'rare' inlined into 'work'"; do
	grep -q "$call" ours.inlined || fail "not $call: $(cat ours.inlined)"
done
same "object of clang" ours.o peer.o
"$llvm/clang" -o app.fast ours.o && [ "$(./app.fast 12345)" = "$(./app 12345)" ] || fail "the program of clang prints something else"

# ---- clang, without llvm-profgen ----

pk-export autofdo -q --object app -o ours.prof app.pk || fail "no profile"
peer llvm-profgen "$llvm/llvm-profgen" --perfdata=app.data --binary=app --output=peer.prof --format=text
same "sample profile" ours.prof peer.prof
"$llvm/llvm-profdata" merge --sample -o merged ours.prof ours.prof || fail "llvm-profdata"
"$llvm/llvm-profdata" show --sample --function=work merged | grep -o 'Function: work: [0-9]*, [0-9]*' >twice
awk -F: '/^work:/ { print "Function: work: " 2 * $2 ", " 2 * $3 }' ours.prof >expected
same "llvm-profdata" expected twice
"$llvm/clang" -O2 -g -fdebug-info-for-profiling -fprofile-sample-use=ours.prof -c -o direct.o app.c || fail "not compiled with the profile"
same "object of clang" direct.o peer.o

# ---- clang, with calling contexts ----

# llvm-profgen makes them of branches and callchains. pk-export profgen leaves out the callchains.
"$llvm/clang" -O2 -g -fdebug-info-for-profiling -fno-omit-frame-pointer -Wl,-z,now -o app app.c || fail "not compiled"
"$record" -g 61 ./app 2000 >app.pk 2>log || fail "app was not recorded"
pk-export perf.data -q -o app.data app.pk || fail app.data
peer llvm-profgen "$llvm/llvm-profgen" --perfdata=app.data --binary=app --output=contexts --skip-symbolization
grep -q '^\[main:[0-9]* @ work:[0-9]* @ common\]' contexts || fail "no context of common: $(grep '\[' contexts)"
peer llvm-profgen "$llvm/llvm-profgen" --ignore-stack-samples --perfdata=app.data --binary=app --output=peer.raw --skip-symbolization
pk-export profgen -q --object app -o app.raw app.pk || fail "no profile"
same "unsymbolized profile without callchains" app.raw peer.raw

# ---- The kernel ----

# A program without libraries whose addresses become those of a kernel, and the same code linked to the addresses of a kernel.
cat >kernel.c <<'C'
const char linux_banner[] = "Linux version 6.18.0";

__attribute__((noinline)) static int rare(int x) { return x * 7 + 1; }

__attribute__((noinline)) static int work(int x)
{
	return x % 61 == 7 ? rare(x) : x % 5 == 1 ? x - 1 : x ^ x >> 3;
}

void _start(void)
{
	unsigned int sum = 0;

	for (int i = 0; i < 2000; i++)
		sum += (unsigned int)work(i);
	__asm__ volatile("syscall" : : "a"(231), "D"(0), "S"(sum) : "rcx", "r11", "memory");
	__builtin_unreachable();
}
C
"$llvm/clang" -O2 -g -fdebug-info-for-profiling -mcmodel=kernel -fno-pic -c kernel.c || fail "kernel.c: not compiled"
# linked FILE ADDRESS
linked()
{
	ld -static --build-id=none --defsym=_text="$2+0x1000" -z separate-code -Ttext-segment="$2" -o "$1" kernel.o || fail "$1: not linked"
}
linked program 0x1000000
linked vmlinux 0xffffffff81000000
for distance in 0xffffffff80000000 0xffffffff9e000000; do
	"$record" -k $distance 61 ./program >kernel.pk || fail "the kernel was not recorded"
	pk-export perf.data -q -o kernel.data kernel.pk
	pk-export profgen -q --object vmlinux -o kernel.raw kernel.pk || fail "no profile of the kernel"
	[ "$(wc -l <kernel.raw)" -ge 10 ] || fail "the profile of the kernel has only $(wc -l <kernel.raw) lines"
	for v in "${versions[@]}"; do
		[ "$v" -ge 19 ] || continue # has no --kernel
		peer "llvm-profgen --kernel ($v)" /usr/lib/llvm-$v/bin/llvm-profgen --kernel --perfdata=kernel.data --binary=vmlinux \
			--output=peer.raw --skip-symbolization
		same "profile of the kernel, llvm-profgen $v" kernel.raw peer.raw
	done
	pk-export autofdo -q --object vmlinux -o kernel.prof kernel.pk
	peer "llvm-profgen --kernel" "$llvm/llvm-profgen" --kernel --perfdata=kernel.data --binary=vmlinux --output=peer.prof --format=text
	same "sample profile of the kernel" kernel.prof peer.prof
done

# Classes, templates, recursion, several functions with one name, loops that are unrolled, and tail calls.
cat >shop.cc <<'C'
#include <cstdio>
#include <cstdlib>

namespace shop {
class Cart {
public:
	Cart(int seed) : state(seed) {}
	virtual ~Cart() {}
	virtual int rate(int x) { return x % 7; }
	int price(int x) const;
	int sum(int n);

private:
	int state;
};

int Cart::price(int x) const
{
	if (x & 1)
		return x * 3 + state;
	return x > 100 ? x - 1 : x + 1;
}

int Cart::sum(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += price(i) * (i % 3 ? 2 : 1) + rate(i);
	return s;
}

struct Big : Cart {
	using Cart::Cart;
	int rate(int x) override { return x / 3; }
};
}

template <class T> static T pick(T a, T b)
{
	return a < b ? b : a;
}

static int factorial(int n)
{
	return n < 2 ? 1 : n * factorial(n - 1);
}

__attribute__((noinline)) static int loop(const int *p, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++) {
		if (p[i] > 500) s += p[i]; else s ^= p[i];
	}
	return s;
}

__attribute__((noinline)) static int tail(const int *p, int n)
{
	return loop(p, n / 2);
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 1;
	shop::Cart *cart = rounds & 1 ? new shop::Cart(3) : new shop::Big(4);
	int v[64] = {0};
	long total = 0;

	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < 64; i++)
			v[i] = pick(v[i], (i * 7919) % 1000);
		total += r & 3 ? tail(v, 64) : loop(v, 64);
		total += cart->sum(r) + factorial(r % 9);
		if (r % 13 == 12)
			printf("%d\n", r);
	}
	printf("%ld\n", total);
	delete cart;
}
C
# compared NAME COMMAND...: compiles shop.cc, and compares the profiles. The dynamic linker would otherwise run most instructions
compared()
{
	"${@:2}" -g -Wl,-z,now -static-libstdc++ -static-libgcc -o "$1" shop.cc || fail "$1: not compiled"
	compare "$1"
}

# compare NAME: compares the profiles of the program NAME
compare()
{
	local name=$1
	"$record" 61 "./$name" 14 >"$name.pk" 2>log || fail "$name was not recorded"
	pk-export perf.data -q -o "$name.data" "$name.pk"
	peer "$name" "$llvm/llvm-profgen" --perfdata="$name.data" --binary="$name" --output="$name.prof" --format=text
	peer "$name" "$llvm/llvm-profgen" --perfdata="$name.data" --binary="$name" --output="$name.raw" --skip-symbolization
	pk-export profgen -q --object "$name" -o "$name.ours.raw" "$name.pk" || fail "$name: no profile"
	same "unsymbolized profile of $name" "$name.raw" "$name.ours.raw"
	pk-export autofdo -q --object "$name" -o "$name.ours" "$name.pk"
	[ "$(wc -l <"$name.ours")" -gt 50 ] || fail "$name: the profile has only $(wc -l <"$name.ours") lines"
	same "sample profile of $name" "$name.prof" "$name.ours"
}

profiling=-fdebug-info-for-profiling
compared unrolled "$llvm/clang++" -O3 $profiling
compared old "$llvm/clang++" -O2 $profiling -gdwarf-4 -no-pie
compared split "$llvm/clang++" -O2 $profiling -gsplit-dwarf
compared sensitive "$llvm/clang++" -O2 $profiling -mllvm -enable-fs-discriminator=true
compared gcc g++ -O2
# The segments of lld do not start with a page. BOLT adds segments with code.
compared lld "$llvm/clang++" -O2 $profiling -fuse-ld=lld -Wl,--emit-relocs
pk-export bolt -q --object lld -o lld.bolt lld.pk
peer llvm-bolt "$llvm/llvm-bolt" lld -o bolted --pa -p lld.bolt -reorder-blocks=ext-tsp -split-functions -update-debug-sections
compare bolted
exit 0
