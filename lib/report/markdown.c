// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "formats.h"
#include "safe_text.h"

/* Appends a cell. The characters that have a meaning in Markdown or HTML are escaped, so that names
 * of templates, such as "f<int>", are shown as they are. */
static void add_cell(struct buffer *out, const char *text, size_t size)
{
	struct buffer harmless = {0};

	buffer_harmless(&harmless, text, size);
	buffer_char(out, ' ');
	for (size_t i = 0; i < harmless.size; i++) {
		if (strchr("\\|`*_<>[]#~&", harmless.data[i]))
			buffer_char(out, '\\');
		buffer_char(out, harmless.data[i]);
	}
	buffer_text(out, " |");
	out->failed |= harmless.failed;
	free(harmless.data);
}

static void add_titles(const struct results *results, const struct layout *layout,
		       struct buffer *out)
{
	for (unsigned int i = 0; i < layout->columns_count; i++) {
		const char *title = pk_text_table_title(results, &layout->columns[i]);

		buffer_text(out, i ? "" : "|");
		add_cell(out, title, strlen(title));
	}
	buffer_text(out, "\n|");
	for (unsigned int i = 0; i < layout->columns_count; i++)
		buffer_text(out, layout->columns[i].kind == COLUMN_FIELD ? "---|" : "--:|");
	buffer_char(out, '\n');
}

static enum pk_status add_line(const struct results *results, const struct sheet *sheet,
			       const struct text_options *options, uint32_t line,
			       struct buffer *out)
{
	const struct layout *layout = results->layout;
	struct buffer cell = {0};
	enum pk_status status = PK_OK;

	buffer_char(out, '|');
	for (unsigned int i = 0; i < layout->columns_count && status == PK_OK; i++) {
		cell.size = 0;
		status = pk_text_table_cell(results, sheet, options, &layout->columns[i], line,
					    &cell);
		if (status == PK_OK)
			add_cell(out, cell.data, cell.size);
	}
	buffer_char(out, '\n');
	free(cell.data);
	return status;
}

enum pk_status pk_report_print_markdown(const struct results *results,
					const struct text_options *options)
{
	struct buffer out = {0};
	enum pk_status status = PK_OK;

	for (size_t i = 0; i < results->sheets_count && status == PK_OK; i++) {
		const struct sheet *sheet = &results->sheets[i];
		const char *event;
		size_t size;

		buffer_text(&out, i ? "\n" : "");
		if (!results->layout->one_table) {
			event = pk_results_event(results, sheet->event, &size);
			buffer_text(&out, "Event");
			add_cell(&out, event, size);
			out.size -= out.failed ? 0 : strlen(" |");
			buffer_text(&out, "\n\n");
		}
		add_titles(results, results->layout, &out);
		for (size_t j = 0; j < sheet->count && status == PK_OK; j++)
			status = add_line(results, sheet, options, sheet->lines[j], &out);
	}
	if (status == PK_OK && !out.failed)
		fwrite(out.data, 1, out.size, options->out);
	status = status ?: (out.failed ? PK_NOMEM : PK_OK);
	free(out.data);
	return status;
}
