// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "distribution.h"
#include "lookups.h"
#include "pkutil.h"
#include "unknown_field.h"
#include "vector.h"

/* ---- Samples ---- */

#define NS_PER_S UINT64_C(1000000000)

/* The largest numbers of bins while the input is read. There are so many bins that several of them
 * can be joined into each bin of the picture. A layer over time has at most COLUMNS_MAX x ROWS_MAX
 * x 8 bytes. */
#define COLUMNS_MAX	  1280
#define ROWS_MAX	  320
#define LAYERS_MAX	  64
#define VALUES_ROWS_MAX	  640
#define VALUES_LAYERS_MAX 4096
#define SUBSECOND_ROWS	  50
#define CPUS_MAX	  1024

static bool is_over_values(const struct distribution *d)
{
	return d->kind == DISTRIBUTION_VALUES || d->kind == DISTRIBUTION_TIME;
}

/* ---- Samples ---- */

/* Returns the column of the event. It exists only if `splits` is set. */
static unsigned int event_column(const struct distribution *d)
{
	return d->tail.groups.columns_count - 1;
}

/* Returns the "other" layer, which has the samples of groups without a layer of their own. It is
 * layer 0, or there is one for each kind of spans. Returns UINT32_MAX if memory is exhausted. */
static uint32_t rest_of(struct distribution *d, uint32_t row)
{
	uint32_t rest;

	if (!d->splits || d->tail.groups.columns_count == 1)
		return 0;
	rest = pk_rows_above(&d->rows, row, (1u << event_column(d)) - 1);
	if (!rest)
		return UINT32_MAX;
	return rest < d->density.layers_max ? rest : 0;
}

static bool is_rest(const struct distribution *d, uint32_t layer)
{
	struct pk_row_value value;

	if (!layer || !d->splits || d->tail.groups.columns_count == 1)
		return !layer;
	value = pk_rows_value(&d->rows, layer, 0);
	return value.kind == PK_VALUE_NONE && value.number == PK_ROWS_ALL;
}

/* Returns the layer of the sample's group. If there are no groups, layer 0 has all samples. Returns
 * UINT32_MAX if memory is exhausted. */
static uint32_t layer_of(struct distribution *d, struct pk_view *view)
{
	uint32_t group, row;

	if (!d->tail.groups.columns_count)
		return 0;
	group = pk_groups_of(&d->tail.groups, view);
	row = group ? pk_rows_of(&d->rows, &d->tail.groups, group, view->record->misc) : 0;
	if (row && d->splits && !pk_event_is_span(view->counted))
		row = pk_rows_above(&d->rows, row, 1u << event_column(d));
	if (!row)
		return UINT32_MAX;
	if (row > d->known) { /* create the "other" layer early, while layers are left */
		if (rest_of(d, row) == UINT32_MAX)
			return UINT32_MAX;
		d->known = pk_rows_count(&d->rows);
	}
	if (row < d->density.layers_max)
		return row;
	d->grouped++;
	return rest_of(d, row);
}

/* Does what layer_of() does, but faster. Call it only if the event is the only column of the
 * groups. */
static uint32_t layer_of_event(struct distribution *d, struct pk_view *view)
{
	const uint32_t index = view->counted->index;

	if (pk_extend(&d->of_events, &d->of_events_count, index) != PK_OK)
		return UINT32_MAX;
	if (!d->of_events[index])
		d->of_events[index] = layer_of(d, view);
	return d->of_events[index];
}

static bool time_of(struct distribution *d, const struct pk_view *view, uint64_t *time)
{
	const uint16_t at = view->event->layout.time;

	if (!at)
		d->timeless++;
	else
		*time = pk_load_u64(view->record->data + at);
	return at;
}

/* Reads the number of the sample. Returns false if the sample does not have the number, or if the
 * number is outside of --min and --max. */
static bool value_of(struct distribution *d, struct pk_view *view, struct pk_wide *value)
{
	const struct pk_binding *binding = pk_column_bind(&d->field, view->context, view->event);

	if (!binding) {
		view->context->failed = true;
		return false;
	}
	if (!pk_view_number(view, binding, value)) {
		d->lacking++;
		return false;
	}
	if (d->value_kind == PK_VALUE_NONE)
		d->value_kind = binding->kind;
	if ((d->has_min && pk_wide_less(*value, d->min)) ||
	    (d->has_max && pk_wide_less(d->max, *value))) {
		d->outside++;
		return false;
	}
	return true;
}

static enum pk_status add_utilization(struct distribution *d, uint32_t layer, uint64_t time,
				      struct pk_wide cpu, uint64_t length)
{
	return pk_density_add_length(&d->density, layer, time > length ? time - length : 0, time,
				     cpu);
}

/* Without --event, CPU time is the time of the spans called run. The other spans of the scheduler
 * are ignored. */
static bool is_other_span(const struct distribution *d, const struct pk_view *view)
{
	const char *name = view->counted->name;

	return d->kind == DISTRIBUTION_UTILIZATION && !d->selection.weigh.events_count &&
	       !strncmp(name, "pk:", 3) && strcmp(name, "pk:run") != 0;
}

static enum pk_status add_sample(struct distribution *d, uint32_t layer, uint64_t time,
				 struct pk_wide value, uint64_t weight)
{
	const struct pk_wide at = pk_wide_of_u64(time);

	switch (d->kind) {
	case DISTRIBUTION_SUBSECOND:
		return pk_density_add(&d->density, layer, at, pk_wide_of_u64(time % NS_PER_S),
				      weight);
	case DISTRIBUTION_UTILIZATION: return add_utilization(d, layer, time, value, weight);
	default: return pk_density_add(&d->density, layer, at, value, weight);
	}
}

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct distribution *d = arg;
	struct pk_wide value = {0};
	uint64_t time = 0;
	uint32_t layer;

	if (is_other_span(d, view)) {
		d->other_spans++;
		return PK_OK;
	}
	if (d->kind != DISTRIBUTION_SUBSECOND && !value_of(d, view, &value))
		return view->context->failed ? PK_NOMEM : PK_OK;
	if (d->kind != DISTRIBUTION_VALUES && !time_of(d, view, &time))
		return PK_OK;
	layer = d->splits && d->tail.groups.columns_count == 1 ? layer_of_event(d, view)
							       : layer_of(d, view);
	if (layer == UINT32_MAX)
		return PK_NOMEM;
	PK_TRY(add_sample(d, layer, time, value, weight));
	d->samples++;
	return PK_OK;
}

static enum pk_status forget(void *arg)
{
	struct distribution *d = arg;

	free(d->of_events);
	d->of_events = NULL;
	d->of_events_count = 0;
	pk_rows_forget_groups(&d->rows);
	return PK_OK;
}

/* The callback pk_tail.check. */
static enum pk_status check(void *arg)
{
	const struct distribution *d = arg;

	return d->field_chosen ? pk_check_field(&d->tail.profile.context, &d->field.reference, NULL,
						"--field")
			       : PK_OK;
}

static enum pk_status end_session(void *arg)
{
	struct distribution *d = arg;

	return pk_column_end_session(&d->field, &d->tail.profile.context);
}

/* ---- Groups ---- */

static void add_value(struct distribution *d, struct buffer *out, uint32_t row, unsigned int column)
{
	const struct pk_row_value value = pk_rows_value(&d->rows, row, column);
	char number[PK_VALUE_SIZE];
	struct pk_bytes text;

	if (value.kind == PK_VALUE_NONE) {
		buffer_text(out, "-");
		return;
	}
	text = pk_row_value_text(&value, number);
	buffer_valid(out, (const char *)text.data, text.size, SIZE_MAX);
}

/* Returns the number of columns that the names of layers contain. The names do not contain the
 * event if all layers have the same event. */
static unsigned int named_columns(const struct distribution *d)
{
	const unsigned int count = d->tail.groups.columns_count;
	struct pk_row_value first;

	if (!d->splits || !d->layers_count)
		return count;
	first = pk_rows_value(&d->rows, d->layers[0].layer, event_column(d));
	for (unsigned int i = 1; i < d->layers_count && d->layers[i].layer; i++) {
		const struct pk_row_value value =
			pk_rows_value(&d->rows, d->layers[i].layer, event_column(d));

		if (value.kind != first.kind || value.number != first.number)
			return count;
	}
	return count - 1;
}

/* Returns the name of a layer, such as "comm=bash,pid=17". Returns NULL if memory is exhausted. */
static char *name_of(struct distribution *d, uint32_t layer, unsigned int columns)
{
	struct buffer out = {0};

	if (!columns)
		return strdup("");
	if (is_rest(d, layer))
		buffer_text(&out, "other");
	for (unsigned int i = is_rest(d, layer) ? event_column(d) : 0; layer && i < columns; i++) {
		const struct pk_reference *by = &d->tail.groups.columns[i].reference;

		buffer_text(&out, out.size ? "," : "");
		buffer_text(&out, by->field ? by->field->name : by->name);
		buffer_char(&out, '=');
		add_value(d, &out, layer, i);
	}
	return buffer_take(&out);
}

/* Orders the layers from the largest to the smallest. The "other" layers come last. */
static int compare(const void *left, const void *right)
{
	const struct distribution_layer *a = left, *b = right;

	if (a->is_rest != b->is_rest)
		return b->is_rest ? -1 : 1;
	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a->layer > b->layer) - (a->layer < b->layer);
}

static void sort_layers(struct distribution *d)
{
	for (uint32_t i = 0; i < d->density.layers_count; i++)
		if (d->density.layers[i].columns)
			d->layers[d->layers_count++] = (struct distribution_layer){
				i, d->density.layers[i].total, is_rest(d, i), NULL};
	if (d->layers_count)
		qsort(d->layers, d->layers_count, sizeof(*d->layers), compare);
}

/* Keeps the groups_max largest layers. Adds the smaller layers to the "other" layers. */
static enum pk_status join_small(struct distribution *d)
{
	const unsigned int most = d->groups_max;

	if (!d->tail.groups.columns_count || d->layers_count <= most || d->layers[most].is_rest)
		return PK_OK;
	for (unsigned int i = most; i < d->layers_count && !d->layers[i].is_rest; i++) {
		const uint32_t layer = d->layers[i].layer, rest = rest_of(d, layer);

		if (rest == UINT32_MAX)
			return PK_NOMEM;
		PK_TRY(pk_density_move(&d->density, layer, rest));
	}
	d->layers_count = 0;
	sort_layers(d);
	return PK_OK;
}

static enum pk_status list_layers(struct distribution *d)
{
	unsigned int columns;

	d->layers = calloc(d->density.layers_count + 1, sizeof(*d->layers));
	if (!d->layers)
		return PK_NOMEM;
	sort_layers(d);
	PK_TRY(join_small(d));
	columns = named_columns(d);
	for (unsigned int i = 0; i < d->layers_count; i++) {
		struct distribution_layer *layer = &d->layers[i];

		layer->name = name_of(d, layer->layer, columns);
		if (!layer->name)
			return PK_NOMEM;
		layer->total = d->density.layers[layer->layer].total;
		if (__builtin_add_overflow(d->total, layer->total, &d->total))
			d->total = UINT64_MAX;
	}
	return PK_OK;
}

/* ---- The reports ---- */

static const char *field_name(const struct distribution *d)
{
	return d->field.reference.field ? d->field.reference.field->name : d->field.reference.name;
}

static int report_field(const struct distribution *d)
{
	char number[32];

	if (!d->lacking)
		return PK_EXIT_OK;
	if (d->lacking < d->tail.profile.counted) {
		pk_warn("%s samples have no number called %s, skipped",
			pk_number(number, d->lacking), field_name(d));
		return PK_EXIT_OK;
	}
	if (d->field_chosen || !is_over_values(d))
		pk_error("no sample has a number called %s", field_name(d));
	else
		pk_error("no sample has a duration: run pk-span before pk-plot, or select another "
			 "number with --field");
	return PK_EXIT_FAILED;
}

static int report_groups(const struct distribution *d)
{
	char number[32], text[PK_MISSING_SIZE];

	if (d->grouped)
		pk_warn("there are over %u groups; %s samples of further ones are in \"other\"",
			d->density.layers_max - 1, pk_number(number, d->grouped));
	for (unsigned int i = 0; i < d->tail.groups.columns_count; i++) {
		const struct pk_column *column = &d->tail.groups.columns[i];

		if (column->found || !column->reference.name || !d->samples)
			continue;
		pk_reference_missing(&column->reference, text);
		pk_error("--by: %s", text);
		return PK_EXIT_FAILED;
	}
	return PK_EXIT_OK;
}

static int report(const struct distribution *d)
{
	const int field = report_field(d), groups = report_groups(d);
	char number[32];

	if (d->outside)
		pk_warn("%s samples have a %s outside of --min and --max, skipped",
			pk_number(number, d->outside), field_name(d));
	if (d->timeless)
		pk_warn("%s samples have no time, skipped", pk_number(number, d->timeless));
	if (d->other_spans)
		pk_warn("only spans called run are CPU time; %s other ones skipped (--event "
			"selects "
			"events)",
			pk_number(number, d->other_spans));
	if (d->kind == DISTRIBUTION_UTILIZATION && d->samples &&
	    (!pk_weights_unit(d->tail.profile.weights) ||
	     strcmp(distribution_unit(d), "nanoseconds") != 0)) {
		pk_error(
			"utilization needs spans, or samples of a clock: record with -e cpu-clock, "
			"or run pk-span sched before pk-plot");
		return PK_EXIT_FAILED;
	}
	return field > groups ? field : groups;
}

/* ---- Setting up ---- */

static void set_axes(struct distribution *d)
{
	struct pk_density *density = &d->density;

	density->x = (struct pk_bin_axis){.scale = {PK_SCALE_LINEAR, 0, 1}, .max = COLUMNS_MAX};
	density->y = (struct pk_bin_axis){.scale = d->scale, .max = ROWS_MAX};
	density->layers_max = LAYERS_MAX;
	switch (d->kind) {
	case DISTRIBUTION_VALUES:
		density->x.max = 2; /* only one column is used */
		density->y.max = VALUES_ROWS_MAX;
		density->layers_max = VALUES_LAYERS_MAX;
		break;
	case DISTRIBUTION_TIME: break;
	case DISTRIBUTION_SUBSECOND:
		density->x.scale.unit = NS_PER_S;
		density->y.scale = (struct pk_scale){PK_SCALE_LINEAR, 0, NS_PER_S / SUBSECOND_ROWS};
		break;
	case DISTRIBUTION_UTILIZATION:
		density->y =
			(struct pk_bin_axis){.scale = {PK_SCALE_LINEAR, 0, 1}, .max = CPUS_MAX};
		d->selection.weigh.kind = PK_WEIGHT_USUAL;
		break;
	}
}

/* The durations of different kinds of spans are different quantities. For example, one is the time
 * in a queue, and another is the time in a device. So each kind has its own layers. */
static enum pk_status split_spans(struct distribution *d)
{
	struct pk_tail_options *selection = &d->selection;

	if (d->mixes || selection->weigh.each_event || d->kind == DISTRIBUTION_UTILIZATION)
		return PK_OK;
	PK_TRY(pk_reference_parse(&selection->by[selection->by_count], "event", strlen("event")));
	selection->by_count++;
	d->splits = true;
	return PK_OK;
}

static enum pk_status set_up(struct distribution *d)
{
	const char *field = d->kind == DISTRIBUTION_UTILIZATION ? "cpu" : "duration";

	if (!d->field_chosen)
		PK_TRY(pk_reference_parse(&d->field.reference, field, strlen(field)));
	set_axes(d);
	PK_TRY(split_spans(d));
	d->rows.columns_count = d->selection.by_count;
	d->tail = (struct pk_tail){.options = &d->selection,
				   .needs = pk_reference_needs(&d->field.reference),
				   .arg = d,
				   .sample = count_sample,
				   .forget = forget,
				   .check = check,
				   .session_end = end_session,
				   .report = plot_report,
				   .done = "drawn"};
	return PK_OK;
}

/* With a linear scale, the picture includes the limits of the axis, even if no sample is there. */
static void include_limits(struct distribution *d)
{
	struct pk_density *density = &d->density;

	if (!d->samples)
		return;
	if (d->kind == DISTRIBUTION_SUBSECOND) {
		pk_density_include_row(density, pk_wide_of(0));
		pk_density_include_row(density, pk_wide_of(NS_PER_S - 1));
	} else if (d->kind == DISTRIBUTION_UTILIZATION) {
		pk_density_include_row(density, pk_wide_of(0));
	} else if (d->scale.kind == PK_SCALE_LINEAR) {
		if (d->has_min && !pk_wide_less(d->max, d->min))
			pk_density_include_row(density, d->min);
		if (d->has_max && !pk_wide_less(d->max, d->min))
			pk_density_include_row(density, d->max);
	}
}

enum pk_status distribution_read(struct distribution *d, struct pk_run *run, int *result)
{
	int reported;

	*result = set_up(d) == PK_OK ? pk_tail_read(&d->tail, run) : pk_no_memory();
	if (!d->tail.profile.weights || run->nothing)
		return PK_FAILED;
	reported = report(d);
	*result = *result > reported ? *result : reported;
	include_limits(d);
	if (list_layers(d) == PK_OK)
		return PK_OK;
	*result = pk_no_memory();
	return PK_NOMEM;
}

const char *distribution_unit(const struct distribution *d)
{
	const char *unit = pk_weights_unit(d->tail.profile.weights);

	return unit ? unit : "samples";
}

int distribution_free(struct distribution *d, int status)
{
	for (unsigned int i = 0; d->layers && i < d->layers_count; i++)
		free(d->layers[i].name);
	free(d->layers);
	free(d->of_events);
	pk_density_free(&d->density);
	pk_rows_free(&d->rows);
	pk_column_free(&d->field);
	pk_tail_options_free(&d->selection);
	return pk_tail_free(&d->tail, status);
}

/* ---- Options ---- */

#define SUB_BITS 4 /* for the scale hdr: each bin is about 6 percent wide */

void distribution_init(struct distribution *d, enum distribution_kind kind)
{
	*d = (struct distribution){.kind = kind, .groups_max = 8};
	d->scale = (struct pk_scale){PK_SCALE_LOG2, SUB_BITS, 1};
	d->selection.weigh.kind = PK_WEIGHT_SAMPLES;
	d->selection.symbols.no_lines = true;
	d->selection.symbols.tried = pk_report_tried;
}

/* Parses a number such as "5ms", "4096" or "-3". Returns false if the text is malformed. */
static bool parse_number(const char *text, struct pk_wide *number)
{
	const bool negative = *text == '-';
	uint64_t magnitude;

	text += negative;
	if (text[strspn(text, "0123456789")] ? !pk_parse_time(text, &magnitude)
					     : !pk_parse_u64(text, &magnitude))
		return false;
	*number = pk_wide_of_u64(magnitude);
	if (negative)
		*number = pk_wide_negate(*number);
	return true;
}

/* Parses --min or --max. For --max, option->set is 1. */
static int set_limit(const struct pk_option *option, void *at, const char *text)
{
	struct distribution *d = at;

	if (!parse_number(text, option->set ? &d->max : &d->min))
		return pk_option_wrong(option, text);
	*(option->set ? &d->has_max : &d->has_min) = true;
	return PK_CONTINUE;
}

static int set_step(const struct pk_option *option, void *at, const char *text)
{
	struct pk_wide step;

	if (!parse_number(text, &step) || !pk_wide_less(pk_wide_of(0), step))
		return pk_option_wrong(option, text);
	((struct distribution *)at)->scale.unit = step.low;
	return PK_CONTINUE;
}

static int set_scale(const struct pk_option *option, void *at, const char *text)
{
	static const struct {
		const char *name;
		enum pk_scale_kind kind;
		unsigned int sub_bits;
	} scales[] = {{"linear", PK_SCALE_LINEAR, 0},
		      {"log2", PK_SCALE_LOG2, 0},
		      {"log10", PK_SCALE_LOG10, 0},
		      {"hdr", PK_SCALE_LOG2, SUB_BITS}};
	struct distribution *d = at;

	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		if (strcmp(text, scales[i].name) != 0)
			continue;
		d->scale.kind = scales[i].kind;
		d->scale.sub_bits = scales[i].sub_bits;
		d->scale_chosen = true;
		return PK_CONTINUE;
	}
	return pk_option_wrong(option, text);
}

static int set_field(const struct pk_option *option, void *at, const char *text)
{
	struct distribution *d = at;

	pk_reference_free(&d->field.reference);
	if (!*text)
		return pk_option_error(option, NULL, "the name of a field is missing");
	if (pk_reference_parse(&d->field.reference, text, strlen(text)) != PK_OK)
		return pk_no_memory();
	d->field_chosen = true;
	return PK_CONTINUE;
}

static int set_by(const struct pk_option *option, void *at, const char *text)
{
	struct distribution *d = at;
	struct pk_tail_options *selection = &d->selection;
	/* One column is reserved for the event. */
	const int result = pk_tail_by(selection, text, PK_GROUP_COLUMNS - 1);

	selection->weigh.each_event = pk_tail_is_by(selection, "event");
	(void)option;
	d->mixes = !selection->by_count;
	return result;
}

#define AT(member) PK_AT(struct distribution, member)
#define NUMBER	   "a number like 4096 or a time like 5ms"

const struct pk_option distribution_rows[] = {
	PK_TITLE("The numbers"),
	{0, "field", "FIELD", PK_CALL, "the numbers (duration)", .parse = set_field},
	{0, "scale", "linear|log2|log10|hdr", PK_CALL, "hdr: each power of two in parts",
	 .parse = set_scale, .wants = "linear, log2, log10 or hdr"},
	{0, "step", "NUMBER", PK_CALL,
	 "the least width of a linear bin; the unit of the others: 1us, 4096", .parse = set_step,
	 .wants = NUMBER},
	{0, "min", "NUMBER", PK_CALL, "leave out smaller numbers: 5ms, 4096", .parse = set_limit,
	 .wants = NUMBER},
	{0, "max", "NUMBER", PK_CALL, "leave out larger numbers", .parse = set_limit, .set = 1,
	 .wants = NUMBER},
	{0, "by", "FIELD,...", PK_CALL, "one picture for each group of samples; none",
	 .parse = set_by},
	{0, "groups", "N", PK_NUMBER, "pictures of the N largest groups", AT(groups_max),
	 .least = 1, .most = 1000},
	{0, "weight", "WHAT", PK_CALL, "add up this instead of counting samples, as in pk-fold",
	 AT(selection.weigh), .parse = pk_set_weight},
	{.kind = PK_ROWS, .rows = plot_sample_rows, AT(selection)},
	PK_OPTIONS_END,
};
