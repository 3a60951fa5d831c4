/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ANONYMIZER_PARTS_H
#define PK_FILTER_ANONYMIZER_PARTS_H

/* What the files of the anonymizer share: the state of the anonymizer, and functions that build a
 * record. */

#include "anonymize.h"
#include "pkprivate.h"
#include "pkutil.h"

/* How an address is moved. SPACE_MEMORY means that it is moved as an address in memory. SPACE_FILE
 * means that it is moved by the distance of its file. */
enum address_space { SPACE_MEMORY, SPACE_FILE };

/* The state of the anonymizer. */
struct anonymizer {
	struct pk_run *run;
	struct aliases aliases;
	struct slim slim;
	anonymize_fn put;
	void *arg;
	uint64_t left_out[3]; /* numbers of records, features and definitions that were removed
			       * because their kind is unknown; the index is LEFT_* */
	uint64_t samples; /* number of samples that were removed because they have unknown fields */
	/* ---- Valid for one session ---- */
	/* The definitions of the input, before they were changed. */
	struct pk_dictionary *dictionary;
	struct object {
		enum address_space space;
		uint64_t offset;
	} * images; /* how the addresses of each image are moved; the index is the id of the image
		     * minus 1 */
	uint32_t images_count; /* number of images, which is also the id of the last image */
	size_t images_capacity;
	size_t used;
	uint8_t data[PERF_RECORD_SIZE_MAX + 64]; /* the new record that is being made */
	uint8_t copy[PERF_RECORD_SIZE_MAX + 64]; /* a copy of a whole sample */
};

enum { LEFT_RECORDS, LEFT_FEATURES, LEFT_DEFINITIONS };

/* ---- Making records ---- */

/* Starts a new record with the first `head` bytes of another record. If the new record becomes too
 * large, bytes are dropped, and anonymizer_put() does not write it. */
void *anonymizer_start(struct anonymizer *a, const struct pk_record *record, size_t head);
void anonymizer_add(struct anonymizer *a, const void *data, size_t size);
void anonymizer_add_zeros(struct anonymizer *a, size_t size);
/* Adds zeros until the size is a multiple of 8 bytes. */
void anonymizer_pad(struct anonymizer *a);
void anonymizer_add_padded(struct anonymizer *a, const char *text, size_t size);
/* Adds a text and at least one zero. More zeros follow until the size is a multiple of 8 bytes. */
void anonymizer_add_text(struct anonymizer *a, const char *text);
void anonymizer_add_alias(struct anonymizer *a, const char *name, size_t size);
enum pk_status anonymizer_put(struct anonymizer *a);
/* Replaces a build-id of size bytes. The field has PK_BUILD_ID_MAX bytes. The bytes after the
 * build-id become 0. */
void anonymizer_hide_build_id(const struct anonymizer *a, uint8_t *field, size_t size);
/* Writes the first `size` bytes of a record, which are the fields that this version knows. If the
 * record is shorter, writes the whole record. */
enum pk_status anonymizer_put_head(struct anonymizer *a, const struct pk_record *record,
				   size_t size);

/* ---- Kinds of records ---- */

/* Handles kernel records and HEADER_BUILD_ID. */
enum pk_status anonymize_kernel_record(struct anonymizer *a, const struct pk_record *record);
/* Handles pk's definitions. */
enum pk_status anonymize_definition(struct anonymizer *a, const struct pk_record *record);

#endif
