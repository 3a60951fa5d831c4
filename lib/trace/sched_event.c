// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "sched_event.h"

static const char *const names[] = {
	[PK_SCHED_SWITCH] = "sched:sched_switch",
	[PK_SCHED_WAKING] = "sched:sched_waking",
	[PK_SCHED_WAKEUP] = "sched:sched_wakeup",
	[PK_SCHED_WAKEUP_NEW] = "sched:sched_wakeup_new",
	[PK_SCHED_MIGRATION] = "sched:sched_migrate_task",
};

static enum pk_sched_kind kind_of(const char *name)
{
	for (enum pk_sched_kind i = PK_SCHED_SWITCH; i <= PK_SCHED_MIGRATION; i++)
		if (!strcmp(name, names[i]))
			return i;
	return PK_SCHED_OTHER;
}

/* The fields of each kind. The numbers are in the order of the members of struct pk_sched_event. */
static const struct fields {
	const char *numbers[PK_SCHED_NUMBERS], *comm, *next_comm;
} fields_of[] = {
	[PK_SCHED_SWITCH] = {{"prev_pid", "next_pid", "prev_state"}, "prev_comm", "next_comm"},
	[PK_SCHED_WAKING] = {{"pid"}, "comm", NULL},
	[PK_SCHED_WAKEUP] = {{"pid"}, "comm", NULL},
	[PK_SCHED_WAKEUP_NEW] = {{"pid"}, "comm", NULL},
	[PK_SCHED_MIGRATION] = {{"pid", "orig_cpu", "dest_cpu"}, "comm", NULL},
};

static const struct pk_tracepoint_field *text_field(const struct pk_tracepoint *tracepoint,
						    const char *name)
{
	const struct pk_tracepoint_field *field =
		name ? pk_tracepoint_find_field(tracepoint, name) : NULL;

	return field && field->is_string ? field : NULL;
}

struct pk_sched_format pk_sched_format_of(const struct pk_tracepoint *tracepoint)
{
	struct pk_sched_format format = {.tracepoint = tracepoint};
	const struct fields *fields;

	if (tracepoint)
		format.kind = kind_of(pk_tracepoint_name(tracepoint));
	if (format.kind == PK_SCHED_OTHER)
		return format;
	fields = &fields_of[format.kind];
	for (unsigned int i = 0; i < PK_SCHED_NUMBERS && fields->numbers[i]; i++) {
		format.numbers[i] = pk_tracepoint_find_field(tracepoint, fields->numbers[i]);
		if (!format.numbers[i])
			return (struct pk_sched_format){0};
	}
	format.comm = text_field(tracepoint, fields->comm);
	format.next_comm = text_field(tracepoint, fields->next_comm);
	return format;
}

/* Reads the numbers of a sample. Returns false if the sample lacks one of them. */
static bool read_numbers(const struct pk_sched_format *format, const struct pk_bytes *raw,
			 uint64_t numbers[PK_SCHED_NUMBERS])
{
	for (unsigned int i = 0; i < PK_SCHED_NUMBERS && format->numbers[i]; i++)
		if (!pk_tracepoint_number(format->tracepoint, format->numbers[i], raw, &numbers[i]))
			return false;
	return true;
}

struct pk_sched_event pk_sched_event_read(const struct pk_sched_format *format,
					  const struct pk_bytes *raw)
{
	struct pk_sched_event event = {.format = format};
	uint64_t numbers[PK_SCHED_NUMBERS] = {0};

	if (format->kind == PK_SCHED_OTHER || !raw || !read_numbers(format, raw, numbers))
		return event;
	event.kind = format->kind;
	event.raw = *raw;
	event.tid = numbers[0];
	if (event.kind == PK_SCHED_SWITCH) {
		event.next = numbers[1];
		event.state = numbers[2];
	} else {
		event.from = numbers[1];
		event.to = numbers[2];
	}
	return event;
}

static struct pk_bytes read_text(const struct pk_sched_event *event,
				 const struct pk_tracepoint_field *field)
{
	struct pk_bytes text = {(const uint8_t *)"", 0};

	if (field)
		(void)!pk_tracepoint_bytes(event->format->tracepoint, field, &event->raw, &text);
	return text;
}

struct pk_bytes pk_sched_event_comm(const struct pk_sched_event *event)
{
	return read_text(event, event->format->comm);
}

struct pk_bytes pk_sched_event_next_comm(const struct pk_sched_event *event)
{
	return read_text(event, event->format->next_comm);
}
