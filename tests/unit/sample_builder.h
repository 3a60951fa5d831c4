/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SAMPLE_BUILDER_H
#define SAMPLE_BUILDER_H

/* Builds the fields of SAMPLE records as SPEC 5 and 8 describe them. */

#include "stream_builder.h"

enum field {
	F_IDENTIFIER = 1,
	F_IP,
	F_PID,
	F_TID,
	F_TIME,
	F_ADDR,
	F_ID,
	F_STREAM_ID,
	F_CPU,
	F_PERIOD,
	F_READ, /* this number and the next 15 are for READ */
	F_CHAIN = 40,
	F_BRANCH = 60,
	F_HW_INDEX = 80,
	F_COUNTER = 90,
	F_USER_REGISTER = 100,
	F_WEIGHT = 180,
	F_DATA_SRC,
	F_TRANSACTION,
	F_PHYS_ADDR,
	F_CGROUP,
	F_DATA_PAGE_SIZE,
	F_CODE_PAGE_SIZE,
	F_INTR_REGISTER = 200,
};

/* Returns a value for element i of a field. All values are different. */
static inline uint64_t value_of(unsigned int field, uint64_t i)
{
	return (field + i) * UINT64_C(0x0102030405060709) ^ UINT64_C(0x8000000000000001);
}

/* Numbers of elements in the fields of variable size. */
struct shape {
	unsigned int chain, branches, group, raw, stack, dyn_size, aux;
	uint64_t abi;
	bool no_index;	 /* an empty branch stack has no hw_idx */
	bool extra_size; /* an empty stack dump has 8 zero bytes */
};

static const struct shape usual_shape = {
	.chain = 3,
	.branches = 2,
	.group = 2,
	.raw = 12,
	.stack = 24,
	.dyn_size = 16,
	.aux = 8,
	.abi = 2,
};

/* Returns the flags of a branch as a writer with the stream's byte order writes them
 * (SPEC 5.4, 8.3). */
static inline uint64_t branch_flags_of(const struct built *b, uint64_t flags)
{
	static const unsigned int widths[] = {1, 1, 1, 1, 16, 4, 2, 4, 3, 31};
	bool big = (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != b->swap;
	uint64_t result = 0;
	unsigned int k = 0;

	if (!big)
		return flags;
	for (size_t i = 0; i < COUNT(widths); i++) {
		unsigned int w = widths[i];

		result |= ((flags >> k) & ((UINT64_C(1) << w) - 1)) << (64 - k - w);
		k += w;
	}
	return result;
}

static inline void put_values(struct built *b, unsigned int field, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		put(b, 8, value_of(field, i));
}

static inline void put_read(struct built *b, uint64_t format, unsigned int group)
{
	unsigned int n = 0, counters = format & PERF_FORMAT_GROUP ? group : 1;

	if (format & PERF_FORMAT_GROUP)
		put(b, 8, group);
	else
		put(b, 8, value_of(F_READ, n++));
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put(b, 8, value_of(F_READ, n++));
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put(b, 8, value_of(F_READ, n++));
	for (unsigned int i = 0; i < counters; i++) {
		if (format & PERF_FORMAT_GROUP)
			put(b, 8, value_of(F_READ, n++));
		if (format & PERF_FORMAT_ID)
			put(b, 8, value_of(F_READ, n++));
		if (format & PERF_FORMAT_LOST)
			put(b, 8, value_of(F_READ, n++));
	}
}

static inline void put_branches(struct built *b, uint64_t type, const struct shape *shape)
{
	put(b, 8, shape->branches);
	if (type & PERF_SAMPLE_BRANCH_HW_INDEX && !(shape->no_index && !shape->branches))
		put(b, 8, value_of(F_HW_INDEX, 0));
	for (unsigned int i = 0; i < shape->branches; i++) {
		put(b, 8, value_of(F_BRANCH, 3 * i));
		put(b, 8, value_of(F_BRANCH, 3 * i + 1));
		put(b, 8, branch_flags_of(b, value_of(F_BRANCH, 3 * i + 2)));
	}
	if (type & PERF_SAMPLE_BRANCH_COUNTERS)
		put_values(b, F_COUNTER, shape->branches);
}

static inline void put_registers(struct built *b, uint64_t mask, uint64_t abi, unsigned int field)
{
	put(b, 8, abi);
	if (abi)
		put_values(b, field, (uint64_t)__builtin_popcountll(mask));
}

static inline void put_dump(struct built *b, const struct shape *shape)
{
	put(b, 8, shape->stack);
	for (unsigned int i = 0; i < shape->stack; i++)
		put(b, 1, i);
	if (shape->stack)
		put(b, 8, shape->dyn_size);
	else if (shape->extra_size)
		put(b, 8, 0);
}

static inline void put_first_fields(struct built *b, uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_values(b, F_IDENTIFIER, 1);
	if (type & PERF_SAMPLE_IP)
		put_values(b, F_IP, 1);
	if (type & PERF_SAMPLE_TID)
		PUT(b, "44", (uint32_t)value_of(F_PID, 0), (uint32_t)value_of(F_TID, 0));
	if (type & PERF_SAMPLE_TIME)
		put_values(b, F_TIME, 1);
	if (type & PERF_SAMPLE_ADDR)
		put_values(b, F_ADDR, 1);
	if (type & PERF_SAMPLE_ID)
		put_values(b, F_ID, 1);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_values(b, F_STREAM_ID, 1);
	if (type & PERF_SAMPLE_CPU)
		PUT(b, "44", (uint32_t)value_of(F_CPU, 0), 0);
	if (type & PERF_SAMPLE_PERIOD)
		put_values(b, F_PERIOD, 1);
}

static inline void put_bytes_field(struct built *b, unsigned int width, unsigned int size)
{
	put(b, width, size);
	for (unsigned int i = 0; i < size; i++)
		put(b, 1, 255 - i);
}

static inline void put_last_fields(struct built *b, uint64_t type)
{
	if (type & PERF_SAMPLE_PHYS_ADDR)
		put_values(b, F_PHYS_ADDR, 1);
	if (type & PERF_SAMPLE_CGROUP)
		put_values(b, F_CGROUP, 1);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		put_values(b, F_DATA_PAGE_SIZE, 1);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		put_values(b, F_CODE_PAGE_SIZE, 1);
}

/* Writes the fields of a sample in the order of SPEC 5.1. */
static inline void put_sample_fields(struct built *b, const struct perf_attr *attr,
				     const struct shape *shape)
{
	uint64_t type = attr->sample_type;

	put_first_fields(b, type);
	if (type & PERF_SAMPLE_READ)
		put_read(b, attr->read_format, shape->group);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put(b, 8, shape->chain);
		put_values(b, F_CHAIN, shape->chain);
	}
	if (type & PERF_SAMPLE_RAW)
		put_bytes_field(b, 4, shape->raw);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(b, attr->branch_sample_type, shape);
	if (type & PERF_SAMPLE_REGS_USER)
		put_registers(b, attr->sample_regs_user, shape->abi, F_USER_REGISTER);
	if (type & PERF_SAMPLE_STACK_USER)
		put_dump(b, shape);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		put_values(b, F_WEIGHT, 1);
	if (type & PERF_SAMPLE_DATA_SRC)
		put_values(b, F_DATA_SRC, 1);
	if (type & PERF_SAMPLE_TRANSACTION)
		put_values(b, F_TRANSACTION, 1);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_registers(b, attr->sample_regs_intr, shape->abi, F_INTR_REGISTER);
	put_last_fields(b, type);
	if (type & PERF_SAMPLE_AUX)
		put_bytes_field(b, 8, shape->aux);
}

#endif
