/* SPDX-License-Identifier: BSD-2-Clause */
/* One record, and the functions that read it without its event. Programs include pkstream.h. */
#ifndef PKSTREAM_RECORD_H
#define PKSTREAM_RECORD_H

#include "perf_abi.h"
#include "pk_abi.h"
#include "pkstream_event.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The type of the pseudo record that the reader returns at the start of each session. The size of
 * this record is 0. */
#define PK_RECORD_BEGIN 0

#define PK_NO_TIME UINT64_MAX

/* One record. It is valid until the next call on the reader (or ordered reader) that returned it.
 */
struct pk_record {
	const uint8_t *data; /* the whole record with its header, in host byte order, not aligned */
	uint32_t type;	     /* a number of enum perf_record_type, or PK_RECORD_BEGIN */
	uint16_t misc;
	uint16_t size; /* size of the record in bytes, without the payload */
	/* offset of the record in the input, in bytes. If the whole input is compressed,
	 * decompressed bytes are counted. A record from inside a COMPRESSED record has the offset
	 * of that record. A record made from the header of a perf.data file has the offset of the
	 * header. In a directory, it is the offset in the record's file. */
	uint64_t offset;
	uint64_t payload_size; /* bytes of the payload after the record; see pk_reader_payload */
	/* pk_order_next sets the members event and time. pk_reader_next does not. */
	/* The event to which the record belongs; NULL if there is none. */
	const struct pk_event *event;
	uint64_t time; /* in ns, or PK_NO_TIME */
};

/* Makes a struct pk_record from a record in memory, in host byte order. Members that are not in the
 * record's header become 0. This includes the time. */
static inline struct pk_record pk_record_at(const uint8_t *data)
{
	const struct perf_header *header = (const struct perf_header *)data;
	struct pk_record record;

	memset(&record, 0, sizeof(record));
	record.data = data;
	record.type = header->type;
	record.misc = header->misc;
	record.size = header->size;
	return record;
}

/* Returns the header of the record, or NULL if it has none (PK_RECORD_BEGIN). Like the structs of
 * perf_abi.h, it can have any alignment. */
static inline const struct perf_header *pk_record_header(const struct pk_record *record)
{
	return record->size ? (const struct perf_header *)record->data : NULL;
}

/* Returns the record as a struct of perf_abi.h or pk_abi.h. `size` is the size of this struct.
 * Returns NULL if the record has another type, or if it is smaller than the struct:
 *     const struct perf_record_comm *comm = pk_record_as(record, PERF_RECORD_COMM, sizeof(*comm));
 */
static inline const void *pk_record_as(const struct pk_record *record, uint32_t type, size_t size)
{
	return record->type == type && record->size >= size && record->size ? record->data : NULL;
}

/* Returns the field TID at offset `at` of the record. For a SAMPLE, `at` is pk_layout.tid. For
 * other records, `at` is record->size - pk_layout.trailer.tid. */
static inline const struct perf_task *pk_record_task(const struct pk_record *record, size_t at)
{
	return (const struct perf_task *)(record->data + at);
}

/* Returns the text that starts at offset `at`. Returns NULL if `at` is not in the record, or if no
 * NUL follows in the record. */
static inline const char *pk_record_text(const struct pk_record *record, size_t at)
{
	const char *text = (const char *)record->data + at;

	return at < record->size && memchr(text, '\0', record->size - at) ? text : NULL;
}

/* Returns true if an MMAP2 has no prot and flags. Linux 3.10 of RHEL 7 writes such records, with
 * the name in the place of prot. The function looks at the first two bytes there. A name starts
 * with '/', '[' or a letter, and continues with ASCII or UTF-8. No protection has such bytes, in
 * either byte order. perf inject --jit writes the mode of a regular file as protection. That mode
 * has no such bytes either. If the record has no prot, the map is executable unless misc has
 * PERF_RECORD_MISC_MMAP_DATA. */
static inline bool pk_mmap2_lacks_prot(const struct pk_record *record)
{
	const struct perf_record_mmap2 *map = (const struct perf_record_mmap2 *)record->data;
	const uint8_t *name = (const uint8_t *)&map->prot;
	uint8_t letter;

	if (record->size < sizeof(*map))
		return true;
	letter = name[0] | 0x20;
	return (name[0] == '/' || name[0] == '[' || (letter >= 'a' && letter <= 'z')) &&
	       ((name[1] >= ' ' && name[1] < 0x7f) || name[1] >= 0xc2);
}

/* Returns true if an MMAP2 has a build-id. It is not sufficient to look at the bit in misc: if two
 * recordings include the same task and only one of them requests build-ids, the kernel sets the bit
 * in both. In the other recording, the bytes are the major and minor numbers of a device
 * (SPEC 3.5). */
static inline bool pk_mmap2_has_build_id(const struct pk_record *record)
{
	const struct perf_record_mmap2 *map = (const struct perf_record_mmap2 *)record->data;
	const uint8_t *id = map->build_id;

	if (!(record->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) ||
	    map->build_id_size > PK_BUILD_ID_MAX || map->reserved_1 || map->reserved_2[0] ||
	    map->reserved_2[1])
		return false;
	return map->build_id_size >= 16 || id[1] || id[2] || id[3];
}

/* Returns the offset of the name in an MMAP or MMAP2. */
static inline size_t pk_mmap_name_at(const struct pk_record *record)
{
	if (record->type == PERF_RECORD_MMAP)
		return sizeof(struct perf_record_mmap);
	return pk_mmap2_lacks_prot(record) ? offsetof(struct perf_record_mmap2, prot)
					   : sizeof(struct perf_record_mmap2);
}

#ifdef __cplusplus
}
#endif
#endif
