/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SIFT_INTERNAL_H
#define PK_FILTER_SIFT_INTERNAL_H

#include "pkutil.h"
#include "sift.h"

/* What a tracepoint or a probe has for an OWN of the expression. */
struct binding {
	const struct pk_tracepoint *tracepoint;
	const struct pk_tracepoint_field *field; /* NULL: none of that name and type */
	const struct pk_argument *argument;	 /* the same */
};

struct sifter {
	struct where *where;
	const char *what, *text;
	unsigned int owns, memos_count; /* in the expression */
	struct sift_memo
		*memos; /* two for each comparison: of stacks (or what it is by), of frames */
	bool *bound;	/* by own: some event has such a field */
	bool *mismatch; /* by own: some event has it of another type */
	bool needs_stacks, needs_tasks, stackless;
	uint64_t without_stack, undefined_stack; /* samples whose stacks were asked for */
	/* The session's: */
	struct pk_session *session;
	struct pk_dictionary *dictionary;
	struct pk_tracepoints *tracepoints;
	bool symbolized;
	struct binding *bindings; /* owns for each event */
	size_t bindings_count;
	bool *events_bound;
	size_t events_count;
	uint32_t *way; /* up a stack */
	size_t way_capacity;
	bool failed;
	/* The sample's: */
	const struct pk_record *record;
	const struct pk_event *event;
	const struct binding *binding; /* of the event */
	struct pk_sample sample;
	bool decoded;
	char digits[48];
	uint32_t stack; /* index in the dictionary; UINT32_MAX: none */
};

/* The whole sample; NULL if it cannot be read. */
const struct pk_sample *sifter_sample(struct sifter *sifter);
/* What a mode of PERF_RECORD_MISC_CPUMODE_MASK is called. */
const char *sifter_mode(uint16_t misc);
/* Where a field that has a place of its own stands in samples of an event, 0: it is not there; and
 * whether it has 4 bytes. */
uint16_t sifter_place(const struct pk_event *event, enum where_field field, bool *narrow);
/* A number of the sample; false: it has none. */
bool sifter_number(struct sifter *sifter, const struct where *node, __int128 *number);
/* Answers a comparison of numbers. */
bool sifter_compare(struct sifter *sifter, const struct where *node);
/* Says of a comparison whether it can be answered by sifter_in_range. */
void sifter_find_range(struct where *node);
bool sifter_in_range(struct sifter *sifter, const struct where *node);
/* Does the glob (or, of EQ, the string) fit the text? */
bool sifter_fits(const struct where *node, const char *text);
/* Answers a comparison of a string field with a string. */
bool sifter_match(struct sifter *sifter, const struct where *node);
/* The string a field of the sample has; false: none. Not for STACK. */
bool sifter_text(struct sifter *sifter, const struct where *node, struct pk_bytes *text);
/* Sees to it that count answers are there. False: out of memory. */
bool memo_reserve(struct sift_memo *memo, size_t count);

#endif
