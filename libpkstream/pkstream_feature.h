/* SPDX-License-Identifier: BSD-2-Clause */
/* Features: what a recording says about its machine (HEADER_FEATURE; SPEC 6). Programs include
 * pkstream.h. */
#ifndef PKSTREAM_FEATURE_H
#define PKSTREAM_FEATURE_H

#include "pkstream_reader.h"
#include "pkstream_writer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A feature that is built in steps, in host byte order. PK_FEATURE_BUILD_MAX is the largest size of
 * the record with its header. Content beyond this size is dropped, and `overflow` is set. The
 * struct is too large for the stack. */
#define PK_FEATURE_BUILD_MAX (4u << 20)
struct pk_feature {
	uint32_t size;
	bool overflow;
	uint8_t data[PK_FEATURE_BUILD_MAX];
};

PK_API void pk_feature_start(struct pk_feature *feature, enum perf_feature id);
PK_API void pk_feature_u32(struct pk_feature *feature, uint32_t value);
PK_API void pk_feature_u64(struct pk_feature *feature, uint64_t value);
PK_API void pk_feature_bytes(struct pk_feature *feature, const void *data, size_t size);
/* Adds a string in perf's format. This is the size as u32, and then the text, padded with NULs to a
 * multiple of 64 bytes. */
PK_API void pk_feature_string(struct pk_feature *feature, const char *text);
/* Pads the feature to a multiple of 8 bytes and writes it as a HEADER_FEATURE. If the feature does
 * not fit into one record, writes it as FEATURE_PART records (SPEC 9.13). If overflow is set,
 * writes nothing and returns PK_UNSUPPORTED, and the writer can still be used. */
PK_API enum pk_status pk_feature_write(struct pk_feature *feature, struct pk_writer *writer);

/* The feature that the last record of pk_reader_next or pk_order_next completes. This record is a
 * HEADER_FEATURE, or the last FEATURE_PART of a feature (SPEC 9.13). pk_reader_feature() returns
 * false if the record completes no feature, if the feature is empty, or if its id is 0 or larger
 * than 32 bits. The content is valid as long as the record. Padding can follow the content. */
struct pk_feature_content {
	uint32_t id;
	const uint8_t *data;
	size_t size;
};
PK_API bool pk_reader_feature(const struct pk_reader *reader, const struct pk_record *record,
			      struct pk_feature_content *feature);
/* Returns the id of a HEADER_FEATURE record. Returns 0 if it is another record, or if the id does
 * not fit into 32 bits. */
PK_API uint32_t pk_feature_id(const struct pk_record *record);
/* For a HEADER_FEATURE whose content is one string (HOSTNAME, OSRELEASE, VERSION, ARCH and others).
 * The function does not check the id. It copies at most size - 1 bytes of the string, and a NUL. It
 * returns false if the record is too short for the string. */
PK_API bool pk_feature_get_string(const struct pk_record *record, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
