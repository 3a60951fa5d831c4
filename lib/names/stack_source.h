/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STACK_SOURCE_H
#define PK_STACK_SOURCE_H

/*
 * The stacks of the samples of a stream: its dictionary, and for each sample the index of its stack
 * there. They come from one of three places:
 * - of the stream: it is symbolized, and samples have ids of stacks that it defines;
 * - made: it is not symbolized, and stacks are made from callchains, tasks and maps;
 * - exact: the stream defines the stacks, but has one frame for each function; they are copied,
 * with a frame for each address of the callchain.
 */

#include "code_objects.h"
#include "session.h"
#include "stack_walk.h"
#include "stacks.h"

struct address_stacks;
struct pk_cut_stacks;
struct resolver;

/* What a program needs of stacks. */
struct pk_stack_request {
	bool definitions; /* strings, frames and stacks that the stream defines */
	bool made;	  /* stacks also of a stream that is not symbolized */
	bool exact;	  /* includes `made` and `callers`: each address has its own frame */
	bool callers;	  /* else stacks that are made have only the comm and the frames of the
			   * innermost address */
	bool lines;	  /* source lines of frames that are made */
	bool calls;	  /* addresses of callers are in their calls: PK_FRAMES_OF_CALLS */
	/* For stacks that are made. They have no functions if code.symbols is NULL. */
	struct pk_code_options code;
};

/* Samples whose stack is missing, in all sessions. */
struct pk_missing_stacks {
	uint64_t without;   /* of a symbolized stream, without a stack */
	uint64_t undefined; /* whose stack is undefined, or could not be made */
};

/* Gets losses, as pk_stage_lose(). total 0: unknown. */
typedef void pk_lose_fn(void *arg, enum pk_loss_cause cause, uint64_t count, uint64_t total);

/* All members are private; the functions below read them. */
struct pk_stack_source {
	struct pk_stack_request request;
	struct pk_dictionary *dictionary;
	struct pk_dictionary *stream; /* the definitions of the stream; usually the dictionary */
	struct pk_id_range defined;   /* ids of the stacks in the dictionary */
	bool symbolized, made, exact, look_up;
	bool full; /* pk_source_is_full() */
	struct pk_missing_stacks missing;
	uint64_t addresses; /* calls that made a stack of addresses, or tried to */
	struct pk_stacks *stacks;
	struct resolver *resolver;	       /* for these stacks; NULL: none */
	struct pk_cut_stacks *cut;	       /* with the resolver */
	struct address_stacks *address_stacks; /* NULL: not exact */
	struct pk_stacks_count counted;	       /* of earlier sessions */
	/* By index of the stack, the id of the frame with the name of its thread, or 0 if there is
	 * none. */
	uint32_t *tasks;
	size_t tasks_count, tasks_capacity;
	uint64_t bad; /* samples whose stack could not be read */
};

/* code and what it refers to must outlive the source, which is all zero before. The source must be
 * freed in any case. */
PK_MUST_CHECK enum pk_status pk_source_init(struct pk_stack_source *source,
					    const struct pk_stack_request *request);
void pk_source_free(struct pk_stack_source *source);

/* ---- Records ---- */

/* Starts a session. With look_up, the functions of its stacks, if these are made, are looked up in
 * files of this machine. */
void pk_source_start(struct pk_stack_source *source, struct pk_session *session, bool look_up);
/* The content of a SESSION record. */
void pk_source_describe(struct pk_stack_source *source, const struct pk_session_info *info);
/* Reads a definition of that kind (pk_definition_of). Before a PK_RESET, pk_source_forget() must be
 * called. Returns PK_CORRUPT if it was ignored. */
PK_MUST_CHECK enum pk_status pk_source_define(struct pk_stack_source *source,
					      const struct pk_record *record, unsigned int kind);
/* Any other record, before the session evaluates it, and a SAMPLE before pk_source_of(). */
PK_MUST_CHECK enum pk_status pk_source_record(struct pk_stack_source *source,
					      struct pk_session *session,
					      const struct pk_record *record);
/* Call it when ids of stacks of the stream become invalid: forgets their copies. */
void pk_source_forget(struct pk_stack_source *source);
/* After pk_source_forget(): removes the stacks that the source has made so far, which are stored
 * until the session ends. Those of the stream remain. */
void pk_source_renew(struct pk_stack_source *source);
/* Call at the end of a session: lose() for the stacks that could not be made completely. */
void pk_source_end(struct pk_stack_source *source, pk_lose_fn *lose, void *arg);

/* ---- Stacks ---- */

/* The index for "no stack" or an undefined one. */
#define PK_NO_STACK UINT32_MAX

/* The index of the stack of a SAMPLE. It is PK_NO_STACK if there is none, or an undefined one. Each
 * call counts that as missing. */
PK_MUST_CHECK enum pk_status pk_source_of(struct pk_stack_source *source,
					  struct pk_session *session,
					  const struct pk_record *record, uint32_t *index);
/* The frame at the root of a stack, which has the name of the thread, or NULL if there is none. The
 * time of the call does not depend on the depth of the stack. */
PK_MUST_CHECK enum pk_status pk_source_task(struct pk_stack_source *source, uint32_t index,
					    const struct pk_frame **frame);

/* The definitions of the stacks, or NULL if neither definitions nor stacks were requested. */
static inline struct pk_dictionary *pk_source_dictionary(const struct pk_stack_source *source)
{
	return source->dictionary;
}

/* The id in the dictionary of the stack with an index, and back; the index of an undefined id is
 * not that of a stack. */
static inline uint32_t pk_source_id(const struct pk_stack_source *source, uint32_t index)
{
	return source->defined.base + 1 + index;
}

static inline uint32_t pk_source_index(const struct pk_stack_source *source, uint32_t id)
{
	return id - source->defined.base - 1;
}

/* The frames of the stack with an index. PK_NO_STACK has none. */
static inline struct pk_stack_walk pk_source_frames(const struct pk_stack_source *source,
						    uint32_t index)
{
	return pk_stack_walk(source->dictionary,
			     index == PK_NO_STACK ? 0 : pk_source_id(source, index));
}

/* Whether SAMPLEs have stacks of functions, of the stream or made. */
static inline bool pk_source_symbolized(const struct pk_stack_source *source)
{
	return source->symbolized;
}

/* Whether the stacks of this session are made. */
static inline bool pk_source_makes(const struct pk_stack_source *source)
{
	return source->made;
}

/* Whether so many stacks were made that pk_source_renew() should be called. */
bool pk_source_is_full(const struct pk_stack_source *source);

/* ---- Numbers, in all sessions ---- */

static inline struct pk_missing_stacks pk_source_missing(const struct pk_stack_source *source)
{
	return source->missing;
}

/* For calls of pk_source_of() for one sample, since the numbers were those in `before`: counts its
 * missing stack at most so often. */
void pk_source_missing_once(struct pk_stack_source *source, const struct pk_missing_stacks *before,
			    uint64_t most);

/* The number of stacks of addresses without functions that were made. */
static inline uint64_t pk_source_addresses(const struct pk_stack_source *source)
{
	return source->addresses;
}

/* The numbers of pk_stacks_of() for the stacks that were made, of the sessions that have ended. */
static inline const struct pk_stacks_count *pk_source_counted(const struct pk_stack_source *source)
{
	return &source->counted;
}

#endif
