/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_JIT_FOLLOW_H
#define PK_JIT_FOLLOW_H

/* Adds the code in jitdumps to the address spaces of their processes, in the order of time. */

#include "session.h"
#include "symbols.h"

/* The jitdumps of all processes. */
struct jit_follow {
	struct pk_table dumps; /* the jitdumps of processes; the key is the pid, and the value is a
				* struct jit_dump */
	/* Called for code that the JIT compiler has moved to another address. It may be NULL. */
	void (*moved)(void *arg, const struct pk_code_map *code);
	void *arg;
};

/* Adds the jitdump of a process. Call it when a record shows that the process maps the file.
 * Ignores a jitdump that was already added, and more than 16 jitdumps of one process. */
enum pk_status pk_jit_follow_add(struct jit_follow *follow, struct pk_symbols *symbols,
				 uint32_t pid, const char *path);
/* Adds the code that the process generated until `time`. Call it before a sample of that process
 * and time is evaluated. If time is PK_NO_TIME, adds all code of the jitdumps of the process. */
enum pk_status pk_jit_follow_to(struct jit_follow *follow, struct pk_session *session, uint32_t pid,
				uint64_t time);
/* Removes all jitdumps. */
void pk_jit_follow_clear(struct jit_follow *follow);

#endif
