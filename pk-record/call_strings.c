// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call_strings.h"
#include "cli.h"
#include "lookups.h"

static const char tracepoint[] = "raw_syscalls/sys_enter";

void strings_init(struct strings *strings, const struct options *options)
{
	*strings = (struct strings){.options = options};
}

static char *added_fields(void)
{
	struct buffer text = {0};

	for (size_t i = 0; i < STRINGS_ARGUMENTS; i++)
		buffer_format(
			&text,
			"\tfield:__data_loc char[] arg%zu;\toffset:%zu;\tsize:4;\tsigned:1;\n", i,
			offsetof(struct strings_record, texts) + 4 * i);
	buffer_format(&text,
		      "\tfield:u32 cut;\toffset:%zu;\tsize:4;\tsigned:0;\n"
		      "\tfield:u32 unreadable;\toffset:%zu;\tsize:4;\tsigned:0;\n",
		      offsetof(struct strings_record, cut),
		      offsetof(struct strings_record, unreadable));
	buffer_char(&text, '\0');
	if (!text.failed)
		return text.data;
	free(text.data);
	return NULL;
}

int strings_select(struct event_list *events)
{
	struct event *event = NULL;

	for (size_t i = 0; i < events->count; i++) {
		if (!events->items[i].tracepoint || strcmp(events->items[i].tracepoint, tracepoint))
			continue;
		if (event)
			return pk_usage_error("--strings: raw_syscalls:sys_enter is given twice");
		event = &events->items[i];
	}
	if (!event)
		return pk_usage_error("--strings: needs the event raw_syscalls:sys_enter: "
				      "add -e syscalls");
	if (event->filter || event->cgroup || pk_event_group_size(events, event) > 1)
		return pk_usage_error("--strings: not with --filter, -G or a group of events");
	event->from_bpf = true;
	event->more_fields = added_fields();
	return event->more_fields ? PK_EXIT_OK : pk_no_memory();
}

bool strings_open(struct strings *strings, const struct targets *targets)
{
	struct strings_bpf *bpf = &strings->bpf;

	return pk_printed(strings_bpf_open(bpf, strings->options->strings, targets->system_wide) &&
				  strings_bpf_start(bpf),
			  &bpf->messages);
}

static bool failed(const char *what)
{
	pk_error("--strings: %s: %s", what, strerror(errno));
	return false;
}

bool strings_attach(struct strings *strings, const struct event_list *events,
		    const struct targets *targets, bool on_exec)
{
	const struct event *event = events->items;

	while (!event->from_bpf || !event->more_fields)
		event++;
	for (size_t cpu = 0; cpu < targets->cpus_count; cpu++) {
		const int fd = event->fds[event_slot(targets, cpu, 0)];

		if (fd >= 0 && !strings_bpf_output(&strings->bpf, (uint32_t)targets->cpus[cpu], fd))
			return failed("bpf-output event");
	}
	for (size_t i = 0; !targets->system_wide && i < targets->tids_count; i++)
		if (!strings_bpf_observe(&strings->bpf, targets->tids[i], on_exec))
			return failed("too many threads");
	return true;
}

uint64_t strings_report(const struct strings *strings)
{
	struct strings_counts counts;
	char number[32];

	if (!strings_bpf_counts(&strings->bpf, &counts))
		pk_warn("--strings: losses are unknown: %s", strerror(errno));
	if (counts.unreadable)
		pk_warn("%s strings of system calls could not be read: their memory was not loaded",
			pk_number(number, counts.unreadable));
	if (counts.cut)
		pk_info("%s strings of system calls are cut: --strings=BYTES reads up to %u bytes",
			pk_number(number, counts.cut), STRINGS_MAX);
	if (counts.unobserved)
		pk_warn("%s threads are missing: more than %u were observed at a time",
			pk_number(number, counts.unobserved), STRINGS_TASKS_MAX);
	return counts.missed;
}

void strings_close(struct strings *strings)
{
	strings_bpf_free(&strings->bpf);
}
