// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "amount_text.h"

#define NS_PER_S 1000000000u

static void add_unsigned(struct buffer *out, unsigned __int128 value)
{
	char digits[40], *end = digits + sizeof(digits), *p = end;

	do
		*--p = (char)('0' + (unsigned int)(value % 10));
	while (value /= 10);
	buffer_add(out, p, (size_t)(end - p));
}

static void add_seconds(struct buffer *out, unsigned __int128 ns)
{
	add_unsigned(out, ns / NS_PER_S);
	buffer_format(out, ".%09u", (unsigned int)(ns % NS_PER_S));
}

static void add_integer(struct buffer *out, __int128 value, enum pk_value_kind kind, bool round)
{
	const unsigned __int128 magnitude =
		value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;

	if (value < 0)
		buffer_char(out, '-');
	if (kind == PK_VALUE_TIME && round) {
		add_seconds(out, magnitude);
	} else if (kind == PK_VALUE_HEX && value >= 0 && value <= UINT64_MAX) {
		buffer_text(out, "0x");
		buffer_hex(out, (uint64_t)value, 0);
	} else {
		add_unsigned(out, magnitude);
	}
}

void amount_add(struct buffer *out, const struct pk_amount *amount, enum pk_value_kind kind,
		bool round)
{
	if (amount->kind == PK_AMOUNT_INTEGER)
		add_integer(out, amount->integer, kind, round);
	else if (round && kind == PK_VALUE_TIME)
		buffer_format(out, "%.9f", amount->real / NS_PER_S);
	else if (round)
		buffer_format(out, "%.2f", amount->real);
	else
		buffer_real(out, amount->real);
}

/* ---- Units ---- */

static const struct unit times[] = {
	{"ns", 1, 0}, {"us", 1000, 3}, {"ms", 1000000, 6}, {"s", NS_PER_S, 9}};
static const struct unit numbers[] = {
	{"K", UINT64_C(1) << 10, 2}, {"M", UINT64_C(1) << 20, 2}, {"G", UINT64_C(1) << 30, 2}};

static const struct unit *find(const struct unit *list, size_t count, const char *name, size_t size)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i].name) == size && !memcmp(list[i].name, name, size))
			return &list[i];
	return NULL;
}

bool units_parse(struct units *units, const char *text)
{
	for (;; text++) {
		const size_t size = strcspn(text, ",");
		const struct unit *time = find(times, sizeof(times) / sizeof(times[0]), text, size);
		const struct unit *number =
			find(numbers, sizeof(numbers) / sizeof(numbers[0]), text, size);

		if (!time && !number)
			return false;
		units->time = time ? time : units->time;
		units->number = number ? number : units->number;
		text += size;
		if (!*text)
			return true;
	}
}

static bool is_power_of_ten(const struct unit *unit)
{
	return unit->size % 10 == 0 || unit->size == 1;
}

void amount_add_unit(struct buffer *out, const struct pk_amount *amount, const struct unit *unit)
{
	const __int128 value = amount->integer;
	const unsigned __int128 magnitude =
		value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;

	if (amount->kind == PK_AMOUNT_INTEGER && is_power_of_ten(unit)) {
		buffer_text(out, value < 0 ? "-" : "");
		add_unsigned(out, magnitude / unit->size);
		if (unit->decimals)
			buffer_format(out, ".%0*u", (int)unit->decimals,
				      (unsigned int)(magnitude % unit->size));
	} else {
		buffer_format(out, "%.*f", (int)unit->decimals, amount->real / (double)unit->size);
	}
	buffer_text(out, unit->name);
}
