/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STACK_SOURCE_H
#define PK_STACK_SOURCE_H

/*
 * The stacks of the samples of a stream: a dictionary, and for each sample the index of its stack
 * in this dictionary. There are three kinds of stacks:
 *
 *   - Stacks of the stream. The stream is symbolized: it defines stacks, and samples have their
 *     ids.
 *   - Made stacks. The stream is not symbolized. The stacks are made from callchains, tasks and
 *     maps.
 *   - Exact stacks. The stream defines stacks in which each function has only one frame. The
 *     stacks are copied, and each address of the callchain gets a frame.
 */

#include "code_objects.h"
#include "nameless_jit.h"
#include "session.h"
#include "stack_walk.h"
#include "stacks.h"

struct address_stacks;
struct pk_cut_stacks;
struct pk_nameless_objects;
struct resolver;

/* The kinds of stacks that a program needs. */
struct pk_stack_request {
	bool definitions; /* The program needs the strings, frames and stacks that the stream
			   * defines. */
	bool made;	  /* The program needs stacks even if the stream is not symbolized. */
	bool exact;   /* Each address gets a frame of its own. The source then behaves as if `made`
		       * and `callers` were true. */
	bool callers; /* If it is false, stacks that are made have only the comm and the frames of
		       * the innermost address. */
	bool lines;   /* The frames that are made get source lines. */
	bool calls; /* In frames of callers, the address is the address of the call instruction, and
		     * not the return address (PK_FRAMES_OF_CALLS). */
	/* The symbols for stacks that are made. If code.symbols is NULL, these stacks have no
	 * functions. */
	struct pk_code_options code;
};

/* The numbers of samples whose stack is missing, in all sessions. */
struct pk_missing_stacks {
	uint64_t without;   /* samples of a symbolized stream that have no stack */
	uint64_t undefined; /* samples whose stack is undefined or could not be made */
};

/* A callback that gets losses, with the arguments of pk_stage_lose(). total is 0 if it is unknown.
 */
typedef void pk_lose_fn(void *arg, enum pk_loss_cause cause, uint64_t count, uint64_t total);

/* All members are private. Use the functions below. */
struct pk_stack_source {
	struct pk_stack_request request;
	struct pk_dictionary *dictionary;
	struct pk_dictionary *stream; /* the definitions of the stream; equal to dictionary unless
				       * stacks are exact */
	struct pk_id_range defined;   /* the range of the ids of all stacks in the dictionary */
	bool symbolized, made, exact, look_up;
	bool full; /* true if so much memory is used that pk_source_renew() should be called */
	struct pk_missing_stacks missing;
	uint64_t addresses; /* how often a stack of addresses, without functions, was made or could
			     * not be made */
	struct pk_stacks *stacks;
	struct resolver *resolver; /* finds the symbols for stacks that are made; NULL if no stacks
				    * are made */
	/* These find stacks that end in code without frame pointers, and objects without symbols.
	 * They are not NULL if there is a resolver. */
	struct pk_cut_stacks *cut;
	struct pk_nameless_objects *nameless;
	struct pk_nameless_jit jit;
	struct address_stacks *address_stacks; /* NULL if stacks are not exact */
	struct pk_stacks_count counted; /* the sum of pk_stacks_counted() of all earlier sessions */
	/* The id of the root frame if it is the name of the thread, otherwise 0. The index is the
	 * index of the stack. */
	uint32_t *tasks;
	size_t tasks_count, tasks_capacity;
	uint64_t bad; /* the number of samples that were malformed, so that no stack could be made
		       * for them */
};

/* The source must be all zero before. request->code, and all objects to which it refers, must exist
 * longer than the source. Call pk_source_free() also after a failure. */
PK_MUST_CHECK enum pk_status pk_source_init(struct pk_stack_source *source,
					    const struct pk_stack_request *request);
void pk_source_free(struct pk_stack_source *source);

/* ---- Records ---- */

/* Starts a session. With look_up, the functions of stacks that are made are looked up in files of
 * this machine. */
void pk_source_start(struct pk_stack_source *source, struct pk_session *session, bool look_up);
/* Evaluates the content of a SESSION record. */
void pk_source_describe(struct pk_stack_source *source, const struct pk_session_info *info);
/* Reads a definition of the kind that pk_definition_of() returns. Before a PK_RESET,
 * pk_source_forget() must be called. Returns PK_CORRUPT if the definition was ignored. */
PK_MUST_CHECK enum pk_status pk_source_define(struct pk_stack_source *source,
					      const struct pk_record *record, unsigned int kind);
/* Evaluates any other record. Call it before the session evaluates the record. For a SAMPLE, call
 * it before pk_source_of(). */
PK_MUST_CHECK enum pk_status pk_source_record(struct pk_stack_source *source,
					      struct pk_session *session,
					      const struct pk_record *record);
/* Removes the copies of stacks of the stream. Call this function when the ids of the stream's
 * stacks become invalid. */
void pk_source_forget(struct pk_stack_source *source);
/* Removes the stacks that the source has made. Without this call, they are stored until the session
 * ends. The stacks of the stream are not removed. Call pk_source_forget() first. */
void pk_source_renew(struct pk_stack_source *source);
/* Call this function at the end of a session. It calls lose() for the stacks that could not be made
 * completely. */
void pk_source_end(struct pk_stack_source *source, pk_lose_fn *lose, void *arg);

/* ---- Stacks ---- */

/* The index of a stack that does not exist or is undefined. */
#define PK_NO_STACK UINT32_MAX

/* Sets *index to the index of the stack of a SAMPLE, or to PK_NO_STACK if the stack does not exist
 * or is undefined. Each call with this result counts a missing stack. */
PK_MUST_CHECK enum pk_status pk_source_of(struct pk_stack_source *source,
					  struct pk_session *session,
					  const struct pk_record *record, uint32_t *index);
/* Sets *frame to the root frame of a stack if it is the name of the thread, otherwise to NULL. The
 * time of the call does not depend on the depth of the stack. */
PK_MUST_CHECK enum pk_status pk_source_task(struct pk_stack_source *source, uint32_t index,
					    const struct pk_frame **frame);

/* Returns the dictionary with the definitions of the stacks, or NULL if neither definitions nor
 * stacks were requested. */
static inline struct pk_dictionary *pk_source_dictionary(const struct pk_stack_source *source)
{
	return source->dictionary;
}

/* Convert the index of a stack to its id in the dictionary, and back. The index of an undefined id
 * is not the index of any stack. */
static inline uint32_t pk_source_id(const struct pk_stack_source *source, uint32_t index)
{
	return source->defined.base + 1 + index;
}

static inline uint32_t pk_source_index(const struct pk_stack_source *source, uint32_t id)
{
	return id - source->defined.base - 1;
}

/* Returns the frames of the stack with an index. There are no frames for PK_NO_STACK. */
static inline struct pk_stack_walk pk_source_frames(const struct pk_stack_source *source,
						    uint32_t index)
{
	return pk_stack_walk(source->dictionary,
			     index == PK_NO_STACK ? 0 : pk_source_id(source, index));
}

/* Returns true if SAMPLEs have stacks of functions. They can be stacks of the stream or made
 * stacks. */
static inline bool pk_source_symbolized(const struct pk_stack_source *source)
{
	return source->symbolized;
}

/* Returns true if the stacks of this session are made. */
static inline bool pk_source_makes(const struct pk_stack_source *source)
{
	return source->made;
}

/* Returns true if so many stacks were made that pk_source_renew() should be called. */
bool pk_source_is_full(const struct pk_stack_source *source);

/* ---- Counts, in all sessions ---- */

static inline struct pk_missing_stacks pk_source_missing(const struct pk_stack_source *source)
{
	return source->missing;
}

/* Corrects the counts of missing stacks after several calls of pk_source_of() for one sample.
 * `before` has the counts before these calls. Afterwards, the missing stack of the sample is
 * counted at most `most` times. */
void pk_source_missing_once(struct pk_stack_source *source, const struct pk_missing_stacks *before,
			    uint64_t most);

/* Returns the number of stacks of addresses, without functions, that were made. */
static inline uint64_t pk_source_addresses(const struct pk_stack_source *source)
{
	return source->addresses;
}

/* Returns the counts of pk_stacks_counted() for the stacks that were made in the sessions that have
 * ended. */
static inline const struct pk_stacks_count *pk_source_counted(const struct pk_stack_source *source)
{
	return &source->counted;
}

#endif
