// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "buckets.h"
#include "quantity.h"
#include "safe_text.h"

#define STARS 40

/* The numbers of the table are in the unit of --step, if it has a name. */
struct table_unit {
	const char *name;
	uint64_t size;
};

static struct table_unit unit_of(const struct distribution *d)
{
	static const struct table_unit times[] = {
		{"secs", 1000000000}, {"msecs", 1000000}, {"usecs", 1000}, {"nsecs", 1}};
	const struct pk_reference *field = &d->field.reference;

	for (size_t i = 0; pk_kind_is_time(d->value_kind) && i < 4; i++)
		if (d->scale.unit % times[i].size == 0)
			return times[i];
	return (struct table_unit){field->field ? field->field->name : field->name, 1};
}

/* The smallest and the largest number of a bucket, in units. */
static void limits_of(const struct distribution *d, uint32_t bucket, struct pk_wide *low,
		      struct pk_wide *high)
{
	const struct pk_wide size = pk_wide_of_u64(unit_of(d).size);
	const struct pk_wide end = pk_bin_axis_number(&d->density.y, bucket + 1);

	*low = pk_wide_floor_divide(pk_bin_axis_number(&d->density.y, bucket), size);
	*high = pk_wide_subtract(pk_wide_floor_divide(end, size), pk_wide_of(1));
}

/* The width of the numbers at the left. */
static int width_of(const struct distribution *d)
{
	struct pk_wide low, high;
	char text[PK_WIDE_TEXT];
	size_t width = 10;

	for (uint32_t i = 0; i < d->density.y.count; i++) {
		limits_of(d, i, &low, &high);
		width = strlen(pk_wide_text(low, text)) > width ? strlen(pk_wide_text(low, text))
								: width;
		width = strlen(pk_wide_text(high, text)) > width ? strlen(pk_wide_text(high, text))
								 : width;
	}
	return (int)width;
}

static void print_row(const struct distribution *d, unsigned int group, uint32_t bucket, int width,
		      uint64_t largest)
{
	static const char stars[] = "****************************************";
	const uint64_t sum = buckets_sum(d, group, bucket);
	const int length = (int)((double)sum / (double)largest * STARS);
	struct pk_wide low, high;
	char from[PK_WIDE_TEXT], to[PK_WIDE_TEXT];

	limits_of(d, bucket, &low, &high);
	printf("%*s -> %-*s : %-8" PRIu64 " |%-*.*s|\n", width, pk_wide_text(low, from), width,
	       pk_wide_text(high, to), sum, STARS, length, stars);
}

/* The buckets from the first to the last one that is not empty. */
static void print_group(const struct distribution *d, unsigned int group)
{
	const uint64_t largest = buckets_largest(d, group);
	const int width = width_of(d);
	uint32_t first = 0, end = d->density.y.count;

	if (!largest)
		return;
	while (!buckets_sum(d, group, first))
		first++;
	while (!buckets_sum(d, group, end - 1))
		end--;
	if (*d->layers[group].name)
		printf("%s%s\n", group ? "\n" : "", d->layers[group].name);
	printf("%*s%-*s : %-8s distribution\n", width / 2, "", 2 * width + 4 - width / 2,
	       unit_of(d).name, "count");
	for (uint32_t i = first; i < end; i++)
		print_row(d, group, i, width, largest);
}

bool buckets_print_text(const struct buckets_options *options)
{
	for (unsigned int i = 0; i < options->distribution.layers_count; i++)
		print_group(&options->distribution, i);
	return true;
}

static void print_quoted(const char *text)
{
	fputs(pk_is_formula(text, strlen(text)) ? "\"'" : "\"", stdout);
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

bool buckets_print_csv(const struct buckets_options *options)
{
	const struct distribution *d = &options->distribution;
	char from[PK_WIDE_TEXT], to[PK_WIDE_TEXT];

	puts("group,from,to,sum");
	for (unsigned int group = 0; group < d->layers_count; group++) {
		for (uint32_t i = 0; i < d->density.y.count; i++) {
			const struct pk_wide end = pk_bin_axis_number(&d->density.y, i + 1);

			if (!buckets_sum(d, group, i))
				continue;
			print_quoted(d->layers[group].name);
			printf(",%s,%s,%" PRIu64 "\n",
			       pk_wide_text(pk_bin_axis_number(&d->density.y, i), from),
			       pk_wide_text(pk_wide_subtract(end, pk_wide_of(1)), to),
			       buckets_sum(d, group, i));
		}
	}
	return true;
}
