# SPDX-License-Identifier: BSD-2-Clause
# timeout: 900
# From exact branches to an optimized program: pk-export bolt, perf2bolt and llvm-bolt; pk-export profgen, llvm-profgen and clang. The
# profiles and the programs are equal to those that perf2bolt and llvm-profgen make of the same recording as a perf.data file.
[ "$(uname -m)" = x86_64 ] || {
	echo "branches are recorded by single steps, which needs x86-64" >&2
	exit 77
}
llvm=
for v in 22 21 20 19 18 17 16; do
	[ -x /usr/lib/llvm-$v/bin/perf2bolt ] && [ -x /usr/lib/llvm-$v/bin/llvm-profgen ] && [ -x /usr/lib/llvm-$v/bin/clang ] &&
		[ -x /usr/lib/llvm-$v/bin/ld.lld ] && llvm=/usr/lib/llvm-$v/bin && break
done
[ -n "$llvm" ] && command -v perf >/dev/null || {
	echo "no perf, or not all of perf2bolt, llvm-profgen, clang and lld (bolt-19, llvm-19, clang-19, lld-19)" >&2
	exit 77
}
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

echo "== BOLT"
"$llvm/clang" -O2 -g -Wl,--emit-relocs -o app app.c || fail "not compiled"
recorded app
mkdir ours peer
pk-export bolt -q --object app -o app.bolt app.pk || fail "no profile"
"$llvm/perf2bolt" --pa -p app.bolt -o ours/app.fdata ./app >log 2>&1 || fail "perf2bolt --pa: $(cat log)"
"$llvm/perf2bolt" -p app.data -o peer/app.fdata ./app >log 2>&1 || fail "perf2bolt: $(cat log)"
sort -o ours/sorted ours/app.fdata
sort -o peer/sorted peer/app.fdata
grep -c ' work ' ours/sorted | awk '$1 >= 4 { print "branches of work: some" }'
diff ours/sorted peer/sorted && echo "the profiles are equal"
for side in ours peer; do
	(cd $side && "$llvm/llvm-bolt" ../app -o app.fast -data=app.fdata -reorder-blocks=ext-tsp -reorder-functions=hfsort -split-functions \
		>log 2>&1) || fail "llvm-bolt: $(cat $side/log)"
	objdump -d --no-show-raw-insn $side/app.fast | grep -v 'file format' >$side/code
done
cmp ours/code peer/code && echo "the code is equal"
objdump -d --no-show-raw-insn app | grep -v 'file format' | cmp -s - ours/code || echo "the code differs from that of app"
[ "$(ours/app.fast 12345)" = "$(./app 12345)" ] && echo "the optimized program prints the same"

mkdir folder other
pk-export bolt -q -o folder app.pk
cmp folder/app.*.bolt app.bolt && ls folder | sed 's/\..*//' | sort | grep -c -x 'app\|ld-linux-x86-64\|libc'
"$llvm/clang" -O1 -o other/app app.c
pk-export bolt --object other/app app.pk 2>&1 | sed 's/[0-9a-f]\{40\}/ID/g'
strip -o other/app app
pk-export bolt -q --traces --object other/app app.pk | cmp - <(pk-export bolt -q --traces --object app app.pk) &&
	echo "--traces needs no symbols"

echo "== clang"
"$llvm/clang" -O2 -g -fdebug-info-for-profiling -Wl,-z,now -o app app.c || fail "not compiled"
recorded app
pk-export profgen -q --object app -o app.raw app.pk || fail "no profile"
"$llvm/llvm-profgen" --perfdata=app.data --binary=app --output=peer.raw --skip-symbolization 2>log || fail "llvm-profgen: $(cat log)"
cmp app.raw peer.raw && echo "the unsymbolized profiles are equal"
"$llvm/llvm-profgen" --unsymbolized-profile=app.raw --binary=app --output=ours.prof 2>log || fail "llvm-profgen: $(cat log)"
"$llvm/llvm-profgen" --perfdata=app.data --binary=app --output=peer.prof 2>log || fail "llvm-profgen: $(cat log)"
for side in ours peer; do
	"$llvm/clang" -O2 -g -fdebug-info-for-profiling -fprofile-sample-use=$side.prof -Rpass=inline -c -o $side.o app.c 2>$side.inlined ||
		fail "not compiled with the profile"
done
grep -o "'[a-z]*' inlined into '[a-z]*'" ours.inlined | sort -u
diff ours.inlined peer.inlined && cmp ours.o peer.o && echo "the objects are equal"
"$llvm/clang" -o app.fast ours.o && [ "$(./app.fast 12345)" = "$(./app 12345)" ] && echo "the optimized program prints the same"

echo "== clang, without llvm-profgen"
pk-export autofdo -q --object app -o ours.prof app.pk || fail "no profile"
"$llvm/llvm-profgen" --perfdata=app.data --binary=app --output=peer.prof --format=text 2>log || fail "llvm-profgen: $(cat log)"
cmp ours.prof peer.prof && echo "the profiles are equal"
"$llvm/llvm-profdata" merge --sample -o merged ours.prof ours.prof || fail "llvm-profdata"
"$llvm/llvm-profdata" show --sample --function=work merged | grep -o 'Function: work: [0-9]*, [0-9]*' >twice
awk -F: '/^work:/ { print "Function: work: " 2 * $2 ", " 2 * $3 }' ours.prof | diff - twice && echo "llvm-profdata reads the profile"
"$llvm/clang" -O2 -g -fdebug-info-for-profiling -fprofile-sample-use=ours.prof -c -o direct.o app.c || fail "not compiled with the profile"
cmp direct.o peer.o && echo "the object is equal"

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
# compared NAME OPTION...: compiles shop.cc, and compares the profiles. The dynamic linker would otherwise run most instructions
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
	"$llvm/llvm-profgen" --perfdata="$name.data" --binary="$name" --output="$name.prof" --format=text 2>log || fail "$(cat log)"
	"$llvm/llvm-profgen" --perfdata="$name.data" --binary="$name" --output="$name.raw" --skip-symbolization 2>log || fail "$(cat log)"
	pk-export profgen -q --object "$name" "$name.pk" | cmp - "$name.raw" || fail "$name: unsymbolized profile"
	pk-export autofdo -q --object "$name" -o "$name.ours" "$name.pk"
	[ "$(wc -l <"$name.ours")" -gt 60 ] && diff "$name.prof" "$name.ours" && echo "$name: equal"
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
"$llvm/llvm-bolt" lld -o bolted --pa -p lld.bolt -reorder-blocks=ext-tsp -split-functions -update-debug-sections >log 2>&1 || fail "$(cat log)"
compare bolted
