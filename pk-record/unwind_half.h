/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_UNWIND_HALF_H
#define PK_RECORD_UNWIND_HALF_H

/* The user halves of samples. A half is the user part of a sample's stack, as struct unwind_half.
 * The BPF programs of --call-graph unwind write it into the ring of the sample, before the sample.
 * Between the half and its sample, there can be a sample of another event with its half. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bpf/unwind_shapes.h"
#include "interpreted_frames.h"
#include "table.h"
#include "unwind_rule.h"

#define UNWIND_HALVES_MAX 4

/* The halves of a ring that were read, and whose samples were not read yet. */
struct unwind_halves {
	struct unwind_half items[UNWIND_HALVES_MAX];
	size_t count;
};

/* How the halves of all rings are joined with their samples, and counts of the results. */
struct unwind_joins {
	/* Ids of the bpf-output events, whose samples are halves; the value is 1. */
	struct pk_table halves;
	struct pk_table samples; /* ids of the events whose samples have a half; the value is the
				  * index of the event plus 1 */
	uint64_t stacks;	 /* number of user stacks that have addresses */
	uint64_t ends[PK_UNWIND_ENDS]; /* numbers of these stacks, by their end (enum pk_unwind_end)
					*/
	uint64_t by_frame; /* number of these stacks in which a caller was found by the frame
			    * pointer */
	uint64_t missing;  /* number of samples whose half is missing */
	uint64_t no_room;  /* number of samples that have no room for all addresses of their half */
	/* Unwinds the dump of a half, and replaces it by the addresses. */
	void (*unwind)(void *arg, struct unwind_half *half);
	/* Returns the address that stands for a word, which is a frame of an interpreter
	 * (interpreted_is_word()). Writes the definitions of the address. Returns 0 if the frame is
	 * code of the interpreter itself. */
	uint64_t (*interpreted)(void *arg, const struct interpreted_use *use, uint64_t word);
	void *arg;
	uint32_t frames;  /* maximum number of frames of a user stack */
	bool keep_native; /* keep the native frames that frames of interpreters would replace */
	uint64_t torn;	  /* number of stacks with UNWIND_TORN, which lack frames of interpreters */
	struct unwind_pids {
		uint32_t *items;
		size_t count, capacity;
	} ended; /* pids of processes that have ended, according to EXIT records in the rings */
};

/* Adds a half, and returns its address. The caller must fill the half. If there is no more room,
 * drops the oldest half. */
struct unwind_half *unwind_halves_add(struct unwind_halves *halves);
/* Finds the newest half that belongs to a sample with this ip and tid. Removes it, and all newer
 * halves. The result is valid until the next call of unwind_halves_add(). Returns NULL if there is
 * no such half. */
struct unwind_half *unwind_halves_take(struct unwind_halves *halves, uint64_t ip, uint32_t tid);

/* Returns true if the half is complete: it has as many addresses or bytes of stack as its `count`.
 * `size` is the size of its data in bytes. */
bool unwind_half_is_valid(const struct unwind_half *half, size_t size);
/* If the half has a dump, unwinds it. Then counts the half. `half` is NULL if the sample has no
 * half. Returns the flags of the sample's callchain, PK_CHAIN_*. */
uint32_t unwind_joins_note(struct unwind_joins *joins, struct unwind_half *half);
/* Counts a user stack. `end` is unwind_half.end, which tells how the stack ends. Returns the flags
 * of the callchain, PK_CHAIN_*. */
uint32_t unwind_joins_count(struct unwind_joins *joins, uint32_t end);
/* Returns how many values of the user part of a callchain fit into a sample. The values are a
 * marker and the addresses of the half. `room` is the number of values for which the sample has
 * room. If not all values fit, counts the sample in no_room, and adds a flag to *flags. */
size_t unwind_joins_limit(struct unwind_joins *joins, const struct unwind_half *half, size_t room,
			  uint32_t *flags);
/* Returns true if the half has frames of an interpreter or marks. Returns false if it has a dump.
 */
bool unwind_half_is_interpreted(const struct unwind_half *half);
/* Puts the frames of an interpreter to their places in a user stack, and replaces their words by
 * addresses (see interpreted_shapes.h). `addresses` are the uint64_t of a half or a block, which
 * need not be aligned, and *end is their unwind_half.end. Returns the new number of addresses,
 * which is not larger than `count`. */
size_t unwind_joins_name(const struct unwind_joins *joins, const struct interpreted_use *use,
			 void *addresses, size_t count, uint32_t *end);
/* Adds a process. Does nothing if it is the process that was added last. */
void unwind_pids_add(struct unwind_pids *pids, uint32_t pid);

#endif
