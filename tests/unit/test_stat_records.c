// SPDX-License-Identifier: BSD-2-Clause
/* Tests numbers of perf's versions, maps of CPUs, and sums of counts. */
#include <stdlib.h>
#include <string.h>

#include "stat_records.h"
#include "stream_builder.h"

START_TEST(modes)
{
	static const struct {
		uint64_t number;
		const char *version;
		enum stat_by by;
	} rows[] = {
		{0, "6.1.2", STAT_CPU},	    {1, "", STAT_ALL},		{2, NULL, STAT_SOCKET},
		{3, "4.19", STAT_CORE},	    {4, "4.19", STAT_THREAD},	{3, "5.3", STAT_DIE},
		{4, "5.10.1", STAT_CORE},   {5, "6.4", STAT_THREAD},	{7, "6.1", STAT_NODE},
		{5, "6.5.rc1", STAT_CORE},  {8, "6.6", STAT_NODE},	{6, "6.9", STAT_CORE},
		{7, "7.2", STAT_THREAD},    {9, "7.2", STAT_NODE},	{11, "7.2", STAT_ALL},
		{4, "nonsense", STAT_CORE}, {UINT64_MAX, "", STAT_ALL},
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		ck_assert_msg(stat_by_of_number(rows[i].number, rows[i].version) == rows[i].by,
			      "%llu of %s", (unsigned long long)rows[i].number, rows[i].version);
	/* perf 6.1 has neither clusters nor caches. */
	for (int by = STAT_ALL; by <= STAT_THREAD; by++)
		ck_assert_int_eq(stat_by_of_number(stat_by_number((enum stat_by)by), "6.1"),
				 by == STAT_CLUSTER || by == STAT_CACHE ? STAT_ALL : by);
	ck_assert_int_eq(stat_by_of_number(5, "7.2"), STAT_CACHE);
}
END_TEST

/* Makes four CPUs, two in each of two sockets. CPUs with even numbers are in socket 1. */
static void make_places(struct stat_places *places)
{
	places->cpus = calloc(4, sizeof(*places->cpus));
	places->places = calloc(4, sizeof(*places->places));
	places->threads = calloc(1, sizeof(*places->threads));
	places->cpus_count = 4;
	places->threads_count = 1;
	for (int i = 0; i < 4; i++) {
		places->cpus[i] = i;
		places->places[i] =
			(struct cpu_place){.socket = 1 - i % 2, .core = i / 2, .node = 0};
		places->places[i].caches[1] = i + 1;
		places->places[i].caches[2] = i % 2 ? 2 : 1;
	}
	places->places[2].cluster = 1;
	places->places[2].caches[2] = 0;
}

START_TEST(groups)
{
	static const struct {
		enum stat_by by;
		size_t count;
		const char *first, *last;
		unsigned int cpus;
	} rows[] = {
		{STAT_ALL, 1, "", "", 0},
		{STAT_CPU, 4, "CPU0", "CPU3", 1},
		{STAT_SOCKET, 2, "S0", "S1", 2},
		{STAT_DIE, 2, "S0-D0", "S1-D0", 2},
		{STAT_CLUSTER, 3, "S0-D0-CLS0", "S1-D0-CLS1", 2},
		{STAT_CACHE, 3, "S0-D0-L3-ID1", "S1-D0-L3-ID0", 2},
		{STAT_CORE, 4, "S0-D0-C0", "S1-D0-C1", 1},
		{STAT_NODE, 1, "N0", "N0", 4},
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct stat_places places = {0};
		struct stat_groups of;

		make_places(&places);
		ck_assert(stat_groups_init(&of, rows[i].by, &places) == PK_OK);
		ck_assert_uint_eq(of.count, rows[i].count);
		ck_assert_str_eq(of.items[0].name, rows[i].first);
		ck_assert_str_eq(of.items[of.count - 1].name, rows[i].last);
		ck_assert_uint_eq(of.items[0].cpus, rows[i].cpus);
		if (rows[i].by == STAT_SOCKET)
			ck_assert(of.of_slot[0] == 1 && of.of_slot[1] == 0 && of.of_slot[3] == 0);
		stat_groups_free(&of);
		stat_places_free(&places);
	}
}
END_TEST

START_TEST(adding)
{
	struct event items[2] = {{.name = (char *)"a", .pmu = (char *)"imc_0"},
				 {.name = (char *)"a", .pmu = (char *)"imc_1"}};
	const struct event_list events = {.items = items, .count = 2};
	struct stat_cells cells = {0};

	make_places(&cells.places);
	ck_assert(stat_cells_init(&cells, &events, STAT_SOCKET) == PK_OK);
	*stat_cell(&cells, 0, 1) = (struct count){100, 10, 5, 0};
	*stat_cell(&cells, 0, 3) = (struct count){50, 10, 10, 0};
	*stat_cell(&cells, 1, 0) = (struct count){7, 10, 10, 0};
	stat_cells_add_up(&cells, true);
	/* The counts of each CPU are scaled before they are added. The counts of both PMUs are
	 * added. */
	ck_assert_uint_eq(cells.counts[0].value, 250);
	ck_assert_uint_eq(cells.counts[1].value, 7);
	ck_assert(!cells.hidden[0] && cells.hidden[1]);
	stat_cells_add_up(&cells, true);
	ck_assert_uint_eq(cells.counts[0].value, 0);
	stat_cells_add_up(&cells, false);
	stat_cells_note_run(&cells);
	*stat_cell(&cells, 0, 3) = (struct count){150, 10, 10, 0};
	stat_cells_add_up(&cells, false);
	stat_cells_note_run(&cells);
	stat_cells_average(&cells);
	ck_assert_uint_eq(cells.counts[0].value, 300);
	ck_assert_double_eq(cells.moments[0].mean, 300);
	stat_cells_free(&cells);
}
END_TEST

/* The bytes of a feature can come from an untrusted stream. */
START_TEST(topologies)
{
	uint8_t data[200] = {0};
	struct topology topology = {0};

	pk_store_u32(data, 2);
	topology_from_feature(&topology, PERF_FEATURE_NRCPUS, data, 8);
	ck_assert_uint_eq(topology.count, 2);
	memset(data, 0, sizeof(data));
	pk_store_u32(data + 8, 5);  /* core */
	pk_store_u32(data + 12, 6); /* socket */
	pk_store_u32(data + 16, 7);
	pk_store_u32(data + 20, 8);
	pk_store_u32(data + 32, 9); /* die of the second CPU */
	topology_from_feature(&topology, PERF_FEATURE_CPU_TOPOLOGY, data, 36);
	ck_assert_int_eq(topology_place(&topology, 0).socket, 6);
	ck_assert_int_eq(topology_place(&topology, 1).core, 7);
	ck_assert_int_eq(topology_place(&topology, 1).die, 9);
	ck_assert_int_eq(topology_place(&topology, 2).core, 0);
	for (size_t size = 0; size < 36; size++)
		topology_from_feature(&topology, PERF_FEATURE_CPU_TOPOLOGY, data, size);
	memset(data, 0, sizeof(data));
	pk_store_u32(data, 1);
	pk_store_u32(data + 4, 1);
	pk_store_u32(data + 8, 3); /* level */
	pk_store_u32(data + 24, 1);
	pk_store_u32(data + 29, 1);
	pk_store_u32(data + 34, 4);
	memcpy(data + 38, "1,0", 4);
	topology_from_feature(&topology, PERF_FEATURE_CACHE, data, 42);
	ck_assert_int_eq(topology_place(&topology, 0).caches[2], 2);
	ck_assert_int_eq(topology_place(&topology, 1).caches[2], 2);
	ck_assert_int_eq(topology_place(&topology, 1).caches[3], 0);
	memcpy(data + 38, "0-2", 4);
	for (size_t size = 0; size <= 42; size++)
		topology_from_feature(&topology, PERF_FEATURE_CACHE, data, size);
	ck_assert_int_eq(topology_place(&topology, 0).caches[2], 2);
	memset(data, 0xff, sizeof(data));
	topology_from_feature(&topology, PERF_FEATURE_CPU_TOPOLOGY, data, sizeof(data));
	topology_from_feature(&topology, PERF_FEATURE_NUMA_TOPOLOGY, data, sizeof(data));
	topology_from_feature(&topology, PERF_FEATURE_NRCPUS, data, sizeof(data));
	ck_assert_uint_eq(topology.count, 2);
	/* Nodes with more CPUs than the machine has. The time must be limited. */
	memset(data, 0, sizeof(data));
	pk_store_u32(data, 2);
	pk_store_u32(data + 4, 5);
	pk_store_u32(data + 24, 16);
	memcpy(data + 28, "0-65533,0,1", 12);
	pk_store_u32(data + 44, 6);
	pk_store_u32(data + 64, 8);
	memcpy(data + 68, "0", 2);
	topology_from_feature(&topology, PERF_FEATURE_NUMA_TOPOLOGY, data, 76);
	ck_assert_int_eq(topology_place(&topology, 65533).node, 5);
	ck_assert_int_eq(topology_place(&topology, 0).node, 5);
	topology_free(&topology);
}
END_TEST

RUN_TESTS("stat_records", modes, groups, adding, topologies)
