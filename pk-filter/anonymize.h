/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ANONYMIZE_H
#define PK_FILTER_ANONYMIZE_H

/*
 * Records without what would tell whose they are: names, paths, addresses and identifiers are
 * replaced (aliases.h), and what may hold anything is left out. docs/anonymize.md says what becomes
 * of what. Whatever is not known to be harmless is left out, too. The same backwards: with restore
 * what is there now is put back, and all else is passed on.
 */

#include "aliases.h"
#include "run.h"
#include "slim.h"

struct anonymizer;

struct anonymize_options {
	const void *key; /* NULL: a random one */
	size_t key_size;
	uint64_t
		keep; /* PERF_SAMPLE_* of what is passed on as it is, though it may hold anything */
	uint64_t drop; /* PERF_SAMPLE_* that go as well */
	bool strip;    /* trailers, too */
	/* Where the key and all names are noted, if it is not NULL, and has the key, if there was
	 * one; with restore it says what is put back. */
	struct alias_key *names;
	bool restore;
};

/* Where records go. */
typedef enum pk_status (*anonymize_fn)(void *arg, const struct pk_record *record);

/* NULL: out of memory, or there are no random numbers. */
struct anonymizer *anonymizer_new(struct pk_run *run, const struct anonymize_options *options,
				  anonymize_fn put, void *arg);
void anonymizer_free(struct anonymizer *anonymizer);
const struct aliases *anonymizer_aliases(const struct anonymizer *anonymizer);
/* For a new session. False: out of memory. */
bool anonymizer_start_session(struct anonymizer *anonymizer);
/* A SAMPLE with its event; trailers: PK_TRAILER_* of the session. */
enum pk_status anonymizer_sample(struct anonymizer *anonymizer, const struct pk_record *record,
				 uint32_t trailers);
/* Any other record that is no stage's own (pk_stage_record) and has no payload. */
enum pk_status anonymizer_record(struct anonymizer *anonymizer, const struct pk_record *record);
/* True if a payload like this one's is to be passed on. */
bool anonymizer_keeps_payload(const struct anonymizer *anonymizer, const struct pk_record *record);
/* Warns about records of unknown kind that were left out. */
void anonymizer_report(const struct anonymizer *anonymizer);

#endif
