// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "stat_features.h"

#define NODES_MAX 1024

static void write_string(struct pk_feature *feature, enum perf_feature id, const char *text,
			 struct pk_writer *writer)
{
	pk_feature_start(feature, id);
	pk_feature_string(feature, text);
	pk_feature_write(feature, writer);
}

static void write_command(struct pk_feature *feature, const struct stat_options *options,
			  struct pk_writer *writer)
{
	pk_feature_start(feature, PERF_FEATURE_CMDLINE);
	pk_feature_u32(feature, (uint32_t)options->argc);
	for (int i = 0; i < options->argc; i++)
		pk_feature_string(feature, options->argv[i]);
	pk_feature_write(feature, writer);
}

/* Without the lists of siblings, which follow from cores, sockets and dies. */
static void write_processors(struct pk_feature *feature, struct pk_writer *writer)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);

	pk_feature_start(feature, PERF_FEATURE_NRCPUS);
	pk_feature_u32(feature, (uint32_t)cpus);
	pk_feature_u32(feature, (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
	pk_feature_write(feature, writer);
	pk_feature_start(feature, PERF_FEATURE_CPU_TOPOLOGY);
	pk_feature_u32(feature, 0);
	pk_feature_u32(feature, 0);
	for (long i = 0; i < cpus; i++) {
		const struct cpu_place place = topology_here((int)i);

		pk_feature_u32(feature, (uint32_t)place.core);
		pk_feature_u32(feature, (uint32_t)place.socket);
	}
	pk_feature_u32(feature, 0);
	for (long i = 0; i < cpus; i++)
		pk_feature_u32(feature, (uint32_t)topology_here((int)i).die);
	pk_feature_write(feature, writer);
}

static void write_nodes(struct pk_feature *feature, struct pk_writer *writer)
{
	char path[64], text[4096];
	uint32_t count = 0;

	pk_feature_start(feature, PERF_FEATURE_NUMA_TOPOLOGY);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t node = 0; node < NODES_MAX; node++) {
			snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist",
				 node);
			if (!procfs_read_line(path, text, sizeof(text), pk_lookups()))
				continue;
			if (!pass) {
				count++;
				continue;
			}
			pk_feature_u32(feature, node);
			pk_feature_u64(feature, 0);
			pk_feature_u64(feature, 0);
			pk_feature_string(feature, text);
		}
		if (!count)
			return;
		if (!pass)
			pk_feature_u32(feature, count);
	}
	pk_feature_write(feature, writer);
}

void stat_write_features(struct pk_writer *writer, const struct stat_options *options)
{
	struct pk_feature *feature = malloc(sizeof(*feature));
	struct utsname names;

	if (!feature || uname(&names)) {
		free(feature);
		return;
	}
	write_string(feature, PERF_FEATURE_HOSTNAME, names.nodename, writer);
	write_string(feature, PERF_FEATURE_OSRELEASE, names.release, writer);
	write_string(feature, PERF_FEATURE_ARCH, names.machine, writer);
	write_processors(feature, writer);
	write_command(feature, options, writer);
	write_nodes(feature, writer);
	free(feature);
}
