/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SECOND_LOAD_H
#define PK_SECOND_LOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "messages.h"

/* The name of a function of a library, and where its address is stored. */
struct pk_wanted {
	const char *name;
	void *function; /* the address of a pointer to a function */
};

/* Loads a library that must have all these functions. package is the name of the Debian package of
 * the library, for the message. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status pk_second_load(const char *library, const char *package,
					    const struct pk_wanted *wanted, size_t count,
					    struct pk_messages *messages);

#endif
