/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTEXT_H
#define PK_CONTEXT_H

/* The context of the samples of a session: tasks and maps, the dictionary of a symbolized stream,
 * the formats of tracepoints. A program passes every record except SAMPLEs to pk_context_record(),
 * in the order of reading. Fields of samples (field.h) and conditions (condition.h) are then looked
 * up here. */

#include "buffer.h"
#include "parallelism.h"
#include "session.h"
#include "sockets.h"
#include "stack_source.h"
#include "texts.h"
#include "tracepoint.h"

/* The parts of the context that a program, or a field (struct pk_field), needs. */
enum {
	PK_NEED_FORMATS = 1 << 0, /* formats of tracepoints from TRACING_DATA, and names of events
				   * that the stream does not name otherwise */
	PK_NEED_STACKS = 1 << 1,  /* stacks of functions: definitions (strings, frames, stacks) of a
				   * symbolized stream */
	PK_NEED_TASKS = 1 << 2,	  /* threads and maps: records must come in order */
	/* Names of threads and objects: from the stacks if the stream is symbolized, else from
	 * tasks and maps. */
	PK_NEED_NAMES = 1 << 3,
	/* Stacks of any stream: if it is not symbolized, pk_source_of() makes stacks from
	 * callchains, tasks and maps; with code.symbols and look_up, stacks of functions. */
	PK_NEED_ANY_STACKS = 1 << 4,
	PK_NEED_PARALLELISM = 1 << 5, /* the number of running threads: records must come in
				       * order */
	/* Like ANY_STACKS, but each address has its own frame (with its function), even if the
	 * stream has one frame for each function. */
	PK_NEED_ADDRESSES = 1 << 7,
	/* Places of samples (place.h) and their code; includes STACKS and TASKS. pk_context.code
	 * must be set. */
	PK_NEED_CODE = 1 << 6,
	PK_NEED_BRANCHES = 1 << 8, /* entries of branch stacks: see pk_profile.each_branch */
	PK_NEED_OBJECTS = 1 << 10, /* names of objects: includes NAMES */
	PK_NEED_LINES = 1 << 11,   /* the source lines of frames */
	PK_NEED_CALLERS = 1 << 12, /* callers, also if `leaves` is set */
	PK_NEED_SYMBOLS = 1 << 9,  /* the program looks up names itself: code.symbols must be set */
};

struct pk_column;
struct pk_access_types;
struct pk_parents;
struct pk_address_names;

#define PK_WORDS_RECENT 16 /* a power of 2 */

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
	 * frames of the innermost address. Set it before PK_RECORD_BEGIN. */
	bool leaves;
	/* Addresses of callers are in their calls: PK_FRAMES_OF_CALLS. */
	bool calls;
	/* Called before ids of stacks, keys of values and bindings become invalid. */
	enum pk_status (*forget)(void *arg);
	void *arg; /* for forget() */
	/* Called for a malformed record, with the reason. */
	void (*complain)(void *arg, const struct pk_record *record, const char *text);
	/* Called with losses, as for pk_stage_lose(). total 0: unknown. */
	pk_lose_fn *lose;
	void *report_arg; /* for complain() and lose() */

	/* For reading by all: */
	struct pk_reader *reader; /* of the last record */
	struct pk_session *session;
	struct pk_tracepoints *tracepoints;
	struct pk_stack_source stacks; /* without STACKS, NAMES or ANY_STACKS: no dictionary */
	uint32_t e_machine;	       /* ELF's EM_*; 0 unknown */
	/* Changes when bindings, keys of values or ids of stacks become invalid: with sessions,
	 * events, names of events, formats and RESET. */
	uint64_t epoch;
	uint64_t bytes; /* of all records so far, for allowance.h */
	struct pk_parallelism parallelism;
	struct pk_sockets sockets;
	struct pk_column
		*duration;     /* the field "duration" of events, to calculate the field "start" */
	struct buffer text;    /* scratch buffer for the text of a value */
	struct pk_texts texts; /* values of tracepoints' text fields in this epoch */
	struct pk_texts words; /* numbers with words, and */
	uint32_t *words_keys;  /* their numbers in `texts` */
	size_t words_count;
	struct pk_words_recent {
		const struct pk_tracepoint_field *trace;
		uint64_t value;
		uint32_t key;
	} words_recent[PK_WORDS_RECENT]; /* the last one of each hash; key 0: none */
	struct pk_code_objects *objects; /* NULL without CODE, or without code.symbols */
	struct pk_places *places;	 /* NULL in the same cases */
	struct pk_access_types *access_types;
	struct pk_address_names *address_names; /* NULL in the same cases */
	uint64_t branch; /* index of the entry of the branch stack that samples count for */
	bool failed;	 /* out of memory: values or answers are incomplete */
};

/* For pk_context_sample(). */
bool pk_context_before_stack(struct pk_context *context, const struct pk_record *record);

/* Call after the program has set its members. False: out of memory. */
bool pk_context_init(struct pk_context *context);
void pk_context_free(struct pk_context *context);

/* Evaluates a record that is not a SAMPLE, also PK_RECORD_BEGIN. Reads the payload of TRACING_DATA
 * if FORMATS is needed. Malformed records are reported with complain() and ignored. Returns PK_OK,
 * PK_NOMEM, or the result of forget(). */
PK_MUST_CHECK enum pk_status pk_context_record(struct pk_context *context, struct pk_reader *reader,
					       const struct pk_record *record);
/* Evaluates a SAMPLE, in order, before its fields are looked up. False: out of memory. */
static inline bool pk_context_sample(struct pk_context *context, const struct pk_record *record)
{
	return (!(context->needs & PK_NEED_PARALLELISM) ||
		pk_parallelism_record(&context->parallelism, record)) &&
	       (!pk_source_makes(&context->stacks) || pk_context_before_stack(context, record));
}
/* Call for a SAMPLE that cannot be decoded: if stacks of functions are made, counts it as lost, as
 * pk-symbolize does. */
void pk_context_bad_sample(struct pk_context *context);

/* For a stage, whose pk_stage handles the SESSION record: passes its content to the context. */
void pk_context_session(struct pk_context *context, const struct pk_session_info *info);
/* Call at the end of a session: calls forget(), and lose() for the stacks that pk_source_of()
 * could not make completely. */
PK_MUST_CHECK enum pk_status pk_context_end(struct pk_context *context);

/* For a program that has read the payload of TRACING_DATA itself: replaces pk_context_record(). */
PK_MUST_CHECK enum pk_status pk_context_formats(struct pk_context *context,
						struct pk_reader *reader,
						const struct pk_record *record, const uint8_t *data,
						size_t size);
/* Reads the payload of the reader's current record into one block, which the caller frees (also
 * after an error). PK_UNSUPPORTED: it is larger than PK_PAYLOAD_MAX. PK_OK: the payload, or its
 * part before an error of the reader, which the next call of the reader returns. */
#define PK_PAYLOAD_MAX ((size_t)64 << 20)
PK_MUST_CHECK enum pk_status pk_read_payload(struct pk_reader *reader, uint8_t **data,
					     size_t *size);

/* For a program that prints repeatedly: calls forget(), and clears what the context stores about
 * the samples so far: texts, and the stacks that pk_source_of() has made. Without this, they
 * are stored until the session ends. */
PK_MUST_CHECK enum pk_status pk_context_renew(struct pk_context *context);

#endif
