// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "lookups.h"
#include "sample_options.h"
#include "vector.h"
#include "where.h"

int sample_options_by(struct sample_options *options, const char *text)
{
	const char *error =
		pk_references_parse(options->by, &options->by_count, PK_GROUP_COLUMNS, text);

	return error ? pk_usage_error("--by=%s: %s", text, error) : -1;
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
	sample_options_by(options, "none");
	free(options->weigh.events);
	pk_conditions_free(&options->conditions);
}
