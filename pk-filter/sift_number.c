// SPDX-License-Identifier: BSD-2-Clause
/* Numbers that samples have. */
#include <stddef.h>

#include "sift_internal.h"
#include "tracepoint.h"

/* Fields that stand at a place of their own, which the layout tells. */
static const struct place {
	uint8_t layout, behind,
		size; /* in struct pk_layout; behind what stands there; of the field */
} places[WHERE_FIELDS] = {
	[WHERE_PID] = {offsetof(struct pk_layout, tid), 0, 4},
	[WHERE_TID] = {offsetof(struct pk_layout, tid), 4, 4},
	[WHERE_CPU] = {offsetof(struct pk_layout, cpu), 0, 4},
	[WHERE_TIME] = {offsetof(struct pk_layout, time), 0, 8},
	[WHERE_IP] = {offsetof(struct pk_layout, ip), 0, 8},
	[WHERE_ADDR] = {offsetof(struct pk_layout, addr), 0, 8},
	[WHERE_PERIOD] = {offsetof(struct pk_layout, period), 0, 8},
};

uint16_t sifter_place(const struct pk_event *event, enum where_field field, bool *narrow)
{
	uint16_t at;

	memcpy(&at, (const uint8_t *)&event->layout + places[field].layout, sizeof(at));
	*narrow = places[field].size == 4;
	return at ? (uint16_t)(at + places[field].behind) : 0;
}

/* NULL: the sample has it not. */
static inline const uint8_t *place_of(const struct sifter *sifter, enum where_field field)
{
	bool narrow;
	uint16_t at = sifter_place(sifter->event, field, &narrow);

	return at ? sifter->record->data + at : NULL;
}

static bool placed_number(const struct sifter *sifter, enum where_field field, __int128 *number)
{
	const uint8_t *at = place_of(sifter, field);

	if (at)
		*number = places[field].size == 4 ? (__int128)(int32_t)pk_load_u32(at)
						  : (__int128)pk_load_u64(at);
	return at;
}

/* ---- A field at its place and a number, which most conditions are ---- */

/* Numbers of 4 bytes have a sign: counted from the least one. */
#define LEAST_S32 ((uint64_t)1 << 31)

/* "pid >= 5 && pid <= 9" */
static void join_ranges(struct where *node)
{
	const struct where *left = node->left, *right = node->right;

	if (!left->ranged || !right->ranged || left->negated || right->negated ||
	    left->ranged_by != right->ranged_by)
		return;
	node->ranged = true;
	node->ranged_by = left->ranged_by;
	node->low = left->low > right->low ? left->low : right->low;
	node->high = left->high < right->high ? left->high : right->high;
}

void sifter_find_range(struct where *node)
{
	__int128 low = 0, high = UINT64_MAX, number;
	bool narrow;

	if (node->op == WHERE_AND)
		join_ranges(node);
	if (node->op < WHERE_EQ || node->op > WHERE_GE || node->left->op != WHERE_FIELD ||
	    node->right->op != WHERE_NUMBER || !places[node->left->field].size)
		return;
	narrow = places[node->left->field].size == 4;
	number = node->right->number + (narrow ? LEAST_S32 : 0);
	if (narrow)
		high = UINT32_MAX;
	if (number < low || number > high)
		return;
	node->negated = node->op == WHERE_NE || node->op == WHERE_LT || node->op == WHERE_GT;
	if (node->op != WHERE_LE && node->op != WHERE_GT)
		low = number;
	if (node->op != WHERE_GE && node->op != WHERE_LT)
		high = number;
	node->ranged = true;
	node->ranged_by = node->left->field;
	node->low = (uint64_t)low;
	node->high = (uint64_t)high;
}

/* Without its field, a comparison is what it is; what stands for a period may be the event's. */
static bool compare_absent(struct sifter *sifter, const struct where *node)
{
	if (node->op == WHERE_AND)
		return compare_absent(sifter, node->left) && compare_absent(sifter, node->right);
	return sifter_compare(sifter, node);
}

bool sifter_in_range(struct sifter *sifter, const struct where *node)
{
	const uint8_t *at = place_of(sifter, node->ranged_by);
	uint64_t number;

	if (pk_unlikely(!at))
		return compare_absent(sifter, node);
	number = places[node->ranged_by].size == 4 ? pk_load_u32(at) ^ LEAST_S32 : pk_load_u64(at);
	return (number >= node->low && number <= node->high) != node->negated;
}

/* ---- All others ---- */

static uint32_t depth_of(const struct pk_sample *sample)
{
	uint32_t depth = 0;

	for (uint64_t i = 0; i < sample->callchain.count; i++)
		depth += pk_u64s_at(&sample->callchain, i) < PERF_CONTEXT_MAX;
	return depth;
}

static bool decoded_number(struct sifter *sifter, enum where_field field, __int128 *number)
{
	static const struct {
		enum where_field field;
		uint64_t bits;
	} needs[] = {{WHERE_WEIGHT, PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT},
		     {WHERE_PHYS_ADDR, PERF_SAMPLE_PHYS_ADDR},
		     {WHERE_DATA_SRC, PERF_SAMPLE_DATA_SRC},
		     {WHERE_DEPTH, PERF_SAMPLE_CALLCHAIN}};
	const struct pk_sample *sample;

	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (needs[i].field == field && !(sifter->event->attr.sample_type & needs[i].bits))
			return false;
	sample = sifter_sample(sifter);
	if (!sample)
		return false;
	switch (field) {
	case WHERE_WEIGHT:
		*number = sifter->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT
				  ? (uint32_t)sample->weight
				  : sample->weight;
		break;
	case WHERE_PHYS_ADDR: *number = sample->phys_addr; break;
	case WHERE_DATA_SRC: *number = sample->data_src; break;
	case WHERE_DEPTH: *number = depth_of(sample); break;
	default: return false;
	}
	return true;
}

static bool own_number(struct sifter *sifter, const struct where *node, __int128 *number)
{
	const struct binding *binding = sifter->binding ? &sifter->binding[node->own] : NULL;
	const struct pk_sample *sample;
	uint64_t value;

	if (!binding || (!binding->field && !binding->argument))
		return false;
	sample = sifter_sample(sifter);
	if (sample && binding->argument) {
		if (!pk_argument_get(sifter->event, binding->argument, sample, &value))
			return false;
		*number = binding->argument->flags & PK_ARGUMENT_SIGNED ? (__int128)(int64_t)value
									: (__int128)value;
		return true;
	}
	if (!sample ||
	    !pk_tracepoint_number(binding->tracepoint, binding->field, &sample->raw, &value))
		return false;
	*number = binding->field->is_signed ? (__int128)(int64_t)value : (__int128)value;
	return true;
}

static bool field_number(struct sifter *sifter, const struct where *node, __int128 *number)
{
	const struct pk_layout *layout = &sifter->event->layout;
	uint16_t at;

	switch (node->field) {
	case WHERE_PID:
	case WHERE_TID:
	case WHERE_CPU:
	case WHERE_TIME:
	case WHERE_IP:
	case WHERE_ADDR: return placed_number(sifter, node->field, number);
	case WHERE_ID:
		at = layout->identifier ? layout->identifier : layout->id;
		if (at)
			*number = pk_load_u64(sifter->record->data + at);
		return at;
	case WHERE_PERIOD:
		if (layout->period)
			return placed_number(sifter, node->field, number);
		*number = sifter->event->attr.sample_period;
		return !(sifter->event->attr.flags & PERF_ATTR_FREQ);
	case WHERE_OWN: return own_number(sifter, node, number);
	default: return decoded_number(sifter, node->field, number);
	}
}

bool sifter_number(struct sifter *sifter, const struct where *node, __int128 *number)
{
	__int128 left, right;

	switch (node->op) {
	case WHERE_NUMBER: *number = node->number; return true;
	case WHERE_FIELD: return field_number(sifter, node, number);
	case WHERE_BITS:
		if (!sifter_number(sifter, node->left, &left) ||
		    !sifter_number(sifter, node->right, &right))
			return false;
		*number = left & right;
		return true;
	default: return false;
	}
}

bool sifter_compare(struct sifter *sifter, const struct where *node)
{
	__int128 left, right;

	if (!sifter_number(sifter, node->left, &left) ||
	    !sifter_number(sifter, node->right, &right))
		return false;
	switch (node->op) {
	case WHERE_EQ: return left == right;
	case WHERE_NE: return left != right;
	case WHERE_LT: return left < right;
	case WHERE_LE: return left <= right;
	case WHERE_GT: return left > right;
	default: return left >= right;
	}
}
