/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ANONYMIZE_H
#define PK_FILTER_ANONYMIZE_H

/* Removes identifying data from records. Names, paths, addresses and identifiers are replaced (see
 * aliases.h). Fields that can contain arbitrary data are removed, and so are unknown fields and
 * records. docs/anonymize.md has the details. With restore, aliases are replaced by their
 * originals, and all other data is not changed. */

#include "aliases.h"
#include "run.h"
#include "slim.h"

struct anonymizer;

/* How records are anonymized or restored. */
struct anonymize_options {
	const void *key; /* the secret key; if NULL, a random key is used */
	size_t key_size;
	uint64_t keep; /* PERF_SAMPLE_* bits of fields that are kept, although they can contain
			* arbitrary data */
	uint64_t drop; /* PERF_SAMPLE_* bits of additional fields that are removed */
	bool strip;    /* also remove pk's trailers */
	/* Stores the hash key and all names. May be NULL if restore is false. If it already has a
	 * hash key, this key is used. If restore is true, it has the originals of the aliases. */
	struct alias_key *names;
	bool restore;
};

/* This function receives the resulting records. */
typedef enum pk_status (*anonymize_fn)(void *arg, const struct pk_record *record);

/* Returns NULL if memory is exhausted or no random numbers are available. */
struct anonymizer *anonymizer_new(struct pk_run *run, const struct anonymize_options *options,
				  anonymize_fn put, void *arg);
void anonymizer_free(struct anonymizer *anonymizer);
const struct aliases *anonymizer_aliases(const struct anonymizer *anonymizer);
/* Call this at the start of each session. */
PK_MUST_CHECK enum pk_status anonymizer_start_session(struct anonymizer *anonymizer);
/* Handles a SAMPLE. record->event must be set. trailers are the PK_TRAILER_* of the session. */
enum pk_status anonymizer_sample(struct anonymizer *anonymizer, const struct pk_record *record,
				 uint32_t trailers);
/* Handles any other record without payload that pk_stage_record() did not handle. */
enum pk_status anonymizer_record(struct anonymizer *anonymizer, const struct pk_record *record);
/* Returns true if the payload of this record must be written. */
bool anonymizer_keeps_payload(const struct anonymizer *anonymizer, const struct pk_record *record);
/* Warns about records, features, definitions and samples that were removed because their kind is
 * unknown. */
void anonymizer_report(const struct anonymizer *anonymizer);

#endif
