// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "counters.h"
#include "lookups.h"
#include "options.h"
#include "paths.h"
#include "pkutil.h"
#include "samples.h"
#include "vector.h"
#include "where.h"

/* ---- Cells ---- */

static void add_limited(uint64_t *sum, uint64_t more)
{
	*sum = more > INT64_MAX - *sum ? INT64_MAX : *sum + more;
}

/* Returns NULL if memory is exhausted. */
static struct cell *find_cell(struct cells *cells, const struct cell *sample)
{
	const uint64_t key = pk_mix64(((uint64_t)sample->row << 32 | sample->stack) ^
					      pk_table_secret(&cells->numbers),
				      UINT64_C(0x9e3779b97f4a7c15) + sample->series);
	struct pk_probe probe = pk_table_probe(&cells->numbers, key);
	uint64_t number;

	while ((number = pk_probe_next(&probe))) {
		struct cell *cell = &cells->items[number - 1];

		if (cell->row == sample->row && cell->stack == sample->stack &&
		    cell->series == sample->series)
			return cell;
	}
	if (pk_vector_reserve(cells, 1) != PK_OK ||
	    pk_table_add(&cells->numbers, key, cells->count + 1) != PK_OK)
		return NULL;
	cells->items[cells->count] =
		(struct cell){.row = sample->row, .stack = sample->stack, .series = sample->series};
	return &cells->items[cells->count++];
}

enum pk_status cells_add(struct cells *cells, const struct cell *sample)
{
	struct cell *cell = find_cell(cells, sample);

	if (!cell)
		return PK_NOMEM;
	add_limited(&cell->samples, sample->samples);
	add_limited(&cell->weight, sample->weight);
	return PK_OK;
}

static int compare_cells(const void *left, const void *right)
{
	const struct cell *a = left, *b = right;

	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	if (a->stack != b->stack)
		return a->stack < b->stack ? -1 : 1;
	return (a->series > b->series) - (a->series < b->series);
}

void cells_sort(struct cells *cells)
{
	if (cells->count)
		qsort(cells->items, cells->count, sizeof(*cells->items), compare_cells);
	pk_table_free(&cells->numbers);
}

void cells_clear(struct cells *cells)
{
	cells->count = 0;
	pk_table_clear(&cells->numbers);
}

void cells_free(struct cells *cells)
{
	free(cells->items);
	pk_table_free(&cells->numbers);
}

/* ---- Options ---- */

static int set_frames(const struct pk_option *option, void *at, const char *text)
{
	struct sample_options *options = at;

	options->no_names = !strcmp(text, "address");
	options->addresses |= options->no_names;
	return options->no_names || !strcmp(text, "function") ? PK_CONTINUE
							      : pk_option_wrong(option, text);
}

#define AT(member) PK_AT(struct sample_options, member)

const struct pk_option sample_frames_row[] = {
	{0, "frames", "function|address", PK_CALL, "address: build-id and offset (function)",
	 .parse = set_frames, .wants = "function or address"},
	PK_OPTIONS_END,
};

const struct pk_option sample_rows[] = {
	PK_TITLE("Samples"),
	{.kind = PK_ROWS, .rows = pk_weight_row, AT(tail)},
	{0, "event", "GLOB", PK_CALL, "export these events (default: all)", AT(tail.weigh),
	 .parse = pk_add_event},
	{.kind = PK_ROWS, .rows = pk_where_row, AT(tail)},
	{0, "no-lines", NULL, PK_FLAG, "look up functions only", AT(tail.symbols.no_lines)},
	{0, "addresses", NULL, PK_FLAG, "a frame for each address, not for each function",
	 AT(addresses)},
	{.kind = PK_ROWS, .rows = pk_function_rows, AT(tail.symbols)},
	PK_OPTIONS_END,
};

/* ---- Series ---- */

static bool is_clock(const struct perf_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* Returns the number of the series with this name and unit. The first number is 1. Sets *new to
 * true if the series was added. */
static uint32_t number_series(struct export_samples *samples, const char *event, const char *unit,
			      bool *new)
{
	const size_t before = samples->series_names.count, size = strlen(event) + 1;
	struct buffer key = {0};
	uint32_t number = 0;

	buffer_add(&key, event, size);
	buffer_text(&key, unit);
	if (!key.failed)
		number = pk_texts_add(&samples->series_names, key.data, key.size);
	free(key.data);
	*new = number > before;
	return number;
}

/* Returns the number of the event's series. The first number is 1. Returns 0 if memory is
 * exhausted. */
static uint32_t add_series(struct export_samples *samples, const struct pk_event *event)
{
	const char *unit = pk_weights_unit_of(samples->tail.profile.weights, event);
	const struct perf_attr *attr = &event->attr;
	struct series *series;
	struct buffer name = {0};
	uint32_t number;
	bool new;

	if (!unit)
		return 0;
	pk_counter_name_add(
		&name, pk_reader_events(pk_context_reader(&samples->tail.profile.context)), event);
	buffer_char(&name, '\0');
	number = name.failed ? 0 : number_series(samples, name.data, unit, &new);
	free(name.data);
	if (!number || pk_reserve(&samples->series, &samples->series_capacity,
				  samples->series_count, 1, sizeof(*samples->series)) != PK_OK)
		return 0;
	if (!new)
		return number;
	series = &samples->series[samples->series_count++];
	series->event = pk_texts_get(&samples->series_names, number, NULL);
	series->unit = series->event + strlen(series->event) + 1;
	series->nanoseconds = !strcmp(series->unit, "nanoseconds");
	series->is_clock = is_clock(attr);
	series->period = attr->flags & PERF_ATTR_FREQ ? 0 : attr->sample_period;
	series->samples = series->weight = 0;
	return number;
}

/* Returns the number of the event's series. It is looked up once in each epoch of the context.
 * Returns 0 if memory is exhausted. */
static uint32_t series_of(struct export_samples *samples, const struct pk_event *event)
{
	const struct pk_context *context = &samples->tail.profile.context;
	uint32_t *number;

	if (pk_unlikely(samples->epoch != context->epoch)) {
		free(samples->of_events);
		samples->of_events = NULL;
		samples->of_events_count = 0;
		samples->epoch = context->epoch;
	}
	if (pk_extend(&samples->of_events, &samples->of_events_count, event->index) != PK_OK)
		return 0;
	number = &samples->of_events[event->index];
	if (pk_unlikely(!*number))
		*number = add_series(samples, event);
	return *number;
}

/* ---- Samples ---- */

static uint64_t time_of(const struct pk_view *view)
{
	const struct pk_layout *layout = &view->event->layout;
	const struct pk_record *record = view->record;
	const uint64_t time = layout->time && record->size >= layout->fixed_size
				      ? pk_load_u64(record->data + layout->time)
				      : 0;

	return time == PK_NO_TIME ? 0 : time;
}

static void note_time(struct export_samples *samples, uint64_t time)
{
	if (!time || samples->sessions > 1)
		return;
	if (!samples->first || time < samples->first)
		samples->first = time;
	if (time > samples->last)
		samples->last = time;
}

/* Returns the row of the sample's labels, or 0 if memory is exhausted. */
static uint32_t row_of(struct export_samples *samples, struct pk_view *view)
{
	const uint32_t group = pk_groups_of(&samples->tail.groups, view);

	return group ? pk_rows_of(&samples->rows, &samples->tail.groups, group, view->record->misc)
		     : 0;
}

/* Returns true if functions of the object can be looked up later, on any machine. This is possible
 * in a file with a build-id. Other functions are known only to the recorded machine. */
static bool has_file(const struct pk_dso *dso)
{
	return dso && dso->kind == PK_DSO_FILE && dso->build_id_size;
}

/* Returns a kernel address as an offset from the kernel's reference symbol. The address of this
 * symbol changes with each start of the machine. */
static uint64_t kernel_offset(const struct pk_session *session, uint64_t address)
{
	const struct pk_map *map = pk_space_find(pk_session_kernel(session), address);
	const uint64_t reference = map ? map->image->reference_address : 0;

	return map && map->image->kind == PK_DSO_KERNEL && address >= reference
		       ? address - reference
		       : address;
}

/* The function for pk_stack_copy.edit. It replaces functions by addresses, except functions that
 * are known only from the stream. */
static bool keep_address(void *arg, struct pk_frame *frame)
{
	const struct export_samples *samples = arg;
	const struct pk_dso *dso = pk_dictionary_get_dso(samples->copy.from, frame->dso);
	bool keep = true;

	if (has_file(dso)) {
		keep = !(frame->flags & PK_FRAME_INLINED);
		*frame = (struct pk_frame){.address = frame->address,
					   .dso = frame->dso,
					   .flags = frame->flags & ~PK_FRAME_INLINED};
	} else if (!frame->function && dso && dso->kind == PK_DSO_KERNEL &&
		   !(frame->flags & PK_FRAME_GUEST)) {
		frame->address = kernel_offset(pk_context_session(&samples->tail.profile.context),
					       frame->address);
	}
	return keep;
}

/* Sets *copy to the sample's stack in samples->names, or to 0 if the sample has no stack. */
static enum pk_status copy_stack(struct export_samples *samples, struct pk_view *view,
				 uint32_t *copy)
{
	const struct pk_context *context = view->context;
	const uint32_t stack = samples->no_stacks ? PK_NO_STACK : pk_view_stack(view);
	bool failed = false;

	*copy = 0;
	if (pk_unlikely(stack == PK_NO_STACK))
		return context->failed ? PK_NOMEM : PK_OK;
	samples->copy.from = pk_source_dictionary(&context->stacks);
	*copy = pk_stack_copy(&samples->copy, pk_source_id(&context->stacks, stack), &failed);
	return failed ? PK_NOMEM : PK_OK;
}

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct export_samples *samples = arg;
	struct export_sample sample = {.weight = weight, .time = time_of(view), .view = view};
	enum pk_status status;
	struct series *series;

	PK_TRY(copy_stack(samples, view, &sample.stack));
	if (pk_unlikely(!sample.stack && !samples->stackless && !samples->no_stacks))
		return PK_OK;
	sample.series = series_of(samples, view->counted) - 1;
	sample.row = row_of(samples, view);
	if (sample.series == UINT32_MAX || !sample.row)
		return PK_NOMEM;
	pk_allowance_pay(&samples->allowance, samples->tail.profile.bytes);
	series = &samples->series[sample.series];
	series->samples++;
	if (__builtin_add_overflow(series->weight, weight, &series->weight))
		series->weight = UINT64_MAX;
	samples->count++;
	note_time(samples, sample.time);
	status = samples->sample(samples->arg, &sample);
	samples->tail.run->enough = status == PK_END;
	return status;
}

/* The callback pk_tail.forget. */
static enum pk_status forget(void *arg)
{
	struct export_samples *samples = arg;

	pk_stack_copy_forget(&samples->copy);
	pk_rows_forget_groups(&samples->rows);
	return PK_OK;
}

/* ---- Records ---- */

static void begin_session(struct export_samples *samples)
{
	samples->tail.profile.context.look_up |= samples->options->no_names;
	samples->sessions++;
	samples->clock = (struct pk_wall_clock){0};
}

static enum pk_status read_record(void *arg, const struct pk_record *record)
{
	struct export_samples *samples = arg;
	struct pk_run *run = samples->tail.run;

	if (record->type == PK_RECORD_BEGIN) {
		begin_session(samples);
	} else if (record->type != PERF_RECORD_SAMPLE) {
		pk_wall_clock_record(&samples->clock, run->reader, record);
		if (samples->sessions == 1 && samples->clock.known)
			samples->wall_offset = samples->clock.offset;
	}
	if (samples->record && record->type != PERF_RECORD_SAMPLE)
		PK_TRY(samples->record(samples->arg, run, record));
	return pk_tail_evaluate(&samples->tail, record);
}

/* ---- Reading ---- */

static unsigned int needs(const struct export_samples *samples)
{
	const struct sample_options *options = samples->options;

	if (samples->no_stacks)
		return samples->needs;
	return samples->needs | PK_NEED_CALLS |
	       (options->addresses ? PK_NEED_ADDRESSES : PK_NEED_ANY_STACKS) |
	       (options->tail.symbols.no_lines ? 0 : PK_NEED_LINES);
}

int samples_read(struct export_samples *samples, struct pk_run *run)
{
	struct sample_options *options = samples->options;

	samples->tail = (struct pk_tail){.options = &options->tail,
					 .needs = needs(samples),
					 .arg = samples,
					 .sample = count_sample,
					 .record = read_record,
					 .forget = forget,
					 .stackless = samples->stackless,
					 .done = "written"};
	samples->rows.columns_count = options->tail.by_count;
	samples->names = samples->copy.to = pk_dictionary_new(NULL);
	if (options->no_names) {
		options->tail.symbols.no_files = true;
		samples->copy.edit = keep_address;
		samples->copy.arg = samples;
	}
	return samples->names ? pk_tail_read(&samples->tail, run) : pk_no_memory();
}

const char *samples_name_of(const struct pk_reference *by)
{
	return by->field ? by->field->name : by->name;
}

const char *samples_label(const struct export_samples *samples, unsigned int column)
{
	return samples_name_of(&samples->tail.groups.columns[column].reference);
}

/* Adds the value of a column of a row. Adds "unknown" if the row has no value there. */
static void add_value(const struct export_samples *samples, uint32_t row, unsigned int column,
		      struct buffer *out)
{
	const struct pk_row_value value = pk_rows_value(&samples->rows, row, column);
	char number[PK_VALUE_SIZE];
	struct pk_bytes text = {(const uint8_t *)"unknown", 7};

	if (value.kind != PK_VALUE_NONE)
		text = pk_row_value_text(&value, number);
	buffer_add(out, text.data, text.size);
}

void samples_labels_text(const struct export_samples *samples, uint32_t row, struct buffer *out)
{
	for (unsigned int i = 0; i < samples->rows.columns_count; i++) {
		const char *label = samples_label(samples, i);

		if (i)
			buffer_char(out, ' ');
		if (strcmp(label, "comm") != 0) {
			buffer_text(out, label);
			buffer_char(out, '=');
		}
		add_value(samples, row, i, out);
	}
}

void names_object_text(const struct pk_dictionary *names, uint32_t path, struct buffer *out)
{
	const char *name = pk_dictionary_get_string(names, path, NULL);
	const char *slash = name ? strrchr(name, '/') : NULL;

	buffer_char(out, '[');
	buffer_text(out, slash ? slash + 1 : name ? name : "unknown");
	buffer_char(out, ']');
}

enum pk_status cells_add_sample(struct cells *cells, const struct export_sample *sample)
{
	return cells_add(cells, &(struct cell){.row = sample->row,
					       .stack = sample->stack,
					       .series = sample->series,
					       .samples = 1,
					       .weight = sample->weight});
}

void samples_report_cut(const struct export_samples *samples, uint64_t cut)
{
	char number[32];

	if (cut && samples->allowance.exceeded)
		pk_warn("%s samples have stacks that are cut, to %d frames or more: together, the "
			"stacks are too large for so small an input (rows --tables stores each "
			"frame "
			"once)",
			pk_number(number, cut), PK_STACK_SHORT);
	else if (cut)
		pk_warn("%s samples have stacks of over %d frames, which are cut",
			pk_number(number, cut), PK_PATH_DEPTH_MAX);
}

int samples_finish(struct export_samples *samples, int result)
{
	pk_rows_free(&samples->rows);
	pk_stack_copy_free(&samples->copy);
	pk_dictionary_free(samples->names);
	pk_texts_free(&samples->series_names);
	free(samples->series);
	free(samples->of_events);
	return pk_tail_free(&samples->tail, result);
}

/* ---- Tracks ---- */

/* Returns NULL if memory is exhausted. */
static struct track *find_track(struct tracks *tracks, const struct export_sample *sample)
{
	const uint64_t key = (uint64_t)sample->row << 32 | sample->series;
	const uint64_t number = pk_table_get_u64(&tracks->numbers, key);

	if (number)
		return &tracks->items[number - 1];
	if (pk_vector_reserve(tracks, 1) != PK_OK ||
	    pk_table_set_u64(&tracks->numbers, key, tracks->count + 1) != PK_OK)
		return NULL;
	tracks->items[tracks->count] = (struct track){.row = sample->row, .series = sample->series};
	return &tracks->items[tracks->count++];
}

enum pk_status tracks_add(struct tracks *tracks, const struct export_sample *sample)
{
	struct track *track = find_track(tracks, sample);
	struct track_sample *last;

	if (!track)
		return PK_NOMEM;
	PK_TRY(pk_vector_reserve(track, 1));
	last = track->count ? &track->items[track->count - 1] : NULL;
	if (tracks->join && last && last->stack == sample->stack && last->weight < INT64_MAX / 2 &&
	    sample->weight < INT64_MAX / 2) {
		last->weight += sample->weight;
		return PK_OK;
	}
	track->items[track->count++] =
		(struct track_sample){sample->time, sample->weight, sample->stack};
	return PK_OK;
}

void tracks_free(struct tracks *tracks)
{
	for (size_t i = 0; i < tracks->count; i++)
		free(tracks->items[i].items);
	free(tracks->items);
	pk_table_free(&tracks->numbers);
}

/* ---- Frames of stacks ---- */

void stack_frames_read(struct stack_frames *frames, const struct pk_dictionary *names,
		       struct pk_allowance *allowance, uint32_t id)
{
	struct pk_stack_walk walk = pk_stack_walk(names, id);

	frames->count = 0;
	frames->cut = false;
	while (pk_stack_next(&walk)) {
		if (walk.kind == PK_FRAME_IS_TEXT)
			continue;
		frames->cut = frames->count == PK_PATH_DEPTH_MAX ||
			      (allowance && !pk_allowance_spend(allowance, PK_COST_STEP) &&
			       frames->count >= PK_STACK_SHORT);
		if (frames->cut)
			return;
		frames->ids[frames->count++] = walk.id;
	}
}

/* ---- Types of values ---- */

static bool is_time(const struct series *series)
{
	return !strcmp(series->unit, "nanoseconds") || !strcmp(series->unit, "duration");
}

static unsigned int count_clocks(const struct export_samples *samples)
{
	unsigned int clocks = 0;

	for (size_t i = 0; i < samples->series_count; i++)
		clocks += samples->series[i].is_clock;
	return clocks;
}

/* Returns the name of the values of a series. In all profiles, the time of processors has the name
 * cpu. */
static const char *name_of(const struct export_samples *samples, const struct series *series)
{
	if (series->is_clock && count_clocks(samples) == 1 && is_time(series))
		return "cpu";
	return samples->series_count == 1 && !is_time(series) ? series->unit : series->event;
}

static const char *unit_of(const struct series *series)
{
	if (is_time(series))
		return "nanoseconds";
	return strstr(series->unit, "bytes") ? "bytes" : "count";
}

/* Type 0 is the number of samples of all events. If there is only one event and its weights are
 * samples, its weights have no type, because they would be the same numbers. */
void value_types_init(struct value_types *types, const struct export_samples *samples)
{
	types->types[0] = (struct value_type){"samples", "count"};
	types->count = 1;
	types->weights =
		samples->series_count != 1 || strcmp(samples->series[0].unit, "samples") != 0;
	for (size_t i = 0; types->weights && i < samples->series_count; i++) {
		const struct series *series = &samples->series[i];

		if (types->count == VALUES_MAX)
			break;
		types->types[types->count++] =
			(struct value_type){name_of(samples, series), unit_of(series)};
	}
}

static void add_values(struct value_types *types, const struct cell *cell, uint64_t *values)
{
	const unsigned int type = types->weights ? cell->series + 1 : 0;

	if (type >= types->count) {
		types->dropped += cell->samples;
		return;
	}
	add_limited(&values[0], cell->samples);
	if (type)
		add_limited(&values[type], cell->weight);
}

const struct cell *value_types_sum(struct value_types *types, const struct cell *cell,
				   const struct cell *end, uint64_t *values)
{
	const struct cell *const first = cell;

	memset(values, 0, types->count * sizeof(*values));
	for (; cell < end && cell->row == first->row && cell->stack == first->stack; cell++)
		add_values(types, cell, values);
	return cell;
}

uint64_t value_types_period(const struct series *series)
{
	if (series->period)
		return series->period;
	return series->samples ? (series->weight + series->samples / 2) / series->samples : 0;
}

int value_types_report(const struct value_types *types, int result)
{
	char number[32];

	if (!types->dropped)
		return result;
	pk_error("%s samples are of events beyond the first %d, skipped",
		 pk_number(number, types->dropped), VALUES_MAX - 1);
	return result ? result : PK_EXIT_FAILED;
}
