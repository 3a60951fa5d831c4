// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "formats.h"
#include "outline.h"
#include "vector.h"

#define LEVELS_MAX 250 /* levels of branches; deeper branches are not shown */

static const struct results *results_of(const struct outline *outline)
{
	return &outline->reporter->results;
}

static const struct layout *layout_of(const struct outline *outline)
{
	return outline->reporter->results.layout;
}

const struct sheet *outline_sheet(const struct outline *outline)
{
	const struct results *results = results_of(outline);

	return outline->sheet < results->sheets_count ? &results->sheets[outline->sheet] : NULL;
}

/* ---- Values of fields ---- */

/* Returns the column that shows a field. Returns NULL if there is none. */
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

/* Sets outline->cell to the value of a field, and appends a NUL. */
static enum pk_status field_text(struct outline *outline, unsigned int field, uint32_t row)
{
	const struct results *results = results_of(outline);
	const struct pk_row_value value = pk_rows_value(&results->rows, row, field);
	char number[PK_VALUE_SIZE];
	struct pk_bytes text;

	outline->cell.size = 0;
	if (value.kind != PK_VALUE_NONE) {
		text = pk_row_value_text(&value, number);
		buffer_add(&outline->cell, text.data, text.size);
	}
	buffer_char(&outline->cell, '\0');
	return outline->cell.failed ? PK_NOMEM : PK_OK;
}

/* Returns the value that the selected row has in a field. Returns NULL if it has none. */
static const char *selected_value(struct outline *outline, const char *field)
{
	const struct column *column = column_of(layout_of(outline), field);

	if (!column ||
	    field_text(outline, column->field, outline->lines[outline->selected].row) != PK_OK ||
	    !outline->cell.data[0])
		return NULL;
	return outline->cell.data;
}

/* ---- Identities of lines, which are the same after a refresh ---- */

static uint64_t row_hash(struct outline *outline, uint32_t row)
{
	uint64_t hash = outline->secret;

	for (unsigned int i = 0; i < results_of(outline)->rows.columns_count; i++)
		if (field_text(outline, i, row) == PK_OK)
			hash = pk_hash(outline->cell.data, outline->cell.size, hash);
	return hash;
}

static uint64_t node_hash(const struct call_tree *tree, uint64_t parent, uint32_t node)
{
	size_t size = 0;
	const char *name = pk_call_tree_name(tree, node, &size);

	return pk_hash(name, name ? size : 0, parent);
}

/* Returns the identity of the selected line, which is its key in the table `open`. */
static uint64_t selected_hash(struct outline *outline)
{
	const struct outline_line *line = &outline->lines[outline->selected];

	return line->node ? line->hash : row_hash(outline, line->row);
}

static bool is_open(const struct outline *outline, uint64_t hash)
{
	return (pk_table_get_u64(&outline->open, hash) != 0) != outline->all_open;
}

/* ---- Rows ---- */

/* Returns true if the row has the value of the zoom. */
static bool has_zoom(struct outline *outline, const struct outline_zoom *zoom, uint32_t row)
{
	return field_text(outline, zoom->field, row) == PK_OK &&
	       !strcmp(outline->cell.data, zoom->text);
}

/* Returns true if the text of a cell contains the filter. */
static bool contains(struct outline *outline, const struct column *column, uint32_t row)
{
	const struct report_options *report = outline->reporter->options;
	const struct text_options options = {.units = report->units,
					     .full_paths = report->full_paths};

	if (pk_text_table_cell(results_of(outline), outline_sheet(outline), &options, column, row,
			       &outline->cell) != PK_OK)
		return false;
	buffer_char(&outline->cell, '\0');
	return !outline->cell.failed && strcasestr(outline->cell.data, outline->filter);
}

/* Does the same as contains(), but searches each text of the input only once. The cell of a
 * function also depends on the mode. */
static bool cell_matches(struct outline *outline, const struct column *column, uint32_t row)
{
	const struct pk_rows *rows = &results_of(outline)->rows;
	const struct pk_row_value value = pk_rows_value(rows, row, column->field);
	const uint64_t mode = row < rows->modes_count ? rows->modes[row] : 0;
	const uint64_t key = value.number << 16 | (uint64_t)column->field << 8 | mode;
	uint64_t known;

	if (value.kind != PK_VALUE_TEXT)
		return contains(outline, column, row);
	known = pk_table_get_u64(&outline->matches, key);
	if (!known) {
		known = contains(outline, column, row) ? 2 : 1;
		pk_table_set_u64(&outline->matches, key, known); /* a failure costs only time */
	}
	return known == 2;
}

static bool matches(struct outline *outline, uint32_t row)
{
	const struct layout *layout = layout_of(outline);

	for (unsigned int i = 0; i < outline->zooms_count; i++)
		if (!has_zoom(outline, &outline->zooms[i], row))
			return false;
	for (unsigned int i = 0; outline->filter && i < layout->columns_count; i++)
		if (layout->columns[i].kind == COLUMN_FIELD &&
		    cell_matches(outline, &layout->columns[i], row))
			return true;
	return !outline->filter;
}

bool outline_has_trees(const struct outline *outline)
{
	return results_of(outline)->has_forest && outline->reporter->has_callchains;
}

static enum pk_status add_line(struct outline *outline, const struct outline_line *line)
{
	PK_TRY(pk_reserve(&outline->lines, &outline->capacity, outline->count, 1,
			  sizeof(*outline->lines)));
	outline->lines[outline->count++] = *line;
	return PK_OK;
}

/* ---- Trees ---- */

static void free_trees(struct outline *outline)
{
	for (size_t i = 0; i < outline->trees_count; i++)
		pk_call_tree_free(&outline->trees[i]);
	outline->trees_count = 0;
	pk_table_clear(&outline->tree_numbers);
}

static struct call_tree *find_tree(const struct outline *outline, uint32_t row)
{
	const uint64_t number = pk_table_get_u64(&outline->tree_numbers, row);

	return number ? &outline->trees[number - 1] : NULL;
}

const struct call_tree *outline_tree(const struct outline *outline, uint32_t row)
{
	return find_tree(outline, row);
}

/* Returns NULL if memory is exhausted. */
static struct call_tree *add_tree(struct outline *outline, uint32_t row)
{
	const struct results *results = results_of(outline);
	struct call_tree *tree;

	if (pk_reserve(&outline->trees, &outline->trees_capacity, outline->trees_count, 1,
		       sizeof(*outline->trees)) != PK_OK)
		return NULL;
	tree = &outline->trees[outline->trees_count];
	*tree = (struct call_tree){.forest = &results->forest,
				   .options = &outline->reporter->options->graph,
				   .row = row,
				   .caller = outline->caller,
				   .children = results->has_children,
				   .weight = pk_results_weight(results, row),
				   .total = outline_sheet(outline)->sets[0].weight};
	if (pk_call_tree_start(tree) != PK_OK)
		return NULL;
	outline->trees_count++;
	return pk_table_set_u64(&outline->tree_numbers, row, outline->trees_count) == PK_OK ? tree
											    : NULL;
}

/* ---- Branches ---- */

/* Returns the number of children that are shown. */
static uint32_t shown_children(const struct call_tree *tree, uint32_t node)
{
	const uint32_t count = pk_call_tree_visible(tree, node);
	const uint64_t limit = tree->options->limit;

	return limit && limit < count ? (uint32_t)limit : count;
}

/* Adds the branches of an open line. `node`, `hash` and `level` are those of this line. */
static enum pk_status add_branches(struct outline *outline, struct call_tree *tree, uint32_t node,
				   uint64_t hash, unsigned int level)
{
	const bool joined = pk_call_tree_is_joined(tree, node);
	const uint32_t count = level < LEVELS_MAX ? shown_children(tree, node) : 0;
	enum pk_status status = PK_OK;

	for (uint32_t i = 0; status == PK_OK && i < count; i++) {
		struct outline_line line = {.row = tree->row, .joined = joined};

		outline->cut |= outline->branches == OUTLINE_BRANCHES_MAX;
		if (outline->cut)
			break;
		outline->branches++;
		line.node = tree->nodes[node].first + i;
		line.hash = node_hash(tree, hash, line.node);
		line.level = (uint16_t)(joined && level ? level : level + 1);
		PK_TRY(pk_call_tree_open(tree, line.node));
		if (shown_children(tree, line.node) && !joined)
			line.state = is_open(outline, line.hash) ? OUTLINE_OPEN : OUTLINE_CLOSED;
		status = add_line(outline, &line);
		if (status == PK_OK && (joined || line.state == OUTLINE_OPEN))
			status = add_branches(outline, tree, line.node, line.hash, line.level);
	}
	return status;
}

static enum pk_status open_row(struct outline *outline, uint32_t row)
{
	struct call_tree *tree = find_tree(outline, row);

	if (!tree)
		tree = add_tree(outline, row);
	if (!tree)
		return PK_NOMEM;
	PK_TRY(pk_call_tree_open(tree, 0));
	return add_branches(outline, tree, 0, row_hash(outline, row), 0);
}

static enum pk_status add_row(struct outline *outline, uint32_t row)
{
	const struct sheet *sheet = outline_sheet(outline);
	struct outline_line line = {.row = row};

	if (outline_has_trees(outline) &&
	    !pk_call_tree_is_light(&outline->reporter->options->graph,
				   pk_results_weight(results_of(outline), row),
				   sheet->sets[0].weight))
		line.state = is_open(outline, outline->open.count ? row_hash(outline, row) : 0)
				     ? OUTLINE_OPEN
				     : OUTLINE_CLOSED;
	PK_TRY(add_line(outline, &line));
	return line.state == OUTLINE_OPEN ? open_row(outline, row) : PK_OK;
}

/* ---- Lines ---- */

static void scroll(struct outline *outline)
{
	if (outline->selected >= outline->count)
		outline->selected = outline->count ? outline->count - 1 : 0;
	if (outline->selected < outline->top)
		outline->top = outline->selected;
	if (outline->height && outline->selected >= outline->top + outline->height)
		outline->top = outline->selected - outline->height + 1;
	if (outline->top && outline->count < outline->top + outline->height)
		outline->top =
			outline->count > outline->height ? outline->count - outline->height : 0;
	outline->selected_row =
		outline->count ? row_hash(outline, outline->lines[outline->selected].row) : 0;
}

/* Selects the row that was selected before the update. If a branch of this row was selected,
 * selects the branch with the same hash. `same` is set if rows have the same numbers as before. */
static void find_selected(struct outline *outline, const struct outline_line *before, bool same)
{
	const uint64_t selected = outline->selected_row;
	uint32_t row;

	for (size_t i = 0; i < outline->count; i++) {
		row = outline->lines[i].row;
		if (outline->lines[i].node ||
		    (same ? row != before->row : row_hash(outline, row) != selected))
			continue;
		outline->selected = i;
		for (; before->node && i < outline->count && outline->lines[i].row == row; i++)
			if (outline->lines[i].node && outline->lines[i].hash == before->hash)
				outline->selected = i;
		return;
	}
}

/* Scrolls so that the selected line stays at its position on the screen. `before` is the index that
 * it had before the update. */
static void keep_position(struct outline *outline, size_t before)
{
	const size_t up = before > outline->selected ? before - outline->selected : 0;

	if (up)
		outline->top -= up < outline->top ? up : outline->top;
	else
		outline->top += outline->selected - before;
}

/* Returns the event of a sheet, or NULL if the sheet has all events. */
static const char *event_of(const struct outline *outline, size_t sheet)
{
	const struct results *results = results_of(outline);

	return pk_results_event(results, results->sheets[sheet].event, &(size_t){0});
}

/* Finds the sheet of the shown event again, because sheets of other events can have been added
 * before it. After all numbers were set to 0, the event can have no sheet. Then the first sheet is
 * shown. */
static void find_sheet(struct outline *outline)
{
	const size_t count = results_of(outline)->sheets_count;
	const char *event;
	size_t i = outline->event ? 0 : outline->sheet;

	for (; outline->event && i < count; i++) {
		event = event_of(outline, i);
		if (event && !strcmp(event, outline->event))
			break;
	}
	outline->sheet = i < count ? i : 0;
	event = count ? event_of(outline, outline->sheet) : NULL;
	if (!outline->event && event)
		outline->event = strdup(event);
}

static enum pk_status make_lines(struct outline *outline)
{
	const struct sheet *sheet = outline_sheet(outline);
	enum pk_status status = PK_OK;

	outline->count = outline->branches = 0;
	outline->cut = false;
	for (size_t i = 0; status == PK_OK && sheet && i < sheet->count; i++)
		if (matches(outline, sheet->lines[i]))
			status = add_row(outline, sheet->lines[i]);
	pk_table_clear(&outline->matches);
	return status;
}

enum pk_status outline_update(struct outline *outline)
{
	const bool same = outline->generation == outline->reporter->generation;
	/* If the first line was selected, the new first line is selected, even if it is another
	 * row. */
	const bool follow = outline->selected && outline->selected < outline->count;
	const struct outline_line before =
		follow ? outline->lines[outline->selected] : (struct outline_line){0};
	const size_t index = outline->selected;
	enum pk_status status;

	if (!outline->secret)
		outline->secret = pk_secret() | 1;
	if (!same || outline->trees_caller != outline->caller)
		free_trees(outline);
	outline->trees_caller = outline->caller;
	outline->generation = outline->reporter->generation;
	find_sheet(outline);
	status = make_lines(outline);
	if (follow)
		find_selected(outline, &before, same);
	keep_position(outline, index);
	scroll(outline);
	PK_TRY(status);
	return outline->cell.failed ? PK_NOMEM : PK_OK;
}

enum pk_status outline_refresh(struct outline *outline)
{
	free_trees(outline);
	return outline_update(outline);
}

double outline_share(const struct outline *outline, size_t index)
{
	const struct outline_line *line = &outline->lines[index];
	const struct call_tree *tree = line->node ? find_tree(outline, line->row) : NULL;

	if (!tree)
		return pk_call_tree_percent(pk_results_weight(results_of(outline), line->row),
					    outline_sheet(outline)->sets[0].weight);
	return pk_call_tree_percent(tree->nodes[line->node].totals[0],
				    pk_call_tree_whole(tree, tree->nodes[line->node].parent));
}

const char *outline_function(struct outline *outline)
{
	const struct outline_line *line =
		outline->count ? &outline->lines[outline->selected] : NULL;

	if (!line)
		return NULL;
	if (line->node)
		return pk_call_tree_name(find_tree(outline, line->row), line->node, NULL);
	return selected_value(outline, "symbol");
}

const char *outline_object(struct outline *outline)
{
	if (!outline->count || outline->lines[outline->selected].node)
		return NULL;
	return selected_value(outline, "dso");
}

/* ---- Changes ---- */

void outline_select(struct outline *outline, size_t line)
{
	outline->selected = line;
	scroll(outline);
}

void outline_move(struct outline *outline, long lines)
{
	const size_t back = lines < 0 ? (size_t)-lines : 0;

	if (back > outline->selected)
		outline_select(outline, 0);
	else
		outline_select(outline, outline->selected + (size_t)lines);
}

static enum pk_status set_open(struct outline *outline, uint64_t hash, bool open)
{
	if (is_open(outline, hash) == open)
		return PK_OK;
	if (open == outline->all_open) {
		pk_table_remove(&outline->open, hash);
		return PK_OK;
	}
	return pk_table_set_u64(&outline->open, hash, 1);
}

bool outline_open(struct outline *outline, bool open)
{
	if (!outline->count || outline->lines[outline->selected].state == OUTLINE_LEAF)
		return false;
	return set_open(outline, selected_hash(outline), open) == PK_OK &&
	       outline_update(outline) == PK_OK;
}

void outline_open_all(struct outline *outline, bool open)
{
	pk_table_clear(&outline->open);
	outline->all_open = open;
}

bool outline_leave(struct outline *outline)
{
	const struct outline_line *line =
		outline->count ? &outline->lines[outline->selected] : NULL;
	size_t at = outline->selected;

	if (!line || !line->node)
		return false;
	while (at && (outline->lines[at].level >= line->level || outline->lines[at].joined) &&
	       outline->lines[at].node)
		at--;
	outline_select(outline, at);
	return true;
}

static bool add_zoom(struct outline *outline, unsigned int field)
{
	struct outline_zoom *zoom = &outline->zooms[outline->zooms_count];

	if (outline->zooms_count == OUTLINE_ZOOMS || !outline->count ||
	    field_text(outline, field, outline->lines[outline->selected].row) != PK_OK)
		return false;
	*zoom = (struct outline_zoom){field, strdup(outline->cell.data)};
	outline->zooms_count += zoom->text != NULL;
	return zoom->text;
}

/* Returns the index of the zoom that belongs to a field. Returns zooms_count if there is none. */
static unsigned int zoom_of(const struct outline *outline, unsigned int field)
{
	unsigned int i = 0;

	while (i < outline->zooms_count && outline->zooms[i].field != field)
		i++;
	return i;
}

bool outline_zoom(struct outline *outline, const char *field)
{
	const struct column *column = column_of(layout_of(outline), field);
	unsigned int i = column ? zoom_of(outline, column->field) : 0;

	if (!column)
		return false;
	if (i == outline->zooms_count)
		return add_zoom(outline, column->field);
	free(outline->zooms[i].text);
	for (outline->zooms_count--; i < outline->zooms_count; i++)
		outline->zooms[i] = outline->zooms[i + 1];
	return true;
}

bool outline_zoom_next(struct outline *outline)
{
	const struct layout *layout = layout_of(outline);

	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout->columns[i].kind == COLUMN_FIELD &&
		    zoom_of(outline, layout->columns[i].field) == outline->zooms_count)
			return add_zoom(outline, layout->columns[i].field);
	return false;
}

bool outline_zoom_out(struct outline *outline)
{
	if (!outline->zooms_count)
		return false;
	free(outline->zooms[--outline->zooms_count].text);
	return true;
}

enum pk_status outline_filter(struct outline *outline, const char *text)
{
	free(outline->filter);
	outline->filter = text && *text ? strdup(text) : NULL;
	return outline->filter || !text || !*text ? PK_OK : PK_NOMEM;
}

void outline_next_sheet(struct outline *outline, int step)
{
	const size_t count = results_of(outline)->sheets_count;

	if (!count)
		return;
	outline->sheet = (outline->sheet + (step < 0 ? count - 1 : 1)) % count;
	outline->selected = outline->top = 0;
	free(outline->event);
	outline->event = NULL; /* outline_update() sets it */
}

void outline_reset(struct outline *outline)
{
	while (outline_zoom_out(outline))
		;
	outline_filter(outline, NULL);
	free(outline->event);
	outline->event = NULL;
	outline_open_all(outline, false);
	free_trees(outline);
	outline->count = outline->selected = outline->top = outline->sheet = 0;
}

void outline_free(struct outline *outline)
{
	outline_reset(outline);
	free(outline->trees);
	free(outline->lines);
	free(outline->cell.data);
	pk_table_free(&outline->tree_numbers);
	pk_table_free(&outline->matches);
	pk_table_free(&outline->open);
}
