// SPDX-License-Identifier: BSD-2-Clause
#include "pkprivate.h"
#include "swap.h"

/* A position in a SAMPLE whose fields are being swapped, as sample.c decodes them. Counts and sizes
 * are used after they were swapped. dyn_size and index are the encodings that QUIRK_* in sample.c
 * describe. */
struct walk {
	uint8_t *at, *end;
	bool overrun;
	bool dyn_size, index; /* true if the encoding with this number is tried */
};

static uint64_t swap_one(struct walk *walk)
{
	if (walk->end - walk->at < 8) {
		walk->overrun = true;
		return 0;
	}
	pk_swap_u64(walk->at);
	walk->at += 8;
	return pk_load_u64(walk->at - 8);
}

static void swap_two_u32(struct walk *walk)
{
	if (walk->end - walk->at < 8) {
		walk->overrun = true;
		return;
	}
	pk_swap_u32(walk->at);
	pk_swap_u32(walk->at + 4);
	walk->at += 8;
}

static void swap_many(struct walk *walk, uint64_t count, unsigned int each)
{
	uint64_t room = (uint64_t)(walk->end - walk->at) / 8;

	if (each && count > room / each) {
		walk->overrun = true;
		return;
	}
	pk_swap_u64s(walk->at, count * each);
	walk->at += 8 * count * each;
}

static void pass(struct walk *walk, uint64_t size)
{
	if (size > (uint64_t)(walk->end - walk->at))
		walk->overrun = true;
	else
		walk->at += size;
}

static void swap_read(struct walk *walk, uint64_t format)
{
	uint64_t first = swap_one(walk);
	unsigned int times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			     !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	unsigned int more = !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	swap_many(walk, times, 1);
	if (format & PERF_FORMAT_GROUP)
		swap_many(walk, first, 1 + more);
	else
		swap_many(walk, more, 1);
}

/* Swaps only the size. The content is not swapped, because its format depends on the recorded
 * machine. Returns the content. */
static struct walk swap_raw(struct walk *walk)
{
	uint8_t *size = walk->at;

	pass(walk, 4);
	if (walk->overrun)
		return *walk;
	pk_swap_u32(size);
	pass(walk, pk_load_u32(size));
	return (struct walk){.at = size + 4, .end = walk->at, .overrun = walk->overrun};
}

/* Swaps the fields in RAW of an off-CPU sample (SPEC 5.6). */
static void swap_off_cpu(struct walk *walk)
{
	struct walk raw = swap_raw(walk);

	swap_two_u32(&raw);
	swap_one(&raw);
	swap_many(&raw, swap_one(&raw), 1);
	swap_one(&raw);
	walk->overrun |= raw.overrun;
}

/* Branch flags are bitfields. On big-endian machines, bitfields start at the highest bit
 * (SPEC 8.3). */
static uint64_t mirror_branch_flags(uint64_t flags, bool from_big)
{
	static const struct {
		uint8_t first, width;
	} fields[] = {
		{0, 1},	 {1, 1},  {2, 1},  {3, 1},  {4, 16},
		{20, 4}, {24, 2}, {26, 4}, {30, 3}, {33, 31},
	};
	uint64_t result = 0;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		uint64_t mask = (UINT64_C(1) << fields[i].width) - 1;
		unsigned int from_top = 64u - fields[i].first - fields[i].width;

		if (from_big)
			result |= ((flags >> from_top) & mask) << fields[i].first;
		else
			result |= ((flags >> fields[i].first) & mask) << from_top;
	}
	return result;
}

uint64_t pk_branch_flags(const struct pk_u64s *branches, uint64_t i)
{
	const uint64_t flags = pk_u64s_at(branches, 3 * i + 2);

	return PK_HOST_IS_BIG ? mirror_branch_flags(flags, true) : flags;
}

static void swap_branches(struct walk *walk, uint64_t type)
{
	uint64_t count = swap_one(walk);
	uint8_t *branches;

	if (type & PERF_SAMPLE_BRANCH_HW_INDEX && (count || walk->index))
		swap_one(walk);
	branches = walk->at;
	swap_many(walk, count, 3);
	if (walk->overrun)
		return;
	for (uint64_t i = 0; i < count; i++)
		pk_store_u64(
			branches + 24 * i + 16,
			mirror_branch_flags(pk_load_u64(branches + 24 * i + 16), !PK_HOST_IS_BIG));
	if (type & PERF_SAMPLE_BRANCH_COUNTERS)
		swap_many(walk, count, 1);
}

static void swap_registers(struct walk *walk, uint64_t mask)
{
	if (swap_one(walk))
		swap_many(walk, (uint64_t)__builtin_popcountll(mask), 1);
}

/* Swaps only the sizes. The stack dump is memory of the recorded machine, so it is not changed. */
static void swap_stack(struct walk *walk)
{
	uint64_t size = swap_one(walk);

	pass(walk, size);
	if (size)
		swap_one(walk);
	else if (walk->dyn_size && swap_one(walk))
		walk->overrun = true; /* dyn_size of an empty dump must be 0, so these bytes belong
				       * to another field */
}

static void swap_fixed(struct walk *walk, uint64_t type)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		swap_one(walk);
	if (type & PERF_SAMPLE_IP)
		swap_one(walk);
	if (type & PERF_SAMPLE_TID)
		swap_two_u32(walk);
	swap_many(walk,
		  (uint64_t)__builtin_popcountll(type & (PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
							 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID)),
		  1);
	if (type & PERF_SAMPLE_CPU)
		swap_two_u32(walk);
	if (type & PERF_SAMPLE_PERIOD)
		swap_one(walk);
}

static void swap_rest(struct walk *walk, const struct pk_event *event)
{
	const struct perf_attr *attr = &event->attr;
	const uint64_t words = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
			       PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;
	uint64_t type = pk_event_decoded_type(event);

	if (type & PERF_SAMPLE_READ)
		swap_read(walk, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		swap_many(walk, swap_one(walk), 1);
	if (pk_unlikely(event->off_cpu))
		swap_off_cpu(walk);
	else if (type & PERF_SAMPLE_RAW)
		swap_raw(walk);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		swap_branches(walk, attr->branch_sample_type);
	if (type & PERF_SAMPLE_REGS_USER)
		swap_registers(walk, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		swap_stack(walk);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		swap_one(walk);
	if (type & PERF_SAMPLE_DATA_SRC)
		swap_one(walk);
	if (type & PERF_SAMPLE_TRANSACTION)
		swap_one(walk);
	if (type & PERF_SAMPLE_REGS_INTR)
		swap_registers(walk, attr->sample_regs_intr);
	swap_many(walk, (uint64_t)__builtin_popcountll(type & words), 1);
	if (type & PERF_SAMPLE_AUX)
		pass(walk, swap_one(walk));
}

static void swap_trailer(struct walk *walk, uint32_t tag)
{
	if (walk->end - walk->at < 8 || pk_load_u32(walk->end - 8) != __builtin_bswap32(tag))
		return;
	walk->end -= 8;
	pk_swap_u32(walk->end);
	pk_swap_u32(walk->end + 4);
}

/* Returns true if nothing but trailers follows the fields. */
static bool swap_once(struct walk *walk, const struct pk_event *event)
{
	swap_fixed(walk, pk_event_decoded_type(event));
	swap_rest(walk, event);
	if (walk->overrun)
		return false;
	swap_trailer(walk, PK_STACK_TRAILER_TAG);
	swap_trailer(walk, PK_CHAIN_TRAILER_TAG);
	return walk->at == walk->end;
}

enum pk_status pk_swap_sample(struct pk_events *events, uint8_t *data, uint16_t size)
{
	const struct pk_event *event = pk_events_of(events, data, PERF_RECORD_SAMPLE, size, true);
	uint64_t quirky = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_STACK_USER;
	uint8_t original[UINT16_MAX];
	struct walk walk;

	if (!event)
		return PK_CORRUPT;
	if (!(event->attr.sample_type & quirky)) {
		walk = (struct walk){data + sizeof(struct perf_header), data + size, false, false,
				     false};
		swap_once(&walk, event);
		return walk.overrun ? PK_CORRUPT : PK_OK;
	}
	memcpy(original, data, size);
	/* quirks 0 to 3 are the four combinations of encodings. If none of them fits, the sample
	 * has unknown bytes after its fields. quirks 4 swaps such a sample, with hw_idx. */
	for (unsigned int quirks = 0; quirks <= 4; quirks++) {
		memcpy(data, original, size);
		walk = (struct walk){data + sizeof(struct perf_header), data + size, false,
				     quirks & 1, quirks >= 2};
		if (swap_once(&walk, event))
			return PK_OK;
	}
	return walk.overrun ? PK_CORRUPT : PK_OK;
}
