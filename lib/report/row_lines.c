// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "amount_text.h"
#include "formats.h"
#include "json.h"
#include "safe_text.h"

/* Calls `each` for all lines of all sheets. */
static enum pk_status each_line(const struct results *results, FILE *file, struct buffer *out,
				void (*each)(const struct results *results,
					     const struct sheet *sheet, uint32_t line,
					     struct buffer *out))
{
	for (size_t i = 0; i < results->sheets_count; i++) {
		const struct sheet *sheet = &results->sheets[i];

		for (size_t j = 0; j < sheet->count; j++) {
			out->size = 0;
			each(results, sheet, sheet->lines[j], out);
			if (out->failed)
				return PK_NOMEM;
			fwrite(out->data, 1, out->size, file);
		}
	}
	return PK_OK;
}

/* ---- CSV (RFC 4180) ---- */

static void add_quoted(struct buffer *line, const char *text, size_t size)
{
	const bool formula = pk_is_formula(text, size);
	bool quote = formula;

	for (size_t i = 0; i < size; i++)
		quote |= text[i] == ',' || text[i] == '"';
	if (!quote) {
		buffer_harmless(line, text, size);
		return;
	}
	buffer_text(line, formula ? "\"'" : "\"");
	for (size_t i = 0, part; i < size; i += part) {
		const char *end = memchr(text + i, '"', size - i);

		part = end ? (size_t)(end - text) - i + 1 : size - i;
		buffer_harmless(line, text + i, part);
		if (end)
			buffer_char(line, '"');
	}
	buffer_char(line, '"');
}

/* The names of numbers can contain commas, for example the names of devices. Such names are quoted.
 */
static void add_amount(struct buffer *out, const struct pk_amount *amount, enum pk_value_kind kind)
{
	struct buffer text = {0};

	if (!pk_kind_is_words(kind) && !pk_kind_has_names(kind)) {
		pk_amount_add(out, amount, kind, AMOUNT_EXACT);
		return;
	}
	pk_amount_add(&text, amount, kind, AMOUNT_EXACT);
	add_quoted(out, text.data, text.size);
	out->failed |= text.failed;
	free(text.data);
}

static void add_value(const struct results *results, const struct sheet *sheet,
		      const struct column *column, uint32_t line, unsigned int set,
		      struct buffer *out)
{
	const struct pk_amount value = pk_results_value(results, sheet, column, line, set);

	if (value.kind == PK_AMOUNT_TEXT)
		add_quoted(out, value.text, value.size);
	else if (value.kind != PK_AMOUNT_NONE)
		add_amount(out, &value, pk_results_kind(results, column, line));
}

/* Appends a CSV row with the values that a line has for one set. */
static void csv_row(const struct results *results, const struct sheet *sheet, uint32_t line,
		    unsigned int set, struct buffer *out)
{
	const struct layout *layout = results->layout;
	const char *event;
	size_t size;

	if (!layout->one_table) {
		event = pk_results_event(results, sheet->sets[set].event, &size);
		add_quoted(out, event, size);
		buffer_char(out, ',');
	}
	if (layout->levels_count) {
		buffer_decimal(out, pk_results_level(results, line) + UINT64_C(1), 0);
		buffer_char(out, ',');
	}
	for (unsigned int i = 0; i < layout->columns_count; i++) {
		if (i)
			buffer_char(out, ',');
		add_value(results, sheet, &layout->columns[i], line, set, out);
	}
	buffer_char(out, '\n');
}

/* Appends a line of the table. With --group, the line becomes one CSV row for each event that has
 * samples in this line. It does not become one row with a column for each event, because some
 * recordings have very many events. */
static void csv_line(const struct results *results, const struct sheet *sheet, uint32_t line,
		     struct buffer *out)
{
	if (results->layout->sets != SETS_EVENTS) {
		csv_row(results, sheet, line, 0, out);
		return;
	}
	for (unsigned int set = 0; set < sheet->sets_count; set++)
		if (results_row(results, line, set))
			csv_row(results, sheet, line, set, out);
}

enum pk_status pk_report_print_csv(const struct results *results, FILE *file)
{
	const struct layout *layout = results->layout;
	struct buffer out = {0};
	enum pk_status status;

	buffer_text(&out, layout->one_table ? "" : "event,");
	buffer_text(&out, layout->levels_count ? "level," : "");
	for (unsigned int i = 0; i < layout->columns_count; i++) {
		if (i)
			buffer_char(&out, ',');
		add_quoted(&out, layout->columns[i].name, strlen(layout->columns[i].name));
	}
	buffer_char(&out, '\n');
	status = out.failed ? PK_NOMEM : PK_OK;
	if (status == PK_OK)
		fwrite(out.data, 1, out.size, file);
	status = status ?: each_line(results, file, &out, csv_line);
	free(out.data);
	return status;
}

/* ---- JSON ---- */

/* Appends a name such as "cycles.share". */
static void add_name_of(struct json *json, const char *event, size_t size, const char *name)
{
	struct buffer text = {0};

	buffer_add(&text, event, size);
	buffer_char(&text, '.');
	buffer_text(&text, name);
	json_name(json, text.data, text.size);
	json->out->failed |= text.failed;
	free(text.data);
}

/* Appends a member. Addresses and bit sets are written as strings, as in pk-script --json. */
static void add_member(const struct results *results, const struct sheet *sheet,
		       const struct column *column, uint32_t line, unsigned int set,
		       struct json *json)
{
	const struct pk_amount value = pk_results_value(results, sheet, column, line, set);
	const enum pk_value_kind kind = pk_results_kind(results, column, line);
	const bool string = pk_kind_is_hex(kind) && value.kind == PK_AMOUNT_INTEGER;
	const char *event;
	size_t size;

	if (value.kind == PK_AMOUNT_NONE)
		return;
	if (results->layout->sets == SETS_EVENTS && column->kind != COLUMN_FIELD) {
		event = pk_results_event(results, sheet->sets[set].event, &size);
		add_name_of(json, event, size, column->name);
	} else {
		json_name(json, column->name, strlen(column->name));
	}
	buffer_text(json->out, string ? "\"" : "");
	if (value.kind == PK_AMOUNT_TEXT)
		buffer_quoted(json->out, value.text, value.size);
	else
		pk_amount_add(json->out, &value, kind, AMOUNT_DATA);
	buffer_text(json->out, string ? "\"" : "");
}

static void add_json(const struct results *results, const struct sheet *sheet, uint32_t line,
		     struct buffer *out)
{
	const struct layout *layout = results->layout;
	struct json json = {.out = out};
	const char *event;
	size_t size;

	json_open(&json, NULL, '{');
	/* With SETS_EVENTS, the line has numbers for each event, and their names contain the event.
	 */
	if (!layout->one_table && layout->sets != SETS_EVENTS) {
		event = pk_results_event(results, sheet->event, &size);
		json_bytes(&json, "event", event, size);
	}
	if (layout->levels_count)
		json_number(&json, "level", pk_results_level(results, line) + UINT64_C(1));
	for (unsigned int i = 0; i < layout->columns_count; i++) {
		const struct column *column = &layout->columns[i];
		const unsigned int sets = pk_results_sets(results, sheet, column);

		for (unsigned int set = 0; set < sets; set++)
			add_member(results, sheet, column, line, set, &json);
	}
	json_end(&json);
}

enum pk_status pk_report_print_json(const struct results *results, FILE *file)
{
	struct buffer out = {0};
	const enum pk_status status = each_line(results, file, &out, add_json);

	free(out.data);
	return status;
}
