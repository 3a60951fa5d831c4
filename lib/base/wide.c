// SPDX-License-Identifier: BSD-2-Clause
#include "wide.h"

const char *pk_wide_text(struct pk_wide number, char text[PK_WIDE_TEXT])
{
	struct pk_wide magnitude = pk_wide_magnitude(number), digit;
	char *p = text + PK_WIDE_TEXT - 1;

	*p = '\0';
	do {
		magnitude = pk_wide_divide(magnitude, pk_wide_of(10), &digit);
		*--p = (char)('0' + (unsigned int)digit.low);
	} while (!pk_wide_is_zero(magnitude));
	if (number.high < 0)
		*--p = '-';
	return p;
}
