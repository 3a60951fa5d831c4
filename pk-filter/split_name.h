/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPLIT_NAME_H
#define PK_FILTER_SPLIT_NAME_H

/* File names from values of the input: %v in the last part of a pattern is replaced by a value, %%
 * by a percent sign. In a value, letters, digits, _ - + , = @ : and dots after the first character
 * are unchanged; other bytes become %XX; no value is %none, an empty one %empty. So different
 * values have different names, and no name leaves the folder. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL, or the error in the pattern. */
const char *split_name_check(const char *pattern);
/* The name for a value, which is NULL if there is none. The number is that of the value, for values
 * that are too long. With part, the name starts with a dot and ends with ".part". To be freed.
 * Returns NULL if memory is exhausted. */
char *split_name_of(const char *pattern, const char *value, size_t size, uint64_t number,
		    bool part);

#endif
