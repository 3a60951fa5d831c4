// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "allowance.h"
#include "frame_names.h"
#include "lanes.h"
#include "lookups.h"
#include "palette.h"
#include "paths.h"
#include "pieces.h"
#include "plot_options.h"
#include "plot_origin.h"
#include "svg.h"
#include "time_axis.h"
#include "vector.h"

/* ---- Reading ---- */

/* A flame chart shows frames of samples, and spans, over time. Each of them is drawn as a
 * rectangle, which is a struct piece from a start time to an end time. The rectangles lie in the
 * rows of lanes. */

#define CHART_ROWS 512 /* maximum number of rows of a lane; deeper frames are not drawn */

/* The options and the content of a chart over time. */
struct chart {
	/* ---- Set by the options ---- */
	struct pk_common common;
	struct plot_options plot;
	struct pk_tail_options selection;
	struct lanes lanes;
	struct palette palette;
	struct pk_frame_options frames;
	bool objects; /* The names of frames start with their object. The picture shows the object
		       * in tooltips only. */
	unsigned int row_height;
	unsigned int lanes_most; /* 0 selects the usual number */

	/* ---- Set by chart_read() ---- */
	struct pieces pieces;
	struct pk_texts names; /* names of the pieces */
	uint64_t first, last; /* The times of the first start and the last end of all pieces. `last`
			       * is 0 if there are no pieces. */
	uint64_t cut;	      /* number of stacks that are deeper than CHART_ROWS */
	uint64_t shortened;   /* number of samples whose stacks were cut because the allowance was
			       * spent */
	struct plot_origin origin;
	struct pk_counted_samples samples;
	struct pk_allowance allowance; /* limit for the total cost of the stacks */

	/* ---- Used only while the input is read ---- */
	struct pk_tail tail;
	struct span_times times;
	struct buffer text;
	struct frame_text { /* For each frame, the numbers of its names. They are `count` items of
			       `numbers` from the index `at` on. `count` is 0 if the names are
			       unknown. */
		uint32_t at, count;
	} * of_frame;
	size_t of_frame_count;
	uint32_t *numbers;
	size_t numbers_count, numbers_capacity;
	uint32_t *path; /* numbers of the names of the last stack, from the root to the leaf */
	size_t path_capacity;
	uint32_t path_size, path_stack, path_most;
	bool path_cut; /* `path` lacks frames because the allowance was spent */
};

#define LONGEST_SAMPLE ((uint64_t)10000000) /* in ns; only for events without interval */
#define SPANS	       "spans"		    /* suffix of the labels of lanes with spans */

/* The frames of the last sample of a lane that have not ended. If the next sample of the lane has
 * the same frames, the frames continue. */
struct open {
	uint64_t end;
	uint32_t size;
	struct open_frame {
		uint32_t name;
		uint64_t start;
	} frames[CHART_ROWS];
};

/* ---- Names ---- */

static enum pk_status add_name(struct chart *chart, const char *name, size_t size)
{
	const uint32_t number = piece_name(&chart->names, name, size);

	if (!number)
		return PK_NOMEM;
	PK_TRY(pk_reserve(&chart->numbers, &chart->numbers_capacity, chart->numbers_count, 1,
			  sizeof(*chart->numbers)));
	chart->numbers[chart->numbers_count++] = number;
	return PK_OK;
}

/* Returns the names of a frame. Returns NULL if memory is exhausted. */
static const struct frame_text *names_of(struct chart *chart, uint32_t id)
{
	const struct pk_dictionary *dictionary =
		pk_source_dictionary(&chart->tail.profile.context.stacks);
	const struct pk_id_range frames = pk_dictionary_frames(dictionary);
	const size_t index = id - frames.base - 1;
	struct frame_text *text;

	if (pk_extend(&chart->of_frame, &chart->of_frame_count, index) != PK_OK)
		return NULL;
	text = &chart->of_frame[index];
	if (text->count)
		return text;
	pk_frame_names(&chart->text, dictionary, pk_dictionary_get_frame(dictionary, id), false,
		       &chart->frames);
	text->at = (uint32_t)chart->numbers_count;
	for (size_t at = 0; at < chart->text.size;) {
		const char *name = chart->text.data + at;

		if (add_name(chart, name, strlen(name)) != PK_OK)
			return NULL;
		at += strlen(name) + 1;
		text->count++;
	}
	return chart->text.failed ? NULL : text;
}

/* ---- Stacks of samples ---- */

static void turn(uint32_t *numbers, uint32_t count)
{
	for (uint32_t i = 0; i < count / 2; i++) {
		const uint32_t number = numbers[i];

		numbers[i] = numbers[count - 1 - i];
		numbers[count - 1 - i] = number;
	}
}

static enum pk_status add_to_path(struct chart *chart, const struct frame_text *names)
{
	PK_TRY(pk_reserve(&chart->path, &chart->path_capacity, chart->path_size, names->count,
			  sizeof(*chart->path)));
	for (uint32_t i = names->count; i--;)
		chart->path[chart->path_size++] = chart->numbers[names->at + i];
	return PK_OK;
}

/* Returns the largest number of frames to read for a stack. */
static uint32_t depth_allowed(struct chart *chart)
{
	pk_allowance_pay(&chart->allowance, chart->tail.profile.bytes);
	return chart->allowance.left >= PK_PATH_DEPTH_MAX * PK_COST_STEP ? PK_PATH_DEPTH_MAX
									 : PK_STACK_SHORT;
}

/* Sets chart->path to the names of the stack, and reads at most `most` frames. This limits the time
 * for very deep stacks. If the stack has more frames, the frames at the root are missing. */
static enum pk_status set_path(struct chart *chart, uint32_t stack, uint32_t most)
{
	struct pk_stack_walk frames = pk_source_frames(&chart->tail.profile.context.stacks, stack);
	const struct frame_text *names;

	if (chart->path_stack == stack + 1 && chart->path_most == most)
		return PK_OK;
	chart->path_size = 0;
	while (chart->path_size < most && pk_stack_next(&frames)) {
		names = names_of(chart, frames.id);
		if (!names)
			return PK_NOMEM;
		PK_TRY(add_to_path(chart, names));
	}
	chart->path_cut = most == PK_STACK_SHORT && pk_stack_next(&frames);
	pk_allowance_spend(&chart->allowance, (uint64_t)chart->path_size * PK_COST_STEP);
	turn(chart->path, chart->path_size);
	chart->cut += chart->path_size > CHART_ROWS;
	if (chart->path_size > CHART_ROWS)
		chart->path_size = CHART_ROWS;
	chart->path_stack = stack + 1;
	chart->path_most = most;
	return PK_OK;
}

/* ---- Pieces ---- */

static enum pk_status add_piece(struct chart *chart, struct piece piece)
{
	struct lane *lane = lanes_get(&chart->lanes, piece.lane);

	if (!chart->last || piece.start < chart->first)
		chart->first = piece.start;
	if (piece.end > chart->last)
		chart->last = piece.end;
	if (piece.row >= lane->rows)
		lane->rows = piece.row + 1;
	return pieces_add(&chart->pieces, piece);
}

/* Ends the open frames whose depth is at least `depth`. */
static enum pk_status close_frames(struct chart *chart, uint32_t lane, struct open *open,
				   uint32_t depth)
{
	while (open->size > depth) {
		const struct open_frame *frame = &open->frames[--open->size];

		PK_TRY(add_piece(chart, (struct piece){.start = frame->start,
						       .end = open->end,
						       .lane = lane,
						       .name = frame->name,
						       .row = (uint16_t)open->size}));
	}
	return PK_OK;
}

/* The cost of a frame that does not continue a frame of the previous sample. Such a frame becomes a
 * piece, and the piece can be merged with other pieces several times. */
#define PIECE_COST (2 * PK_COST_NODE)

/* Adds the stack of a sample. Frames that the last sample of the lane also has are continued. All
 * other frames of the last sample end, and all other frames of this sample start. */
static enum pk_status add_stack(struct chart *chart, uint32_t lane, uint64_t start, uint64_t end)
{
	struct lane *item = lanes_get(&chart->lanes, lane);
	struct open *open = item->data;
	uint32_t same = 0;

	if (!open)
		item->data = open = calloc(1, sizeof(*open));
	if (!open)
		return PK_NOMEM;
	if (open->end && start < open->end + (end - start) / 2)
		start = open->end;
	else if (close_frames(chart, lane, open, 0) != PK_OK)
		return PK_NOMEM;
	if (start >= end)
		return PK_OK;
	while (same < open->size && same < chart->path_size &&
	       open->frames[same].name == chart->path[same])
		same++;
	PK_TRY(close_frames(chart, lane, open, same));
	pk_allowance_spend(&chart->allowance, (uint64_t)(chart->path_size - same) * PIECE_COST);
	for (; open->size < chart->path_size; open->size++)
		open->frames[open->size] = (struct open_frame){chart->path[open->size], start};
	open->end = end;
	item->time += end - start;
	return PK_OK;
}

/* Returns the time before a sample that the sample represents, in ns. */
static uint64_t interval_of(const struct pk_view *view, const struct open *open, uint64_t time)
{
	const struct perf_attr *attr = &view->counted->attr;
	uint64_t gap = open && open->end < time ? time - open->end : LONGEST_SAMPLE;

	if (attr->type == PERF_TYPE_SOFTWARE && attr->config <= PERF_COUNT_SW_TASK_CLOCK)
		return view->period;
	if (attr->flags & PERF_ATTR_FREQ && attr->sample_period)
		return 1000000000 / attr->sample_period;
	return gap < LONGEST_SAMPLE ? gap : LONGEST_SAMPLE;
}

static enum pk_status add_sample(struct chart *chart, struct pk_view *view, uint64_t time)
{
	const uint32_t stack = pk_view_stack(view);
	bool failed;
	uint64_t interval;
	uint32_t lane;

	if (stack == PK_NO_STACK)
		return view->context->failed ? PK_NOMEM : PK_OK;
	lane = lanes_of(&chart->lanes, view, NULL, &failed);
	if (failed)
		return PK_NOMEM;
	PK_TRY(set_path(chart, stack, depth_allowed(chart)));
	pk_allowance_spend(&chart->allowance, (uint64_t)chart->path_size * PK_COST_STEP);
	chart->shortened += chart->path_cut;
	if (!lane || !chart->path_size)
		return PK_OK;
	interval = interval_of(view, lanes_get(&chart->lanes, lane)->data, time);
	lanes_get(&chart->lanes, lane)->count++;
	return add_stack(chart, lane, time - (interval < time ? interval : time), time) == PK_OK
		       ? PK_OK
		       : PK_NOMEM;
}

static enum pk_status add_span(struct chart *chart, struct pk_view *view,
			       const struct span_extent *extent)
{
	const struct pk_bytes name = span_times_name(&chart->times, view);
	struct piece piece = {.start = extent->start, .end = extent->end};
	bool failed;

	piece.lane = lanes_of(&chart->lanes, view, SPANS, &failed);
	if (failed)
		return PK_NOMEM;
	if (!piece.lane)
		return PK_OK;
	piece.name = piece_name(&chart->names, (const char *)name.data, name.size);
	lanes_get(&chart->lanes, piece.lane)->count++;
	return piece.name && add_piece(chart, piece) == PK_OK ? PK_OK : PK_NOMEM;
}

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct chart *chart = arg;
	struct span_extent extent;

	(void)weight;
	if (!span_times_of(&chart->times, view, &extent)) {
		chart->lanes.without_time++;
		return PK_OK;
	}
	pk_counted_samples_add(&chart->samples, view);
	return extent.is_span ? add_span(chart, view, &extent)
			      : add_sample(chart, view, extent.end);
}

static enum pk_status count_record(void *arg, const struct pk_record *record)
{
	struct chart *chart = arg;

	if (record->type != PERF_RECORD_SAMPLE)
		PK_TRY(plot_origin_record(&chart->origin, chart->tail.run->reader, record));
	return pk_tail_evaluate(&chart->tail, record);
}

/* ---- The end ---- */

static enum pk_status end_session(void *arg)
{
	pk_counted_samples_end_session(&((struct chart *)arg)->samples);
	return PK_OK;
}

static enum pk_status forget(void *arg)
{
	struct chart *chart = arg;

	lanes_forget(&chart->lanes);
	free(chart->of_frame);
	chart->of_frame = NULL;
	chart->of_frame_count = chart->numbers_count = 0;
	chart->path_stack = 0;
	return PK_OK;
}

static enum pk_status close_all(struct chart *chart)
{
	for (uint32_t lane = 1; lane <= chart->lanes.count; lane++) {
		struct open *open = lanes_get(&chart->lanes, lane)->data;

		if (open)
			PK_TRY(close_frames(chart, lane, open, 0));
	}
	return PK_OK;
}

/* Sets the rows of spans. A span is in the row below the spans that started before it and have not
 * ended. */
static void nest(struct chart *chart)
{
	uint64_t ends[CHART_ROWS];
	uint32_t lane = 0, depth = 0;

	pieces_sort(&chart->pieces);
	for (size_t i = 0; i < chart->pieces.count; i++) {
		struct piece *piece = &chart->pieces.items[i];
		struct lane *item = lanes_get(&chart->lanes, piece->lane);

		if (item->data)
			continue;
		if (piece->lane != lane)
			depth = 0;
		lane = piece->lane;
		while (depth && ends[depth - 1] <= piece->start)
			depth--;
		piece->row = (uint16_t)depth;
		item->rows = depth >= item->rows ? (uint16_t)(depth + 1) : item->rows;
		item->time += depth ? 0 : piece->time;
		if (depth < CHART_ROWS - 1)
			ends[depth++] = piece->end;
	}
	pieces_sort(&chart->pieces);
}

static int chart_read(struct chart *chart, struct pk_run *run)
{
	int result;

	chart->tail =
		(struct pk_tail){.options = &chart->selection,
				 .needs = PK_NEED_ANY_STACKS | PK_NEED_CALLERS | PK_NEED_FORMATS,
				 .arg = chart,
				 .sample = count_sample,
				 .record = count_record,
				 .forget = forget,
				 .session_end = end_session,
				 .report = plot_report,
				 .done = "drawn"};
	if (lanes_init(&chart->lanes, &chart->tail) != PK_OK ||
	    span_times_init(&chart->times) != PK_OK)
		return pk_no_memory();
	result = pk_tail_read(&chart->tail, run);
	if (close_all(chart) != PK_OK)
		return pk_no_memory();
	nest(chart);
	return result;
}

static int chart_free(struct chart *chart, int status)
{
	pieces_free(&chart->pieces);
	lanes_free(&chart->lanes);
	span_times_free(&chart->times);
	pk_texts_free(&chart->names);
	plot_origin_free(&chart->origin);
	pk_counted_samples_free(&chart->samples);
	free(chart->text.data);
	free(chart->of_frame);
	free(chart->numbers);
	free(chart->path);
	pk_tail_options_free(&chart->selection);
	return pk_tail_free(&chart->tail, status);
}

/* ---- Drawing ---- */

#define PIECES_MOST 16000 /* limit so that the file has less than 3 MB */
#define NAME_MOST   1000  /* characters of a name in a tooltip */
#define MARGIN	    10	  /* pixels, left and right */
/* Without --lanes, the lanes with the most time are drawn, as long as they have no more rows. */
#define LANES_USUAL 50
#define ROWS_USUAL  250

/* The picture of a chart while it is drawn. */
struct drawing {
	struct chart *chart;
	struct svg svg;
	struct time_axis axis;
	unsigned int decimals;
	uint32_t *lanes; /* the lanes that are drawn */
	size_t lanes_count;
	double line; /* height of a line of text in pixels */
	struct buffer title;
};

/* ---- Frames ---- */

/* The name of a frame. It starts with the object only if the picture shows objects in names. */
struct frame_name {
	const char *name, *object;
	size_t size, object_size;
};

static struct frame_name name_of(const struct drawing *d, const struct piece *piece)
{
	struct frame_name name = {0};

	name.name = pk_texts_get(&d->chart->names, piece->name, &name.size);
	/* Spans have no object. The lanes of spans have no `data`. */
	if (d->chart->objects && lanes_get(&d->chart->lanes, piece->lane)->data)
		name.size = frame_split(&name.name, name.size, &name.object, &name.object_size);
	return name;
}

/* Adds a title such as "name (12.34 ms at 1.234 s; object)" or "name and 12 others (...)". */
static void add_title(struct drawing *d, const struct piece *piece, const struct frame_name *name)
{
	char number[32], text[DURATION_TEXT], at[DURATION_TEXT];

	svg_raw(&d->svg, "<title>");
	svg_text(&d->svg, name->name, name->size, NAME_MOST);
	if (piece->count > 1)
		svg_format(&d->svg, " and %s others", pk_number(number, piece->count - 1));
	duration_text((double)piece->time, text);
	duration_text((double)(piece->start - d->axis.from), at);
	svg_format(&d->svg, " (%s at %s", text, at);
	if (name->object_size) {
		svg_raw(&d->svg, "; ");
		svg_text(&d->svg, name->object, name->object_size, NAME_MOST);
	}
	svg_raw(&d->svg, ")</title>");
}

static void add_frame(struct drawing *d, const struct piece *piece)
{
	const double x = time_axis_x(&d->axis, piece->start);
	const double width = time_axis_x(&d->axis, piece->end) - x;
	const struct chart *chart = d->chart;
	char colour[PALETTE_COLOUR], suffix;
	struct frame_name name = name_of(d, piece);
	const char *full = name.name;
	size_t full_size = name.size;

	if (palette_is_by_module(&d->chart->palette))
		full = pk_texts_get(&d->chart->names, piece->name, &full_size);
	palette_colour(&d->chart->palette, full, full_size, colour);
	name.size = frame_base(name.name, name.size, &suffix);
	svg_raw(&d->svg, piece->count > 1 ? "<g class=\"merged\">" : "<g>");
	add_title(d, piece, &name);
	svg_raw(&d->svg, "<rect");
	svg_exact(&d->svg, "x", x, d->decimals);
	svg_exact(&d->svg, "width", width, d->decimals);
	svg_attribute(&d->svg, "height", chart->row_height - 1);
	svg_format(&d->svg, " fill=\"%s\"/>", colour);
	svg_box_label(&d->svg, name.name, name.size, x,
		      svg_baseline(&chart->plot, chart->row_height), width);
	svg_raw(&d->svg, "</g>\n");
}

/* ---- Lanes ---- */

/* Returns the number of pieces of a lane. Sets *begin to the index of the first of them. */
static size_t find_pieces(const struct pieces *pieces, uint32_t lane, size_t *begin)
{
	size_t first = 0, end = pieces->count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;

		if (pieces->items[middle].lane < lane)
			first = middle + 1;
		else
			end = middle;
	}
	*begin = first;
	for (end = first; end < pieces->count && pieces->items[end].lane == lane; end++)
		;
	return end;
}

static double lane_height(const struct drawing *d, uint32_t number)
{
	return d->line + lanes_get(&d->chart->lanes, number)->rows * d->chart->row_height + 4;
}

static void add_lane_label(struct drawing *d, uint32_t number, double y)
{
	const struct lane *lane = lanes_get(&d->chart->lanes, number);
	char text[DURATION_TEXT];

	duration_text((double)lane->time, text);
	svg_raw(&d->svg, "<text class=\"lane\"");
	svg_attribute(&d->svg, "x", MARGIN);
	svg_attribute(&d->svg, "y", y + d->line * 0.75);
	svg_raw(&d->svg, ">");
	svg_text(&d->svg, lane->label.data, lane->label.size, 80);
	svg_format(&d->svg, ": %s</text>\n", text);
}

static void add_lane(struct drawing *d, size_t index, double y)
{
	const struct pieces *pieces = &d->chart->pieces;
	size_t i;
	const size_t end = find_pieces(pieces, d->lanes[index], &i);

	while (i < end) {
		const uint16_t row = pieces->items[i].row;

		svg_format(
			&d->svg,
			"<g data-lane=\"%zu\" data-row=\"%u\" transform=\"translate(0 %.0f)\">\n",
			index, row, y + d->line + row * d->chart->row_height);
		for (; i < end && pieces->items[i].row == row; i++)
			add_frame(d, &pieces->items[i]);
		svg_raw(&d->svg, "</g>\n");
	}
}

static double add_lanes(struct drawing *d, double top)
{
	double y = top;

	for (size_t i = 0; i < d->lanes_count; y += lane_height(d, d->lanes[i++]))
		add_lane_label(d, d->lanes[i], y);
	time_axis_draw(&d->svg, &d->axis, top, y);
	svg_format(&d->svg,
		   "<g class=\"frames\" data-lanes=\"%zu\" data-x=\"%g\" data-width=\"%g\">\n",
		   d->lanes_count, d->axis.x, d->axis.width);
	y = top;
	for (size_t i = 0; i < d->lanes_count; y += lane_height(d, d->lanes[i++]))
		add_lane(d, i, y);
	svg_raw(&d->svg, "</g>\n");
	return y;
}

/* ---- The picture ---- */

static void add_notes(struct drawing *d, double y)
{
	const struct chart *chart = d->chart;
	const uint64_t merged = pieces_merged(&chart->pieces);
	char number[32], step[DURATION_TEXT], text[200] = "";
	size_t missing = 0;

	for (size_t i = 0; i < chart->lanes.count; i++)
		missing += chart->lanes.items[i].count != 0;
	missing -= d->lanes_count;
	duration_text((double)chart->pieces.step, step);
	if (merged)
		snprintf(text, sizeof(text), "%s frames shorter than %s are merged",
			 pk_number(number, merged), step);
	if (missing)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s%s lanes with less time are not drawn (--lanes)", merged ? "; " : "",
			 pk_number(number, missing));
	if (*text)
		svg_label(&d->svg, d->svg.width - MARGIN, y, "hidden end", text);
}

static void draw(struct drawing *d)
{
	const struct plot_options *plot = &d->chart->plot;
	const char *title = plot->title	    ? plot->title
			    : d->title.size ? d->title.data
					    : "Flame Chart";
	double height = d->line * (plot->subtitle ? 4 : 3), y = d->line * 1.5;
	const double top = height;

	for (size_t i = 0; i < d->lanes_count; i++)
		height += lane_height(d, d->lanes[i]);
	svg_begin(&d->svg, "flame icicle chart", title, height + 3 * d->line, &flame_script);
	svg_label(&d->svg, d->svg.width / 2, y, "title middle", title);
	if (plot->subtitle)
		svg_label(&d->svg, d->svg.width / 2, y += d->line, "subtitle middle",
			  plot->subtitle);
	add_lanes(d, top);
	y = d->svg.height - d->line * 0.7;
	svg_label(&d->svg, MARGIN, y, "info", "");
	add_notes(d, y);
}

/* Returns PK_EXIT_FAILED if there is nothing to draw. */
static int report(const struct chart *chart)
{
	char number[32];

	lanes_report(&chart->lanes);
	if (chart->cut)
		pk_warn("%s samples have over %d frames, which are cut",
			pk_number(number, chart->cut), CHART_ROWS);
	if (chart->shortened)
		pk_warn("%s samples have only their %d innermost frames: together, the stacks are "
			"too "
			"large for so small an input; pk-filter --time=FROM,TO before pk-plot "
			"draws "
			"less time, and all frames",
			pk_number(number, chart->shortened), PK_STACK_SHORT);
	return chart->pieces.count
		       ? PK_EXIT_OK
		       : plot_nothing("there are no samples with stacks: the picture is empty");
}

static int chart(struct pk_run *run, struct chart *chart)
{
	struct drawing d = {.chart = chart, .svg = {.file = stdout, .options = &chart->plot}};
	int result = chart_read(chart, run), nothing;
	bool done;

	if (run->nothing)
		return result;
	nothing = report(chart);
	result = result ? result : nothing;
	d.line = chart->plot.font_size * 1.5;
	d.axis = (struct time_axis){chart->first, chart->last, MARGIN,
				    chart->plot.width - 2 * MARGIN};
	d.decimals = time_axis_decimals(&d.axis);
	d.lanes = chart->lanes_most
			  ? lanes_order(&chart->lanes, chart->lanes_most, SIZE_MAX, &d.lanes_count)
			  : lanes_order(&chart->lanes, LANES_USUAL, ROWS_USUAL, &d.lanes_count);
	if (!d.lanes)
		return pk_no_memory();
	plot_origin_title(&chart->origin, &chart->samples, "", &d.title);
	draw(&d);
	d.svg.out.failed |= d.title.failed;
	done = svg_end(&d.svg) == PK_OK;
	free(d.title.data);
	free(d.lanes);
	return done ? result : pk_no_memory();
}

/* ---- Options ---- */

#define AT(member) PK_AT(struct chart, member)

static const struct pk_option rows[] = {
	PK_TITLE("Lanes and frames"),
	{0, "by", "FIELD,...", PK_CALL, "the fields that lanes stand for (tid)", AT(selection),
	 .parse = lanes_set},
	{0, "lanes", "N", PK_NUMBER, "draw N lanes, those with the most time", AT(lanes_most),
	 .least = 1, .most = LANES_MAX},
	{0, "height", "PIXELS", PK_NUMBER, "the height of a frame", AT(row_height), .least = 1,
	 .most = 200},
	{0, "colors", "PALETTE", PK_CALL,
	 "kind (default), module, package, hot, mem, io, java, js ...", AT(palette),
	 .parse = palette_set},
	PK_ALSO(0, "color", "PALETTE", "colors"),
	{0, "modules", NULL, PK_FLAG, "add the object to names", AT(frames.modules)},
	{0, "full-names", NULL, PK_FLAG, "keep the parameters of functions", AT(frames.full)},
	{.kind = PK_ROWS, .rows = plot_rows, AT(plot)},
	{.kind = PK_ROWS, .rows = plot_sample_rows, AT(selection)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-plot chart [OPTION...] [FILE...]\n"
		 "\n"
		 "Draws a flame chart: the stacks of threads over time, from samples, or spans.\n"
		 "Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples = "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-plot chart > app.svg\n"
		    "  pk-span functions calls.pk | pk-plot chart --by pid,tid > calls.svg\n",
};

static int run_chart(const struct pk_common *common, int argc, char **argv)
{
	struct chart options = {
		.common = *common,
		.plot = PLOT_DEFAULTS,
		.frames = {.mark_kernel = true, .mark_jit = true, .mark_inlines = true},
		.pieces.most = PIECES_MOST};
	struct pk_run run = {0};
	int result;

	palette_find(&options.palette, "kind");
	options.selection.symbols.no_lines = true;
	options.selection.symbols.tried = pk_report_tried;
	result = pk_parse_options(&command, &options, &argc, &argv);
	if (result < 0) {
		options.objects = !options.frames.modules;
		options.frames.modules = true;
		if (!options.row_height)
			options.row_height = (unsigned int)lround(options.plot.font_size + 4);
		result = plot_start(&options.common, argc, argv, &run);
		if (!result)
			result = pk_finish(chart(&run, &options));
	}
	return chart_free(&options, result);
}

const struct plot_kind plot_chart = {"chart", "flame chart: stacks of threads over time",
				     run_chart};
