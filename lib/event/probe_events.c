// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "number.h"
#include "pkstream.h"
#include "probe_events.h"
#include "procfs.h"
#include "tracefs.h"

#define PREFIX		 "pk_"
#define KERNEL_NAME_MOST 63 /* the longest name of a group or event, in bytes */

/* Returns the size of "NUMBER_" at the start of the text, or 0 if the text starts differently. */
static size_t number_size(const char *text)
{
	const size_t digits = strspn(text, "0123456789");

	return digits && text[digits] == '_' ? digits + 1 : 0;
}

const char *pk_probe_events_system(const char *system)
{
	const char *at = system + strlen(PREFIX);
	size_t pid, index;

	if (strncmp(system, PREFIX, strlen(PREFIX)) != 0)
		return system;
	pid = number_size(at);
	index = pid ? number_size(at + pid) : 0;
	return index ? at + pid + index : system;
}

bool pk_probe_events_wanted(const struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].probe.defined)
			return true;
	return false;
}

static bool can_define(struct event_list *events)
{
	const char *root = pk_tracefs_path(&events->messages);
	char path[64];

	if (!root)
		return false;
	snprintf(path, sizeof(path), "%s/uprobe_events", root);
	return access(path, W_OK) == 0;
}

/* Selects the probes that are defined in tracefs so that new tasks inherit them. Probes that cannot
 * be defined are not inherited. */
static void inherit(struct event_list *events)
{
	size_t alone = 0;
	int possible = -1; /* -1 if it is not known yet */

	for (size_t i = 0; i < events->count; i++) {
		struct event *event = &events->items[i];

		if (!event->probe.target || event->probe.defined ||
		    event->terms.inherit == EVENT_OFF)
			continue;
		if (possible < 0)
			possible = can_define(events);
		if (possible && event->probe.definition) {
			event->probe.defined = true;
		} else {
			event->terms.inherit = EVENT_OFF;
			alone++;
		}
	}
	if (alone)
		pk_messages_warn(
			&events->messages,
			"%zu %s new threads and child processes: that needs a definition in "
			"tracefs",
			alone, alone == 1 ? "probe does not include" : "probes do not include");
}

/* ---- Removing ---- */

static bool write_line(const char *file, const char *line)
{
	const int fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
	const ssize_t size = (ssize_t)strlen(line);
	bool ok;
	int error;

	if (fd < 0)
		return false;
	ok = write(fd, line, (size_t)size) == size;
	error = errno;
	close(fd);
	errno = error;
	return ok;
}

/* Returns the process of a definition such as "p:pk_12_probe_x/name ...", or 0 if pk did not write
 * the definition. */
static pid_t owner_of(const char *line)
{
	const char *at = strchr(line, ':');
	char *end;
	long pid;

	if (!at || strncmp(++at, PREFIX, strlen(PREFIX)) != 0)
		return 0;
	at += strlen(PREFIX);
	if (!isdigit((unsigned char)*at))
		return 0;
	pid = strtol(at, &end, 10);
	return *end == '_' && pid <= INT32_MAX ? (pid_t)pid : 0;
}

static bool has_ended(pid_t pid)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return access(path, F_OK) < 0 && errno == ENOENT;
}

/* Removes the definitions from one file. Returns the number of definitions that the kernel does not
 * remove because they are in use. */
static size_t remove_from(const char *file, pid_t pid, struct pk_failures *failures)
{
	char *line = NULL;
	size_t room = 0, in_use = 0;
	FILE *definitions = fopen(file, "re");

	if (!definitions) {
		pk_failed_errno(failures, file);
		return 0;
	}
	while (getline(&line, &room, definitions) > 0) {
		const pid_t owner = owner_of(line);
		char removal[2 * KERNEL_NAME_MOST + 8];

		if (!owner || (pid ? owner != pid : !has_ended(owner)))
			continue;
		line[strcspn(line, " \n")] = 0;
		snprintf(removal, sizeof(removal), "-%s", strchr(line, ':'));
		in_use += !write_line(file, removal) && errno != ENOENT;
	}
	free(line);
	fclose(definitions);
	return in_use;
}

size_t pk_probe_events_remove(pid_t pid, struct pk_failures *failures)
{
	struct pk_messages dropped = {.quiet = true};
	const char *root = pk_tracefs_path(&dropped);
	char uprobes[64], kprobes[64];

	pk_messages_clear(&dropped);
	if (!root)
		return 0;
	snprintf(uprobes, sizeof(uprobes), "%s/uprobe_events", root);
	snprintf(kprobes, sizeof(kprobes), "%s/kprobe_events", root);
	return remove_from(uprobes, pid, failures) + remove_from(kprobes, pid, failures);
}

/* ---- Defining ---- */

/* Copies the name of a group or an event. All characters except letters and digits become
 * underscores. */
static void copy_name(char *to, size_t room, const char *from, size_t size)
{
	size_t i;

	for (i = 0; i < size && i + 1 < room; i++)
		to[i] = isalnum((unsigned char)from[i]) ? from[i] : '_';
	to[i] = 0;
}

/* Makes the names of the event in tracefs: the group "pk_PID_INDEX_probe_x" and the name. Events
 * for several places of a function have the same name. So each event has its own group. */
static void make_names(const struct event *event, size_t index, char *group, char *name)
{
	const char *colon = strchr(event->name, ':');
	const char *system =
		colon ? event->name : "probe"; /* If the user has given a name without a system
						* (term name), the system is "probe". */
	const size_t size = strcspn(system, ":");
	const int start = snprintf(group, KERNEL_NAME_MOST + 1, PREFIX "%d_%zu_", getpid(), index);
	const char *own = colon ? colon + 1 : event->name;

	copy_name(group + start, KERNEL_NAME_MOST + 1 - (size_t)start, system, size);
	copy_name(name, KERNEL_NAME_MOST + 1, own, strcspn(own, "/:"));
}

/* Reads the last error that the kernel has logged, such as "Argument is not used". */
static void last_error(const char *root, char *reason, size_t room)
{
	char path[64], *line = NULL;
	size_t size = 0;
	FILE *log;

	*reason = 0;
	snprintf(path, sizeof(path), "%s/error_log", root);
	log = fopen(path, "re");
	while (log && getline(&line, &size, log) > 0) {
		const char *at = strstr(line, "error: ");

		if (at)
			snprintf(reason, room, "%.*s", (int)strcspn(at + 7, "\n"), at + 7);
	}
	free(line);
	if (log)
		fclose(log);
}

static enum pk_status explain(const char *root, const struct event *event,
			      struct pk_messages *messages)
{
	const int error = errno;
	char reason[200] = "";

	if (error == EACCES || error == EPERM)
		return pk_messages_error(messages,
					 "%s: %s: these arguments need tracefs, which needs root",
					 event->name, strerror(error));
	if (error == EINVAL || error == ENOENT)
		last_error(root, reason, sizeof(reason));
	return pk_messages_error(messages, "%s: the kernel refuses '%s': %s%s%s", event->name,
				 event->probe.definition, strerror(error), *reason ? ": " : "",
				 reason);
}

/* Changes the event to the tracepoint that was defined. */
static enum pk_status become_tracepoint(struct event *event, const char *root, const char *group,
					const char *name, struct pk_messages *messages)
{
	char path[256], text[32];
	uint64_t id;

	snprintf(path, sizeof(path), "%s/events/%s/%s/id", root, group, name);
	if (!pk_procfs_read_line(path, text, sizeof(text), &messages->failures) ||
	    !pk_parse_u64(text, &id))
		return pk_messages_error(messages, "%s: %s", path, strerror(errno));
	if (asprintf(&event->tracepoint, "%s/%s", group, name) < 0) {
		event->tracepoint = NULL;
		return pk_messages_no_memory(messages);
	}
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = id;
	event->attr.config1 = event->attr.config2 = 0;
	free(event->probe.target);
	free(event->probe.arguments);
	event->probe.target = NULL;
	event->probe.arguments = NULL;
	event->probe.stack = 0;
	return PK_OK;
}

static enum pk_status define_one(struct event_list *events, size_t index, const char *root)
{
	struct event *event = &events->items[index];
	const bool user = event->pmu && !strcmp(event->pmu, "uprobe");
	char file[64], group[KERNEL_NAME_MOST + 1], name[KERNEL_NAME_MOST + 1], *line;
	enum pk_status status;

	make_names(event, index, group, name);
	snprintf(file, sizeof(file), "%s/%s", root, user ? "uprobe_events" : "kprobe_events");
	if (asprintf(&line, "%c:%s/%s %s", event->probe.at_return ? 'r' : 'p', group, name,
		     event->probe.definition) < 0)
		return pk_messages_no_memory(&events->messages);
	status = write_line(file, line) ? PK_OK : explain(root, event, &events->messages);
	free(line);
	PK_TRY(status);
	return become_tracepoint(event, root, group, name, &events->messages);
}

/* Returns the number of arguments that are missing in the definition. Only definitions of markers
 * (USDT probes) can lack arguments. */
static size_t count_left_out(const struct event *event)
{
	const size_t count = event->probe.arguments ? event->probe.arguments->count : 0;
	char start[PK_ARGUMENT_NAME_MAX + 3];
	size_t left_out = 0;

	for (size_t i = 0; i < count; i++) {
		snprintf(start, sizeof(start), " %s=", event->probe.arguments->items[i].name);
		left_out += !strstr(event->probe.definition, start);
	}
	return left_out;
}

enum pk_status pk_probe_events_define(struct event_list *events, bool inherited)
{
	const char *root;
	size_t left_out = 0;

	if (inherited)
		inherit(events);
	if (!pk_probe_events_wanted(events))
		return PK_OK;
	root = pk_tracefs_path(&events->messages);
	if (!root)
		return pk_messages_error(&events->messages, "--probe: %s", pk_tracefs_obstacle());
	pk_probe_events_remove(0, &events->messages.failures);
	for (size_t i = 0; i < events->count; i++) {
		if (!events->items[i].probe.defined)
			continue;
		left_out += count_left_out(&events->items[i]);
		PK_TRY(define_one(events, i, root));
	}
	if (left_out)
		pk_messages_warn(&events->messages,
				 "%zu arguments of markers are not recorded: the kernel cannot "
				 "read them: --dry-run shows those it can",
				 left_out);
	return PK_OK;
}
