/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPLIT_NAME_H
#define PK_FILTER_SPLIT_NAME_H

/* Makes file names from values in the input. In the last component of a pattern, %v is replaced by
 * a value. %% is replaced by a percent sign. In a value, letters, digits, _ - + , = @ : and dots
 * after the first character are not changed. Other bytes become %XX. If there is no value, %v
 * becomes %none. If the value is empty, %v becomes %empty. So different values have different
 * names, and no file is outside of the folder. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns the error in the pattern, or NULL if the pattern is correct. */
const char *split_name_check(const char *pattern);
/* Returns the name for a value. value is NULL if there is no value. number is the number of the
 * value, which becomes a part of the name if the value is too long. If part is true, the name
 * starts with a dot and ends with ".part". The caller frees the name. Returns NULL if memory is
 * exhausted. */
char *split_name_of(const char *pattern, const char *value, size_t size, uint64_t number,
		    bool part);

#endif
