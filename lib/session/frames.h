/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FRAMES_H
#define PK_FRAMES_H

/* Converts addresses to frames of the dictionary. Two caches make this fast. The first cache
 * contains addresses of recent callchains. The second cache contains ranges of code
 * (code_ranges.h), so that a function is resolved only once, and not for each of its addresses. */

#include "code_ranges.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "session.h"

/* An entry of the cache from addresses to frames. Most addresses of a new callchain were also in
 * recent callchains. */
struct pk_recent {
	uint64_t ip;
	uint64_t maps; /* the maps in which ip was looked up: pk_chain_maps(), or the serial of the
			* kernel's maps */
	uint32_t context;	     /* the result of pk_context_of() */
	struct pk_code_range frames; /* the entry is free if count is 0 */
};

#define PK_RECENT_SHIFT 15 /* log2 of the number of entries, which need 1 MiB */

/* The caller sets the members from dictionary to calls. All other members must be zero at first. */
struct pk_frames {
	struct pk_dictionary *dictionary;
	pk_resolve_fn resolve;
	void *arg;
	bool addresses; /* there is a frame for each address of a function, and not one frame for
			 * the whole function */
	bool calls;	/* PK_FRAMES_OF_CALLS; only used if addresses is set */
	struct pk_recent *recent; /* 1 << PK_RECENT_SHIFT entries; NULL if it does not exist yet or
				   * memory is exhausted */
	struct pk_code_ranges ranges;
	uint32_t *ids; /* the frames of ranges that have several frames, one range after another */
	size_t ids_room, ids_count;
	uint32_t *dsos; /* by pk_image.index: the id of the image's DSO; 0 if the DSO is not in the
			 * dictionary yet */
	size_t dsos_capacity;
	uint32_t *comms; /* by pk_thread.comm: the id of the frame for this name; 0 if it is not in
			  * the dictionary yet */
	size_t comms_capacity;
	bool failed;	     /* memory was exhausted while a frame was added */
	bool stale;	     /* The caches must be cleared before the next sample, because of
			      * pk_resolved.appeared. */
	uint64_t generation; /* The number of times that the caches were cleared. The indexes of
			      * frames in `ids` change when the caches are cleared. */
};

/* The frames of an address, and whether they may be cached. */
struct pk_found_frame {
	struct pk_code_range frames; /* the frames of the address, without `first` and `last`; if
				      * its count is 0, memory is exhausted */
	bool retry; /* pk_resolved.retry: neither the frames nor their callchain may be cached */
	bool local; /* pk_resolved.local: the frames may be cached only for these maps */
};

/* An address, and the other values that determine its frames. */
struct pk_frame_key {
	uint64_t ip;
	uint64_t maps;	  /* the serial of the maps in which ip is looked up */
	uint32_t context; /* the result of pk_context_of() */
};

/* Returns a number for the context in which an address is looked up: its mode, and whether it is a
 * return address. */
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

/* Finds the frames of an address that is not in the cache of recent addresses, and adds them to
 * this cache. */
struct pk_found_frame pk_frames_locate(struct pk_frames *frames, const struct pk_session *session,
				       const struct pk_thread *thread,
				       const struct pk_frame_key *key);
/* Finds the frames of an address. */
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

/* Returns the ids of the frames, starting with the innermost one. They are valid until the next
 * pk_frames_find(). */
static inline const uint32_t *pk_frames_ids(const struct pk_frames *frames,
					    const struct pk_code_range *range)
{
	return pk_likely(range->count == 1) ? &range->frames : frames->ids + range->frames;
}

/* Returns the frame for the name of a thread, or 0 if memory is exhausted. */
uint32_t pk_frames_comm(struct pk_frames *frames, const struct pk_session *session, uint32_t comm);
/* Returns the frame that marks missing callers, or 0 if memory is exhausted. */
uint32_t pk_frames_truncated(struct pk_dictionary *dictionary);
/* Clears the two caches of locations. */
void pk_frames_forget_locations(struct pk_frames *frames);
/* Clears the two caches of locations, and everything that belongs to the session or to the
 * dictionary. Frees all memory. */
void pk_frames_forget(struct pk_frames *frames);

#endif
