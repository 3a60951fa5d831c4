/* SPDX-License-Identifier: BSD-2-Clause */
/* The events of a session (HEADER_ATTR, EVENT_UPDATE; SPEC 4). Programs include pkstream.h. */
#ifndef PKSTREAM_EVENT_H
#define PKSTREAM_EVENT_H

#include "perf_abi.h"
#include "pkstream_base.h"

#ifdef __cplusplus
extern "C" {
#endif

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
	/* Not in ARGUMENTS: a field of a register of AMD's IBS, which is in the raw bytes of the
	 * sample. `base`, `index` and `value` are private. */
	PK_ARGUMENT_IBS = 128,
};

/* Bits of pk_argument.flags. If SIGNED is set, pk_argument_get() sign-extends the value. If ADDRESS
 * is set, the value is an address. */
#define PK_ARGUMENT_SIGNED	1u
#define PK_ARGUMENT_ADDRESS	128u
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

#ifdef __cplusplus
}
#endif
#endif
