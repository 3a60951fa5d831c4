// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "cli.h"
#include "value_types.h"

static bool is_time(const struct series *series)
{
	return !strcmp(series->unit, "nanoseconds") || !strcmp(series->unit, "duration");
}

static unsigned int count_clocks(const struct export_samples *samples)
{
	unsigned int clocks = 0;

	for (size_t i = 0; i < samples->series_count; i++)
		clocks += samples->series[i].is_clock;
	return clocks;
}

/* The time of processors is called cpu in all profiles. */
static const char *name_of(const struct export_samples *samples, const struct series *series)
{
	if (series->is_clock && count_clocks(samples) == 1 && is_time(series))
		return "cpu";
	return samples->series_count == 1 && !is_time(series) ? series->unit : series->event;
}

static const char *unit_of(const struct series *series)
{
	if (is_time(series))
		return "nanoseconds";
	return strstr(series->unit, "bytes") ? "bytes" : "count";
}

/* Samples are counted once for all events. The weights of a single event that are samples would
 * repeat this. */
void value_types_init(struct value_types *types, const struct export_samples *samples)
{
	types->types[0] = (struct value_type){"samples", "count"};
	types->count = 1;
	types->weights =
		samples->series_count != 1 || strcmp(samples->series[0].unit, "samples") != 0;
	for (size_t i = 0; types->weights && i < samples->series_count; i++) {
		const struct series *series = &samples->series[i];

		if (types->count == VALUES_MAX)
			break;
		types->types[types->count++] =
			(struct value_type){name_of(samples, series), unit_of(series)};
	}
}

static void add_limited(uint64_t *sum, uint64_t more)
{
	*sum = more > INT64_MAX - *sum ? INT64_MAX : *sum + more;
}

void value_types_add(struct value_types *types, const struct cell *cell, uint64_t *values)
{
	const unsigned int type = types->weights ? cell->series + 1 : 0;

	if (type >= types->count) {
		types->dropped += cell->samples;
		return;
	}
	add_limited(&values[0], cell->samples);
	if (type)
		add_limited(&values[type], cell->weight);
}

uint64_t value_types_period(const struct series *series)
{
	if (series->period)
		return series->period;
	return series->samples ? (series->weight + series->samples / 2) / series->samples : 0;
}

int value_types_report(const struct value_types *types, int result)
{
	char number[32];

	if (!types->dropped)
		return result;
	pk_error("%s samples are of events beyond the first %d, skipped",
		 pk_number(number, types->dropped), VALUES_MAX - 1);
	return result ? result : PK_EXIT_FAILED;
}
