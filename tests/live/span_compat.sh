# SPDX-License-Identifier: BSD-2-Clause
# The system calls of a 32-bit program on a 64-bit kernel have the names of their own table, those of the 64-bit program that starts it
# the other ones.
. "$PK_TOP/tests/live/record.bash"
[ "$(uname -m)" = x86_64 ] || skip "no x86-64"
pk-record -q -e raw_syscalls:sys_enter -o probe.pk -- true 2>err || skip "no tracepoints: $(head -n 1 err)"

# Numbers of i386, which are stat, fstat and writev of x86-64.
cat >small.c <<'C'
static long call(long n, long a, long b, long c)
{
	long result;
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(n), "b"(a), "c"(b), "d"(c) : "memory");
	return result;
}
void _start(void)
{
	for (int i = 0; i < 50; i++) {
		call(20, 0, 0, 0);
		call(4, -1, (long)"text", 4);
		call(5, (long)"/dev/null", 01, 0);
		call(6, 3, 0, 0);
	}
	call(1, 0, 0, 0);
}
C
"${CC:-gcc}" -m32 -nostdlib -static -ffreestanding -fno-pic -no-pie -fno-stack-protector -O1 -o small small.c 2>err ||
	skip "no compiler for 32-bit programs: $(tail -n 1 err)"
./small || skip "32-bit programs do not run here"
pk-record -q -e syscalls -o calls.pk -- sh -c './small; ls /nonexistent; ./small' >/dev/null 2>&1
pk-span -q syscalls calls.pk >spans.pk 2>err || fail "$(cat err)"
pk-script -q --view syscalls spans.pk >lines
sed -nE 's/.* small\/[0-9]+ +(.*[^ ]) += (.*)/\1 = \2/p' lines | sort | uniq -c | sed 's/^ *//' >small.calls
cat >expected <<'END'
100 close(fd: 3) = 0
100 getpid() = PID
100 open(filename: ADDRESS, flags: WRONLY) = 3
100 write(fd: -1, buf: ADDRESS, count: 4) = -1 EBADF (Bad file descriptor)
2 exit() = ?
END
sed -E 's/(filename|buf): 0x[0-9a-f]+/\1: ADDRESS/; s/getpid\(\) = [0-9]+/getpid() = PID/' small.calls |
	awk '{ n = $1; sub(/^[0-9]+ /, ""); count[$0] += n } END { for (line in count) print count[line], line }' | grep -v execve | sort >found
diff expected found >difference || fail "other calls of the 32-bit program: $(cat difference)"
at_least "$(grep -c ' ls/[0-9]* *mmap(' lines)" 5 "mmap calls of ls"
at_least "$(grep -c ' sh/[0-9]* *wait4(' lines)" 2 "wait4 calls of sh"
exit 0
