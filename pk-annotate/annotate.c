// SPDX-License-Identifier: BSD-2-Clause
/* Reads symbolized streams into the heat of functions, and has it printed. */
#include <stdlib.h>

#include "annotate.h"
#include "event_groups.h"
#include "leaves.h"
#include "pkutil.h"
#include "heat_report.h"
#include "vector.h"

struct annotator {
	struct pk_run *run;
	const struct annotate_options *options;
	struct heat *heat;
	struct objects *objects;
	struct leaves *leaves;
	/* The session's: */
	struct pk_session *session;
	struct pk_periods *periods;
	uint32_t *events; /* numbers in the heat, by index; 0: not met */
	size_t events_capacity;
	struct event_groups groups;
	bool symbolized;
	/* For the summary: */
	uint64_t raw, undefined_stack;
};

/* ---- Samples ---- */

struct taking {
	struct annotator *annotator;
	const struct pk_record *record;
	uint32_t place; /* UINT32_MAX: not looked for */
};

/* 0: out of memory. */
static uint32_t number_of(struct annotator *annotator, const struct pk_event *event)
{
	uint32_t *events;

	if (!pk_extend(&annotator->events, &annotator->events_capacity, event->index))
		return 0;
	events = &annotator->events[event->index];
	if (pk_unlikely(!*events))
		*events = heat_event(annotator->heat, event->name);
	return *events;
}

static bool find_place(struct taking *taking)
{
	struct annotator *annotator = taking->annotator;
	const struct pk_record *record = taking->record;
	const struct pk_layout *layout = &record->event->layout;
	struct leaf_sample sample = {
		.stack = pk_stack_trailer(record->data, record->size),
		.has_ip = layout->ip,
		.mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK,
	};
	enum leaf leaf;

	if (layout->ip)
		sample.ip = pk_load_u64(record->data + layout->ip);
	if (layout->tid) {
		sample.pid = pk_record_task(record, layout->tid)->pid;
		sample.tid = pk_record_task(record, layout->tid)->tid;
	}
	leaf = leaves_place(annotator->leaves, &sample, &taking->place);

	annotator->undefined_stack += leaf == LEAF_UNDEFINED;
	return leaf != LEAF_NO_MEMORY;
}

static enum pk_status take_period(void *arg, const struct pk_event *event, uint64_t period)
{
	struct taking *taking = arg;
	struct annotator *annotator = taking->annotator;
	uint32_t number = number_of(annotator, event);

	if (!number || (taking->place == UINT32_MAX && !find_place(taking)))
		return PK_NOMEM;
	if (taking->place)
		return heat_add(annotator->heat, number, taking->place, period) ? PK_OK : PK_NOMEM;
	heat_add_unplaced(annotator->heat, number, period);
	return PK_OK;
}

static enum pk_status take_sample(struct annotator *annotator, const struct pk_record *record)
{
	struct taking taking = {annotator, record, UINT32_MAX};
	enum pk_status status;

	if (!annotator->symbolized) {
		annotator->raw++;
		return PK_OK;
	}
	status = pk_periods_of(annotator->periods, pk_reader_events(annotator->run->reader),
			       record->event, record, take_period, &taking);
	if (pk_likely(status != PK_CORRUPT))
		return status;
	pk_run_complain(annotator->run, record, "sample shorter than its fields; left out");
	return PK_OK;
}

/* ---- Records ---- */

static enum pk_status begin_session(struct annotator *annotator)
{
	pk_session_free(annotator->session);
	annotator->session = pk_session_new();
	annotator->symbolized = false;
	free(annotator->events);
	annotator->events = NULL;
	annotator->events_capacity = 0;
	pk_periods_forget(annotator->periods);
	event_groups_clear(&annotator->groups);
	if (!annotator->session)
		return PK_NOMEM;
	leaves_begin(annotator->leaves, annotator->session);
	return PK_OK;
}

static enum pk_status take_definition(struct annotator *annotator, const struct pk_record *record)
{
	struct pk_session_info info;
	enum pk_status status;

	if (pk_definition_of(record) == PK_SESSION && !pk_session_info_decode(record, &info)) {
		annotator->symbolized = info.trailers & PK_TRAILER_STACK;
		objects_machine(annotator->objects, &info);
	}
	status = leaves_definition(annotator->leaves, record);
	if (status != PK_CORRUPT)
		return status;
	pk_run_lose(annotator->run, PK_LOSS_DEFINITIONS_BAD, 1, 0);
	pk_run_complain(annotator->run, record, "definition out of turn or of something undefined");
	return PK_OK;
}

/* False: out of memory. */
static bool take_feature(struct annotator *annotator, const struct pk_record *record)
{
	struct pk_feature_content feature;

	if (!pk_reader_feature(annotator->run->reader, record, &feature))
		return true;
	return objects_feature(annotator->objects, &feature) &&
	       (feature.id != PERF_FEATURE_GROUP_DESC ||
		event_groups_read(&annotator->groups, &feature));
}

/* What the objects want to know beside the session. False: out of memory. */
static bool take_hint(struct annotator *annotator, const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_HEADER_FEATURE:
	case PERF_RECORD_EVENT_UPDATE: return take_feature(annotator, record);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return (record->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_KERNEL ||
		       objects_map(annotator->objects, record);
	default: return true;
	}
}

static void end_session(struct pk_run *run)
{
	struct annotator *annotator = run->arg;

	if (!event_groups_tell(&annotator->groups, pk_reader_events(run->reader), annotator->heat))
		pk_run_complain(run, &(struct pk_record){0}, pk_status_text(PK_NOMEM));
}

static enum pk_status take(struct pk_run *run, const struct pk_record *record)
{
	struct annotator *annotator = run->arg;
	enum pk_status status;

	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		return take_sample(annotator, record);
	if (record->type == PK_RECORD_BEGIN)
		return begin_session(annotator);
	if (record->type == PERF_RECORD_EVENT_UPDATE && pk_definition_of(record) != PK_FEATURE_PART)
		return take_definition(annotator, record);
	if (!take_hint(annotator, record))
		return PK_NOMEM;
	status = pk_session_record(annotator->session, record);
	if (status == PK_CORRUPT)
		pk_run_complain(run, record, "malformed; not used");
	return status == PK_NOMEM ? status : PK_OK;
}

/* ---- All ---- */

/* What makes the exit status 1. */
static int tell(const struct annotator *annotator)
{
	int result = PK_EXIT_OK;
	char number[32];

	if (annotator->raw) {
		pk_error("%s samples are not symbolized: put pk-symbolize before pk-annotate",
			 pk_number(number, annotator->raw));
		result = PK_EXIT_FAILED;
	}
	if (annotator->undefined_stack) {
		pk_error("%s samples have no stack that is defined; left out",
			 pk_number(number, annotator->undefined_stack));
		result = PK_EXIT_FAILED;
	}
	return result;
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

static int annotate_all(struct annotator *annotator)
{
	int result = pk_run(annotator->run);

	result = worse(result, tell(annotator));
	if (!heat_settle(annotator->heat)) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		return PK_EXIT_FAILED;
	}
	return worse(result,
		     report(annotator->heat, annotator->objects, annotator->options, stdout));
}

int annotate(struct pk_run *run, struct pk_symbols *symbols, const struct annotate_options *options)
{
	struct annotator annotator = {.run = run, .options = options};
	int result = PK_EXIT_FAILED;

	run->ordered = true;
	run->record = take;
	run->session_end = end_session;
	run->arg = &annotator;
	annotator.heat = heat_new();
	annotator.objects = objects_new(symbols, options->symbols, options->intel, &run->messages);
	annotator.leaves = annotator.heat && annotator.objects
				   ? leaves_new(annotator.heat, annotator.objects)
				   : NULL;
	annotator.periods = pk_periods_new();
	if (annotator.leaves && annotator.periods)
		result = annotate_all(&annotator);
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	pk_periods_free(annotator.periods);
	leaves_free(annotator.leaves);
	objects_free(annotator.objects);
	heat_free(annotator.heat);
	free(annotator.events);
	event_groups_clear(&annotator.groups);
	pk_session_free(annotator.session);
	return result;
}
