// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cpu_list.h"
#include "lookups.h"
#include "procfs.h"
#include "stream_head.h"

static void write_text_feature(struct pk_feature *feature, enum perf_feature id, const char *text,
			       struct pk_writer *writer)
{
	pk_feature_start(feature, id);
	pk_feature_string(feature, text);
	pk_feature_write(feature, writer);
}

static void write_system_names(struct pk_feature *feature, struct pk_writer *writer)
{
	struct utsname names;

	if (uname(&names))
		return;
	write_text_feature(feature, PERF_FEATURE_HOSTNAME, names.nodename, writer);
	write_text_feature(feature, PERF_FEATURE_OSRELEASE, names.release, writer);
	write_text_feature(feature, PERF_FEATURE_VERSION, pk_version(), writer);
	write_text_feature(feature, PERF_FEATURE_ARCH, names.machine, writer);
}

/* The highest number of a CPU plus 1: readers reject higher numbers. */
static uint32_t cpus_present(void)
{
	char text[4096];
	size_t last;

	if (!procfs_read_line("/sys/devices/system/cpu/present", text, sizeof(text), pk_lookups()))
		return (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	for (last = strlen(text); last > 0 && isdigit((unsigned char)text[last - 1]); last--)
		;
	return (uint32_t)strtoul(text + last, NULL, 10) + 1;
}

static bool count_cpus(void *arg, uint64_t first, uint64_t last)
{
	*(uint32_t *)arg += (uint32_t)(last - first + 1);
	return true;
}

static uint32_t cpus_online(void)
{
	char text[4096];
	uint32_t count = 0;

	if (procfs_read_line("/sys/devices/system/cpu/online", text, sizeof(text), pk_lookups()) &&
	    cpu_ranges(text, count_cpus, &count))
		return count;
	return (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
}

static void write_cpu_count(struct pk_feature *feature, struct pk_writer *writer)
{
	pk_feature_start(feature, PERF_FEATURE_NRCPUS);
	pk_feature_u32(feature, cpus_present());
	pk_feature_u32(feature, cpus_online());
	pk_feature_write(feature, writer);
}

/* The value of the first line "key : value" that starts with key. */
static bool find_value(const char *path, const char *key, char *value, size_t size)
{
	struct line_reader reader;
	bool found = false;
	char *line, *text;

	if (!line_reader_open(&reader, path, pk_lookups()))
		return false;
	while (!found && (line = line_reader_next(&reader))) {
		text = strchr(line, ':');
		if (!text || strncmp(line, key, strlen(key)))
			continue;
		text += 1 + strspn(text + 1, " \t");
		snprintf(value, size, "%s", text);
		found = true;
	}
	line_reader_close(&reader);
	return found;
}

static void write_cpu_name(struct pk_feature *feature, struct pk_writer *writer)
{
	static const char *const keys[] = {"model name", "Processor", "vendor_id", "cpu", "uarch"};
	char name[256];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!find_value("/proc/cpuinfo", keys[i], name, sizeof(name)))
			continue;
		write_text_feature(feature, PERF_FEATURE_CPUDESC, name, writer);
		return;
	}
}

static void write_memory_size(struct pk_feature *feature, struct pk_writer *writer)
{
	char text[64];

	if (!find_value("/proc/meminfo", "MemTotal", text, sizeof(text)))
		return;
	pk_feature_start(feature, PERF_FEATURE_TOTAL_MEM);
	pk_feature_u64(feature, strtoull(text, NULL, 10)); /* KiB */
	pk_feature_write(feature, writer);
}

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

/* Relates the chosen clock to the time of day. The kernel's default clock cannot be read by
 * programs. */
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

void write_features(const struct options *options, struct pk_writer *writer)
{
	struct pk_feature *feature = pk_need(pk_lookups(), malloc(sizeof(*feature)));

	if (!feature)
		return; /* the feature is optional */
	write_system_names(feature, writer);
	write_cpu_count(feature, writer);
	write_cpu_name(feature, writer);
	write_memory_size(feature, writer);
	write_command_line(feature, options, writer);
	write_clock(feature, options, writer);
	free(feature);
}
