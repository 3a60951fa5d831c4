// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cli.h"
#include "sides.h"

static bool side_key(struct pk_view *view, uint64_t *key)
{
	const struct reporter *r = view->context->arg;

	*key = r->side;
	return true;
}

const struct pk_field pk_report_side_field = {
	.name = "side", .kind = PK_VALUE_NUMBER, .key = side_key, .is_event = true};

int pk_sides_read_bases(struct reporter *r)
{
	struct pk_run *run = r->run;
	const struct pk_run fresh = *run;
	int result = PK_EXIT_OK;

	for (unsigned int i = 0; i < r->options->layout.bases; i++) {
		char *files[] = {(char *)r->options->bases[i]};
		struct pk_messages messages;
		int status;

		run->files = files;
		run->files_count = 1;
		r->side = i + UINT64_C(1);
		status = pk_run(run);
		result = status > result ? status : result;
		/* Losses and warnings are counted for each side; the messages belong to all. */
		messages = run->messages;
		*run = fresh;
		run->messages = messages;
	}
	r->side = 0;
	return result;
}

/* Whether an event has samples on the new side and in a base. */
static bool is_matched(const struct sheet *sheet)
{
	for (unsigned int i = 1; i < sheet->sets_count; i++)
		if (sheet->sets[i].samples)
			return sheet->sets[0].samples;
	return false;
}

int pk_sides_drop_unmatched(struct reporter *r)
{
	struct results *results = &r->results;
	size_t matched = 0;

	if (results->layout->sets != SETS_SIDES || results->layout->one_table ||
	    !results->sheets_count)
		return PK_EXIT_OK;
	for (size_t i = 0; i < results->sheets_count; i++) {
		struct sheet sheet = results->sheets[i];

		if (is_matched(&sheet)) {
			results->sheets[matched++] = sheet;
			continue;
		}
		pk_warn("event %s: only %s has samples, skipped",
			pk_results_event(results, sheet.event, NULL),
			sheet.sets[0].samples ? "the new side" : "the base");
		free(sheet.lines);
		free(sheet.sets);
	}
	results->sheets_count = matched;
	if (matched)
		return PK_EXIT_OK;
	pk_error("no event has samples on both sides");
	return PK_EXIT_FAILED;
}
