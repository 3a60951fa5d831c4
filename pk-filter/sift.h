/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SIFT_H
#define PK_FILTER_SIFT_H

/* Which samples an expression is true of. */

#include "run.h"
#include "where.h"

struct sifter;

/* where, an expression or the name of a field, stays the caller's and is written to; text: what it
 * was parsed from, and what: the option, for messages. NULL: out of memory. */
struct sifter *sifter_new(struct where *where, const char *what, const char *text);
void sifter_free(struct sifter *sifter);
/* Does it take what other records say of tasks and maps, in the order of time? */
bool sifter_needs_order(const struct where *where);
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
