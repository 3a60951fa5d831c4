/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SECOND_H
#define PK_SECOND_H

/* Second opinions: other libraries answer in place of ours, for a form of data that ours does not
 * know, and to find out which of the two is wrong. They are loaded when a user asks for them
 * (--with), before the sandbox is entered. They are not written for hostile input: some input ends
 * the program or takes it forever. */

#include <stdbool.h>

#include "messages.h"
#include "object_debug.h"
#include "options.h"

/* What libraries do that were asked for. NULL: ours. */
struct pk_second {
	const struct pk_debug_reader *reader;
};

/* For the row of an option, whose member is a struct pk_second: loads the library. The row's value
 * has the names of the libraries that are possible: "libdw|libunwind". */
int pk_second_parse(const struct pk_option *option, void *at, const char *text);

/* ---- The libraries. NULL after a message: it cannot be loaded ---- */

const struct pk_debug_reader *pk_second_libdw(struct pk_messages *messages);

#endif
