/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FRAMES_H
#define PK_FRAMES_H

/* From addresses to frames of the dictionary. Each of two caches saves work: one by address, for
 * addresses that were in recent callchains, and one by range of code (code_ranges.h), so that a
 * function is resolved once and not for each of its addresses. */

#include "code_ranges.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "session.h"

/* An entry of a cache from addresses to frames. Most addresses of a new callchain were in recent
 * callchains, too. */
struct pk_recent {
	uint64_t ip;
	uint64_t maps;	  /* the maps that ip was looked up in: pk_chain_maps(), or the kernel's */
	uint32_t context; /* pk_context_of() */
	struct pk_code_range frames; /* count 0: the entry is free */
};

#define PK_RECENT_SHIFT 15 /* entries: 1 MiB */

/* The caller sets the first four members. All others are zero in an empty one. */
struct pk_frames {
	struct pk_dictionary *dictionary;
	pk_resolve_fn resolve;
	void *arg;
	bool addresses;		  /* one frame for each address, not for each function */
	bool calls;		  /* PK_FRAMES_OF_CALLS; with addresses */
	struct pk_recent *recent; /* 1 << PK_RECENT_SHIFT; NULL: none yet, or no memory */
	struct pk_code_ranges ranges;
	uint32_t *ids; /* the frames of ranges with several frames, one range after another */
	size_t ids_room, ids_count;
	uint32_t *dsos; /* ids, by pk_image.index; 0: not yet in the dictionary */
	size_t dsos_capacity;
	uint32_t *comms; /* ids of frames, by comm id; 0: not yet in the dictionary */
	size_t comms_capacity;
	bool failed;	     /* memory was exhausted while a frame was added */
	bool stale;	     /* pk_resolved.appeared: clear the caches before the next sample */
	uint64_t generation; /* how often the caches were cleared, and so indexes in ids changed */
};

struct pk_found_frame {
	struct pk_code_range frames; /* first and last are unset. count 0: out of memory */
	bool retry;		     /* pk_resolved.retry: do not cache it, nor its chain */
	bool local;		     /* pk_resolved.local: cache it for these maps only */
};

/* An address, and what its frames depend on. */
struct pk_frame_key {
	uint64_t ip;
	uint64_t maps;	  /* serial of the maps that ip is looked up in */
	uint32_t context; /* pk_context_of() */
};

/* How an address is looked up: its mode, and whether it is a return address. */
static inline uint32_t pk_context_of(uint16_t mode, bool called)
{
	return (uint32_t)mode << 1 | called;
}

static inline uint16_t pk_context_mode_of(uint32_t context)
{
	return (uint16_t)(context >> 1);
}

static inline struct pk_recent *pk_recent_of(const struct pk_frames *frames,
					     const struct pk_frame_key *key)
{
	const uint64_t hash = (key->ip ^ key->maps) * UINT64_C(0x9e3779b97f4a7c15);

	return &frames->recent[hash >> (64 - PK_RECENT_SHIFT)];
}

/* The frames of an address that is not in the cache of recent ones. Adds them to it. */
struct pk_found_frame pk_frames_locate(struct pk_frames *frames, const struct pk_session *session,
				       const struct pk_thread *thread,
				       const struct pk_frame_key *key);
/* The frames of an address. */
static inline struct pk_found_frame pk_frames_find(struct pk_frames *frames,
						   const struct pk_session *session,
						   const struct pk_thread *thread,
						   const struct pk_frame_key *key)
{
	if (pk_likely(frames->recent)) {
		const struct pk_recent *recent = pk_recent_of(frames, key);

		if (pk_likely(recent->ip == key->ip && recent->maps == key->maps &&
			      recent->context == key->context && recent->frames.count))
			return (struct pk_found_frame){.frames = recent->frames};
	}
	return pk_frames_locate(frames, session, thread, key);
}

/* The ids of the frames, innermost first. They are valid until the next pk_frames_find(). */
static inline const uint32_t *pk_frames_ids(const struct pk_frames *frames,
					    const struct pk_code_range *range)
{
	return pk_likely(range->count == 1) ? &range->frames : frames->ids + range->frames;
}

/* The frame of a comm, or 0 if memory is exhausted. */
uint32_t pk_frames_comm(struct pk_frames *frames, const struct pk_session *session, uint32_t comm);
/* The marker frame for missing callers, or 0 if memory is exhausted. */
uint32_t pk_frames_truncated(struct pk_dictionary *dictionary);
/* Clears the two caches. */
void pk_frames_forget_locations(struct pk_frames *frames);
/* Clears also what is of the session and of the dictionary, and frees all memory. */
void pk_frames_forget(struct pk_frames *frames);

#endif
