// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "pkprivate.h"
#include "report.h"
#include "run.h"
#include "stat_records.h"

#define CELLS_MAX  (4u << 20)
#define EVENTS_MAX 10000
#define CPUS_MAX   65536

/* The state while a session is read. */
struct stat_reader {
	struct stat_options *options;
	struct pk_run *run;
	bool ready, failed;
	bool stat; /* the session has a STAT_CONFIG record, so it contains counts */
	struct event_list events;
	struct stat_cells cells;
	struct stat_columns columns;
	uint32_t *place_of; /* index in places.cpus + 1, by number of the CPU; 0 if the CPU is not
			     * counted */
	struct topology topology;
	char version[32];
	char *command;
	/* Values of STAT_CONFIG. The interval is in ms. */
	uint64_t by, interval;
	bool no_scale, titled;
	double last; /* end of the last interval, in seconds since the start */
};

/* ---- Properties of a session ---- */

static void forget_session(struct stat_reader *reader)
{
	stat_cells_free(&reader->cells);
	stat_columns_free(&reader->columns);
	pk_event_list_free(&reader->events);
	topology_free(&reader->topology);
	free(reader->place_of);
	free(reader->command);
	*reader = (struct stat_reader){
		.options = reader->options,
		.run = reader->run,
		.failed = reader->failed,
		.by = 1,
	};
}

/* Stores the words of CMDLINE, separated by blanks. The first word is the program. */
static void note_command(struct stat_reader *reader, const uint8_t *data, size_t size)
{
	size_t at = 4, length;
	uint32_t words = size < 4 ? 0 : pk_load_u32(data), space;
	FILE *out;

	free(reader->command);
	reader->command = NULL;
	out = open_memstream(&reader->command, &length);
	for (uint32_t i = 0; out && i < words && size - at >= 4; i++) {
		space = pk_load_u32(data + at);
		at += 4;
		if (space > size - at)
			break;
		fprintf(out, "%s%.*s", i ? " " : "", (int)strnlen((const char *)data + at, space),
			(const char *)data + at);
		at += space;
	}
	if (out && !fclose(out) && reader->command)
		pk_harmless(reader->command);
}

static void note_feature(struct stat_reader *reader, const struct pk_record *record)
{
	struct pk_feature_content content;

	if (!pk_reader_feature(reader->run->reader, record, &content))
		return;
	if (content.id == PERF_FEATURE_CMDLINE)
		note_command(reader, content.data, content.size);
	else if (content.id == PERF_FEATURE_VERSION)
		pk_feature_get_string(record, reader->version, sizeof(reader->version));
	else
		topology_from_feature(&reader->topology, content.id, content.data, content.size);
}

static void note_config(struct stat_reader *reader, const struct pk_record *record)
{
	const struct perf_record_stat_config *config = (const void *)record->data;
	const size_t room = record->size < sizeof(*config)
				    ? 0
				    : (record->size - sizeof(*config)) / sizeof(config->terms[0]);

	for (size_t i = 0; i < room && i < config->nr; i++) {
		const uint64_t tag = config->terms[i].tag, value = config->terms[i].value;

		if (tag == STAT_CONFIG_BY)
			reader->by = value;
		else if (tag == STAT_CONFIG_INTERVAL)
			reader->interval = value;
		else if (tag == STAT_CONFIG_SCALE)
			reader->no_scale = !value;
	}
	reader->stat = true;
}

/* ---- Events ---- */

/* Returns true if the event is the clock `name` of the program that recorded the event. If the user
 * was not allowed to count the kernel, the event is called "duration_time:u". */
static bool is_tool(const struct event *event, const char *name)
{
	const size_t length = strlen(name);

	return event->attr.type == PERF_TYPE_SOFTWARE &&
	       event->attr.config == PERF_COUNT_SW_DUMMY && !strncmp(event->name, name, length) &&
	       (!event->name[length] || event->name[length] == ':');
}

static void know_tools(struct event *event)
{
	if (is_tool(event, "duration_time"))
		event->stat.tool = EVENT_TOOL_DURATION;
	if (is_tool(event, "user_time"))
		event->stat.tool = EVENT_TOOL_USER;
	if (is_tool(event, "system_time"))
		event->stat.tool = EVENT_TOOL_SYSTEM;
	if (event->stat.tool)
		memcpy(event->stat.unit, "ns", 3);
}

/* Adds the events of the session that are new since the last call. Returns PK_FAILED after it has
 * printed a message. */
static enum pk_status add_events(struct stat_reader *reader)
{
	const struct pk_events *events = pk_reader_events(reader->run->reader);

	if (pk_events_count(events) > EVENTS_MAX) {
		pk_error("%s: more than %d events", reader->run->input.name, EVENTS_MAX);
		return PK_FAILED;
	}
	while (reader->events.count < pk_events_count(events)) {
		const struct pk_event *from = pk_events_at(events, reader->events.count);
		struct event *event = pk_event_list_add(&reader->events, from->name);

		if (!event)
			return pk_printed(PK_FAILED, &reader->events.messages);
		event->attr = from->attr;
		pk_harmless(event->name);
		know_tools(event);
	}
	return PK_OK;
}

/* Sets the names of all events again, because an EVENT_UPDATE record can come after the event. */
static void rename_events(struct stat_reader *reader)
{
	const struct pk_events *events = pk_reader_events(reader->run->reader);

	for (size_t i = 0; i < reader->events.count; i++) {
		struct event *event = &reader->events.items[i];

		pk_event_rename(event, pk_events_at(events, i)->name);
		pk_harmless(event->name);
		know_tools(event);
	}
}

static enum pk_status note_update(struct stat_reader *reader, const struct pk_record *record)
{
	const struct perf_record_event_update *update = (const void *)record->data;
	const struct pk_event *of;
	struct event *event;
	double scale;

	if (pk_definition_of(record) || record->size < sizeof(*update) + sizeof(scale))
		return PK_OK;
	of = pk_events_updated(pk_reader_events(reader->run->reader), update->id);
	PK_TRY(add_events(reader));
	if (!of)
		return PK_OK;
	event = &reader->events.items[of->index];
	switch (update->type) {
	case PERF_EVENT_UPDATE_UNIT:
		snprintf(event->stat.unit, sizeof(event->stat.unit), "%.*s",
			 (int)strnlen((const char *)update->data, record->size - sizeof(*update)),
			 (const char *)update->data);
		pk_harmless(event->stat.unit);
		break;
	case PERF_EVENT_UPDATE_SCALE:
		memcpy(&scale, update->data, sizeof(scale));
		event->stat.scale = scale;
		break;
	case PERF_EVENT_UPDATE_CPUS:
		/* It matters only that there is a list. The CPUs outside of the list have no
		 * counts. */
		if (!event->cpus)
			event->cpus = calloc(1, sizeof(*event->cpus));
		break;
	default: break;
	}
	return PK_OK;
}

/* ---- Preparation ---- */

static void note_cpus(struct stat_reader *reader, const struct pk_record *record)
{
	struct stat_places *places = &reader->cells.places;
	int *cpus;
	size_t count;

	if (reader->ready)
		return;
	cpus = stat_cpus_of(record, &count);
	if (!cpus || !count) {
		pk_run_complain(reader->run, record, "not a map of CPUs");
		free(cpus);
		return;
	}
	free(places->cpus);
	places->cpus = cpus;
	places->cpus_count = count;
}

static void note_threads(struct stat_reader *reader, const struct pk_record *record)
{
	struct stat_places *places = &reader->cells.places;
	struct stat_thread *threads;
	size_t count;

	if (reader->ready)
		return;
	threads = stat_threads_of(record, &count);
	if (!threads || !count) {
		pk_run_complain(reader->run, record, "not a map of threads");
		free(threads);
		return;
	}
	free(places->threads);
	places->threads = threads;
	places->threads_count = count;
}

/* Sets the socket, die, core and node of each CPU. If the stream contains no topology, which is the
 * case in streams of perf, uses the topology of this machine. */
static enum pk_status locate_cpus(struct stat_reader *reader)
{
	struct stat_places *places = &reader->cells.places;

	places->cache_level = reader->options->print.cache_level;
	places->places = calloc(places->cpus_count + 1, sizeof(*places->places));
	reader->place_of = calloc(CPUS_MAX, sizeof(*reader->place_of));
	if (!places->places || !reader->place_of)
		return PK_NOMEM;
	for (size_t i = 0; i < places->cpus_count; i++) {
		const int cpu = places->cpus[i];

		if (cpu < 0)
			continue;
		places->places[i] = reader->topology.count ? topology_place(&reader->topology, cpu)
							   : topology_here(cpu);
		reader->place_of[cpu] = (uint32_t)i + 1;
	}
	return PK_OK;
}

static enum stat_by choose_by(const struct stat_reader *reader)
{
	const struct stat_places *places = &reader->cells.places;
	enum stat_by by = reader->options->print.by;

	if (by == STAT_BY_UNSET)
		by = stat_by_of_number(reader->by, reader->version);
	/* The meaning of `by` depends on the version of perf, which can be unknown. */
	if (reader->options->print.by == STAT_BY_UNSET && by != STAT_ALL &&
	    places->cpus_count == 1 && places->cpus[0] < 0)
		by = STAT_THREAD;
	return by;
}

static enum pk_status get_ready(struct stat_reader *reader)
{
	struct stat_places *places = &reader->cells.places;

	if (reader->ready)
		return PK_OK;
	PK_TRY(add_events(reader));
	rename_events(reader);
	if (!places->cpus || !places->threads) {
		pk_error("%s: no maps of CPUs and threads before the counts",
			 reader->run->input.name);
		return PK_FAILED;
	}
	/* Cells are also allocated if there are no events. So 1 is added. */
	if ((reader->events.count + 1) * stat_slots(places) > CELLS_MAX) {
		pk_error("%s: more than %u counters", reader->run->input.name, CELLS_MAX);
		return PK_FAILED;
	}
	reader->cells.no_scale = reader->no_scale || reader->options->print.no_scale;
	reader->cells.no_merge = true; /* the stream does not contain the PMU of an event */
	if (locate_cpus(reader) != PK_OK) {
		pk_no_memory();
		return PK_NOMEM;
	}
	PK_TRY(stat_cells_init(&reader->cells, &reader->events, choose_by(reader)));
	/* An event is reported as not supported until its first count was read. */
	for (size_t i = 0; i < reader->events.count; i++)
		reader->events.items[i].opened.error = ENOENT;
	reader->ready = true;
	return !reader->options->metrics.shown ||
			       metrics_find_events(&reader->options->metrics, &reader->events)
		       ? PK_OK
		       : PK_FAILED;
}

/* ---- Counts ---- */

/* Finds the index of the CPU of a STAT record. perf before 5.17 wrote this index. Later versions
 * write the number of the CPU. If the version is unknown, the value is treated as a number if the
 * stream has a CPU with this number. */
static bool find_place(const struct stat_reader *reader, uint32_t cpu, size_t *place)
{
	const struct stat_places *places = &reader->cells.places;
	int major, minor;
	const bool index = sscanf(reader->version, "%d.%d", &major, &minor) == 2 &&
			   (major < 5 || (major == 5 && minor < 17));

	if (!index && cpu < CPUS_MAX && reader->place_of[cpu]) {
		*place = reader->place_of[cpu] - 1;
		return true;
	}
	*place = cpu == UINT32_MAX ? 0 : cpu;
	return *place < places->cpus_count;
}

static void note_count(struct stat_reader *reader, const struct pk_record *record)
{
	const struct stat_places *places = &reader->cells.places;
	const struct perf_record_stat *stat = (const void *)record->data;
	const struct pk_event *event;
	size_t place;

	if (record->size < sizeof(*stat)) {
		pk_run_complain(reader->run, record, "too short");
		return;
	}
	event = pk_events_by_id(pk_reader_events(reader->run->reader), stat->id);
	if (!event || event->index >= reader->cells.events->count ||
	    stat->thread >= places->threads_count || !find_place(reader, stat->cpu, &place)) {
		pk_run_complain(reader->run, record, "a count of an unknown event, CPU or thread");
		return;
	}
	reader->events.items[event->index].opened.error = 0;
	*stat_cell(&reader->cells, event->index, place * places->threads_count + stat->thread) =
		(struct count){stat->value, stat->enabled, stat->running, 0};
}

/* ---- Printing ---- */

static void print(struct stat_reader *reader, double seconds, double at, bool summary)
{
	struct stat_options options = *reader->options;
	const struct stat_result result = {
		.events = &reader->events,
		.groups = &reader->cells.groups,
		.counts = reader->cells.counts,
		.hidden = reader->cells.hidden,
		.metrics = options.metrics.shown ? &reader->options->metrics : NULL,
		.columns = &reader->columns,
		.seconds = seconds,
		.at = at,
		.summary = summary,
	};
	struct stat_times times = {.user = -1};

	options.run.interval = reader->interval;
	if (at < 0 || !reader->titled)
		report_start(&options, &result, reader->command ? reader->command : "pipe");
	reader->titled = true;
	report_counts(&options, &result);
	if (at >= 0)
		return;
	moments_add(&times.elapsed, seconds);
	report_end(&options, &times);
}

static void end_round(struct stat_reader *reader, const struct pk_record *record)
{
	const struct perf_record_stat_round *round = (const void *)record->data;
	double seconds;

	if (record->size < sizeof(*round)) {
		pk_run_complain(reader->run, record, "too short");
		return;
	}
	seconds = (double)round->time / 1e9;
	if (round->type != STAT_ROUND_FINAL) {
		stat_cells_add_up(&reader->cells, true);
		print(reader, seconds - reader->last, seconds, false);
		reader->last = seconds;
	} else if (!reader->interval) {
		stat_cells_add_up(&reader->cells, false);
		print(reader, seconds, -1, false);
	}
}

static void end_session(struct pk_run *run)
{
	struct stat_reader *reader = run->arg;

	if (reader->ready && reader->interval && reader->options->print.summary) {
		stat_cells_add_up(&reader->cells, false);
		print(reader, reader->last, -1, true);
	}
	if (!reader->stat && !reader->failed) {
		pk_error("%s: no counts: pk-stat prints what perf stat record or pk-stat --stream "
			 "has written",
			 run->input.name);
		reader->failed = true;
	}
	forget_session(reader);
}

static enum pk_status read_record(struct pk_run *run, const struct pk_record *record)
{
	struct stat_reader *reader = run->arg;
	bool ok = true;

	switch (record->type) {
	case PERF_RECORD_EVENT_UPDATE:
		ok = reader->ready || note_update(reader, record) == PK_OK;
		/* fallthrough */
	case PERF_RECORD_HEADER_FEATURE: note_feature(reader, record); break;
	case PERF_RECORD_CPU_MAP: note_cpus(reader, record); break;
	case PERF_RECORD_THREAD_MAP: note_threads(reader, record); break;
	case PERF_RECORD_STAT_CONFIG: note_config(reader, record); break;
	case PERF_RECORD_STAT:
	case PERF_RECORD_STAT_ROUND:
		ok = get_ready(reader) == PK_OK;
		if (ok && record->type == PERF_RECORD_STAT)
			note_count(reader, record);
		else if (ok)
			end_round(reader, record);
		break;
	default: break;
	}
	if (ok)
		return PK_OK;
	reader->failed = true;
	run->enough = true;
	return PK_END;
}

int stat_read(struct stat_options *options)
{
	struct pk_run run = {
		.files = options->inputs, .record = read_record, .session_end = end_session};
	struct stat_reader reader = {.options = options, .run = &run, .by = 1};
	int result;

	while (options->inputs[run.files_count])
		run.files_count++;
	run.arg = &reader;
	result = pk_run(&run);
	if (reader.failed && !result)
		result = PK_EXIT_FAILED;
	forget_session(&reader);
	return result;
}
