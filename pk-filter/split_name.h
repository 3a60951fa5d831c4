/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_SPLIT_NAME_H
#define PK_FILTER_SPLIT_NAME_H

/*
 * Names of files that are made of what the input says: %v in the last part of a pattern stands for
 * a value, %% for a percent sign. Of a value, letters, digits, _ - + , = @ : and dots that do not
 * begin it stay as they are; all else becomes %XX; no value is %none, an empty one %empty. So
 * different values have different names, and none leads out of the folder.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL, or what is wrong with the pattern. */
const char *split_name_check(const char *pattern);
/*
 * The name for a value, NULL: for what has none; number: of the value, for those that are too long
 * to be a name. Under a dot and with ".part" behind it if part. To be freed; NULL: out of memory.
 */
char *split_name_of(const char *pattern, const char *value, size_t size, uint64_t number,
		    bool part);

#endif
