// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event.h"
#include "probe_object.h"
#include "vector.h"

#define NAME_MOST 1000

/* Copies a name. Longer names than NAME_MOST are cut, because names are stored in records. A name
 * is never cut inside of a UTF-8 character. */
static char *copy_name(const char *name)
{
	size_t size = strnlen(name, NAME_MOST);

	while (size && ((unsigned char)name[size] & 0xc0) == 0x80)
		size--;
	return strndup(name, size);
}

struct event *pk_event_list_add(struct event_list *list, const char *name)
{
	struct event *event;

	if (pk_vector_reserve(list, 1) != PK_OK)
		goto no_memory;
	event = &list->items[list->count];
	memset(event, 0, sizeof(*event));
	event->attr.size = PERF_ATTR_SIZE_VER7;
	event->leader = list->count;
	event->stat.scale = 1;
	event->opened.cgroup = -1;
	event->name = copy_name(name);
	if (!event->name)
		goto no_memory;
	list->count++;
	return event;

no_memory:
	pk_messages_no_memory(&list->messages);
	return NULL;
}

static enum pk_status copy_text(char **text)
{
	if (!*text)
		return PK_OK;
	*text = strdup(*text);
	return *text ? PK_OK : PK_NOMEM;
}

struct event *pk_event_list_copy(struct event_list *list, size_t index)
{
	struct event *copy = pk_event_list_add(list, list->items[index].name);
	const struct event *event = &list->items[index];
	char *name;
	bool ok = true;

	if (!copy)
		return NULL;
	name = copy->name;
	*copy = *event;
	copy->name = name;
	copy->probe.arguments = NULL; /* Arguments are needed only to read samples. Copies of an
				       * event are only counted, and never sampled. */
	copy->leader = list->count - 1;
	ok &= copy_text(&copy->tracepoint) == PK_OK;
	ok &= copy_text(&copy->filter) == PK_OK;
	ok &= copy_text(&copy->bpf.more_fields) == PK_OK;
	ok &= copy_text(&copy->bpf.format) == PK_OK;
	ok &= copy_text(&copy->pmu) == PK_OK;
	ok &= copy_text(&copy->probe.target) == PK_OK;
	ok &= copy_text(&copy->probe.definition) == PK_OK;
	ok &= copy_text(&copy->probe.description) == PK_OK;
	ok &= copy_text(&copy->cgroup) == PK_OK;
	if (copy->probe.target)
		copy->attr.config1 = (uintptr_t)copy->probe.target;
	copy->opened.cgroup = -1;
	if (copy->cpus) {
		copy->cpus = calloc(copy->cpus_count + 1, sizeof(*copy->cpus));
		ok &= copy->cpus != NULL;
	}
	if (copy->cpus)
		memcpy(copy->cpus, event->cpus, copy->cpus_count * sizeof(*copy->cpus));
	if (ok)
		return copy;
	pk_messages_no_memory(&list->messages);
	return NULL;
}

static void event_free(struct event *event)
{
	free(event->name);
	free(event->tracepoint);
	free(event->filter);
	free(event->bpf.more_fields);
	free(event->bpf.format);
	free(event->pmu);
	free(event->probe.target);
	free(event->probe.arguments);
	free(event->probe.definition);
	free(event->probe.description);
	free(event->cgroup);
	if (event->opened.cgroup >= 0)
		close(event->opened.cgroup);
	free(event->cpus);
	free(event->opened.fds);
	free(event->opened.ids);
	free(event->opened.lost);
}

void pk_event_list_cut(struct event_list *list, size_t count)
{
	while (list->count > count)
		event_free(&list->items[--list->count]);
}

void pk_event_list_free(struct event_list *list)
{
	pk_event_list_cut(list, 0);
	free(list->items);
	for (size_t i = 0; i < list->formats_count; i++)
		free(list->formats[i]);
	free(list->formats);
	free(list->everywhere);
	for (size_t i = 0; i < list->pending_count; i++)
		free(list->pending[i]);
	free(list->pending);
	pk_probe_object_free(list->probed);
	free(list->go_returned);
	pk_messages_clear(&list->messages);
	*list = (struct event_list){0};
}

const struct event *pk_event_list_trace(const struct event_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].trace)
			return &list->items[i];
	return NULL;
}

size_t pk_event_group_size(const struct event_list *list, const struct event *event)
{
	size_t size = 0;

	for (size_t i = 0; i < list->count; i++)
		size += list->items[i].leader == event->leader;
	return size;
}

void pk_event_rename(struct event *event, const char *name)
{
	char *copy = copy_name(name);

	if (!copy)
		return;
	free(event->name);
	event->name = copy;
	event->letters.any = false;
}

void pk_event_append_modifier(struct event *event, char modifier)
{
	const size_t size = strlen(event->name);
	const bool joined = event->letters.any || (size && event->name[size - 1] == '/');
	char *name = NULL;

	if (asprintf(&name, "%s%s%c", event->name, joined ? "" : ":", modifier) < 0)
		return;
	free(event->name);
	event->name = name;
	event->letters.any = true;
}
