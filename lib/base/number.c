// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "wide.h"

struct unit {
	const char *name;
	uint64_t factor;
};

bool pk_parse_u64(const char *text, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, text[0] == '0' && text[1] == 'x' ? 16 : 10);
	return !errno && end != text && !*end;
}

static const struct unit *find_unit(const struct unit *units, const char *name)
{
	for (; units->name; units++)
		if (!strcmp(units->name, name))
			return units;
	return NULL;
}

/* The scale for the most digits of a fraction. Further digits are ignored. */
#define SCALE_MAX UINT64_C(1000000000000000000)

/* Parses a decimal number, which can have a fraction, and a unit that follows it. Digits for less
 * than 1 of the smallest unit are dropped. */
static bool parse_with_unit(const char *text, const struct unit *units, uint64_t *value)
{
	uint64_t whole, digits = 0, scale = 1;
	struct pk_wide part, rest;
	const struct unit *unit;
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	whole = strtoull(text, &end, 10);
	if (errno)
		return false;
	if (*end == '.') {
		for (end++; *end >= '0' && *end <= '9'; end++) {
			if (scale == SCALE_MAX)
				continue;
			digits = digits * 10 + (uint64_t)(*end - '0');
			scale *= 10;
		}
	}
	unit = find_unit(units, end);
	if (!unit)
		return false;
	part = pk_wide_divide(pk_wide_product(digits, unit->factor), pk_wide_of_u64(scale), &rest);
	return !__builtin_mul_overflow(whole, unit->factor, value) &&
	       !__builtin_add_overflow(*value, part.low, value);
}

bool pk_parse_size(const char *text, uint64_t *bytes)
{
	static const struct unit units[] = {
		{"", 1},	  {"B", 1},
		{"k", 1 << 10},	  {"K", 1 << 10},
		{"kB", 1 << 10},  {"KB", 1 << 10},
		{"KiB", 1 << 10}, {"M", 1 << 20},
		{"MB", 1 << 20},  {"MiB", 1 << 20},
		{"G", 1 << 30},	  {"GB", 1 << 30},
		{"GiB", 1 << 30}, {"T", UINT64_C(1) << 40},
		{NULL, 0},
	};

	return parse_with_unit(text, units, bytes);
}

bool pk_parse_time(const char *text, uint64_t *ns)
{
	static const struct unit units[] = {
		{"", 1000000000},
		{"ns", 1},
		{"us", 1000},
		{"ms", 1000000},
		{"s", 1000000000},
		{"m", UINT64_C(60) * 1000000000},
		{"h", UINT64_C(3600) * 1000000000},
		{"d", UINT64_C(86400) * 1000000000},
		{NULL, 0},
	};

	return parse_with_unit(text, units, ns);
}

bool pk_next_word(const char **list, const char **word, size_t *size)
{
	if (!*list)
		return false;
	*word = *list;
	*size = strcspn(*word, ",");
	*list = (*word)[*size] ? *word + *size + 1 : NULL;
	return true;
}

bool pk_parse_ranges(const char *text, uint64_t max,
		     bool (*each)(void *arg, uint64_t first, uint64_t last), void *arg)
{
	char item[64], *dash;
	uint64_t first, last;
	const char *word;
	size_t size;

	while (pk_next_word(&text, &word, &size)) {
		if (size >= sizeof(item))
			return false;
		memcpy(item, word, size);
		item[size] = '\0';
		dash = strchr(item, '-');
		if (dash)
			*dash++ = '\0';
		if (!pk_parse_u64(item, &first) || !pk_parse_u64(dash ? dash : item, &last) ||
		    first > last || last > max || !each(arg, first, last))
			return false;
	}
	return true;
}

char *pk_number(char *buffer, uint64_t value)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value);
	char *out = buffer;

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = '\0';
	return buffer;
}

bool pk_parse_percent(const char *text, double *percent)
{
	char *end;

	errno = 0;
	*percent = strtod(text, &end);
	return end != text && !*end && !errno && *percent >= 0 && *percent <= 100;
}
