/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef UNWIND_INTERPRETED_H
#define UNWIND_INTERPRETED_H

/* Puts frames of an interpreter to their places between the native frames of a sample. If the
 * recorder has not unwound the native stack, the user callchain of the sample consists of these
 * frames and of notes about them (SPEC 9.11). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interpreted_groups.h"
#include "pkstream.h"

struct unwind_interpreted {
	struct interpreted_groups groups;
	bool keep_native;
};

/* Reads the frames from the callchain of a sample. Returns false if it has none. */
bool unwind_interpreted_read(struct unwind_interpreted *interpreted, const struct pk_u64s *chain);
/* Joins the frames with the native frames `ips`, which have marks (interpreted_mark()). `room` is
 * the number of addresses for which `ips` has room. `complete` is true if no native frame is
 * missing. Returns the number of addresses of the joined stack. If frames of the interpreter are
 * missing, sets groups.torn. */
size_t unwind_interpreted_join(struct unwind_interpreted *interpreted, uint64_t *ips, size_t count,
			       size_t room, bool complete);

#endif
