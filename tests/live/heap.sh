# SPDX-License-Identifier: BSD-2-Clause
# pk-record --heap: allocations by stack, exact and sampled, of threads, forked and executed programs.
without_recording=1
. "$PK_TOP/tests/live/record.bash"

case $(uname -m) in
x86_64 | aarch64) ;;
*) skip "--heap: not supported on this architecture" ;;
esac

# Without sanitizers, whose allocator is not that of other programs.
${CC:-gcc} -O2 -g -fno-builtin -o heap_sites "$PK_TOP/tests/live/workload/heap_sites.c" -lpthread 2>err || fail "$(cat err)"
PATH=$PWD:$PATH

# heap OPTIONS MODE [N]: records heap_sites into heap.pk, its output is in the file out, and its symbolized stream in named.pk.
heap()
{
	local option=$1
	shift
	pk-record -v $option -o heap.pk -- heap_sites "$@" >out 2>err || fail "$option $*: status $?: $(cat err)"
	grep -q 'were not recorded' err && fail "$option $*: allocations are missing: $(cat err)"
	pk-unwind -q heap.pk | pk-symbolize -q >named.pk || fail "$option $*: $(cat err)"
}

# Each allocation, with its size and its place: sums of bytes by the functions of the program and of the library.
heap --heap=1 sites
pk-fold -q --weight period named.pk | sed -n 's/.*;\([a-z]*_site\);\([a-z_]*\) \([0-9]*\)$/\1 \2 \3/p' | sort >found
sort >wanted <<-'EOF'
	plain_site malloc 1000001
	plain_site realloc 3000005
	plain_site reallocarray 4000006
	plain_site calloc 8000024
	aligned_site memalign 1000009
	aligned_site aligned_alloc 1000064
	aligned_site posix_memalign 1000011
	aligned_site valloc 1000013
	aligned_site pvalloc 1000015
EOF
diff wanted found >differ || fail "other allocations than those of the program: $(cat differ)"
pk-span heap named.pk 2>>err | pk-report -q --where 'trace.unfinished == 1' --by trace.size --show samples | awk '/^ *[0-9]/ { print $2 }' >unfreed
grep -qx 8000024 unfreed || fail "the block that stays is not found: $(cat unfreed)"
! grep -qxE '1000001|3000005|4000006|10000[0-9]*' unfreed || fail "released blocks count as allocated: $(cat unfreed)"

# Exact sums and leaks of 20 places, which the sampled sums estimate.
# sums FILE [OPTION...]: SITE WEIGHT
sums()
{
	pk-fold -q "${@:2}" "$1" | awk 'match($0, /site_[0-9]+/) { sum[substr($0, RSTART, RLENGTH)] += $NF } END { for (s in sum) print s, sum[s] }' | sort
}
n=2000
heap '--heap=1 -m 64M' many $n
sums named.pk >exact
for site in {0..19}; do
	echo "site_$site $((n * (16 + site * site * 24)))"
done | sort >wanted
diff wanted exact >differ || fail "sums of bytes differ: $(cat differ)"
pk-span heap -q named.pk | pk-filter -q --where 'trace.unfinished == 1' >unfreed.pk || fail "pk-filter"
paste -d ' ' <(sums unfreed.pk --weight samples) <(sums unfreed.pk --weight bytes) | awk '{ print $1, $2, $4 }' >leaks
for site in {0..9}; do
	echo "site_$site $((n / 100)) $((n / 100 * (16 + site * site * 24)))"
done | sort >wanted
diff wanted leaks >differ || fail "leaks differ: $(cat differ)"

# What is selected at the time of the peak is what was allocated at the peak.
pk-span -q heap named.pk >spans.pk
pk-report -q -e pk:memory --by start --show 'max(level)' --order 'max(level)' --csv spans.pk | sed -n 2p >peak
IFS=, read -r _ level start <peak
pk-fold -q --event pk:memory --weight bytes --where "start <= $start && time > $start" spans.pk |
	awk -v level="$level" '{ sum += $NF } END { exit !(sum > 0 && sum == level) }' ||
	fail "the peak of $level bytes is not what its spans have: $(cat peak)"

# A sum of N samples has a relative standard deviation of about 1 / sqrt(N). 6 of them are not exceeded.
heap '--heap=8k -m 256M' many 40000
sums named.pk >sampled
awk 'NR == FNR { exact[$1] = $2 * 20; next }
	{ n = exact[$1] / 8192; d = ($2 / exact[$1] - 1); if (d < 0) d = -d; if (d > 6 / sqrt(n)) { print $1, $2, exact[$1]; bad = 1 } seen++ }
	END { exit bad || seen < 15 }' exact sampled >differ || fail "sampled sums are not those of the program: $(cat differ)"

# The first samples are as likely as later ones, also if libstdc++ allocates memory before libpkheap.so is ready. 36 samples are expected.
${CC:-gcc} -O2 -g -fno-builtin -o heap_early "$PK_TOP/tests/live/workload/heap_sites.c" -lpthread -Wl,--no-as-needed -lstdc++ 2>err || fail "$(cat err)"
pk-record -q --heap=64k -o heap.pk -- heap_early many 40 >out 2>err || fail "$(cat err)"
samples=$(pk-report -q -e heap:alloc --by none --show samples heap.pk | grep -o '[0-9]*' | head -n 1)
((samples >= 12 && samples <= 72)) || fail "$samples samples in place of 36"

# Threads: each has its stack, and no allocation is missing or counted twice.
heap '--heap=1 -m 64M' threads 64
pk-fold -q named.pk | awk '/descend/ { n = gsub(/descend/, "") ; sum[n] += $NF } END { for (i in sum) { threads++; if (sum[i] != 1499500) print i, sum[i] } exit threads != 64 }' >differ ||
	fail "not 64 depths of stacks"
[ ! -s differ ] || fail "bytes of a thread differ: $(cat differ)"

# Stacks of the program: the library reads no memory after their end, and takes no other stack for them.
heap '--heap=1 -m 64M' contexts 20
pk-fold -q named.pk | awk '/descend/ { sum[/run_here/ ? "own" : "thread"] += $NF } END { print sum["own"], sum["thread"] }' >found
[ "$(cat found)" = '59980000 59980000' ] || fail "stacks of the program: $(cat found)"

# Children that exit without exit(3), and children that execute another program.
heap --heap=1 forks 20
pk-fold -q --by pid named.pk | awk -F';' '/descend/ { n[$1]++ } /plain_site/ { m[$1]++ } END { for (i in n) a++; for (i in m) b++; print a, b }' >found
[ "$(cat found)" = '20 10' ] || fail "not 20 children, 10 of which execute a program: $(cat found)"
! grep -q 'truncated' err || fail "$(cat err)"

# Signals interrupt the library everywhere.
heap --heap=1 signals 300

# The program goes on if the reader of the stream ends, and if pk-record is killed.
pk-record -q --heap=1 -m 256k -o /dev/fd/4 -- heap_sites many 2000 4> >(head -c 10000 >/dev/null) >out 2>err
grep -q '^40000 ' out || fail "the program ended with the reader of the stream: $(cat out err)"
mkfifo dots
pk-record -q --heap=1 -m 256k -o killed.pk -- heap_sites long 1000 >dots 2>err &
recorder=$!
exec 4<dots
read -r -n 3 -u 4 _ || fail "the program does not run: $(cat err)"
kill -KILL $recorder
read -r -n 30 -u 4 dotted || fail "the program ended with pk-record"
[ ${#dotted} = 30 ] || fail "the program ended with pk-record: $dotted"
exec 4<&-

# The program goes on if the disk is full.
pk-record --heap=1 -o /dev/full -- heap_sites many 2000 >out 2>err
[ $? = 1 ] || fail "a full disk: status $?"
grep -q 'No space left on device: the recording is not complete' err || fail "a full disk: $(cat err)"
grep -q '^40000 ' out || fail "the program ended with the disk: $(cat out)"

# Programs of musl.
if command -v musl-gcc >/dev/null; then
	cat >musl.c <<-'EOF'
		#include <stdlib.h>
		#include <sys/wait.h>
		#include <unistd.h>
		static void *volatile kept;
		__attribute__((noinline)) static void in_child(void) { kept = malloc(1000001); }
		__attribute__((noinline)) static void in_parent(void) { kept = malloc(2000002); }
		int main(void)
		{
			in_parent();
			if (!fork()) {
				in_child();
				_exit(0);
			}
			return wait(NULL) < 0;
		}
	EOF
	musl-gcc -O1 -g -fno-builtin -o musl musl.c 2>err || fail "$(cat err)"
	pk-record -q --heap=1 -o heap.pk -- ./musl 2>err || fail "a program of musl: $(cat err)"
	pk-unwind -q heap.pk | pk-symbolize -q | pk-fold -q --by none | grep -oE 'in_[a-z]*;malloc [0-9]*' | sort >found
	printf '%s\n' 'in_child;malloc 1000001' 'in_parent;malloc 2000002' | diff - found >differ || fail "a program of musl: $(cat differ)"
else
	echo "no musl-gcc: programs of musl are not tested" >&2
fi

# What cannot be recorded is said.
echo 'int main(void) { return 0; }' | ${CC:-gcc} -static -x c -o static - 2>err || fail "$(cat err)"
pk-record --heap -o static.pk -- ./static 2>err
grep -q 'no process has loaded libpkheap.so' err || fail "a static program: $(cat err)"
echo 'int main(void) { return 0; }' | ${CC:-gcc} -x c -o setuid - 2>err || fail "$(cat err)"
if [ "$(id -u)" = 0 ] && chown 65534 setuid 2>err && chmod u+s setuid && ./setuid; then
	pk-record --heap -o static.pk -- ./setuid 2>err
	grep -q 'no process has loaded libpkheap.so' err || fail "a program with setuid: $(cat err)"
fi
pk-record --heap -p $$ 2>err
[ $? = 2 ] || fail "--heap -p is accepted"
