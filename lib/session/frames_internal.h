/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FRAMES_INTERNAL_H
#define FRAMES_INTERNAL_H

#include "session_internal.h"
#include "vector.h"

struct pk_known_frame {
	const struct pk_image *image;
	uint64_t address;
	uint32_t flags;
	uint32_t first; /* of its frames, in ->ids */
	uint16_t count;
	bool called, unresolved, interrupts;
};

/* Which frames of the dictionary stand for which location, so that each is resolved once. */
struct pk_frames {
	struct pk_dictionary *dictionary;
	pk_resolve_fn resolve;
	void *arg;
	struct pk_known_frame *known;
	size_t known_count, known_capacity;
	struct pk_table numbers; /* of known + 1, by hash */
	uint32_t *ids;		 /* of the frames of all known */
	size_t ids_room, ids_count;
	uint32_t *dsos; /* by image index; 0 not yet in the dictionary */
	uint32_t dsos_capacity;
	uint32_t *comms; /* frames, by comm */
	uint32_t comms_capacity;
	bool failed; /* memory was exhausted while a frame was made */
};

struct pk_found_frame {
	const uint32_t *ids; /* the innermost first; until the next call */
	uint16_t count;	     /* 0: out of memory */
	bool unresolved;
	bool retry; /* may be resolved later: what it is part of is not to be remembered */
	bool interrupts;
};

struct pk_found_frame pk_frames_find(struct pk_frames *frames, const struct pk_location *location);
/* The frame that stands for a comm. 0: out of memory. */
uint32_t pk_frames_comm(struct pk_frames *frames, const struct pk_session *session, uint32_t comm);
void pk_frames_forget(struct pk_frames *frames);

#endif
