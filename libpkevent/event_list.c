// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "event.h"
#include "tracefs.h"

struct event *events_add(struct event_list *list, const char *name)
{
	struct event *items, *event;

	items = reallocarray(list->items, list->count + 1, sizeof(*items));
	if (!items)
		goto no_memory;
	list->items = items;
	event = &items[list->count];
	memset(event, 0, sizeof(*event));
	event->attr.size = PERF_ATTR_SIZE_VER7;
	event->leader = list->count;
	event->scale = 1;
	event->cgroup_fd = -1;
	event->name = strdup(name);
	if (!event->name)
		goto no_memory;
	list->count++;
	return event;

no_memory:
	pk_error("out of memory");
	return NULL;
}

static void event_free(struct event *event)
{
	free(event->name);
	free(event->tracepoint);
	free(event->filter);
	free(event->pmu);
	free(event->cgroup);
	free(event->cpus);
	free(event->fds);
	free(event->ids);
}

void events_free(struct event_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		event_free(&list->items[i]);
	free(list->items);
	*list = (struct event_list){0};
}

size_t event_group_size(const struct event_list *list, const struct event *event)
{
	size_t size = 0;

	for (size_t i = 0; i < list->count; i++)
		size += list->items[i].leader == event->leader;
	return size;
}

/* Modifiers already begin behind a colon, in the last part of the name of an event. */
static bool has_modifiers(const struct event *event)
{
	const char *name = event->name;

	if (event->tracepoint)
		name = strchr(name, ':') + 1;
	return strchr(name, ':') != NULL;
}

void event_rename(struct event *event, const char *name)
{
	char *copy = strdup(name);

	if (!copy)
		return;
	free(event->name);
	event->name = copy;
}

void event_append_modifier(struct event *event, char modifier)
{
	char *name = NULL;

	if (asprintf(&name, "%s%s%c", event->name, has_modifiers(event) ? "" : ":", modifier) < 0)
		return;
	free(event->name);
	event->name = name;
}

#define EXCLUDE_MODES (PERF_ATTR_EXCLUDE_USER | PERF_ATTR_EXCLUDE_KERNEL | PERF_ATTR_EXCLUDE_HV)
#define EXCLUDE_SIDES (PERF_ATTR_EXCLUDE_HOST | PERF_ATTR_EXCLUDE_GUEST)

/* The first of u, k, h shuts the others out, and so does the first of G, H. */
static void include_only(struct perf_attr *attr, uint64_t all, uint64_t wanted)
{
	if (!(attr->flags & all))
		attr->flags |= all;
	attr->flags &= ~wanted;
}

static bool set_precise(struct perf_attr *attr, unsigned int precise)
{
	attr->flags &= ~PERF_ATTR_PRECISE_IP_MASK;
	attr->flags |= (uint64_t)precise << PERF_ATTR_PRECISE_IP_SHIFT;
	return precise <= 3;
}

static bool apply_modifiers(struct event *event, const char *text)
{
	struct perf_attr *attr = &event->attr;
	unsigned int precise = 0;

	for (; *text; text++) {
		switch (*text) {
		case 'u': include_only(attr, EXCLUDE_MODES, PERF_ATTR_EXCLUDE_USER); break;
		case 'k': include_only(attr, EXCLUDE_MODES, PERF_ATTR_EXCLUDE_KERNEL); break;
		case 'h': include_only(attr, EXCLUDE_MODES, PERF_ATTR_EXCLUDE_HV); break;
		case 'G': include_only(attr, EXCLUDE_SIDES, PERF_ATTR_EXCLUDE_GUEST); break;
		case 'H': include_only(attr, EXCLUDE_SIDES, PERF_ATTR_EXCLUDE_HOST); break;
		case 'I': attr->flags |= PERF_ATTR_EXCLUDE_IDLE; break;
		case 'D': attr->flags |= PERF_ATTR_PINNED; break;
		case 'S': event->sample_read = true; break;
		case 'P':
			event->precise_max = true;
			set_precise(attr, 3);
			break;
		case 'p':
			if (!set_precise(attr, ++precise))
				return false;
			break;
		default: return false;
		}
	}
	return true;
}

static bool add_named(struct event_list *list, const char *whole, const char *name,
		      const char *modifiers)
{
	struct perf_attr attr = {.size = PERF_ATTR_SIZE_VER7};
	struct event *event;

	if (!event_by_name(name, &attr))
		return false;
	event = events_add(list, whole);
	if (!event)
		return false;
	event->attr = attr;
	if (apply_modifiers(event, modifiers))
		return true;
	pk_error("event '%s': unknown modifier in ':%s': there are u k h G H I p pp ppp P S D",
		 whole, modifiers);
	return false;
}

struct tracepoint_addition {
	struct event_list *list;
	const char *modifiers;
	size_t count;
};

static bool add_tracepoint(void *arg, const char *system, const char *name, uint64_t id)
{
	struct tracepoint_addition *addition = arg;
	const char *modifiers = addition->modifiers;
	char text[512];
	struct event *event;

	snprintf(text, sizeof(text), "%s:%s%s%s", system, name, *modifiers ? ":" : "", modifiers);
	event = events_add(addition->list, text);
	if (!event)
		return false;
	event->attr.type = PERF_TYPE_TRACEPOINT;
	event->attr.config = id;
	addition->count++;
	if (asprintf(&event->tracepoint, "%s/%s", system, name) < 0) {
		event->tracepoint = NULL;
		pk_error("out of memory");
		return false;
	}
	if (apply_modifiers(event, modifiers))
		return true;
	pk_error("event '%s': unknown modifier in ':%s': there are u k h G H I p pp ppp P S D",
		 text, modifiers);
	return false;
}

static bool add_tracepoints(struct event_list *list, const char *whole, const char *system,
			    const char *rest)
{
	struct tracepoint_addition addition = {.list = list};
	char *name = strdup(rest), *modifiers;
	bool added;

	if (!name) {
		pk_error("out of memory");
		return false;
	}
	modifiers = strchr(name, ':');
	if (modifiers)
		*modifiers++ = 0;
	addition.modifiers = modifiers ? modifiers : "";
	added = tracefs_find(system, name, add_tracepoint, &addition);
	if (added && !addition.count) {
		pk_error("event '%s': no such tracepoint: see available_events in %s", whole,
			 tracefs_path());
		added = false;
	}
	free(name);
	return added;
}

#define NAME_LENGTH_MAX 300 /* with modifiers */

static bool add_event(struct event_list *list, char *text)
{
	struct perf_attr ignored;
	char *copy = strdup(text), *rest;
	bool added = false;

	if (!copy) {
		pk_error("out of memory");
		return false;
	}
	if (strlen(text) > NAME_LENGTH_MAX) {
		pk_error("event '%.40s...': no event has so long a name", text);
		free(copy);
		return false;
	}
	rest = strchr(copy, ':');
	if (rest)
		*rest++ = 0;
	if (event_by_name(copy, &ignored))
		added = add_named(list, text, copy, rest ? rest : "");
	else if (rest && *copy && *rest)
		added = add_tracepoints(list, text, copy, rest);
	else
		pk_error("event '%s': unknown: pk-record(1) lists the names", text);
	free(copy);
	return added;
}

static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = 0;
	return text;
}

bool events_parse(struct event_list *list, const char *text)
{
	char *copy = strdup(text), *cursor = copy, *item;
	bool ok = copy != NULL;

	while (ok && (item = strsep(&cursor, ",")))
		ok = add_event(list, trim(item));
	free(copy);
	return ok;
}
