// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "page_data.h"
#include "plot_options.h"
#include "vector.h"

/* ---- Stacks ---- */

/* Sets *number to the number that a string of the dictionary has in data->strings. */
static enum pk_status number_string(struct page_data *data, uint32_t id, uint32_t *number)
{
	size_t size;
	const char *text = pk_dictionary_get_string(
		pk_source_dictionary(&data->tail.profile.context.stacks), id, &size);

	*number = text ? pk_texts_add(&data->strings, text, size) : 0;
	return text && !*number ? PK_NOMEM : PK_OK;
}

#define FLAGS                                                                                      \
	(PK_FRAME_KERNEL | PK_FRAME_GUEST | PK_FRAME_HYPERVISOR | PK_FRAME_INLINED |               \
	 PK_FRAME_JIT | PK_FRAME_TRUNCATED | PK_FRAME_COMM)

/* Sets *name to the number that the frame's name has in the tree. */
static enum pk_status name_frame(struct page_data *data, uint32_t id, uint32_t *name)
{
	const struct pk_dictionary *dictionary =
		pk_source_dictionary(&data->tail.profile.context.stacks);
	const struct pk_frame *frame = pk_dictionary_get_frame(dictionary, id);
	const size_t index = id - pk_dictionary_frames(dictionary).base - 1;
	const struct pk_dso *dso = pk_dictionary_get_dso(dictionary, frame->dso);
	struct page_frame key = {.flags = frame->flags & FLAGS};

	if (pk_extend(&data->of_frame, &data->of_frame_count, index) != PK_OK)
		return PK_NOMEM;
	if (!data->of_frame[index]) {
		if (number_string(data, frame->function, &key.function) != PK_OK ||
		    (dso && number_string(data, dso->path, &key.object) != PK_OK))
			return PK_NOMEM;
		data->of_frame[index] = pk_tree_name(data->tree, (const char *)&key, sizeof(key));
	}
	*name = data->of_frame[index];
	return *name ? PK_OK : PK_NOMEM;
}

/* Finds the node for a stack of the dictionary. At the call, *node is the node of the caller. At
 * the return, *node is the node of the stack. */
static enum pk_status add_node(struct page_data *data, uint32_t id, uint32_t *node)
{
	const struct pk_dictionary *dictionary =
		pk_source_dictionary(&data->tail.profile.context.stacks);
	const struct pk_stack *stack = pk_dictionary_get_stack(dictionary, id);
	const struct pk_frame *frame = pk_dictionary_get_frame(dictionary, stack->frame);
	uint32_t name;

	/* The page does not need this frame, because the row of the sample has the name of the
	 * thread. */
	if (pk_frame_kind(stack, frame) >= PK_FRAME_IS_TASK)
		return PK_OK;
	if (name_frame(data, stack->frame, &name) != PK_OK)
		return PK_NOMEM;
	*node = pk_tree_child(data->tree, *node, name);
	return *node ? PK_OK : PK_NOMEM;
}

/* Sets *node to the node of a stack. Each stack of the dictionary is evaluated only once. So the
 * time does not depend on the depth of the samples' stacks. */
static enum pk_status node_of(struct page_data *data, uint32_t index, uint32_t *node)
{
	const struct pk_stack_source *source = &data->tail.profile.context.stacks;
	uint32_t id = pk_source_id(source, index), at = 0;
	const struct pk_stack *stack;

	data->way.count = 0;
	while ((stack = pk_dictionary_get_stack(pk_source_dictionary(source), id))) {
		index = pk_source_index(source, id);
		if (pk_extend(&data->of_stack, &data->of_stack_count, index) != PK_OK ||
		    pk_vector_reserve(&data->way, 1) != PK_OK)
			return PK_NOMEM;
		if (data->of_stack[index]) {
			at = data->of_stack[index] - 1;
			break;
		}
		data->way.items[data->way.count++] = id;
		id = stack->parent;
	}
	while (data->way.count) {
		id = data->way.items[--data->way.count];
		if (add_node(data, id, &at) != PK_OK)
			return PK_NOMEM;
		data->of_stack[pk_source_index(source, id)] = at + 1;
	}
	*node = at;
	return PK_OK;
}

/* ---- Samples ---- */

/* Sets *number to the number of an event. Stores the unit of its weights. */
static enum pk_status event_of(struct page_data *data, const struct pk_event *event,
			       uint32_t *number)
{
	const char *unit;

	*number = pk_texts_add(&data->events, event->name, strlen(event->name));
	if (!*number || pk_extend(&data->unit_of, &data->unit_of_count, *number) != PK_OK)
		return PK_NOMEM;
	if (data->unit_of[*number])
		return PK_OK;
	unit = pk_weights_unit_of(data->tail.profile.weights, event);
	unit = unit ? unit : "";
	data->unit_of[*number] = pk_texts_add(&data->units, unit, strlen(unit));
	return data->unit_of[*number] ? PK_OK : PK_NOMEM;
}

static enum pk_status row_of(struct page_data *data, struct pk_view *view, uint32_t *row)
{
	const uint32_t group = pk_groups_of(&data->tail.groups, view);
	const uint32_t before = pk_rows_count(&data->rows);
	uint32_t event;

	*row = group ? pk_rows_of(&data->rows, &data->tail.groups, group, 0) : 0;
	if (!*row)
		return PK_NOMEM;
	return *row > before ? event_of(data, view->counted, &event) : PK_OK;
}

uint32_t *page_events(const struct page_data *data)
{
	const uint32_t count = pk_rows_count(&data->rows);
	uint32_t *events = calloc(count + (size_t)1, sizeof(*events));

	for (uint32_t row = 1; events && row <= count; row++) {
		const struct pk_bytes text = pk_rows_value(&data->rows, row, PAGE_EVENT).text;

		events[row] = pk_texts_find(&data->events, (const char *)text.data, text.size);
	}
	return events;
}

/* Returns the time of the sample, or PAGE_NO_TIME if the sample has no time. */
static uint64_t sample_time(const struct pk_view *view)
{
	const uint16_t at = view->event->layout.time;

	return at && at + 8u <= view->record->size ? pk_load_u64(view->record->data + at)
						   : PAGE_NO_TIME;
}

/* Does the same for a sample of the inputs, and counts it. */
static uint64_t time_of(struct page_data *data, const struct pk_view *view)
{
	const uint64_t time = sample_time(view);

	if (time == PAGE_NO_TIME) {
		data->without_time++;
		return time;
	}
	if (!data->last || time < data->first)
		data->first = time;
	if (time > data->last)
		data->last = time;
	return time;
}

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct page_data *data = arg;
	const uint32_t index = pk_view_stack(view);
	uint32_t row, node = 0, stack, place;

	if (index == PK_NO_STACK && view->context->failed)
		return PK_NOMEM;
	if (index != PK_NO_STACK)
		PK_TRY(node_of(data, index, &node));
	stack = node;
	if (data->code.most) {
		place = data->in_base ? 0 : pk_view_place(view);
		if (view->context->failed)
			return PK_NOMEM;
		PK_TRY(page_code_sample(&data->code, view, node, place, &stack));
	}
	if (data->in_base) {
		PK_TRY(event_of(data, view->counted, &row));
		return page_sums_add(&data->base_sums, sample_time(view), row, stack, weight);
	}
	PK_TRY(row_of(data, view, &row));
	PK_TRY(page_marks_add(&data->marks, view, row));
	data->samples++;
	data->without_stack += !node;
	return page_sums_add(&data->sums, time_of(data, view), row, stack, weight);
}

static enum pk_status count_record(void *arg, const struct pk_record *record)
{
	struct page_data *data = arg;

	if (record->type != PERF_RECORD_SAMPLE && !data->in_base)
		PK_TRY(plot_origin_record(&data->origin, data->tail.run->reader, record));
	return pk_tail_evaluate(&data->tail, record);
}

static enum pk_status forget(void *arg)
{
	struct page_data *data = arg;

	pk_rows_forget_groups(&data->rows);
	data->marks.event = NULL;
	free(data->of_stack);
	free(data->of_frame);
	data->of_stack = data->of_frame = NULL;
	data->of_stack_count = data->of_frame_count = 0;
	return PK_OK;
}

/* ---- All ---- */

/* Reads the base, and then the inputs. */
static int read_both(struct page_data *data, struct pk_run *run)
{
	int result, read, reported;

	if (pk_tail_start(&data->tail, run) != PK_OK)
		return pk_no_memory();
	data->in_base = true;
	result = pk_tail_read_base(&data->tail, data->base);
	data->in_base = false;
	if (run->refused)
		return result;
	read = pk_run(run);
	if (run->nothing)
		return read;
	reported = plot_report(&data->tail);
	read = read > reported ? read : reported;
	return result > read ? result : read;
}

int page_read(struct page_data *data, struct pk_run *run)
{
	data->selection->weigh.each_event = true;
	data->rows.columns_count = PAGE_COLUMNS;
	data->tail =
		(struct pk_tail){.options = data->selection,
				 .needs = PK_NEED_ANY_STACKS | PK_NEED_CALLERS | PK_NEED_FORMATS |
					  (data->code.most ? PK_NEED_CODE : 0),
				 .arg = data,
				 .sample = count_sample,
				 .record = count_record,
				 .forget = forget,
				 .report = plot_report,
				 .done = "drawn",
				 .stackless = true,
				 .checked = data->base};
	data->tree = pk_tree_new();
	if (!data->tree || page_marks_init(&data->marks) != PK_OK ||
	    pk_tail_by(data->selection, PAGE_FIELDS, PAGE_COLUMNS) >= 0)
		return pk_no_memory();
	return data->base ? read_both(data, run) : pk_tail_read(&data->tail, run);
}

int page_free(struct page_data *data, int status)
{
	plot_origin_free(&data->origin);
	free(data->sums.items);
	free(data->base_sums.items);
	free(data->changes);
	page_code_free(&data->code);
	page_marks_free(&data->marks);
	pk_rows_free(&data->rows);
	pk_tree_free(data->tree);
	pk_texts_free(&data->strings);
	pk_texts_free(&data->events);
	pk_texts_free(&data->units);
	free(data->unit_of);
	free(data->of_stack);
	free(data->of_frame);
	free(data->way.items);
	pk_tail_options_free(data->selection);
	return pk_tail_free(&data->tail, status);
}
