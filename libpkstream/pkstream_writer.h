/* SPDX-License-Identifier: BSD-2-Clause */
/* The writer of a stream. Programs include pkstream.h. */
#ifndef PKSTREAM_WRITER_H
#define PKSTREAM_WRITER_H

#include <sys/types.h>

#include "pkstream_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pk_writer_options {
	/* Like write(2). If write is NULL, the writer calls write(2) on fd. The caller closes fd.
	 */
	ssize_t (*write)(void *arg, const void *buf, size_t size);
	void *arg;
	int fd;
};

struct pk_writer;

/* Copies the options. If fd is a pipe, enlarges it if the system allows that. */
PK_API PK_MUST_CHECK enum pk_status pk_writer_new_sized(const struct pk_writer_options *options,
							size_t options_size,
							struct pk_writer **writer);
static inline PK_MUST_CHECK enum pk_status pk_writer_new(const struct pk_writer_options *options,
							 struct pk_writer **writer)
{
	return pk_writer_new_sized(options, sizeof(*options), writer);
}

/* Frees the writer and drops buffered bytes. Call pk_writer_flush() first. */
PK_API void pk_writer_free(struct pk_writer *writer);
/* Starts a stream: writes the 16-byte header, and resets the counters of records and samples to 0.
 */
PK_API enum pk_status pk_writer_header(struct pk_writer *writer);
/* Appends a whole record. After an error, all later calls of the writer's functions return the
 * error again. So it is sufficient to check the status of pk_writer_flush(). */
PK_API enum pk_status pk_writer_record(struct pk_writer *writer, const void *data, size_t size);
/* Appends a record of size bytes, writes its header, and returns its start. size is a multiple of
 * 8, and at most PERF_RECORD_SIZE_MAX. The caller must fill the bytes after the header before the
 * next call. Returns NULL after an error. */
PK_API uint8_t *pk_writer_append(struct pk_writer *writer, uint32_t type, uint16_t misc,
				 size_t size);
/* Appends size bytes. The bytes can be whole records. Then `records` is their number, and `samples`
 * is the number of SAMPLEs among them. Or the bytes are the payload of the last record. Then
 * `records` and `samples` are 0. Buffers of 64 KiB or more are written without a copy. The caller
 * may change the bytes after the call. */
PK_API enum pk_status pk_writer_bytes(struct pk_writer *writer, const void *data, size_t size,
				      uint64_t records, uint64_t samples);
/* Appends the current record of reader with its payload. If the reader cannot read the whole
 * payload, the reader's status is returned. If the payload has at most 16 MiB, neither the record
 * nor the payload is written in this case. With a larger payload, the writer fails, too. */
PK_API enum pk_status pk_writer_copy(struct pk_writer *writer, struct pk_reader *reader,
				     const struct pk_record *record);
/* Writes all buffered bytes. */
PK_API enum pk_status pk_writer_flush(struct pk_writer *writer);

/* Writes a HEADER_ATTR record with the first attr->size bytes of *attr and with the ids. attr->size
 * may be at most sizeof(*attr). The flags of *attr have the bit order of struct pk_event. */
PK_API enum pk_status pk_writer_attr(struct pk_writer *writer, const struct perf_attr *attr,
				     const uint64_t *ids, size_t count);
/* Writes an EVENT_UPDATE record. subtype is one of PERF_EVENT_UPDATE_*. */
PK_API enum pk_status pk_writer_update(struct pk_writer *writer, uint64_t subtype, uint64_t id,
				       const void *data, size_t size);
/* These functions append THREAD_MAP and CPU_MAP records with count zeroed entries, and return the
 * entries. The caller must fill the entries before the next call. They return NULL after an error.
 */
PK_API struct perf_thread_map_entry *pk_writer_thread_map(struct pk_writer *writer, size_t count);
PK_API struct perf_cpus_list *pk_writer_cpu_map(struct pk_writer *writer, size_t count);
PK_API enum pk_status pk_writer_status(const struct pk_writer *writer);
/* pk_writer_error() returns the text of the first error, or "" if there was none. pk_writer_errno()
 * returns the errno of the failed write, or 0 if no write has failed. */
PK_API const char *pk_writer_error(const struct pk_writer *writer);
PK_API int pk_writer_errno(const struct pk_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
