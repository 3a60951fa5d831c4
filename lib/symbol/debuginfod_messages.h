/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages between debuginfod.c and debuginfod_helper.c. */
#ifndef PK_DEBUGINFOD_MESSAGES_H
#define PK_DEBUGINFOD_MESSAGES_H

#include <stdint.h>

#include "build_id.h"

struct debuginfod_request {
	struct pk_build_id id;
	uint8_t executable;
};

/* A request has one answer, and any number of messages of progress before it. */
struct debuginfod_answer {
	int64_t done, all; /* progress: bytes */
	int32_t is_progress;
	int32_t error;	      /* answer: an errno, or 0 */
	uint32_t path_length; /* answer: that many bytes follow */
};

#endif
