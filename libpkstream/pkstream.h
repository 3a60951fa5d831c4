/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKSTREAM_H
#define PKSTREAM_H

/*
 * libpkstream reads and writes perf's record stream and pk's extension of it.
 *
 * A stream is a 16-byte header and records of at most 64 KiB. format/SPEC.md defines the stream.
 * The section numbers below refer to that file. The library converts the numbers in records of
 * known layout to the host's byte order. It does not convert raw data (PERF_SAMPLE_RAW), parts of
 * features (SPEC 9.13) and payloads. Records are not aligned in memory. Read them through the types
 * of perf_abi.h and pk_abi.h, or read single numbers with pk_load_u16/u32/u64.
 *
 * The library does not print, does not exit, does not touch signals, and has no mutable global
 * variables. Only one thread may use a handle at a time.
 *
 * Versions. A program that was built with an older version of this header works with a newer
 * library. Some structs are allocated by the program and may get more members in later versions.
 * These are the structs of options, and pk_record, pk_order_stats and pk_sample where the library
 * fills them. They are passed together with their size: the name of such a function ends in _sized,
 * and an inline function without _sized passes the size. The library sets only the members that the
 * caller's struct has. For options that the caller's struct lacks, it uses 0. The library allocates
 * pk_event, and may add members at its end. All other structs will not change.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "perf_abi.h"
#include "pk_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PK_API	      __attribute__((visibility("default")))
#define PK_MUST_CHECK __attribute__((warn_unused_result))

/* ---- Status ---------------------------------------------------------------------------------- */

/* The results of functions. Errors are negative. */
enum pk_status {
	PK_OK = 0,
	PK_END = 1,	   /* the input is complete, and ends after a record */
	PK_TRUNCATED = -1, /* the input is incomplete: it is empty, ends within a header, record or
			    * file, or lacks its END record */
	PK_CORRUPT = -2,   /* the input has invalid bytes */
	PK_IO = -3,    /* reading or writing failed; the error text of the reader or writer has the
			* reason */
	PK_NOMEM = -4, /* memory is exhausted */
	PK_UNSUPPORTED = -5, /* well-formed input that this version cannot read */
	PK_FAILED = -6, /* the call failed, and the reason has already been reported; libpkstream
			 * does not return this */
};

/* Returns a short English text for a status. The text is static and never NULL. */
PK_API const char *pk_status_text(enum pk_status status);
PK_API const char *pk_version(void);

/* ---- Unaligned numbers in host order --------------------------------------------------------- */

static inline uint16_t pk_load_u16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint32_t pk_load_u32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline uint64_t pk_load_u64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline void pk_store_u16(void *p, uint16_t v)
{
	memcpy(p, &v, sizeof(v));
}

static inline void pk_store_u32(void *p, uint32_t v)
{
	memcpy(p, &v, sizeof(v));
}

static inline void pk_store_u64(void *p, uint64_t v)
{
	memcpy(p, &v, sizeof(v));
}

/* ---- Events (HEADER_ATTR, EVENT_UPDATE; SPEC 4) ------------------------------------------------
 */

/* The offsets in bytes of the fields of an event's records. They are calculated once for each attr.
 * Offsets of the fields of a SAMPLE are relative to the start of the record. 0 means that the field
 * is absent. For callchain, 0 can also mean that the offset varies, because a READ field with
 * PERF_FORMAT_GROUP precedes the callchain. `trailer` is for the other records (sample_id_all). Its
 * members are distances from the end of the record back to the field. There, too, 0 means that the
 * field is absent. */
struct pk_layout {
	uint16_t identifier, ip, tid, time, addr, id, stream_id, cpu, period, read, callchain;
	uint16_t fixed_size; /* size in bytes of the header and of the fields before READ (SPEC 5.1)
			      */
	uint16_t least; /* size in bytes of a SAMPLE with an empty or no callchain; valid only if
			 * `plain` */
	bool plain; /* all fields of the samples are known, and no field except the callchain has a
		     * variable size */
	struct {
		uint16_t size, tid, time, id, stream_id, cpu, identifier;
	} trailer;
};

/* Where an argument of a probe is at the time of a sample (ARGUMENTS; SPEC 9.14). */
enum pk_argument_kind {
	PK_ARGUMENT_UNKNOWN = 0,  /* the location is unknown: pk_argument_get() returns false */
	PK_ARGUMENT_VALUE = 1,	  /* the constant `value` */
	PK_ARGUMENT_REGISTER = 2, /* in the register `base`, shifted right by `shift` bits */
	PK_ARGUMENT_MEMORY = 3,	  /* in memory, at the address base + index * scale + value */
};

/* A bit of pk_argument.flags. If it is set, pk_argument_get() sign-extends the value. */
#define PK_ARGUMENT_SIGNED	1u
#define PK_ARGUMENT_NO_REGISTER 0xffu
#define PK_ARGUMENT_NAME_MAX	16

/* An argument of a probe, and where it is at the time of a sample. */
struct pk_argument {
	char name[PK_ARGUMENT_NAME_MAX]; /* name of the argument with a NUL; longer names are cut */
	uint8_t kind;			 /* a number of enum pk_argument_kind */
	uint8_t size; /* 1, 2, 4 or 8 bytes; can be any number if kind is UNKNOWN */
	uint8_t flags;
	uint8_t base, index; /* numbers of the registers, which are bit numbers in sample_regs_user;
			      * PK_ARGUMENT_NO_REGISTER if there is no register */
	uint8_t scale, shift;
	uint64_t value;
};

/* The arguments of an event. */
struct pk_arguments {
	/* The number of the stack pointer, which is a bit number in sample_regs_user. This register
	 * contains the address of the first byte of the stack dump. */
	uint8_t stack;
	uint8_t byte_order; /* byte order of arguments in memory: 1 is little-endian, 2 is
			     * big-endian */
	size_t count;
	struct pk_argument items[];
};

/* Converts the flags of an attr. The input has the bit order of struct pk_event. The result has the
 * bit order of a record in the host's byte order (SPEC 8.2). */
static inline uint64_t pk_attr_written_flags(uint64_t flags)
{
	const uint64_t precise = (flags & PERF_ATTR_PRECISE_IP_MASK) >> PERF_ATTR_PRECISE_IP_SHIFT;
	uint64_t written = 0;

	if (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__)
		return flags;
	flags &= ~PERF_ATTR_PRECISE_IP_MASK;
	for (int bit = 0; bit < 64; bit++)
		written |= ((flags >> bit) & 1) << (63 - bit);
	return written | precise << (62 - PERF_ATTR_PRECISE_IP_SHIFT);
}

/* A bit of pk_event.attr.sample_type. It stands for the fields that this version of the library
 * does not know, and for all fields after them. The library decodes samples only up to these fields
 * (SPEC 4.1). */
#define PK_SAMPLE_UNKNOWN (UINT64_C(1) << 63)

/* An event of a session. */
struct pk_event {
	/* In host byte order. Members that the stream's attr lacks are 0, but an attr.size of 0 in
	 * the stream becomes 64. attr.sample_type has the fields of struct pk_sample: see
	 * recorded_type. */
	struct perf_attr attr;
	uint32_t index; /* index of the event in the session; the first HEADER_ATTR has 0 */
	bool off_cpu; /* the samples are off-CPU samples, whose fields are in RAW: see recorded_type
		       */
	const char *name; /* never NULL; from EVENT_UPDATE NAME or EVENT_DESC, or else derived from
			   * the attr */
	const uint64_t *ids;
	size_t ids_count;
	struct pk_layout layout;
	const struct pk_arguments *arguments; /* NULL if the event has no arguments */
	/* 0 if attr.sample_type is the sample_type of the attr in the stream. Otherwise,
	 * recorded_type is the sample_type in the stream. There are two such cases. With off_cpu,
	 * the fields IP, TID, PERIOD, CALLCHAIN and CGROUP are in RAW (SPEC 5.6, perf 6.16 and
	 * later). Then attr.sample_type has the bits of these fields instead of the bit of RAW. If
	 * the samples have unknown fields, attr.sample_type has the fields before them and
	 * PK_SAMPLE_UNKNOWN. */
	uint64_t recorded_type;
};

/* All events of one session. The reader owns them, and adds events while it reads. */
struct pk_events;

PK_API size_t pk_events_count(const struct pk_events *events);
/* Returns NULL if index is out of range. The event is valid until the session ends. */
PK_API const struct pk_event *pk_events_at(const struct pk_events *events, size_t index);
/* Returns NULL if no event has the id. */
PK_API const struct pk_event *pk_events_by_id(const struct pk_events *events, uint64_t id);

/* ---- Reading -----------------------------------------------------------------------------------
 */

/* The type of the pseudo record that the reader returns at the start of each session. The size of
 * this record is 0. */
#define PK_RECORD_BEGIN 0

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

struct pk_bytes {
	const uint8_t *data;
	uint64_t size;
};

#define PK_NO_TIME UINT64_MAX

/* A problem with a record or with the input. For example, it tells why a record was skipped. */
struct pk_warning {
	uint64_t offset;  /* offset of the record in the input, in bytes */
	uint32_t type;	  /* type of the record */
	const char *text; /* text that describes the problem; valid until the callback returns */
};

/* The input of a reader, and the functions that it calls. */
struct pk_reader_options {
	/* Like read(2). Returns the number of bytes read, 0 at the end, or -1 with errno. It may
	 * return less than size bytes. If errno is EINTR, the reader calls the function again. If
	 * read is NULL, the reader calls read(2) on fd. The caller closes fd. */
	ssize_t (*read)(void *arg, void *buf, size_t size);
	int fd;
	/* This function is called before a read from fd that would block, so that a filter can
	 * flush its output. It is not called if `read` is set. May be NULL. */
	void (*idle)(void *arg);
	/* This function is called for each record that is skipped, and for other damage. Problems
	 * that can be in every record are reported once in a session. An example is a record type
	 * that the reader cannot swap to the byte order of the host. May be NULL. */
	void (*warn)(void *arg, const struct pk_warning *warning);
	void *arg; /* passed to the functions read(), idle() and warn() */
};

struct pk_reader;

/* Copies the options. If fd is a pipe, enlarges it if the system allows that. Does not read: the
 * first pk_reader_next() does. */
PK_API PK_MUST_CHECK enum pk_status pk_reader_new_sized(const struct pk_reader_options *options,
							size_t options_size,
							struct pk_reader **reader);
static inline PK_MUST_CHECK enum pk_status pk_reader_new(const struct pk_reader_options *options,
							 struct pk_reader **reader)
{
	return pk_reader_new_sized(options, sizeof(*options), reader);
}

PK_API void pk_reader_free(struct pk_reader *reader);
/* Returns the next record of a stream, of a perf.data file (SPEC, appendix A) or of a directory of
 * perf record --threads. A stream or file can be compressed as a whole with zstd. The first record
 * is PK_RECORD_BEGIN. If another stream or file follows in the same input, PK_RECORD_BEGIN is
 * returned there, too. Instead of a COMPRESSED record, the records inside are returned.
 *
 * A malformed record whose header.size is valid is reported through warn, counted and skipped.
 * SAMPLEs in host byte order are not checked (pk_sample_decode() checks them), and neither are most
 * definitions of pk (see pk_abi.h). Definitions of a newer version of pk are skipped, too, and warn
 * reports this once for each session.
 *
 * After PK_END, PK_TRUNCATED or an error, all later calls return the same status. */
PK_API PK_MUST_CHECK enum pk_status
pk_reader_next_sized(struct pk_reader *reader, struct pk_record *record, size_t record_size);
static inline PK_MUST_CHECK enum pk_status pk_reader_next(struct pk_reader *reader,
							  struct pk_record *record)
{
	return pk_reader_next_sized(reader, record, sizeof(*record));
}

/* Returns the payload that follows the last record of pk_reader_next or pk_order_next. TRACING_DATA
 * and AUXTRACE have a payload. Each call returns a part of it, and *size is 0 after the last part.
 * The next call of pk_reader_next or pk_order_next skips the rest of the payload. */
PK_API PK_MUST_CHECK enum pk_status pk_reader_payload(struct pk_reader *reader,
						      const uint8_t **data, size_t *size);
/* Returns the events of the current session. While PK_RECORD_BEGIN is the current record, returns
 * the events of the previous session. */
PK_API const struct pk_events *pk_reader_events(const struct pk_reader *reader);
/* Returns the event of a kernel record in host byte order (SPEC 4.4). If the session has only one
 * event, all kernel records belong to it. If the session has several events, a record with the id 0
 * belongs to the first event. A record with an unknown id also belongs to the first event unless it
 * is a SAMPLE. Returns NULL if the event of a SAMPLE is unknown, if the type of the record is
 * PERF_RECORD_USER_START or above, or if no event is defined yet. */
PK_API const struct pk_event *pk_reader_event_of(struct pk_reader *reader,
						 const struct pk_record *record);
/* Returns true if pk_reader_next reads a session whose byte order is not the host's. The result can
 * change when pk_reader_next returns PK_RECORD_BEGIN. After that, pk_order_next can still return
 * records of the previous session. */
PK_API bool pk_reader_swapped(const struct pk_reader *reader);
/* Returns the number of malformed records and other damaged parts of the input that were skipped.
 * The number includes all sessions so far. */
PK_API uint64_t pk_reader_bad_records(const struct pk_reader *reader);
/* Returns the text of the first PK_TRUNCATED or error, with the offset in the input. Returns "" if
 * no call has failed. The text is valid until the reader is freed. */
PK_API const char *pk_reader_error(const struct pk_reader *reader);

/* ---- Reading in order (SPEC 7)
 * -------------------------------------------------------------------- */

struct pk_order;

/* The counts of the ordered reader for the session. */
struct pk_order_stats {
	uint64_t late;	 /* number of records that were returned after a record with a later time; 0
			  * if the session declares an order */
	uint64_t rounds; /* number of FINISHED_ROUND records that were read */
	uint64_t window_flushes; /* how often the queue exceeded its memory limit, so that half of
				  * it was released */
};

/* Creates an ordered reader, which reads its records from reader. The caller must not call
 * pk_reader_next() on reader, and must free reader after the ordered reader. */
PK_API PK_MUST_CHECK enum pk_status pk_order_new(struct pk_reader *reader, struct pk_order **order);
PK_API void pk_order_free(struct pk_order *order);
/* Returns the next record in time order. If the session declares an order (ORDER record), returns
 * the records in the order of the input. Sets record->event and record->time.
 *
 * A record without a time, or a record that is too late to be sorted, is returned at once.
 * PK_RECORD_BEGIN, ORDER, RESET and END are returned after all records that were read before them.
 * This also holds for PK_END and errors of the reader. FINISHED_ROUND is not returned. A SAMPLE of
 * an unknown event is reported through warn, counted and skipped. */
PK_API PK_MUST_CHECK enum pk_status
pk_order_next_sized(struct pk_order *order, struct pk_record *record, size_t record_size);
static inline PK_MUST_CHECK enum pk_status pk_order_next(struct pk_order *order,
							 struct pk_record *record)
{
	return pk_order_next_sized(order, record, sizeof(*record));
}

PK_API void pk_order_stats_sized(const struct pk_order *order, struct pk_order_stats *stats,
				 size_t stats_size);
static inline void pk_order_stats(const struct pk_order *order, struct pk_order_stats *stats)
{
	pk_order_stats_sized(order, stats, sizeof(*stats));
}

/* ---- Decoding (SPEC 5)
 * ------------------------------------------------------------------------------ */

/* An array of u64 in a record. The array is not aligned. */
struct pk_u64s {
	const uint8_t *data;
	uint64_t count;
};

static inline uint64_t pk_u64s_at(const struct pk_u64s *array, uint64_t i)
{
	return pk_load_u64(array->data + 8 * i);
}

/* The counter values of PERF_SAMPLE_READ. Times are in ns. Members that read_format does not select
 * are 0. */
struct pk_read_values {
	uint64_t time_enabled, time_running;
	uint64_t value, id, lost; /* values of the only counter. With PERF_FORMAT_GROUP, values of
				   * the first counter, which is the leader of the group. */
	uint64_t count;		  /* number of counters; 1 without PERF_FORMAT_GROUP */
	struct pk_u64s group; /* used with PERF_FORMAT_GROUP. Each counter has `stride` numbers: the
			       * value, and id and lost if read_format selects them. */
	unsigned int stride;
};

/* The registers of a SAMPLE. */
struct pk_registers {
	uint64_t abi;	       /* one of PERF_SAMPLE_REGS_ABI_* */
	struct pk_u64s values; /* a value for each bit that is set in the attr's mask, from the
				* lowest bit to the highest; empty if abi is 0 */
};

/* A SAMPLE with all fields that sample_type can select. Absent fields are 0. Pointers point into
 * the record. */
struct pk_sample {
	uint64_t id, ip, time, addr, stream_id, period;
	uint32_t pid, tid, cpu;
	struct pk_read_values read;
	struct pk_u64s callchain; /* the addresses, from the innermost to the outermost; some
				   * entries are context markers */
	struct pk_bytes raw;
	struct pk_u64s branches; /* branches.count is the number of entries. Each entry has three
				  * u64: from, to, flags. pk_branch_flags() reads the flags. */
	uint64_t branch_hw_index;
	struct pk_u64s branch_counters;
	struct pk_registers user_registers, interrupt_registers;
	struct pk_bytes user_stack; /* only the bytes that the kernel dumped (dyn_size) */
	/* callchain_at is the address of the callchain's count. If the event has no callchains, it
	 * is the address where the count would be. The user registers and the user stack are
	 * between user_at and user_end. */
	const uint8_t *callchain_at, *user_at, *user_end;
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct pk_bytes aux;
	uint16_t size; /* size in bytes of the header and the fields; trailers or unknown bytes can
			* follow */
	/* The trailers. Their tags show that they are present. They are valid only if
	 * pk_session_info.trailers of the session has PK_TRAILER_CHAIN or PK_TRAILER_STACK
	 * (SPEC 9.8). */
	uint32_t chain_flags; /* PK_CHAIN_* of the chain trailer; 0 without a chain trailer */
	bool has_stack;	      /* the record has a stack trailer */
	uint32_t stack;	      /* the stack id in the stack trailer; 0 if the sample has no stack */
};

/* Decodes a SAMPLE of the event. Returns PK_CORRUPT if the record is too short for its fields. */
PK_API PK_MUST_CHECK enum pk_status pk_sample_decode_sized(const struct pk_event *event,
							   const struct pk_record *record,
							   struct pk_sample *sample,
							   size_t sample_size);
static inline PK_MUST_CHECK enum pk_status pk_sample_decode(const struct pk_event *event,
							    const struct pk_record *record,
							    struct pk_sample *sample)
{
	return pk_sample_decode_sized(event, record, sample, sizeof(*sample));
}

/* Returns the flags of entry i of pk_sample.branches, with the bit numbers of a little-endian
 * machine (SPEC 5.4, 8.3). i must be less than branches->count. */
PK_API uint64_t pk_branch_flags(const struct pk_u64s *branches, uint64_t i);

/* A fast path that returns only the callchain of a SAMPLE. It only checks that the callchain is
 * inside the record. Returns PK_END if the event's samples have no callchain. Otherwise, returns
 * the statuses of pk_sample_decode(). */
PK_API PK_MUST_CHECK enum pk_status pk_sample_callchain(const struct pk_event *event,
							const struct pk_record *record,
							struct pk_u64s *callchain);

/* The trailer of a record that is not a SAMPLE (sample_id_all). */
struct pk_sample_id {
	uint64_t time, id, stream_id;
	uint32_t pid, tid, cpu;
};

/* Decodes the trailer. An absent field becomes 0, and an absent time becomes PK_NO_TIME. All fields
 * are absent if the event's records have no trailer, or if the record is too short for the trailer.
 */
PK_API void pk_sample_id_decode(const struct pk_event *event, const struct pk_record *record,
				struct pk_sample_id *id);

/* ---- Stack trailer of SAMPLE (SPEC 9.8)
 * ------------------------------------------------------------- */

#define PK_STACK_TRAILER_TAG  UINT32_C(0x6b747370) /* the bytes "pstk" in a little-endian stream */
#define PK_STACK_TRAILER_SIZE 8

static inline const struct pk_trailer *pk_trailer_at(const uint8_t *at)
{
	return (const struct pk_trailer *)at;
}

/* Writes a stack trailer or a chain trailer at `at`, and returns the address after it. */
static inline uint8_t *pk_trailer_put(uint8_t *at, uint32_t tag, uint32_t value)
{
	struct pk_trailer *trailer = (struct pk_trailer *)at;

	trailer->tag = tag;
	trailer->value = value;
	return at + sizeof(*trailer);
}

/* Returns the stack id of a SAMPLE of size bytes, or 0 if it has none. Call this only if SESSION
 * declares stack trailers. In other sessions, a field could look like a trailer. */
static inline uint32_t pk_stack_trailer(const uint8_t *record, uint16_t size)
{
	const struct pk_trailer *trailer;

	if (size < sizeof(struct perf_header) + PK_STACK_TRAILER_SIZE)
		return 0;
	trailer = pk_trailer_at(record + size - PK_STACK_TRAILER_SIZE);
	return trailer->tag == PK_STACK_TRAILER_TAG ? trailer->value : 0;
}

/* ---- Chain trailer of SAMPLE (SPEC 9.8.1): the defects of its callchain ---- */

#define PK_CHAIN_TRAILER_TAG  UINT32_C(0x6b706863) /* the bytes "chpk" in a little-endian stream */
#define PK_CHAIN_TRAILER_SIZE 8

#define PK_CHAIN_USER_MISSING (1u << 0) /* the deferred callchain of user mode is missing */
#define PK_CHAIN_STACK_SHORT  (1u << 1) /* the stack is deeper than the part that was dumped */
#define PK_CHAIN_NO_CFI	      (1u << 2) /* there is no unwind information for an address */
#define PK_CHAIN_BAD_CFI      (1u << 3) /* the unwind information is invalid */
#define PK_CHAIN_NO_MEMORY    (1u << 4) /* a caller needed memory that is not in the dump */
/* CFI was missing, so callers were found with frame pointers or the link register */
#define PK_CHAIN_FRAME_POINTER (1u << 5)
/* frames of an interpreter are missing, because they could not be read completely */
#define PK_CHAIN_TORN (1u << 6)
/* If one of these flags is set, callers are missing at the end of the callchain. */
#define PK_CHAIN_MISSING                                                                           \
	(PK_CHAIN_USER_MISSING | PK_CHAIN_STACK_SHORT | PK_CHAIN_NO_CFI | PK_CHAIN_BAD_CFI |       \
	 PK_CHAIN_NO_MEMORY)

/* ---- Writing
 * --------------------------------------------------------------------------------------- */

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

/* ---- Features (HEADER_FEATURE; SPEC 6)
 * -------------------------------------------------------------- */

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

/* ---- pk's definitions inside EVENT_UPDATE (SPEC 9)
 * -------------------------------------------------- */

#define PK_FORMAT_VERSION 1

/* The kinds of pk's definitions (SPEC 9). */
enum pk_definition {
	PK_DEFINITION_NONE = 0, /* not a definition of pk */
	PK_SESSION = 1,
	PK_STAGE = 2,
	PK_ORDER = 3,
	PK_STRING = 4,
	PK_DSO = 5,
	PK_FRAME = 6,
	PK_STACK = 7,
	PK_LOSS = 8,
	PK_RESET = 9,
	PK_FINISH = 10, /* called END in the SPEC */
	PK_IMAGE = 11,
	PK_SYMBOLS = 12,
	PK_SOURCE = 13,
	PK_FORGET = 14,
	PK_FEATURE_PART = 15, /* a part of a feature that cannot be written as one HEADER_FEATURE */
	PK_ARGUMENTS = 16,    /* the arguments of a probe */
	PK_LABEL = 17,	      /* a name and a value that the user gave to the recording */
};

/* The bytes "pkstrm". The last 16 bits are a number of enum pk_definition. */
#define PK_SUBTYPE_BASE UINT64_C(0x706b7374726d0000)

/* Returns which kind of definition a record is. The result is a number of enum pk_definition, or a
 * larger number if the kind was defined by a newer version of pk. */
static inline unsigned int pk_definition_of(const struct pk_record *record)
{
	const struct pk_definition_head *head = (const struct pk_definition_head *)record->data;

	if (record->type != PERF_RECORD_EVENT_UPDATE || record->size < sizeof(*head) ||
	    (head->subtype & ~UINT64_C(0xffff)) != PK_SUBTYPE_BASE)
		return PK_DEFINITION_NONE;
	return (unsigned int)(head->subtype & 0xffff);
}

/* Bits of pk_session_info.trailers. */
#define PK_TRAILER_STACK 1u /* every SAMPLE ends with a stack trailer */
#define PK_TRAILER_CHAIN 2u /* a SAMPLE can have a chain trailer before the stack trailer */

/* The content of a SESSION record. */
struct pk_session_info {
	uint16_t version;   /* PK_FORMAT_VERSION of the writer */
	uint8_t byte_order; /* byte order of raw payloads: 1 is little-endian, 2 is big-endian (as
			     * in EI_DATA of ELF) */
	uint8_t word_size;  /* word size of the recorded machine in bytes; 0 if unknown */
	uint32_t trailers;  /* bits PK_TRAILER_* */
	uint32_t e_machine; /* one of ELF's EM_*; 0 if unknown */
};

#define PK_ORDER_NONE	    0u /* not sorted; only the records of each ring buffer are in order */
#define PK_ORDER_TIME	    1u
#define PK_ORDER_PROCESSING 2u /* the order in which the records must be processed (SPEC 7.4) */

/* The content of a LOSS record. */
struct pk_loss {
	uint32_t stage; /* id of the stage that reports the loss */
	uint32_t cause; /* a number of enum pk_loss_cause */
	uint64_t count;
	uint64_t total; /* number of all items, including the lost items; 0 if unknown */
};

/* What was lost. */
enum pk_loss_cause {
	PK_LOSS_RECORDS_LOST = 1,      /* records that did not fit into a buffer */
	PK_LOSS_SAMPLES_LOST = 2,      /* samples that were dropped */
	PK_LOSS_RECORDS_BAD = 3,       /* malformed records that were skipped */
	PK_LOSS_STACKS_TRUNCATED = 4,  /* callchains cut at the recording's limit or at 64 KiB */
	PK_LOSS_FRAMES_UNRESOLVED = 5, /* frames without a name */
	PK_LOSS_RECORDS_LATE = 6,      /* records too late to be sorted */
	PK_LOSS_STACKS_UNMERGED = 7,   /* deferred user callchains that are missing */
	PK_LOSS_RECORDS_UNSWAPPED = 8, /* records whose layout is unknown, so that they were not
					* swapped to the byte order of the host */
	PK_LOSS_DEFINITIONS_BAD = 9,   /* invalid definitions or stack ids */
	PK_LOSS_SPANS_DROPPED = 10,    /* open spans that were dropped at a limit */
	PK_LOSS_SPANS_UNENDED = 11,    /* starts that another start of the same key replaced */
	PK_LOSS_SPANS_UNSTARTED = 12,  /* ends without a start */
	PK_LOSS_SPANS_GAPS = 13,       /* spans during which records were lost */
	PK_LOSS_SPANS_OPEN = 14,       /* spans that had no end when the recording ended */
	PK_LOSS_STACKS_CUT = 15,       /* stacks that end in code without frame pointers */
	PK_LOSS_STACKS_TORN = 16,      /* stacks that lack frames of an interpreter */
	PK_LOSS_TRACES_CUT = 17, /* buffers of a hardware trace from which bytes are missing */
	PK_LOSS_CAUSE_MAX = 18,
};

#define PK_LABEL_NAME_MAX  64	/* largest size of a label's name in bytes */
#define PK_LABEL_VALUE_MAX 4096 /* largest size of a label's value in bytes */

/* The texts end with a NUL. They are valid as long as the record. */
struct pk_label {
	const char *name, *value;
};

/* Decodes a LABEL record. The caller must have checked the kind of the definition. Returns
 * PK_CORRUPT if the record is too short, or if the name or the value is not valid (SPEC 9.16). */
PK_API PK_MUST_CHECK enum pk_status pk_label_decode(const struct pk_record *record,
						    struct pk_label *label);

/* These functions decode a SESSION and a LOSS record. The caller must have checked the kind of the
 * definition. They return PK_CORRUPT if the record is too short, and PK_UNSUPPORTED if a newer
 * version of pk wrote the SESSION. */
PK_API PK_MUST_CHECK enum pk_status pk_session_info_decode(const struct pk_record *record,
							   struct pk_session_info *info);
PK_API PK_MUST_CHECK enum pk_status pk_loss_decode(const struct pk_record *record,
						   struct pk_loss *loss);

/* ---- Dictionary: strings, objects, frames, stacks (SPEC 9.4 to 9.7)
 * ----------------------------------- */

/* The kinds of objects that contain code. */
enum pk_dso_kind {
	PK_DSO_UNKNOWN = 0,
	PK_DSO_FILE = 1, /* an ELF file */
	PK_DSO_KERNEL = 2,
	PK_DSO_MODULE = 3, /* a kernel module */
	PK_DSO_VDSO = 4,
	PK_DSO_JIT = 5, /* generated code; its names come from a perf map or a jitdump */
	PK_DSO_BPF = 6,
	PK_DSO_ANON = 7, /* mapped memory without a file */
};

/* An object that contains code. */
struct pk_dso {
	uint32_t path;		/* id of a STRING */
	uint32_t kind;		/* a number of enum pk_dso_kind */
	uint32_t build_id_size; /* 0 to PK_BUILD_ID_MAX bytes */
	uint8_t build_id[PK_BUILD_ID_MAX];
};

#define PK_FRAME_KERNEL	    (1u << 0)
#define PK_FRAME_USER	    (1u << 1)
#define PK_FRAME_GUEST	    (1u << 2) /* the frame is in a guest; set in addition to KERNEL or USER */
#define PK_FRAME_HYPERVISOR (1u << 3)
#define PK_FRAME_INLINED    (1u << 4)
#define PK_FRAME_JIT	    (1u << 5)
#define PK_FRAME_UNRESOLVED (1u << 6) /* no function was found */
#define PK_FRAME_TRUNCATED  (1u << 7) /* marks missing callers */
/* The frame is not code. The member `function` is the name of a thread, and the frame is the root
 * of a stack. */
#define PK_FRAME_COMM	  (1u << 8)
#define PK_FRAME_FUNCTION (1u << 9) /* stands for all addresses of a function */

/* A frame: a function, or an address in it. */
struct pk_frame {
	uint32_t dso;	   /* id of a DSO; 0 if the address is in no mapped object */
	uint32_t function; /* id of a STRING; 0 if the function is unknown */
	uint32_t file;	   /* id of a STRING; 0 if the file is unknown */
	uint32_t line, column;
	uint32_t flags; /* bits PK_FRAME_* */
	/* The kind of address depends on the DSO. In a DSO of kind FILE, and for code of a jitdump,
	 * it is an offset in the file. In a MODULE or VDSO, it is an offset from the start of the
	 * map. In other DSOs, and without a DSO, it is a virtual address. With PK_FRAME_FUNCTION,
	 * it is the address of the function, or 0 if that is unknown. */
	uint64_t address;
	uint64_t symbol_start; /* start of the symbol, as the same kind of address; 0 if unknown */
};

/* A stack: its innermost frame, and the stack of the caller. */
struct pk_stack {
	uint32_t parent; /* id of the stack of the caller; 0 if the frame is the root */
	uint32_t frame;
};

struct pk_dictionary;

/* Creates a dictionary. If writer is not NULL, the definition of each new item is written before
 * the item's id is returned. pk_dictionary_free() does not free the writer. Returns NULL if memory
 * is exhausted. */
PK_API struct pk_dictionary *pk_dictionary_new(struct pk_writer *writer);
PK_API void pk_dictionary_free(struct pk_dictionary *dictionary);
/* These functions return the id of an equal item, or add the item and return its new id. They
 * return 0 if memory is exhausted or no id is left. The ids inside the item must be defined or 0.
 * Strings that are too long for a record are cut. */
PK_API uint32_t pk_dictionary_string(struct pk_dictionary *dictionary, const char *text,
				     size_t size);
PK_API uint32_t pk_dictionary_dso(struct pk_dictionary *dictionary, const struct pk_dso *dso);
PK_API uint32_t pk_dictionary_frame(struct pk_dictionary *dictionary, const struct pk_frame *frame);
PK_API uint32_t pk_dictionary_stack(struct pk_dictionary *dictionary, uint32_t parent,
				    uint32_t frame);
/* For readers. Adds the item of a STRING, DSO, FRAME or STACK record. Removes all items if the
 * record is a RESET. Ignores other records. Returns PK_CORRUPT in two cases. If the id is not the
 * next id, or if the record is too short, nothing is added. If the record is invalid or refers to
 * an undefined id, an empty item with the record's id is added. A dictionary that is filled by this
 * function must not also be filled by the functions above. */
PK_API PK_MUST_CHECK enum pk_status pk_dictionary_read(struct pk_dictionary *dictionary,
						       const struct pk_record *record);
/* Removes all items, and writes a RESET record. The ids continue. */
PK_API enum pk_status pk_dictionary_reset(struct pk_dictionary *dictionary);
/* Removes all items. The ids start again at 1, for a new session. Writes nothing. */
PK_API void pk_dictionary_clear(struct pk_dictionary *dictionary);

/* These functions return the item with the id, or NULL if the id is undefined. The item is valid
 * until the next addition, reset or clear. Strings end with a NUL. `size` may be NULL. */
PK_API const char *pk_dictionary_get_string(const struct pk_dictionary *dictionary, uint32_t id,
					    size_t *size);
PK_API const struct pk_dso *pk_dictionary_get_dso(const struct pk_dictionary *dictionary,
						  uint32_t id);
PK_API const struct pk_frame *pk_dictionary_get_frame(const struct pk_dictionary *dictionary,
						      uint32_t id);
PK_API const struct pk_stack *pk_dictionary_get_stack(const struct pk_dictionary *dictionary,
						      uint32_t id);
/* The defined ids. They are base + 1 to base + count. */
struct pk_id_range {
	uint32_t base, count;
};
PK_API struct pk_id_range pk_dictionary_stacks(const struct pk_dictionary *dictionary);
PK_API struct pk_id_range pk_dictionary_frames(const struct pk_dictionary *dictionary);

/* ---- Arguments of probes (SPEC 9.14) ---- */

/* Finds an argument by its name. The argument is valid as long as the event. Returns NULL if the
 * event has no such argument. */
PK_API const struct pk_argument *pk_argument_find(const struct pk_event *event, const char *name);
/* Sets *value to the argument's value in a sample of the event. If the flags of the argument have
 * PK_ARGUMENT_SIGNED, the value is sign-extended. Returns false if the argument is
 * PK_ARGUMENT_UNKNOWN, or if the sample lacks a register or memory that is needed. */
PK_API bool pk_argument_get(const struct pk_event *event, const struct pk_argument *argument,
			    const struct pk_sample *sample, uint64_t *value);

/* ---- Stages: what every program that writes a stream adds to the stream (SPEC 9.1
 * to 9.3, 9.9, 9.10) ---- */

/* What a stage writes about itself. */
struct pk_stage_options {
	const char *program; /* name of the program. program and argv must stay valid as long as the
			      * stage. */
	int argc;
	char *const *argv;
	uint32_t order;	   /* the order of this stage's output (PK_ORDER_*); NONE if the stage keeps
			    * the order of its input */
	uint32_t trailers; /* the trailers (PK_TRAILER_*) that this stage adds to samples */
	/* Used by the first program of a pipeline. The other programs copy the SESSION of the
	 * input. If the input has no SESSION, they write a SESSION with the byte order of the
	 * input. */
	struct pk_session_info session;
	/* If true, STAGE has the program's name, but no version, host, time and arguments. In this
	 * case, pk_stage_record() does not convert features that perf 6.1 does not know. The caller
	 * must handle such features. */
	bool anonymous;
};

struct pk_stage;

/* The caller must free writer after the stage. */
PK_API PK_MUST_CHECK enum pk_status pk_stage_new_sized(struct pk_writer *writer,
						       const struct pk_stage_options *options,
						       size_t options_size,
						       struct pk_stage **stage);
static inline PK_MUST_CHECK enum pk_status pk_stage_new(struct pk_writer *writer,
							const struct pk_stage_options *options,
							struct pk_stage **stage)
{
	return pk_stage_new_sized(writer, options, sizeof(*options), stage);
}

PK_API void pk_stage_free(struct pk_stage *stage);
/* Call this function with every record that the stage reads, before any other use of the record. It
 * returns true if the stage must not write the record, because the function has handled it. Such
 * records are PK_RECORD_BEGIN (a header is written), SESSION, END, and ORDER if the stage has its
 * own order. They are also features that perf 6.1 does not know, which are written as FEATURE_PART
 * records unless they are empty.
 *
 * The SESSION of this stage is written in place of the input's SESSION. The STAGE and ORDER of this
 * stage are written before the first record after a HEADER_ATTR that is not itself HEADER_ATTR,
 * SESSION, STAGE or ORDER. If the input has no SESSION, SESSION is written there, too. swapped is
 * the result of pk_reader_swapped() at PK_RECORD_BEGIN. */
PK_API bool pk_stage_record(struct pk_stage *stage, const struct pk_record *record, bool swapped);
/* Returns the SESSION of the input. All members are 0 if none was read yet, or if its version is
 * unknown. */
PK_API const struct pk_session_info *pk_stage_input(const struct pk_stage *stage);
/* For the first program of a pipeline. Call this function after the HEADER_ATTR records were
 * written. It writes SESSION, STAGE and ORDER. */
PK_API void pk_stage_start(struct pk_stage *stage);
/* Adds to a loss (see struct pk_loss). pk_stage_end() writes one LOSS record for each cause, with
 * the sums. */
PK_API void pk_stage_lose(struct pk_stage *stage, enum pk_loss_cause cause, uint64_t count,
			  uint64_t total);
/* Call this function at the end of a session. It writes LOSS records. It also writes END if
 * complete is true, unless the input was an incomplete pk stream, without END. It writes nothing if
 * STAGE was not written. */
PK_API void pk_stage_end(struct pk_stage *stage, bool complete);

#ifdef __cplusplus
}
#endif
#endif
