/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_JIT_FOLLOW_H
#define PK_JIT_FOLLOW_H

/* Takes what jitdumps tell of into the address spaces of their processes, as time goes by. */

#include "session.h"
#include "symbols.h"

struct jit_follow {
	struct pk_table dumps; /* by pid: struct jit_dump */
	/* Called for code that was moved. May be NULL. */
	void (*moved)(void *arg, const struct pk_code_map *code);
	void *arg;
};

/* The jitdump of a process, from a record that maps one; ignored if it is known already. */
enum pk_status jit_follow_add(struct jit_follow *follow, struct pk_symbols *symbols, uint32_t pid,
			      const char *path);
/* Before a sample of that process and time is looked at; PK_NO_TIME: all that is known. */
enum pk_status jit_follow_to(struct jit_follow *follow, struct pk_session *session, uint32_t pid,
			     uint64_t time);
/* Forgets all of them. */
void jit_follow_clear(struct jit_follow *follow);

#endif
