// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

#include "processes.h"
#include "lookups.h"
#include "procfs.h"
#include "vector.h"

#define FIRST_CAPACITY 1024

static int by_pid(const void *a, const void *b)
{
	const pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

void processes_prune(struct process_set *processes)
{
	size_t kept = 0;

	if (!processes->count)
		return;
	qsort(processes->pids, processes->count, sizeof(*processes->pids), by_pid);
	for (size_t i = 0; i < processes->count; i++) {
		const pid_t pid = processes->pids[i];

		if ((kept && processes->pids[kept - 1] == pid) || (kill(pid, 0) && errno == ESRCH))
			continue;
		processes->pids[kept++] = pid;
	}
	processes->count = kept;
}

/* Removes exited processes. Allocates more memory only if the others still fill more than half of
 * it. */
static bool make_room(struct process_set *processes)
{
	size_t more;

	processes_prune(processes);
	if (processes->capacity && processes->count <= processes->capacity / 2)
		return true;
	more = processes->capacity ? processes->capacity - processes->count + 1 : FIRST_CAPACITY;
	return pk_reserve(&processes->pids, &processes->capacity, processes->count, more,
			  sizeof(*processes->pids)) ||
	       processes->count < processes->capacity;
}

void processes_add(struct process_set *processes, pid_t pid)
{
	if (pid <= 0 || (processes->count == processes->capacity && !make_room(processes)))
		return;
	processes->pids[processes->count++] = pid;
}

void processes_add_all(struct process_set *processes)
{
	pid_t *pids = NULL;
	const ssize_t count = pk_procfs_list_ids("/proc", &pids, pk_lookups());

	for (ssize_t i = 0; i < count; i++)
		processes_add(processes, pids[i]);
	free(pids);
}

void processes_free(struct process_set *processes)
{
	free(processes->pids);
	*processes = (struct process_set){0};
}
