// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "event.h"
#include "number.h"
#include "procfs.h"
#include "vector.h"

static bool choose_cpus(void *arg, uint64_t first, uint64_t last)
{
	const struct targets *targets = arg;
	size_t found = 0;

	for (size_t i = 0; i < targets->cpus_count; i++) {
		if ((uint64_t)targets->cpus[i] < first || (uint64_t)targets->cpus[i] > last)
			continue;
		targets->chosen[i] = true;
		found++;
	}
	return found == last - first + 1;
}

static enum pk_status online_cpus(struct targets *targets, struct pk_failures *lookups)
{
	char text[4096];

	if (pk_procfs_read_line("/sys/devices/system/cpu/online", text, sizeof(text), lookups) &&
	    pk_cpu_list_parse(text, &targets->cpus, &targets->cpus_count) == PK_OK)
		return PK_OK;
	targets->cpus_count = 0;
	snprintf(text, sizeof(text), "0-%ld", sysconf(_SC_NPROCESSORS_CONF) - 1);
	return pk_cpu_list_parse(text, &targets->cpus, &targets->cpus_count);
}

static enum pk_status init_cpus(struct targets *targets, const struct target_spec *spec,
				struct pk_messages *messages)
{
	/* With per_task, events are opened for each task on any CPU (-1). Otherwise they are opened
	 * for each CPU, because the kernel refuses a ring buffer for an inherited event on any CPU.
	 */
	if (!targets->system_wide && spec->per_task) {
		targets->cpus = malloc(sizeof(*targets->cpus));
		if (targets->cpus)
			targets->cpus[targets->cpus_count++] = -1;
	} else if (online_cpus(targets, &messages->failures) != PK_OK) {
		return pk_messages_error(messages,
					 "/sys/devices/system/cpu/online: cannot list the CPUs");
	}
	targets->chosen = calloc(targets->cpus_count, sizeof(*targets->chosen));
	if (!targets->cpus || !targets->chosen)
		return pk_messages_no_memory(messages);
	if (!targets->some_cpus) {
		memset(targets->chosen, true, targets->cpus_count);
		return PK_OK;
	}
	if (pk_cpu_ranges(spec->cpus, choose_cpus, targets))
		return PK_OK;
	return pk_messages_error(messages, "-C %s: not a list of CPUs that are online", spec->cpus);
}

/* Adds a number to an array if the array does not contain it. */
static enum pk_status add_id(pid_t **ids, size_t *count, size_t *capacity, pid_t id)
{
	for (size_t i = 0; i < *count; i++)
		if ((*ids)[i] == id)
			return PK_OK;
	PK_TRY(pk_reserve(ids, capacity, *count, 1, sizeof(**ids)));
	(*ids)[(*count)++] = id;
	return PK_OK;
}

static enum pk_status add_pid(struct targets *targets, pid_t pid, struct pk_messages *messages)
{
	return add_id(&targets->pids, &targets->pids_count, &targets->pids_capacity, pid) == PK_OK
		       ? PK_OK
		       : pk_messages_no_memory(messages);
}

static enum pk_status add_tid(struct targets *targets, pid_t tid, struct pk_messages *messages)
{
	return add_id(&targets->tids, &targets->tids_count, &targets->tids_capacity, tid) == PK_OK
		       ? PK_OK
		       : pk_messages_no_memory(messages);
}

static enum pk_status add_thread(struct targets *targets, pid_t tid, struct pk_messages *messages)
{
	const pid_t pid = pk_procfs_process_of(tid, &messages->failures);

	if (pid < 0)
		return pk_messages_error(messages, "-t %d: no such thread", tid);
	PK_TRY(add_pid(targets, pid, messages));
	return add_tid(targets, tid, messages);
}

static bool has_process(const struct targets *targets, pid_t pid)
{
	for (size_t i = 0; i < targets->pids_count; i++)
		if (targets->pids[i] == pid)
			return true;
	return false;
}

static enum pk_status add_process(struct targets *targets, pid_t pid, bool must_exist,
				  struct pk_messages *messages)
{
	char path[64];
	pid_t *tids = NULL;
	ssize_t count;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	count = pk_procfs_list_ids(path, &tids, &messages->failures);
	if (count <= 0) {
		free(tids);
		if (must_exist)
			pk_messages_error(messages, "-p %d: no such process", pid);
		return must_exist ? PK_FAILED : PK_OK;
	}
	if (pk_reserve(&targets->tids, &targets->tids_capacity, targets->tids_count, (size_t)count,
		       sizeof(*tids)) != PK_OK) {
		free(tids);
		return pk_messages_no_memory(messages);
	}
	memcpy(targets->tids + targets->tids_count, tids, (size_t)count * sizeof(*tids));
	targets->tids_count += (size_t)count;
	free(tids);
	return add_pid(targets, pid, messages);
}

static enum pk_status add_named_process(struct targets *targets, pid_t pid,
					struct pk_messages *messages)
{
	return add_process(targets, pid, true, messages);
}

/* Calls add for each number of a comma-separated list. If a number is repeated, calls add only once
 * for it. Returns PK_FAILED after a message. */
static enum pk_status each_id(struct targets *targets, const char *option, const char *text,
			      enum pk_status (*add)(struct targets *targets, pid_t id,
						    struct pk_messages *messages),
			      struct pk_messages *messages)
{
	char *copy = pk_need(&messages->failures, strdup(text)), *cursor = copy, *item;
	pid_t *seen = NULL;
	size_t seen_count = 0, seen_capacity = 0, before;
	uint64_t id;
	enum pk_status status = copy ? PK_OK : PK_NOMEM;

	while (status == PK_OK && (item = strsep(&cursor, ","))) {
		if (!pk_parse_u64(item, &id) || !id || id > INT32_MAX) {
			pk_messages_error(messages, "%s %s: '%s' is not an id", option, text, item);
			status = PK_FAILED;
			break;
		}
		before = seen_count;
		status = add_id(&seen, &seen_count, &seen_capacity, (pid_t)id) == PK_OK
				 ? PK_OK
				 : pk_messages_no_memory(messages);
		if (status == PK_OK && seen_count > before)
			status = add(targets, (pid_t)id, messages);
	}
	free(copy);
	free(seen);
	return status;
}

/* Finds the uid of a user. The text is the name or the number of the user. Returns false if the
 * user is unknown. */
static bool user_number(const char *text, uint64_t *uid)
{
	const struct passwd *entry;

	if (pk_parse_u64(text, uid))
		return *uid < UINT32_MAX;
	entry = getpwnam(text);
	if (!entry)
		return false;
	*uid = entry->pw_uid;
	return true;
}

/* Adds all processes of a user except this program. If uid is NULL, adds those of all users. Skips
 * processes that have ended in the meantime. */
static enum pk_status add_processes_of(struct targets *targets, const uid_t *uid,
				       struct pk_messages *messages)
{
	pid_t *pids = NULL;
	const ssize_t count = pk_procfs_list_ids("/proc", &pids, &messages->failures);
	char path[64];
	struct stat st;
	enum pk_status status = count >= 0 ? PK_OK : PK_FAILED;

	for (ssize_t i = 0; status == PK_OK && i < count; i++) {
		snprintf(path, sizeof(path), "/proc/%d", pids[i]);
		if (pids[i] == getpid() || stat(path, &st) || (uid && st.st_uid != *uid) ||
		    has_process(targets, pids[i]))
			continue;
		status = add_process(targets, pids[i], false, messages);
	}
	free(pids);
	return status;
}

static enum pk_status each_user(struct targets *targets, const char *text,
				struct pk_messages *messages)
{
	char *copy = pk_need(&messages->failures, strdup(text)), *cursor = copy, *item;
	uint64_t uid;
	uid_t number;
	enum pk_status status = copy ? PK_OK : PK_NOMEM;

	while (status == PK_OK && (item = strsep(&cursor, ","))) {
		status = user_number(item, &uid) ? PK_OK : PK_FAILED;
		if (status != PK_OK)
			pk_messages_error(messages, "-u %s: '%s' is not a user", text, item);
		number = (uid_t)uid;
		status = status ?: add_processes_of(targets, &number, messages);
	}
	free(copy);
	if (status == PK_OK && !targets->tids_count)
		pk_messages_error(messages, "-u %s: no processes", text);
	PK_TRY(status);
	return targets->tids_count ? PK_OK : PK_FAILED;
}

static enum pk_status init_tasks(struct targets *targets, const struct target_spec *spec,
				 pid_t child, struct pk_messages *messages)
{
	if (spec->pids)
		return each_id(targets, "-p", spec->pids, add_named_process, messages);
	if (spec->tids)
		return each_id(targets, "-t", spec->tids, add_thread, messages);
	if (spec->uids)
		return each_user(targets, spec->uids, messages);
	if (spec->every_thread)
		return add_processes_of(targets, NULL, messages);
	return add_tid(targets, targets->system_wide ? -1 : child, messages);
}

enum pk_status pk_targets_init(struct targets *targets, const struct target_spec *spec, pid_t child,
			       struct pk_messages *messages)
{
	memset(targets, 0, sizeof(*targets));
	targets->some_cpus = spec->cpus != NULL;
	targets->system_wide = spec->system_wide || targets->some_cpus;
	targets->command = child;
	PK_TRY(init_tasks(targets, spec, child, messages));
	return init_cpus(targets, spec, messages);
}

void pk_targets_free(struct targets *targets)
{
	free(targets->cpus);
	free(targets->chosen);
	free(targets->tids);
	free(targets->pids);
}

bool pk_targets_equal(const struct targets *a, const struct targets *b)
{
	return a->tids_count == b->tids_count &&
	       !memcmp(a->tids, b->tids, a->tids_count * sizeof(*a->tids));
}
