// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_parser.h"
#include "number.h"
#include "perf_syscall.h"
#include "pmu.h"
#include "symbols.h"
#include "usdt.h"

#define RETURN		UINT64_C(1) /* bit of attr.config: a return probe */
#define SEMAPHORE_SHIFT 32 /* attr.config: the bits of the semaphore's offset in the file */
#define REFERENCES_MOST UINT32_MAX

struct probe {
	struct event_list *list;
	const char *object;    /* NULL: the kernel */
	char *name;	       /* of a function or of a USDT probe; can be a pattern */
	char *provider;	       /* of a USDT probe */
	const char *arguments; /* in the syntax of perf-probe(1); NULL: none */
	struct pk_arguments *parsed;
	uint32_t arguments_stack;
	uint64_t offset;
	bool is_return, failed;
	size_t found, markers; /* numbers of events added, and of all USDT probes of the object */
};

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The name of the event as in perf: "probe_OBJECT:FUNCTION". OBJECT is the file's name up to the
 * first character that is not a letter, digit or underscore. */
static char *make_name(const struct probe *probe, const char *function)
{
	const char *object = probe->object ? last_part(probe->object) : "";
	const int length =
		(int)strspn(object, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_");
	char *name = NULL;
	int size;

	if (probe->provider)
		size = asprintf(&name, "sdt_%s:%s", probe->provider, function);
	else
		size = asprintf(&name, "probe%s%.*s:%s%s", length ? "_" : "", length, object,
				function, probe->is_return ? "__return" : "");
	return size < 0 ? NULL : name;
}

static bool copy_arguments(struct event *event, const struct probe *probe)
{
	const struct pk_arguments *arguments = probe->parsed;
	const size_t size = sizeof(*arguments) + arguments->count * sizeof(arguments->items[0]);

	event->arguments = malloc(size);
	if (!event->arguments)
		return pk_messages_no_memory(&probe->list->messages);
	memcpy(event->arguments, arguments, size);
	event->arguments_stack = probe->arguments_stack;
	return true;
}

/* Adds one event. path: the text for attr.config1, a pointer, which the kernel reads from this
 * process's memory: the object's path, or the name of a kernel function. */
static bool add_event(struct probe *probe, const char *function, const char *path, uint64_t offset,
		      uint64_t config)
{
	const char *pmu = probe->object ? "uprobe" : "kprobe";
	const char *sysfs = pmu_sysfs(probe->list->sysfs);
	char *name = make_name(probe, function);
	struct event *event = name ? events_add(probe->list, name) : NULL;
	uint32_t type;

	free(name);
	if (!event)
		return false;
	event->pmu = strdup(pmu);
	event->probe = path ? strdup(path) : NULL;
	if (!event->pmu || (path && !event->probe))
		return pk_messages_no_memory(&probe->list->messages);
	if (!pmu_type(sysfs, pmu, &type, &probe->list->messages.failures))
		return pk_messages_error(
			&probe->list->messages,
			"--probe: this kernel has no %ss (CONFIG_%s_EVENTS): see --list", pmu,
			probe->object ? "UPROBE" : "KPROBE");
	event->attr.type = type;
	event->attr.config = config | (probe->is_return ? RETURN : 0);
	event->attr.config1 = (uint64_t)(uintptr_t)event->probe;
	event->attr.config2 = offset;
	event->attr.sample_period = 1;
	probe->found++;
	return !probe->arguments || copy_arguments(event, probe);
}

static bool add_arguments(const struct probe *probe, const struct pk_usdt *usdt)
{
	struct event *event = &probe->list->items[probe->list->count - 1];

	if (!*usdt->arguments)
		return true;
	event->arguments = pk_usdt_arguments(usdt, &event->arguments_stack);
	return event->arguments || pk_messages_no_memory(&probe->list->messages);
}

static void add_usdt_event(void *arg, const struct pk_usdt *usdt)
{
	struct probe *probe = arg;

	probe->markers++;
	if (probe->failed || fnmatch(probe->provider, usdt->provider, 0) ||
	    fnmatch(probe->name, usdt->name, 0))
		return;
	if (usdt->semaphore > REFERENCES_MOST) {
		pk_messages_warn(&probe->list->messages,
				 "%s:%s: its semaphore is beyond 4 GiB in the file: not recorded",
				 usdt->provider, usdt->name);
		return;
	}
	probe->failed = !add_event(probe, usdt->name, probe->object, usdt->offset,
				   usdt->semaphore << SEMAPHORE_SHIFT) ||
			!add_arguments(probe, usdt);
}

/* Reports that no USDT probe matches. perf-probe(1) also accepts FUNCTION:LINE, which looks the
 * same. */
static void explain_no_marker(const struct probe *probe)
{
	struct pk_messages *messages = &probe->list->messages;
	const bool is_line = probe->name[strspn(probe->name, "0123456789-")] == '\0';

	if (is_line)
		pk_messages_error(messages,
				  "-x %s: lines of functions (%s:%s) cannot be probed: use "
				  "FUNCTION or FUNCTION+OFFSET",
				  probe->object, probe->provider, probe->name);
	else if (probe->markers)
		pk_messages_error(messages,
				  "-x %s: no USDT probe is called %s:%s: -x %s --list shows those "
				  "that there are",
				  probe->object, probe->provider, probe->name, probe->object);
	else
		pk_messages_error(messages,
				  "-x %s: no USDT probe is called %s:%s: the file has none at all "
				  "(section .note.stapsdt): for a function, --probe FUNCTION",
				  probe->object, probe->provider, probe->name);
}

static bool add_usdt(struct probe *probe)
{
	if (!pk_usdt_each(probe->object, add_usdt_event, probe))
		return pk_messages_error(&probe->list->messages,
					 "%s: cannot be read, or is not an ELF file",
					 probe->object);
	if (!probe->found && !probe->failed)
		explain_no_marker(probe);
	return !probe->failed && probe->found;
}

/* all_names: also considers names of functions that have another, preferred name. */
static bool add_functions(struct probe *probe, bool all_names)
{
	struct pk_symbols *symbols = pk_symbols_new(
		&(struct pk_symbols_options){.no_demangle = true, .all_names = all_names});
	struct pk_object *object =
		symbols ? pk_symbols_file(symbols, probe->object, NULL, 0) : NULL;
	uint64_t last = UINT64_MAX;
	struct pk_symbol symbol;
	bool ok;

	for (size_t i = 0; object && !probe->failed && pk_object_symbol(object, i, &symbol); i++) {
		if (symbol.start == last || symbol.flags & PK_SYMBOL_PLT ||
		    fnmatch(probe->name, symbol.name, 0))
			continue;
		last = symbol.start;
		probe->failed = !add_event(probe, symbol.name, probe->object,
					   symbol.start + probe->offset, 0);
	}
	if (!object)
		pk_messages_no_memory(&probe->list->messages);
	else if (pk_object_state(object) != PK_OBJECT_READY)
		pk_messages_error(&probe->list->messages, "-x %s: %s", probe->object,
				  pk_object_reason(object));
	else if (!probe->found && !probe->failed && all_names)
		pk_messages_error(&probe->list->messages, "-x %s: no function is called %s",
				  probe->object, probe->name);
	ok = object && pk_object_state(object) == PK_OBJECT_READY && !probe->failed;
	pk_symbols_free(symbols);
	return ok && (probe->found || (!all_names && add_functions(probe, true)));
}

static bool parse_arguments(struct probe *probe)
{
	if (!probe->arguments)
		return true;
	probe->parsed =
		pk_probe_arguments_of(probe->object, probe->arguments, &probe->arguments_stack);
	if (!probe->parsed)
		pk_messages_error(
			&probe->list->messages,
			"--probe '%s %s': must be [NAME=]%%REGISTER, $retval, $argN or "
			"OFFSET(%%REGISTER), each optionally with :u8 to :u64 or :s8 to :s64",
			probe->name, probe->arguments);
	return probe->parsed;
}

static bool add_probe(struct probe *probe)
{
	if (!parse_arguments(probe))
		return false;
	if (!probe->object)
		return add_event(probe, probe->name, probe->name, probe->offset, 0);
	if (probe->provider)
		return add_usdt(probe);
	if (!*probe->name)
		return add_event(probe, "offset", probe->object, probe->offset, 0);
	return add_functions(probe, false);
}

static bool malformed(struct pk_messages *messages, const char *text)
{
	return pk_messages_error(messages,
				 "--probe '%s': must be FUNCTION[+OFFSET][%%return], 0xOFFSET "
				 "or PROVIDER:NAME, optionally with arguments NAME=%%REGISTER ...",
				 text);
}

/* Splits a copy of the text, which it changes, into the members of probe. False: malformed. */
static bool cut_up(struct probe *probe, char *copy)
{
	char *mark = strchr(copy, ' ');

	if (mark) {
		*mark++ = 0;
		mark += strspn(mark, " ");
		probe->arguments = *mark ? mark : NULL;
	}
	if (probe->arguments && !probe->object)
		return false; /* arguments are read from user registers, which a kernel function
			       * does not use */
	mark = strchr(copy, '%');
	if (mark) {
		*mark = 0;
		probe->is_return = true;
		if (strcmp(mark + 1, "return") != 0)
			return false;
	}
	probe->name = copy;
	mark = strchr(copy, ':');
	if (mark) {
		*mark++ = 0;
		probe->provider = strncmp(copy, "sdt_", 4) ? copy : copy + 4;
		probe->name = mark;
		return *mark && *probe->provider && probe->object && !probe->is_return &&
		       !probe->arguments;
	}
	if (!strncmp(copy, "0x", 2) && probe->object) {
		probe->name = copy + strlen(copy);
		return pk_parse_u64(copy, &probe->offset);
	}
	mark = strchr(copy, '+');
	if (mark)
		*mark++ = 0;
	return *copy && (!mark || pk_parse_u64(mark, &probe->offset));
}

bool events_add_probe(struct event_list *list, const char *object, const char *text)
{
	struct probe probe = {.list = list};
	char *path = object ? realpath(object, NULL) : NULL, *copy = strdup(text);
	bool ok = false;

	probe.object = path;
	if (!copy)
		pk_messages_no_memory(&list->messages);
	else if (object && !path)
		pk_messages_error(&list->messages, "-x %s: %s", object, strerror(errno));
	else if (!cut_up(&probe, copy))
		malformed(&list->messages, text);
	else
		ok = add_probe(&probe);
	free(probe.parsed);
	free(copy);
	free(path);
	return ok;
}

/* The kernel refuses a probe without an address; the errno shows whether the user has permission.
 */
const char *probe_obstacle(const char *pmu, struct pk_failures *lookups)
{
	struct perf_attr attr = {0};
	int fd;

	if (!pmu_type(pmu_sysfs(NULL), pmu, &attr.type, lookups))
		return *pmu == 'u' ? "this kernel has none (CONFIG_UPROBE_EVENTS)"
				   : "this kernel has none (CONFIG_KPROBE_EVENTS)";
	fd = perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd < 0 && (errno == EACCES || errno == EPERM) ? "not for this user" : NULL;
}
