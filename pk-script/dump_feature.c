// SPDX-License-Identifier: BSD-2-Clause
#include "dump.h"
#include "pkprivate.h"

/* SPEC 6.2 */

static void dump_list(struct dump *dump, const char *name)
{
	uint64_t nr = dump_read_number(dump, 4);

	if (!dump->complained)
		dump_items(dump, nr, 4, name, "t", "");
}

/* The lists of cores, sockets and dies have one entry for each CPU, but they do not contain the
 * number of CPUs. This number is in the feature NRCPUS. Without NRCPUS, these lists are not
 * printed. */
static void dump_topology(struct dump *dump)
{
	dump_list(dump, "core_siblings");
	if (!dump->complained)
		dump_list(dump, "thread_siblings");
	/* If fewer than 8 bytes are left, they are padding of the record. */
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
	uint64_t nr = dump_read_number(dump, 4), attr_size = dump_read_number(dump, 4);

	if (dump->complained)
		return;
	dump_decimal("nr", nr);
	dump_decimal("attr_size", attr_size);
	for (uint64_t i = 0; i < nr && !dump->complained; i++) {
		const uint8_t *attr = dump_read_bytes(dump, attr_size);
		uint64_t ids = dump_read_number(dump, 4);
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
	uint64_t nr = dump_read_number(dump, 8), words;

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

/* Each program has u32 info_len, u32 data_len and u64 arrays. The bytes of info and data follow. */
static void dump_programs(struct dump *dump)
{
	uint64_t nr = dump_read_number(dump, 4), info_size, data_size;

	for (uint64_t i = 0; i < nr && !dump->complained; i++) {
		const uint8_t *bytes;

		info_size = dump_read_number(dump, 4);
		data_size = dump_read_number(dump, 4);
		dump_fields(dump, "d", "arrays");
		bytes = dump_read_bytes(dump, info_size);
		if (bytes)
			dump_bytes("info", bytes, info_size);
		bytes = dump_read_bytes(dump, data_size);
		if (bytes)
			dump_bytes("data", bytes, data_size);
	}
}

static void dump_btf(struct dump *dump)
{
	uint64_t nr = dump_read_number(dump, 4), size;

	for (uint64_t i = 0; i < nr && !dump->complained; i++) {
		const uint8_t *bytes;

		dump_fields(dump, "4", "id");
		size = dump_read_number(dump, 4);
		bytes = dump_read_bytes(dump, size);
		if (bytes)
			dump_bytes("data", bytes, size);
	}
}

static void dump_pmu_caps(struct dump *dump)
{
	uint64_t pmus = dump_read_number(dump, 4), nr;

	for (uint64_t i = 0; i < pmus && !dump->complained; i++) {
		nr = dump_read_number(dump, 4);
		if (!dump->complained)
			dump_items(dump, nr, 8, "cap", "tt", "name value");
		if (!dump->complained)
			dump_fields(dump, "t", "pmu");
	}
}

static void dump_domains(struct dump *dump)
{
	uint64_t version = dump_read_number(dump, 4), nr;

	dump_decimal("schedstat_version", version);
	dump_fields(dump, "4", "max_domains");
	while (dump_left(dump) >= 8 && !dump->complained) {
		dump_fields(dump, "4", "cpu");
		nr = dump_read_number(dump, 4);
		if (version >= 17)
			dump_items(dump, nr, 16, "domain", "4ttt", "domain name mask list");
		else
			dump_items(dump, nr, 12, "domain", "4tt", "domain mask list");
	}
}

/* Prints the parts of a feature that its layout does not describe. */
static void dump_rest(struct dump *dump, uint64_t id)
{
	switch (id) {
	case PERF_FEATURE_EVENT_DESC: dump_event_desc(dump); break;
	case PERF_FEATURE_CPU_TOPOLOGY: dump_topology(dump); break;
	case PERF_FEATURE_MEM_TOPOLOGY: dump_numa_memory(dump); break;
	case PERF_FEATURE_BPF_PROG_INFO: dump_programs(dump); break;
	case PERF_FEATURE_BPF_BTF: dump_btf(dump); break;
	case PERF_FEATURE_PMU_CAPS: dump_pmu_caps(dump); break;
	case PERF_FEATURE_CPU_DOMAIN_INFO: dump_domains(dump); break;
	default: break;
	}
}

static void dump_content(struct dump *dump, uint64_t id, const struct pk_record_layout *layout)
{
	if (id == PERF_FEATURE_NRCPUS && dump_left(dump) >= 4)
		dump->cpus = pk_load_u32(dump->at);
	if (id == PERF_FEATURE_ARCH && dump_left(dump) >= 4 + strlen("s390"))
		dump->s390 = !memcmp(dump->at + 4, "s390", strlen("s390"));
	dump_fields(dump, layout->letters, layout->fields);
	if (!dump->complained)
		dump_rest(dump, id);
}

/* The reader joins the parts of the feature. When the last part was read, the complete feature is
 * printed. */
void dump_feature_part(struct dump *dump)
{
	static const char *const orders[] = {NULL, "little", "big"};
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint64_t id = dump_read_number(dump, 4), order = dump_read_number(dump, 4);
	const struct pk_record_layout *layout = pk_feature_layout(id);
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
		dump_content(dump, id, layout);
}

void dump_feature(struct dump *dump)
{
	uint64_t id = dump_read_number(dump, 8);
	const struct pk_record_layout *layout = pk_feature_layout(id);

	dump_name("feature", id, !dump_left(dump) ? "end mark" : layout ? layout->name : "unknown");
	/* The library does not swap the bytes of this feature. */
	if (id == PERF_FEATURE_BPF_PROG_INFO && pk_reader_swapped(dump->reader))
		return;
	if (layout && dump_left(dump))
		dump_content(dump, id, layout);
}
