// SPDX-License-Identifier: BSD-2-Clause
/* on_terminal COMMAND... runs a command whose stdin, stdout and stderr are a new terminal, and
 * copies the output of the terminal to stdout. The terminal adds no carriage returns. There is no
 * input. The exit status is that of the command, 128 + N after signal N, or 77 if no terminal can
 * be created. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int make_terminal(int *other_end)
{
	const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios modes;
	const char *name;

	if (terminal < 0 || grantpt(terminal) || unlockpt(terminal))
		err(77, "no terminal can be made: /dev/ptmx");
	name = ptsname(terminal);
	*other_end = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
	if (*other_end < 0 || tcgetattr(*other_end, &modes))
		err(77, "no terminal can be made: %s", name ? name : "ptsname");
	modes.c_oflag &= ~(tcflag_t)ONLCR;
	if (tcsetattr(*other_end, TCSANOW, &modes))
		err(77, "no terminal can be made: tcsetattr");
	return terminal;
}

static void run(int end, char **command)
{
	setsid();
	if (ioctl(end, TIOCSCTTY, 0))
		err(77, "no terminal can be made: TIOCSCTTY");
	for (int fd = 0; fd < 3; fd++)
		dup2(end, fd);
	execvp(command[0], command);
	err(127, "%s", command[0]);
}

int main(int argc, char **argv)
{
	char text[4096];
	int terminal, end, status;
	ssize_t size;
	pid_t child;

	if (argc < 2)
		errx(2, "usage: on_terminal COMMAND...");
	terminal = make_terminal(&end);
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child)
		run(end, argv + 1);
	close(end);
	/* read() fails with EIO after all programs have closed the other end of the terminal. */
	while ((size = read(terminal, text, sizeof(text))) > 0 || (size < 0 && errno == EINTR))
		fwrite(text, 1, (size_t)(size > 0 ? size : 0), stdout);
	if (waitpid(child, &status, 0) < 0)
		err(1, "waitpid");
	if (fflush(stdout))
		err(1, "stdout");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
