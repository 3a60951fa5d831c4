// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "procfs.h"
#include "stat.h"

static int topology(int cpu, const char *what)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, what);
	return (int)procfs_read_number(path, 0);
}

static void name_cpu(struct stat_group *group, enum stat_by by, int cpu)
{
	int socket = topology(cpu, "physical_package_id");

	switch (by) {
	case STAT_CPU:
		snprintf(group->name, sizeof(group->name), "CPU%d", cpu);
		snprintf(group->number, sizeof(group->number), "%d", cpu);
		return;
	case STAT_CORE:
		snprintf(group->name, sizeof(group->name), "S%d-D%d-C%d", socket,
			 topology(cpu, "die_id"), topology(cpu, "core_id"));
		break;
	default: snprintf(group->name, sizeof(group->name), "S%d", socket); break;
	}
	memcpy(group->number, group->name, sizeof(group->number));
}

static void name_thread(struct stat_group *group, pid_t tid)
{
	char comm[64];
	pid_t pid = procfs_process_of(tid);

	if (pid < 0 || !procfs_thread_comm(pid, tid, comm, sizeof(comm)))
		memcpy(comm, "?", 2);
	pk_harmless(comm);
	snprintf(group->name, sizeof(group->name), "%s-%d", comm, (int)tid);
	memcpy(group->number, group->name, sizeof(group->number));
}

/* The group of that name, a new one if need be. CPUs are few, and threads have different names. */
static size_t find_or_add(struct stat_groups *groups, const struct stat_group *group, bool thread)
{
	for (size_t i = 0; i < groups->count && !thread; i++)
		if (!strcmp(groups->items[i].name, group->name))
			return i;
	groups->items[groups->count] = *group;
	return groups->count++;
}

bool stat_groups_init(struct stat_groups *groups, enum stat_by by, const struct targets *targets)
{
	size_t slots = event_slots(targets), most = targets->cpus_count + targets->tids_count + 1;

	*groups = (struct stat_groups){.by = by};
	groups->items = calloc(most, sizeof(*groups->items));
	groups->of_slot = calloc(slots + 1, sizeof(*groups->of_slot));
	if (!groups->items || !groups->of_slot) {
		pk_error("out of memory");
		return false;
	}
	if (by == STAT_ALL)
		groups->count = 1;
	for (size_t task = 0; task < targets->tids_count && by == STAT_THREAD; task++) {
		struct stat_group group = {0};

		name_thread(&group, targets->tids[task]);
		find_or_add(groups, &group, true);
		for (size_t cpu = 0; cpu < targets->cpus_count; cpu++)
			groups->of_slot[event_slot(targets, cpu, task)] = task;
	}
	for (size_t cpu = 0; cpu < targets->cpus_count && by != STAT_ALL && by != STAT_THREAD;
	     cpu++) {
		struct stat_group group = {0};
		size_t found;

		if (!targets->chosen[cpu])
			continue;
		name_cpu(&group, by, targets->cpus[cpu]);
		found = find_or_add(groups, &group, false);
		groups->items[found].cpus++;
		for (size_t task = 0; task < targets->tids_count; task++)
			groups->of_slot[event_slot(targets, cpu, task)] = found;
	}
	return true;
}

void stat_groups_free(struct stat_groups *groups)
{
	free(groups->items);
	free(groups->of_slot);
	*groups = (struct stat_groups){0};
}
