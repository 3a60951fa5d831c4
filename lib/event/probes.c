// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event_parser.h"
#include "number.h"
#include "perf_syscall.h"
#include "pmu.h"
#include "probe_fetch.h"
#include "usdt.h"
#include "vector.h"

#define RETURN		UINT64_C(1) /* the bit of attr.config that makes a return probe */
#define SEMAPHORE_SHIFT 32 /* in attr.config, the first bit of the file offset of the semaphore */
#define REFERENCES_MOST UINT32_MAX

/* The state while a probe is added. */
struct probe {
	struct event_list *list;
	const char *path; /* the path of the object; NULL for the kernel */
	bool in_kernel;	  /* true if the object is the kernel or a module */
	struct probe_text text;
	struct probe_object *object; /* NULL for USDT probes */
	bool failed;
	size_t found, markers; /* found: the number of added events; markers: the number of USDT
				* probes in the object */
};

/* ---- Events ---- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Makes the name of the event as perf does. For a file, the name is "probe_OBJECT:FUNCTION". OBJECT
 * is the name of the file up to the first character that is not a letter, digit or underscore. For
 * the kernel, the name is "probe:FUNCTION". A line appends _L and its number, and a return appends
 * __return. */
static char *make_name(const struct probe *probe, const char *function)
{
	const struct probe_text *text = &probe->text;
	const char *object = probe->in_kernel ? "" : last_part(probe->path);
	const int length =
		(int)strspn(object, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_");
	char line[16] = "", *name = NULL;
	int size;

	if (text->function && text->has_line && !text->event)
		snprintf(line, sizeof(line), "_L%u", (unsigned)text->line);
	if (text->provider)
		size = asprintf(&name, "sdt_%s:%s", text->provider, function);
	else
		size = asprintf(&name, "probe%s%.*s:%s%s%s", length ? "_" : "", length, object,
				text->event ? text->event : function, line,
				text->is_return && !text->event ? "__return" : "");
	return size < 0 ? NULL : name;
}

/* Adds one event. path is the path of the object, or the name of a kernel function. attr.config1 is
 * a pointer to a copy of this text. The kernel reads the text from the memory of this process. */
static struct event *add_event(struct probe *probe, const char *function, const char *path,
			       uint64_t offset, uint64_t config)
{
	const char *pmu = probe->in_kernel ? "kprobe" : "uprobe";
	const char *sysfs = pk_pmu_sysfs(probe->list->sysfs);
	char *name = make_name(probe, function);
	struct event *event = name ? pk_event_list_add(probe->list, name) : NULL;
	uint32_t type;

	free(name);
	if (!event)
		return NULL;
	event->pmu = strdup(pmu);
	event->probe.target = strdup(path);
	if (!event->pmu || !event->probe.target) {
		pk_messages_no_memory(&probe->list->messages);
		return NULL;
	}
	if (!pk_pmu_type(sysfs, pmu, &type, &probe->list->messages.failures)) {
		pk_messages_error(&probe->list->messages,
				  "--probe: this kernel has no %ss (CONFIG_%s_EVENTS): see --list",
				  pmu, probe->in_kernel ? "KPROBE" : "UPROBE");
		return NULL;
	}
	event->attr.type = type;
	event->attr.config = config | (probe->text.is_return ? RETURN : 0);
	event->attr.config1 = (uint64_t)(uintptr_t)event->probe.target;
	event->attr.config2 = offset;
	event->attr.sample_period = 1;
	event->probe.at_return = probe->text.is_return;
	probe->found++;
	return event;
}

/* ---- USDT probes ---- */

static void add_harmless(struct buffer *buffer, const char *text)
{
	buffer_harmless(buffer, text, strlen(text));
}

static char *describe_marker(const struct probe *probe, const struct pk_usdt *usdt)
{
	struct buffer text = {0};

	add_harmless(&text, probe->path);
	buffer_format(&text, ": offset 0x%" PRIx64 ", arguments in its note: ", usdt->offset);
	add_harmless(&text, *usdt->arguments ? usdt->arguments : "none");
	buffer_text(&text, "\n");
	return buffer_take(&text);
}

/* Writes the place for tracefs. Returns false if the path has a blank, because definitions cannot
 * contain blanks in paths. */
static bool define_offset(const struct probe *probe, uint64_t offset, struct buffer *text)
{
	if (strpbrk(probe->path, " \t\n"))
		return false;
	buffer_text(text, probe->path);
	buffer_format(text, ":0x%" PRIx64, offset);
	return true;
}

static enum pk_status define_marker(const struct probe *probe, struct event *event,
				    const struct pk_usdt *usdt)
{
	struct buffer text = {0};

	if (!define_offset(probe, usdt->offset, &text))
		return event->probe.defined
			       ? pk_messages_error(&probe->list->messages,
						   "-x %s: types of a marker's arguments need a "
						   "definition in "
						   "tracefs, which cannot have a path with blanks",
						   probe->path)
			       : PK_OK;
	if (usdt->semaphore)
		buffer_format(&text, "(0x%" PRIx64 ")", usdt->semaphore);
	if (event->probe.arguments)
		pk_probe_arguments_define(usdt->machine, event->probe.arguments, &probe->text,
					  &text);
	buffer_char(&text, 0);
	event->probe.definition = text.data;
	return text.failed ? pk_messages_no_memory(&probe->list->messages) : PK_OK;
}

/* Keeps only the arguments that the text of the probe names. Arguments without a type are read from
 * samples. If an argument has a type, the probe must be defined in tracefs. */
static enum pk_status choose_arguments(const struct probe *probe, struct event *event,
				       const struct pk_usdt *usdt)
{
	struct pk_messages *messages = &probe->list->messages;
	struct pk_arguments *all = event->probe.arguments;
	const char *wrong;

	event->probe.arguments = pk_probe_arguments_empty(usdt->machine, usdt->big_endian);
	if (!event->probe.arguments) {
		free(all);
		return pk_messages_no_memory(messages);
	}
	wrong = pk_probe_arguments_choose(all, &probe->text, event->probe.arguments);
	free(all);
	if (wrong)
		return pk_messages_error(messages,
					 "%s:%s: %s: the marker has no such argument, or the name "
					 "is used twice: --dry-run without arguments shows them",
					 usdt->provider, usdt->name, wrong);
	event->probe.stack = pk_probe_stack_size(usdt->machine, event->probe.arguments);
	for (size_t i = 0; i < probe->text.argument_count; i++)
		event->probe.defined |= probe->text.arguments[i].type != NULL;
	return PK_OK;
}

static enum pk_status add_arguments(const struct probe *probe, struct event *event,
				    const struct pk_usdt *usdt)
{
	event->probe.description = describe_marker(probe, usdt);
	if (!event->probe.description)
		return pk_messages_no_memory(&probe->list->messages);
	if (*usdt->arguments) {
		event->probe.arguments = pk_usdt_arguments(usdt, &event->probe.stack);
		if (!event->probe.arguments)
			return pk_messages_no_memory(&probe->list->messages);
	}
	if (probe->text.argument_count)
		PK_TRY(choose_arguments(probe, event, usdt));
	return define_marker(probe, event, usdt);
}

static void add_usdt_event(void *arg, const struct pk_usdt *usdt)
{
	struct probe *probe = arg;
	struct event *event;

	probe->markers++;
	if (probe->failed || fnmatch(probe->text.provider, usdt->provider, 0) ||
	    fnmatch(probe->text.marker, usdt->name, 0))
		return;
	if (usdt->semaphore > REFERENCES_MOST) {
		pk_messages_warn(&probe->list->messages,
				 "%s:%s: its semaphore is beyond 4 GiB in the file: not recorded",
				 usdt->provider, usdt->name);
		return;
	}
	event = add_event(probe, usdt->name, probe->path, usdt->offset,
			  usdt->semaphore << SEMAPHORE_SHIFT);
	probe->failed = !event || add_arguments(probe, event, usdt) != PK_OK;
}

static void explain_no_marker(const struct probe *probe)
{
	struct pk_messages *messages = &probe->list->messages;
	const char *provider = probe->text.provider, *marker = probe->text.marker;

	if (probe->markers)
		pk_messages_error(messages,
				  "-x %s: no USDT probe is called %s:%s: -x %s --list shows those "
				  "that there are",
				  probe->path, provider, marker, probe->path);
	else
		pk_messages_error(messages,
				  "-x %s: no USDT probe is called %s:%s: the file has none at all "
				  "(section .note.stapsdt): for a function, --probe FUNCTION",
				  probe->path, provider, marker);
}

static enum pk_status add_usdt(struct probe *probe)
{
	if (!pk_usdt_each(probe->path, add_usdt_event, probe))
		return pk_messages_error(&probe->list->messages,
					 "%s: cannot be read, or is not an ELF file", probe->path);
	if (!probe->found && !probe->failed)
		explain_no_marker(probe);
	if (probe->failed)
		return PK_FAILED;
	return probe->found ? PK_OK : PK_FAILED;
}

/* ---- Functions and lines ---- */

/* Sets the arguments of the event if samples of the registers and of the stack contain all of them.
 * Otherwise sets *sampled to false. */
static enum pk_status set_sampled(const struct probe *probe, struct event *event,
				  const struct probe_values *values, bool *sampled)
{
	const unsigned int machine = probe->object->machine;
	struct pk_argument argument;
	size_t count = 0;

	*sampled = true;
	for (size_t i = 0; i < values->count; i++)
		*sampled &= pk_probe_value_sampled(probe->object, &values->items[i], &argument);
	if (!values->count || !*sampled)
		return PK_OK;
	event->probe.arguments = pk_probe_arguments_empty(machine, probe->object->big_endian);
	if (!event->probe.arguments)
		return pk_messages_no_memory(&probe->list->messages);
	for (; count < values->count; count++)
		pk_probe_value_sampled(probe->object, &values->items[count],
				       &event->probe.arguments->items[count]);
	event->probe.arguments->count = count;
	event->probe.stack = pk_probe_stack_size(machine, event->probe.arguments);
	return PK_OK;
}

/* Writes the definition for tracefs, without the name of the event. Returns false if the place or
 * an argument cannot be written, for example because the path has a blank. */
static bool define(const struct probe *probe, const struct probe_place *place,
		   const struct probe_values *values, struct buffer *text)
{
	if (!probe->in_kernel) {
		if (!define_offset(probe, place->lookup, text))
			return false;
	} else {
		buffer_text(text, place->symbol);
		buffer_format(text, "+%" PRIu64, place->distance);
	}
	for (size_t i = 0; i < values->count; i++) {
		buffer_char(text, ' ');
		if (!pk_probe_value_define(probe->object, place, &values->items[i], text))
			return false;
	}
	buffer_char(text, 0);
	return !text->failed;
}

/* Returns a description for a dry run: the place, and the types of the arguments in the source
 * code. */
static char *describe(const struct probe *probe, const struct probe_place *place,
		      const struct probe_values *values)
{
	struct buffer text = {0};

	add_harmless(&text, probe->path ? probe->path : "kernel");
	if (place->symbol) {
		buffer_text(&text, ": ");
		add_harmless(&text, place->symbol);
		buffer_format(&text, "+%" PRIu64, place->distance);
	}
	if (place->file && place->line) {
		buffer_text(&text, ": ");
		add_harmless(&text, place->file);
		buffer_format(&text, ":%" PRIu32, place->line);
	}
	if (place->described && place->instance.inlined) {
		buffer_text(&text, ": inlined copy of ");
		add_harmless(&text, place->instance.name);
	}
	buffer_char(&text, '\n');
	for (size_t i = 0; i < values->count; i++) {
		const struct probe_value *value = &values->items[i];

		if (!*value->shown)
			continue;
		buffer_format(&text, "    %s: ", value->name);
		add_harmless(&text, value->shown);
		buffer_char(&text, '\n');
	}
	buffer_char(&text, 0);
	if (text.failed) {
		free(text.data);
		return NULL;
	}
	return text.data;
}

static enum pk_status set_values(const struct probe *probe, struct event *event,
				 const struct probe_place *place, const struct probe_values *values)
{
	struct buffer text = {0};
	bool sampled;

	PK_TRY(set_sampled(probe, event, values, &sampled));
	event->probe.description = describe(probe, place, values);
	if (!event->probe.description)
		return pk_messages_no_memory(&probe->list->messages);
	if (define(probe, place, values, &text)) {
		event->probe.definition = text.data;
	} else {
		free(text.data);
		if (!sampled)
			return pk_messages_error(
				&probe->list->messages,
				"--probe: the kernel cannot read these arguments: the object's "
				"path "
				"has blanks, or a register is unknown on this machine");
	}
	event->probe.defined = !sampled;
	return PK_OK;
}

static enum pk_status add_place(struct probe *probe, const struct probe_place *place)
{
	const bool kernel = probe->in_kernel;
	struct probe_values values;
	struct event *event;
	enum pk_status status;

	if (kernel && !place->symbol)
		return pk_messages_error(&probe->list->messages,
					 "--probe %s: no symbol of the kernel contains the place",
					 place->function);
	status = pk_probe_values_resolve(probe->object, &probe->text, place, &values,
					 &probe->list->messages);
	event = status == PK_OK
			? add_event(probe, place->function, kernel ? place->symbol : probe->path,
				    kernel ? place->distance : place->lookup, 0)
			: NULL;
	status = event ? set_values(probe, event, place, &values) : PK_FAILED;
	if (status == PK_OK) {
		event->probe.at_entry =
			!kernel && !event->probe.at_return && place->symbol && !place->distance;
		event->probe.of_go = probe->object && probe->object->returns == PROBE_RETURNS_GO;
	}
	pk_probe_values_free(&values);
	return status;
}

/* Returns true if the kernel accepts a probe at this place. Parts of the kernel cannot be probed,
 * such as the functions that handle probes, and the functions that run only at boot. */
static bool accepted(const struct probe *probe, const struct event *event)
{
	struct perf_attr attr = event->attr;
	int fd;

	attr.flags |= PERF_ATTR_DISABLED;
	fd = perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 || errno == EACCES || errno == EPERM)
		return true; /* a missing permission is reported when the event is opened */
	return pk_messages_error(&probe->list->messages,
				 "--probe: %s: the kernel refuses a probe at %s+%" PRIu64,
				 event->name, event->probe.target, event->attr.config2) == PK_OK;
}

/* Adds a place. The messages are stored in *reasons. several means that the text describes several
 * places in the kernel. */
static enum pk_status try_place(struct probe *probe, const struct probe_place *place, bool several,
				struct pk_messages *reasons)
{
	struct pk_messages *messages = &probe->list->messages, kept = *messages;
	const size_t count = probe->list->count;
	enum pk_status status;

	*messages = (struct pk_messages){0};
	status = add_place(probe, place)
			 ?: (!several || accepted(probe, &probe->list->items[count]) ? PK_OK
										     : PK_FAILED);
	if (status != PK_OK)
		pk_event_list_cut(probe->list, count);
	*reasons = *messages;
	*messages = kept;
	messages->no_memory |= reasons->no_memory;
	pk_failures_add(&messages->failures, &reasons->failures);
	return status;
}

/* Adds all places that can be probed. Other places are left out, for example inlined copies that
 * lack a variable which the probe reads. */
static enum pk_status add_places(struct probe *probe, const struct probe_places *places)
{
	struct pk_messages *messages = &probe->list->messages, reasons, first = {0};
	const bool several = probe->in_kernel && places->count > 1;
	size_t left_out = 0, at = 0;
	enum pk_severity severity;
	const char *why;

	for (size_t i = 0; i < places->count && !messages->no_memory; i++) {
		if (try_place(probe, &places->items[i], several, &reasons) == PK_OK || left_out++)
			pk_messages_clear(&reasons);
		else
			first = reasons;
	}
	why = pk_messages_next(&first, &at, &severity);
	if (left_out == places->count)
		pk_messages_error(messages, "%s", why ? why : "--probe: no place can be probed");
	else if (left_out)
		pk_messages_warn(messages, "%zu of %zu places are not recorded: %s", left_out,
				 places->count, why ? why : "");
	pk_messages_clear(&first);
	if (left_out >= places->count)
		return PK_FAILED;
	return messages->no_memory ? PK_NOMEM : PK_OK;
}

/* Warns, once for each object, that exceptions may pass functions with return probes. For a Go
 * program, only stores the path. pk_event_list_add_markers() later refuses the program, unless an
 * option allows return probes in Go programs. This option can come after the probe on the command
 * line. */
static enum pk_status check_returns(const struct probe *probe)
{
	struct event_list *list = probe->list;
	struct probe_object *object = probe->object;
	const char *function = probe->text.function;

	if (object->returns == PROBE_RETURNS_GO && !list->go_returned) {
		list->go_returned = strdup(object->path);
		return list->go_returned ? PK_OK : pk_messages_no_memory(&list->messages);
	}
	if (object->returns != PROBE_RETURNS_EXCEPTIONS || object->warned ||
	    (function && pk_probe_returns_without_exceptions(function)))
		return PK_OK;
	object->warned = true;
	pk_messages_warn(&list->messages,
			 "-x %s: this code uses exceptions: one that passes a function with a "
			 "return probe ends the program, because the kernel replaces the return "
			 "address: probe only functions that none leaves or passes",
			 object->path);
	return PK_OK;
}

static enum pk_status add_functions(struct probe *probe)
{
	struct pk_messages *messages = &probe->list->messages;
	struct probe_places places = {0};
	enum pk_status status;

	probe->object = pk_probe_object_keep(&probe->list->probed, probe->path, messages);
	status = probe->object
			 ? pk_probe_places_find(probe->object, &probe->text, &places, messages)
			 : PK_FAILED;
	status = status ?: add_places(probe, &places);
	if (status == PK_OK && probe->text.is_return)
		status = check_returns(probe);

	if (status == PK_OK && places.inlined_left_out)
		pk_messages_info(
			messages,
			"--probe %s%%return: %zu inlined copies do not return: not recorded",
			probe->text.function, places.inlined_left_out);
	pk_probe_places_free(&places);
	return status;
}

/* Keeps a USDT probe for pk_event_list_add_markers(). */
static enum pk_status add_pending(struct event_list *list, const char *text)
{
	if (pk_reserve(&list->pending, &list->pending_capacity, list->pending_count, 1,
		       sizeof(*list->pending)) != PK_OK)
		return pk_messages_no_memory(&list->messages);
	list->pending[list->pending_count] = strdup(text);
	return list->pending[list->pending_count++] ? PK_OK
						    : pk_messages_no_memory(&list->messages);
}

static enum pk_status add_probe(struct event_list *list, const char *path, const char *given)
{
	struct probe probe = {.list = list, .path = path, .in_kernel = pk_probe_in_kernel(path)};
	const char *error = pk_probe_text_parse(&probe.text, given);
	enum pk_status status;

	if (error)
		return pk_messages_error(&list->messages, "--probe '%s': %s", given, error);
	if (!probe.text.function && !probe.text.file && !probe.text.provider && probe.in_kernel)
		status = pk_messages_error(
			&list->messages, "--probe '%s': an offset needs -x: offsets are in a file",
			given);
	else if (probe.text.provider && !path)
		status = add_pending(list, given);
	else
		status = probe.text.provider ? add_usdt(&probe) : add_functions(&probe);
	pk_probe_text_free(&probe.text);
	return status;
}

enum pk_status pk_event_list_add_probe(struct event_list *list, const char *object,
				       const char *text)
{
	char *path = object ? realpath(object, NULL) : NULL;
	const enum pk_status status =
		object && !path
			? pk_messages_error(&list->messages, "-x %s: %s", object, strerror(errno))
			: add_probe(list, path, text);

	free(path);
	return status;
}

/* Opens a probe without an address. The kernel always refuses it, and the errno shows whether the
 * user has permission. */
const char *pk_probe_obstacle(const char *pmu, struct pk_failures *lookups)
{
	struct perf_attr attr = {0};
	int fd;

	if (!pk_pmu_type(pk_pmu_sysfs(NULL), pmu, &attr.type, lookups))
		return *pmu == 'u' ? "this kernel has none (CONFIG_UPROBE_EVENTS)"
				   : "this kernel has none (CONFIG_KPROBE_EVENTS)";
	fd = perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd < 0 && (errno == EACCES || errno == EPERM) ? "not for this user" : NULL;
}
