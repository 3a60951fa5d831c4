/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PKSTREAM_H
#define PKSTREAM_H

/*
 * libpkstream: perf's record stream and pk's extension of it, read and written.
 *
 * A stream is a 16-byte header and records of at most 64 KiB; format/SPEC.md is its definition and
 * section numbers below refer to it. All numbers that this library hands out are in the host's
 * byte order, whatever the stream's was. Records are not aligned in memory: read them through the
 * types of perf_abi.h and pk_abi.h, single numbers with pk_load_u16/u32/u64.
 *
 * The library does not print, exit, or touch signals, and keeps no mutable global. A handle is used
 * by one thread at a time.
 *
 * Versions. A program that was built with an older version of this header works with a newer
 * library. Structs that a program allocates and that may get more members (options, pk_record,
 * pk_order_stats, pk_sample) are passed with their size: functions whose names end in _sized are
 * called by the inline function of the name without it. The library fills in what fits, and takes
 * members that the caller does not have for zero. pk_event and what it points to are allocated by
 * the library, and get new members at the end. All other structs stay as they are.
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
	PK_END = 1,	     /* the input ends here, at a record boundary, complete */
	PK_TRUNCATED = -1,   /* the input ends in the middle of a record, or without its END */
	PK_CORRUPT = -2,     /* bytes that cannot be what they should be */
	PK_IO = -3,	     /* a system call failed; the handle's error text says which */
	PK_NOMEM = -4,	     /* out of memory */
	PK_UNSUPPORTED = -5, /* well-formed, but of a kind that this version does not read */
};

/* A few words in English for a status; never NULL, static. */
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

/*
 * Where the fields of an event's records lie, worked out once per attr. Offsets of SAMPLE fields
 * count from the start of the record; 0 means that the field is absent, or, for callchain, that its
 * place varies (a READ group stands before it). Offsets of the trailer that other records carry
 * (sample_id_all) count backwards from the end of the record; 0 means absent.
 */
struct pk_layout {
	uint16_t identifier, ip, tid, time, addr, id, stream_id, cpu, period, read, callchain;
	uint16_t fixed_size; /* header and the fields before the first one of varying size */
	uint16_t least;	     /* of a SAMPLE, with nothing in what varies */
	bool plain;	     /* nothing but the number of callchain entries varies */
	struct {
		uint16_t size, tid, time, id, stream_id, cpu, identifier;
	} trailer;
};

/* Where an argument of a probe is when its event's sample is taken (ARGUMENTS; SPEC 9.14). */
enum pk_argument_kind {
	PK_ARGUMENT_UNKNOWN = 0,  /* not to be had */
	PK_ARGUMENT_VALUE = 1,	  /* value */
	PK_ARGUMENT_REGISTER = 2, /* what is in base, less shift bits */
	PK_ARGUMENT_MEMORY = 3,	  /* at base + index * scale + value */
};

#define PK_ARGUMENT_SIGNED	1u /* flags */
#define PK_ARGUMENT_NO_REGISTER 0xffu
#define PK_ARGUMENT_NAME_MAX	16

struct pk_argument {
	char name[PK_ARGUMENT_NAME_MAX]; /* with its NUL */
	uint8_t kind;			 /* enum pk_argument_kind */
	uint8_t size;			 /* bytes: 1, 2, 4, 8 */
	uint8_t flags;
	uint8_t base, index; /* bits of sample_regs_user; PK_ARGUMENT_NO_REGISTER: none */
	uint8_t scale, shift;
	uint64_t value;
};

struct pk_arguments {
	uint8_t stack;	    /* the register that points to the beginning of the stack dump */
	uint8_t byte_order; /* of what is in memory: 1 little-endian, 2 big-endian */
	size_t count;
	struct pk_argument items[];
};

/* The flags of an attr, from their order in struct pk_event to that of a record in the host's byte
 * order (SPEC 8.2). */
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

struct pk_event {
	struct perf_attr attr; /* host order, zero-filled where the stream's is shorter */
	uint32_t index;	       /* 0 for the first HEADER_ATTR of the session, and so on */
	bool usable;	  /* false: attr has bits that we do not know; samples are not decoded */
	const char *name; /* from EVENT_UPDATE NAME or EVENT_DESC, else derived; never NULL */
	const uint64_t *ids;
	size_t ids_count;
	struct pk_layout layout;
	const struct pk_arguments *arguments; /* NULL: the stream has none */
};

/* All events of one session. Borrowed from the reader; it changes as the reader goes on. */
struct pk_events;

PK_API size_t pk_events_count(const struct pk_events *events);
/* Borrowed until the session ends; NULL if index is out of range. */
PK_API const struct pk_event *pk_events_at(const struct pk_events *events, size_t index);
/* NULL if no event has the id. */
PK_API const struct pk_event *pk_events_by_id(const struct pk_events *events, uint64_t id);

/* ---- Reading -----------------------------------------------------------------------------------
 */

/* pk_record.type of the pseudo record that begins each session. It has no bytes. */
#define PK_RECORD_BEGIN 0

/* One record. Borrowed: valid until the next call on the reader (or ordered reader) it came from.
 */
struct pk_record {
	const uint8_t *data; /* the whole record, header included, host order, not aligned */
	uint32_t type;	     /* enum perf_record_type, or PK_RECORD_BEGIN */
	uint16_t misc;
	uint16_t size;	 /* of data */
	uint64_t offset; /* of the record in the input, in bytes, after any outer decompression */
	uint64_t payload_size; /* bytes that follow the record out of line; pk_reader_payload */
	/* Set by pk_order_next only: */
	const struct pk_event *event; /* which event it belongs to, or NULL */
	uint64_t time;		      /* ns, or PK_NO_TIME */
};

/* A record that lies somewhere in memory, by its header. */
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

/* The field TID that stands at `at` in the record (struct pk_layout). */
static inline const struct perf_task *pk_record_task(const struct pk_record *record, size_t at)
{
	return (const struct perf_task *)(record->data + at);
}

/* The text that begins at `at`; NULL if it does not end in the record. */
static inline const char *pk_record_text(const struct pk_record *record, size_t at)
{
	const char *text = (const char *)record->data + at;

	return at < record->size && memchr(text, '\0', record->size - at) ? text : NULL;
}

/*
 * Linux 3.10 of RHEL 7 writes MMAP2 without prot and flags: the name stands in their place, and its
 * letters are no bits of a protection. Executable maps are those that are not marked as data.
 */
static inline bool pk_mmap2_is_name(uint32_t prot)
{
	return (prot & ~UINT32_C(0x030000ff)) !=
	       0; /* all PROT_*, those of one architecture included */
}

static inline bool pk_mmap2_lacks_prot(const struct pk_record *record)
{
	const struct perf_record_mmap2 *map = (const struct perf_record_mmap2 *)record->data;

	return record->size < sizeof(*map) || pk_mmap2_is_name(map->prot);
}

/* Where the name of an MMAP or MMAP2 stands. */
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

/* What was wrong with a record that was skipped or could not be trusted wholly. */
struct pk_warning {
	uint64_t offset;  /* of the record */
	uint32_t type;	  /* of the record */
	const char *text; /* valid during the call */
};

struct pk_reader_options {
	/* Like read(2): bytes read, 0 at the end, -1 with errno. Short reads are fine; EINTR is
	 * retried. NULL: read(2) on fd, which stays the caller's. */
	ssize_t (*read)(void *arg, void *buf, size_t size);
	int fd;
	/* Called before a read that would block, so that a filter can pass on what it has. */
	void (*idle)(void *arg);
	void (*warn)(void *arg, const struct pk_warning *warning);
	void *arg; /* handed to the three above */
};

struct pk_reader;

/* Copies the options. Reads nothing: the first pk_reader_next() does. */
PK_API PK_MUST_CHECK enum pk_status pk_reader_new_sized(const struct pk_reader_options *options,
							size_t options_size,
							struct pk_reader **reader);
static inline PK_MUST_CHECK enum pk_status pk_reader_new(const struct pk_reader_options *options,
							 struct pk_reader **reader)
{
	return pk_reader_new_sized(options, sizeof(*options), reader);
}

PK_API void pk_reader_free(struct pk_reader *reader);
/*
 * The next record, of a stream or of a perf.data file (SPEC, appendix A), either in a zstd frame or
 * not. PK_RECORD_BEGIN comes first, and again where another stream follows the first in the same
 * input. Malformed records whose size can be trusted are reported through warn, counted and
 * skipped; definitions of a newer version of pk are left out, which warn reports once. END,
 * TRUNCATED and errors are repeated by later calls.
 */
PK_API PK_MUST_CHECK enum pk_status
pk_reader_next_sized(struct pk_reader *reader, struct pk_record *record, size_t record_size);
static inline PK_MUST_CHECK enum pk_status pk_reader_next(struct pk_reader *reader,
							  struct pk_record *record)
{
	return pk_reader_next_sized(reader, record, sizeof(*record));
}

/*
 * The bytes behind the record last returned by pk_reader_next (TRACING_DATA, AUXTRACE), piece by
 * piece: *size is 0 after the last one. What is not taken is skipped by the next pk_reader_next.
 */
PK_API PK_MUST_CHECK enum pk_status pk_reader_payload(struct pk_reader *reader,
						      const uint8_t **data, size_t *size);
/* The events of the current session. While PK_RECORD_BEGIN is the current record, those of the
 * session before. */
PK_API const struct pk_events *pk_reader_events(const struct pk_reader *reader);
/* The event that a record belongs to (SPEC 4.4); NULL if that cannot be said. */
PK_API const struct pk_event *pk_reader_event_of(struct pk_reader *reader,
						 const struct pk_record *record);
/* True if the byte order of the session that pk_reader_next is in, from its PK_RECORD_BEGIN on, is
 * not the host's. An ordered reader may then still deliver records of the session before. */
PK_API bool pk_reader_swapped(const struct pk_reader *reader);
/* How many malformed records were skipped so far. */
PK_API uint64_t pk_reader_bad_records(const struct pk_reader *reader);
/* What the failed status means, with its offset; "" if nothing failed. Valid until the reader is
 * freed. */
PK_API const char *pk_reader_error(const struct pk_reader *reader);

/* ---- Reading in order (SPEC 7)
 * -------------------------------------------------------------------- */

struct pk_order;

struct pk_order_stats {
	uint64_t late;		 /* records that came after a later one had been delivered */
	uint64_t rounds;	 /* FINISHED_ROUND records read */
	uint64_t window_flushes; /* times that the memory bound forced records out */
};

/* Takes records from reader, which stays the caller's and must not be read otherwise meanwhile. */
PK_API PK_MUST_CHECK enum pk_status pk_order_new(struct pk_reader *reader, struct pk_order **order);
PK_API void pk_order_free(struct pk_order *order);
/*
 * The next record in time order, records without a time at once. FINISHED_ROUND is consumed. Sets
 * record->event and record->time. Errors come after everything read before them.
 */
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

/* An array of u64, not aligned, inside a record. */
struct pk_u64s {
	const uint8_t *data;
	uint64_t count;
};

static inline uint64_t pk_u64s_at(const struct pk_u64s *array, uint64_t i)
{
	return pk_load_u64(array->data + 8 * i);
}

/* Counter values of PERF_SAMPLE_READ or a READ record. What read_format does not ask for is 0. */
struct pk_read_values {
	uint64_t time_enabled, time_running;
	uint64_t value, id, lost; /* of the one counter; with PERF_FORMAT_GROUP of the leader */
	uint64_t count;		  /* of counters: 1 without PERF_FORMAT_GROUP */
	struct pk_u64s group;	  /* with it: count times stride numbers (value, [id], [lost]) */
	unsigned int stride;
};

struct pk_registers {
	uint64_t abi; /* PERF_SAMPLE_REGS_ABI_* */
	struct pk_u64s
		values; /* one for each bit of the attr's mask, ascending; none if abi is 0 */
};

/* A SAMPLE, every field that sample_type can ask for; what is absent is 0. Pointers are into the
 * record. */
struct pk_sample {
	uint64_t id, ip, time, addr, stream_id, period;
	uint32_t pid, tid, cpu;
	struct pk_read_values read;
	struct pk_u64s callchain; /* with its context markers, leaf first */
	struct pk_bytes raw;
	struct pk_u64s branches; /* count entries of three u64: from, to, flags */
	uint64_t branch_hw_index;
	struct pk_u64s branch_counters;
	struct pk_registers user_registers, interrupt_registers;
	struct pk_bytes user_stack; /* the valid part */
	/* Where the callchain is or would be, with its count; from where to where the user's
	 * registers and stack are. */
	const uint8_t *callchain_at, *user_at, *user_end;
	uint64_t weight, data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct pk_bytes aux;
	uint16_t
		size; /* of the fields, header included; what lies behind is a trailer or unknown */
	uint32_t chain_flags; /* PK_CHAIN_*, of a chain trailer that follows (SPEC 9.8.1); or 0 */
	bool has_stack;	      /* a stack trailer follows (SPEC 9.8) */
	uint32_t stack;	      /* its stack id, 0 if none */
};

/* PK_CORRUPT: the record is shorter than its fields say. PK_UNSUPPORTED: !event->usable. */
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

/*
 * Only the callchain of a SAMPLE, for the hot path: PK_END if the event has none. It is
 * bounds-checked.
 */
PK_API PK_MUST_CHECK enum pk_status pk_sample_callchain(const struct pk_event *event,
							const struct pk_record *record,
							struct pk_u64s *callchain);

/* The trailer of a record that is not a SAMPLE (sample_id_all). */
struct pk_sample_id {
	uint64_t time, id, stream_id;
	uint32_t pid, tid, cpu;
};

/* All zero (time PK_NO_TIME) where the event's records have no trailer or the record is too short
 * for one. */
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

/* Writes a stack trailer or a chain trailer at `at`; returns where it ends. */
static inline uint8_t *pk_trailer_put(uint8_t *at, uint32_t tag, uint32_t value)
{
	struct pk_trailer *trailer = (struct pk_trailer *)at;

	trailer->tag = tag;
	trailer->value = value;
	return at + sizeof(*trailer);
}

/* The stack id of a sample of a session whose SESSION says that samples have the trailer; 0 if
 * none. */
static inline uint32_t pk_stack_trailer(const uint8_t *record, uint16_t size)
{
	const struct pk_trailer *trailer;

	if (size < sizeof(struct perf_header) + PK_STACK_TRAILER_SIZE)
		return 0;
	trailer = pk_trailer_at(record + size - PK_STACK_TRAILER_SIZE);
	return trailer->tag == PK_STACK_TRAILER_TAG ? trailer->value : 0;
}

/* ---- Chain trailer of SAMPLE (SPEC 9.8.1): what is not as it should be with its callchain ---- */

#define PK_CHAIN_TRAILER_TAG  UINT32_C(0x6b706863) /* "chpk" in a little-endian stream */
#define PK_CHAIN_TRAILER_SIZE 8

#define PK_CHAIN_USER_MISSING (1u << 0) /* the deferred user half never came */
#define PK_CHAIN_STACK_SHORT  (1u << 1) /* the stack dump ended before the stack did */
#define PK_CHAIN_NO_CFI	      (1u << 2) /* no unwind information for an address */
#define PK_CHAIN_BAD_CFI      (1u << 3) /* unwind information that makes no sense */
#define PK_CHAIN_NO_MEMORY    (1u << 4) /* memory was asked for that the dump does not hold */
/* callers were found by frame pointers, for want of CFI */
#define PK_CHAIN_FRAME_POINTER (1u << 5)
/* Those that say that callers are missing at the end. */
#define PK_CHAIN_MISSING                                                                           \
	(PK_CHAIN_USER_MISSING | PK_CHAIN_STACK_SHORT | PK_CHAIN_NO_CFI | PK_CHAIN_BAD_CFI |       \
	 PK_CHAIN_NO_MEMORY)

/* ---- Writing
 * --------------------------------------------------------------------------------------- */

struct pk_writer_options {
	/* Like write(2). NULL: write(2) on fd, which stays the caller's. */
	ssize_t (*write)(void *arg, const void *buf, size_t size);
	void *arg;
	int fd;
};

struct pk_writer;

/* A pipe behind fd is enlarged where the system allows it. */
PK_API PK_MUST_CHECK enum pk_status pk_writer_new_sized(const struct pk_writer_options *options,
							size_t options_size,
							struct pk_writer **writer);
static inline PK_MUST_CHECK enum pk_status pk_writer_new(const struct pk_writer_options *options,
							 struct pk_writer **writer)
{
	return pk_writer_new_sized(options, sizeof(*options), writer);
}

/* Does not flush. */
PK_API void pk_writer_free(struct pk_writer *writer);
/* Begins a stream: its 16-byte header. Counters start at 0. */
PK_API enum pk_status pk_writer_header(struct pk_writer *writer);
/* Appends a whole record. The status sticks: it may be looked at later, by flush. */
PK_API enum pk_status pk_writer_record(struct pk_writer *writer, const void *data, size_t size);
/*
 * Appends a record of size bytes (a multiple of 8, at most PERF_RECORD_SIZE_MAX) with its header
 * filled in, and returns where it starts: the caller fills the rest before the next call. NULL on
 * error.
 */
PK_API uint8_t *pk_writer_append(struct pk_writer *writer, uint32_t type, uint16_t misc,
				 size_t size);
/*
 * Appends bytes that are whole records, of which so many, or the out-of-line payload of one (0, 0).
 * Large pieces are written from where they lie; they may change when the call has returned.
 */
PK_API enum pk_status pk_writer_bytes(struct pk_writer *writer, const void *data, size_t size,
				      uint64_t records, uint64_t samples);
/* Appends a record and its out-of-line payload, both from reader. */
PK_API enum pk_status pk_writer_copy(struct pk_writer *writer, struct pk_reader *reader,
				     const struct pk_record *record);
PK_API enum pk_status pk_writer_flush(struct pk_writer *writer);

/* HEADER_ATTR: attr->size bytes of an attr whose flags are as in struct pk_event, and its ids. */
PK_API enum pk_status pk_writer_attr(struct pk_writer *writer, const struct perf_attr *attr,
				     const uint64_t *ids, size_t count);
/* EVENT_UPDATE: subtype is PERF_EVENT_UPDATE_*. */
PK_API enum pk_status pk_writer_update(struct pk_writer *writer, uint64_t subtype, uint64_t id,
				       const void *data, size_t size);
/* THREAD_MAP and CPU_MAP with count entries, which are zero. The caller fills them. */
PK_API struct perf_thread_map_entry *pk_writer_thread_map(struct pk_writer *writer, size_t count);
PK_API struct perf_cpus_list *pk_writer_cpu_map(struct pk_writer *writer, size_t count);
PK_API enum pk_status pk_writer_status(const struct pk_writer *writer);
/* Like pk_reader_error. errno of the failed write, or 0. */
PK_API const char *pk_writer_error(const struct pk_writer *writer);
PK_API int pk_writer_errno(const struct pk_writer *writer);

/* ---- Features (HEADER_FEATURE; SPEC 6)
 * -------------------------------------------------------------- */

/* Builds one HEADER_FEATURE record, piece by piece; what does not fit into a record sets overflow.
 */
struct pk_feature {
	uint32_t size;
	bool overflow;
	uint8_t data[PERF_RECORD_SIZE_MAX];
};

PK_API void pk_feature_start(struct pk_feature *feature, enum perf_feature id);
PK_API void pk_feature_u32(struct pk_feature *feature, uint32_t value);
PK_API void pk_feature_u64(struct pk_feature *feature, uint64_t value);
PK_API void pk_feature_bytes(struct pk_feature *feature, const void *data, size_t size);
PK_API void pk_feature_string(struct pk_feature *feature, const char *text);
/* Pads and writes it; a feature that overflowed is left out (PK_UNSUPPORTED, which does not stick).
 */
PK_API enum pk_status pk_feature_write(struct pk_feature *feature, struct pk_writer *writer);

/*
 * The feature that the record completes which pk_reader_next or pk_order_next returned last: a
 * HEADER_FEATURE, or the last FEATURE_PART of one (SPEC 9.13). False if it completes none, or an
 * empty one. Borrowed like the record; the content may be followed by padding.
 */
struct pk_feature_content {
	uint32_t id;
	const uint8_t *data;
	size_t size;
};
PK_API bool pk_reader_feature(const struct pk_reader *reader, const struct pk_record *record,
			      struct pk_feature_content *feature);
/* The id of a HEADER_FEATURE record, or 0. */
PK_API uint32_t pk_feature_id(const struct pk_record *record);
/* The text of a feature that is one string (HOSTNAME, OSRELEASE, VERSION, ARCH ...), at most size -
 * 1 bytes of it, NUL-terminated. False if the record is no such thing. */
PK_API bool pk_feature_get_string(const struct pk_record *record, char *text, size_t size);

/* ---- pk's definitions inside EVENT_UPDATE (SPEC 9)
 * -------------------------------------------------- */

#define PK_FORMAT_VERSION 1

enum pk_definition {
	PK_DEFINITION_NONE = 0, /* not a record of ours */
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
	PK_FEATURE_PART = 15, /* of a feature that cannot be a HEADER_FEATURE */
	PK_ARGUMENTS = 16,    /* of an event that is a probe */
};

#define PK_SUBTYPE_BASE                                                                            \
	UINT64_C(0x706b7374726d0000) /* "pkstrm", then 16 bits of enum pk_definition */

/* The kind of definition that a record is; unknown kinds of ours come as their number. */
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
#define PK_TRAILER_CHAIN 2u /* a SAMPLE may have a chain trailer, in front of the stack trailer */

struct pk_session_info {
	uint16_t version;   /* PK_FORMAT_VERSION */
	uint8_t byte_order; /* of raw payloads: 1 little-endian, 2 big-endian (ELF's EI_DATA) */
	uint8_t word_size;  /* of the recorded machine, bytes; 0 unknown */
	uint32_t trailers;  /* PK_TRAILER_* */
	uint32_t e_machine; /* ELF's EM_*, 0 unknown */
};

#define PK_ORDER_NONE	    0u /* rings, one after the other, in rounds */
#define PK_ORDER_TIME	    1u
#define PK_ORDER_PROCESSING 2u /* the order in which records mean the right thing (SPEC 7.4) */

struct pk_loss {
	uint32_t stage; /* id of the STAGE that says so */
	uint32_t cause; /* enum pk_loss_cause */
	uint64_t count;
	uint64_t total; /* out of how many; 0 unknown */
};

enum pk_loss_cause {
	PK_LOSS_RECORDS_LOST = 1,      /* records that a buffer had no room for */
	PK_LOSS_SAMPLES_LOST = 2,      /* samples that were dropped */
	PK_LOSS_RECORDS_BAD = 3,       /* malformed records, skipped */
	PK_LOSS_STACKS_TRUNCATED = 4,  /* callchains cut at the recording's limit or by 64 KiB */
	PK_LOSS_FRAMES_UNRESOLVED = 5, /* frames without a name */
	PK_LOSS_RECORDS_LATE = 6,      /* out of order beyond what could be sorted */
	PK_LOSS_STACKS_UNMERGED = 7,   /* deferred user callchains that never came */
	PK_LOSS_RECORDS_UNSWAPPED =
		8, /* unknown records of the other byte order, payload as it was */
	PK_LOSS_DEFINITIONS_BAD = 9, /* definitions or stack ids that do not hold together */
	PK_LOSS_CAUSE_MAX = 10,
};

/* PK_CORRUPT where the record is too short, PK_UNSUPPORTED where a newer version wrote it. The
 * record must be of that kind. */
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
	PK_DSO_MODULE = 3, /* of the kernel */
	PK_DSO_VDSO = 4,
	PK_DSO_JIT = 5, /* code that a process wrote, named by a perf map */
	PK_DSO_BPF = 6,
	PK_DSO_ANON = 7, /* mapped, but from no file */
};

struct pk_dso {
	uint32_t path;		/* string */
	uint32_t kind;		/* enum pk_dso_kind */
	uint32_t build_id_size; /* 0 to PK_BUILD_ID_MAX */
	uint8_t build_id[PK_BUILD_ID_MAX];
};

#define PK_FRAME_KERNEL	    (1u << 0)
#define PK_FRAME_USER	    (1u << 1)
#define PK_FRAME_GUEST	    (1u << 2) /* with KERNEL or USER */
#define PK_FRAME_HYPERVISOR (1u << 3)
#define PK_FRAME_INLINED    (1u << 4)
#define PK_FRAME_JIT	    (1u << 5)
#define PK_FRAME_UNRESOLVED (1u << 6) /* no function found */
#define PK_FRAME_TRUNCATED  (1u << 7) /* stands for callers that are missing */
#define PK_FRAME_COMM	    (1u << 8) /* not code: function is a thread's comm; the root of a stack */
#define PK_FRAME_FUNCTION   (1u << 9) /* of all addresses of the function; see address */

struct pk_frame {
	uint32_t dso;	   /* 0: the address belongs to no mapped object */
	uint32_t function; /* string; 0 unresolved */
	uint32_t file;	   /* string */
	uint32_t line, column;
	uint32_t flags; /* PK_FRAME_* */
	/* In the object: file offset for FILE, else virtual; virtual without object. With FUNCTION
	 * that of the function, 0 if it is not known. */
	uint64_t address;
	uint64_t symbol_start; /* in the same terms */
};

struct pk_stack {
	uint32_t parent; /* 0 for a root */
	uint32_t frame;
};

struct pk_dictionary;

/* With a writer, what is interned is written there before its id is returned; it stays the
 * caller's. */
PK_API struct pk_dictionary *pk_dictionary_new(struct pk_writer *writer);
PK_API void pk_dictionary_free(struct pk_dictionary *dictionary);
/* Interning: the id of an equal one, or of a new one; 0 if memory or the id space is exhausted. */
PK_API uint32_t pk_dictionary_string(struct pk_dictionary *dictionary, const char *text,
				     size_t size);
PK_API uint32_t pk_dictionary_dso(struct pk_dictionary *dictionary, const struct pk_dso *dso);
PK_API uint32_t pk_dictionary_frame(struct pk_dictionary *dictionary, const struct pk_frame *frame);
PK_API uint32_t pk_dictionary_stack(struct pk_dictionary *dictionary, uint32_t parent,
				    uint32_t frame);
/*
 * Reading: takes a STRING, DSO, FRAME, STACK or RESET record in. PK_CORRUPT: an id out of turn or a
 * record that is too short, which is not taken; or one in turn that refers to what is not defined,
 * whose id then stands for something unknown. Not to be mixed with interning.
 */
PK_API PK_MUST_CHECK enum pk_status pk_dictionary_read(struct pk_dictionary *dictionary,
						       const struct pk_record *record);
/* Forgets everything (writing RESET); ids go on. */
PK_API enum pk_status pk_dictionary_reset(struct pk_dictionary *dictionary);
/* Forgets everything and begins at id 1 again, for a new session; writes nothing. */
PK_API void pk_dictionary_clear(struct pk_dictionary *dictionary);

/* NULL where the id is not defined. Borrowed until something is added, reset or cleared. Strings
 * are NUL-terminated as well as counted; size may be NULL. */
PK_API const char *pk_dictionary_get_string(const struct pk_dictionary *dictionary, uint32_t id,
					    size_t *size);
PK_API const struct pk_dso *pk_dictionary_get_dso(const struct pk_dictionary *dictionary,
						  uint32_t id);
PK_API const struct pk_frame *pk_dictionary_get_frame(const struct pk_dictionary *dictionary,
						      uint32_t id);
PK_API const struct pk_stack *pk_dictionary_get_stack(const struct pk_dictionary *dictionary,
						      uint32_t id);
/* Defined stack ids are base + 1 to base + count; frames likewise. */
struct pk_id_range {
	uint32_t base, count;
};
PK_API struct pk_id_range pk_dictionary_stacks(const struct pk_dictionary *dictionary);
PK_API struct pk_id_range pk_dictionary_frames(const struct pk_dictionary *dictionary);

/* ---- Arguments of probes (SPEC 9.14) ---- */

/* NULL: the event has none of that name. Valid as long as the event. */
PK_API const struct pk_argument *pk_argument_find(const struct pk_event *event, const char *name);
/* Its value in a sample of the event, the sign extended if it is PK_ARGUMENT_SIGNED. False: the
 * sample does not hold what is needed. */
PK_API bool pk_argument_get(const struct pk_event *event, const struct pk_argument *argument,
			    const struct pk_sample *sample, uint64_t *value);

/* ---- A stage: what every program that writes a stream adds to it (SPEC 9.1 to 9.3, 9.9, 9.10)
 * ---------- */

struct pk_stage_options {
	const char *program; /* its name; borrowed as is argv */
	int argc;
	char *const *argv;
	uint32_t order;	   /* PK_ORDER_*: how this stage's output is ordered; NONE: as its input */
	uint32_t trailers; /* PK_TRAILER_* that this stage adds to samples */
	struct pk_session_info session; /* for a head of a pipe; others take the input's */
	/* STAGE tells nothing but the program's name, and features that perf 6.1 does not know are
	 * left to the caller. */
	bool anonymous;
};

struct pk_stage;

/* writer stays the caller's. */
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
/*
 * To be called with every record that the stage reads, before it does anything else with it. True
 * if the record has been dealt with and must not be written again: PK_RECORD_BEGIN (the header is
 * written), SESSION, ORDER, END. Ahead of the first record that is neither HEADER_ATTR nor one of
 * ours, SESSION, STAGE and ORDER are written. swapped: pk_reader_swapped, as it was at BEGIN.
 */
PK_API bool pk_stage_record(struct pk_stage *stage, const struct pk_record *record, bool swapped);
/* What the input's SESSION says; all zero if it has none, or none yet. */
PK_API const struct pk_session_info *pk_stage_input(const struct pk_stage *stage);
/* The head of a pipe calls this instead, after its HEADER_ATTRs. */
PK_API void pk_stage_start(struct pk_stage *stage);
/* Notes a loss, which pk_stage_end writes down. Counts for the same cause add up. */
PK_API void pk_stage_lose(struct pk_stage *stage, enum pk_loss_cause cause, uint64_t count,
			  uint64_t total);
/* At the end of a session: writes LOSS records, and END if complete. */
PK_API void pk_stage_end(struct pk_stage *stage, bool complete);

#ifdef __cplusplus
}
#endif
#endif
