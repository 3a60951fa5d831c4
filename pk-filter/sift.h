/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SIFT_H
#define PK_FILTER_SIFT_H

/* Which samples an expression is true of. */

#include "pkutil.h"
#include "run.h"
#include "where.h"

struct sifter;

/* where, an expression or the name of a field, stays the caller's and is written to; text: what it
 * was parsed from, and what: the option, for messages. NULL: out of memory. */
struct sifter *sifter_new(struct where *where, const char *what, const char *text);
void sifter_free(struct sifter *sifter);
/* Does it take what other records say of tasks and maps, in the order of time? */
bool sifter_needs_order(const struct where *where);
/* Does it take the formats of tracepoints? They also name events that the stream does not. */
bool sifter_needs_formats(const struct sifter *sifter);
/* For a new session. False: out of memory. */
bool sifter_begin(struct sifter *sifter);
/* Takes in what a record that is no SAMPLE says of tasks, names and formats. */
enum pk_status sifter_record(struct sifter *sifter, struct pk_run *run,
			     const struct pk_record *record);
/* For the payload of TRACING_DATA to be loaded into; what was taken of earlier ones, and of the
 * names of events, is forgotten. */
struct pk_tracepoints *sifter_tracepoints(struct sifter *sifter);
/* Is it true of this SAMPLE, which is whole? symbolized: it has its stack behind it. */
bool sifter_keeps(struct sifter *sifter, const struct pk_record *record, bool symbolized);
/* Answers by number: 0 not known, 1 no, 2 yes. */
struct sift_memo {
	uint8_t *answers;
	size_t count;
};

/* What can be told of most samples of an event by a glance. */
struct sift_glance {
	enum { GLANCE_NONE, GLANCE_NUMBER, GLANCE_MODE, GLANCE_STACK } kind;
	bool negated;
	uint16_t at;	    /* NUMBER: where it stands, which is 8 bytes long */
	bool narrow;	    /* or 4, with a sign */
	uint64_t low, high; /* see struct where */
	uint8_t modes;	    /* MODE: a bit for each */
	uint32_t base;	    /* STACK: answers begin behind this id */
	const struct sift_memo *memo;
};

/* Good until the next record that is no SAMPLE and none of STRING, DSO, FRAME, STACK. */
void sifter_glance(struct sifter *sifter, const struct pk_event *event, bool symbolized,
		   struct sift_glance *glance);

/* 1: it is true of this SAMPLE, 0: it is not; -1: ask sifter_keeps. */
static inline int sift_glance_at(const struct sift_glance *glance, const struct pk_record *record)
{
	uint64_t number;
	bool answer;

	switch (glance->kind) {
	case GLANCE_NUMBER:
		number = glance->narrow
				 ? pk_load_u32(record->data + glance->at) ^ (UINT64_C(1) << 31)
				 : pk_load_u64(record->data + glance->at);
		answer = number >= glance->low && number <= glance->high;
		break;
	case GLANCE_MODE: answer = glance->modes >> (record->misc & 7) & 1; break;
	case GLANCE_STACK:
		number = pk_stack_trailer(record->data, record->size) - glance->base - 1;
		if (number >= glance->memo->count || !glance->memo->answers[number])
			return -1;
		answer = glance->memo->answers[number] == 2;
		break;
	default: return -1;
	}
	return answer != glance->negated;
}

/* What a SAMPLE has for the field, a number in decimal. False: it has none. Borrowed until the next
 * sample. */
bool sifter_value(struct sifter *sifter, const struct pk_record *record, bool symbolized,
		  struct pk_bytes *value);
/* At the end of a session, whose events these are: their fields are there without samples, too. */
void sifter_end(struct sifter *sifter, const struct pk_events *events);
/* At the end: says what of the expression could not be looked at. False if there was something. */
bool sifter_tell(const struct sifter *sifter);

/* The expression, and a caret below what the error is about, on stderr; what: the option. */
void sifter_complain(const char *what, const char *text, size_t at, const char *error);

#endif
