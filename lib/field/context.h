/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTEXT_H
#define PK_CONTEXT_H

/*
 * The context of the samples of a session. A program passes all records except SAMPLEs to
 * pk_context_record(), in the order of reading. The functions for fields (field.h) and conditions
 * (condition.h) then look up their values in the context. The context has two parts:
 *
 *   - The state of the stream (struct pk_stream_state): tasks and maps, formats of tracepoints,
 *     the machine, the texts of values, and the code of objects. Only lib/field uses its
 *     members (context_internal.h).
 *   - The source of stacks (struct pk_stack_source): the dictionary, and the stack of each
 *     sample.
 *
 * The context owns both parts and all objects to which they refer. The program owns the reader, the
 * symbols in `code`, the parents, and the argument of its callbacks.
 */

#include "session.h"
#include "stack_source.h"
#include "tracepoint.h"

/* The kinds of information that a program, or a field (struct pk_field), needs. */
enum {
	/* Information in the state of the stream. */
	PK_NEED_FORMATS = 1 << 0, /* Formats of tracepoints from TRACING_DATA, and the names of
				   * events that are only in these formats. */
	PK_NEED_TASKS =
		1
		<< 2, /* threads and maps; the program must pass the records in the order of time */
	PK_NEED_PARALLELISM = 1 << 5, /* the number of running threads; the program must pass the
				       * records in the order of time */
	/* The places of samples (place.h) and their code. It includes STACKS and TASKS.
	   pk_context.code must be set. */
	PK_NEED_CODE = 1 << 6,

	/* Information in the source of stacks. */
	PK_NEED_STACKS = 1 << 1, /* Stacks of functions: the definitions (strings, frames, stacks)
				  * of a symbolized stream. */
	/* The names of threads and objects. In a symbolized stream, they come from the stacks. In
	   other streams, they come from tasks and maps. */
	PK_NEED_NAMES = 1 << 3,
	/* Stacks in any stream. If the stream is not symbolized, pk_source_of() makes stacks from
	   callchains, tasks and maps. With code.symbols and look_up, these stacks consist of
	   functions. */
	PK_NEED_ANY_STACKS = 1 << 4,
	/* Like ANY_STACKS, but each address has a frame of its own, even if the stream has only one
	   frame for each function. The frame also contains the function. */
	PK_NEED_ADDRESSES = 1 << 7,
	PK_NEED_OBJECTS = 1 << 10, /* the names of objects; PK_NEED_NAMES must also be set */
	PK_NEED_LINES = 1 << 11,   /* the source lines of frames */
	PK_NEED_CALLERS = 1 << 12, /* the callers in stacks; `leaves` then has no effect */
	PK_NEED_CALLS = 1 << 13,   /* In frames of callers, the address is the address of the call
				    * instruction, and not the return address (PK_FRAMES_OF_CALLS). */

	/* Information for the program itself. */
	PK_NEED_BRANCHES = 1 << 8, /* entries of branch stacks; see pk_profile.each_branch */
	PK_NEED_SYMBOLS = 1 << 9,  /* the program itself looks up names; code.symbols must be set */
};

struct pk_stream_state;
struct pk_parents;
struct pk_parallelism;
struct buffer;

/* The context of the samples of a session, as the comment above describes it. */
struct pk_context {
	/* The program sets the following members, or leaves them 0. */
	unsigned int needs;	    /* a set of PK_NEED_* */
	struct pk_parents *parents; /* for the field "parent" (field.h) */
	/* The source of symbols. If code.symbols is NULL, PK_NEED_CODE finds no places, and
	 * PK_NEED_ANY_STACKS makes frames without functions. */
	struct pk_code_options code;
	/* With PK_NEED_ANY_STACKS: makes stacks of functions for a session that is not symbolized,
	 * from files of this machine. Set it before PK_RECORD_BEGIN. */
	bool look_up;
	/* With PK_NEED_ANY_STACKS, but without PK_NEED_CALLERS: the stacks that the context makes
	 * contain only the comm and the frames of the innermost address. */
	bool leaves;
	/* Called before ids of stacks, keys of values, and bindings become invalid. */
	enum pk_status (*forget)(void *arg);
	/* Called for a malformed record. text is the reason. */
	void (*complain)(void *arg, const struct pk_record *record, const char *text);
	/* Called for losses, with the arguments of pk_stage_lose(). total is 0 if it is unknown. */
	pk_lose_fn *lose;
	void *arg; /* the first argument of forget, complain and lose */

	/* The program may only read epoch and failed. Functions give access to state and stacks. */
	struct pk_stream_state *state; /* the functions below return its members */
	struct pk_stack_source stacks; /* `stacks` has a dictionary only if the program needs
					  STACKS, NAMES or ANY_STACKS. */
	/* A number that changes when bindings, keys of values or ids of stacks become invalid. This
	 * happens when a session starts, when the stream defines an event, a name of an event or a
	 * format, and at a RESET. */
	uint64_t epoch;
	bool failed; /* true if memory was exhausted; some values or answers are then incomplete */
};

/* Call this function after the program has set its members. */
PK_MUST_CHECK enum pk_status pk_context_init(struct pk_context *context);
void pk_context_free(struct pk_context *context);

/* ---- Records ---- */

/* Evaluates a record, including PK_RECORD_BEGIN, but not a SAMPLE. If PK_NEED_FORMATS is set, reads
 * the payload of TRACING_DATA. Reports malformed records with complain() and ignores them. Returns
 * PK_OK, PK_NOMEM, or the result of forget(). */
PK_MUST_CHECK enum pk_status pk_context_record(struct pk_context *context, struct pk_reader *reader,
					       const struct pk_record *record);
/* The slow path of pk_context_sample(). */
bool pk_context_before_sample(struct pk_context *context, const struct pk_record *record);
/* Evaluates a SAMPLE. Call this function in the order of the stream, and before the fields of the
 * sample are looked up. */
static inline enum pk_status pk_context_sample(struct pk_context *context,
					       const struct pk_record *record)
{
	return (!(context->needs & PK_NEED_PARALLELISM) && !pk_source_makes(&context->stacks)) ||
			       pk_context_before_sample(context, record)
		       ? PK_OK
		       : PK_NOMEM;
}
/* Call this function for a SAMPLE that cannot be decoded. If the context makes stacks of functions,
 * counts the sample as lost, as pk-symbolize does. */
void pk_context_bad_sample(struct pk_context *context);
/* Reports a malformed record with complain(). */
void pk_context_complain(const struct pk_context *context, const struct pk_record *record,
			 const char *text);

/* Passes the content of a SESSION record to the context. Stages call it, because their pk_stage
 * handles that record. */
void pk_context_describe(struct pk_context *context, const struct pk_session_info *info);
/* Call this function at the end of a session. It calls forget(), and calls lose() for the stacks
 * that pk_source_of() could not make completely. */
PK_MUST_CHECK enum pk_status pk_context_end(struct pk_context *context);

/* Evaluates TRACING_DATA if the program has read its payload itself. Call it instead of
 * pk_context_record(). */
PK_MUST_CHECK enum pk_status pk_context_read_formats(struct pk_context *context,
						     struct pk_reader *reader,
						     const struct pk_record *record,
						     const uint8_t *data, size_t size);
/* Reads the payload of the current record of the reader into one block. The caller frees the block,
 * also after an error. Returns PK_UNSUPPORTED if the payload is larger than PK_PAYLOAD_MAX. If it
 * returns PK_OK, the block contains the payload. But if the reader had an error, the block only
 * contains the bytes before the error, and the next call of the reader returns that error. */
#define PK_PAYLOAD_MAX ((size_t)64 << 20)
PK_MUST_CHECK enum pk_status pk_read_payload(struct pk_reader *reader, uint8_t **data,
					     size_t *size);

/* For a program that prints repeatedly. Calls forget(), and clears the data that the context has
 * stored about samples: texts, and the stacks that pk_source_of() has made. Without this call, the
 * context stores them until the session ends. */
PK_MUST_CHECK enum pk_status pk_context_renew(struct pk_context *context);

/* ---- The state of the stream, which the context owns ---- */

/* Returns the reader of the last record, or NULL if there was no record. */
struct pk_reader *pk_context_reader(const struct pk_context *context);
/* These two objects belong to the current session. They are NULL before the first session. */
struct pk_session *pk_context_session(const struct pk_context *context);
struct pk_tracepoints *pk_context_tracepoints(const struct pk_context *context);
/* Returns the machine as EM_* of ELF, or 0 if it is unknown. */
uint32_t pk_context_machine(const struct pk_context *context);
const struct pk_parallelism *pk_context_parallelism(const struct pk_context *context);
/* Both functions return NULL if PK_NEED_CODE or code.symbols is not set. */
struct pk_code_objects *pk_context_objects(const struct pk_context *context);
struct pk_places *pk_context_places(const struct pk_context *context);
/* Returns an empty buffer for the text of a value. */
struct buffer *pk_context_scratch(struct pk_context *context);

#endif
