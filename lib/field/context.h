/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTEXT_H
#define PK_CONTEXT_H

/*
 * The context of the samples of a session. A program passes every record except SAMPLEs to
 * pk_context_record(), in the order of reading. Fields of samples (field.h) and conditions
 * (condition.h) are then looked up here. The context has two parts:
 * - The state of the stream (struct pk_stream_state): tasks and maps, formats of tracepoints, the
 *   machine, the texts of values, and the code of objects. Only lib/field knows its members
 *   (context_internal.h).
 * - The source of stacks (struct pk_stack_source): the dictionary, and the stack of each sample.
 * The context owns both, with all that they refer to. The program owns the reader, the symbols of
 * `code`, the parents, and what its callbacks get.
 */

#include "session.h"
#include "stack_source.h"
#include "tracepoint.h"

/* What a program, or a field (struct pk_field), needs. */
enum {
	/* Of the state of the stream. */
	PK_NEED_FORMATS = 1 << 0,     /* formats of tracepoints from TRACING_DATA, and names of
				       * events that the stream does not name otherwise */
	PK_NEED_TASKS = 1 << 2,	      /* threads and maps: records must come in order */
	PK_NEED_PARALLELISM = 1 << 5, /* the number of running threads: records must come in
				       * order */
	/* Places of samples (place.h) and their code; includes STACKS and TASKS. pk_context.code
	 * must be set. */
	PK_NEED_CODE = 1 << 6,

	/* Of the source of stacks. */
	PK_NEED_STACKS = 1 << 1, /* stacks of functions: definitions (strings, frames, stacks) of a
				  * symbolized stream */
	/* Names of threads and objects: from the stacks if the stream is symbolized, else from
	 * tasks and maps. */
	PK_NEED_NAMES = 1 << 3,
	/* Stacks of any stream. If it is not symbolized, pk_source_of() makes stacks from
	 * callchains, tasks and maps. With code.symbols and look_up, it makes stacks of
	 * functions. */
	PK_NEED_ANY_STACKS = 1 << 4,
	/* Like ANY_STACKS, but each address has its own frame (with its function), even if the
	 * stream has one frame for each function. */
	PK_NEED_ADDRESSES = 1 << 7,
	PK_NEED_OBJECTS = 1 << 10, /* names of objects: includes NAMES */
	PK_NEED_LINES = 1 << 11,   /* the source lines of frames */
	PK_NEED_CALLERS = 1 << 12, /* callers, also if `leaves` is set */
	PK_NEED_CALLS = 1 << 13,   /* addresses of callers are in their calls: PK_FRAMES_OF_CALLS */

	/* Of the program. */
	PK_NEED_BRANCHES = 1 << 8, /* entries of branch stacks: see pk_profile.each_branch */
	PK_NEED_SYMBOLS = 1 << 9,  /* it looks up names itself: code.symbols must be set */
};

struct pk_stream_state;
struct pk_parents;
struct pk_parallelism;
struct buffer;

struct pk_context {
	/* Set by the program, or zero. */
	unsigned int needs;	    /* PK_NEED_* */
	struct pk_parents *parents; /* for the field "parent" (field.h) */
	/* For CODE: if code.symbols is NULL, samples have no places. For ANY_STACKS: if it is NULL,
	 * frames that are made have no functions. */
	struct pk_code_options code;
	/* For ANY_STACKS: make stacks of functions for a session that is not symbolized, from files
	 * of this machine. Set it before PK_RECORD_BEGIN. */
	bool look_up;
	/* For ANY_STACKS: unless CALLERS is needed, stacks that are made have only the comm and the
	 * frames of the innermost address. */
	bool leaves;
	/* Called before ids of stacks, keys of values and bindings become invalid. */
	enum pk_status (*forget)(void *arg);
	/* Called for a malformed record, with the reason. */
	void (*complain)(void *arg, const struct pk_record *record, const char *text);
	/* Called with losses, as for pk_stage_lose(). total 0: unknown. */
	pk_lose_fn *lose;
	void *arg; /* for all three */

	/* This member is for reading. The two parts have functions. */
	struct pk_stream_state *state; /* see below */
	struct pk_stack_source stacks; /* without STACKS, NAMES or ANY_STACKS: no dictionary */
	/* Changes when bindings, keys of values or ids of stacks become invalid: with sessions,
	 * events, names of events, formats and RESET. */
	uint64_t epoch;
	bool failed; /* out of memory: values or answers are incomplete */
};

/* Call after the program has set its members. */
PK_MUST_CHECK enum pk_status pk_context_init(struct pk_context *context);
void pk_context_free(struct pk_context *context);

/* ---- Records ---- */

/* Evaluates a record that is not a SAMPLE, also PK_RECORD_BEGIN. Reads the payload of TRACING_DATA
 * if FORMATS is needed. Malformed records are reported with complain() and ignored. Returns PK_OK,
 * PK_NOMEM, or the result of forget(). */
PK_MUST_CHECK enum pk_status pk_context_record(struct pk_context *context, struct pk_reader *reader,
					       const struct pk_record *record);
/* For pk_context_sample(). */
bool pk_context_before_sample(struct pk_context *context, const struct pk_record *record);
/* Evaluates a SAMPLE, in order, before its fields are looked up. */
static inline enum pk_status pk_context_sample(struct pk_context *context,
					       const struct pk_record *record)
{
	return (!(context->needs & PK_NEED_PARALLELISM) && !pk_source_makes(&context->stacks)) ||
			       pk_context_before_sample(context, record)
		       ? PK_OK
		       : PK_NOMEM;
}
/* Call for a SAMPLE that cannot be decoded: if stacks of functions are made, counts it as lost, as
 * pk-symbolize does. */
void pk_context_bad_sample(struct pk_context *context);
/* Reports a malformed record with complain(). */
void pk_context_complain(const struct pk_context *context, const struct pk_record *record,
			 const char *text);

/* For a stage, whose pk_stage handles the SESSION record: passes its content to the context. */
void pk_context_describe(struct pk_context *context, const struct pk_session_info *info);
/* Call at the end of a session: calls forget(), and lose() for the stacks that pk_source_of()
 * could not make completely. */
PK_MUST_CHECK enum pk_status pk_context_end(struct pk_context *context);

/* For a program that has read the payload of TRACING_DATA itself: replaces pk_context_record(). */
PK_MUST_CHECK enum pk_status pk_context_read_formats(struct pk_context *context,
						     struct pk_reader *reader,
						     const struct pk_record *record,
						     const uint8_t *data, size_t size);
/* Reads the payload of the reader's current record into one block, which the caller frees, also
 * after an error. Returns PK_UNSUPPORTED if the payload is larger than PK_PAYLOAD_MAX. With PK_OK,
 * the block has the payload, or its part before an error of the reader, which the next call of the
 * reader returns. */
#define PK_PAYLOAD_MAX ((size_t)64 << 20)
PK_MUST_CHECK enum pk_status pk_read_payload(struct pk_reader *reader, uint8_t **data,
					     size_t *size);

/* For a program that prints repeatedly: calls forget(), and clears what the context stores about
 * the samples so far: texts, and the stacks that pk_source_of() has made. Without this, they
 * are stored until the session ends. */
PK_MUST_CHECK enum pk_status pk_context_renew(struct pk_context *context);

/* ---- The state of the stream, which the context owns ---- */

/* The reader of the last record, or NULL if there was none. */
struct pk_reader *pk_context_reader(const struct pk_context *context);
/* These two belong to the current session. They are NULL before the first session. */
struct pk_session *pk_context_session(const struct pk_context *context);
struct pk_tracepoints *pk_context_tracepoints(const struct pk_context *context);
/* ELF's EM_*, or 0 if it is unknown. */
uint32_t pk_context_machine(const struct pk_context *context);
const struct pk_parallelism *pk_context_parallelism(const struct pk_context *context);
/* NULL without CODE, or without code.symbols. */
struct pk_code_objects *pk_context_objects(const struct pk_context *context);
struct pk_places *pk_context_places(const struct pk_context *context);
/* An empty buffer for the text of a value. */
struct buffer *pk_context_scratch(struct pk_context *context);

#endif
