/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTEXT_H
#define PK_CONTEXT_H

/*
 * What gives the samples of a session their meaning: tasks and maps, the dictionary of a symbolized
 * stream, the formats of tracepoints. A program hands every record but the SAMPLEs to
 * pk_context_record(), in the order in which it reads them; fields of samples (field.h) and
 * conditions (condition.h) are then looked up here.
 */

#include "buffer.h"
#include "code_objects.h"
#include "parallelism.h"
#include "session.h"
#include "texts.h"
#include "tracepoint.h"

/* What a program, or a field (struct pk_field), needs of the context. */
enum {
	PK_NEED_FORMATS = 1 << 0, /* TRACING_DATA, and names of events that it alone has */
	PK_NEED_STACKS = 1 << 1,  /* names and stacks of a symbolized stream */
	PK_NEED_TASKS = 1 << 2,	  /* threads and maps: records must come in order */
	/* Names of threads and objects: STACKS if the stream is symbolized, else TASKS. */
	PK_NEED_NAMES = 1 << 3,
	/* As NAMES; where the stream is not symbolized, pk_context_stack() makes stacks of its own
	 * from callchains. */
	PK_NEED_ANY_STACKS = 1 << 4,
	PK_NEED_PARALLELISM = 1 << 5, /* how many threads run: records must come in order */
	/* As ANY_STACKS; frames are of addresses, whatever the stream's are of. */
	PK_NEED_ADDRESSES = 1 << 7,
	/* Places of samples (place.h) and the code there: STACKS and TASKS, and `code` is set. */
	PK_NEED_CODE = 1 << 6,
};

struct pk_column;
struct pk_access_types;
struct pk_address_stacks;

struct pk_context {
	/* The program's to set, or zero. */
	unsigned int needs;    /* PK_NEED_* */
	pk_resolve_fn resolve; /* for the stacks of ANY_STACKS; NULL: frames have no function */
	void *resolve_arg;
	struct pk_code_options code; /* for CODE; without symbols, samples have no places */
	/* Before the ids of stacks, or of anything else that this session has, become void. */
	enum pk_status (*forget)(void *arg);
	/* A record that is malformed. */
	void (*complain)(void *arg, const struct pk_record *record, const char *text);
	void (*lose)(void *arg, enum pk_loss_cause cause, uint64_t count, uint64_t total);
	void *arg; /* of these three, which may be NULL */

	/* For all to read. */
	struct pk_reader *reader; /* of the record last handed in */
	struct pk_session *session;
	struct pk_dictionary *dictionary; /* NULL without STACKS, NAMES or ANY_STACKS */
	struct pk_tracepoints *tracepoints;
	struct pk_id_range defined; /* stacks of the dictionary */
	bool symbolized;	    /* SAMPLEs refer to stacks of the dictionary */
	uint32_t e_machine;	    /* ELF's EM_*; 0 unknown */
	/* Changes whenever ids of stacks, names of events or formats become others. */
	uint64_t epoch;
	/* SAMPLEs of a symbolized stream, all sessions: */
	uint64_t without_stack;	  /* have none */
	uint64_t undefined_stack; /* refer to one that is not defined */
	uint64_t stacks_made;	  /* samples that pk_context_stack() made a stack for */
	struct pk_parallelism parallelism;
	struct pk_column *duration;	 /* the field of that name, for `start` */
	struct buffer text;		 /* of a value */
	struct pk_texts texts;		 /* values of tracepoints' text fields, this epoch */
	struct pk_code_objects *objects; /* NULL without CODE, or without code.symbols */
	struct pk_places *places;	 /* NULL like these */
	struct pk_access_types *access_types;
	bool failed; /* out of memory: values or answers lack something */

	/* The context's own. */
	struct pk_stacks *stacks;
	struct pk_dictionary *stream; /* what the stream defines; mostly the dictionary */
	struct pk_address_stacks *address_stacks; /* NULL without ADDRESSES */
	struct pk_stacks_count counted;		  /* of earlier sessions */
	uint64_t bad;				  /* samples that the stacks could not read */
};

/* After the program has set its part. False: out of memory. */
bool pk_context_init(struct pk_context *context);
void pk_context_free(struct pk_context *context);

/*
 * Takes in a record that is no SAMPLE, PK_RECORD_BEGIN included. A TRACING_DATA's payload is read
 * unless FORMATS is not needed. PK_NOMEM: out of memory, or what forget() returned; malformed
 * records are complained of and ignored.
 */
PK_MUST_CHECK enum pk_status pk_context_record(struct pk_context *context, struct pk_reader *reader,
					       const struct pk_record *record);
/* Takes in a SAMPLE, in order, before it is looked at. False: out of memory. */
static inline bool pk_context_sample(struct pk_context *context, const struct pk_record *record)
{
	return !(context->needs & PK_NEED_PARALLELISM) ||
	       pk_parallelism_record(&context->parallelism, record);
}

/* For a stage, whose pk_stage has taken the SESSION record: what it says. */
void pk_context_session(struct pk_context *context, const struct pk_session_info *info);
/* At the end of a session: calls forget(), and lose() for the stacks made here. */
PK_MUST_CHECK enum pk_status pk_context_end(struct pk_context *context);

/* For a program that has read a TRACING_DATA's payload itself, in place of pk_context_record(). */
PK_MUST_CHECK enum pk_status pk_context_formats(struct pk_context *context,
						struct pk_reader *reader,
						const struct pk_record *record, const uint8_t *data,
						size_t size);
/* The payload of a record in one block, to be freed. PK_UNSUPPORTED: it is larger than the limit.
 */
#define PK_PAYLOAD_MAX ((size_t)64 << 20)
PK_MUST_CHECK enum pk_status pk_read_payload(struct pk_reader *reader, uint8_t **data,
					     size_t *size);

/* The index of a stack that means "none", or one that is not defined. */
#define PK_NO_STACK UINT32_MAX

/*
 * The stack of a SAMPLE: its id is the dictionary's base of stacks + 1 + *index. PK_NO_STACK: it
 * has none, which is counted.
 */
PK_MUST_CHECK enum pk_status pk_context_stack(struct pk_context *context,
					      const struct pk_record *record, uint32_t *index);
/* Forgets the stacks made here: for a program that has finished with what it read so far. */
void pk_context_forget_stacks(struct pk_context *context);

#endif
