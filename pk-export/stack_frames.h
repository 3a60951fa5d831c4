/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_STACK_FRAMES_H
#define EXPORT_STACK_FRAMES_H

/* The frames of a stack, without that of the thread's name. */

#include "paths.h"

struct stack_frames {
	uint32_t ids[PK_PATH_DEPTH_MAX]; /* the leaf first */
	size_t count;
	bool cut; /* the stack has more callers */
};

/* Frames that are undefined are left out. allowance: what the frames may cost; NULL: anything. */
void stack_frames_read(struct stack_frames *frames, const struct pk_dictionary *names,
		       struct pk_allowance *allowance, uint32_t stack);

#endif
