// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "formats.h"
#include "outline_text.h"
#include "safe_text.h"

/* ---- Lines that fit ---- */

/* The maximum number of characters without columns that may follow each other. Further ones are
 * left out. */
#define MARKS_MAX 4

/* Returns true for characters that are not visible. They join other characters, or change the
 * direction of the text. */
static bool is_hidden(wchar_t wide)
{
	return wide == 0x61c || wide == 0xfeff || (wide >= 0x200b && wide <= 0x200f) ||
	       (wide >= 0x2060 && wide <= 0x206f);
}

/* Returns the size of the first character in bytes. Sets *columns to its number of columns, or to
 * -1 if the character must be replaced. */
static size_t next_character(const char *text, size_t size, int *columns)
{
	const size_t length = pk_utf8_size(text, size);
	mbstate_t state = {0};
	wchar_t wide;

	*columns = -1;
	if (!length || pk_is_harmful(text, length))
		return length ? length : 1;
	if (length == 1)
		*columns = 1;
	else if (mbrtowc(&wide, text, length, &state) == length && !is_hidden(wide))
		*columns = wcwidth(wide);
	return length;
}

/* Appends as much of the text as fits into `columns` columns. Returns the number of columns. If out
 * is NULL, only counts the columns. */
static size_t add_text(struct buffer *out, const char *text, size_t size, size_t columns)
{
	size_t used = 0, length;
	unsigned int marks = 0;
	int width;

	for (; size; text += length, size -= length) {
		length = next_character(text, size, &width);
		marks = width ? 0 : marks + 1;
		if (marks > MARKS_MAX)
			continue;
		if (used + (size_t)(width < 0 ? 1 : width) > columns)
			break;
		used += (size_t)(width < 0 ? 1 : width);
		if (out && width < 0)
			buffer_char(out, '?');
		else if (out)
			buffer_add(out, text, length);
	}
	return used;
}

size_t fit_columns(const char *text, size_t size)
{
	return add_text(NULL, text, size, SIZE_MAX / 2);
}

static void pad(struct buffer *out, char with, size_t count)
{
	while (count--)
		buffer_char(out, with);
}

void fit_text(struct buffer *out, const char *text, size_t size, size_t columns, enum fit_side side)
{
	size_t used;

	if (side == FIT_LEFT) {
		used = add_text(out, text, size, columns);
		pad(out, ' ', columns - used);
		return;
	}
	used = fit_columns(text, size);
	if (side == FIT_NUMBER && used > columns) {
		pad(out, '#', columns);
		return;
	}
	pad(out, ' ', used < columns ? columns - used : 0);
	add_text(out, text, size, columns);
}

/* Returns the size of the start of the text that has this number of columns. */
static size_t skip_columns(const char *text, size_t size, size_t columns)
{
	size_t used = 0, at = 0;
	int width;

	while (at < size && used < columns) {
		at += next_character(text + at, size - at, &width);
		used += (size_t)(width < 0 ? 1 : width);
	}
	return at;
}

void fit_scrolled(struct buffer *out, const char *text, size_t size, size_t columns,
		  struct text_scroll *scroll)
{
	const size_t whole = fit_columns(text, size);
	const size_t hidden = columns && whole > columns ? whole - columns : 0;
	const size_t skip =
		skip_columns(text, size, scroll->columns < hidden ? scroll->columns : hidden);

	if (hidden > scroll->hidden)
		scroll->hidden = hidden;
	fit_text(out, text + skip, size - skip, columns, FIT_LEFT);
}

/* ---- Views ---- */

#define NARROW	  12 /* minimum number of columns of texts in a narrow line */
#define WIDTH_MAX 40 /* maximum number of columns of texts, except in the last column */
#define INDENT	  3  /* number of columns for each level of branches */
#define SHARE	  7  /* minimum number of columns of a share */

static const struct results *results_of(const struct outline_texts *texts)
{
	return &texts->outline->reporter->results;
}

static const struct layout *layout_of(const struct outline_texts *texts)
{
	return texts->outline->reporter->results.layout;
}

/* Sets texts->cell to the text of a column. */
static enum pk_status make_cell(struct outline_texts *texts, const struct column *column,
				uint32_t row)
{
	const struct report_options *report = texts->outline->reporter->options;
	const struct text_options options = {.units = report->units,
					     .full_paths = report->full_paths};

	return pk_text_table_cell(results_of(texts), outline_sheet(texts->outline), &options,
				  column, row, &texts->cell);
}

static enum fit_side side_of(const struct outline_texts *texts, const struct column *column,
			     uint32_t row)
{
	const enum pk_value_kind kind = pk_results_kind(results_of(texts), column, row);

	if (column->kind != COLUMN_FIELD)
		return FIT_NUMBER;
	return kind == PK_VALUE_TEXT || kind == PK_VALUE_NONE || column->style == STYLE_TASK
		       ? FIT_LEFT
		       : FIT_NUMBER;
}

/* ---- Widths of columns ---- */

static size_t text_width(size_t width, size_t max)
{
	return width < max ? width : max;
}

/* Makes the widths large enough for the titles. A title that is longer than `max` columns is
 * treated as if it had `max` columns. */
static void measure_titles(const struct outline_texts *texts, size_t max,
			   struct outline_widths *widths)
{
	const struct layout *layout = layout_of(texts);

	for (unsigned int i = 0; i < layout->columns_count; i++) {
		const char *title = pk_text_table_title(results_of(texts), &layout->columns[i]);
		size_t width = text_width(fit_columns(title, strlen(title)), max);

		if (pk_column_is_share(&layout->columns[i]) && width < SHARE)
			width = SHARE;
		if (width > widths->columns[i])
			widths->columns[i] = width;
	}
}

/* Makes the widths large enough for a row. A text that is longer than `max` columns is treated as
 * if it had `max` columns. */
static void measure_row(struct outline_texts *texts, uint32_t row, size_t max,
			struct outline_widths *widths)
{
	const struct layout *layout = layout_of(texts);

	for (unsigned int i = 0; i < layout->columns_count; i++) {
		const struct column *column = &layout->columns[i];
		const bool number = side_of(texts, column, row) == FIT_NUMBER;
		size_t width;

		if (make_cell(texts, column, row) != PK_OK)
			continue;
		width = fit_columns(texts->cell.data, texts->cell.size);
		width = number ? width : text_width(width, max);
		if (width > widths->columns[i])
			widths->columns[i] = width;
		widths->numbers[i] |= number;
	}
}

void outline_text_measure(struct outline_texts *texts)
{
	const struct outline *outline = texts->outline;

	measure_titles(texts, WIDTH_MAX, &texts->widths);
	for (size_t i = outline->top; i < outline->count && i - outline->top < outline->height; i++)
		if (!outline->lines[i].node)
			measure_row(texts, outline->lines[i].row, WIDTH_MAX, &texts->widths);
}

void outline_text_reset(struct outline_texts *texts)
{
	texts->widths = (struct outline_widths){0};
}

void outline_text_free(struct outline_texts *texts)
{
	free(texts->cell.data);
}

/* ---- Lines of the screen ---- */

/* Returns the width of the widest column of texts, not counting the last column. Returns NULL if no
 * such column is wider than NARROW. */
static size_t *widest(const struct layout *layout, struct outline_widths *widths)
{
	size_t *best = NULL;

	for (unsigned int i = 0; i + 1 < layout->columns_count; i++)
		if (!widths->numbers[i] && layout->columns[i].kind == COLUMN_FIELD &&
		    widths->columns[i] > NARROW && (!best || widths->columns[i] > *best))
			best = &widths->columns[i];
	return best;
}

/* Sets the widths of the columns in a line. The last column, which is usually the function, gets
 * the rest of the line. Wide texts in other columns are cut, so that more of the last column is
 * visible. */
static void set_widths(const struct outline_texts *texts, size_t width,
		       struct outline_widths *widths)
{
	const struct layout *layout = layout_of(texts);
	const unsigned int count = layout->columns_count;
	size_t used = outline_has_trees(texts->outline) ? 2 : 0, *cut;

	*widths = texts->widths;
	for (unsigned int i = 0; i < count; i++)
		used += widths->columns[i] + (i ? 2 : 0);
	for (; used > width && (cut = widest(layout, widths)); used--)
		--*cut;
	used = outline_has_trees(texts->outline) ? 2 : 0;
	for (unsigned int i = 0; i < count; i++) {
		const size_t left = width > used ? width - used : 0;

		if (widths->columns[i] > left || (i + 1 == count && !widths->numbers[i] &&
						  layout->columns[i].kind == COLUMN_FIELD))
			widths->columns[i] = left;
		used += widths->columns[i] + 2;
	}
}

static void add_titles(struct outline_texts *texts, const struct outline_widths *widths,
		       size_t width, struct buffer *out)
{
	const struct layout *layout = layout_of(texts);
	size_t used = outline_has_trees(texts->outline) ? 2 : 0;

	fit_text(out, "", 0, used < width ? used : width, FIT_LEFT);
	for (unsigned int i = 0; i < layout->columns_count && used < width; i++) {
		const struct column *column = &layout->columns[i];
		const char *title = pk_text_table_title(results_of(texts), column);
		const uint32_t row = texts->outline->count ? texts->outline->lines[0].row : 0;
		const bool field = column->kind == COLUMN_FIELD;
		const size_t columns = widths->columns[i];

		fit_text(out, title, strlen(title), columns,
			 field && (!row || side_of(texts, column, row) == FIT_LEFT) ? FIT_LEFT
										    : FIT_RIGHT);
		used += columns;
		if (i + 1 < layout->columns_count && used + 2 <= width) {
			buffer_text(out, "  ");
			used += 2;
		}
	}
}

enum pk_status outline_text_titles(struct outline_texts *texts, size_t width, struct buffer *out)
{
	struct outline_widths widths;

	set_widths(texts, width, &widths);
	add_titles(texts, &widths, width, out);
	return out->failed ? PK_NOMEM : PK_OK;
}

static const char *mark_of(const struct outline_line *line)
{
	static const char *const marks[] = {
		[OUTLINE_LEAF] = "  ", [OUTLINE_CLOSED] = "+ ", [OUTLINE_OPEN] = "- "};

	return marks[line->state];
}

static enum pk_status add_cells(struct outline_texts *texts, const struct outline_line *line,
				const struct outline_widths *widths, size_t width,
				struct buffer *out)
{
	const struct layout *layout = layout_of(texts);
	size_t used = outline_has_trees(texts->outline) ? 2 : 0;

	if (used)
		fit_text(out, mark_of(line), 2, used < width ? used : width, FIT_LEFT);
	for (unsigned int i = 0; i < layout->columns_count && used < width; i++) {
		const struct column *column = &layout->columns[i];
		const size_t columns = widths->columns[i];
		const enum fit_side side = side_of(texts, column, line->row);

		PK_TRY(make_cell(texts, column, line->row));
		if (side == FIT_LEFT)
			fit_scrolled(out, texts->cell.data, texts->cell.size, columns,
				     &texts->scroll);
		else
			fit_text(out, texts->cell.data, texts->cell.size, columns, side);
		used += columns;
		if (i + 1 < layout->columns_count && used + 2 <= width) {
			buffer_text(out, "  ");
			used += 2;
		}
	}
	fit_text(out, "", 0, used < width ? width - used : 0, FIT_LEFT);
	return out->failed ? PK_NOMEM : PK_OK;
}

/* Returns the number of blanks before a branch. On a narrow screen, the number is limited, so that
 * there is room for the names of deep branches. */
static size_t indent_of(const struct outline_line *line, size_t width)
{
	const size_t indent = INDENT * (size_t)line->level;

	return indent < width / 2 ? indent : width / 2;
}

/* Adds the share or the weight of a branch. */
static void add_value(const struct outline_texts *texts, size_t index, struct buffer *out)
{
	const struct outline_line *line = &texts->outline->lines[index];
	const struct call_tree *tree = outline_tree(texts->outline, line->row);
	const struct call_node *node = &tree->nodes[line->node];
	struct buffer value = {0};

	pk_call_tree_value(tree->options, node->totals, pk_call_tree_whole(tree, node->parent),
			   &value);
	fit_text(out, value.data, value.size, value.size > SHARE ? value.size : SHARE, FIT_RIGHT);
	out->failed |= value.failed;
	free(value.data);
}

static const char *branch_name(const struct outline_texts *texts, size_t index, size_t *size)
{
	const struct outline_line *line = &texts->outline->lines[index];

	*size = 0;
	return pk_call_tree_name(outline_tree(texts->outline, line->row), line->node, size);
}

/* Sets texts->cell to the text before the name of a branch. */
static enum pk_status make_branch(struct outline_texts *texts, size_t index, size_t width)
{
	const struct outline_line *line = &texts->outline->lines[index];
	struct buffer *cell = &texts->cell;

	cell->size = 0;
	fit_text(cell, "", 0, indent_of(line, width), FIT_LEFT);
	buffer_text(cell, mark_of(line));
	if (line->joined)
		fit_text(cell, "", 0, SHARE, FIT_LEFT);
	else
		add_value(texts, index, cell);
	buffer_char(cell, ' ');
	return cell->failed ? PK_NOMEM : PK_OK;
}

enum pk_status outline_text_line(struct outline_texts *texts, size_t index, size_t width,
				 struct buffer *out)
{
	const struct outline_line *line = &texts->outline->lines[index];
	struct outline_widths widths;
	size_t size, head;
	const char *name;

	if (!line->node) {
		set_widths(texts, width, &widths);
		return add_cells(texts, line, &widths, width, out);
	}
	PK_TRY(make_branch(texts, index, width));
	head = fit_columns(texts->cell.data, texts->cell.size);
	head = head < width ? head : width;
	fit_text(out, texts->cell.data, texts->cell.size, head, FIT_LEFT);
	name = branch_name(texts, index, &size);
	fit_scrolled(out, name, size, width - head, &texts->scroll);
	return out->failed ? PK_NOMEM : PK_OK;
}

/* Prints a line without the blanks at its end, and then sets its size to 0. */
static enum pk_status print_line(struct buffer *line, FILE *out)
{
	while (line->size && line->data[line->size - 1] == ' ')
		line->size--;
	buffer_char(line, '\n');
	if (line->failed)
		return PK_NOMEM;
	fwrite(line->data, 1, line->size, out);
	line->size = 0;
	return PK_OK;
}

/* Appends a line without cutting it. */
static enum pk_status add_whole(struct outline_texts *texts, size_t index,
				const struct outline_widths *widths, size_t width,
				struct buffer *out)
{
	size_t size;
	const char *name;

	if (!texts->outline->lines[index].node)
		return add_cells(texts, &texts->outline->lines[index], widths, width, out);
	PK_TRY(make_branch(texts, index, SIZE_MAX));
	name = branch_name(texts, index, &size);
	buffer_add(&texts->cell, name, size);
	fit_text(out, texts->cell.data, texts->cell.size,
		 fit_columns(texts->cell.data, texts->cell.size), FIT_LEFT);
	return PK_OK;
}

enum pk_status outline_text_print(struct outline_texts *texts, FILE *out)
{
	struct outline_widths widths = {0};
	struct buffer line = {0};
	size_t width = 2;
	enum pk_status status;

	measure_titles(texts, SIZE_MAX, &widths);
	for (size_t i = 0; i < texts->outline->count; i++)
		if (!texts->outline->lines[i].node)
			measure_row(texts, texts->outline->lines[i].row, SIZE_MAX, &widths);
	for (unsigned int i = 0; i < layout_of(texts)->columns_count; i++)
		width += widths.columns[i] + 2;
	add_titles(texts, &widths, width, &line);
	status = print_line(&line, out);
	for (size_t i = 0; status == PK_OK && i < texts->outline->count; i++)
		status = add_whole(texts, i, &widths, width, &line) ?: print_line(&line, out);
	free(line.data);
	return status;
}

unsigned int outline_text_column(const struct outline_texts *texts, size_t width, size_t x)
{
	const unsigned int count = layout_of(texts)->columns_count;
	size_t end = outline_has_trees(texts->outline) ? 2 : 0;
	struct outline_widths widths;
	unsigned int i;

	set_widths(texts, width, &widths);
	for (i = 0; i < count; i++) {
		end += widths.columns[i] + 2;
		if (x < end)
			break;
	}
	return i;
}

/* ---- Search ---- */

size_t search_line(size_t selected, size_t count, int step, size_t i)
{
	const size_t away = (i + (step ? 1 : 0)) % count;

	return (selected + (step < 0 ? count - away : away)) % count;
}

static bool holds(struct buffer *cell, const char *text)
{
	buffer_char(cell, '\0');
	return !cell->failed && strcasestr(cell->data, text);
}

static bool line_holds(struct outline_texts *texts, size_t index, const char *text)
{
	const struct layout *layout = layout_of(texts);
	const struct outline_line *line = &texts->outline->lines[index];
	size_t size;
	const char *name;

	if (line->node) {
		name = branch_name(texts, index, &size);
		texts->cell.size = 0;
		buffer_add(&texts->cell, name, size);
		return holds(&texts->cell, text);
	}
	for (unsigned int i = 0; i < layout->columns_count; i++)
		if (layout->columns[i].kind == COLUMN_FIELD &&
		    make_cell(texts, &layout->columns[i], line->row) == PK_OK &&
		    holds(&texts->cell, text))
			return true;
	return false;
}

size_t outline_text_search(struct outline_texts *texts, const char *text, int step)
{
	const size_t count = texts->outline->count;

	for (size_t i = 0; i < count; i++) {
		const size_t line = search_line(texts->outline->selected, count, step, i);

		if (line_holds(texts, line, text))
			return line;
	}
	return count;
}

unsigned int outline_text_prefix(const struct outline_texts *texts, size_t index, size_t width)
{
	const struct outline_line *line = &texts->outline->lines[index];
	const struct layout *layout = layout_of(texts);

	if (line->node)
		return line->joined ? 0 : (unsigned int)indent_of(line, width) + 2 + SHARE;
	if (!layout->columns_count || !pk_column_is_share(&layout->columns[0]))
		return 0;
	return (outline_has_trees(texts->outline) ? 2 : 0) + (unsigned int)texts->widths.columns[0];
}
