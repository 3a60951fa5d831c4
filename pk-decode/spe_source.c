// SPDX-License-Identifier: BSD-2-Clause
#include "pkutil.h"
#include "spe.h"

/* ---- The bits of PERF_SAMPLE_DATA_SRC ---- */

#define BITS(value, shift) ((uint64_t)(value) << (shift))

#define OPERATION(value) BITS(value, 0)
#define LEVEL(value)	 BITS(value, 5)
#define SNOOP(value)	 BITS(value, 19)
#define TLB(value)	 BITS(value, 26)
#define NUMBER(value)	 BITS(value, 33)
#define REMOTE		 BITS(1, 37)
#define PEER		 BITS(2, 38)

enum { LOAD = 2, STORE = 4 };
enum {
	LEVEL_NA = 1,
	HIT = 1 << 1,
	MISS = 1 << 2,
	L1 = 1 << 3,
	LFB = 1 << 4,
	L2 = 1 << 5,
	L3 = 1 << 6,
	LOCAL_RAM = 1 << 7,
	REMOTE_RAM = 1 << 8,
	REMOTE_CACHE_1 = 1 << 10,
	REMOTE_CACHE_2 = 1 << 11,
	IO = 1 << 12,
};
enum {
	NUMBER_L1 = 1,
	NUMBER_L2 = 2,
	NUMBER_L3 = 3,
	NUMBER_IO = 10,
	NUMBER_ANY_CACHE = 11,
	NUMBER_LFB = 12,
	NUMBER_RAM = 13,
	NUMBER_NA = 15,
};
enum { SNOOP_NA = 1, SNOOP_NONE = 2, SNOOP_HIT = 4, SNOOP_HITM = 16 };
enum { TLB_HIT = 2, TLB_MISS = 4, TLB_WALKER = 32 };

#define CACHE(n, more) (LEVEL(L##n | HIT) | NUMBER(NUMBER_L##n) | (more))
#define MASK_LEVEL     LEVEL((1 << 14) - 1)
#define MASK_SNOOP     SNOOP((1 << 5) - 1)

/* ---- Sources of data, by model ---- */

/* A code of spe_record.source, and the bits of PERF_SAMPLE_DATA_SRC that it means. */
struct source {
	uint8_t code;
	uint64_t bits;
};

/* Cortex and Neoverse. The codes are in the technical reference manuals of these processors. */
static const struct source arm_sources[] = {
	{0x0, CACHE(1, SNOOP(SNOOP_NONE))},
	{0x8, CACHE(2, SNOOP(SNOOP_NONE))},
	{0x9, CACHE(2, PEER)},		   /* another core of the cluster */
	{0xa, CACHE(3, PEER)},		   /* this cluster */
	{0xb, CACHE(3, SNOOP(SNOOP_HIT))}, /* the system's cache */
	{0xc, CACHE(3, PEER)},		   /* another cluster */
	{0xd, LEVEL(LEVEL_NA) | NUMBER(NUMBER_NA) | REMOTE | PEER}, /* another socket */
	{0xe, LEVEL(LOCAL_RAM | HIT) | NUMBER(NUMBER_RAM) | SNOOP(SNOOP_NONE)},
};

/* AmpereOne. */
static const struct source ampere_sources[] = {
	{0x0, CACHE(2, PEER)},
	{0x3, CACHE(3, SNOOP(SNOOP_HIT))},
	{0x5, LEVEL(LEVEL_NA) | NUMBER(NUMBER_NA) | REMOTE | PEER},
	{0x7, LEVEL(LOCAL_RAM | HIT) | NUMBER(NUMBER_RAM) | SNOOP(SNOOP_NONE)},
	{0x8, CACHE(1, SNOOP(SNOOP_NONE))},
	{0x9, CACHE(2, SNOOP(SNOOP_NONE))},
};

/* HiSilicon HIP12. */
static const struct source hisilicon_sources[] = {
	{0, CACHE(2, PEER)},
	{1, CACHE(2, PEER | SNOOP(SNOOP_HITM))},
	{2, CACHE(3, SNOOP(SNOOP_HIT))},
	{3, CACHE(3, SNOOP(SNOOP_HITM))},
	{4, LEVEL(REMOTE_CACHE_1 | HIT) | NUMBER(NUMBER_L3) | PEER},
	{5, LEVEL(REMOTE_CACHE_1 | HIT) | NUMBER(NUMBER_L3) | PEER | SNOOP(SNOOP_HITM)},
	{6, LEVEL(REMOTE_CACHE_2) | NUMBER(NUMBER_ANY_CACHE) | REMOTE | PEER},
	{7, LEVEL(REMOTE_CACHE_2) | NUMBER(NUMBER_ANY_CACHE) | REMOTE | PEER | SNOOP(SNOOP_HITM)},
	{8, LEVEL(LOCAL_RAM | HIT) | NUMBER(NUMBER_RAM) | SNOOP(SNOOP_NONE)},
	{9, LEVEL(REMOTE_RAM | HIT) | NUMBER(NUMBER_RAM) | REMOTE},
	{13, LEVEL(IO | HIT) | NUMBER(NUMBER_IO) | SNOOP(SNOOP_NONE)},
	{16, CACHE(2, SNOOP(SNOOP_NONE))},
	{17, CACHE(2, SNOOP(SNOOP_HITM))},
	{18, CACHE(1, SNOOP(SNOOP_NONE))},
};

/* A model of a processor, and its codes. */
struct model {
	uint8_t implementer;
	uint16_t part;
	const struct source *sources;
	size_t count;
};

#define MODEL(implementer, part, list)                                                             \
	{                                                                                          \
		implementer, part, list, sizeof(list) / sizeof((list)[0])                          \
	}

static const struct model models[] = {
	MODEL(0x41, 0xd0c, arm_sources),       /* Neoverse N1 */
	MODEL(0x41, 0xd40, arm_sources),       /* Neoverse V1 */
	MODEL(0x41, 0xd44, arm_sources),       /* Cortex-X1 */
	MODEL(0x41, 0xd49, arm_sources),       /* Neoverse N2 */
	MODEL(0x41, 0xd4b, arm_sources),       /* Cortex-A78C */
	MODEL(0x41, 0xd4c, arm_sources),       /* Cortex-X1C */
	MODEL(0x41, 0xd4d, arm_sources),       /* Cortex-A715 */
	MODEL(0x41, 0xd4e, arm_sources),       /* Cortex-X3 */
	MODEL(0x41, 0xd4f, arm_sources),       /* Neoverse V2 */
	MODEL(0x41, 0xd81, arm_sources),       /* Cortex-A720 */
	MODEL(0x41, 0xd82, arm_sources),       /* Cortex-X4 */
	MODEL(0x41, 0xd84, arm_sources),       /* Neoverse V3 */
	MODEL(0x41, 0xd85, arm_sources),       /* Cortex-X925 */
	MODEL(0x41, 0xd87, arm_sources),       /* Cortex-A725 */
	MODEL(0x41, 0xd89, arm_sources),       /* Cortex-A720AE */
	MODEL(0x4e, 0x010, arm_sources),       /* NVIDIA Olympus */
	MODEL(0xc0, 0xac4, ampere_sources),    /* AmpereOne A */
	MODEL(0x48, 0xd06, hisilicon_sources), /* HIP12 */
};

/* Returns the model with this MIDR (the main ID register), or NULL if its codes are unknown. */
static const struct model *find_model(uint64_t midr)
{
	for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++)
		if (models[i].implementer == (midr >> 24 & 0xff) &&
		    models[i].part == (midr >> 4 & 0xfff))
			return &models[i];
	return NULL;
}

/* Returns the bits for spe_record.source. Processors report no source of stores. */
static uint64_t source_bits(const struct spe_record *record, uint64_t midr)
{
	const struct model *model = find_model(midr);

	if (!model)
		return 0;
	if (record->store)
		return LEVEL(LEVEL_NA) | NUMBER(NUMBER_NA) | SNOOP(SNOOP_NA);
	for (size_t i = 0; i < model->count && record->has_source; i++)
		if (model->sources[i].code == (uint16_t)record->source)
			return model->sources[i].bits;
	return 0;
}

/* ---- Events of an access ---- */

/* A level of the caches, and its events. */
struct level {
	uint64_t access, miss, bits;
};

static const struct level levels[] = {
	{SPE_L1D_ACCESS, SPE_L1D_MISS, LEVEL(L1) | NUMBER(NUMBER_L1)},
	{SPE_L2D_ACCESS, SPE_L2D_MISS, LEVEL(L2) | NUMBER(NUMBER_L2)},
	{SPE_LLC_ACCESS, SPE_LLC_MISS, LEVEL(L3) | NUMBER(NUMBER_L3)},
};

#define LEVELS ((int)(sizeof(levels) / sizeof(levels[0])))

/* A load hits the first level that it accesses without a miss. If it misses all levels, the last
 * miss is reported. */
static uint64_t load_level(uint64_t events)
{
	for (int i = 0; i < LEVELS; i++) {
		if (events & levels[i].access && !(events & levels[i].miss))
			return levels[i].bits | LEVEL(HIT);
		if (!i && events & SPE_FETCHED)
			return LEVEL(LFB | HIT) | NUMBER(NUMBER_LFB);
	}
	for (int i = LEVELS; i--;)
		if (events & levels[i].miss)
			return levels[i].bits | LEVEL(MISS);
	return 0;
}

/* For a store, the last level that it accesses is reported. */
static uint64_t store_level(uint64_t events)
{
	for (int i = LEVELS; i--;)
		if (events & (levels[i].access | levels[i].miss))
			return levels[i].bits | LEVEL(events & levels[i].miss ? MISS : HIT);
	return 0;
}

static uint64_t snoop_bits(uint64_t events, uint64_t reported)
{
	if (events & SPE_SNOOPED)
		return SNOOP(events & SPE_MODIFIED ? SNOOP_HITM : SNOOP_HIT);
	return SNOOP(reported & SPE_SNOOPED ? SNOOP_NONE : SNOOP_NA);
}

static uint64_t tlb_bits(uint64_t events)
{
	if (!(events & (SPE_TLB_ACCESS | SPE_TLB_MISS)))
		return 0;
	return TLB(TLB_WALKER | (events & SPE_TLB_MISS ? TLB_MISS : TLB_HIT));
}

uint64_t spe_data_source(const struct spe_record *record, uint64_t midr, uint64_t reported)
{
	const uint64_t events = record->events;
	uint64_t bits;

	if (record->class != SPE_MEMORY)
		return 0;
	bits = OPERATION(record->store ? STORE : LOAD) | source_bits(record, midr);
	if (!(bits & MASK_LEVEL))
		bits |= record->store ? store_level(events) : load_level(events);
	if (!(bits & MASK_LEVEL))
		bits |= LEVEL(LEVEL_NA) | NUMBER(NUMBER_NA);
	if (!(bits & MASK_SNOOP))
		bits |= snoop_bits(events, reported);
	if (events & SPE_REMOTE)
		bits |= REMOTE;
	return bits | tlb_bits(events);
}
