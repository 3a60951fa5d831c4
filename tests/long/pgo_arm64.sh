# SPDX-License-Identifier: BSD-2-Clause
# Branch stacks of arm64 (BRBE) have the same fields as those of other processors. The samples are written by hand: a loop, a call, a
# return. The profiles are equal to those of perf2bolt and llvm-profgen for the same recording as a perf.data file.
. "$PK_TOP/tests/cli/stream.bash"
fail()
{
	echo "$*"
	exit 1
}

versions=()
for v in 19 20 21 22; do
	[ -x /usr/lib/llvm-$v/bin/perf2bolt ] && [ -x /usr/lib/llvm-$v/bin/llvm-profgen ] && [ -x /usr/lib/llvm-$v/bin/clang ] &&
		[ -x /usr/lib/llvm-$v/bin/ld.lld ] && versions+=("$v")
done
[ ${#versions[@]} -gt 0 ] && command -v perf >/dev/null || {
	echo "no perf, or not all of perf2bolt, llvm-profgen, clang and lld (bolt-19, llvm-19, clang-19, lld-19)" >&2
	exit 77
}
llvm=/usr/lib/llvm-${versions[-1]}/bin
cat >arm.c <<'C'
__attribute__((noinline)) int work(int x)
{
	int s = 0;

	for (int i = 0; i < x; i++)
		s = s % 61 == 7 ? s * 7 + i : s ^ i >> 3;
	return s;
}

void _start(void)
{
	work(2000);
	for (;;)
		;
}
C
"$llvm/clang" --target=aarch64-linux-gnu -O2 -g -fdebug-info-for-profiling -nostdlib -static -fuse-ld=lld \
	-Wl,--emit-relocs,--build-id,-z,separate-code -o arm arm.c || fail "arm.c: not compiled"
# The jump back, the call and the return.
mapfile -t branches < <("$llvm/llvm-objdump" -d --no-show-raw-insn arm | sed 's/:/ /' | awk '
	$2 == "b.ne" { jump = "0x" $1 " -> " $3 }
	$2 == "ret" { back = "0x" $1 }
	call { print jump; print call; print back " -> 0x" $1; exit }
	$2 == "bl" { call = "0x" $1 " -> " $3 }')
[ ${#branches[@]} = 3 ] || fail "branches: ${branches[*]}"
read -r offset address < <("$llvm/llvm-readelf" -lW arm | awk '$1 == "LOAD" && / R E / { print $2, $3 }')
{
	header
	feature ARCH 'arch="aarch64"'
	event_of 7 'PERIOD BRANCH_STACK' attr_size=80 branch_sample_type=9
	name 7 cycles
	comm 5 5 arm
	maps_as 5 5 "$address" 0x10000 "$PWD/arm" "$offset"
	for i in 1 2 3; do
		sample_of user 7 5 "${branches[0]%% *}" time=$i period=100
		echo "  branch[0]=${branches[0]} predicted=1 branch[1]=${branches[0]} mispred=1"
		echo "  branch[2]=${branches[1]} predicted=1 branch[3]=${branches[2]}"
	done
} | assemble >arm.pk
pk-export perf.data -q -o arm.data arm.pk || fail "perf.data"
for format in bolt profgen autofdo; do
	pk-export $format -q --object arm -o arm.$format arm.pk || fail "$format"
done
[ "$(wc -l <arm.bolt)" = 5 ] || fail "profile: $(cat arm.bolt)"
for v in "${versions[@]}"; do
	bin=/usr/lib/llvm-$v/bin
	"$bin/perf2bolt" --pa -p arm.bolt -o ours ./arm >log 2>&1 || fail "perf2bolt --pa ($v): $(cat log)"
	"$bin/perf2bolt" -p arm.data -o peer ./arm >log 2>&1 || fail "perf2bolt ($v): $(cat log)"
	[ -s peer ] && diff <(sort ours) <(sort peer) || fail "perf2bolt $v"
	"$bin/llvm-profgen" --perfdata=arm.data --binary=arm --output=peer --skip-symbolization >log 2>&1 || fail "llvm-profgen ($v): $(cat log)"
	diff arm.profgen peer || fail "llvm-profgen $v, not symbolized"
	"$bin/llvm-profgen" --perfdata=arm.data --binary=arm --output=peer --format=text >log 2>&1 || fail "llvm-profgen ($v): $(cat log)"
	diff arm.autofdo peer || fail "llvm-profgen $v"
done
exit 0
