// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "timeline.h"
#include "vector.h"

/* ---- Counts ---- */

/* Returns the line of an event. Events with the same name share a line. Returns NULL if no line is
 * left. If memory is exhausted, returns NULL and sets *failed. */
static struct counter_line *find_line(struct counter_lines *lines, const struct pk_event *event,
				      bool *failed)
{
	uint64_t number = pk_table_get_u64(&lines->of_event, (uintptr_t)event);
	const size_t size = strlen(event->name);

	for (size_t i = 0; !number && i < lines->count; i++)
		if (lines->items[i].name.size == size &&
		    !memcmp(lines->items[i].name.data, event->name, size))
			number = i + 1;
	if (!number && lines->count == COUNTERS_MAX) {
		lines->dropped++;
		return NULL;
	}
	if (!number) {
		*failed = pk_vector_reserve(lines, 1) != PK_OK;
		if (*failed)
			return NULL;
		lines->items[lines->count] = (struct counter_line){.join = 1};
		buffer_add(&lines->items[lines->count].name, event->name, size);
		number = ++lines->count;
	}
	*failed = lines->items[number - 1].name.failed ||
		  pk_table_set_u64(&lines->of_event, (uintptr_t)event, number) != PK_OK;
	return *failed ? NULL : &lines->items[number - 1];
}

static bool add_count(struct counter_lines *lines, const struct pk_events *events,
		      const struct perf_record_stat *stat)
{
	const struct pk_event *event = pk_events_by_id(events, stat->id);
	bool failed = false;
	struct counter_line *line = event ? find_line(lines, event, &failed) : NULL;
	double value = (double)stat->value;

	if (!line)
		return !failed;
	if (stat->running && stat->running < stat->enabled)
		value *= (double)stat->enabled / (double)stat->running;
	line->now += value;
	return true;
}

/* Joins each two neighbouring points into one. */
static void halve(struct counter_line *line)
{
	size_t count = 0;

	for (size_t i = 0; i + 1 < line->count; i += 2) {
		struct counter_point point = line->points[i];

		point.end = line->points[i + 1].end;
		point.count += line->points[i + 1].count;
		line->points[count++] = point;
	}
	if (line->count % 2)
		line->points[count++] = line->points[line->count - 1];
	else
		line->open = 0;
	line->count = count;
	line->join *= 2;
}

static enum pk_status end_round(struct counter_line *line, uint64_t from, uint64_t time)
{
	/* If the event was not counted in this round, there is no STAT record for it, and `now` is
	 * 0. */
	const double count = line->now > line->before ? line->now - line->before : 0;
	struct counter_point *last;

	line->before = line->now > 0 ? line->now : line->before;
	line->now = 0;
	if (line->open && line->open < line->join) {
		last = &line->points[line->count - 1];
		last->count += count;
		last->end = time;
		line->open++;
		return PK_OK;
	}
	if (line->count == COUNTER_POINTS_MAX)
		halve(line);
	PK_TRY(pk_reserve(&line->points, &line->capacity, line->count, 1, sizeof(*line->points)));
	line->points[line->count++] = (struct counter_point){from, time, count};
	line->open = 1;
	return PK_OK;
}

/* Evaluates a STAT or STAT_ROUND record, and ignores other records. */
static enum pk_status counter_lines_record(struct counter_lines *lines,
					   const struct pk_events *events,
					   const struct pk_record *record)
{
	const struct perf_record_stat_round *round = (const void *)record->data;
	uint64_t time;

	if (record->type == PERF_RECORD_STAT && record->size >= sizeof(struct perf_record_stat))
		return add_count(lines, events, (const void *)record->data) ? PK_OK : PK_NOMEM;
	if (record->type != PERF_RECORD_STAT_ROUND || record->size < sizeof(*round) ||
	    round->type != 0 || __builtin_add_overflow(round->time, lines->base, &time) ||
	    time <= lines->last)
		return PK_OK;
	for (size_t i = 0; i < lines->count; i++)
		PK_TRY(end_round(&lines->items[i], lines->last, time));
	lines->last = time;
	return PK_OK;
}

/* Called at the end of a session. */
static void counter_lines_end_session(struct counter_lines *lines)
{
	pk_table_clear(&lines->of_event);
	lines->base = lines->last;
	for (size_t i = 0; i < lines->count; i++)
		lines->items[i].now = lines->items[i].before = 0;
}

static void counter_lines_free(struct counter_lines *lines)
{
	for (size_t i = 0; i < lines->count; i++) {
		free(lines->items[i].name.data);
		free(lines->items[i].points);
	}
	free(lines->items);
	pk_table_free(&lines->of_event);
}

/* ---- Reading ---- */

/* Limits so that the file has less than 3 MB. */
#define PIECES_BYTES 2850000
#define ARROW_BYTES  90

/* Spans of these events exclude each other in a thread. So they share a row. */
static const char *const states[] = {"run", "delay", "sleep", "offcpu"};

/* ---- Kinds ---- */

const char *timeline_kind_name(const struct timeline *timeline, unsigned int kind)
{
	return pk_texts_get(&timeline->names, timeline->kinds[kind].name, NULL);
}

static bool is_state(const char *name)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (!strcmp(name, states[i]))
			return true;
	return false;
}

static bool is_syscall(const char *name)
{
	return !strcmp(name, "syscall");
}

/* Returns the row of a kind. In lanes of threads, all states share row 0. */
static uint16_t find_row(struct timeline *timeline, const char *name)
{
	if (timeline->lanes.threads && is_state(name))
		return 0;
	return (uint16_t)timeline->rows++;
}

/* Returns the number of the kind of an event's spans, plus 1. Returns 0 if memory is exhausted. */
static uint16_t find_kind(struct timeline *timeline, const struct pk_event *event)
{
	const char *name = event_short_name(event);
	uint32_t number = piece_name(&timeline->names, name, strlen(name));
	struct timeline_kind *kind;

	if (!number)
		return 0;
	for (unsigned int i = 0; i < timeline->kinds_count; i++)
		if (timeline->kinds[i].name == number || i == TIMELINE_KINDS - 1)
			return (uint16_t)(i + 1);
	kind = &timeline->kinds[timeline->kinds_count];
	*kind = (struct timeline_kind){.name = number, .row = find_row(timeline, name)};
	kind->is_task = is_state(name);
	kind->is_state = is_syscall(name) ? false : timeline->lanes.threads || !is_state(name);
	return (uint16_t)++timeline->kinds_count;
}

static uint16_t kind_of(struct timeline *timeline, const struct pk_event *event)
{
	const size_t index = event->index;

	if (pk_extend(&timeline->kind_of_event, &timeline->kind_of_event_count, index) != PK_OK)
		return 0;
	if (!timeline->kind_of_event[index])
		timeline->kind_of_event[index] = find_kind(timeline, event);
	return timeline->kind_of_event[index];
}

/* ---- Spans ---- */

/* Returns the name of a piece: the name of the state, or the name of the span, such as its system
 * call. In lanes of processors, a state has the name of its task. Returns 0 if memory is exhausted.
 */
static uint32_t name_of(struct timeline *timeline, struct pk_view *view,
			const struct timeline_kind *kind)
{
	struct pk_bytes text;

	if (kind->is_state)
		return kind->name;
	if (kind->is_task) {
		const struct pk_binding *binding =
			pk_column_bind(&timeline->comm, view->context, view->counted);

		if (!binding)
			return 0;
		if (!pk_view_text(view, binding, &text))
			return kind->name;
	} else {
		text = span_times_name(&timeline->times, view);
	}
	return piece_name(&timeline->names, (const char *)text.data, text.size);
}

static void extend(struct timeline *timeline, uint64_t start, uint64_t end)
{
	if (!timeline->last || start < timeline->first)
		timeline->first = start;
	if (end > timeline->last)
		timeline->last = end;
}

static enum pk_status add_sum(struct timeline *timeline, const struct piece *piece)
{
	struct lane *lane = lanes_get(&timeline->lanes, piece->lane);
	struct timeline_sum *sums = lane->data;
	const uint64_t time = piece->end - piece->start;

	if (!sums)
		lane->data = sums = calloc(TIMELINE_KINDS, sizeof(*sums));
	if (!sums)
		return PK_NOMEM;
	sums[piece->group].time += time;
	sums[piece->group].count++;
	lane->time += time;
	lane->count++;
	return PK_OK;
}

static enum pk_status add_span(struct timeline *timeline, struct pk_view *view,
			       const struct span_extent *extent)
{
	const uint16_t kind = kind_of(timeline, view->counted);
	struct piece piece = {.start = extent->start, .end = extent->end};
	bool failed;

	if (!kind)
		return PK_NOMEM;
	piece.lane = lanes_of(&timeline->lanes, view, NULL, &failed);
	if (failed)
		return PK_NOMEM;
	timeline->spans++;
	if (!piece.lane)
		return PK_OK;
	piece.group = kind - 1;
	piece.row = timeline->kinds[kind - 1].row;
	piece.name = name_of(timeline, view, &timeline->kinds[kind - 1]);
	extend(timeline, piece.start, piece.end);
	return piece.name && add_sum(timeline, &piece) == PK_OK &&
			       pieces_add(&timeline->pieces, piece) == PK_OK
		       ? PK_OK
		       : PK_NOMEM;
}

/* ---- Wakeups ---- */

/* Formats the text of the lane of the task that is woken. Returns false if the event has no such
 * field. */
static bool woken_text(struct timeline *timeline, struct pk_view *view, char *text, size_t *size)
{
	struct pk_column *column = timeline->lanes.threads ? &timeline->woken : &timeline->target;
	const struct pk_binding *binding = pk_column_bind(column, view->context, view->counted);
	uint64_t key;

	if (!binding)
		view->context->failed = true;
	if (!binding || binding->kind == PK_VALUE_NONE || binding->kind == PK_VALUE_TEXT ||
	    !pk_view_key(view, binding, &key))
		return false;
	*size = timeline->lanes.threads ? 0 : 4;
	memcpy(text, "CPU ", *size);
	*size += pk_number_text(binding->kind, key, text + *size);
	return true;
}

static bool has_wakeups(const struct timeline *timeline, const struct pk_view *view)
{
	const struct pk_groups *groups = timeline->lanes.groups;
	const struct pk_field *field = groups->columns[0].reference.field;

	return !strncmp(event_short_name(view->counted), "sched_wak", 9) &&
	       groups->columns_count == 1 && field &&
	       (timeline->lanes.threads || !strcmp(field->name, "cpu"));
}

static enum pk_status add_wakeup(struct timeline *timeline, struct pk_view *view, uint64_t time)
{
	char text[PK_VALUE_SIZE + 4];
	struct piece arrow = {.start = time, .end = time};
	bool failed;
	size_t size;

	if (!woken_text(timeline, view, text, &size))
		return PK_OK;
	arrow.lane = lanes_of(&timeline->lanes, view, NULL, &failed);
	arrow.name = piece_name(&timeline->names, text, size);
	if (failed || !arrow.name)
		return PK_NOMEM;
	arrow.group = (uint16_t)arrow.name;
	arrow.row = (uint16_t)(arrow.name >> 16);
	return !arrow.lane || pieces_add(&timeline->arrows, arrow) == PK_OK ? PK_OK : PK_NOMEM;
}

/* ---- The loop ---- */

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct timeline *timeline = arg;
	struct span_extent extent;

	(void)weight;
	if (!span_times_of(&timeline->times, view, &extent)) {
		timeline->lanes.without_time++;
		return PK_OK;
	}
	pk_counted_samples_add(&timeline->samples, view);
	if (extent.is_span)
		return add_span(timeline, view, &extent);
	if (has_wakeups(timeline, view))
		return add_wakeup(timeline, view, extent.end);
	timeline->other++;
	return PK_OK;
}

static enum pk_status count_record(void *arg, const struct pk_record *record)
{
	struct timeline *timeline = arg;
	const struct pk_reader *reader = timeline->tail.run->reader;

	if (record->type != PERF_RECORD_SAMPLE) {
		PK_TRY(plot_origin_record(&timeline->origin, reader, record));
		PK_TRY(counter_lines_record(&timeline->counters, pk_reader_events(reader), record));
	}
	return pk_tail_evaluate(&timeline->tail, record);
}

static enum pk_status forget(void *arg)
{
	struct timeline *timeline = arg;

	lanes_forget(&timeline->lanes);
	free(timeline->kind_of_event);
	timeline->kind_of_event = NULL;
	timeline->kind_of_event_count = 0;
	return PK_OK;
}

static enum pk_status end_session(void *arg)
{
	struct timeline *timeline = arg;

	counter_lines_end_session(&timeline->counters);
	pk_counted_samples_end_session(&timeline->samples);
	return PK_OK;
}

static enum pk_status set_up(struct timeline *timeline)
{
	timeline->rows = 1;
	timeline->selection.weigh.each_event = true;
	timeline->tail = (struct pk_tail){.options = &timeline->selection,
					  .needs = PK_NEED_FORMATS | PK_NEED_NAMES | PK_NEED_TASKS,
					  .arg = timeline,
					  .sample = count_sample,
					  .record = count_record,
					  .forget = forget,
					  .session_end = end_session,
					  .report = plot_report,
					  .done = "drawn"};
	PK_TRY(lanes_init(&timeline->lanes, &timeline->tail));
	PK_TRY(span_times_init(&timeline->times));
	PK_TRY(pk_reference_parse(&timeline->woken.reference, "trace.pid", 9));
	PK_TRY(pk_reference_parse(&timeline->target.reference, "trace.target_cpu", 16));
	return pk_reference_parse(&timeline->comm.reference, "comm", 4);
}

int timeline_read(struct timeline *timeline, struct pk_run *run)
{
	const struct counter_lines *counters = &timeline->counters;
	int result;

	if (set_up(timeline) != PK_OK)
		return pk_no_memory();
	result = pk_tail_read(&timeline->tail, run);
	if (counters->count)
		extend(timeline, timeline->first, timeline->first + counters->last);
	pieces_sort(&timeline->arrows);
	return pieces_fit(&timeline->pieces, PIECES_BYTES - timeline->arrows.count * ARROW_BYTES) ==
			       PK_OK
		       ? result
		       : pk_no_memory();
}

int timeline_free(struct timeline *timeline, int status)
{
	pieces_free(&timeline->pieces);
	pieces_free(&timeline->arrows);
	lanes_free(&timeline->lanes);
	counter_lines_free(&timeline->counters);
	pk_texts_free(&timeline->names);
	span_times_free(&timeline->times);
	pk_column_free(&timeline->woken);
	pk_column_free(&timeline->target);
	pk_column_free(&timeline->comm);
	plot_origin_free(&timeline->origin);
	pk_counted_samples_free(&timeline->samples);
	free(timeline->kind_of_event);
	pk_tail_options_free(&timeline->selection);
	return pk_tail_free(&timeline->tail, status);
}
