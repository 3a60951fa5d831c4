// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "time_axis.h"

#define LABEL_CHARACTERS 12  /* length of the longest label and the space after it */
#define TALL		 400 /* pixels; a taller axis also has labels at the top */

static const struct unit {
	const char *name;
	double nanoseconds;
} units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};

static const struct unit *unit_of(double nanoseconds)
{
	size_t i = 0;

	while (i < 3 && nanoseconds < units[i].nanoseconds * 0.99995)
		i++;
	return &units[i];
}

void duration_text(double nanoseconds, char text[DURATION_TEXT])
{
	const struct unit *unit = unit_of(nanoseconds);
	const double value = nanoseconds / unit->nanoseconds;
	const int decimals = unit->nanoseconds < 2 || value >= 999.95 ? 0
			     : value >= 99.995			      ? 1
			     : value >= 9.9995			      ? 2
								      : 3;

	snprintf(text, DURATION_TEXT, "%.*f %s", decimals, value, unit->name);
}

double time_axis_x(const struct time_axis *axis, uint64_t time)
{
	const uint64_t all = axis->to > axis->from ? axis->to - axis->from : 1;

	if (time <= axis->from)
		return axis->x;
	if (time >= axis->to)
		return axis->x + axis->width;
	return axis->x + (double)(time - axis->from) / (double)all * axis->width;
}

unsigned int time_axis_decimals(const struct time_axis *axis)
{
	const double all = (double)(axis->to - axis->from);

	return (unsigned int)fmin(12, fmax(2, ceil(log10(fmax(all, 1) / axis->width / 10))));
}

/* Returns the smallest of 1, 2, 5, 10 ... ns that is not less than `least`. */
static double round_step(double least)
{
	const double power = pow(10, floor(log10(fmax(least, 1))));

	for (unsigned int i = 0; i < 3; i++) {
		static const double factors[] = {1, 2, 5};

		if (factors[i] * power >= least * 0.999)
			return factors[i] * power;
	}
	return 10 * power;
}

/* Formats a label. All labels have the same unit and the same number of decimals, which `step`
 * determines. */
static void label_text(double time, double step, char text[DURATION_TEXT])
{
	const struct unit *unit = unit_of(step);
	const double size = step / unit->nanoseconds;

	snprintf(text, DURATION_TEXT, "%.*f %s", size >= 0.999 ? 0 : 1, time / unit->nanoseconds,
		 unit->name);
}

void time_axis_draw(struct svg *svg, const struct time_axis *axis, double top, double bottom)
{
	const double all = axis->to > axis->from ? (double)(axis->to - axis->from) : 1;
	const double label = LABEL_CHARACTERS * svg_character(svg->options);
	const double step = round_step(all * label / axis->width);
	char text[DURATION_TEXT];

	svg_format(svg,
		   "<g class=\"axis\" data-from=\"%" PRIu64 "\" data-all=\"%.0f"
		   "\" data-x=\"%g\" data-width=\"%g\" data-top=\"%g\" data-bottom=\"%g\">\n",
		   axis->from, all, axis->x, axis->width, top, bottom);
	for (double time = 0; time <= all; time += step) {
		const double x = axis->x + time / all * axis->width;
		const char *anchor = x + label / 2 > svg->width ? "end"
				     : x < label / 2		? "start"
								: "middle";

		svg_raw(svg, "<line");
		svg_attribute(svg, "x1", x);
		svg_attribute(svg, "x2", x);
		svg_attribute(svg, "y1", top);
		svg_attribute(svg, "y2", bottom);
		svg_raw(svg, "/>");
		label_text(time, step, text);
		svg_label(svg, x, bottom + svg->options->font_size * 1.2, anchor, text);
		if (bottom - top > TALL)
			svg_label(svg, x, top - 3, anchor, text);
	}
	svg_raw(svg, "</g>\n");
}

/* ---- Numbers of a field ---- */

/* ---- Texts ---- */

/* Formats digits in groups of three. The end of an axis can be up to 2^80. */
static void integer_text(struct pk_wide number, char *text)
{
	char buffer[PK_WIDE_TEXT];
	const char *digits = pk_wide_text(number, buffer);

	for (size_t left = strlen(digits); left; left--) {
		*text++ = *digits++;
		if (left > 1 && left % 3 == 1)
			*text++ = ',';
	}
	*text = '\0';
}

void quantity_text(enum pk_value_kind kind, struct pk_wide number, char text[QUANTITY_TEXT])
{
	const struct pk_wide magnitude = pk_wide_magnitude(number);

	if (number.high < 0)
		*text++ = '-';
	if (pk_kind_is_time(kind))
		duration_text(pk_wide_real(magnitude), text);
	else if (pk_kind_is_hex(kind) && !magnitude.high)
		snprintf(text, QUANTITY_TEXT - 1, "0x%llx", (unsigned long long)magnitude.low);
	else
		integer_text(magnitude, text);
}

static void add_unit(double number, const char *unit, char *text)
{
	snprintf(text, 16, "%.3g%s", number, unit);
}

void quantity_label(enum pk_value_kind kind, double number, char text[QUANTITY_TEXT])
{
	static const char *const times[] = {" ns", " us", " ms", " s"};
	static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
	static const char *const bytes[] = {" B", " kB", " MB", " GB", " TB", " PB", " EB"};
	const unsigned int most = pk_kind_is_time(kind) ? 3 : 6;
	unsigned int unit = 0;

	if (pk_kind_is_hex(kind) && number >= 0 && number < 0x1p64) {
		snprintf(text, QUANTITY_TEXT, "0x%llx", (unsigned long long)number);
		return;
	}
	if (number < 0)
		*text++ = '-';
	for (number = fabs(number); number >= 999.95 && unit < most; unit++)
		number /= 1000;
	add_unit(number,
		 pk_kind_is_time(kind)	  ? times[unit]
		 : kind == PK_VALUE_BYTES ? bytes[unit]
					  : prefixes[unit],
		 text);
}

void quantity_range(enum pk_value_kind kind, const struct pk_bin_axis *axis, uint32_t index,
		    char text[QUANTITY_TEXT])
{
	const struct pk_wide low = pk_bin_axis_number(axis, index);
	const struct pk_wide high = pk_wide_subtract(pk_bin_axis_number(axis, index + 1),
						     pk_wide_of(!pk_kind_is_time(kind)));
	char from[QUANTITY_TEXT], to[QUANTITY_TEXT];

	quantity_text(kind, low, from);
	quantity_text(kind, high, to);
	if (pk_wide_equal(low, high))
		memcpy(text, from, sizeof(from));
	else
		snprintf(text, QUANTITY_TEXT, "%.45s-%.45s", from, to);
}

/* ---- Round numbers ---- */

struct choice {
	enum pk_value_kind kind;
	const struct pk_bin_axis *axis;
	double spacing;
	struct tick *ticks;
	unsigned int count;
};

static void try_number(struct choice *choice, double number)
{
	double place;

	if (choice->count == TICKS_MAX || fabs(number) > 0x1p64)
		return;
	place = pk_bin_axis_place(choice->axis, pk_wide_of_real(number)) / choice->axis->count;
	if (place < 0 || place > 1)
		return;
	for (unsigned int i = 0; i < choice->count; i++)
		if (fabs(choice->ticks[i].place - place) < choice->spacing)
			return;
	quantity_label(choice->kind, number, choice->ticks[choice->count].text);
	choice->ticks[choice->count++].place = place;
}

/* Tries all distances between ticks that are this digit times a power of ten. */
static void try_powers(struct choice *choice, double digit)
{
	for (double power = 1; power < 1e20; power *= 10) {
		try_number(choice, digit * power);
		try_number(choice, -digit * power);
	}
}

static double round_up(double number)
{
	const double power = pow(10, floor(log10(fmax(number, 1))));

	if (number <= power)
		return power;
	if (number <= 2 * power)
		return 2 * power;
	return number <= 5 * power ? 5 * power : 10 * power;
}

static void try_multiples(struct choice *choice, double part)
{
	const double low = pk_wide_real(pk_bin_axis_number(choice->axis, 0));
	const double high = pk_wide_real(pk_bin_axis_number(choice->axis, choice->axis->count));
	const double step = round_up((high - low) * part);
	const double first = ceil(low / step) * step;

	for (unsigned int i = 0; i < TICKS_MAX && first + i * step <= high; i++)
		try_number(choice, first + i * step);
}

unsigned int ticks_of(enum pk_value_kind kind, const struct pk_bin_axis *axis, double spacing,
		      struct tick ticks[TICKS_MAX])
{
	struct choice choice = {kind, axis, spacing, ticks, 0};

	if (!axis->count)
		return 0;
	if (axis->scale.kind == PK_SCALE_LINEAR) {
		try_multiples(&choice, spacing);
		return choice.count;
	}
	try_number(&choice, 0);
	try_powers(&choice, 1);
	try_powers(&choice, 5);
	try_powers(&choice, 2);
	if (choice.count < 3)
		try_multiples(&choice, 0.2);
	return choice.count;
}
