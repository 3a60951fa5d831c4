// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "distribution.h"
#include "lookups.h"

#define SUB_BITS 4 /* of hdr: parts of 6 percent */

void distribution_init(struct distribution *d, enum distribution_kind kind)
{
	*d = (struct distribution){.kind = kind, .groups_max = 8};
	d->scale = (struct pk_scale){PK_SCALE_LOG2, SUB_BITS, 1};
	d->source.weigh.kind = PK_WEIGHT_SAMPLES;
	d->source.symbols.no_lines = true;
	d->source.symbols.tried = pk_report_tried;
}

/* "5ms", "4096", "-3". False: malformed. */
static bool parse_number(const char *text, struct pk_wide *number)
{
	const bool negative = *text == '-';
	uint64_t magnitude;

	text += negative;
	if (text[strspn(text, "0123456789")] ? !pk_parse_time(text, &magnitude)
					     : !pk_parse_u64(text, &magnitude))
		return false;
	*number = pk_wide_of_u64(magnitude);
	if (negative)
		*number = pk_wide_negate(*number);
	return true;
}

static int parse_limit(const char *option, bool *has, struct pk_wide *limit)
{
	if (!parse_number(optarg, limit))
		return pk_usage_error("--%s=%s: must be a number like 4096 or a time like 5ms",
				      option, optarg);
	*has = true;
	return -1;
}

static int parse_step(struct distribution *d)
{
	struct pk_wide step;

	if (!parse_number(optarg, &step) || !pk_wide_less(pk_wide_of(0), step))
		return pk_usage_error("--step=%s: must be a number like 4096 or a time like 5ms",
				      optarg);
	d->scale.unit = step.low;
	return -1;
}

static int parse_scale(struct distribution *d)
{
	static const struct {
		const char *name;
		enum pk_scale_kind kind;
		unsigned int sub_bits;
	} scales[] = {{"linear", PK_SCALE_LINEAR, 0},
		      {"log2", PK_SCALE_LOG2, 0},
		      {"log10", PK_SCALE_LOG10, 0},
		      {"hdr", PK_SCALE_LOG2, SUB_BITS}};

	for (size_t i = 0; i < sizeof(scales) / sizeof(scales[0]); i++) {
		if (strcmp(optarg, scales[i].name) != 0)
			continue;
		d->scale.kind = scales[i].kind;
		d->scale.sub_bits = scales[i].sub_bits;
		d->scale_chosen = true;
		return -1;
	}
	return pk_usage_error("--scale=%s: must be linear, log2, log10 or hdr", optarg);
}

static int parse_field(struct distribution *d)
{
	pk_reference_free(&d->field.reference);
	if (!*optarg)
		return pk_usage_error("--field: the name of a field is missing");
	if (!pk_reference_parse(&d->field.reference, optarg, strlen(optarg)))
		return pk_no_memory();
	d->field_chosen = true;
	return -1;
}

static int parse_by(struct distribution *d)
{
	struct pk_groups *groups = &d->groups;
	/* One column is for the event. */
	const char *error = pk_groups_by(groups, PK_GROUP_COLUMNS - 1, optarg);

	d->source.weigh.each_event = false;
	for (unsigned int i = 0; i < groups->columns_count; i++) {
		const struct pk_field *field = groups->columns[i].reference.field;

		d->source.weigh.each_event |= field && !strcmp(field->name, "event");
	}
	d->mixes = !groups->columns_count;
	return error ? pk_usage_error("--by=%s: %s", optarg, error) : -1;
}

static int parse_groups(struct distribution *d)
{
	uint64_t count;

	if (!pk_parse_u64(optarg, &count) || !count || count > 1000)
		return pk_usage_error("--groups=%s: not a number from 1 to 1000", optarg);
	d->groups_max = (unsigned int)count;
	return -1;
}

int distribution_option(struct distribution *d, int c)
{
	switch (c) {
	case PLOT_OPT_FIELD: return parse_field(d);
	case PLOT_OPT_SCALE: return parse_scale(d);
	case PLOT_OPT_STEP: return parse_step(d);
	case PLOT_OPT_MIN: return parse_limit("min", &d->has_min, &d->min);
	case PLOT_OPT_MAX: return parse_limit("max", &d->has_max, &d->max);
	case PLOT_OPT_BY: return parse_by(d);
	case PLOT_OPT_GROUPS: return parse_groups(d);
	case PLOT_OPT_WEIGHT: pk_weight_parse(optarg, &d->source.weigh); return -1;
	default: return sample_source_option(&d->source, c);
	}
}
