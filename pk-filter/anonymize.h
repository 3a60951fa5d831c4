/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ANONYMIZE_H
#define PK_FILTER_ANONYMIZE_H

/* Removes identifying data from records: names, paths, addresses and identifiers are replaced
 * (aliases.h), and fields that can contain any data are removed. docs/anonymize.md has the details.
 * All unknown fields and records are removed, too. With restore, the reverse: aliases are replaced
 * with the originals, and all other data is unchanged. */

#include "aliases.h"
#include "run.h"
#include "slim.h"

struct anonymizer;

struct anonymize_options {
	const void *key; /* the secret key; NULL: a random one */
	size_t key_size;
	uint64_t keep; /* PERF_SAMPLE_* that are kept, although they can contain any data */
	uint64_t drop; /* PERF_SAMPLE_* that are removed in addition */
	bool strip;    /* remove pk's trailers, too */
	/* Stores the key and all names. May be NULL. A hash key in it is used. With restore, it is
	 * the source of the originals. */
	struct alias_key *names;
	bool restore;
};

/* Receives the resulting records. */
typedef enum pk_status (*anonymize_fn)(void *arg, const struct pk_record *record);

/* Returns NULL if memory is exhausted, or no random numbers are available. */
struct anonymizer *anonymizer_new(struct pk_run *run, const struct anonymize_options *options,
				  anonymize_fn put, void *arg);
void anonymizer_free(struct anonymizer *anonymizer);
const struct aliases *anonymizer_aliases(const struct anonymizer *anonymizer);
/* For a new session. */
PK_MUST_CHECK enum pk_status anonymizer_start_session(struct anonymizer *anonymizer);
/* Handles a SAMPLE with its event. trailers are the PK_TRAILER_* of the session. */
enum pk_status anonymizer_sample(struct anonymizer *anonymizer, const struct pk_record *record,
				 uint32_t trailers);
/* Handles any other record that pk_stage_record did not handle, without payload. */
enum pk_status anonymizer_record(struct anonymizer *anonymizer, const struct pk_record *record);
/* True if the payload of this record is written. */
bool anonymizer_keeps_payload(const struct anonymizer *anonymizer, const struct pk_record *record);
/* Warns about records, features, definitions and samples of unknown kind that were removed. */
void anonymizer_report(const struct anonymizer *anonymizer);

#endif
