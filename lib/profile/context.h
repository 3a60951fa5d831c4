/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTEXT_H
#define PK_CONTEXT_H

/* The context of the samples of a session: tasks and maps, the dictionary of a symbolized stream,
 * the formats of tracepoints. A program passes every record except SAMPLEs to pk_context_record(),
 * in the order of reading. Fields of samples (field.h) and conditions (condition.h) are then looked
 * up here. */

#include "buffer.h"
#include "code_objects.h"
#include "parallelism.h"
#include "session.h"
#include "texts.h"
#include "tracepoint.h"

/* The parts of the context that a program, or a field (struct pk_field), needs. */
enum {
	PK_NEED_FORMATS = 1 << 0, /* TRACING_DATA, and names of events that only it has */
	PK_NEED_STACKS = 1 << 1,  /* names and stacks of a symbolized stream */
	PK_NEED_TASKS = 1 << 2,	  /* threads and maps: records must come in order */
	/* Names of threads and objects: STACKS if the stream is symbolized, else TASKS. */
	PK_NEED_NAMES = 1 << 3,
	/* Like NAMES; if the stream is not symbolized, pk_context_stack() makes stacks from
	 * callchains. */
	PK_NEED_ANY_STACKS = 1 << 4,
	PK_NEED_PARALLELISM = 1 << 5, /* the number of running threads: records must come in
				       * order */
	/* Like ANY_STACKS, and each address has a frame of its own, with its function, even if the
	 * stream has one frame for each function. */
	PK_NEED_ADDRESSES = 1 << 7,
	/* Places of samples (place.h) and their code: STACKS and TASKS; `code` must be set. */
	PK_NEED_CODE = 1 << 6,
};

struct pk_column;
struct pk_access_types;
struct pk_address_stacks;

struct pk_context {
	/* Set by the program, or zero. */
	unsigned int needs;    /* PK_NEED_* */
	pk_resolve_fn resolve; /* for the stacks of ANY_STACKS; NULL: frames get no function */
	void *resolve_arg;
	struct pk_code_options code; /* for CODE; without symbols, samples have no places */
	/* Called before the ids of stacks, and other data of this session, become invalid. */
	enum pk_status (*forget)(void *arg);
	/* Called for a malformed record. */
	void (*complain)(void *arg, const struct pk_record *record, const char *text);
	void (*lose)(void *arg, enum pk_loss_cause cause, uint64_t count, uint64_t total);
	void *arg; /* for these three, which may be NULL */

	/* For reading by all: */
	struct pk_reader *reader; /* of the last record */
	struct pk_session *session;
	struct pk_dictionary *dictionary; /* NULL without STACKS, NAMES or ANY_STACKS */
	struct pk_tracepoints *tracepoints;
	struct pk_id_range defined; /* stacks of the dictionary */
	bool symbolized;	    /* SAMPLEs refer to stacks of the dictionary */
	uint32_t e_machine;	    /* ELF's EM_*; 0 unknown */
	/* Changes when ids of stacks, names of events or formats change. */
	uint64_t epoch;
	/* SAMPLEs of a symbolized stream, in all sessions: */
	uint64_t without_stack;	  /* have none */
	uint64_t undefined_stack; /* refer to an undefined stack */
	uint64_t stacks_made;	  /* number of samples for which pk_context_stack() made a stack */
	struct pk_parallelism parallelism;
	struct pk_column *duration;	 /* the field "duration", for `start` */
	struct buffer text;		 /* of a value */
	struct pk_texts texts;		 /* values of tracepoints' text fields in this epoch */
	struct pk_code_objects *objects; /* NULL without CODE, or without code.symbols */
	struct pk_places *places;	 /* NULL in the same cases */
	struct pk_access_types *access_types;
	bool failed; /* out of memory: values or answers are incomplete */

	/* Private to the context: */
	struct pk_stacks *stacks;
	struct pk_dictionary *stream; /* the definitions of the stream; usually the dictionary */
	struct pk_address_stacks *address_stacks; /* NULL without ADDRESSES */
	struct pk_stacks_count counted;		  /* of earlier sessions */
	uint64_t bad;				  /* samples whose stack could not be read */
};

/* Call after the program has set its members. False: out of memory. */
bool pk_context_init(struct pk_context *context);
void pk_context_free(struct pk_context *context);

/* Evaluates a record that is not a SAMPLE, also PK_RECORD_BEGIN. Reads the payload of TRACING_DATA
 * if FORMATS is needed. PK_NOMEM: out of memory, or the result of forget(); malformed records are
 * reported and ignored. */
PK_MUST_CHECK enum pk_status pk_context_record(struct pk_context *context, struct pk_reader *reader,
					       const struct pk_record *record);
/* Evaluates a SAMPLE, in order, before its fields are looked up. False: out of memory. */
static inline bool pk_context_sample(struct pk_context *context, const struct pk_record *record)
{
	return !(context->needs & PK_NEED_PARALLELISM) ||
	       pk_parallelism_record(&context->parallelism, record);
}

/* For a stage whose pk_stage has handled the SESSION record: sets its content. */
void pk_context_session(struct pk_context *context, const struct pk_session_info *info);
/* Call at the end of a session: calls forget(), and lose() for the stacks made here. */
PK_MUST_CHECK enum pk_status pk_context_end(struct pk_context *context);

/* For a program that has read the payload of TRACING_DATA itself: replaces pk_context_record(). */
PK_MUST_CHECK enum pk_status pk_context_formats(struct pk_context *context,
						struct pk_reader *reader,
						const struct pk_record *record, const uint8_t *data,
						size_t size);
/* The payload of a record in one block, to be freed. PK_UNSUPPORTED: larger than the limit. */
#define PK_PAYLOAD_MAX ((size_t)64 << 20)
PK_MUST_CHECK enum pk_status pk_read_payload(struct pk_reader *reader, uint8_t **data,
					     size_t *size);

/* The index for "no stack" or an undefined one. */
#define PK_NO_STACK UINT32_MAX

/* The stack of a SAMPLE: its id is the dictionary's base of stacks + 1 + *index. PK_NO_STACK: none,
 * which is counted. */
PK_MUST_CHECK enum pk_status pk_context_stack(struct pk_context *context,
					      const struct pk_record *record, uint32_t *index);
/* Clears the stacks made here: for a program that no longer needs the samples so far. */
void pk_context_forget_stacks(struct pk_context *context);

#endif
