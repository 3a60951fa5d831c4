// SPDX-License-Identifier: BSD-2-Clause
#include "access_types.h"
#include "context_internal.h"
#include "data_source.h"
#include "field_table.h"

/* The fields of memory accesses. */

static bool weight_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = view->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT
			       ? (uint32_t)sample->weight
			       : sample->weight;
	return sample;
}

static bool ins_lat_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = sample->weight >> 32 & 0xffff;
	return sample;
}

static bool retire_lat_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = sample->weight >> 48;
	return sample;
}

DECODED(phys_addr)
DECODED(data_src)
DECODED(data_page_size)
DECODED(code_page_size)

/* ---- PERF_SAMPLE_DATA_SRC ---- */

static bool source_key(struct pk_view *view, uint64_t *key,
		       void (*add)(struct buffer *out, uint64_t value))
{
	const struct pk_sample *sample = pk_view_sample(view);
	struct buffer *text = &view->context->state->text;

	if (!sample)
		return false;
	text->size = 0;
	add(text, sample->data_src);
	if (text->size &&
	    text->data[text->size - 1] == ' ') /* The text ends with a blank if the access neither
						* hit nor missed the level. */
		text->size--;
	return pk_built_key(view->context, key);
}

#define SOURCE(name, add)                                                                          \
	static bool name##_key(struct pk_view *view, uint64_t *key)                                \
	{                                                                                          \
		return source_key(view, key, add);                                                 \
	}

SOURCE(mem, pk_data_source_level)
SOURCE(mem_op, pk_data_source_operation)
SOURCE(snoop, pk_data_source_snoop)
SOURCE(tlb, pk_data_source_tlb)
SOURCE(locked, pk_data_source_locked)
SOURCE(blocked, pk_data_source_blocked)

/* Sets *key to the number of these kinds that the access has, which is usually 0 or 1. So a sum of
 * the field counts accesses. */
static bool access_key(struct pk_view *view, uint64_t *key, unsigned int kinds)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = __builtin_popcount(pk_data_source_kinds(sample->data_src) & kinds);
	return sample;
}

#define ACCESS(name, kinds)                                                                        \
	static bool name##_key(struct pk_view *view, uint64_t *key)                                \
	{                                                                                          \
		return access_key(view, key, kinds);                                               \
	}

ACCESS(mem_load, DATA_SOURCE_LOAD)
ACCESS(mem_store, DATA_SOURCE_STORE)
ACCESS(hitm, DATA_SOURCE_HITM_LOCAL | DATA_SOURCE_HITM_REMOTE)
ACCESS(hitm_local, DATA_SOURCE_HITM_LOCAL)
ACCESS(hitm_remote, DATA_SOURCE_HITM_REMOTE)

/* ---- Addresses ---- */

static bool cacheline_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = sample->addr & ~(uint64_t)(PK_CACHE_LINE - 1);
	return sample;
}

static bool cacheoff_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = sample->addr & (PK_CACHE_LINE - 1);
	return sample;
}

static bool data_symbol_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	return sample && pk_view_name_address(view, sample->addr, true, key);
}

static bool data_dso_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	return sample && pk_view_object_of(view, sample->addr, key);
}

/* ---- The table ---- */

static const struct pk_field fields[] = {
	{"addr", NULL, PK_VALUE_ADDRESS, PLACED(addr, 0, 8), .is_private = true,
	 .about = "address of the data"},
	{"phys_addr", NULL, NUMBER(phys_addr, PK_VALUE_ADDRESS),
	 .sample_bits = PERF_SAMPLE_PHYS_ADDR, .is_private = true,
	 .about = "physical address of the data"},
	{"data_src", NULL, NUMBER(data_src, PK_VALUE_HEX), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "source of the data, as bits of perf_mem_data_src"},
	{"data_page_size", NULL, NUMBER(data_page_size, PK_VALUE_BYTES),
	 .sample_bits = PERF_SAMPLE_DATA_PAGE_SIZE, .about = "size of the data's page in bytes"},
	{"code_page_size", NULL, NUMBER(code_page_size, PK_VALUE_BYTES),
	 .sample_bits = PERF_SAMPLE_CODE_PAGE_SIZE, .about = "size of the code's page in bytes"},
	{"weight", "local_weight", NUMBER(weight, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT,
	 .about = "weight of a memory access, usually in cycles, as the processor measures it"},
	{"ins_lat", "local_ins_lat", NUMBER(ins_lat, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_WEIGHT_STRUCT, .about = "cycles of the instruction"},
	{"retire_lat", "local_retire_lat", NUMBER(retire_lat, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_WEIGHT_STRUCT, .about = "cycles until the instruction retired"},
	{"mem", NULL, BUILT(mem), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "memory level of the access, and hit or miss: L1 hit, LFB/MAB hit, RAM hit"},
	{"mem_op", NULL, BUILT(mem_op), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "operation of the access: LOAD, STORE, PFETCH, EXEC or No"},
	{"snoop", NULL, BUILT(snoop), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "what the access found in other caches: None, Hit, Miss, HitM, Fwd, Peer"},
	{"tlb", "dtlb", BUILT(tlb), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "how the address was translated: L1 or L2 hit, Walker miss"},
	{"locked", NULL, BUILT(locked), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "whether the access was atomic (a locked instruction): Yes or No"},
	{"blocked", NULL, BUILT(blocked), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "why the load was blocked: Data, Addr or N/A"},
	{"mem_load", NULL, NUMBER(mem_load, PK_VALUE_NUMBER), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "1 if the access is a load, else 0"},
	{"mem_store", NULL, NUMBER(mem_store, PK_VALUE_NUMBER), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "1 if the access is a store, else 0"},
	{"hitm", NULL, NUMBER(hitm, PK_VALUE_NUMBER), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "hitm_local plus hitm_remote"},
	{"hitm_local", NULL, NUMBER(hitm_local, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about =
		 "1 if the load found the line modified in another cache of the same node, else 0"},
	{"hitm_remote", NULL, NUMBER(hitm_remote, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "1 if the load found the line modified in a cache of another node, else 0"},
	{"cacheline", "dcacheline", NUMBER(cacheline, PK_VALUE_ADDRESS),
	 .sample_bits = PERF_SAMPLE_ADDR, .is_private = true,
	 .about = "address of the cache line of 64 bytes with the data"},
	{"cacheoff", NULL, NUMBER(cacheoff, PK_VALUE_HEX), .sample_bits = PERF_SAMPLE_ADDR,
	 .about = "offset of the data in the cache line"},
	{"data_symbol", "symbol_daddr", BUILT(data_symbol), .sample_bits = PERF_SAMPLE_ADDR,
	 .needs = PK_NEED_CODE, .is_private = true,
	 .about = "variable or function that contains the data, and the offset; otherwise the "
		  "address"},
	{"data_dso", "dso_daddr", OBJECT(data_dso), .sample_bits = PERF_SAMPLE_ADDR,
	 .needs = PK_NEED_TASKS, .is_private = true,
	 .about = "path of the object that contains the data"},
};

const struct pk_fields pk_fields_of_memory = FIELDS(fields);
