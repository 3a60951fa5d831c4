// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lookups.h"
#include "stream_head.h"
#include "system_features.h"

/* The first string is the path of the program, as in perf. */
static void write_command_line(struct pk_feature *feature, const struct options *options,
			       struct pk_writer *writer)
{
	char path[PATH_MAX];
	const ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (size < 0)
		pk_lookup_failed("/proc/self/exe");
	path[size > 0 ? size : 0] = 0;
	pk_feature_start(feature, PERF_FEATURE_CMDLINE);
	pk_feature_u32(feature, (uint32_t)options->argc);
	pk_feature_string(feature, size > 0 ? path : options->argv[0]);
	for (int i = 1; i < options->argc; i++)
		pk_feature_string(feature, options->argv[i]);
	pk_feature_write(feature, writer);
}

static uint64_t nanoseconds(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * UINT64_C(1000000000) + (uint64_t)time->tv_nsec;
}

/* With --clockid, relates the clock to the time of day. Without it, does nothing: programs cannot
 * read the kernel's default clock. */
static void write_clock(struct pk_feature *feature, const struct options *options,
			struct pk_writer *writer)
{
	struct timespec resolution, wall, clock;

	if (!options->use_clockid || clock_getres(options->clockid, &resolution) ||
	    clock_gettime(CLOCK_REALTIME, &wall) || clock_gettime(options->clockid, &clock))
		return;
	pk_feature_start(feature, PERF_FEATURE_CLOCKID);
	pk_feature_u64(feature, nanoseconds(&resolution));
	pk_feature_write(feature, writer);
	pk_feature_start(feature, PERF_FEATURE_CLOCK_DATA);
	pk_feature_u32(feature, 1);
	pk_feature_u32(feature, (uint32_t)options->clockid);
	pk_feature_u64(feature, nanoseconds(&wall));
	pk_feature_u64(feature, nanoseconds(&clock));
	pk_feature_write(feature, writer);
}

void write_labels(const struct options *options, struct pk_writer *writer)
{
	for (size_t i = 0; i < options->labels_count; i++) {
		const struct pk_label label = {options->labels[i].name, options->labels[i].value};

		pk_label_write(writer, &label);
	}
}

void write_features(const struct options *options, struct pk_writer *writer)
{
	struct pk_feature *feature = pk_need(pk_lookups(), malloc(sizeof(*feature)));

	if (!feature)
		return; /* the feature is optional */
	pk_system_features_write(feature, writer, pk_lookups());
	write_command_line(feature, options, writer);
	write_clock(feature, options, writer);
	free(feature);
}
