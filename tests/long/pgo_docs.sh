# SPDX-License-Identifier: BSD-2-Clause
# timeout: 900
# All commands of docs/pgo.md, and those of docs/cookbook.md for compilers, in their order. The branches are recorded by single steps. The
# optimized programs print the same as the program.
[ "$(uname -m)" = x86_64 ] || {
	echo "branches are recorded by single steps, which needs x86-64" >&2
	exit 77
}
llvm=
for v in 21 22; do
	[ -x /usr/lib/llvm-$v/bin/perf2bolt ] && [ -x /usr/lib/llvm-$v/bin/llvm-profgen ] && [ -x /usr/lib/llvm-$v/bin/clang ] &&
		llvm=/usr/lib/llvm-$v/bin
done
[ -n "$llvm" ] || {
	echo "not all of perf2bolt, llvm-profgen and clang (bolt-22, llvm-22, clang-22)" >&2
	exit 77
}
lacking=
for program in gcc-11 create_gcov; do
	command -v $program >/dev/null || lacking=$program
done

# A recording needs only a few rounds of the program.
cat >app.c <<'C'
#include <stdio.h>
#include <stdlib.h>

static int rare(int x)
{
	return x * 7 + 1;
}

__attribute__((noinline)) int work(int x)
{
	if (x % 61 == 7)
		return rare(x);
	return x % 5 == 1 ? x - 1 : x ^ x >> 3;
}

int main(void)
{
	const char *text = getenv("ROUNDS");
	const int rounds = text ? atoi(text) : 20000000;
	unsigned int sum = 0;

	for (int i = 0; i < rounds; i++)
		sum += (unsigned int)work(i);
	printf("%u\n", sum);
	return 0;
}
C
# A program whose code becomes that of a kernel, and the same code at the addresses of a kernel
cat >kernel.c <<'C'
__attribute__((noinline)) static int work(int x)
{
	return x % 5 == 1 ? x - 1 : x ^ x >> 3;
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
"$llvm/clang" -O2 -g -fdebug-info-for-profiling -mcmodel=kernel -fno-pic -c kernel.c || exit 1
ld -static --build-id=none --defsym=_text=0x1001000 -z separate-code -Ttext-segment=0x1000000 -o program kernel.o
ld -static --build-id=none --defsym=_text=0xffffffff81001000 -z separate-code -Ttext-segment=0xffffffff81000000 -o vmlinux kernel.o

mkdir bin
cat >bin/pk-record <<C
#!/bin/sh
case \$* in
"-b -a -o kernel.pk "*) exec "$PK_BUILD/tests/live/record_branches" -k 0xffffffff9e000000 61 ./program >kernel.pk ;;
"-b -o app.pk -- ./app") ROUNDS=2000 exec "$PK_BUILD/tests/live/record_branches" 61 ./app >app.pk ;;
-b*) exit 3 ;;
*) exec "$PK_BIN/pk-record" "\$@" ;;
esac
C
chmod +x bin/pk-record
PATH=$PWD/bin:$llvm:$PATH

failed=0 tried=0
complain()
{
	echo "$*"
	failed=1
}

while read -r line; do
	case $line in
	*gcc-11* | *create_gcov* | *" perf.data "*)
		[ -z "$lacking" ] || {
			echo "left out: no $lacking: $line"
			continue
		}
		;;
	esac
	tried=$((tried + 1))
	bash -c "set -o pipefail; $line" </dev/null >out 2>err || {
		complain "$line: status $?: $(head -n 5 err)"
	}
	case $line in
	./app.fast)
		./app | cmp - out || complain "$line"
		rm app.fast
		;;
	"pk-record -b -o app.pk"*) cp app.pk host1.pk && cp app.pk host2.pk ;;
	*" -o profiles") [ "$(find profiles -name '*.bolt' | wc -l)" -ge 3 ] || complain "$line: $(ls profiles)" ;;
	*fdata*) grep -q work app.fdata || complain "$line: $(cat app.fdata)" ;;
	*--kernel*) grep -q work kernel.prof || complain "$line: no function work" ;;
	esac
done < <(
	sed -n 's/^    //p' "$PK_TOP/docs/pgo.md"
	sed -n '/^## For the compiler/,$ s/^    //p' "$PK_TOP/docs/cookbook.md"
)
echo "$tried lines tried"
[ $failed = 0 ] && [ $tried -ge 25 ]
