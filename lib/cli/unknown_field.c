// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "presets.h"
#include "unknown_field.h"

void pk_exit_if_unknown(const struct pk_context *context, const struct pk_reference *reference,
			const char *const *more, const char *option)
{
	char text[256];

	if (!pk_unknown_field(context, reference, more, text, sizeof(text)))
		return;
	pk_error("%s: %s", option, text);
	pk_preset_report_needs();
	exit(PK_EXIT_USAGE);
}

void pk_exit_if_instead(const struct pk_context *context, const struct pk_reference *reference,
			const char *instead)
{
	if (!instead || !pk_reference_is_unknown(context, reference))
		return;
	pk_error("no field %s: %s", reference->name, instead);
	exit(PK_EXIT_USAGE);
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

void pk_exit_if_text(const struct pk_context *context, struct pk_column *column, const char *option)
{
	if (!has_only_texts(context, column))
		return;
	pk_error("%s: %s: a text has no buckets", option, column->reference.name);
	exit(PK_EXIT_USAGE);
}
