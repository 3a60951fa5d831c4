// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "amount_text.h"
#include "number.h"

#define NS_PER_S 1000000000u

static void add_wide(struct buffer *out, struct pk_wide value)
{
	char text[PK_WIDE_TEXT];

	buffer_text(out, pk_wide_text(value, text));
}

/* Appends the number, divided by `unit`, as a decimal fraction. `unit` is a power of ten. */
static void add_fraction(struct buffer *out, struct pk_wide value, uint64_t unit,
			 unsigned int decimals)
{
	struct pk_wide rest;

	if (value.high < 0)
		buffer_char(out, '-');
	add_wide(out, pk_wide_divide(pk_wide_magnitude(value), pk_wide_of_u64(unit), &rest));
	if (decimals)
		buffer_format(out, ".%0*u", (int)decimals, (unsigned int)rest.low);
}

static void add_integer(struct buffer *out, const struct pk_amount *amount, enum pk_value_kind kind)
{
	const struct pk_wide value = amount->integer;
	const bool is_key = value.high == 0 || (value.high == -1 && pk_kind_is_signed(kind));
	char text[PK_VALUE_SIZE];

	if (pk_kind_is_words(kind) && amount->text)
		buffer_add(out, amount->text, amount->size);
	else if (is_key && (pk_kind_is_hex(kind) || pk_kind_has_names(kind)))
		buffer_add(out, text, pk_number_text(kind, value.low, text));
	else
		add_wide(out, value);
}

void pk_amount_add(struct buffer *out, const struct pk_amount *amount, enum pk_value_kind kind,
		   enum amount_form form)
{
	const bool round = form == AMOUNT_TABLE, is_time = round && kind == PK_VALUE_TIME;

	if (amount->kind == PK_AMOUNT_INTEGER && is_time)
		add_fraction(out, amount->integer, NS_PER_S, 9);
	else if (amount->kind == PK_AMOUNT_INTEGER)
		add_integer(out, amount, form == AMOUNT_DATA ? pk_kind_as_data(kind) : kind);
	else if (is_time)
		buffer_format(out, "%.9f", amount->real / NS_PER_S);
	else if (round)
		buffer_format(out, "%.2f", amount->real);
	else
		buffer_real(out, amount->real);
}

/* ---- Units ---- */

static const struct amount_unit times[] = {
	{"ns", 1, 0}, {"us", 1000, 3}, {"ms", 1000000, 6}, {"s", NS_PER_S, 9}};
static const struct amount_unit numbers[] = {
	{"K", UINT64_C(1) << 10, 2}, {"M", UINT64_C(1) << 20, 2}, {"G", UINT64_C(1) << 30, 2}};

static const struct amount_unit *find_unit(const struct amount_unit *list, size_t count,
					   const char *name, size_t size)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i].name) == size && !memcmp(list[i].name, name, size))
			return &list[i];
	return NULL;
}

bool pk_units_parse(struct units *units, const char *text)
{
	const char *word;
	size_t size;

	while (pk_next_word(&text, &word, &size)) {
		const struct amount_unit *time =
			find_unit(times, sizeof(times) / sizeof(times[0]), word, size);
		const struct amount_unit *number =
			find_unit(numbers, sizeof(numbers) / sizeof(numbers[0]), word, size);

		if (!time && !number)
			return false;
		units->time = time ? time : units->time;
		units->number = number ? number : units->number;
	}
	return true;
}

static bool is_power_of_ten(const struct amount_unit *unit)
{
	return unit->size % 10 == 0 || unit->size == 1;
}

void pk_amount_add_unit(struct buffer *out, const struct pk_amount *amount,
			const struct amount_unit *unit)
{
	if (amount->kind == PK_AMOUNT_INTEGER && is_power_of_ten(unit))
		add_fraction(out, amount->integer, unit->size, unit->decimals);
	else
		buffer_format(out, "%.*f", (int)unit->decimals, amount->real / (double)unit->size);
	buffer_text(out, unit->name);
}
