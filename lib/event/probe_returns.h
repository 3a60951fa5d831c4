/* SPDX-License-Identifier: BSD-2-Clause */
/* What return probes can do to a program. The kernel replaces the return address in the frame of
 * the function until it returns; a program that reads its own return addresses ends there. */
#ifndef PK_PROBE_RETURNS_H
#define PK_PROBE_RETURNS_H

#include <stdbool.h>

struct pk_elf;

enum probe_returns {
	PROBE_RETURNS_SAFE,	  /* nothing in the file is known to read return addresses */
	PROBE_RETURNS_EXCEPTIONS, /* exceptions that pass a probed frame end the program */
	PROBE_RETURNS_GO	  /* Go moves and scans its stacks all the time */
};

enum probe_returns pk_probe_returns_of(const struct pk_elf *elf);
/* Whether no exception passes a function of this name (or pattern): those that allocate memory for
 * C call nothing that throws. */
bool pk_probe_returns_without_exceptions(const char *function);

#endif
