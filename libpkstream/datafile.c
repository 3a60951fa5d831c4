// SPDX-License-Identifier: BSD-2-Clause
/* Reads a perf.data file as if it were the stream that perf would have written instead of the file
 * (SPEC, appendix A). The header of the file becomes HEADER_ATTR, HEADER_FEATURE, TRACING_DATA and
 * BUILD_ID records. The data section follows unchanged. All bytes stay in the file's byte order, so
 * the reader needs no special code for files. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datafile.h"
#include "input.h"
#include "feature_records.h"
#include "pkutil.h"
#include "simpleperf.h"
#include "vector.h"

#define PK_DATAFILE_HEADER_OLD 72 /* size of a header without the feature bitmap */

/* A part of the stream. The part is either bytes in memory or a range of the file. */
struct pk_piece {
	uint8_t *memory; /* NULL if the part is a range of the file */
	uint64_t offset, size, used;
};

struct pk_section {
	uint64_t offset, size;
};

/* A perf.data file that is being read as a stream. */
struct pk_datafile {
	int fd;
	bool spool; /* fd is a temporary copy, which is closed together with the file */
	bool swapped;
	uint64_t base;	   /* offset of the file's header in fd */
	uint64_t size;	   /* number of bytes from base to the end of fd */
	uint64_t end;	   /* end of the last section of the file, in bytes from base */
	uint64_t ids_left; /* number of bytes of ids that may still be read; limits the time if the
			    * events of a damaged file share their ids */
	uint64_t features_left;
	uint32_t images;    /* number of IMAGE definitions that were made from the header */
	bool from_stream;   /* pk wrote the file, so the definitions are in the data section */
	uint64_t directory; /* version in the feature DIR_FORMAT, or 0 if the file is not part of a
			     * directory */
	/* The HEADER_ATTR records that were made from the table of events. An entry of the table
	 * with many ids becomes several records. */
	struct pk_file_event {
		uint64_t entry, id; /* entry is the index in the table of events. id is the first id
				     * of the record, or 0 if it has no id */
	} * events;
	size_t events_count, events_capacity;
	struct pk_piece *pieces;
	size_t count, capacity, next;
	uint8_t *head; /* the records that were made from the header and are not in a part yet */
	size_t head_size, head_capacity;
	uint64_t head_total; /* bytes of the stream before the data section */
	struct pk_section data;
	const char *missing;
	bool failed; /* memory was exhausted */
	pk_datafile_warn warn;
	void *arg;
};

static inline uint64_t pk_get_u64(const struct pk_datafile *file, const uint8_t *p)
{
	return file->swapped ? __builtin_bswap64(pk_load_u64(p)) : pk_load_u64(p);
}

static inline uint32_t pk_get_u32(const struct pk_datafile *file, const uint8_t *p)
{
	return file->swapped ? __builtin_bswap32(pk_load_u32(p)) : pk_load_u32(p);
}

static inline uint16_t pk_get_u16(const struct pk_datafile *file, const uint8_t *p)
{
	return file->swapped ? __builtin_bswap16(pk_load_u16(p)) : pk_load_u16(p);
}

/* These functions convert a number from the host's byte order to the file's byte order. */
static inline uint64_t pk_file_u64(const struct pk_datafile *file, uint64_t value)
{
	return file->swapped ? __builtin_bswap64(value) : value;
}

static inline uint32_t pk_file_u32(const struct pk_datafile *file, uint32_t value)
{
	return file->swapped ? __builtin_bswap32(value) : value;
}

static inline uint16_t pk_file_u16(const struct pk_datafile *file, uint16_t value)
{
	return file->swapped ? __builtin_bswap16(value) : value;
}

/* Reads size bytes at the offset in the file. On failure, returns PK_IO and sets errno. If the file
 * is too short, errno is 0. */
static enum pk_status pk_datafile_load(const struct pk_datafile *file, uint64_t offset, void *data,
				       size_t size)
{
	uint8_t *at = data;

	errno = 0;
	if (offset > file->size || size > file->size - offset)
		return PK_IO;
	while (size) {
		ssize_t n = pread(file->fd, at, size, (off_t)(file->base + offset));

		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			errno = 0;
		if (n <= 0)
			return PK_IO;
		at += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return PK_OK;
}

static bool pk_datafile_has(const struct pk_datafile *file, const struct pk_section *section)
{
	return section->offset <= file->size && section->size <= file->size - section->offset;
}

static void pk_datafile_complain(const struct pk_datafile *file, uint64_t offset, uint32_t type,
				 const char *text)
{
	file->warn(file->arg, file->base + offset, type, text);
}

/* Reports that `what` cannot be read, after pk_datafile_load() has failed. The text includes the
 * error if errno is set. */
static void pk_datafile_complain_unread(const struct pk_datafile *file, uint64_t offset,
					uint32_t type, const char *what)
{
	const int error = errno;
	char text[160];

	snprintf(text, sizeof(text), "%s cannot be read%s%s", what, error ? ": " : "",
		 error ? strerror(error) : "");
	pk_datafile_complain(file, offset, type, text);
}

/* Sets file->end to the end of the section if the section ends later than file->end. */
static void pk_datafile_note_end(struct pk_datafile *file, const struct pk_section *section)
{
	if (section->offset + section->size > file->end)
		file->end = section->offset + section->size;
}

/* ---- The parts of the stream ---- */

static void add_piece(struct pk_datafile *file, uint8_t *memory, uint64_t offset, uint64_t size)
{
	if (pk_reserve(&file->pieces, &file->capacity, file->count, 1, sizeof(*file->pieces)) !=
	    PK_OK) {
		free(memory);
		file->failed = true;
		return;
	}
	file->pieces[file->count++] = (struct pk_piece){memory, offset, size, 0};
}

/* Appends size zeroed bytes to file->head, and returns their start. If memory is exhausted, returns
 * NULL, and all later calls fail, too. */
static uint8_t *pk_datafile_add(struct pk_datafile *file, size_t size)
{
	uint8_t *at;

	/* Reserves one byte more than size, so the result is not NULL if size is 0. */
	if (pk_reserve(&file->head, &file->head_capacity, file->head_size, size + 1, 1) != PK_OK) {
		file->failed = true;
		return NULL;
	}
	at = memset(file->head + file->head_size, 0, size);
	file->head_size += size;
	file->head_total += size;
	return at;
}

/* Adds the bytes in file->head as a part, and a range of the file as the next part. */
static void pk_datafile_add_range(struct pk_datafile *file, const struct pk_section *range)
{
	if (file->head_size) {
		add_piece(file, file->head, 0, file->head_size);
		file->head = NULL;
		file->head_size = file->head_capacity = 0;
	}
	if (range->size)
		add_piece(file, NULL, range->offset, range->size);
}

#define FEATURES_MAX  256
#define ATTRS_MAX     65536
#define ATTR_SIZE_MAX 4096
#define IDS_MAX	      ((PERF_RECORD_SIZE_MAX - 8 - ATTR_SIZE_MAX) / 8) /* ids of one record */
#define NAME_MAX_SIZE 4096 /* maximum size of an event's name in bytes */
/* The limit, in bytes, for the SESSION, STAGE and ORDER records that are read before the features.
 */
#define STAGES_MAX ((uint64_t)1 << 20)
/* The limit, in bytes, for the table of build-ids. */
#define BUILD_IDS_MAX ((uint64_t)64 << 20)

static void fill_header(const struct pk_datafile *file, void *record, uint32_t type, size_t size)
{
	struct perf_header *header = record;

	header->type = pk_file_u32(file, type);
	header->size = pk_file_u16(file, (uint16_t)size);
}

/* Adds a record. The bytes after the record's header are 0. */
static void *add_record(struct pk_datafile *file, uint32_t type, size_t size)
{
	uint8_t *record = pk_datafile_add(file, size);

	if (record)
		fill_header(file, record, type, size);
	return record;
}

/* ---- Events ---- */

static void note_event(struct pk_datafile *file, uint64_t entry, uint64_t id)
{
	if (pk_reserve(&file->events, &file->events_capacity, file->events_count, 1,
		       sizeof(*file->events)) != PK_OK) {
		file->failed = true;
		return;
	}
	file->events[file->events_count++] = (struct pk_file_event){entry, id};
}

/* Adds a HEADER_ATTR record with `count` ids. The ids start at `offset` in the file. */
static void add_attr(struct pk_datafile *file, const uint8_t *attr, size_t attr_size,
		     uint64_t offset, uint64_t count, uint64_t number)
{
	const size_t ids_at = offsetof(struct perf_record_header_attr, attr) + attr_size;
	struct perf_record_header_attr *record =
		add_record(file, PERF_RECORD_HEADER_ATTR, ids_at + 8 * count);
	uint8_t *ids = (uint8_t *)record + ids_at;

	if (!record)
		return;
	memcpy(&record->attr, attr, attr_size);
	record->attr.size = pk_file_u32(file, (uint32_t)attr_size);
	if (count && pk_datafile_load(file, offset, ids, 8 * count) != PK_OK)
		pk_datafile_complain_unread(file, offset, PERF_RECORD_HEADER_ATTR,
					    "ids of an event");
	note_event(file, number, count ? pk_get_u64(file, ids) : 0);
}

/* Adds the HEADER_ATTR records of one event. Ids that do not fit into one record go into further
 * records with the same attr. */
static void add_event(struct pk_datafile *file, const uint8_t *entry, size_t stride,
		      uint64_t offset, uint64_t number)
{
	struct pk_section ids = {pk_get_u64(file, entry + stride - 16),
				 pk_get_u64(file, entry + stride - 8)};
	size_t size = pk_get_u32(file, entry + 4);
	uint64_t count;

	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size > stride - 16)
		size = stride - 16;
	size &= ~(size_t)7;
	if (size < PERF_ATTR_SIZE_VER0) {
		pk_datafile_complain(file, offset, PERF_RECORD_HEADER_ATTR,
				     "an event's attr is too short, skipped");
		return;
	}
	if (!pk_datafile_has(file, &ids) || ids.size > file->ids_left) {
		pk_datafile_complain(file, offset, PERF_RECORD_HEADER_ATTR,
				     "an event's ids are outside the file");
		ids.size = 0;
	}
	if (ids.size % 8)
		pk_datafile_complain(file, offset, PERF_RECORD_HEADER_ATTR,
				     "an event's ids are not a multiple of 8 bytes");
	file->ids_left -= ids.size;
	pk_datafile_note_end(file, &ids);
	count = ids.size / 8;
	do {
		uint64_t now = count < IDS_MAX ? count : IDS_MAX;

		add_attr(file, entry, size, ids.offset, now, number);
		ids.offset += 8 * now;
		count -= now;
	} while (count && !file->failed);
}

static enum pk_status pk_datafile_add_events(struct pk_datafile *file,
					     const struct pk_section *attrs, uint64_t stride)
{
	uint8_t entry[ATTR_SIZE_MAX + 16];
	uint64_t count;

	if (stride < PERF_ATTR_SIZE_VER0 + 16 || stride > sizeof(entry) ||
	    !pk_datafile_has(file, attrs))
		return PK_CORRUPT;
	count = attrs->size / stride;
	if (count > ATTRS_MAX)
		return PK_CORRUPT;
	pk_datafile_note_end(file, attrs);
	for (uint64_t i = 0; i < count && !file->failed; i++) {
		uint64_t offset = attrs->offset + i * stride;

		if (pk_datafile_load(file, offset, entry, (size_t)stride) != PK_OK)
			return errno ? PK_IO : PK_TRUNCATED;
		add_event(file, entry, (size_t)stride, offset, i);
	}
	return PK_OK;
}

/* Adds a range of the file as the content of a record, and pads the content with zeros to `padded`
 * bytes. */
static void add_content(struct pk_datafile *file, const struct pk_section *section, uint64_t padded)
{
	pk_datafile_add_range(file, section);
	file->head_total += section->size;
	pk_datafile_add(file, padded - section->size);
}

/* Returns the size of the record at an offset of the data section if the record is SESSION, STAGE
 * or ORDER. Otherwise, returns 0. */
static uint64_t stage_definition(const struct pk_datafile *file, uint64_t offset)
{
	const uint64_t left = file->data.offset + file->data.size - offset;
	uint8_t head[sizeof(struct pk_definition_head)];
	uint64_t kind;
	uint16_t size;

	if (left < sizeof(head) || pk_datafile_load(file, offset, head, sizeof(head)) != PK_OK)
		return 0;
	size = pk_get_u16(file, head + offsetof(struct perf_header, size));
	kind = pk_get_u64(file, head + offsetof(struct pk_definition_head, subtype)) -
	       PK_SUBTYPE_BASE;
	if (pk_get_u32(file, head) != PERF_RECORD_EVENT_UPDATE || kind < PK_SESSION ||
	    kind > PK_ORDER || size < sizeof(head) || size % 8 || size > left)
		return 0;
	return size;
}

/* Adds SESSION, STAGE and ORDER at the start of the data section before the features. In a stream,
 * these records must follow the events directly (SPEC 9.1). */
static void add_stages(struct pk_datafile *file)
{
	struct pk_section range = {file->data.offset, 0};
	uint64_t size;

	while (range.size < STAGES_MAX &&
	       (size = stage_definition(file, range.offset + range.size)))
		range.size += size;
	add_content(file, &range, range.size);
	file->from_stream = range.size;
	file->data.offset += range.size;
	file->data.size -= range.size;
}

/* ---- Features ---- */

/* Adds a feature as FEATURE_PART records (SPEC 9.13). This is for a feature that does not fit into
 * a HEADER_FEATURE record, and for a feature that perf does not accept in such a record. */
static void add_parts(struct pk_datafile *file, unsigned int id, const struct pk_section *section)
{
	uint32_t order = file->swapped != PK_HOST_IS_BIG ? 2 : 1;
	uint64_t offset = 0;

	do {
		uint64_t left = section->size - offset,
			 now = left < PK_PART_SIZE_MAX ? left : PK_PART_SIZE_MAX;
		struct pk_section part = {section->offset + offset, now};
		struct pk_record_feature_part *record =
			(void *)pk_datafile_add(file, sizeof(*record));

		if (!record)
			return;
		fill_header(file, record, PERF_RECORD_EVENT_UPDATE,
			    sizeof(*record) + PK_ALIGN8(now));
		record->head.subtype = pk_file_u64(file, PK_SUBTYPE_BASE | PK_FEATURE_PART);
		record->feature = pk_file_u32(file, id);
		record->byte_order = pk_file_u32(file, order);
		record->size = pk_file_u64(file, section->size);
		record->offset = pk_file_u64(file, offset);
		add_content(file, &part, PK_ALIGN8(now));
		offset += now;
	} while (offset < section->size);
}

/* Adds a feature. The content is not padded, because a reader could take padding for a field that
 * only newer versions of perf write. */
static void add_feature(struct pk_datafile *file, unsigned int id, const struct pk_section *section)
{
	/* For perf, an empty feature marks the end of the features. So the record of an empty
	 * feature gets 8 zero bytes. */
	size_t size = section->size ? (size_t)section->size : 8;
	struct perf_record_header_feature *record;

	if (section->size > PK_FEATURE_SIZE_MAX) {
		pk_datafile_complain(file, section->offset, PERF_RECORD_HEADER_FEATURE,
				     "a feature larger than 64 MiB, skipped");
		return;
	}
	if (sizeof(*record) + size > PERF_RECORD_SIZE_MAX || id > PK_FEATURE_ID_MAX) {
		add_parts(file, id, section);
		return;
	}
	record = add_record(file, PERF_RECORD_HEADER_FEATURE, sizeof(*record) + size);
	if (!record)
		return;
	record->feat_id = pk_file_u64(file, id);
	if (section->size &&
	    pk_datafile_load(file, section->offset, record->data, (size_t)section->size) != PK_OK)
		pk_datafile_complain_unread(file, section->offset, PERF_RECORD_HEADER_FEATURE,
					    "a feature");
}

static void add_tracing_data(struct pk_datafile *file, const struct pk_section *section)
{
	uint64_t padded = PK_ALIGN8(section->size);
	struct perf_record_tracing_data *record;

	if (padded > UINT32_MAX) {
		pk_datafile_complain(file, section->offset, PERF_RECORD_HEADER_TRACING_DATA,
				     "tracing data too large, skipped");
		return;
	}
	record = add_record(file, PERF_RECORD_HEADER_TRACING_DATA, PK_ALIGN8(sizeof(*record)));
	if (record)
		record->size = pk_file_u32(file, (uint32_t)padded);
	add_content(file, section, padded);
}

/* Returns the size of the record at the offset, and sets *type. Returns 0 if the data section has
 * no whole record there. */
static uint64_t record_at(const struct pk_datafile *file, uint64_t offset, uint32_t *type)
{
	const uint64_t left = file->data.offset + file->data.size - offset;
	uint8_t header[sizeof(struct perf_header)];
	uint64_t size;

	if (left < sizeof(header) ||
	    pk_datafile_load(file, offset, header, sizeof(header)) != PK_OK)
		return 0;
	*type = pk_get_u32(file, header);
	size = pk_get_u16(file, header + offsetof(struct perf_header, size));
	return size >= sizeof(header) && size <= left ? size : 0;
}

/* Newer versions of simpleperf write the formats of tracepoints as the first record of the data
 * section. The record has a type of its own. Its payload follows a number of 32 bits, which is the
 * size of the payload. If the record is larger than 65,535 bytes, its bytes are divided among SPLIT
 * records. Changes this record into TRACING_DATA. */
static void add_simpleperf_tracing_data(struct pk_datafile *file)
{
	const size_t head = sizeof(struct perf_record_tracing_data);
	const uint64_t outer = sizeof(struct perf_header);
	struct perf_record_tracing_data inner, *record;
	uint64_t at = file->data.offset, skip, total = 0, left;
	uint32_t type = 0;
	uint64_t size = record_at(file, at, &type);
	const bool split = size && type == PK_SIMPLEPERF_SPLIT;

	skip = split ? outer : 0;
	if (size < skip + head || pk_datafile_load(file, at + skip, &inner, head) != PK_OK ||
	    pk_file_u32(file, inner.header.type) != PK_SIMPLEPERF_TRACING_DATA)
		return;
	left = pk_file_u32(file, inner.size);
	record = add_record(file, PERF_RECORD_HEADER_TRACING_DATA, PK_ALIGN8(head));
	skip += head;
	do {
		const uint64_t now = size - skip < left ? size - skip : left;

		add_content(file, &(struct pk_section){at + skip, now}, now);
		total += now;
		left -= now;
		at += size;
		skip = outer;
		size = split ? record_at(file, at, &type) : 0;
	} while (size && type == PK_SIMPLEPERF_SPLIT);
	if (size && type == PK_SIMPLEPERF_SPLIT_END)
		at += size;
	if (record && !file->failed)
		record->size = pk_file_u32(file, (uint32_t)PK_ALIGN8(total));
	pk_datafile_add(file, PK_ALIGN8(total) - total);
	if (left)
		pk_datafile_complain(file, file->data.offset, PK_SIMPLEPERF_TRACING_DATA,
				     "tracing data ends early");
	file->data.size -= at - file->data.offset;
	file->data.offset = at;
}

/* ---- Names: perf takes them from EVENT_DESC in files, and from EVENT_UPDATE in streams ---- */

static void add_name(struct pk_datafile *file, uint64_t id, const uint8_t *name, size_t length)
{
	struct perf_record_event_update *record =
		add_record(file, PERF_RECORD_EVENT_UPDATE, PK_ALIGN8(sizeof(*record) + length + 1));

	if (!record)
		return;
	record->type = pk_file_u64(file, PERF_EVENT_UPDATE_NAME);
	record->id = pk_file_u64(file, id);
	memcpy(record->data, name, length);
}

/* Adds the name of the events that were made from entry `number` of the table of events. EVENT_DESC
 * has its entries in the order of that table. id is the first id of the entry in EVENT_DESC, or 0
 * if the entry has no id. *next is the index in file->events where the search starts. */
static void name_events(struct pk_datafile *file, uint64_t number, uint64_t id, const uint8_t *name,
			size_t size, size_t *next)
{
	size_t length = strnlen((const char *)name, size);

	while (*next < file->events_count && file->events[*next].entry < number)
		(*next)++;
	if (*next == file->events_count || !length || length > NAME_MAX_SIZE ||
	    (id && file->events[*next].id != id))
		return;
	/* perf stops with an error at an EVENT_UPDATE with the id 0, unless it is for the first
	 * event. */
	for (; *next < file->events_count && file->events[*next].entry == number; (*next)++)
		if (file->events[*next].id || !*next)
			add_name(file, file->events[*next].id, name, length);
}

static void add_names(struct pk_datafile *file, const struct pk_section *section)
{
	size_t size = section->size <= PK_FEATURE_SIZE_MAX ? (size_t)section->size : 0, at = 8,
	       next = 0;
	uint8_t *desc = malloc(size + 8);
	uint64_t count, attr_size;

	file->failed |= !desc;
	if (desc && size >= 8 && pk_datafile_load(file, section->offset, desc, size) != PK_OK) {
		pk_datafile_complain_unread(file, section->offset, PERF_RECORD_HEADER_FEATURE,
					    "the names of events");
		size = 0;
	}
	if (!desc || size < 8) {
		free(desc);
		return;
	}
	count = pk_get_u32(file, desc);
	attr_size = pk_get_u32(file, desc + 4);
	for (uint64_t i = 0; i < count && size - at >= attr_size + 8; i++) {
		uint64_t ids = pk_get_u32(file, desc + at + attr_size),
			 length = pk_get_u32(file, desc + at + attr_size + 4);
		const uint8_t *name = desc + at + attr_size + 8;

		at += attr_size + 8;
		if (length > size - at || ids > (size - at - length) / 8)
			break;
		at += length + 8 * ids;
		name_events(file, i, ids ? pk_get_u64(file, name + length) : 0, name,
			    (size_t)length, &next);
	}
	free(desc);
}

/* Adds the table of build-ids. Each entry of the table is a HEADER_BUILD_ID record, but perf writes
 * 0 as the type of the record. */
static void add_build_ids(struct pk_datafile *file, const struct pk_section *section)
{
	const size_t head = sizeof(struct perf_record_build_id);
	const size_t size_at = offsetof(struct perf_header, size);
	uint64_t at = 0;
	uint8_t *bytes;

	if (section->size > BUILD_IDS_MAX) {
		pk_datafile_complain(file, section->offset, PERF_RECORD_HEADER_BUILD_ID,
				     "a table of build-ids larger than 64 MiB, skipped");
		return;
	}
	bytes = malloc(section->size + 1);
	file->failed |= !bytes;
	if (!bytes)
		return;
	if (pk_datafile_load(file, section->offset, bytes, (size_t)section->size) != PK_OK) {
		pk_datafile_complain_unread(file, section->offset, PERF_RECORD_HEADER_BUILD_ID,
					    "the table of build-ids");
		free(bytes);
		return;
	}
	while (section->size - at > head) {
		uint16_t size = pk_get_u16(file, bytes + at + size_at);
		uint8_t *record;

		if (size <= head || size > section->size - at) {
			pk_datafile_complain(file, section->offset + at,
					     PERF_RECORD_HEADER_BUILD_ID,
					     "an entry of the table of build-ids is malformed");
			break;
		}
		record = pk_datafile_add(file, PK_ALIGN8(size));
		if (!record)
			break;
		memcpy(record, bytes + at, size);
		fill_header(file, record, PERF_RECORD_HEADER_BUILD_ID, PK_ALIGN8(size));
		at += size;
	}
	free(bytes);
}

static void note_directory(struct pk_datafile *file, const struct pk_section *section)
{
	uint8_t version[8];

	if (section->size < 8)
		return;
	if (pk_datafile_load(file, section->offset, version, 8) == PK_OK)
		file->directory = pk_get_u64(file, version);
	else
		pk_datafile_complain_unread(file, section->offset, PERF_RECORD_HEADER_FEATURE,
					    "the version of a directory");
}

static bool has_bit(const struct pk_datafile *file, const uint8_t *bitmap, unsigned int id,
		    bool short_words)
{
	if (short_words)
		return pk_get_u32(file, bitmap + id / 32 * 4) >> id % 32 & 1;
	return pk_get_u64(file, bitmap + id / 64 * 8) >> id % 64 & 1;
}

/* Returns true if the file has the feature. The bitmap is an array of `long` of the machine that
 * wrote the file. perf always sets the bit of HOSTNAME, so the place of this bit shows the size of
 * a `long`. */
static bool has_feature(const struct pk_datafile *file, const uint8_t *bitmap, unsigned int id)
{
	bool short_words = file->swapped && !has_bit(file, bitmap, PERF_FEATURE_HOSTNAME, false) &&
			   has_bit(file, bitmap, PERF_FEATURE_HOSTNAME, true);

	return has_bit(file, bitmap, id, short_words);
}

static uint8_t *add_zeros(void *file, size_t size)
{
	return pk_datafile_add(file, size);
}

/* Adds simpleperf's table of symbols as definitions of pk, and also as an unchanged feature. */
static void add_symbols(struct pk_datafile *file, unsigned int id, const struct pk_section *section)
{
	struct pk_simpleperf symbols = {
		.swapped = file->swapped, .add = add_zeros, .arg = file, .images = file->images};
	uint8_t *data;

	add_feature(file, id, section);
	if (file->from_stream || section->size > PK_FEATURE_SIZE_MAX)
		return;
	data = malloc((size_t)section->size + 1);
	file->failed |= !data;
	if (data && pk_datafile_load(file, section->offset, data, (size_t)section->size) != PK_OK)
		pk_datafile_complain_unread(file, section->offset, PERF_RECORD_HEADER_FEATURE,
					    "the table of symbols");
	else if (data && !pk_simpleperf_add(&symbols, id, data, (size_t)section->size))
		pk_datafile_complain(file, section->offset, PERF_RECORD_HEADER_FEATURE,
				     "the table of symbols is damaged; some are not used");
	file->images = symbols.images;
	free(data);
}

static void add_one(struct pk_datafile *file, unsigned int id, const struct pk_section *section)
{
	switch (id) {
	case PERF_FEATURE_TRACING_DATA: add_tracing_data(file, section); break;
	case PERF_FEATURE_BUILD_ID: add_build_ids(file, section); break;
	case PK_SIMPLEPERF_FILE:
	case PK_SIMPLEPERF_FILE2: add_symbols(file, id, section); break;
	case PERF_FEATURE_AUXTRACE: break; /* an index of places in the file, useless in a stream */
	case PERF_FEATURE_DIR_FORMAT: note_directory(file, section); break;
	case PERF_FEATURE_EVENT_DESC:
		add_names(file, section);
		add_feature(file, id, section);
		break;
	default: add_feature(file, id, section); break;
	}
}

static void pk_datafile_add_features(struct pk_datafile *file, const uint8_t *bitmap)
{
	uint64_t table = file->data.offset + file->data.size;
	uint8_t entry[16];

	for (unsigned int id = 0; id < FEATURES_MAX && !file->failed; id++) {
		struct pk_section section;

		if (!has_feature(file, bitmap, id))
			continue;
		if (pk_datafile_load(file, table, entry, sizeof(entry)) != PK_OK) {
			if (errno)
				pk_datafile_complain_unread(file, table, PERF_RECORD_HEADER_FEATURE,
							    "the table of features");
			else
				pk_datafile_complain(file, table, PERF_RECORD_HEADER_FEATURE,
						     "the table of features ends early");
			return;
		}
		pk_datafile_note_end(file, &(struct pk_section){table, sizeof(entry)});
		table += sizeof(entry);
		section = (struct pk_section){pk_get_u64(file, entry), pk_get_u64(file, entry + 8)};
		if (!pk_datafile_has(file, &section)) {
			pk_datafile_complain(file, table - sizeof(entry),
					     PERF_RECORD_HEADER_FEATURE,
					     "a feature is outside the file, skipped");
			continue;
		}
		if (section.size > file->features_left) {
			pk_datafile_complain(file, table - sizeof(entry),
					     PERF_RECORD_HEADER_FEATURE,
					     "features overlap, one skipped");
			continue;
		}
		file->features_left -= section.size;
		pk_datafile_note_end(file, &section);
		add_one(file, id, &section);
	}
}

/* ---- The file ---- */

static void find_data(struct pk_datafile *file, const uint8_t *header)
{
	file->data =
		(struct pk_section){pk_get_u64(file, header + 40), pk_get_u64(file, header + 48)};
	if (file->data.offset > file->size)
		file->data.offset = file->size;
	if (!file->data.size) {
		file->missing = "the recording was interrupted before its header was complete";
		file->data.size = file->size - file->data.offset;
	} else if (!pk_datafile_has(file, &file->data)) {
		file->missing = "the file is shorter than its header declares";
		file->data.size = file->size - file->data.offset;
	}
	pk_datafile_note_end(file, &file->data);
}

bool pk_is_magic(const uint8_t *start)
{
	const uint64_t magic = pk_load_u64(start);

	return magic == PERF_MAGIC2 || magic == __builtin_bswap64(PERF_MAGIC2) ||
	       !memcmp(start, PERF_MAGIC1, 8);
}

bool pk_start_is_swapped(const uint8_t *start)
{
	const uint64_t magic = pk_load_u64(start);

	/* The old magic has the same bytes in both orders, but the size of a header is small. */
	return magic == __builtin_bswap64(PERF_MAGIC2) ||
	       (magic != PERF_MAGIC2 && pk_load_u64(start + 8) > UINT32_MAX);
}

/* Another recording can follow the file in fd, perhaps inside a zstd frame. The bytes of that
 * recording become the last part of the stream. */
static void add_next(struct pk_datafile *file)
{
	uint8_t magic[8];

	if (file->end >= file->size)
		return;
	if (pk_datafile_load(file, file->end, magic, sizeof(magic)) != PK_OK) {
		if (errno)
			pk_datafile_complain_unread(file, file->end, 0,
						    "the data after the recording");
		return;
	}
	if (pk_is_magic(magic) || pk_is_zstd(magic))
		add_piece(file, NULL, file->end, file->size - file->end);
}

static enum pk_status parse(struct pk_datafile *file)
{
	uint8_t header[PERF_FILE_HEADER_SIZE] = {0}, *start;
	uint64_t header_size;

	if (pk_datafile_load(file, 0, header, PK_DATAFILE_HEADER_OLD) != PK_OK)
		return errno ? PK_IO : PK_TRUNCATED;
	file->swapped = pk_start_is_swapped(header);
	header_size = pk_get_u64(file, header + 8);
	if (header_size == PERF_FILE_HEADER_SIZE &&
	    pk_datafile_load(file, 0, header, PERF_FILE_HEADER_SIZE) != PK_OK)
		return errno ? PK_IO : PK_TRUNCATED;
	file->end = header_size;
	file->ids_left = file->features_left = file->size;
	find_data(file, header);
	start = pk_datafile_add(file, PERF_PIPE_HEADER_SIZE);
	if (!start)
		return PK_NOMEM;
	pk_store_u64(start, pk_file_u64(file, PERF_MAGIC2));
	pk_store_u64(start + 8, pk_file_u64(file, PERF_PIPE_HEADER_SIZE));
	PK_TRY(pk_datafile_add_events(
		file,
		&(struct pk_section){pk_get_u64(file, header + 24), pk_get_u64(file, header + 32)},
		pk_get_u64(file, header + 16)));
	add_stages(file);
	if (!file->missing)
		pk_datafile_add_features(file, header + PK_DATAFILE_HEADER_OLD);
	add_simpleperf_tracing_data(file);
	pk_datafile_add_range(file, &file->data);
	add_next(file);
	return file->failed ? PK_NOMEM : PK_OK;
}

enum pk_status pk_datafile_open(int fd, bool spool, uint64_t base, pk_datafile_warn warn, void *arg,
				struct pk_datafile **result)
{
	struct pk_datafile *file = calloc(1, sizeof(*file));
	enum pk_status status;
	struct stat st;

	*result = file;
	if (!file)
		return PK_NOMEM;
	*file = (struct pk_datafile){
		.fd = fd, .spool = spool, .base = base, .warn = warn, .arg = arg};
	if (fstat(fd, &st))
		return PK_IO;
	file->size = (uint64_t)st.st_size > base ? (uint64_t)st.st_size - base : 0;
	status = parse(file);
	return status;
}

void pk_datafile_close(struct pk_datafile *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->count; i++)
		free(file->pieces[i].memory);
	free(file->pieces);
	free(file->head);
	free(file->events);
	if (file->spool)
		close(file->fd);
	free(file);
}

ssize_t pk_datafile_read(void *arg, void *buf, size_t size)
{
	struct pk_datafile *file = arg;
	struct pk_piece *piece;
	ssize_t n;

	while (file->next < file->count &&
	       file->pieces[file->next].used == file->pieces[file->next].size)
		file->next++;
	if (file->next == file->count || !size)
		return 0;
	piece = &file->pieces[file->next];
	if (size > piece->size - piece->used)
		size = (size_t)(piece->size - piece->used);
	if (piece->memory) {
		memcpy(buf, piece->memory + piece->used, size);
		n = (ssize_t)size;
	} else {
		n = pread(file->fd, buf, size, (off_t)(file->base + piece->offset + piece->used));
	}
	if (n > 0)
		piece->used += (uint64_t)n;
	return n;
}

bool pk_datafile_release_fd(struct pk_datafile *file, int *fd)
{
	bool spool = file->spool;

	*fd = file->fd;
	file->spool = false;
	return spool;
}

uint64_t pk_datafile_directory(const struct pk_datafile *file)
{
	return file->directory;
}

const char *pk_datafile_missing(const struct pk_datafile *file)
{
	return file->missing;
}

uint64_t pk_datafile_offset(const struct pk_datafile *file, uint64_t offset)
{
	uint64_t head = file->head_total, data = file->data.size;

	if (offset < head)
		return file->base;
	if (offset - head < data)
		return file->base + file->data.offset + (offset - head);
	return file->base + file->end + (offset - head - data);
}

bool pk_datafile_is_data(const struct pk_datafile *file, uint64_t offset)
{
	return offset >= file->head_total && offset - file->head_total < file->data.size;
}
