# SPDX-License-Identifier: BSD-2-Clause
# --strings: what arguments of system calls point to, from a program whose texts are known, and beside strace.
. "$PK_TOP/tests/live/record.bash"
pk-record -q --strings -o probe.pk -- true 2>err || skip "--strings is not possible here: $(head -n 1 err)"

cat >texts.c <<'C'
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* So that the page of the constants is in the memory of this process. */
static void touch(const char *text)
{
	(void)*(const volatile char *)text;
}

int main(void)
{
	struct sockaddr_in inet = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct sockaddr_un local = {.sun_family = AF_UNIX, .sun_path = "/nonexistent/socket"};
	char name[300];
	char *argv[] = {"true", "one", "two words", NULL};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	touch("a\0b");
	touch("/nonexistent/old");
	touch("/nonexistent/new");

	sendto(fd, "a\0b", 3, 0, (struct sockaddr *)&inet, sizeof(inet));
	connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&local, sizeof(local));
	strcpy(name, "/nonexistent/of 40 bytes, more than cut at");
	open(name, O_RDONLY);
	rename("/nonexistent/old", "/nonexistent/new");
	open((char *)8, O_RDONLY);
	if (!fork()) {
		touch("/nonexistent/child");
		touch("/bin/true");
		mkdir("/nonexistent/child", 0755);
		execv("/bin/true", argv);
		_exit(1);
	}
	wait(NULL);
	return 0;
}
C
"${CC:-gcc}" -O0 -w -o texts texts.c || fail "no program"

# calls FILE: those with a name of the program, or its addresses.
calls()
{
	pk-span -q syscalls "$1" 2>span.err | pk-script -q --format '{trace.call}({trace.args}' | sort
}
has()
{
	grep -qF -- "$1" calls || fail "missing: $1" "$(grep -E '^(open|rename|mkdir|sendto|connect|execve)' calls)"
}
pk-record --strings -o all.pk -- ./texts 2>err || fail "$(cat err)"
check all.pk
calls all.pk >calls
has 'openat(dfd: CWD, filename: "/nonexistent/of 40 bytes, more than cut at"'
has 'rename(oldname: "/nonexistent/old", newname: "/nonexistent/new"'
has 'openat(dfd: CWD, filename: 0x8'
has 'mkdir(pathname: "/nonexistent/child"'
has 'execve(filename: "/bin/true", argv: ["true", "one", "two words"]'
has 'connect(fd: 4, uservaddr: { .family: LOCAL, path: "/nonexistent/socket" }'
has '.family: INET, port: 9, addr: 127.0.0.1 }'
grep -q '^sendto(fd: 3, buff: "a.*b", len: 3' calls || fail "bytes with a NUL: $(grep sendto calls)"
grep -q 'strings of system calls could not be read' err || fail "unreadable memory is not reported: $(cat err)"

# Cut ones are marked, in the text and in a field.
pk-record -v --strings=16 -o cut.pk -- ./texts 2>err || fail "$(cat err)"
calls cut.pk >calls
has 'filename: "/nonexistent/of "...'
has 'oldname: "/nonexistent/old", newname: "/nonexistent/new"'
grep -q 'strings of system calls are cut' err || fail "cut texts are not reported: $(cat err)"

# The same number of calls as without strings.
count()
{
	pk-script -q -F event "$1" | grep -c 'raw_syscalls:sys_enter'
}
pk-record -q -e syscalls -o plain.pk -- ./texts || fail "not recorded"
[ "$(count plain.pk)" = "$(count all.pk)" ] || fail "$(count all.pk) calls with strings, $(count plain.pk) without"

for wrong in --strings=0 --strings=1025 '--strings --overwrite'; do
	pk-record $wrong -- true >out 2>err
	[ $? = 2 ] && [ ! -s out ] || fail "$wrong: not a usage error: $(cat err)"
done

# Nothing is left after SIGKILL.
pk-record -q --strings -o killed.pk -- sleep 100 2>err &
killed 4 $!
