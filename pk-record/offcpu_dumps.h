/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OFFCPU_DUMPS_H
#define PK_RECORD_OFFCPU_DUMPS_H

/* Joins blocks and stack dumps, for --off-cpu together with --call-graph unwind. If the unwind
 * tables of a program were not loaded yet, the user stack of its block comes as a dump. The dump is
 * written when the thread stops, possibly to the ring of another CPU. The block is written when the
 * thread continues. */

#include <stdint.h>

#include "bpf/offcpu_block.h"
#include "buffer.h"
#include "pkstream.h"
#include "table.h"
#include "unwind_half.h"

/* Maximum number of dumps whose block has not come yet. If there are more, all dumps are dropped.
 */
#define OFFCPU_DUMPS_MAX 4096u

/* Dumps that wait for their blocks, and blocks that wait for their dumps. */
struct offcpu_dumps {
	struct pk_table starts; /* maps the thread and the start of its block to the addresses that
				 * were unwound from its dump */
	struct buffer waiting; /* Blocks whose dumps may still be unread. They are joined with their
				  dumps after the rings were read once more. */
	struct buffer joined;  /* the result of the last offcpu_dumps_join(): a block with its user
				* stack */
};

/* Unwinds a stack dump, and keeps its addresses until its block comes. `data` is a struct
 * unwind_half that has a dump. It may be unaligned, and padding may follow it. Returns PK_CORRUPT
 * if the dump is invalid, and PK_NOMEM if memory is exhausted. */
enum pk_status offcpu_dumps_add(struct offcpu_dumps *dumps, struct unwind_joins *joins,
				const uint8_t *data, size_t size);
/* Keeps a block until offcpu_dumps_each() is called. `size` is the size of the block in bytes.
 * `time` and `cpu` are those of the record that contained the block. */
enum pk_status offcpu_dumps_wait(struct offcpu_dumps *dumps, const uint8_t *block, size_t size,
				 uint64_t time, uint32_t cpu);
/* Adds the addresses of the dump to a block, which must be valid. Returns the block with its user
 * stack. The result is valid until the next call. If there is no dump for the block, the result has
 * no user stack. Returns NULL if memory is exhausted. */
const struct offcpu_block *offcpu_dumps_join(struct offcpu_dumps *dumps,
					     const struct offcpu_block *block, size_t *size);
/* Calls `each` for the blocks in the first `before` bytes of `waiting`, and removes these blocks.
 */
void offcpu_dumps_each(struct offcpu_dumps *dumps, size_t before,
		       void (*each)(void *arg, const struct offcpu_block *block, size_t size,
				    uint64_t time, uint32_t cpu),
		       void *arg);
void offcpu_dumps_free(struct offcpu_dumps *dumps);

#endif
