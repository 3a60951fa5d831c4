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

static bool read_number(const struct pk_sched_event *event, const char *name, uint64_t *number)
{
	const struct pk_tracepoint_field *field = pk_tracepoint_find_field(event->tracepoint, name);

	return field && pk_tracepoint_number(event->tracepoint, field, &event->raw, number);
}

static bool read_event(struct pk_sched_event *event, enum pk_sched_kind kind)
{
	if (kind == PK_SCHED_SWITCH)
		return read_number(event, "prev_pid", &event->tid) &&
		       read_number(event, "next_pid", &event->next) &&
		       read_number(event, "prev_state", &event->state);
	return read_number(event, "pid", &event->tid) &&
	       (kind != PK_SCHED_MIGRATION || (read_number(event, "orig_cpu", &event->from) &&
					       read_number(event, "dest_cpu", &event->to)));
}

struct pk_sched_event pk_sched_event_read(const struct pk_tracepoint *tracepoint,
					  const struct pk_bytes *raw)
{
	struct pk_sched_event event = {.tracepoint = tracepoint};
	enum pk_sched_kind kind = PK_SCHED_OTHER;

	if (tracepoint && raw) {
		event.raw = *raw;
		kind = kind_of(pk_tracepoint_name(tracepoint));
	}
	if (kind && read_event(&event, kind))
		event.kind = kind;
	return event;
}

static struct pk_bytes read_text(const struct pk_sched_event *event, const char *name)
{
	const struct pk_tracepoint_field *field = pk_tracepoint_find_field(event->tracepoint, name);
	struct pk_bytes text = {(const uint8_t *)"", 0};

	if (field && field->is_string)
		(void)!pk_tracepoint_bytes(event->tracepoint, field, &event->raw, &text);
	return text;
}

struct pk_bytes pk_sched_event_comm(const struct pk_sched_event *event)
{
	return read_text(event, event->kind == PK_SCHED_SWITCH ? "prev_comm" : "comm");
}

struct pk_bytes pk_sched_event_next_comm(const struct pk_sched_event *event)
{
	return read_text(event, "next_comm");
}
