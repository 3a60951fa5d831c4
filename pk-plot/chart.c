// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "lookups.h"
#include "paths.h"
#include "vector.h"

#define LONGEST_SAMPLE ((uint64_t)10000000) /* ns, if the event does not tell its interval */
#define SPANS	       "spans"		    /* the suffix of lanes of spans */

/* The frames that the last sample of a lane has left open: those of the next one can continue them.
 */
struct open {
	uint64_t end;
	uint32_t size;
	struct open_frame {
		uint32_t name;
		uint64_t start;
	} frames[CHART_ROWS];
};

/* ---- Names ---- */

static bool add_name(struct chart *chart, const char *name, size_t size)
{
	const uint32_t number = piece_name(&chart->names, name, size);

	if (!number || !pk_reserve(&chart->numbers, &chart->numbers_capacity, chart->numbers_count,
				   1, sizeof(*chart->numbers)))
		return false;
	chart->numbers[chart->numbers_count++] = number;
	return true;
}

/* The names of a frame. NULL: out of memory. */
static const struct frame_text *names_of(struct chart *chart, uint32_t id)
{
	const struct pk_dictionary *dictionary =
		pk_source_dictionary(&chart->source.profile.context.stacks);
	const struct pk_id_range frames = pk_dictionary_frames(dictionary);
	const size_t index = id - frames.base - 1;
	struct frame_text *text;

	if (!pk_extend(&chart->of_frame, &chart->of_frame_count, index))
		return NULL;
	text = &chart->of_frame[index];
	if (text->count)
		return text;
	pk_frame_names(&chart->text, dictionary, pk_dictionary_get_frame(dictionary, id), false,
		       &chart->frames);
	text->at = (uint32_t)chart->numbers_count;
	for (size_t at = 0; at < chart->text.size;) {
		const char *name = chart->text.data + at;

		if (!add_name(chart, name, strlen(name)))
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

static bool add_to_path(struct chart *chart, const struct frame_text *names)
{
	if (!pk_reserve(&chart->path, &chart->path_capacity, chart->path_size, names->count,
			sizeof(*chart->path)))
		return false;
	for (uint32_t i = names->count; i--;)
		chart->path[chart->path_size++] = chart->numbers[names->at + i];
	return true;
}

/* The largest number of frames to look at for a stack. */
static uint32_t depth_allowed(struct chart *chart)
{
	pk_allowance_pay(&chart->allowance, chart->source.profile.context.bytes);
	return chart->allowance.left >= PK_PATH_DEPTH_MAX * PK_COST_STEP ? PK_PATH_DEPTH_MAX
									 : PK_STACK_SHORT;
}

/* Sets path to the names of the stack. The time for very deep stacks is limited: then frames at the
 * root are missing. */
static bool set_path(struct chart *chart, uint32_t stack, uint32_t most)
{
	struct pk_stack_walk frames =
		pk_source_frames(&chart->source.profile.context.stacks, stack);
	const struct frame_text *names;

	if (chart->path_stack == stack + 1 && chart->path_most == most)
		return true;
	chart->path_size = 0;
	while (chart->path_size < most && pk_stack_next(&frames)) {
		names = names_of(chart, frames.id);
		if (!names || !add_to_path(chart, names))
			return false;
	}
	chart->path_cut = most == PK_STACK_SHORT && pk_stack_next(&frames);
	pk_allowance_spend(&chart->allowance, (uint64_t)chart->path_size * PK_COST_STEP);
	turn(chart->path, chart->path_size);
	chart->cut += chart->path_size > CHART_ROWS;
	if (chart->path_size > CHART_ROWS)
		chart->path_size = CHART_ROWS;
	chart->path_stack = stack + 1;
	chart->path_most = most;
	return true;
}

/* ---- Pieces ---- */

static bool add_piece(struct chart *chart, struct piece piece)
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

/* Ends the open frames from a depth on. False: out of memory. */
static bool close_frames(struct chart *chart, uint32_t lane, struct open *open, uint32_t depth)
{
	while (open->size > depth) {
		const struct open_frame *frame = &open->frames[--open->size];

		if (!add_piece(chart, (struct piece){.start = frame->start,
						     .end = open->end,
						     .lane = lane,
						     .name = frame->name,
						     .row = (uint16_t)open->size}))
			return false;
	}
	return true;
}

/* Of a frame that is not continued: it becomes a piece, which is merged with others again and
 * again. */
#define PIECE_COST (2 * PK_COST_NODE)

/* Continues the frames of the last sample, or starts others. */
static bool add_stack(struct chart *chart, uint32_t lane, uint64_t start, uint64_t end)
{
	struct lane *item = lanes_get(&chart->lanes, lane);
	struct open *open = item->data;
	uint32_t same = 0;

	if (!open)
		item->data = open = calloc(1, sizeof(*open));
	if (!open)
		return false;
	if (open->end && start < open->end + (end - start) / 2)
		start = open->end;
	else if (!close_frames(chart, lane, open, 0))
		return false;
	if (start >= end)
		return true;
	while (same < open->size && same < chart->path_size &&
	       open->frames[same].name == chart->path[same])
		same++;
	if (!close_frames(chart, lane, open, same))
		return false;
	pk_allowance_spend(&chart->allowance, (uint64_t)(chart->path_size - same) * PIECE_COST);
	for (; open->size < chart->path_size; open->size++)
		open->frames[open->size] = (struct open_frame){chart->path[open->size], start};
	open->end = end;
	item->time += end - start;
	return true;
}

/* The time that a sample stands for, before it. */
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
	if (failed || !set_path(chart, stack, depth_allowed(chart)))
		return PK_NOMEM;
	pk_allowance_spend(&chart->allowance, (uint64_t)chart->path_size * PK_COST_STEP);
	chart->shortened += chart->path_cut;
	if (!lane || !chart->path_size)
		return PK_OK;
	interval = interval_of(view, lanes_get(&chart->lanes, lane)->data, time);
	lanes_get(&chart->lanes, lane)->count++;
	return add_stack(chart, lane, time - (interval < time ? interval : time), time) ? PK_OK
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
	return piece.name && add_piece(chart, piece) ? PK_OK : PK_NOMEM;
}

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct chart *chart = arg;
	struct span_extent extent;

	(void)weight;
	if (!span_times_of(&chart->times, view, &extent)) {
		chart->without_time++;
		return PK_OK;
	}
	return extent.is_span ? add_span(chart, view, &extent)
			      : add_sample(chart, view, extent.end);
}

/* ---- The end ---- */

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

static bool close_all(struct chart *chart)
{
	for (uint32_t lane = 1; lane <= chart->lanes.count; lane++) {
		struct open *open = lanes_get(&chart->lanes, lane)->data;

		if (open && !close_frames(chart, lane, open, 0))
			return false;
	}
	return true;
}

/* The rows of spans: each is below those that have started before and have not ended. */
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

static void check(void *arg, const struct pk_context *context)
{
	lanes_check(&((struct chart *)arg)->lanes, context);
}

int chart_read(struct chart *chart, struct pk_run *run)
{
	struct sample_source *source = &chart->source;
	int result;

	source->needs = PK_NEED_ANY_STACKS | PK_NEED_CALLERS | PK_NEED_FORMATS;
	source->sample = count_sample;
	source->forget = forget;
	source->check = check;
	source->arg = chart;
	if (!lanes_init(&chart->lanes, &source->profile.context, &source->needs) ||
	    !span_times_init(&chart->times))
		return pk_no_memory();
	result = sample_source_read(source, run);
	if (!close_all(chart))
		return pk_no_memory();
	nest(chart);
	return result;
}

int chart_free(struct chart *chart, int status)
{
	pieces_free(&chart->pieces);
	lanes_free(&chart->lanes);
	span_times_free(&chart->times);
	pk_texts_free(&chart->names);
	free(chart->text.data);
	free(chart->of_frame);
	free(chart->numbers);
	free(chart->path);
	return sample_source_free(&chart->source, status);
}
