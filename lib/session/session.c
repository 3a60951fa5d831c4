// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "session_internal.h"

struct pk_session *pk_session_new(void)
{
	struct pk_session *session = calloc(1, sizeof(*session));

	if (!session)
		return NULL;
	session->kernel = pk_space_new(&session->serials);
	if (!session->kernel) {
		free(session);
		return NULL;
	}
	return session;
}

static void free_process(struct pk_process *process)
{
	pk_space_release(process->space);
	pk_space_release(process->code);
	free(process);
}

static void leave_process(struct pk_session *session, struct pk_process *process)
{
	if (--process->threads)
		return;
	if (pk_table_get(&session->processes, process->pid) == process)
		pk_table_remove(&session->processes, process->pid);
	free_process(process);
}

void pk_session_free(struct pk_session *session)
{
	struct pk_process *process;
	struct pk_thread *thread;
	size_t cursor = 0;

	if (!session)
		return;
	while ((thread = pk_table_next_value(&session->threads, &cursor))) {
		leave_process(session, thread->process);
		free(thread);
	}
	cursor = 0;
	while ((process = pk_table_next_value(&session->processes, &cursor)))
		free_process(process); /* has no thread */
	pk_table_free(&session->threads);
	pk_table_free(&session->processes);
	pk_space_release(session->kernel);
	pk_images_free(&session->images);
	pk_stream_symbols_clear(&session->symbols);
	pk_table_free(&session->cgroups);
	pk_names_free(&session->cgroup_paths);
	pk_names_free(&session->comms);
	free(session);
}

const struct pk_space *pk_session_kernel(const struct pk_session *session)
{
	return session->kernel;
}

const struct pk_machine_names *pk_session_machine(const struct pk_session *session)
{
	return &session->machine;
}

const char *pk_session_comm(const struct pk_session *session, uint32_t comm)
{
	return comm < session->comms.count ? session->comms.texts[comm] : "";
}

const char *pk_session_cgroup(const struct pk_session *session, uint64_t id)
{
	return pk_table_get(&session->cgroups, id);
}

uint32_t pk_session_images(const struct pk_session *session)
{
	return session->images.keys.count;
}

bool pk_session_told_full(const struct pk_session *session)
{
	return session->symbols.full;
}

bool pk_session_told(const struct pk_session *session, const struct pk_location *location,
		     struct pk_told_place *place)
{
	return pk_stream_symbols_find(&session->symbols, location, place);
}

/* ---- Tasks ---- */

static struct pk_process *add_process(struct pk_session *session, uint32_t pid,
				      struct pk_space *space)
{
	struct pk_process *process = malloc(sizeof(*process));

	if (!process || !pk_table_set(&session->processes, pid, process)) {
		free(process);
		pk_space_release(space);
		return NULL;
	}
	*process = (struct pk_process){.pid = pid, .space = space};
	return process;
}

struct pk_process *pk_session_process(struct pk_session *session, uint32_t pid)
{
	struct pk_process *process = pk_table_get(&session->processes, pid);
	struct pk_space *space;

	if (process)
		return process;
	space = pk_space_new(&session->serials);
	return space ? add_process(session, pid, space) : NULL;
}

/* A thread's end; its process goes with the last one. */
static void remove_thread(struct pk_session *session, uint32_t tid)
{
	struct pk_thread *thread = pk_table_get(&session->threads, tid);

	if (!thread)
		return;
	if (session->last_thread == thread)
		session->last_thread = NULL;
	pk_table_remove(&session->threads, tid);
	leave_process(session, thread->process);
	free(thread);
}

/* The task stays as it was until its tid is another's, or enough others have gone. */
static void exit_thread(struct pk_session *session, uint32_t tid)
{
	struct pk_thread *thread = pk_table_get(&session->threads, tid), *oldest;
	uint32_t *slot;

	if (!thread || thread->exit)
		return;
	thread->exit = ++session->exits;
	slot = &session->exited[thread->exit % PK_EXITED_MAX];
	oldest = pk_table_get(&session->threads, *slot);
	if (oldest && oldest->exit && oldest->exit + PK_EXITED_MAX == thread->exit)
		remove_thread(session, *slot);
	*slot = tid;
}

static struct pk_thread *add_thread(struct pk_session *session, struct pk_process *process,
				    uint32_t tid, uint32_t comm)
{
	struct pk_thread *thread = malloc(sizeof(*thread));

	if (!thread || !pk_table_set(&session->threads, tid, thread)) {
		free(thread);
		return NULL;
	}
	*thread = (struct pk_thread){.tid = tid, .comm = comm, .process = process};
	process->threads++;
	return thread;
}

static uint32_t made_up_comm(struct pk_session *session, uint32_t tid)
{
	char text[24];
	int size = tid ? snprintf(text, sizeof(text), ":%d", (int32_t)tid)
		       : snprintf(text, sizeof(text), "swapper");

	return pk_names_add(&session->comms, text, (size_t)size);
}

static struct pk_thread *find_thread(struct pk_session *session, uint32_t pid, uint32_t tid)
{
	struct pk_thread *thread = pk_table_get(&session->threads, tid);
	struct pk_process *process;
	uint32_t comm;

	if (thread && thread->process->pid == pid)
		return thread;
	remove_thread(session, tid);
	comm = made_up_comm(session, tid);
	process = comm == UINT32_MAX ? NULL : pk_session_process(session, pid);
	return process ? add_thread(session, process, tid, comm) : NULL;
}

struct pk_thread *pk_session_thread(struct pk_session *session, uint32_t pid, uint32_t tid)
{
	struct pk_thread *thread = session->last_thread;

	if (pk_likely(thread && thread->tid == tid && thread->process->pid == pid))
		return thread;
	thread = find_thread(session, pid, tid);
	session->last_thread = thread;
	return thread;
}

/* ---- Records about tasks ---- */

static enum pk_status take_comm(struct pk_session *session, const struct pk_record *record)
{
	const struct perf_record_comm *from = (const void *)record->data;
	const char *text = pk_record_text(record, sizeof(*from));
	struct pk_thread *thread;
	uint32_t comm;

	if (!text)
		return PK_CORRUPT;
	thread = pk_session_thread(session, from->pid, from->tid);
	comm = pk_names_add(&session->comms, text, strlen(text));
	if (!thread || comm == UINT32_MAX)
		return PK_NOMEM;
	thread->comm = comm;
	thread->exit = 0; /* a FORK was lost */
	if (record->misc & PERF_RECORD_MISC_COMM_EXEC) {
		pk_space_release(thread->process->code);
		thread->process->code = NULL;
	}
	return PK_OK;
}

/*
 * A new process shares its parent's maps until one of them changes. One that seems to be there
 * already is another's whose EXIT was lost, and is left to its threads. A synthesized record says
 * nothing of where maps come from, since it has them all listed behind it.
 */
static struct pk_process *fork_process(struct pk_session *session, const struct pk_record *record,
				       const struct pk_thread *parent)
{
	const struct perf_record_task *task = (const void *)record->data;
	const uint32_t pid = task->pid, tid = task->tid;
	struct pk_process *stale = pk_table_get(&session->processes, pid), *process;

	if (pid == parent->process->pid)
		return parent->process;
	if (record->misc & PERF_RECORD_MISC_FORK_EXEC || (stale && tid != pid))
		return pk_session_process(session, pid);
	if (stale && !stale->threads) {
		pk_table_remove(&session->processes, pid);
		free_process(stale);
	}
	process = add_process(session, pid, pk_space_share(parent->process->space));
	if (process && parent->process->code)
		process->code = pk_space_share(parent->process->code);
	return process;
}

static enum pk_status take_fork(struct pk_session *session, const struct pk_record *record)
{
	const struct perf_record_task *task = (const void *)record->data;
	struct pk_thread *parent;
	struct pk_process *process;
	uint32_t comm;

	if (task->pid == task->ppid && task->tid == task->ptid)
		return PK_OK;
	parent = pk_session_thread(session, task->ppid, task->ptid);
	if (!parent)
		return PK_NOMEM;
	if (task->tid != task->ptid)
		remove_thread(session, task->tid);
	comm = parent->comm;
	process = fork_process(session, record, parent);
	if (!process)
		return PK_NOMEM;
	remove_thread(session, task->tid); /* the parent itself, if the record is nonsense */
	return add_thread(session, process, task->tid, comm) ? PK_OK : PK_NOMEM;
}

static enum pk_status take_feature(struct pk_session *session, const struct pk_record *record)
{
	struct pk_machine_names *names = &session->machine;

	switch (pk_feature_id(record)) {
	case PERF_FEATURE_HOSTNAME:
		pk_feature_get_string(record, names->host, sizeof(names->host));
		break;
	case PERF_FEATURE_OSRELEASE:
		pk_feature_get_string(record, names->release, sizeof(names->release));
		break;
	case PERF_FEATURE_ARCH:
		pk_feature_get_string(record, names->machine, sizeof(names->machine));
		break;
	default: break;
	}
	return PK_OK;
}

static enum pk_status take_cgroup(struct pk_session *session, const struct pk_record *record)
{
	const struct perf_record_cgroup *cgroup = (const void *)record->data;
	const char *path = pk_record_text(record, sizeof(*cgroup));
	uint32_t number;

	if (!path)
		return PK_CORRUPT;
	number = pk_names_add(&session->cgroup_paths, path, strlen(path));
	if (number == UINT32_MAX ||
	    !pk_table_set(&session->cgroups, cgroup->id, session->cgroup_paths.texts[number]))
		return PK_NOMEM;
	return PK_OK;
}

enum pk_status pk_session_record(struct pk_session *session, const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: return pk_session_mmap(session, record);
	case PERF_RECORD_COMM: return take_comm(session, record);
	case PERF_RECORD_FORK: return take_fork(session, record);
	case PERF_RECORD_EXIT:
		exit_thread(session, ((const struct perf_record_task *)record->data)->tid);
		return PK_OK;
	case PERF_RECORD_CGROUP: return take_cgroup(session, record);
	case PERF_RECORD_KSYMBOL: return pk_session_ksymbol(session, record);
	case PERF_RECORD_HEADER_BUILD_ID: return pk_session_build_id(session, record);
	case PERF_RECORD_HEADER_FEATURE: return take_feature(session, record);
	case PERF_RECORD_EVENT_UPDATE: return pk_stream_symbols_record(&session->symbols, record);
	default: return PK_OK;
	}
}
