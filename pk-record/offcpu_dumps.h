/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_DUMPS_H
#define PK_RECORD_OFFCPU_DUMPS_H

/* With --off-cpu and --call-graph unwind, the user stack of a block comes as a dump if the tables
 * of its program were not there yet. The dump comes when the thread stops, maybe through the ring
 * of another CPU, and the block when it continues. */

#include <stdint.h>

#include "bpf/offcpu_block.h"
#include "buffer.h"
#include "pkstream.h"
#include "table.h"
#include "unwind_half.h"

/* Dumps whose block has not come yet. If there are more, all are dropped. */
#define OFFCPU_DUMPS_MAX 4096u

struct offcpu_dumps {
	struct pk_table starts; /* by thread and start of the block: the addresses of a dump */
	struct buffer waiting;	/* blocks: their dumps come with the next read at the latest */
	struct buffer joined;	/* a block with its user stack */
};

/* Keeps the addresses of a dump. data is a struct unwind_half with a dump, which may be unaligned
 * and followed by padding. */
enum pk_status offcpu_dumps_add(struct offcpu_dumps *dumps, struct unwind_joins *joins,
				const uint8_t *data, size_t size);
/* Keeps a block of this size until offcpu_dumps_each(), with the time and the CPU of its record. */
enum pk_status offcpu_dumps_wait(struct offcpu_dumps *dumps, const uint8_t *block, size_t size,
				 uint64_t time, uint32_t cpu);
/* Puts the addresses of the dump into a block, which is valid. Returns the block with its user
 * stack, which is valid until the next call. Without the dump, it has none. Returns NULL if memory
 * is exhausted. */
const struct offcpu_block *offcpu_dumps_join(struct offcpu_dumps *dumps,
					     const struct offcpu_block *block, size_t *size);
/* Calls each for the first `before` bytes of the waiting blocks, and removes these. */
void offcpu_dumps_each(struct offcpu_dumps *dumps, size_t before,
		       void (*each)(void *arg, const struct offcpu_block *block, size_t size,
				    uint64_t time, uint32_t cpu),
		       void *arg);
void offcpu_dumps_free(struct offcpu_dumps *dumps);

#endif
