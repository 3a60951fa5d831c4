// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "quantity.h"
#include "time_axis.h"

/* ---- Texts ---- */

const char *quantity_integer(__int128 number, char text[QUANTITY_INTEGER])
{
	unsigned __int128 rest =
		number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;
	char *p = text + QUANTITY_INTEGER - 1;

	*p = '\0';
	do
		*--p = (char)('0' + (unsigned int)(rest % 10));
	while (rest /= 10);
	if (number < 0)
		*--p = '-';
	return p;
}

/* Digits in groups of three; the end of an axis is up to 2^80. */
static void integer_text(unsigned __int128 number, char *text)
{
	char digits[64], *p = digits + sizeof(digits);

	*--p = '\0';
	for (unsigned int i = 0; !i || number; i++, number /= 10) {
		if (i && i % 3 == 0)
			*--p = ',';
		*--p = (char)('0' + (unsigned int)(number % 10));
	}
	memcpy(text, p, (size_t)(digits + sizeof(digits) - p));
}

void quantity_text(enum pk_value_kind kind, __int128 number, char text[QUANTITY_TEXT])
{
	const unsigned __int128 magnitude =
		number < 0 ? -(unsigned __int128)number : (unsigned __int128)number;

	if (number < 0)
		*text++ = '-';
	if (kind == PK_VALUE_TIME)
		duration_text((double)magnitude, text);
	else if (kind == PK_VALUE_HEX && magnitude <= UINT64_MAX)
		snprintf(text, QUANTITY_TEXT - 1, "0x%llx", (unsigned long long)magnitude);
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
	static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
	const unsigned int most = kind == PK_VALUE_TIME ? 3 : 6;
	unsigned int unit = 0;

	if (kind == PK_VALUE_HEX && number >= 0 && number < 0x1p64) {
		snprintf(text, QUANTITY_TEXT, "0x%llx", (unsigned long long)number);
		return;
	}
	if (number < 0)
		*text++ = '-';
	for (number = fabs(number); number >= 999.95 && unit < most; unit++)
		number /= 1000;
	add_unit(number, kind == PK_VALUE_TIME ? times[unit] : units[unit], text);
}

void quantity_range(enum pk_value_kind kind, const struct pk_bin_axis *axis, uint32_t index,
		    char text[QUANTITY_TEXT])
{
	const __int128 low = pk_bin_axis_number(axis, index);
	const __int128 high = pk_bin_axis_number(axis, index + 1) - (kind != PK_VALUE_TIME);
	char from[QUANTITY_TEXT], to[QUANTITY_TEXT];

	quantity_text(kind, low, from);
	quantity_text(kind, high, to);
	if (low == high)
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
	place = pk_bin_axis_place(choice->axis, (__int128)number) / choice->axis->count;
	if (place < 0 || place > 1)
		return;
	for (unsigned int i = 0; i < choice->count; i++)
		if (fabs(choice->ticks[i].place - place) < choice->spacing)
			return;
	quantity_label(choice->kind, number, choice->ticks[choice->count].text);
	choice->ticks[choice->count++].place = place;
}

/* The digit times all powers of ten. */
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
	const double low = (double)pk_bin_axis_number(choice->axis, 0);
	const double high = (double)pk_bin_axis_number(choice->axis, choice->axis->count);
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
