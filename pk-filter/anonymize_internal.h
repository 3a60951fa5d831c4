/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ANONYMIZE_INTERNAL_H
#define PK_FILTER_ANONYMIZE_INTERNAL_H

#include "anonymize.h"
#include "pkutil.h"

/* What the addresses of an object are moved by: as the object of a DSO, or an IMAGE. */
enum address_space { SPACE_MEMORY, SPACE_FILE };

struct anonymizer {
	struct pk_run *run;
	struct aliases aliases;
	struct slim slim;
	anonymize_fn put;
	void *arg;
	uint64_t left_out[3]; /* records, features, definitions of unknown kind */
	uint64_t samples;     /* of events that cannot be read, left out */
	/* The session's: */
	struct pk_dictionary *dictionary; /* as it was */
	struct object {
		enum address_space space;
		uint64_t offset;
	} * images;	       /* by id - 1 */
	uint32_t images_count; /* ids so far */
	size_t images_capacity;
	size_t used;
	uint8_t data[PERF_RECORD_SIZE_MAX + 64]; /* the record that is being made */
	uint8_t copy[PERF_RECORD_SIZE_MAX + 64]; /* a sample, whole */
};

enum { LEFT_RECORDS, LEFT_FEATURES, LEFT_DEFINITIONS };

/* Making a record out of another one: its first bytes, then more. What goes beyond the largest
 * record is cut off, and anonymize_put then leaves it out. */
void *anonymize_begin(struct anonymizer *a, const struct pk_record *record, size_t head);
void anonymize_add(struct anonymizer *a, const void *data, size_t size);
/* Of a name, the alias, and zeros up to a multiple of 8, at least one. */
void anonymize_add_name(struct anonymizer *a, const char *name, size_t size);
enum pk_status anonymize_put(struct anonymizer *a);
/* A build-id in a field of PK_BUILD_ID_MAX bytes, what is behind it becomes zero. */
void anonymize_build_id(const struct anonymizer *a, uint8_t *field, size_t size);
/* So many bytes of a record, which is what this version knows of it, padded; or all of them. */
enum pk_status anonymize_head(struct anonymizer *a, const struct pk_record *record, size_t size);
/* An address of an object, or in memory. */
uint64_t anonymize_in(const struct anonymizer *a, const struct object *object, uint64_t address);
/* What the addresses of an object of that kind and path are. */
struct object anonymize_object(const struct anonymizer *a, uint32_t kind, const char *path);

enum pk_status anonymize_definition(struct anonymizer *a, const struct pk_record *record);
enum pk_status anonymize_feature(struct anonymizer *a, const struct pk_record *record);
enum pk_status anonymize_attr(struct anonymizer *a, const struct pk_record *record);
enum pk_status anonymize_update(struct anonymizer *a, const struct pk_record *record);
/* perf's records that have numbers only. */
enum pk_status anonymize_numbers(struct anonymizer *a, const struct pk_record *record);
/* Records of the kernel that are no samples, and HEADER_BUILD_ID. */
enum pk_status anonymize_kernel(struct anonymizer *a, const struct pk_record *record);

#endif
