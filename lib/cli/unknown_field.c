// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "presets.h"
#include "unknown_field.h"

enum pk_status pk_check_field(const struct pk_context *context,
			      const struct pk_reference *reference, const char *const *more,
			      const char *option)
{
	char text[256];

	if (!pk_unknown_field(context, reference, more, text, sizeof(text)))
		return PK_OK;
	pk_error("%s: %s", option, text);
	pk_preset_report_needs();
	return PK_FAILED;
}

enum pk_status pk_check_instead(const struct pk_context *context,
				const struct pk_reference *reference, const char *instead)
{
	if (!instead || !pk_reference_is_unknown(context, reference))
		return PK_OK;
	pk_error("no field %s: %s", reference->name, instead);
	return PK_FAILED;
}

static bool has_only_texts(const struct pk_context *context, struct pk_column *column)
{
	const struct pk_events *events = pk_reader_events(pk_context_reader(context));
	bool texts = false;

	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct pk_binding *binding =
			pk_column_bind(column, context, pk_events_at(events, i));

		if (!binding || (binding->kind != PK_VALUE_NONE && binding->kind != PK_VALUE_TEXT))
			return false;
		texts |= binding->kind == PK_VALUE_TEXT;
	}
	return texts;
}

enum pk_status pk_check_no_text(const struct pk_context *context, struct pk_column *column,
				const char *option)
{
	if (!has_only_texts(context, column))
		return PK_OK;
	pk_error("%s: %s: a text has no buckets", option, column->reference.name);
	return PK_FAILED;
}
