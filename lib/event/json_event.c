// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event_parser.h"
#include "pmu_json.h"

/* The event of one PMU, whose terms stand in the parser's text. */
static bool add_on(struct parser *parser, const char *pmu, const char *name)
{
	struct term_list terms = {0};
	bool ok;

	parser->at = 0;
	ok = terms_read(parser, &terms) && pmu_event_add(parser, pmu, 0, &terms, name);
	terms_free(&terms);
	return ok;
}

/* An event that names no PMU is one of the processors. */
static bool add_on_cores(struct parser *parser, const char *name)
{
	const char *sysfs = pmu_sysfs(parser->list->sysfs);
	struct pk_failures *lookups = &parser->messages->failures;
	struct pmu_names all = pmu_list(sysfs, lookups);
	bool ok = true, found = false;

	for (size_t i = 0; ok && i < all.count; i++) {
		if (!pmu_is_core(sysfs, all.items[i], lookups))
			continue;
		ok = add_on(parser, all.items[i], name);
		found = true;
	}
	pmu_names_free(&all);
	return ok && (found || add_on(parser, "cpu", name));
}

static bool add_described(struct parser *parser, const struct pmu_json_event *described)
{
	struct parser inner = {.list = parser->list, .messages = parser->messages};
	const size_t first = parser->list->count;
	char *text;
	bool ok;

	if (asprintf(&text, "/%s/", described->terms) < 0)
		return parser_no_memory(parser);
	inner.text = text;
	ok = described->pmu ? add_on(&inner, described->pmu, described->name)
			    : add_on_cores(&inner, described->name);
	for (size_t i = first; ok && i < parser->list->count; i++) {
		struct event *event = &parser->list->items[i];
		const char *unit;

		event->per_package = described->per_package;
		if (described->scale_unit &&
		    pmu_scale_unit(described->scale_unit, &event->scale, &unit))
			snprintf(event->unit, sizeof(event->unit), "%s", unit);
	}
	free(text);
	return ok;
}

bool json_event_add(struct parser *parser, const char *name, bool *failed)
{
	const struct pmu_json_event *described = NULL;
	size_t count = 0;

	*failed = false;
	if (parser->list->json)
		described = pmu_json_event(parser->list->json, name, &count);
	for (size_t i = 0; i < count && !*failed; i++)
		*failed = !add_described(parser, &described[i]);
	return count != 0;
}
