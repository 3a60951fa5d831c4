// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <math.h>

#include "time_axis.h"

#define LABEL_CHARACTERS 12  /* of the longest label, with space */
#define TALL		 400 /* pixels; a taller axis has labels at the top, too */

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

/* The smallest of 1, 2, 5, 10 ... ns that is at least `least`. */
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

/* All labels have the unit and the number of decimals of the step. */
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
