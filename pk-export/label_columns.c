// SPDX-License-Identifier: BSD-2-Clause
#include "label_columns.h"

/* The kind of values of a tracepoint's field can differ from event to event. */
static enum row_type type_of(const struct pk_reference *reference)
{
	if (!reference->field)
		return ROW_ANY_TEXT;
	switch (pk_kind_as_data(reference->field->kind)) {
	case PK_VALUE_NUMBER:
	case PK_VALUE_HEX:
	case PK_VALUE_TIME: return ROW_ANY_NUMBER;
	case PK_VALUE_SIGNED:
	case PK_VALUE_INT: return ROW_ANY_SIGNED;
	default: return ROW_ANY_TEXT;
	}
}

void label_headings(struct row_writer *writer, const struct export_samples *samples)
{
	for (unsigned int i = 0; i < samples->rows.columns_count; i++)
		row_heading(writer, samples_label(samples, i),
			    type_of(&samples->groups.columns[i].reference));
}

static void put_value(struct row_writer *writer, const struct pk_rows *rows,
		      struct pk_row_value value)
{
	char text[PK_VALUE_SIZE];
	const char *name;
	size_t size;

	switch (pk_kind_as_data(value.kind)) {
	case PK_VALUE_NONE: row_none(writer); break;
	case PK_VALUE_TEXT:
		name = pk_texts_get(&rows->texts, (uint32_t)value.number, &size);
		row_text(writer, name, size);
		break;
	case PK_VALUE_HEX: row_number(writer, value.number); break;
	default:
		size = pk_number_text(pk_kind_as_data(value.kind), value.number, text);
		row_plain(writer, text, size, value.number);
		break;
	}
}

void label_columns(struct row_writer *writer, const struct export_samples *samples, uint32_t row)
{
	for (unsigned int i = 0; i < samples->rows.columns_count; i++) {
		row_column(writer, samples_label(samples, i));
		put_value(writer, &samples->rows, pk_rows_value(&samples->rows, row, i));
	}
}
