/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ANONYMIZER_PARTS_H
#define PK_FILTER_ANONYMIZER_PARTS_H

/* What the files of the anonymizer share: its state, and the record that is being built. */

#include "anonymize.h"
#include "pkprivate.h"
#include "pkutil.h"

/* What determines the distance for addresses: memory, or the file of a DSO or an IMAGE. */
enum address_space { SPACE_MEMORY, SPACE_FILE };

struct anonymizer {
	struct pk_run *run;
	struct aliases aliases;
	struct slim slim;
	anonymize_fn put;
	void *arg;
	uint64_t left_out[3]; /* records, features, definitions of unknown kind */
	uint64_t samples;     /* number of samples of unreadable events, which are skipped */
	/* The session's: */
	struct pk_dictionary *dictionary; /* the unchanged definitions */
	struct object {
		enum address_space space;
		uint64_t offset;
	} * images;	       /* by image id - 1 */
	uint32_t images_count; /* last id */
	size_t images_capacity;
	size_t used;
	uint8_t data[PERF_RECORD_SIZE_MAX + 64]; /* the record that is being built */
	uint8_t copy[PERF_RECORD_SIZE_MAX + 64]; /* a copy of a whole sample */
};

enum { LEFT_RECORDS, LEFT_FEATURES, LEFT_DEFINITIONS };

/* ---- Making records ---- */

/* Starts a record with the first bytes of another one. If it becomes too large, it is cut, and
 * anonymizer_put() then skips it. */
void *anonymizer_start(struct anonymizer *a, const struct pk_record *record, size_t head);
void anonymizer_add(struct anonymizer *a, const void *data, size_t size);
void anonymizer_add_zeros(struct anonymizer *a, size_t size);
/* Adds zeros up to a multiple of 8 bytes. */
void anonymizer_pad(struct anonymizer *a);
void anonymizer_add_padded(struct anonymizer *a, const char *text, size_t size);
/* Adds a text, and zeros up to a multiple of 8 bytes, at least one. */
void anonymizer_add_text(struct anonymizer *a, const char *text);
void anonymizer_add_alias(struct anonymizer *a, const char *name, size_t size);
enum pk_status anonymizer_put(struct anonymizer *a);
/* Replaces a build-id in a field of PK_BUILD_ID_MAX bytes. The bytes after it become zero. */
void anonymizer_hide_build_id(const struct anonymizer *a, uint8_t *field, size_t size);
/* Writes the first bytes of a record: the fields that this version knows, or the whole record if it
 * is shorter. */
enum pk_status anonymizer_put_head(struct anonymizer *a, const struct pk_record *record,
				   size_t size);

/* ---- Kinds of records ---- */

/* Records of the kernel, and HEADER_BUILD_ID. */
enum pk_status anonymize_kernel_record(struct anonymizer *a, const struct pk_record *record);
/* pk's definitions. */
enum pk_status anonymize_definition(struct anonymizer *a, const struct pk_record *record);

#endif
