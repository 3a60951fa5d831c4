/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CPU_LIST_H
#define PK_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_MAX 65535 /* CPU_MAP has 16 bits for a CPU */

/* Calls each for the ranges of "0-3,8"; false: malformed, or stopped by each. */
bool cpu_ranges(const char *text, bool (*each)(void *arg, uint64_t first, uint64_t last),
		void *arg);
/* Appends the CPUs of such a list to an array, to be freed. */
bool cpu_list_parse(const char *text, int **cpus, size_t *count);

#endif
