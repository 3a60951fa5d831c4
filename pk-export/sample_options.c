// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "sample_options.h"
#include "vector.h"
#include "where.h"

static void remove_by(struct sample_options *options)
{
	for (unsigned int i = 0; i < options->by_count; i++)
		pk_reference_free(&options->by[i]);
	options->by_count = 0;
}

static bool is_equal(const struct pk_reference *a, const struct pk_reference *b)
{
	return a->field == b->field && !a->name == !b->name && !a->event == !b->event &&
	       (!a->name || !strcmp(a->name, b->name)) &&
	       (!a->event || !strcmp(a->event, b->event));
}

/* Returns NULL, or the error. A repeated field is ignored. */
static const char *add_by(struct sample_options *options, const char *name, size_t size)
{
	struct pk_reference *reference = &options->by[options->by_count];

	if (!size)
		return "a field is missing";
	if (options->by_count == PK_GROUP_COLUMNS)
		return "too many fields";
	if (!pk_reference_parse(reference, name, size))
		return pk_status_text(PK_NOMEM);
	for (unsigned int i = 0; i < options->by_count; i++) {
		if (!is_equal(&options->by[i], reference))
			continue;
		pk_reference_free(reference);
		return NULL;
	}
	options->by_count++;
	return NULL;
}

int sample_options_by(struct sample_options *options, const char *text)
{
	const char *const all = text, *error;

	remove_by(options);
	if (!text || !strcmp(text, "none"))
		return -1;
	for (;; text++) {
		const size_t size = strcspn(text, ",");

		error = add_by(options, text, size);
		if (error)
			return pk_usage_error("--by=%s: %s", all, error);
		text += size;
		if (!*text)
			return -1;
	}
}

int sample_option(struct sample_options *options, int c)
{
	switch (c) {
	case OPT_SAMPLES_WEIGHT: pk_weight_parse(optarg, &options->weigh); return -1;
	case OPT_SAMPLES_EVENT: return pk_event_option(&options->weigh);
	case OPT_SAMPLES_WHERE: return pk_where_option(&options->conditions);
	case OPT_SAMPLES_BY: return sample_options_by(options, optarg);
	case OPT_SAMPLES_NO_LINES: options->symbols.no_lines = true; return -1;
	case OPT_SAMPLES_ADDRESSES: options->addresses = true; return -1;
	default: return pk_symbol_option(&options->symbols, c);
	}
}

int sample_option_frames(struct sample_options *options)
{
	options->no_names = !strcmp(optarg, "address");
	options->addresses |= options->no_names;
	if (options->no_names || !strcmp(optarg, "function"))
		return -1;
	return pk_usage_error("--frames=%s: must be function or address", optarg);
}

void sample_options_free(struct sample_options *options)
{
	remove_by(options);
	free(options->weigh.events);
	conditions_free(&options->conditions);
}
