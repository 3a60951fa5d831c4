/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_SCALED_TIME_H
#define EXPORT_SCALED_TIME_H

#include "json.h"

/* Adds a time in ns as milliseconds (digits = 6) or microseconds (digits = 3). The result is an
 * exact decimal fraction without zeros at its end. */
static inline void scaled_time(struct buffer *out, uint64_t ns, unsigned int digits)
{
	const uint64_t unit = digits == 6 ? 1000000 : 1000;
	const uint64_t fraction = ns % unit;
	char text[DIGITS_MAX], *end;

	buffer_decimal(out, ns / unit, 0);
	if (!fraction)
		return;
	buffer_char(out, '.');
	end = digits_zeros(text, fraction, digits);
	while (end[-1] == '0')
		end--;
	buffer_add(out, text, (size_t)(end - text));
}

/* Like scaled_time(), but adds a member or an item of JSON. */
static inline void json_time(struct json *json, const char *key, uint64_t ns, unsigned int digits)
{
	json_key(json, key);
	scaled_time(json->out, ns, digits);
}

#endif
