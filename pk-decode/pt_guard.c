// SPDX-License-Identifier: BSD-2-Clause
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/time.h>

#include "pt_guard.h"

static sigjmp_buf before_crash;
static volatile sig_atomic_t guarded;
static volatile uint32_t calls; /* number of calls that were guarded, modulo 2^32 */

static void on_crash(int number)
{
	if (guarded) {
		guarded = 0;
		siglongjmp(before_crash, 1);
	}
	signal(number, SIG_DFL);
	raise(number);
}

/* A call that uses a second of processor time never ends. */
static void on_second(int number)
{
	static uint32_t before;
	const bool hangs = guarded && calls == before;

	(void)number;
	before = calls;
	if (!hangs)
		return;
	guarded = 0;
	siglongjmp(before_crash, 1);
}

/* The handlers stay installed. Outside of the library, they do what the system does by default. */
static void catch_crashes(void)
{
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	static char stack[64 << 10]; /* the library can have used all of the other stack */
	const stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
	const struct sigaction action = {.sa_handler = on_crash,
					 .sa_flags = SA_NODEFER | SA_ONSTACK};
	const struct sigaction tick = {.sa_handler = on_second,
				       .sa_flags = SA_NODEFER | SA_ONSTACK | SA_RESTART};
	const struct itimerval second = {{1, 0}, {1, 0}};

	sigaltstack(&other, NULL);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
	sigaction(SIGVTALRM, &tick, NULL);
	setitimer(ITIMER_VIRTUAL, &second, NULL);
}

bool pt_guard(void (*function)(void *arg), void *arg)
{
	static bool catches;

	if (!catches)
		catch_crashes();
	catches = true;
	if (sigsetjmp(before_crash, 0))
		return false;
	calls++;
	guarded = 1;
	function(arg);
	guarded = 0;
	return true;
}
