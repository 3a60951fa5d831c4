/* SPDX-License-Identifier: BSD-2-Clause */
/* The fields of a SAMPLE, its trailers, and the arguments of probes (SPEC 5, 9.8, 9.14). Programs
 * include pkstream.h. */
#ifndef PKSTREAM_SAMPLE_H
#define PKSTREAM_SAMPLE_H

#include "pk_abi.h"
#include "pkstream_record.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pk_bytes {
	const uint8_t *data;
	uint64_t size;
};

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

/* ---- Stack trailer of SAMPLE (SPEC 9.8) ---- */

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

/* ---- Arguments of probes (SPEC 9.14) ---- */

/* Finds an argument by its name. The argument is valid as long as the event. Returns NULL if the
 * event has no such argument. */
PK_API const struct pk_argument *pk_argument_find(const struct pk_event *event, const char *name);
/* Sets *value to the argument's value in a sample of the event. If the flags of the argument have
 * PK_ARGUMENT_SIGNED, the value is sign-extended. Returns false if the argument is
 * PK_ARGUMENT_UNKNOWN, or if the sample lacks a register or memory that is needed. */
PK_API bool pk_argument_get(const struct pk_event *event, const struct pk_argument *argument,
			    const struct pk_sample *sample, uint64_t *value);

#ifdef __cplusplus
}
#endif
#endif
