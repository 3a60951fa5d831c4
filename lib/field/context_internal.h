/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTEXT_INTERNAL_H
#define PK_CONTEXT_INTERNAL_H

/* The state of the stream, for the files of this folder (context.h). */

#include "buffer.h"
#include "context.h"
#include "field.h"
#include "parallelism.h"
#include "sockets.h"
#include "texts.h"

struct pk_access_types;
struct pk_address_names;

#define PK_WORDS_RECENT 16 /* a power of 2 */

/* Numbers with words, for pk_words_key(). */
struct pk_words {
	struct pk_texts numbers; /* of a field */
	uint32_t *keys;		 /* the numbers of their texts among those of the context */
	size_t count;
	struct pk_words_recent {
		const struct pk_tracepoint_field *trace;
		uint64_t value;
		uint32_t key;
	} recent[PK_WORDS_RECENT]; /* the last one of each hash; key 0: none */
};

void pk_words_forget(struct pk_words *words);

struct pk_stream_state {
	struct pk_reader *reader; /* of the last record */

	/* Of the session. */
	struct pk_session *session;
	struct pk_tracepoints *tracepoints;
	uint32_t e_machine; /* ELF's EM_*; 0 unknown */
	struct pk_parallelism parallelism;
	struct pk_sockets sockets;

	/* Of the epoch. */
	struct pk_texts texts; /* of values of tracepoints, and those that are built */
	struct pk_words words;

	struct buffer text;	   /* scratch buffer for the text of a value */
	struct pk_column duration; /* the field "duration" of events, for the field "start" */

	/* The code of objects. All are NULL without CODE, or without code.symbols. */
	struct pk_code_objects *objects;
	struct pk_places *places;
	struct pk_access_types *access_types;
	struct pk_address_names *address_names;
};

#endif
