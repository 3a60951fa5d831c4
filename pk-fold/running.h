/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_RUNNING_H
#define PK_FOLD_RUNNING_H

#include "session.h"

/* How many threads of each process run, by its context switches. All zero: none is known to. */
struct running {
	struct pk_table threads; /* by tid: struct runner */
	struct pk_table counts;	 /* by pid: uint32_t */
	bool told;		 /* a switch has been seen */
};

/* Takes in SWITCH, SWITCH_CPU_WIDE, EXIT and SAMPLE; others are ignored. False: out of memory. */
bool running_record(struct running *running, const struct pk_record *record);
/* At least 1. */
uint32_t running_threads(const struct running *running, uint32_t pid);
void running_forget(struct running *running);

#endif
