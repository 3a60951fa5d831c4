/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/event/pmu_json.c */
/* Tests files of events and metrics. Every event and every metric must be found by its name. The
 * value of every valid metric can be calculated. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_that.h"
#include "event.h"
#include "metrics.h"
#include "stat.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void work_out(struct metrics *metrics)
{
	static const struct count counts[64] = {{3, 1, 1, 1}};
	static const bool hidden[64];
	struct stat_group group = {.name = ""};
	const struct stat_groups groups = {.items = &group, .count = 1};
	struct event_list events = {.json = metrics->json, .tools = true, .messages.quiet = true};
	struct stat_result result = {.events = &events,
				     .groups = &groups,
				     .counts = counts,
				     .hidden = hidden,
				     .metrics = metrics,
				     .seconds = 1};

	if (metrics_add_events(metrics, &events) == PK_OK && events.count <= 64)
		for (size_t i = 0; i < metrics->count; i++)
			if (metrics->items[i].shown)
				metrics_value(metrics, &metrics->items[i], &result, 0);
	pk_event_list_free(&events);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_messages messages = {.quiet = true};
	struct metrics metrics = {.json = pk_pmu_json_new(&messages, NULL)};
	const struct pmu_json_metric *all;
	const int fd = memfd_create("some.json", MFD_CLOEXEC);
	char path[64];
	size_t count;

	check_that(metrics.json != NULL);
	check_that(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (pk_pmu_json_load(metrics.json, path) == PK_OK) {
		all = pk_pmu_json_metrics(metrics.json, &count);
		for (size_t i = 0; i < count; i++)
			check_that(pk_pmu_json_metric(metrics.json, all[i].name) != NULL);
		if (metrics_choose(&metrics, "all") == PK_OK)
			work_out(&metrics);
	}
	metrics_free(&metrics);
	close(fd);
	return 0;
}
