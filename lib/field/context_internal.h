/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CONTEXT_INTERNAL_H
#define PK_CONTEXT_INTERNAL_H

/* The state of the stream (context.h). Only the files of this directory use it. */

#include "buffer.h"
#include "context.h"
#include "field.h"
#include "parallelism.h"
#include "sockets.h"
#include "texts.h"

struct pk_access_types;
struct pk_address_names;

#define PK_WORDS_RECENT 16 /* number of cached words, a power of 2 */

/* A cache for pk_words_key(): the words of numbers that are shown as words. */
struct pk_words {
	struct pk_texts numbers; /* Pairs of a field and a number. Each distinct pair gets a small
				  * number in this set, its pair number. */
	uint32_t *keys; /* the index is a pair number; the value is the key of the words of this
			 * pair */
	size_t count;
	struct pk_words_recent {
		const struct pk_tracepoint_field *trace;
		uint64_t value;
		uint32_t key;
	} recent[PK_WORDS_RECENT]; /* for each hash, the number that was looked up last; `key` is 0
				    * if the slot is empty */
};

void pk_words_forget(struct pk_words *words);

/* The state of the stream (see context.h). */
struct pk_stream_state {
	struct pk_reader *reader; /* the reader of the last record */

	/* These members belong to the current session. */
	struct pk_session *session;
	struct pk_tracepoints *tracepoints;
	uint32_t e_machine; /* EM_* of ELF; 0 if it is unknown */
	struct pk_parallelism parallelism;
	struct pk_sockets sockets;

	/* These members belong to the current epoch (pk_context.epoch). */
	struct pk_texts texts; /* the texts of tracepoints, and texts that are built for samples */
	struct pk_words words;
	/* What the threads in stacks wait for (enum pk_wait_kind), plus 1, by index of the stack.
	 * An item is 0 if it is not known yet. */
	uint8_t *waits;
	size_t waits_count;

	struct buffer text;	   /* memory in which the text of one value is built */
	struct pk_column duration; /* the field "duration" of events, from which the field "start"
				    * is computed */

	/* The code of objects. All four are NULL without PK_NEED_CODE or without code.symbols. */
	struct pk_code_objects *objects;
	struct pk_places *places;
	struct pk_access_types *access_types;
	struct pk_address_names *address_names;
};

#endif
