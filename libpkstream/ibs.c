// SPDX-License-Identifier: BSD-2-Clause
/* The raw bytes of AMD's IBS. A sample of the PMUs ibs_fetch and ibs_op has registers of the
 * processor as its raw bytes. The fields of these registers become arguments of the events. The
 * registers are described in "AMD64 Architecture Programmer's Manual", volume 2, chapter 13, and in
 * the Processor Programming References of each family. */
#include <stdio.h>
#include <stdlib.h>

#include "events.h"
#include "pkprivate.h"

/* The raw bytes start with the capabilities of IBS (CPUID Fn8000_001B_EAX). These bits say which
 * registers follow, and which of their fields are valid. */
enum {
	HAS_TARGET = 1 << 5,	   /* the target of the branch */
	HAS_LONG_COUNTS = 1 << 6,  /* upper bits of the counters */
	HAS_RIP_INVALID = 1 << 7,  /* says whether the address is valid */
	HAS_FUSED = 1 << 8,	   /* says whether a branch was fused */
	HAS_FETCH_EXTD = 1 << 9,   /* the register with the ITLB latency */
	HAS_ZEN4 = 1 << 11,	   /* the L3 cache, and more sources of data */
	HAS_LATENCY = 1 << 12,	   /* the filter for load latency */
	HAS_SOCKET = 1 << 16,	   /* streaming stores, remote sockets */
	HAS_PAGE_SIZE = 1 << 19,   /* the TLB fields need a valid physical address */
	IS_ZEN3 = 1 << 28,	   /* not a capability: errata 1238, 1293 and 1347 apply */
	IS_STRICT_FETCH = 1 << 29, /* not a capability: states of a fetch need its physical address
				    */
	CAPS_MASK = (1 << 28) - 1,
};

enum form {
	PLAIN,
	SIXTEENS, /* a count of 16 operations or fetches */
	SIZE,	  /* 0, or the logarithm of the size plus 1 */
	PAGE,	  /* the number of a page size */
	ADDRESS,
};

/* When a field is invalid. */
enum rule {
	NO_RULE,
	ERRATUM_1293, /* on Zen 3, after a software prefetch or a miss without a MAB */
	FETCH_STATE,  /* with IS_STRICT_FETCH, without a physical address of the fetch */
	TLB_STATE,    /* with HAS_PAGE_SIZE, without a physical address of the data */
	REFILL,	      /* with HAS_ZEN4, without a physical address of the data */
};

/* A bit of a register, or no bit if it is 0. */
#define BIT_OF(word, bit) (uint16_t)((word)*64 + (bit))
#define FETCHED		  BIT_OF(0, 50)
#define FETCH_PHYSICAL	  BIT_OF(0, 52)
#define RIP_INVALID	  BIT_OF(2, 38)
#define BRANCH		  BIT_OF(2, 37)
#define NO_BUFFER	  BIT_OF(4, 16) /* a miss of the data cache without a buffer (MAB) */
#define LINEAR		  BIT_OF(4, 17)
#define PHYSICAL	  BIT_OF(4, 18)
#define PREFETCH	  BIT_OF(4, 21) /* a software prefetch */
/* A field of a register. */
struct field {
	char name[PK_ARGUMENT_NAME_MAX];
	uint8_t word, shift, width;   /* the register, the lowest bit and the number of bits */
	uint8_t more_shift, more;     /* the upper bits, and their number */
	uint8_t form;		      /* enum form */
	uint8_t rule;		      /* enum rule */
	uint16_t valid, invalid;      /* the field is valid if these bits are 1 and 0 */
	uint32_t needs, lacks, extra; /* capabilities for the field, without which the field exists,
				       * and for its upper bits */
};

#define FIELD(title, in, from, bits, ...)                                                          \
	{                                                                                          \
		.name = title, .word = in, .shift = from, .width = bits, ##__VA_ARGS__             \
	}

static const struct field fetch_fields[] = {
	FIELD("fetch_maxcnt", 0, 0, 16, .form = SIXTEENS),
	FIELD("fetch_cnt", 0, 16, 16, .form = SIXTEENS),
	FIELD("fetch_lat", 0, 32, 16, .rule = FETCH_STATE),
	FIELD("fetch_comp", 0, 50, 1),
	FIELD("ic_miss", 0, 51, 1, .rule = FETCH_STATE, .lacks = IS_ZEN3),
	FIELD("l1tlb_pgsz", 0, 53, 2, .form = PAGE, .valid = FETCH_PHYSICAL),
	FIELD("l1tlb_miss", 0, 55, 1, .rule = FETCH_STATE),
	FIELD("l2tlb_miss", 0, 56, 1, .rule = FETCH_STATE),
	FIELD("rand_en", 0, 57, 1),
	FIELD("fetch_l2_miss", 0, 58, 1, .rule = FETCH_STATE, .valid = FETCHED),
	FIELD("l3_miss_only", 0, 59, 1, .needs = HAS_ZEN4),
	FIELD("fetch_oc_miss", 0, 60, 1, .needs = HAS_ZEN4, .rule = FETCH_STATE),
	FIELD("fetch_l3_miss", 0, 61, 1, .needs = HAS_ZEN4, .rule = FETCH_STATE),
	FIELD("fetch_lin_addr", 1, 0, 64, .form = ADDRESS),
	FIELD("fetch_phys_addr", 2, 0, 64, .form = ADDRESS, .valid = FETCH_PHYSICAL),
	FIELD("itlb_refill_lat", 3, 0, 16, .needs = HAS_FETCH_EXTD, .rule = FETCH_STATE),
};

static const struct field op_fields[] = {
	FIELD("opmaxcnt", 0, 0, 16, .more_shift = 20, .more = 7, .form = SIXTEENS,
	      .extra = HAS_LONG_COUNTS),
	FIELD("l3_miss_only", 0, 16, 1, .needs = HAS_ZEN4),
	FIELD("cnt_ctl", 0, 19, 1),
	FIELD("opcurcnt", 0, 32, 20, .more_shift = 52, .more = 7, .extra = HAS_LONG_COUNTS),
	FIELD("ldlat_thrsh", 0, 59, 4, .needs = HAS_LATENCY),
	FIELD("ldlat_en", 0, 63, 1, .needs = HAS_LATENCY),
	FIELD("op_rip", 1, 0, 64, .form = ADDRESS, .invalid = RIP_INVALID),
	FIELD("comp_to_ret_ctr", 2, 0, 16),
	FIELD("tag_to_ret_ctr", 2, 16, 16),
	FIELD("op_return", 2, 34, 1, .valid = BRANCH),
	FIELD("op_brn_taken", 2, 35, 1, .valid = BRANCH),
	FIELD("op_brn_misp", 2, 36, 1, .valid = BRANCH),
	FIELD("op_brn_ret", 2, 37, 1),
	FIELD("op_rip_invalid", 2, 38, 1, .needs = HAS_RIP_INVALID),
	FIELD("op_brn_fuse", 2, 39, 1, .needs = HAS_FUSED),
	FIELD("op_microcode", 2, 40, 1),
	FIELD("op_data_src", 3, 0, 3, .more_shift = 6, .more = 2, .extra = HAS_ZEN4,
	      .rule = ERRATUM_1293),
	FIELD("rmt_node", 3, 4, 1, .rule = ERRATUM_1293),
	FIELD("cache_hit_st", 3, 5, 1, .rule = ERRATUM_1293),
	FIELD("strm_st", 3, 8, 1, .needs = HAS_SOCKET, .rule = ERRATUM_1293),
	FIELD("rmt_socket", 3, 9, 1, .needs = HAS_SOCKET, .rule = ERRATUM_1293),
	FIELD("ld_op", 4, 0, 1),
	FIELD("st_op", 4, 1, 1),
	FIELD("dc_l1tlb_miss", 4, 2, 1, .rule = TLB_STATE),
	FIELD("dc_l2tlb_miss", 4, 3, 1, .rule = TLB_STATE),
	FIELD("dc_page_size", 4, 4, 2, .form = PAGE, .needs = HAS_PAGE_SIZE, .valid = PHYSICAL),
	FIELD("dc_l1tlb_hit_2m", 4, 4, 1, .lacks = HAS_PAGE_SIZE),
	FIELD("dc_l1tlb_hit_1g", 4, 5, 1, .lacks = HAS_PAGE_SIZE),
	FIELD("dc_l2tlb_hit_2m", 4, 6, 1, .lacks = HAS_PAGE_SIZE),
	FIELD("dc_miss", 4, 7, 1),
	FIELD("dc_mis_acc", 4, 8, 1),
	FIELD("dc_wc_mem_acc", 4, 13, 1),
	FIELD("dc_uc_mem_acc", 4, 14, 1),
	FIELD("dc_locked_op", 4, 15, 1),
	FIELD("dc_miss_no_mab", 4, 16, 1),
	FIELD("dc_l2tlb_hit_1g", 4, 19, 1, .lacks = HAS_PAGE_SIZE),
	FIELD("l2_miss", 4, 20, 1, .rule = ERRATUM_1293),
	FIELD("sw_pf", 4, 21, 1),
	FIELD("op_mem_width", 4, 22, 4, .form = SIZE),
	FIELD("open_mem_reqs", 4, 26, 6, .rule = ERRATUM_1293),
	FIELD("dc_miss_lat", 4, 32, 16),
	FIELD("tlb_refill_lat", 4, 48, 16, .rule = REFILL),
	FIELD("dc_lin_addr", 5, 0, 64, .form = ADDRESS, .valid = LINEAR),
	FIELD("dc_phys_addr", 6, 0, 64, .form = ADDRESS, .valid = PHYSICAL),
	FIELD("br_target", 7, 0, 64, .form = ADDRESS, .needs = HAS_TARGET, .valid = BRANCH),
};

/* The registers of a PMU. `usable` are the bits of the first register that a sample has. */
static const struct {
	const char *pmu;
	uint64_t usable;
	const struct field *fields;
	size_t count;
} pmus[] = {
	{"ibs_fetch", UINT64_C(3) << 48, fetch_fields, sizeof(fetch_fields) / sizeof(struct field)},
	{"ibs_op", UINT64_C(3) << 17, op_fields, sizeof(op_fields) / sizeof(struct field)},
};

#define PMUS (sizeof(pmus) / sizeof(pmus[0]))

/* ---- Values ---- */

/* Loads a number of a little-endian machine. */
static uint64_t load(const uint8_t *at, size_t size)
{
	uint64_t value = 0;

	while (size--)
		value = value << 8 | at[size];
	return value;
}

static bool word_of(const struct pk_bytes *raw, unsigned int number, uint64_t *word)
{
	const size_t at = sizeof(uint32_t) + number * sizeof(*word);

	if (raw->size < at + sizeof(*word))
		return false;
	*word = load(raw->data + at, sizeof(*word));
	return true;
}

static bool is_set(const struct pk_bytes *raw, uint16_t bit)
{
	uint64_t word;

	return word_of(raw, bit / 64, &word) && word >> bit % 64 & 1;
}

static bool breaks_rule(const struct field *field, const struct pk_bytes *raw, uint32_t caps)
{
	switch ((enum rule)field->rule) {
	case ERRATUM_1293:
		return caps & IS_ZEN3 && (is_set(raw, NO_BUFFER) || is_set(raw, PREFETCH));
	case FETCH_STATE: return caps & IS_STRICT_FETCH && !is_set(raw, FETCH_PHYSICAL);
	case TLB_STATE: return caps & HAS_PAGE_SIZE && !is_set(raw, PHYSICAL);
	case REFILL: return caps & HAS_ZEN4 && !is_set(raw, PHYSICAL);
	case NO_RULE: break;
	}
	return false;
}

static bool is_valid(const struct field *field, const struct pk_bytes *raw, uint32_t caps)
{
	return (caps & field->needs) == field->needs && !(caps & field->lacks) &&
	       (!field->valid || is_set(raw, field->valid)) &&
	       (!field->invalid || !is_set(raw, field->invalid)) && !breaks_rule(field, raw, caps);
}

static uint64_t bits_of(uint64_t word, uint8_t shift, uint8_t width)
{
	return word << (64 - shift - width) >> (64 - width);
}

static bool page_size(uint32_t caps, const struct field *field, uint64_t *value)
{
	static const uint8_t shifts[] = {12, 21, 30, 0}, zen3_fetch[] = {12, 14, 21, 30};
	const uint8_t shift =
		(caps & IS_ZEN3 && field->word == 0 ? zen3_fetch : shifts)[*value % 4];

	*value = UINT64_C(1) << shift;
	return shift;
}

bool pk_ibs_get(const struct pk_argument *argument, const struct pk_bytes *raw, uint64_t *value)
{
	const struct field *field = &pmus[argument->base].fields[argument->index];
	const uint64_t usable = pmus[argument->base].usable;
	uint64_t word;
	uint32_t caps;

	if (!word_of(raw, 0, &word) || (word & usable) != usable ||
	    !word_of(raw, field->word, &word))
		return false;
	caps = ((uint32_t)load(raw->data, sizeof(caps)) & CAPS_MASK) | (uint32_t)argument->value;
	if (!is_valid(field, raw, caps))
		return false;
	*value = bits_of(word, field->shift, field->width);
	if (field->more && caps & field->extra)
		*value |= bits_of(word, field->more_shift, field->more) << field->width;
	switch ((enum form)field->form) {
	case SIXTEENS: *value *= 16; break;
	case SIZE: *value = *value ? UINT64_C(1) << (*value - 1) : 0; break;
	case PAGE: return page_size(caps, field, value);
	case PLAIN:
	case ADDRESS: break;
	}
	return true;
}

/* ---- Events ---- */

static struct pk_arguments *arguments_of(uint8_t pmu, uint32_t processor)
{
	const size_t count = pmus[pmu].count;
	struct pk_arguments *arguments =
		calloc(1, sizeof(*arguments) + count * sizeof(arguments->items[0]));

	for (size_t i = 0; arguments && i < count; i++) {
		const struct field *field = &pmus[pmu].fields[i];
		struct pk_argument *argument = &arguments->items[i];

		*argument = (struct pk_argument){
			.kind = PK_ARGUMENT_IBS,
			.size = 8,
			.flags = field->form == ADDRESS ? PK_ARGUMENT_ADDRESS : 0,
			.base = pmu,
			.index = (uint8_t)i,
			.value = processor};
		memcpy(argument->name, field->name, sizeof(argument->name));
		arguments->count++;
	}
	return arguments;
}

static enum pk_status set_arguments(struct pk_events *events, uint32_t type, uint8_t pmu)
{
	for (size_t i = 0; i < events->count; i++) {
		struct pk_event_state *state = events->list[i];

		if (state->event.attr.type != type || state->arguments ||
		    !(state->event.attr.sample_type & PERF_SAMPLE_RAW))
			continue;
		state->arguments = arguments_of(pmu, events->ibs_processor);
		if (!state->arguments)
			return PK_NOMEM;
		state->event.arguments = state->arguments;
	}
	return PK_OK;
}

/* Returns the next string of a feature. Returns NULL if the feature is too short, or if the string
 * has no NUL. */
static const char *next_string(const uint8_t **at, const uint8_t *end)
{
	const char *text = (const char *)*at + sizeof(uint32_t);
	uint32_t size;

	if ((size_t)(end - *at) < sizeof(size))
		return NULL;
	size = pk_load_u32(*at);
	if (size > (size_t)(end - *at) - sizeof(size) || !memchr(text, '\0', size))
		return NULL;
	*at += sizeof(size) + size;
	return text;
}

void pk_events_processor(struct pk_events *events, const uint8_t *content, size_t size)
{
	const char *text = next_string(&content, content + size);
	unsigned int family, model;

	if (!text || sscanf(text, "AuthenticAMD,%u,%u", &family, &model) != 2)
		return;
	events->ibs_processor = 0;
	if (family == 0x19 && model < 0x10)
		events->ibs_processor = IS_ZEN3;
	if (family > 0x1a || (family == 0x1a && (model >> 4 == 5 || model >> 4 == 0xc ||
						 (model >= 0x80 && model < 0xb0))))
		events->ibs_processor = IS_STRICT_FETCH;
}

enum pk_status pk_events_pmus(struct pk_events *events, const uint8_t *content, size_t size)
{
	const uint8_t *at = content + sizeof(uint32_t), *end = content + size;
	enum pk_status status = PK_OK;

	for (uint32_t i = 0, count = size < 4 ? 0 : pk_load_u32(content);
	     i < count && end - at > (ptrdiff_t)sizeof(uint32_t) && status == PK_OK; i++) {
		const uint32_t type = pk_load_u32(at);
		const char *name;

		at += sizeof(type);
		name = next_string(&at, end);
		if (!name)
			break;
		for (uint8_t pmu = 0; pmu < PMUS; pmu++)
			if (!strcmp(name, pmus[pmu].pmu) && status == PK_OK)
				status = set_arguments(events, type, pmu);
	}
	return status;
}
