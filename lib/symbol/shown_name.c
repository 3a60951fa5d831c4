/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <string.h>

#include "demangle.h"
#include "shown_name.h"

enum { SHORT_MAX = 64 }; /* of a name, when the budget is used up */

static uint64_t left_of(const struct pk_name_budget *budget)
{
	const uint64_t all = (UINT64_C(16) << 20) + 16 * budget->paid;

	return all > budget->spent ? all - budget->spent : 0;
}

bool pk_name_spend(struct pk_name_budget *budget, uint64_t bytes)
{
	const uint64_t left = left_of(budget);

	budget->spent += bytes < left ? bytes : left;
	return bytes <= left;
}

char *pk_name_demangle(struct pk_name_budget *budget, const char *name)
{
	const uint64_t before = left_of(budget);
	uint64_t left = before;
	char *text = pk_demangle(name, &left);

	if (!text && errno == ENOMEM)
		pk_failed(budget->failures, NULL, ENOMEM);
	budget->spent += before - left;
	return text;
}

char *pk_name_cut(struct pk_name_budget *budget, const char *name)
{
	const size_t size = strnlen(name, PK_SYMBOL_NAME_MAX + 1);
	const int keep = pk_name_spend(budget, size) ? PK_SYMBOL_NAME_MAX : SHORT_MAX;

	if (size <= (size_t)keep)
		return NULL;
	budget->cut++;
	return pk_need_text(budget->failures, "%.*s...", keep, name);
}
