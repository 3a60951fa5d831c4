/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKSTREAM_H
#define PKSTREAM_H

/*
 * libpkstream: perf's record stream and pk's extension of it, read and written.
 *
 * A stream is a 16-byte header and records of at most 64 KiB. format/SPEC.md defines it; section
 * numbers below refer to that file. The library converts the numbers in records of known layout to
 * the host's byte order, except those in raw data (PERF_SAMPLE_RAW), in parts of features (SPEC
 * 9.13) and in payloads. Records are not aligned in memory: read them through the types of
 * perf_abi.h and pk_abi.h, single numbers with pk_load_u16/u32/u64.
 *
 * The library does not print, exit, or touch signals, and keeps no mutable global. A handle is used
 * by one thread at a time.
 *
 * Versions. A program that was built with an older version of this header works with a newer
 * library. Structs that a program allocates and that may get more members (options, and pk_record,
 * pk_order_stats and pk_sample where the library sets them) are passed with their size: for each
 * function whose name ends in _sized, an inline function without _sized passes it. The library sets
 * the members that the caller's struct has, and uses 0 for options that it lacks. pk_event is
 * allocated by the library, and gets new members at the end. All other structs stay as they are.
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

enum pk_status {
	PK_OK = 0,
	PK_END = 1,	     /* the input ends at a record boundary and is complete */
	PK_TRUNCATED = -1,   /* the input is cut: it is empty, ends within a header, record or file,
			      * or lacks its END */
	PK_CORRUPT = -2,     /* invalid bytes */
	PK_IO = -3,	     /* reading or writing failed; the error text of the handle has the
			      * reason */
	PK_NOMEM = -4,	     /* out of memory */
	PK_UNSUPPORTED = -5, /* well-formed, but this version cannot read it */
	PK_FAILED = -6,	     /* failed, and the reason was reported where it happened; libpkstream
			      * does not return it */
};

/* A short English text for a status. It is static and never NULL. */
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

/* Offsets in bytes of the fields of an event's records, calculated once for each attr. Offsets of
 * SAMPLE fields count from the start of the record. 0 means that the field is absent. For
 * callchain, it also means that its offset varies because a READ field with PERF_FORMAT_GROUP
 * precedes it. Offsets of the fields in the trailer of other records (sample_id_all) count
 * backwards from the end of the record. 0 means absent. */
struct pk_layout {
	uint16_t identifier, ip, tid, time, addr, id, stream_id, cpu, period, read, callchain;
	uint16_t fixed_size; /* size of the header and of the fields before READ (SPEC 5.1) */
	uint16_t least; /* only if plain: size of a SAMPLE whose callchain is empty or absent */
	bool plain; /* no field but the callchain has a variable size, and all fields are known */
	struct {
		uint16_t size, tid, time, id, stream_id, cpu, identifier;
	} trailer;
};

/* Where an argument of a probe is when the sample is recorded (ARGUMENTS; SPEC 9.14). */
enum pk_argument_kind {
	PK_ARGUMENT_UNKNOWN = 0,  /* its location is unknown: pk_argument_get() returns false */
	PK_ARGUMENT_VALUE = 1,	  /* the constant `value` */
	PK_ARGUMENT_REGISTER = 2, /* the register `base`, shifted right by `shift` bits */
	PK_ARGUMENT_MEMORY = 3,	  /* in memory, at the address base + index * scale + value */
};

/* Bit of pk_argument.flags: pk_argument_get() sign-extends the value. */
#define PK_ARGUMENT_SIGNED	1u
#define PK_ARGUMENT_NO_REGISTER 0xffu
#define PK_ARGUMENT_NAME_MAX	16

struct pk_argument {
	char name[PK_ARGUMENT_NAME_MAX]; /* NUL-terminated; longer names are cut */
	uint8_t kind;			 /* enum pk_argument_kind */
	uint8_t size;			 /* bytes: 1, 2, 4, 8; any number if kind is UNKNOWN */
	uint8_t flags;
	uint8_t base, index; /* registers, as bit numbers in sample_regs_user;
			      * PK_ARGUMENT_NO_REGISTER: none */
	uint8_t scale, shift;
	uint64_t value;
};

struct pk_arguments {
	uint8_t stack; /* the stack pointer, as a bit number in sample_regs_user: it has the address
			* of the first byte of the stack dump */
	uint8_t byte_order; /* of arguments in memory: 1 little-endian, 2 big-endian */
	size_t count;
	struct pk_argument items[];
};

/* Converts the flags of an attr from their order in struct pk_event to the order in a record in the
 * host's byte order (SPEC 8.2). */
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

/* Bit of pk_event.attr.sample_type that stands for the fields that this version does not know, and
 * for all fields after them: samples are decoded up to these (SPEC 4.1). */
#define PK_SAMPLE_UNKNOWN (UINT64_C(1) << 63)

struct pk_event {
	struct perf_attr attr; /* in host byte order; members that the stream's attr lacks are 0;
				* attr.size is the size in the stream, 64 if that is 0;
				* attr.sample_type: the fields of a struct pk_sample; see
				* recorded_type */
	uint32_t index;	       /* index in the session; 0 for the first HEADER_ATTR */
	bool off_cpu;	       /* the samples have fields in RAW: see recorded_type */
	const char *name; /* from EVENT_UPDATE NAME or EVENT_DESC, else derived from the attr; never
			   * NULL */
	const uint64_t *ids;
	size_t ids_count;
	struct pk_layout layout;
	const struct pk_arguments *arguments; /* NULL: no arguments */
	/* sample_type of the stream's attr if it is not attr.sample_type, otherwise 0. With
	 * off_cpu, IP, TID, PERIOD, CALLCHAIN and CGROUP are in RAW (SPEC 5.6, perf 6.16 and
	 * later). Then attr.sample_type has the bits of these, and not RAW. With unknown fields, it
	 * has PK_SAMPLE_UNKNOWN, and only the fields before them. */
	uint64_t recorded_type;
};

/* All events of one session. Borrowed from the reader, which adds events while it reads. */
struct pk_events;

PK_API size_t pk_events_count(const struct pk_events *events);
/* The event is valid until the session ends. Returns NULL if index is out of range. */
PK_API const struct pk_event *pk_events_at(const struct pk_events *events, size_t index);
/* NULL if no event has the id. */
PK_API const struct pk_event *pk_events_by_id(const struct pk_events *events, uint64_t id);

/* ---- Reading -----------------------------------------------------------------------------------
 */

/* pk_record.type of the pseudo record that the reader returns at the start of each session. Its
 * size is 0. */
#define PK_RECORD_BEGIN 0

/* One record. It is borrowed: it is valid until the next call on the reader (or ordered reader)
 * that returned it. */
struct pk_record {
	const uint8_t *data; /* the whole record, header included, in host byte order, not
			      * aligned */
	uint32_t type;	     /* enum perf_record_type, or PK_RECORD_BEGIN */
	uint16_t misc;
	uint16_t size;	 /* of data */
	uint64_t offset; /* of the record in the input, in bytes: after decompression if the whole
			  * input is compressed; for a record from a COMPRESSED record, that
			  * record's offset; for one made from the header of a perf.data file, the
			  * header's offset; in a directory, the offset in the record's file */
	uint64_t payload_size; /* bytes of the payload after the record; see pk_reader_payload */
	/* pk_order_next sets these two. pk_reader_next does not. */
	const struct pk_event *event; /* the record's event, or NULL */
	uint64_t time;		      /* ns, or PK_NO_TIME */
};

/* Makes a struct pk_record from a record in memory, in host byte order. Members that are not in the
 * record's header are 0, also time. */
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

/* The field TID at offset `at` of the record: pk_layout.tid of a SAMPLE, else record->size -
 * pk_layout.trailer.tid. */
static inline const struct perf_task *pk_record_task(const struct pk_record *record, size_t at)
{
	return (const struct perf_task *)(record->data + at);
}

/* The text that starts at offset `at`, or NULL if it has no NUL in the record, or the record ends
 * before it. */
static inline const char *pk_record_text(const struct pk_record *record, size_t at)
{
	const char *text = (const char *)record->data + at;

	return at < record->size && memchr(text, '\0', record->size - at) ? text : NULL;
}

/* Whether an MMAP2 has no prot and flags: Linux 3.10 of RHEL 7 writes such records, with the name
 * in their place. A name starts with '/', '[' or a letter, and continues with ASCII or UTF-8. A
 * protection has no such bytes in either byte order. The mode of a regular file, which perf inject
 * --jit writes there, has none either. In records without prot, a map is executable unless misc has
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

/* Whether an MMAP2 has a build-id. The bit in misc is not sufficient: if another recording of the
 * same task requests build-ids, the kernel also sets the bit for a recording that does not. Then
 * the bytes are the major and minor numbers of a device (SPEC 3.5). */
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

/* The offset of the name in an MMAP or MMAP2. */
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

/* A problem of a record or of the input: the reason why a record was skipped, for example. */
struct pk_warning {
	uint64_t offset;  /* of the record */
	uint32_t type;	  /* type of the record */
	const char *text; /* valid during the call */
};

struct pk_reader_options {
	/* Like read(2): returns the number of bytes read, 0 at the end, or -1 with errno. Short
	 * reads are allowed. After EINTR, the reader calls it again. With NULL, the reader calls
	 * read(2) on fd, and the caller closes fd. */
	ssize_t (*read)(void *arg, void *buf, size_t size);
	int fd;
	/* Called before a read from fd that would block, so that a filter can flush its output. Not
	 * called if `read` is set. May be NULL. */
	void (*idle)(void *arg);
	/* Called for each record that is skipped, and for other damage. Problems that can occur in
	 * every record, such as an unknown layout in the other byte order, are reported once in
	 * each session. May be NULL. */
	void (*warn)(void *arg, const struct pk_warning *warning);
	void *arg; /* passed to the three functions above */
};

struct pk_reader;

/* Copies the options, and enlarges the pipe of fd if the system allows it. Does not read. The first
 * pk_reader_next() does. */
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
 * perf record --threads. A stream or file can be compressed as a whole with zstd. PK_RECORD_BEGIN
 * comes first, and again if another stream or file follows in the same input. The content of
 * COMPRESSED records is returned, not these records. A malformed record whose header.size is valid
 * is reported through warn, counted and skipped. Not checked are SAMPLEs in host byte order
 * (pk_sample_decode() does that) and most definitions of pk (see pk_abi.h). Definitions of a newer
 * version of pk are skipped, too; warn reports this once for each session. After END, TRUNCATED or
 * an error, all later calls return the same status. */
PK_API PK_MUST_CHECK enum pk_status
pk_reader_next_sized(struct pk_reader *reader, struct pk_record *record, size_t record_size);
static inline PK_MUST_CHECK enum pk_status pk_reader_next(struct pk_reader *reader,
							  struct pk_record *record)
{
	return pk_reader_next_sized(reader, record, sizeof(*record));
}

/* Returns the payload after the record that pk_reader_next or pk_order_next returned last
 * (TRACING_DATA, AUXTRACE) in parts: *size is 0 after the last one. The next call of these skips
 * the rest. */
PK_API PK_MUST_CHECK enum pk_status pk_reader_payload(struct pk_reader *reader,
						      const uint8_t **data, size_t *size);
/* The events of the current session. While PK_RECORD_BEGIN is the current record, they are those of
 * the previous session. */
PK_API const struct pk_events *pk_reader_events(const struct pk_reader *reader);
/* The event of a kernel record, in host byte order (SPEC 4.4). If the session has only one event,
 * all records belong to it. Otherwise a record with the id 0 belongs to the first event, and so
 * does one with an unknown id, unless it is a SAMPLE. Returns NULL for a SAMPLE with an unknown id
 * if there are several events, for a record of type PERF_RECORD_USER_START or above, and if no
 * event is defined yet. */
PK_API const struct pk_event *pk_reader_event_of(struct pk_reader *reader,
						 const struct pk_record *record);
/* True if the byte order of the session that pk_reader_next reads is not the host's. It changes
 * when pk_reader_next returns PK_RECORD_BEGIN. pk_order_next can still return records of the
 * previous session after that. */
PK_API bool pk_reader_swapped(const struct pk_reader *reader);
/* The number of malformed records, and of other damaged parts of the input, that were skipped in
 * all sessions so far. */
PK_API uint64_t pk_reader_bad_records(const struct pk_reader *reader);
/* The text of the first TRUNCATED or error, with the offset in the input, or "" if no call failed.
 * Valid until the reader is freed. */
PK_API const char *pk_reader_error(const struct pk_reader *reader);

/* ---- Reading in order (SPEC 7)
 * -------------------------------------------------------------------- */

struct pk_order;

struct pk_order_stats {
	uint64_t late;	 /* records returned after a record with a later time; 0 if the session
			  * declares an order */
	uint64_t rounds; /* FINISHED_ROUND records read */
	uint64_t window_flushes; /* how often half of the queue was released because it exceeded the
				  * memory limit */
};

/* Reads records from reader. The caller frees reader after order, and must not call
 * pk_reader_next() on it. */
PK_API PK_MUST_CHECK enum pk_status pk_order_new(struct pk_reader *reader, struct pk_order **order);
PK_API void pk_order_free(struct pk_order *order);
/* Returns the next record in time order or, if the session declares an order (ORDER), in that of
 * the input. Records without a time, or too late to be sorted, are returned at once, except
 * PK_RECORD_BEGIN, ORDER, RESET and END, which come after all records that were read before them.
 * FINISHED_ROUND is not returned. SAMPLEs of unknown events are reported through warn, counted and
 * skipped. Sets record->event and record->time. END and errors of the reader come after all records
 * that were read before them. */
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

/* An array of u64 in a record, not aligned. */
struct pk_u64s {
	const uint8_t *data;
	uint64_t count;
};

static inline uint64_t pk_u64s_at(const struct pk_u64s *array, uint64_t i)
{
	return pk_load_u64(array->data + 8 * i);
}

/* Counter values of PERF_SAMPLE_READ. Times are in ns. Values that read_format does not select are
 * 0. */
struct pk_read_values {
	uint64_t time_enabled, time_running;
	uint64_t value, id, lost; /* of the only counter; with PERF_FORMAT_GROUP: of the first
				   * counter, the group's leader */
	uint64_t count;		  /* number of counters: 1 without PERF_FORMAT_GROUP */
	struct pk_u64s group; /* with PERF_FORMAT_GROUP: `stride` numbers for each counter: value,
			       * id and lost if selected */
	unsigned int stride;
};

struct pk_registers {
	uint64_t abi;	       /* PERF_SAMPLE_REGS_ABI_* */
	struct pk_u64s values; /* one for each bit that is set in the attr's mask, lowest bit first;
				* none if abi is 0 */
};

/* A SAMPLE with all fields that sample_type can select. Absent fields are 0. Pointers point into
 * the record. */
struct pk_sample {
	uint64_t id, ip, time, addr, stream_id, period;
	uint32_t pid, tid, cpu;
	struct pk_read_values read;
	struct pk_u64s callchain; /* including context markers; leaf first */
	struct pk_bytes raw;
	struct pk_u64s branches; /* branches.count is the number of entries, each of three u64:
				  * from, to, flags; pk_branch_flags() reads the flags */
	uint64_t branch_hw_index;
	struct pk_u64s branch_counters;
	struct pk_registers user_registers, interrupt_registers;
	struct pk_bytes user_stack; /* only the dyn_size bytes that the kernel dumped */
	/* callchain_at is the count of the callchain, or the place where it would be if the event
	 * had callchains. From user_at to user_end are the user registers and the user stack. */
	const uint8_t *callchain_at, *user_at, *user_end;
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct pk_bytes aux;
	uint16_t size; /* size of the header and the fields; trailers or unknown bytes can follow */
	/* The trailers, found by their tags. They count only if pk_session_info.trailers of the
	 * session has PK_TRAILER_CHAIN or PK_TRAILER_STACK (SPEC 9.8). */
	uint32_t chain_flags; /* PK_CHAIN_* of the chain trailer, or 0 */
	bool has_stack;	      /* the record has a stack trailer */
	uint32_t stack;	      /* the stack id in it; 0: the sample has no stack */
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

/* The flags of a branch of pk_sample.branches, with the bit numbers of a little-endian machine
 * (SPEC 5.4, 8.3). i is less than branches->count. */
PK_API uint64_t pk_branch_flags(const struct pk_u64s *branches, uint64_t i);

/* Fast path: returns only the callchain of a SAMPLE, and checks only that the callchain is in the
 * record. Returns PK_END if samples of the event have no callchain. Other statuses are those of
 * pk_sample_decode(). */
PK_API PK_MUST_CHECK enum pk_status pk_sample_callchain(const struct pk_event *event,
							const struct pk_record *record,
							struct pk_u64s *callchain);

/* The trailer of a record that is not a SAMPLE (sample_id_all). */
struct pk_sample_id {
	uint64_t time, id, stream_id;
	uint32_t pid, tid, cpu;
};

/* Absent fields are 0, an absent time is PK_NO_TIME. All are absent if the event's records have no
 * trailer or the record is too short for one. */
PK_API void pk_sample_id_decode(const struct pk_event *event, const struct pk_record *record,
				struct pk_sample_id *id);

/* ---- Stack trailer of SAMPLE (SPEC 9.8)
 * ------------------------------------------------------------- */

#define PK_STACK_TRAILER_TAG  UINT32_C(0x6b747370) /* "pstk" in a little-endian stream */
#define PK_STACK_TRAILER_SIZE 8

static inline const struct pk_trailer *pk_trailer_at(const uint8_t *at)
{
	return (const struct pk_trailer *)at;
}

/* Writes a stack trailer or a chain trailer at `at`, and returns its end. */
static inline uint8_t *pk_trailer_put(uint8_t *at, uint32_t tag, uint32_t value)
{
	struct pk_trailer *trailer = (struct pk_trailer *)at;

	trailer->tag = tag;
	trailer->value = value;
	return at + sizeof(*trailer);
}

/* The stack id of a SAMPLE of size bytes, or 0 if there is none. Call it only if SESSION declares
 * stack trailers: elsewhere, a field could look like one. */
static inline uint32_t pk_stack_trailer(const uint8_t *record, uint16_t size)
{
	const struct pk_trailer *trailer;

	if (size < sizeof(struct perf_header) + PK_STACK_TRAILER_SIZE)
		return 0;
	trailer = pk_trailer_at(record + size - PK_STACK_TRAILER_SIZE);
	return trailer->tag == PK_STACK_TRAILER_TAG ? trailer->value : 0;
}

/* ---- Chain trailer of SAMPLE (SPEC 9.8.1): the defects of its callchain ---- */

#define PK_CHAIN_TRAILER_TAG  UINT32_C(0x6b706863) /* "chpk" in a little-endian stream */
#define PK_CHAIN_TRAILER_SIZE 8

#define PK_CHAIN_USER_MISSING (1u << 0) /* the deferred user half is missing */
#define PK_CHAIN_STACK_SHORT  (1u << 1) /* the stack is deeper than its dump */
#define PK_CHAIN_NO_CFI	      (1u << 2) /* an address has no unwind information */
#define PK_CHAIN_BAD_CFI      (1u << 3) /* invalid unwind information */
#define PK_CHAIN_NO_MEMORY    (1u << 4) /* a caller needed memory that is not in the dump */
/* callers were found with frame pointers or the link register because CFI was missing */
#define PK_CHAIN_FRAME_POINTER (1u << 5)
/* The flags that mean: callers are missing at the end of the callchain. */
#define PK_CHAIN_MISSING                                                                           \
	(PK_CHAIN_USER_MISSING | PK_CHAIN_STACK_SHORT | PK_CHAIN_NO_CFI | PK_CHAIN_BAD_CFI |       \
	 PK_CHAIN_NO_MEMORY)

/* ---- Writing
 * --------------------------------------------------------------------------------------- */

struct pk_writer_options {
	/* Like write(2). With NULL, the writer calls write(2) on fd, and the caller closes fd. */
	ssize_t (*write)(void *arg, const void *buf, size_t size);
	void *arg;
	int fd;
};

struct pk_writer;

/* Copies the options, and enlarges the pipe of fd if the system allows it. */
PK_API PK_MUST_CHECK enum pk_status pk_writer_new_sized(const struct pk_writer_options *options,
							size_t options_size,
							struct pk_writer **writer);
static inline PK_MUST_CHECK enum pk_status pk_writer_new(const struct pk_writer_options *options,
							 struct pk_writer **writer)
{
	return pk_writer_new_sized(options, sizeof(*options), writer);
}

/* Drops buffered bytes: call pk_writer_flush() first. */
PK_API void pk_writer_free(struct pk_writer *writer);
/* Starts a stream: writes the 16-byte header, and sets the counters of records and samples to 0. */
PK_API enum pk_status pk_writer_header(struct pk_writer *writer);
/* Appends a whole record. All calls after an error return the error again: it is enough to check
 * the status of pk_writer_flush(). */
PK_API enum pk_status pk_writer_record(struct pk_writer *writer, const void *data, size_t size);
/* Appends a record of size bytes (a multiple of 8, at most PERF_RECORD_SIZE_MAX), writes its
 * header, and returns its start. The caller fills the rest before the next call. Returns NULL after
 * an error. */
PK_API uint8_t *pk_writer_append(struct pk_writer *writer, uint32_t type, uint16_t misc,
				 size_t size);
/* Appends size bytes. They are either whole records, `records` of them and among these `samples`
 * SAMPLEs, or the payload of the last record (both 0). Buffers of 64 KiB or more are written
 * without a copy. The caller may change the bytes after the call. */
PK_API enum pk_status pk_writer_bytes(struct pk_writer *writer, const void *data, size_t size,
				      uint64_t records, uint64_t samples);
/* Appends the current record of reader with its payload. If the input ends or fails within the
 * payload, a payload of up to 16 MiB is not written, nor is its record, and the reader's status is
 * returned. With a larger payload, the writer fails, too. */
PK_API enum pk_status pk_writer_copy(struct pk_writer *writer, struct pk_reader *reader,
				     const struct pk_record *record);
/* Writes all buffered bytes. */
PK_API enum pk_status pk_writer_flush(struct pk_writer *writer);

/* Writes HEADER_ATTR: the first attr->size bytes of *attr (at most sizeof(*attr)), whose flags are
 * in the order of struct pk_event, and its ids. */
PK_API enum pk_status pk_writer_attr(struct pk_writer *writer, const struct perf_attr *attr,
				     const uint64_t *ids, size_t count);
/* Writes EVENT_UPDATE: subtype is PERF_EVENT_UPDATE_*. */
PK_API enum pk_status pk_writer_update(struct pk_writer *writer, uint64_t subtype, uint64_t id,
				       const void *data, size_t size);
/* Append THREAD_MAP and CPU_MAP with count zeroed entries. The caller fills the entries before the
 * next call. They return NULL after an error. */
PK_API struct perf_thread_map_entry *pk_writer_thread_map(struct pk_writer *writer, size_t count);
PK_API struct perf_cpus_list *pk_writer_cpu_map(struct pk_writer *writer, size_t count);
PK_API enum pk_status pk_writer_status(const struct pk_writer *writer);
/* pk_writer_error() returns the text of the first error, or "". pk_writer_errno() returns the errno
 * of the failed write, or 0. */
PK_API const char *pk_writer_error(const struct pk_writer *writer);
PK_API int pk_writer_errno(const struct pk_writer *writer);

/* ---- Features (HEADER_FEATURE; SPEC 6)
 * -------------------------------------------------------------- */

/* Builds one feature in steps, in host byte order. Content beyond PK_FEATURE_BUILD_MAX bytes,
 * including the header of the record, is dropped, and sets overflow. Too large for the stack. */
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
/* Adds a string in perf's format: its size as u32, then the text, padded with NULs to a multiple of
 * 64 bytes. */
PK_API void pk_feature_string(struct pk_feature *feature, const char *text);
/* Pads the feature to a multiple of 8 bytes and writes it: as HEADER_FEATURE, or as FEATURE_PARTs
 * (SPEC 9.13) if it does not fit into a record. Returns PK_UNSUPPORTED if overflow is set. Then
 * nothing was written, and the writer can be used further. */
PK_API enum pk_status pk_feature_write(struct pk_feature *feature, struct pk_writer *writer);

/* The feature that the last record of pk_reader_next or pk_order_next completes: a HEADER_FEATURE,
 * or the last FEATURE_PART of a feature (SPEC 9.13). Returns false if the record completes no
 * feature, or an empty one, or if its id is 0 or larger than 32 bits. The content is borrowed like
 * the record. Padding can follow it. */
struct pk_feature_content {
	uint32_t id;
	const uint8_t *data;
	size_t size;
};
PK_API bool pk_reader_feature(const struct pk_reader *reader, const struct pk_record *record,
			      struct pk_feature_content *feature);
/* The id of a HEADER_FEATURE record, or 0 if it is another record, or the id does not fit into 32
 * bits. */
PK_API uint32_t pk_feature_id(const struct pk_record *record);
/* For a HEADER_FEATURE that is one string (HOSTNAME, OSRELEASE, VERSION, ARCH ...). The function
 * does not check the id. Copies at most size - 1 bytes of the string, and a NUL. Returns false if
 * the record is too short for the string. */
PK_API bool pk_feature_get_string(const struct pk_record *record, char *text, size_t size);

/* ---- pk's definitions inside EVENT_UPDATE (SPEC 9)
 * -------------------------------------------------- */

#define PK_FORMAT_VERSION 1

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
	PK_FINISH = 10, /* END in the SPEC */
	PK_IMAGE = 11,
	PK_SYMBOLS = 12,
	PK_SOURCE = 13,
	PK_FORGET = 14,
	PK_FEATURE_PART = 15, /* part of a feature that cannot be a HEADER_FEATURE */
	PK_ARGUMENTS = 16,    /* of a probe's event */
	PK_LABEL = 17,	      /* a name and a value that the user gave to the recording */
};

/* "pkstrm", then 16 bits of enum pk_definition. */
#define PK_SUBTYPE_BASE UINT64_C(0x706b7374726d0000)

/* The kind of definition that a record is: enum pk_definition, or a larger number for a kind of a
 * newer version. */
static inline unsigned int pk_definition_of(const struct pk_record *record)
{
	const struct pk_definition_head *head = (const struct pk_definition_head *)record->data;

	if (record->type != PERF_RECORD_EVENT_UPDATE || record->size < sizeof(*head) ||
	    (head->subtype & ~UINT64_C(0xffff)) != PK_SUBTYPE_BASE)
		return PK_DEFINITION_NONE;
	return (unsigned int)(head->subtype & 0xffff);
}

/* pk_session_info.trailers */
#define PK_TRAILER_STACK 1u /* every SAMPLE ends with a stack trailer */
#define PK_TRAILER_CHAIN 2u /* a SAMPLE can have a chain trailer before the stack trailer */

struct pk_session_info {
	uint16_t version;   /* PK_FORMAT_VERSION */
	uint8_t byte_order; /* of raw payloads: 1 little-endian, 2 big-endian (ELF's EI_DATA) */
	uint8_t word_size;  /* bytes of a word of the recorded machine; 0 unknown */
	uint32_t trailers;  /* PK_TRAILER_* */
	uint32_t e_machine; /* ELF's EM_*, 0 unknown */
};

#define PK_ORDER_NONE	    0u /* not sorted: the records of each ring are in order */
#define PK_ORDER_TIME	    1u
#define PK_ORDER_PROCESSING 2u /* the order in which the records must be processed (SPEC 7.4) */

struct pk_loss {
	uint32_t stage; /* id of the STAGE that reports the loss */
	uint32_t cause; /* enum pk_loss_cause */
	uint64_t count;
	uint64_t total; /* number of items, the lost ones included; 0 unknown */
};

enum pk_loss_cause {
	PK_LOSS_RECORDS_LOST = 1,      /* records that did not fit into a buffer */
	PK_LOSS_SAMPLES_LOST = 2,      /* samples that were dropped */
	PK_LOSS_RECORDS_BAD = 3,       /* malformed records that were skipped */
	PK_LOSS_STACKS_TRUNCATED = 4,  /* callchains cut at the recording's limit or at 64 KiB */
	PK_LOSS_FRAMES_UNRESOLVED = 5, /* frames without a name */
	PK_LOSS_RECORDS_LATE = 6,      /* records too late to be sorted */
	PK_LOSS_STACKS_UNMERGED = 7,   /* deferred user callchains that are missing */
	PK_LOSS_RECORDS_UNSWAPPED =
		8, /* unknown records whose payload stayed in the other byte order */
	PK_LOSS_DEFINITIONS_BAD = 9,  /* invalid definitions or stack ids */
	PK_LOSS_SPANS_DROPPED = 10,   /* open spans that were dropped at a limit */
	PK_LOSS_SPANS_UNENDED = 11,   /* starts without an end before the next start of their key */
	PK_LOSS_SPANS_UNSTARTED = 12, /* ends without a start */
	PK_LOSS_SPANS_GAPS = 13,      /* spans during which records were lost */
	PK_LOSS_SPANS_OPEN = 14,      /* spans that were open at the end of the recording */
	PK_LOSS_STACKS_CUT = 15,      /* stacks that end in code without frame pointers */
	PK_LOSS_CAUSE_MAX = 16,
};

#define PK_LABEL_NAME_MAX  64	/* bytes of a label's name */
#define PK_LABEL_VALUE_MAX 4096 /* bytes of its value */

/* The texts are NUL-terminated. They are valid as long as the record. */
struct pk_label {
	const char *name, *value;
};

/* Decodes a LABEL record. The caller has checked the kind. Returns PK_CORRUPT if the record is too
 * short, or the name or the value is not valid (SPEC 9.16). */
PK_API PK_MUST_CHECK enum pk_status pk_label_decode(const struct pk_record *record,
						    struct pk_label *label);

/* Decode a SESSION and a LOSS record. The caller has checked the kind. They return PK_CORRUPT if
 * the record is too short, and PK_UNSUPPORTED if a newer version wrote the SESSION. */
PK_API PK_MUST_CHECK enum pk_status pk_session_info_decode(const struct pk_record *record,
							   struct pk_session_info *info);
PK_API PK_MUST_CHECK enum pk_status pk_loss_decode(const struct pk_record *record,
						   struct pk_loss *loss);

/* ---- Dictionary: strings, objects, frames, stacks (SPEC 9.4 to 9.7)
 * ----------------------------------- */

enum pk_dso_kind {
	PK_DSO_UNKNOWN = 0,
	PK_DSO_FILE = 1, /* an ELF file */
	PK_DSO_KERNEL = 2,
	PK_DSO_MODULE = 3, /* a module of the kernel */
	PK_DSO_VDSO = 4,
	PK_DSO_JIT = 5, /* generated code, with names from a perf map or jitdump */
	PK_DSO_BPF = 6,
	PK_DSO_ANON = 7, /* mapped memory without a file */
};

struct pk_dso {
	uint32_t path;		/* id of a string */
	uint32_t kind;		/* enum pk_dso_kind */
	uint32_t build_id_size; /* 0 to PK_BUILD_ID_MAX */
	uint8_t build_id[PK_BUILD_ID_MAX];
};

#define PK_FRAME_KERNEL	    (1u << 0)
#define PK_FRAME_USER	    (1u << 1)
#define PK_FRAME_GUEST	    (1u << 2) /* in addition to KERNEL or USER */
#define PK_FRAME_HYPERVISOR (1u << 3)
#define PK_FRAME_INLINED    (1u << 4)
#define PK_FRAME_JIT	    (1u << 5)
#define PK_FRAME_UNRESOLVED (1u << 6) /* no function was found */
#define PK_FRAME_TRUNCATED  (1u << 7) /* a marker for missing callers */
/* No code: the function is the name of a thread, and the frame is the root of a stack. */
#define PK_FRAME_COMM	  (1u << 8)
#define PK_FRAME_FUNCTION (1u << 9) /* stands for all addresses of the function; see address */

struct pk_frame {
	uint32_t dso;	   /* 0: none: the address is in no mapped object */
	uint32_t function; /* id of a string; 0 unresolved */
	uint32_t file;	   /* id of a string; 0 unknown */
	uint32_t line, column;
	uint32_t flags; /* PK_FRAME_* */
	/* In a DSO of kind FILE, and for code of a jitdump: the offset in the file. In a MODULE or
	 * VDSO: the offset from the start of its map. Else, and without a DSO: a virtual address.
	 * With PK_FRAME_FUNCTION it is the address of the function, or 0 if unknown. */
	uint64_t address;
	uint64_t symbol_start; /* start of the symbol, the same kind of address; 0 unknown */
};

struct pk_stack {
	uint32_t parent; /* the caller's stack; 0: the frame is the root */
	uint32_t frame;
};

struct pk_dictionary;

/* With a writer, the definition of a new item is written before its id is returned. writer may be
 * NULL, and is not freed. NULL: out of memory. */
PK_API struct pk_dictionary *pk_dictionary_new(struct pk_writer *writer);
PK_API void pk_dictionary_free(struct pk_dictionary *dictionary);
/* Intern an item: return the id of an equal item, or of a new one. They return 0 if memory is
 * exhausted, or no ids are left. Ids in the item must be defined or 0. Strings that are too long
 * for a record are cut. */
PK_API uint32_t pk_dictionary_string(struct pk_dictionary *dictionary, const char *text,
				     size_t size);
PK_API uint32_t pk_dictionary_dso(struct pk_dictionary *dictionary, const struct pk_dso *dso);
PK_API uint32_t pk_dictionary_frame(struct pk_dictionary *dictionary, const struct pk_frame *frame);
PK_API uint32_t pk_dictionary_stack(struct pk_dictionary *dictionary, uint32_t parent,
				    uint32_t frame);
/* For readers: adds the item of a STRING, DSO, FRAME or STACK record, or removes all items for a
 * RESET record. Ignores other records. Returns PK_CORRUPT in two cases. If the id is not the next
 * one, or the record is too short, nothing is added. If the record is invalid or refers to an
 * undefined id, an empty item with its id is added. Do not also add items with the functions
 * above. */
PK_API PK_MUST_CHECK enum pk_status pk_dictionary_read(struct pk_dictionary *dictionary,
						       const struct pk_record *record);
/* Removes all items, and writes RESET. The ids continue. */
PK_API enum pk_status pk_dictionary_reset(struct pk_dictionary *dictionary);
/* Removes all items and starts again at id 1, for a new session. Writes nothing. */
PK_API void pk_dictionary_clear(struct pk_dictionary *dictionary);

/* The item with the id, valid until the next addition, reset or clear. Returns NULL if the id is
 * undefined. Strings are NUL-terminated. size may be NULL. */
PK_API const char *pk_dictionary_get_string(const struct pk_dictionary *dictionary, uint32_t id,
					    size_t *size);
PK_API const struct pk_dso *pk_dictionary_get_dso(const struct pk_dictionary *dictionary,
						  uint32_t id);
PK_API const struct pk_frame *pk_dictionary_get_frame(const struct pk_dictionary *dictionary,
						      uint32_t id);
PK_API const struct pk_stack *pk_dictionary_get_stack(const struct pk_dictionary *dictionary,
						      uint32_t id);
/* The defined ids: base + 1 to base + count. */
struct pk_id_range {
	uint32_t base, count;
};
PK_API struct pk_id_range pk_dictionary_stacks(const struct pk_dictionary *dictionary);
PK_API struct pk_id_range pk_dictionary_frames(const struct pk_dictionary *dictionary);

/* ---- Arguments of probes (SPEC 9.14) ---- */

/* Finds an argument by name. It is valid as long as the event. Returns NULL if the event has no
 * such argument. */
PK_API const struct pk_argument *pk_argument_find(const struct pk_event *event, const char *name);
/* The value of the event's argument in a sample of the event, sign-extended if its flags have
 * PK_ARGUMENT_SIGNED. Returns false if the argument is PK_ARGUMENT_UNKNOWN, or the sample lacks a
 * register or memory that is needed. */
PK_API bool pk_argument_get(const struct pk_event *event, const struct pk_argument *argument,
			    const struct pk_sample *sample, uint64_t *value);

/* ---- A stage: what every program that writes a stream adds to it (SPEC 9.1 to 9.3, 9.9, 9.10)
 * ---------- */

struct pk_stage_options {
	const char *program; /* its name; it and argv are borrowed */
	int argc;
	char *const *argv;
	uint32_t order; /* PK_ORDER_*: the order of this stage's output; NONE: the stage keeps the
			 * order of its input */
	uint32_t trailers; /* the PK_TRAILER_* that this stage adds to samples */
	/* For the first program of a pipe. Others copy the SESSION of the input or, if it has none,
	 * write one with the input's byte order. */
	struct pk_session_info session;
	/* If true, STAGE has the program's name, but no version, host, time and arguments. Then
	 * pk_stage_record() does not convert features that perf 6.1 does not know: the caller
	 * handles them. */
	bool anonymous;
};

struct pk_stage;

/* The caller frees writer after the stage. */
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
/* Call this with every record that the stage reads, before any other use of the record. Returns
 * true if the record has been handled and must not be written again. Such records are
 * PK_RECORD_BEGIN (a header is written), SESSION, END, ORDER if the stage has its own order, and
 * features that perf 6.1 does not know (written as FEATURE_PARTs, unless they are empty). The
 * stage's SESSION is written in place of the input's. Its STAGE and ORDER, and SESSION if the input
 * has none, are written when the first record after a HEADER_ATTR comes that is not itself
 * HEADER_ATTR, SESSION, STAGE or ORDER. swapped is the result of pk_reader_swapped() at BEGIN. */
PK_API bool pk_stage_record(struct pk_stage *stage, const struct pk_record *record, bool swapped);
/* The SESSION of the input. It is all zero if the input has none of a known version, or none was
 * read yet. */
PK_API const struct pk_session_info *pk_stage_input(const struct pk_stage *stage);
/* For the first program of a pipe, after it has written its HEADER_ATTRs: writes SESSION, STAGE and
 * ORDER. */
PK_API void pk_stage_start(struct pk_stage *stage);
/* Adds a loss (see struct pk_loss). pk_stage_end() writes one LOSS for each cause, with sums. */
PK_API void pk_stage_lose(struct pk_stage *stage, enum pk_loss_cause cause, uint64_t count,
			  uint64_t total);
/* Call at the end of a session: writes LOSS records, and END if complete is true and the input was
 * not a pk stream without its END. Writes nothing if STAGE was not written. */
PK_API void pk_stage_end(struct pk_stage *stage, bool complete);

#ifdef __cplusplus
}
#endif
#endif
