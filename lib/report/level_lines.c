// SPDX-License-Identifier: BSD-2-Clause
#include "text_table.h"

/* Blanks before the lines of a level, for each level above it. */
#define INDENT 3

/* The column of a level. */
static const struct table_column *column_at(const struct table *table, unsigned int level)
{
	for (unsigned int i = 0; i < table->columns_count; i++)
		if (table->columns[i].column->kind == COLUMN_FIELD && !level--)
			return &table->columns[i];
	return NULL;
}

static size_t blanks_of(const struct table *table, unsigned int levels)
{
	return table->options->separator ? 0 : (size_t)levels * INDENT;
}

/* The next column of numbers from *i on; NULL: none. */
static const struct table_column *next_number(const struct table *table, unsigned int *i)
{
	while (*i < table->columns_count && table->columns[*i].column->kind == COLUMN_FIELD)
		++*i;
	return *i < table->columns_count ? &table->columns[(*i)++] : NULL;
}

static void add_separator(struct table *table)
{
	buffer_text(&table->text, table->options->separator ? table->options->separator : "  ");
}

/* Adds the titles of all levels: "Command / Symbol". Returns the width of this column. */
static size_t add_names(struct table *table)
{
	const unsigned int levels = table->results->layout->levels_count;
	const size_t start = table->text.size;
	size_t width, most = 0;

	for (unsigned int level = 0; level < levels; level++) {
		const struct table_column *column = column_at(table, level);
		const char *title = column->title + strspn(column->title, " ");

		buffer_text(&table->text, level ? " / " : "");
		pk_text_table_safe(table, title, strlen(title));
		buffer_add(&table->text, table->cell.data, table->cell.size);
		width = (size_t)level * INDENT + column->width;
		most = width > most ? width : most;
	}
	width = table->text.size - start;
	return width > most ? width : most;
}

static void add_dots(struct table *table, size_t indent, size_t names)
{
	const struct table_column *column;

	buffer_text(&table->text, "\n# ");
	pk_text_table_pad(&table->text, indent, '.');
	for (unsigned int i = 0, first = 1; (column = next_number(table, &i)); first = 0)
		pk_text_table_pad(&table->text, column->width + (first ? 0 : 2), '.');
	buffer_text(&table->text, "  ");
	pk_text_table_pad(&table->text, names, '.');
	buffer_text(&table->text, "\n#");
}

bool pk_report_print_level_titles(struct table *table)
{
	const size_t indent = blanks_of(table, table->results->layout->levels_count - 1);
	const struct table_column *column;
	size_t names;

	buffer_text(&table->text, "# ");
	pk_text_table_pad(&table->text, indent, ' ');
	for (unsigned int i = 0; (column = next_number(table, &i));) {
		pk_text_table_safe(table, column->title, strlen(column->title));
		pk_text_table_add_cell(table, column, true);
		add_separator(table);
	}
	names = add_names(table);
	if (!table->options->separator)
		add_dots(table, indent, names);
	return pk_text_table_print_line(table);
}

/* Adds the value of the line's own field, without blanks before it. */
static void add_name(struct table *table, uint32_t line, unsigned int level)
{
	const struct table_column *column = column_at(table, level);
	const size_t start = table->text.size;
	size_t blanks = 0;

	pk_text_table_make_cell(table, column, line);
	while (blanks < table->cell.size && table->cell.data[blanks] == ' ')
		blanks++;
	memmove(table->cell.data, table->cell.data + blanks, table->cell.size - blanks);
	table->cell.size -= blanks;
	pk_text_table_add_cell(table, column, column->column->style != STYLE_SYMBOL);
	if (!column->right)
		return;
	/* Numbers are to the left, too. */
	table->text.size = start;
	buffer_add(&table->text, table->cell.data, table->cell.size);
}

bool pk_report_print_level_line(struct table *table, uint32_t line)
{
	const unsigned int level = pk_results_level(table->results, line);
	const struct table_column *column;

	pk_text_table_pad(&table->text, (size_t)level * INDENT, ' ');
	for (unsigned int i = 0, first = 1; (column = next_number(table, &i)); first = 0) {
		if (!first || !table->options->separator)
			add_separator(table);
		pk_text_table_make_cell(table, column, line);
		pk_text_table_add_cell(table, column, true);
	}
	pk_text_table_pad(&table->text, blanks_of(table, table->results->layout->levels_count - 1),
			  ' ');
	add_separator(table);
	add_name(table, line, level);
	return pk_text_table_print_line(table);
}

bool pk_report_print_level_empty(struct table *table, uint32_t line)
{
	const unsigned int level = pk_results_level(table->results, line);
	const struct table_column *column;
	size_t width = 4;

	for (unsigned int i = 0, first = 1; (column = next_number(table, &i)); first = 0)
		width += column->width + (first ? 0 : 2);
	pk_text_table_pad(&table->text,
			  blanks_of(table, table->results->layout->levels_count + level), ' ');
	pk_text_table_pad(&table->text, width, ' ');
	buffer_format(&table->text, "no entry >= %.2f%%", table->options->percent_limit);
	return pk_text_table_print_line(table);
}
