// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"

/*
 * SPEC 6.2: first some fields; then, where there are items, their number (of so many bytes) and the
 * items with their fields; what that cannot say, a function says.
 */
struct layout {
	const char *name, *letters, *names;
	unsigned int count_width;
	const char *item, *item_letters, *item_names;
	void (*rest)(struct dump *dump);
};

static void dump_list(struct dump *dump, const char *name)
{
	uint64_t nr = dump_take(dump, 4);

	if (!dump->complained)
		dump_items(dump, nr, 4, name, "t", "");
}

static void dump_cpus(struct dump *dump)
{
	uint64_t available = dump_take(dump, 4);

	dump_decimal("available", available);
	dump_fields(dump, "4", "online");
	if (!dump->complained)
		dump->cpus = (uint32_t)available;
}

/* How many cpus there are is told by NRCPUS. */
static void dump_topology(struct dump *dump)
{
	dump_list(dump, "core_siblings");
	if (!dump->complained)
		dump_list(dump, "thread_siblings");
	/* Less than 8 bytes, here and below, is what pads the record. */
	if (!dump->cpus || dump_left(dump) < 8 || dump->complained)
		return;
	dump_items(dump, dump->cpus, 8, "cpu", "44", "core socket");
	if (dump_left(dump) < 8 || dump->complained)
		return;
	dump_list(dump, "dies");
	if (!dump->complained)
		dump_items(dump, dump->cpus, 4, "cpu", "4", "die");
}

static void dump_event_desc(struct dump *dump)
{
	uint64_t nr = dump_take(dump, 4), attr_size = dump_take(dump, 4);

	if (dump->complained)
		return;
	dump_decimal("nr", nr);
	dump_decimal("attr_size", attr_size);
	for (uint64_t i = 0; i < nr && !dump->complained; i++) {
		const uint8_t *attr = dump_take_bytes(dump, attr_size);
		uint64_t ids = dump_take(dump, 4);
		char name[sizeof(dump->prefix) + 16];

		if (!attr || dump->complained)
			return;
		snprintf(dump->prefix, sizeof(dump->prefix), "desc[%llu].", (unsigned long long)i);
		snprintf(name, sizeof(name), "%sattr_type", dump->prefix);
		dump_decimal(name, attr_size >= 4 ? pk_load_u32(attr) : 0);
		dump_fields(dump, "t", "name");
		if (!dump->complained)
			dump_items(dump, ids, 8, "id", "8", "");
		dump->prefix[0] = '\0';
	}
}

static void dump_numa_memory(struct dump *dump)
{
	uint64_t nr = dump_take(dump, 8), words;

	for (uint64_t i = 0; i < nr && !dump->complained; i++) {
		snprintf(dump->prefix, sizeof(dump->prefix), "node[%llu].", (unsigned long long)i);
		dump_fields(dump, "88", "node bits");
		words = dump_left(dump) >= 8 ? (pk_load_u64(dump->at) + 63) / 64 : 0;
		dump_fields(dump, "........", "");
		if (!dump->complained)
			dump_items(dump, words, 8, "word", "d", "");
		dump->prefix[0] = '\0';
	}
}

/* u32 info_len, data_len, u64 arrays, info, data */
static void dump_programs(struct dump *dump)
{
	uint64_t nr = dump_take(dump, 4), info_size, data_size;

	for (uint64_t i = 0; i < nr && !dump->complained; i++) {
		const uint8_t *bytes;

		info_size = dump_take(dump, 4);
		data_size = dump_take(dump, 4);
		dump_fields(dump, "d", "arrays");
		bytes = dump_take_bytes(dump, info_size);
		if (bytes)
			dump_bytes("info", bytes, info_size);
		bytes = dump_take_bytes(dump, data_size);
		if (bytes)
			dump_bytes("data", bytes, data_size);
	}
}

static void dump_btf(struct dump *dump)
{
	uint64_t nr = dump_take(dump, 4), size;

	for (uint64_t i = 0; i < nr && !dump->complained; i++) {
		const uint8_t *bytes;

		dump_fields(dump, "4", "id");
		size = dump_take(dump, 4);
		bytes = dump_take_bytes(dump, size);
		if (bytes)
			dump_bytes("data", bytes, size);
	}
}

static void dump_pmu_caps(struct dump *dump)
{
	uint64_t pmus = dump_take(dump, 4), nr;

	for (uint64_t i = 0; i < pmus && !dump->complained; i++) {
		nr = dump_take(dump, 4);
		if (!dump->complained)
			dump_items(dump, nr, 8, "cap", "tt", "name value");
		if (!dump->complained)
			dump_fields(dump, "t", "pmu");
	}
}

static void dump_domains(struct dump *dump)
{
	uint64_t version = dump_take(dump, 4), nr;

	dump_decimal("schedstat_version", version);
	dump_fields(dump, "4", "max_domains");
	while (dump_left(dump) >= 8 && !dump->complained) {
		dump_fields(dump, "4", "cpu");
		nr = dump_take(dump, 4);
		if (version >= 17)
			dump_items(dump, nr, 16, "domain", "4ttt", "domain name mask list");
		else
			dump_items(dump, nr, 12, "domain", "4tt", "domain mask list");
	}
}

#define FIELDS(name, letters, names)                                                               \
	{                                                                                          \
		name, letters, names, 0, NULL, NULL, NULL, NULL                                    \
	}
#define ITEMS(name, width, item, letters, names)                                                   \
	{                                                                                          \
		name, "", "", width, item, letters, names, NULL                                    \
	}
#define REST(name, letters, names, function)                                                       \
	{                                                                                          \
		name, letters, names, 0, NULL, NULL, NULL, function                                \
	}

static const struct layout layouts[PERF_FEATURE_MAX] = {
	[PERF_FEATURE_HOSTNAME] = FIELDS("HOSTNAME", "t", "hostname"),
	[PERF_FEATURE_OSRELEASE] = FIELDS("OSRELEASE", "t", "osrelease"),
	[PERF_FEATURE_VERSION] = FIELDS("VERSION", "t", "version"),
	[PERF_FEATURE_ARCH] = FIELDS("ARCH", "t", "arch"),
	[PERF_FEATURE_NRCPUS] = REST("NRCPUS", "", "", dump_cpus),
	[PERF_FEATURE_CPUDESC] = FIELDS("CPUDESC", "t", "cpudesc"),
	[PERF_FEATURE_CPUID] = FIELDS("CPUID", "t", "cpuid"),
	[PERF_FEATURE_TOTAL_MEM] = FIELDS("TOTAL_MEM", "8", "kib"),
	[PERF_FEATURE_CMDLINE] = ITEMS("CMDLINE", 4, "argv", "t", ""),
	[PERF_FEATURE_EVENT_DESC] = REST("EVENT_DESC", "", "", dump_event_desc),
	[PERF_FEATURE_CPU_TOPOLOGY] = REST("CPU_TOPOLOGY", "", "", dump_topology),
	[PERF_FEATURE_NUMA_TOPOLOGY] =
		ITEMS("NUMA_TOPOLOGY", 4, "node", "488t", "node total free cpus"),
	[PERF_FEATURE_PMU_MAPPINGS] = ITEMS("PMU_MAPPINGS", 4, "pmu", "4t", "type name"),
	[PERF_FEATURE_GROUP_DESC] = ITEMS("GROUP_DESC", 4, "group", "t44", "name leader members"),
	[PERF_FEATURE_AUXTRACE] = ITEMS("AUXTRACE", 8, "entry", "d8", "offset size"),
	[PERF_FEATURE_CACHE] = {"CACHE", "4", "version", 4, "cache", "4444ttt",
				"level line_size sets ways type size cpus", NULL},
	[PERF_FEATURE_SAMPLE_TIME] = FIELDS("SAMPLE_TIME", "88", "first last"),
	[PERF_FEATURE_MEM_TOPOLOGY] =
		REST("MEM_TOPOLOGY", "8d", "version block_size", dump_numa_memory),
	[PERF_FEATURE_CLOCKID] = FIELDS("CLOCKID", "8", "resolution"),
	[PERF_FEATURE_DIR_FORMAT] = FIELDS("DIR_FORMAT", "8", "version"),
	[PERF_FEATURE_BPF_PROG_INFO] = REST("BPF_PROG_INFO", "", "", dump_programs),
	[PERF_FEATURE_BPF_BTF] = REST("BPF_BTF", "", "", dump_btf),
	[PERF_FEATURE_COMPRESSED] =
		FIELDS("COMPRESSED", "44444", "version type level ratio mmap_len"),
	[PERF_FEATURE_CPU_PMU_CAPS] = ITEMS("CPU_PMU_CAPS", 4, "cap", "tt", "name value"),
	[PERF_FEATURE_CLOCK_DATA] =
		FIELDS("CLOCK_DATA", "4488", "version clockid wall_ns clockid_ns"),
	[PERF_FEATURE_HYBRID_TOPOLOGY] = ITEMS("HYBRID_TOPOLOGY", 4, "pmu", "tt", "name cpus"),
	[PERF_FEATURE_PMU_CAPS] = REST("PMU_CAPS", "", "", dump_pmu_caps),
	[PERF_FEATURE_CPU_DOMAIN_INFO] = REST("CPU_DOMAIN_INFO", "", "", dump_domains),
	[PERF_FEATURE_E_MACHINE] = FIELDS("E_MACHINE", "4c", "e_machine e_flags"),
	[PERF_FEATURE_CLN_SIZE] = FIELDS("CLN_SIZE", "4", "size"),
};

static void dump_content(struct dump *dump, const struct layout *layout)
{
	uint64_t nr;

	dump_fields(dump, layout->letters, layout->names);
	if (layout->item) {
		nr = dump_take(dump, layout->count_width);
		if (!dump->complained)
			dump_items(dump, nr, 4, layout->item, layout->item_letters,
				   layout->item_names);
	}
	if (layout->rest && !dump->complained)
		layout->rest(dump);
}

static const struct layout *layout_of(uint64_t id)
{
	return id < COUNT(layouts) && layouts[id].name ? &layouts[id] : NULL;
}

/* The last part shows the whole feature. */
void dump_feature_part(struct dump *dump)
{
	static const char *const orders[] = {NULL, "little", "big"};
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint64_t id = dump_take(dump, 4), order = dump_take(dump, 4);
	const struct layout *layout = layout_of(id);
	struct pk_feature_content feature;

	dump_name("feature", id, layout ? layout->name : "unknown");
	DUMP_NAMED("byte_order", order, orders);
	dump_fields(dump, "88", "total offset");
	dump->at = dump->end;
	if (!pk_reader_feature(dump->reader, dump->record, &feature))
		return;
	dump->at = feature.data;
	dump->end = feature.data + feature.size;
	if (layout && (id != PERF_FEATURE_BPF_PROG_INFO || order == (big ? 2 : 1)))
		dump_content(dump, layout);
}

void dump_feature(struct dump *dump)
{
	uint64_t id = dump_take(dump, 8);
	const struct layout *layout = layout_of(id);

	dump_name("feature", id, !dump_left(dump) ? "end mark" : layout ? layout->name : "unknown");
	/* The library does not bring this one into the host's order. */
	if (id == PERF_FEATURE_BPF_PROG_INFO && pk_reader_swapped(dump->reader))
		return;
	if (layout && dump_left(dump))
		dump_content(dump, layout);
}
