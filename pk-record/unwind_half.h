/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_HALF_H
#define PK_RECORD_UNWIND_HALF_H

/* User halves of samples, which the BPF program of --call-graph unwind writes into the ring of the
 * sample, before it. A sample of another event can come between the two, and its half. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/unwind_shapes.h"
#include "python_frames.h"
#include "table.h"
#include "unwind_rule.h"

#define UNWIND_HALVES_MAX 4

/* The halves of a ring whose samples have not been read yet. */
struct unwind_halves {
	struct unwind_half items[UNWIND_HALVES_MAX];
	size_t count;
};

/* How to join the halves of all rings, and counts. */
struct unwind_joins {
	struct pk_table halves;	       /* by id: events with halves; the value is 1 */
	struct pk_table samples;       /* by id: events whose samples have a half */
	uint64_t stacks;	       /* samples with a half that has addresses */
	uint64_t ends[PK_UNWIND_ENDS]; /* these, by their end */
	uint64_t by_frame;	       /* these, of UNWIND_BY_FRAME */
	uint64_t missing;	       /* samples without a half */
	uint64_t no_room; /* samples that have no room for all addresses of their half */
	/* Replaces the dump of a half by addresses. */
	void (*unwind)(void *arg, struct unwind_half *half);
	/* The address of a frame of an interpreter (python_is_word) in a user stack, whose
	 * definitions it writes. 0: the frame is one of the interpreter's own code. */
	uint64_t (*interpreted)(void *arg, const struct python_use *use, uint64_t word);
	void *arg;
	uint64_t torn; /* stacks of UNWIND_PYTHON_TORN */
	struct unwind_pids {
		uint32_t *items;
		size_t count, capacity;
	} ended; /* processes, by records in the rings */
};

/* The place for the next half, which is added. If there is no more room, the oldest one is dropped.
 */
struct unwind_half *unwind_halves_add(struct unwind_halves *halves);
/* Removes the half of a sample, and those after it. The result is valid until the next call.
 * Returns NULL if there is none. */
struct unwind_half *unwind_halves_take(struct unwind_halves *halves, uint64_t ip, uint32_t tid);

/* Whether the half has what it says. size is that of its data. */
bool unwind_half_is_valid(const struct unwind_half *half, size_t size);
/* Makes addresses from the dump of a half, if it has one, and counts it. half NULL: none. Returns
 * the flags of the callchain, PK_CHAIN_*. */
uint32_t unwind_joins_note(struct unwind_joins *joins, struct unwind_half *half);
/* Counts a user stack that ends like this (`end` of its half). Returns the flags of the callchain.
 */
uint32_t unwind_joins_count(struct unwind_joins *joins, uint32_t end);
/* How many values of the user part of a callchain fit into its sample, which has room for so many:
 * a marker and the addresses of the half. Counts the sample and adds a flag if these are not all.
 */
size_t unwind_joins_limit(struct unwind_joins *joins, const struct unwind_half *half, size_t room,
			  uint32_t *flags);
/* Whether a half without a dump has frames of interpreters. */
bool unwind_half_is_interpreted(const struct unwind_half *half);
/* The address of an address or a word of a user stack. 0: the frame is one of the interpreter's own
 * code. */
uint64_t unwind_joins_address(const struct unwind_joins *joins, const struct python_use *use,
			      uint64_t word);
/* Replaces all words of a half by addresses, and removes frames of the interpreter's own code. */
void unwind_joins_name(const struct unwind_joins *joins, const struct python_use *use,
		       struct unwind_half *half);
/* Adds a process, unless it was added last. */
void unwind_pids_add(struct unwind_pids *pids, uint32_t pid);

#endif
