// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "stat.h"

static void name_thread(struct stat_thread *thread, pid_t tid)
{
	const pid_t pid = tid > 0 ? procfs_process_of(tid, pk_lookups()) : -1;

	thread->tid = tid;
	if (pid < 0 ||
	    !procfs_thread_comm(pid, tid, thread->comm, sizeof(thread->comm), pk_lookups()))
		memcpy(thread->comm, "?", 2);
	pk_harmless(thread->comm);
}

bool stat_places_init(struct stat_places *places, const struct targets *targets)
{
	const size_t cpus = targets->cpus_count, threads = targets->tids_count;

	places->cpus = calloc(cpus + 1, sizeof(*places->cpus));
	places->places = calloc(cpus + 1, sizeof(*places->places));
	places->threads = calloc(threads + 1, sizeof(*places->threads));
	if (!places->cpus || !places->places || !places->threads) {
		pk_no_memory();
		return false;
	}
	places->threads_count = threads;
	for (size_t i = 0; i < cpus; i++) {
		if (!targets->chosen[i])
			continue;
		if (targets->cpus[i] >= 0)
			places->places[places->cpus_count] = topology_here(targets->cpus[i]);
		places->cpus[places->cpus_count++] = targets->cpus[i];
	}
	for (size_t i = 0; i < threads; i++)
		name_thread(&places->threads[i], targets->tids[i]);
	return true;
}

void stat_places_free(struct stat_places *places)
{
	free(places->cpus);
	free(places->places);
	free(places->threads);
	*places = (struct stat_places){0};
}
