// SPDX-License-Identifier: BSD-2-Clause
/* The processed format of the Firefox Profiler, version 70 (src/types/profile.ts of
 * https://github.com/firefox-devtools/profiler). It is a JSON object. It has a profile for each
 * thread, and tables of stacks, frames and functions, which all threads share. */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "firefox_markers.h"
#include "scaled_time.h"
#include "stat_rounds.h"
#include "vector.h"

#define FORMAT_VERSION "70"
#define GECKO_VERSION  "36" /* version of Firefox's own format; the profiler requires one */

struct firefox {
	struct exporter base;
	struct firefox_markers markers;
	struct firefox_tables tables;
	struct pk_stat_rounds rounds;
	struct counter {
		struct buffer times, counts; /* lists of numbers */
		uint64_t count;		     /* number of items in each list */
	} * counters; /* the counters; the index is the number of the event in `rounds` */
	size_t counters_count;
	struct thread {
		uint32_t row;
		/* The samples of the thread; NULL if it has only markers. */
		const struct track *track;
		size_t from, to; /* the thread's range of indexes in the list of markers */
	} * items;		 /* the threads */
	size_t count, capacity;
	uint64_t counted; /* end of the last count, in ns after the start of the profile */
	uint64_t zero;	  /* start of the profile, in ns */
	char machine[64]; /* name of the recorded machine */
	struct column_of {
		bool known;
		unsigned int column;
	} comm, pid, tid;      /* the columns of --by that have these fields */
	struct pk_table mains; /* the key is a pid, and the value is the index of its main thread in
				* `items`, plus 1 */
	struct buffer text;
};

static struct json *json_of(struct firefox *f)
{
	return &f->base.out.json;
}

/* ---- Threads ---- */

static struct column_of find_column(const struct firefox *f, const char *field)
{
	for (unsigned int i = 0; i < f->base.samples.rows.columns_count; i++)
		if (!strcmp(samples_label(&f->base.samples, i), field))
			return (struct column_of){true, i};
	return (struct column_of){0};
}

/* Returns the number in a column of the row, or 0 if it is unknown. */
static uint64_t number_of(const struct firefox *f, const struct column_of *column, uint32_t row)
{
	struct pk_row_value value = {0};

	if (column->known && row)
		value = pk_rows_value(&f->base.samples.rows, row, column->column);
	return value.kind == PK_VALUE_INT ? value.number : 0;
}

static enum pk_status add_thread(struct firefox *f, uint32_t row, const struct track *track)
{
	const uint64_t pid = number_of(f, &f->pid, row), tid = number_of(f, &f->tid, row);

	PK_TRY(pk_vector_reserve(f, 1));
	f->items[f->count++] = (struct thread){.row = row, .track = track};
	return pid != tid || !f->pid.known || !f->tid.known || pk_table_get_u64(&f->mains, pid)
		       ? PK_OK
		       : pk_table_set_u64(&f->mains, pid, f->count);
}

/* Adds the markers with each row of labels to the first thread with this row. */
static enum pk_status add_markers(struct firefox *f, uint32_t **of_rows, size_t *rows)
{
	const struct firefox_markers *markers = &f->markers;

	for (size_t i = 0, from; i < markers->count;) {
		const uint32_t row = markers->items[i].row;

		for (from = i; i < markers->count && markers->items[i].row == row;)
			i++;
		PK_TRY(pk_extend(of_rows, rows, row));
		if (!(*of_rows)[row])
			PK_TRY(add_thread(f, row, NULL));
		if (!(*of_rows)[row])
			(*of_rows)[row] = (uint32_t)f->count;
		f->items[(*of_rows)[row] - 1].from = from;
		f->items[(*of_rows)[row] - 1].to = i;
	}
	return PK_OK;
}

static void make_threads(struct firefox *f)
{
	uint32_t *of_rows = NULL; /* for each row of labels, the index of the first thread with this
				   * row, plus 1 */
	size_t rows = 0;
	bool made = true;

	f->comm = find_column(f, "comm");
	f->pid = find_column(f, "pid");
	f->tid = find_column(f, "tid");
	for (size_t i = 0; i < f->base.tracks.count && made; i++) {
		const struct track *track = &f->base.tracks.items[i];

		made = pk_extend(&of_rows, &rows, track->row) == PK_OK &&
		       add_thread(f, track->row, track) == PK_OK;
		if (made && !of_rows[track->row])
			of_rows[track->row] = (uint32_t)f->count;
	}
	firefox_markers_sort(&f->markers);
	made = made && add_markers(f, &of_rows, &rows) == PK_OK;
	/* A counter belongs to a thread, and the profiler does not open a profile without threads.
	 * So there is at least one thread. */
	if (made && !f->count)
		made = add_thread(f, 0, NULL) == PK_OK;
	f->base.failed |= !made;
	free(of_rows);
}

/* ---- Samples ---- */

enum weight_type { WEIGHT_SAMPLES, WEIGHT_MS, WEIGHT_BYTES };

static enum weight_type weight_type_of(const struct series *series)
{
	if (!strcmp(series->unit, "nanoseconds") || !strcmp(series->unit, "duration"))
		return WEIGHT_MS;
	return strstr(series->unit, "bytes") ? WEIGHT_BYTES : WEIGHT_SAMPLES;
}

static bool all_are_one(const struct track *track)
{
	for (size_t i = 0; i < track->count; i++)
		if (track->items[i].weight != 1)
			return false;
	return true;
}

static void put_weights(struct firefox *f, const struct track *track, enum weight_type type)
{
	struct json *json = json_of(f);

	if (type == WEIGHT_SAMPLES && all_are_one(track)) {
		json_word(json, "weight", "null");
		return;
	}
	json_open(json, "weight", '[');
	for (size_t i = 0; i < track->count; i++) {
		if (type == WEIGHT_MS)
			json_time(json, NULL, track->items[i].weight, 6);
		else
			json_number(json, NULL, track->items[i].weight);
		output_part(&f->base.out);
	}
	json_close(json, ']');
}

/* For events that are clocks: writes, for each sample, for how long the thread ran since the
 * previous sample, in ns. */
static void put_processor_times(struct firefox *f, const struct track *track)
{
	struct json *json = json_of(f);

	json_line(json);
	json_open(json, "threadCPUDelta", '[');
	for (size_t i = 0; i < track->count; i++) {
		json_number(json, NULL, track->items[i].weight);
		output_part(&f->base.out);
	}
	json_close(json, ']');
}

static void put_stacks(struct firefox *f, const struct track *track)
{
	struct json *json = json_of(f);

	json_line(json);
	json_open(json, "stack", '[');
	for (size_t i = 0; i < track->count; i++) {
		const uint32_t stack = firefox_stack(&f->tables, track->items[i].stack);

		if (stack)
			json_number(json, NULL, stack - 1);
		else
			json_word(json, NULL, "null");
		output_part(&f->base.out);
	}
	json_close(json, ']');
}

static void put_times(struct firefox *f, const struct track *track)
{
	struct json *json = json_of(f);

	json_line(json);
	json_open(json, "time", '[');
	for (size_t i = 0; i < track->count; i++) {
		const uint64_t time = track->items[i].time;

		json_time(json, NULL, time > f->zero ? time - f->zero : 0, 6);
		output_part(&f->base.out);
	}
	json_close(json, ']');
}

static void put_samples(struct firefox *f, const struct track *track)
{
	static const char *const names[] = {"samples", "tracing-ms", "bytes"};
	const enum weight_type type =
		track ? weight_type_of(&f->base.samples.series[track->series]) : WEIGHT_SAMPLES;
	static const struct track none;
	struct json *json = json_of(f);

	track = track ? track : &none;
	json_line(json);
	json_open(json, "samples", '{');
	json_number(json, "length", track->count);
	json_plain(json, "weightType", names[type]);
	put_stacks(f, track);
	put_times(f, track);
	json_line(json);
	put_weights(f, track, type);
	if (type == WEIGHT_MS && f->base.samples.series[track->series].is_clock)
		put_processor_times(f, track);
	json_close(json, '}');
}

static int compare_times(const void *left, const void *right)
{
	const struct track_sample *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->stack < b->stack ? -1 : a->stack > b->stack;
}

/* Sorts the samples by time. Times of a second session can be earlier than those of the first
 * session. */
static void sort_track(struct track *track)
{
	for (size_t i = 1; i < track->count; i++) {
		if (track->items[i].time >= track->items[i - 1].time)
			continue;
		qsort(track->items, track->count, sizeof(*track->items), compare_times);
		return;
	}
}

/* ---- A thread ---- */

/* Sets f->text to the name of the thread. If the name is unknown, sets it to the labels. */
static void name_thread(struct firefox *f, const struct thread *thread)
{
	struct pk_row_value value = {0};
	const char *name;
	size_t size;

	f->text.size = 0;
	if (f->comm.known && thread->row)
		value = pk_rows_value(&f->base.samples.rows, thread->row, f->comm.column);
	if (value.kind == PK_VALUE_TEXT) {
		name = pk_texts_get(&f->base.samples.rows.texts, (uint32_t)value.number, &size);
		buffer_add(&f->text, name, size);
	} else if (thread->row) {
		samples_labels_text(&f->base.samples, thread->row, &f->text);
	}
	if (!f->text.size)
		buffer_text(&f->text, thread->row ? "all" : "(none)");
}

/* Writes f->text as the value of a key. */
static void put_text(struct firefox *f, const char *key)
{
	f->base.failed |= f->text.failed;
	json_bytes(json_of(f), key, f->text.data, f->text.size);
}

static void put_thread_name(struct firefox *f, const struct thread *thread)
{
	name_thread(f, thread);
	if (thread->track && f->base.samples.series_count > 1) {
		buffer_text(&f->text, " (");
		buffer_text(&f->text, f->base.samples.series[thread->track->series].event);
		buffer_text(&f->text, ")");
	}
	put_text(f, "name");
}

static void put_pid(struct firefox *f, const struct thread *thread)
{
	struct json *json = json_of(f);

	json_key(json, "pid");
	buffer_char(json->out, '"');
	buffer_signed(json->out, (int64_t)number_of(f, &f->pid, thread->row), 0);
	buffer_char(json->out, '"');
}

static void put_thread(struct firefox *f, const struct thread *thread)
{
	const uint64_t pid = number_of(f, &f->pid, thread->row);
	const size_t index = (size_t)(thread - f->items);
	const size_t main = f->pid.known && f->tid.known ? pk_table_get_u64(&f->mains, pid) : 0;
	struct json *json = json_of(f);

	json_line(json);
	json_open(json, NULL, '{');
	json_plain(json, "processType", "default");
	json_word(json, "processStartupTime", "0");
	json_word(json, "processShutdownTime", "null");
	json_word(json, "registerTime", "0");
	json_word(json, "unregisterTime", "null");
	json_word(json, "pausedRanges", "[]");
	json_word(json, "showMarkersInTimeline", "true");
	put_thread_name(f, thread);
	json_bool(json, "isMainThread", main == index + 1);
	if (main) {
		name_thread(f, &f->items[main - 1]);
		put_text(f, "processName");
	}
	put_pid(f, thread);
	json_signed(json, "tid",
		    f->tid.known ? (int64_t)number_of(f, &f->tid, thread->row) : (int64_t)index);
	put_samples(f, thread->track);
	json_line(json);
	firefox_markers_write(&f->markers, &f->tables, &f->base.samples, f->zero, thread->from,
			      thread->to);
	json_close(json, '}');
}

/* ---- Counters ---- */

/* The callback pk_stat_rounds.count. It adds a count to the lists of its counter. */
static enum pk_status add_count(void *arg, const struct pk_stat_count *count)
{
	struct firefox *f = arg;
	struct counter *counter;

	PK_TRY(pk_extend(&f->counters, &f->counters_count, count->number));
	counter = &f->counters[count->number];
	/* The profiler shows the rate between two items, so the first item is the start with a
	 * count of 0. */
	if (!counter->count++) {
		scaled_time(&counter->times, count->start, 6);
		buffer_text(&counter->counts, "0");
		counter->count++;
	}
	buffer_char(&counter->times, ',');
	scaled_time(&counter->times, count->end, 6);
	buffer_char(&counter->counts, ',');
	buffer_decimal(&counter->counts, count->count, 0);
	f->base.samples.tail.has_others = true;
	f->counted = count->end;
	if (counter->times.failed)
		return PK_NOMEM;
	return counter->counts.failed ? PK_NOMEM : PK_OK;
}

static void put_list(struct json *json, const char *key, const struct buffer *numbers)
{
	json_line(json);
	json_open(json, key, '[');
	buffer_add(json->out, numbers->data, numbers->size);
	json_close(json, ']');
}

static void put_counter(struct firefox *f, uint32_t number)
{
	const struct counter *counter = &f->counters[number];
	struct json *json = json_of(f);
	size_t size;
	const char *name = pk_texts_get(&f->rounds.names, number, &size);

	json_open(json, NULL, '{');
	json_bytes(json, "name", name, size);
	json_known(json, "'category':'Events','description':'counted by pk-stat'");
	put_pid(f, f->items);
	json_number(json, "mainThreadIndex", 0);
	json_open(json, "samples", '{');
	json_number(json, "length", counter->count);
	put_list(json, "time", &counter->times);
	put_list(json, "count", &counter->counts);
	json_close(json, '}');
	json_line(json);
	json_open(json, "display", '{');
	json_known(json, "'graphType':'line-rate','unit':'','color':'grey',"
			 "'markerSchemaLocation':null,'sortWeight':0");
	json_bytes(json, "label", name, size);
	json_known(json, "'tooltipRows':[{'type':'value','source':'count','format':{'unit':"
			 "'number'},'label':'count'},{'type':'value','source':'rate',"
			 "'format':{'unit':'number'},'label':'per millisecond'}]");
	json_close(json, '}');
	json_close(json, '}');
	output_part(&f->base.out);
}

static void put_counters(struct firefox *f)
{
	struct json *json = json_of(f);
	bool open = false;

	for (uint32_t i = 1; i < f->counters_count; i++) {
		if (!f->counters[i].count)
			continue;
		json_line(json);
		if (!open)
			json_open(json, "counters", '[');
		open = true;
		put_counter(f, i);
	}
	if (open)
		json_close(json, ']');
}

/* ---- The format ---- */

/* Writes the time between two samples in milliseconds: the period of the event if it is a clock,
 * and otherwise 1. The profiler uses it for the height of its graphs. */
static void put_interval(struct firefox *f)
{
	uint64_t interval = 1000000;

	for (size_t i = f->base.samples.series_count; i; i--) {
		const struct series *series = &f->base.samples.series[i - 1];

		if (series->is_clock && series->period)
			interval = series->period;
	}
	json_time(json_of(f), "interval", interval, 6);
}

/* Writes the member "meta". `last` is in ns after the start of the profile. */
static void put_meta(struct firefox *f, uint64_t last)
{
	const uint64_t offset = f->base.samples.wall_offset;
	struct json *json = json_of(f);

	json_open(json, "meta", '{');
	json_known(json,
		   "'product':'pk','importedFrom':'pk-export " PK_VERSION
		   "','version':" GECKO_VERSION ",'preprocessedProfileVersion':" FORMAT_VERSION
		   ",'processType':0,'stackwalk':1,'debug':false,'symbolicated':true,"
		   "'usesOnlyOneStackType':true,'sourceCodeIsNotOnSearchfox':true,"
		   "'keepProfileThreadOrder':false");
	json_line(json);
	put_interval(f);
	json_time(json, "startTime", offset ? f->zero + offset : 0, 6);
	json_number(json, "profilingStartTime", 0);
	/* The profiler treats the end as the first time after the profile, so 1 is added. */
	json_time(json, "profilingEndTime", (last > f->counted ? last : f->counted) + 1, 6);
	if (f->machine[0])
		json_text(json, "abi", f->machine);
	json_known(json, "'platform':'Linux','oscpu':'Linux'");
	json_line(json);
	json_known(json, "'sampleUnits':{'time':'ms','eventDelay':'ms','threadCPUDelta':'ns'}");
	json_line(json);
	json_known(json, "'categories':["
			 "{'name':'Other','color':'grey','subcategories':['Other','Guest']},"
			 "{'name':'User','color':'yellow','subcategories':['Other','Guest']},"
			 "{'name':'Kernel','color':'orange','subcategories':['Other','Guest']},"
			 "{'name':'JIT','color':'lightblue','subcategories':['Other','Guest']}]");
	json_line(json);
	firefox_markers_schemas(&f->markers, &f->base.samples, &f->base.out);
	json_close(json, '}');
}

/* Sorts the samples of all threads, and finds the earliest time. Returns the latest time in ns. */
static uint64_t sort_times(struct firefox *f)
{
	uint64_t last = f->markers.last;

	f->zero = f->markers.first;
	for (size_t i = 0; i < f->base.tracks.count; i++) {
		struct track *track = &f->base.tracks.items[i];
		size_t at = 0;

		sort_track(track);
		while (at < track->count && !track->items[at].time)
			at++;
		if (at == track->count)
			continue;
		if (!f->zero || track->items[at].time < f->zero)
			f->zero = track->items[at].time;
		if (track->items[track->count - 1].time > last)
			last = track->items[track->count - 1].time;
	}
	return last;
}

static void write_all(void *format)
{
	struct firefox *f = format;
	struct json *json = json_of(f);
	const uint64_t last = sort_times(f);

	f->tables.out = &f->base.out;
	f->tables.shared = &f->base.tables;
	f->base.tables.raw = true;
	f->tables.machine = f->machine;
	firefox_tables_read(&f->tables);
	make_threads(f);
	f->base.failed |= f->base.tables.failed;
	if (f->base.failed)
		return;
	json_open(json, NULL, '{');
	put_meta(f, last > f->zero ? last - f->zero : 0);
	put_counters(f);
	json_line(json);
	json_open(json, "threads", '[');
	for (size_t i = 0; i < f->count; i++)
		put_thread(f, &f->items[i]);
	json_close(json, ']');
	firefox_tables_write(&f->tables);
	json_close(json, '}');
	buffer_char(json->out, '\n');
	f->base.failed |= f->base.tables.failed;
}

static enum pk_status count_sample(void *arg, const struct export_sample *sample)
{
	struct firefox *f = arg;

	if (sample->stack)
		PK_TRY(tracks_add(&f->base.tracks, sample));
	return firefox_markers_add(&f->markers, sample);
}

/* Reads records that are not samples. The name of the machine comes from the first session that has
 * one. */
static enum pk_status read_record(void *arg, struct pk_run *run, const struct pk_record *record)
{
	struct firefox *f = arg;
	const struct pk_session *session =
		pk_context_session(&f->base.samples.tail.profile.context);

	if (!f->machine[0] && session && record->type == PERF_RECORD_HEADER_FEATURE)
		memcpy(f->machine, pk_session_machine(session)->machine, sizeof(f->machine));
	return pk_stat_rounds_record(&f->rounds, pk_reader_events(run->reader), record);
}

static int start(void *format)
{
	struct firefox *f = format;

	f->rounds.arg = f;
	f->rounds.count = add_count;
	return PK_CONTINUE;
}

static int end(void *format, int result)
{
	struct firefox *f = format;

	for (size_t i = 0; i < f->counters_count; i++) {
		free(f->counters[i].times.data);
		free(f->counters[i].counts.data);
	}
	free(f->counters);
	pk_stat_rounds_free(&f->rounds);
	firefox_markers_free(&f->markers);
	firefox_tables_free(&f->tables);
	pk_table_free(&f->mains);
	free(f->items);
	free(f->text.data);
	return result;
}

#define AT(member) PK_AT(struct firefox, member)

static const struct pk_option rows[] = {
	PK_TITLE("The profiles"),
	{0, "by", "FIELD,...", PK_CALL, "a profile for each of these (default: comm,pid,tid); none",
	 AT(base.options.tail), .parse = pk_set_by},
	{.kind = PK_ROWS, .rows = export_sample_rows},
	PK_OPTIONS_END,
};

const struct export_format export_firefox = {
	.name = "firefox",
	.description = "profile for profiler.firefox.com, with markers and counters",
	.by = "comm,pid,tid",
	.command = {.usage = "Usage: pk-export firefox [OPTION...] [FILE...]\n\n"
			     "Writes JSON for the Firefox Profiler, with a profile for each thread "
			     "and event.\n",
		    .options = rows,
		    .examples = "  pk-record -F 999 -g -- ./app | pk-symbolize --lines | pk-export "
				"firefox -o app.json.gz\n"
				"  pk-record -e 'raw_syscalls:*' -- ./app | pk-span syscalls | "
				"pk-export firefox -o app.json.gz\n"},
	.size = sizeof(struct firefox),
	.output = OUTPUT_TEXT,
	.needs = PK_NEED_FORMATS | PK_NEED_TASKS,
	.stackless = true,
	.start = start,
	.sample = count_sample,
	.record = read_record,
	.write = write_all,
	.end = end,
};
