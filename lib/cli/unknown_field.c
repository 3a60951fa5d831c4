// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "unknown_field.h"

bool pk_unknown_field(const struct pk_context *context, const struct pk_reference *reference,
		      const char *const *more, char *text, size_t size)
{
	struct pk_nearest nearest = {.wanted = reference->name};

	if (!pk_reference_is_unknown(context, reference))
		return false;
	for (; more && *more; more++)
		pk_nearest_try(&nearest, *more);
	pk_nearest_try_fields(&nearest, context);
	if (!nearest.name)
		snprintf(text, size, "no field %s", reference->name);
	else if (nearest.distance)
		snprintf(text, size, "no field %s; %s?", reference->name, nearest.name);
	else
		snprintf(text, size, "no tracepoint or probe has a field %s", reference->name);
	return true;
}

void pk_exit_if_unknown(const struct pk_context *context, const struct pk_reference *reference,
			const char *const *more, const char *option)
{
	char text[256];

	if (!pk_unknown_field(context, reference, more, text, sizeof(text)))
		return;
	pk_error("%s: %s", option, text);
	exit(PK_EXIT_USAGE);
}
