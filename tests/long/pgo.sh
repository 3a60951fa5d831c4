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
		llvm=/usr/lib/llvm-$v/bin && break
done
[ -n "$llvm" ] && command -v perf >/dev/null || {
	echo "no perf, or not all of perf2bolt, llvm-profgen and clang (bolt-19, llvm-19, clang-19)" >&2
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
