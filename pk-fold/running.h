/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_RUNNING_H
#define PK_FOLD_RUNNING_H

#include "session.h"

/*
 * How many threads run beside each other, by context switches: of each process, or, where only some
 * tasks were recorded (a command and its children), of all of them. All zero: none is known to.
 */
struct running {
	struct pk_table threads; /* by tid: struct runner */
	struct pk_table counts;	 /* by pid: uint32_t */
	uint32_t all;		 /* threads that run */
	bool told;		 /* a switch has been seen */
	bool tasks;		 /* one of a recording of tasks */
};

/* Takes in SWITCH, SWITCH_CPU_WIDE, EXIT and SAMPLE; others are ignored. False: out of memory. */
bool running_record(struct running *running, const struct pk_record *record);
/* Those that a sample of the process is divided by. At least 1. */
uint32_t running_threads(const struct running *running, uint32_t pid);
void running_forget(struct running *running);

#endif
