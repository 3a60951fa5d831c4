// SPDX-License-Identifier: BSD-2-Clause
/* switcher N passes a byte between two processes N times. Each process waits for the byte. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int pass_on(int from, int to, int times)
{
	char byte = 0;

	while (times-- > 0)
		if (read(from, &byte, 1) != 1 || write(to, &byte, 1) != 1)
			return 1;
	return 0;
}

int main(int argc, char **argv)
{
	const int times = argc > 1 ? atoi(argv[1]) : 1;
	int there[2], back[2], status;

	if (pipe(there) || pipe(back))
		return 1;
	if (fork() == 0)
		_exit(pass_on(there[0], back[1], times));
	if (write(there[1], "", 1) != 1 || pass_on(back[0], there[1], times))
		return 1;
	return wait(&status) < 0 || status;
}
