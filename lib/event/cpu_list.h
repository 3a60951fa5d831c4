/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CPU_LIST_H
#define PK_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPU_MAX 65535 /* all CPU numbers are below this: CPU_MAP has 16 bits for a CPU */

/* pk_parse_ranges() for numbers below CPU_MAX. */
bool pk_cpu_ranges(const char *text, bool (*each)(void *arg, uint64_t first, uint64_t last),
		   void *arg);
/* Sets *cpus to an array of the numbers in such a list, to be freed. False: like pk_cpu_ranges(),
 * or more than CPU_MAX numbers, or out of memory; *cpus is NULL then, and *count is 0. */
bool pk_cpu_list_parse(const char *text, int **cpus, size_t *count);

#endif
