// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "vector.h"
#include "view.h"

#define LEVELS_MAX 250 /* of branches; deeper ones are not shown */

static const struct results *results_of(const struct screen_view *view)
{
	return &view->reporter->results;
}

static const struct layout *layout_of(const struct screen_view *view)
{
	return view->reporter->results.layout;
}

const struct sheet *view_sheet(const struct screen_view *view)
{
	const struct results *results = results_of(view);

	return view->sheet < results->sheets_count ? &results->sheets[view->sheet] : NULL;
}

/* ---- Values of fields ---- */

/* The column with a field; NULL: none. */
static const struct column *column_of(const struct layout *layout, const char *field)
{
	for (unsigned int i = 0; i < layout->columns_count; i++) {
		const struct column *column = &layout->columns[i];

		if (column->kind == COLUMN_FIELD && layout->shown[column->field] &&
		    !strcmp(layout->shown[column->field]->name, field))
			return column;
	}
	return NULL;
}

/* Sets view->cell to the value of a field, with a NUL. False: out of memory. */
static bool field_text(struct screen_view *view, unsigned int field, uint32_t row)
{
	const struct results *results = results_of(view);
	const struct pk_row_value value = pk_rows_value(&results->rows, row, field);
	char number[PK_VALUE_SIZE];
	struct pk_bytes text;

	view->cell.size = 0;
	if (value.kind != PK_VALUE_NONE) {
		text = pk_row_value_text(&value, number);
		buffer_add(&view->cell, text.data, text.size);
	}
	buffer_char(&view->cell, '\0');
	return !view->cell.failed;
}

/* The value of the selected row's field. NULL: it has none. */
static const char *selected_value(struct screen_view *view, const char *field)
{
	const struct column *column = column_of(layout_of(view), field);

	if (!column || !field_text(view, column->field, view->lines[view->selected].row) ||
	    !view->cell.data[0])
		return NULL;
	return view->cell.data;
}

/* ---- Identities of lines, which are the same after a refresh ---- */

static uint64_t row_hash(struct screen_view *view, uint32_t row)
{
	uint64_t hash = view->secret;

	for (unsigned int i = 0; i < results_of(view)->rows.columns_count; i++)
		if (field_text(view, i, row))
			hash = pk_hash(view->cell.data, view->cell.size, hash);
	return hash;
}

static uint64_t node_hash(const struct call_tree *tree, uint64_t parent, uint32_t node)
{
	size_t size = 0;
	const char *name = pk_call_tree_name(tree, node, &size);

	return pk_hash(name, name ? size : 0, parent);
}

/* The identity of the selected line, for `open`. */
static uint64_t selected_hash(struct screen_view *view)
{
	const struct view_line *line = &view->lines[view->selected];

	return line->node ? line->hash : row_hash(view, line->row);
}

static bool is_open(const struct screen_view *view, uint64_t hash)
{
	return (pk_table_get_u64(&view->open, hash) != 0) != view->all_open;
}

/* ---- Rows ---- */

static bool has_zoom(struct screen_view *view, const struct view_zoom *zoom, uint32_t row)
{
	return field_text(view, zoom->field, row) && !strcmp(view->cell.data, zoom->text);
}

/* Whether the text of a cell contains the filter. */
static bool contains(struct screen_view *view, const struct column *column, uint32_t row)
{
	const struct report_options *report = view->reporter->options;
	const struct text_options options = {.units = report->units,
					     .full_paths = report->full_paths};

	if (!pk_text_table_cell(results_of(view), view_sheet(view), &options, column, row,
				&view->cell))
		return false;
	buffer_char(&view->cell, '\0');
	return !view->cell.failed && strcasestr(view->cell.data, view->filter);
}

/* The same; texts of the input are searched once. The cell of a function depends on the mode. */
static bool cell_matches(struct screen_view *view, const struct column *column, uint32_t row)
{
	const struct pk_rows *rows = &results_of(view)->rows;
	const struct pk_row_value value = pk_rows_value(rows, row, column->field);
	const uint64_t mode = row < rows->modes_count ? rows->modes[row] : 0;
	const uint64_t key = value.number << 16 | (uint64_t)column->field << 8 | mode;
	uint64_t known;

	if (value.kind != PK_VALUE_TEXT)
		return contains(view, column, row);
	known = pk_table_get_u64(&view->matches, key);
	if (!known) {
		known = contains(view, column, row) ? 2 : 1;
		pk_table_set_u64(&view->matches, key, known); /* if it fails: searched again */
	}
	return known == 2;
}

static bool matches(struct screen_view *view, uint32_t row)
{
	const struct layout *layout = layout_of(view);

	for (unsigned int i = 0; i < view->zooms_count; i++)
		if (!has_zoom(view, &view->zooms[i], row))
			return false;
	for (unsigned int i = 0; view->filter && i < layout->columns_count; i++)
		if (layout->columns[i].kind == COLUMN_FIELD &&
		    cell_matches(view, &layout->columns[i], row))
			return true;
	return !view->filter;
}

bool view_has_trees(const struct screen_view *view)
{
	return results_of(view)->has_forest && view->reporter->has_callchains;
}

static bool add_line(struct screen_view *view, const struct view_line *line)
{
	if (!pk_reserve(&view->lines, &view->capacity, view->count, 1, sizeof(*view->lines)))
		return false;
	view->lines[view->count++] = *line;
	return true;
}

/* ---- Trees ---- */

static void free_trees(struct screen_view *view)
{
	for (size_t i = 0; i < view->trees_count; i++)
		pk_call_tree_free(&view->trees[i]);
	view->trees_count = 0;
	pk_table_clear(&view->tree_numbers);
}

static struct call_tree *find_tree(const struct screen_view *view, uint32_t row)
{
	const uint64_t number = pk_table_get_u64(&view->tree_numbers, row);

	return number ? &view->trees[number - 1] : NULL;
}

const struct call_tree *view_tree(const struct screen_view *view, uint32_t row)
{
	return find_tree(view, row);
}

/* NULL: out of memory. */
static struct call_tree *add_tree(struct screen_view *view, uint32_t row)
{
	const struct results *results = results_of(view);
	struct call_tree *tree;

	if (!pk_reserve(&view->trees, &view->trees_capacity, view->trees_count, 1,
			sizeof(*view->trees)))
		return NULL;
	tree = &view->trees[view->trees_count];
	*tree = (struct call_tree){.forest = &results->forest,
				   .options = &view->reporter->options->graph,
				   .row = row,
				   .caller = view->caller,
				   .children = results->has_children,
				   .weight = pk_results_weight(results, row),
				   .total = view_sheet(view)->sets[0].weight};
	if (!pk_call_tree_start(tree))
		return NULL;
	view->trees_count++;
	return pk_table_set_u64(&view->tree_numbers, row, view->trees_count) ? tree : NULL;
}

/* ---- Branches ---- */

/* The number of children that are shown. */
static uint32_t shown_children(const struct call_tree *tree, uint32_t node)
{
	const uint32_t count = pk_call_tree_visible(tree, node);
	const uint64_t limit = tree->options->limit;

	return limit && limit < count ? (uint32_t)limit : count;
}

/* Adds the branches of a line with this opened node, hash and level. False: out of memory. */
static bool add_branches(struct screen_view *view, struct call_tree *tree, uint32_t node,
			 uint64_t hash, unsigned int level)
{
	const bool joined = pk_call_tree_is_joined(tree, node);
	const uint32_t count = level < LEVELS_MAX ? shown_children(tree, node) : 0;
	bool done = true;

	for (uint32_t i = 0; done && i < count; i++) {
		struct view_line line = {.row = tree->row, .joined = joined};

		view->cut |= view->branches == VIEW_BRANCHES_MAX;
		if (view->cut)
			break;
		view->branches++;
		line.node = tree->nodes[node].first + i;
		line.hash = node_hash(tree, hash, line.node);
		line.level = (uint16_t)(joined && level ? level : level + 1);
		if (!pk_call_tree_open(tree, line.node))
			return false;
		if (shown_children(tree, line.node) && !joined)
			line.state = is_open(view, line.hash) ? VIEW_OPEN : VIEW_CLOSED;
		done = add_line(view, &line);
		if (done && (joined || line.state == VIEW_OPEN))
			done = add_branches(view, tree, line.node, line.hash, line.level);
	}
	return done;
}

static bool open_row(struct screen_view *view, uint32_t row)
{
	struct call_tree *tree = find_tree(view, row);

	if (!tree)
		tree = add_tree(view, row);
	return tree && pk_call_tree_open(tree, 0) &&
	       add_branches(view, tree, 0, row_hash(view, row), 0);
}

static bool add_row(struct screen_view *view, uint32_t row)
{
	const struct sheet *sheet = view_sheet(view);
	struct view_line line = {.row = row};

	if (view_has_trees(view) &&
	    !pk_call_tree_is_light(&view->reporter->options->graph,
				   pk_results_weight(results_of(view), row), sheet->sets[0].weight))
		line.state = is_open(view, view->open.count ? row_hash(view, row) : 0)
				     ? VIEW_OPEN
				     : VIEW_CLOSED;
	return add_line(view, &line) && (line.state != VIEW_OPEN || open_row(view, row));
}

/* ---- Lines ---- */

static void scroll(struct screen_view *view)
{
	if (view->selected >= view->count)
		view->selected = view->count ? view->count - 1 : 0;
	if (view->selected < view->top)
		view->top = view->selected;
	if (view->height && view->selected >= view->top + view->height)
		view->top = view->selected - view->height + 1;
	if (view->top && view->count < view->top + view->height)
		view->top = view->count > view->height ? view->count - view->height : 0;
	view->selected_row = view->count ? row_hash(view, view->lines[view->selected].row) : 0;
}

/* Selects the row that was selected before, or its branch with this hash. `same`: rows have the
 * same numbers as before. */
static void find_selected(struct screen_view *view, const struct view_line *before, bool same)
{
	const uint64_t selected = view->selected_row;
	uint32_t row;

	for (size_t i = 0; i < view->count; i++) {
		row = view->lines[i].row;
		if (view->lines[i].node ||
		    (same ? row != before->row : row_hash(view, row) != selected))
			continue;
		view->selected = i;
		for (; before->node && i < view->count && view->lines[i].row == row; i++)
			if (view->lines[i].node && view->lines[i].hash == before->hash)
				view->selected = i;
		return;
	}
}

/* The selected line had this index: it stays at its place on the screen. */
static void keep_position(struct screen_view *view, size_t before)
{
	const size_t up = before > view->selected ? before - view->selected : 0;

	if (up)
		view->top -= up < view->top ? up : view->top;
	else
		view->top += view->selected - before;
}

/* The event of a sheet; NULL: all events. */
static const char *event_of(const struct screen_view *view, size_t sheet)
{
	const struct results *results = results_of(view);

	return pk_results_event(results, results->sheets[sheet].event, &(size_t){0});
}

/* Other events can have got sheets before that of the shown event. While it has none, because all
 * numbers were set to 0, the first sheet is shown. */
static void find_sheet(struct screen_view *view)
{
	const size_t count = results_of(view)->sheets_count;
	const char *event;
	size_t i = view->event ? 0 : view->sheet;

	for (; view->event && i < count; i++) {
		event = event_of(view, i);
		if (event && !strcmp(event, view->event))
			break;
	}
	view->sheet = i < count ? i : 0;
	event = count ? event_of(view, view->sheet) : NULL;
	if (!view->event && event)
		view->event = strdup(event);
}

/* Makes the lines. False: out of memory. */
static bool make_lines(struct screen_view *view)
{
	const struct sheet *sheet = view_sheet(view);
	bool done = true;

	view->count = view->branches = 0;
	view->cut = false;
	for (size_t i = 0; done && sheet && i < sheet->count; i++)
		if (matches(view, sheet->lines[i]))
			done = add_row(view, sheet->lines[i]);
	pk_table_clear(&view->matches);
	return done;
}

bool view_update(struct screen_view *view)
{
	const bool same = view->generation == view->reporter->generation;
	/* The first line stays selected, whichever row it is. */
	const bool follow = view->selected && view->selected < view->count;
	const struct view_line before =
		follow ? view->lines[view->selected] : (struct view_line){0};
	const size_t index = view->selected;
	bool done;

	if (!view->secret)
		view->secret = pk_secret() | 1;
	if (!same || view->trees_caller != view->caller)
		free_trees(view);
	view->trees_caller = view->caller;
	view->generation = view->reporter->generation;
	find_sheet(view);
	done = make_lines(view);
	if (follow)
		find_selected(view, &before, same);
	keep_position(view, index);
	scroll(view);
	return done && !view->cell.failed;
}

bool view_refresh(struct screen_view *view)
{
	free_trees(view);
	return view_update(view);
}

double view_share(const struct screen_view *view, size_t index)
{
	const struct view_line *line = &view->lines[index];
	const struct call_tree *tree = line->node ? find_tree(view, line->row) : NULL;

	if (!tree)
		return pk_call_tree_percent(pk_results_weight(results_of(view), line->row),
					    view_sheet(view)->sets[0].weight);
	return pk_call_tree_percent(tree->nodes[line->node].totals[0],
				    pk_call_tree_whole(tree, tree->nodes[line->node].parent));
}

const char *view_function(struct screen_view *view)
{
	const struct view_line *line = view->count ? &view->lines[view->selected] : NULL;

	if (!line)
		return NULL;
	if (line->node)
		return pk_call_tree_name(find_tree(view, line->row), line->node, NULL);
	return selected_value(view, "symbol");
}

const char *view_object(struct screen_view *view)
{
	if (!view->count || view->lines[view->selected].node)
		return NULL;
	return selected_value(view, "dso");
}

/* ---- Changes ---- */

void view_select(struct screen_view *view, size_t line)
{
	view->selected = line;
	scroll(view);
}

void view_move(struct screen_view *view, long lines)
{
	const size_t back = lines < 0 ? (size_t)-lines : 0;

	if (back > view->selected)
		view_select(view, 0);
	else
		view_select(view, view->selected + (size_t)lines);
}

static bool set_open(struct screen_view *view, uint64_t hash, bool open)
{
	if (is_open(view, hash) == open)
		return true;
	if (open == view->all_open) {
		pk_table_remove(&view->open, hash);
		return true;
	}
	return pk_table_set_u64(&view->open, hash, 1);
}

bool view_open(struct screen_view *view, bool open)
{
	if (!view->count || view->lines[view->selected].state == VIEW_LEAF)
		return false;
	return set_open(view, selected_hash(view), open) && view_update(view);
}

void view_open_all(struct screen_view *view, bool open)
{
	pk_table_clear(&view->open);
	view->all_open = open;
}

bool view_leave(struct screen_view *view)
{
	const struct view_line *line = view->count ? &view->lines[view->selected] : NULL;
	size_t at = view->selected;

	if (!line || !line->node)
		return false;
	while (at && (view->lines[at].level >= line->level || view->lines[at].joined) &&
	       view->lines[at].node)
		at--;
	view_select(view, at);
	return true;
}

static bool add_zoom(struct screen_view *view, unsigned int field)
{
	struct view_zoom *zoom = &view->zooms[view->zooms_count];

	if (view->zooms_count == VIEW_ZOOMS || !view->count ||
	    !field_text(view, field, view->lines[view->selected].row))
		return false;
	*zoom = (struct view_zoom){field, strdup(view->cell.data)};
	view->zooms_count += zoom->text != NULL;
	return zoom->text;
}

/* The index of the zoom of a field; zooms_count: there is none. */
static unsigned int zoom_of(const struct screen_view *view, unsigned int field)
{
	unsigned int i = 0;

	while (i < view->zooms_count && view->zooms[i].field != field)
		i++;
	return i;
}

bool view_zoom(struct screen_view *view, const char *field)
{
	const struct column *column = column_of(layout_of(view), field);
	unsigned int i = column ? zoom_of(view, column->field) : 0;

	if (!column || i == view->zooms_count)
		return column && add_zoom(view, column->field);
	free(view->zooms[i].text);
	for (view->zooms_count--; i < view->zooms_count; i++)
		view->zooms[i] = view->zooms[i + 1];
	return true;
}

bool view_zoom_next(struct screen_view *view)
{
	const struct layout *layout = layout_of(view);

	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout->columns[i].kind == COLUMN_FIELD &&
		    zoom_of(view, layout->columns[i].field) == view->zooms_count)
			return add_zoom(view, layout->columns[i].field);
	return false;
}

bool view_zoom_out(struct screen_view *view)
{
	if (!view->zooms_count)
		return false;
	free(view->zooms[--view->zooms_count].text);
	return true;
}

bool view_filter(struct screen_view *view, const char *text)
{
	free(view->filter);
	view->filter = text && *text ? strdup(text) : NULL;
	return view->filter || !text || !*text;
}

void view_next_sheet(struct screen_view *view, int step)
{
	const size_t count = results_of(view)->sheets_count;

	if (!count)
		return;
	view->sheet = (view->sheet + (step < 0 ? count - 1 : 1)) % count;
	view->selected = view->top = 0;
	free(view->event);
	view->event = NULL; /* found by view_update() */
}

void view_reset(struct screen_view *view)
{
	while (view_zoom_out(view))
		;
	view_filter(view, NULL);
	free(view->event);
	view->event = NULL;
	view_open_all(view, false);
	free_trees(view);
	view->count = view->selected = view->top = view->sheet = 0;
}

void view_free(struct screen_view *view)
{
	view_reset(view);
	free(view->trees);
	free(view->lines);
	free(view->cell.data);
	pk_table_free(&view->tree_numbers);
	pk_table_free(&view->matches);
	pk_table_free(&view->open);
}
