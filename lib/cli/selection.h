/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SELECTION_H
#define PK_SELECTION_H

/* Messages about the samples that the user has selected, and their fields: --event, --where, --by,
 * --weight. */

#include "groups.h"
#include "profile.h"

struct pk_selection {
	const struct pk_profile *profile;
	const struct pk_groups *groups;
	struct pk_expression *where; /* NULL: none */
	const char *where_text;	     /* as the user wrote it */
};

/* Call it if pk_fields_are_due(): if no event has a field, prints the error, and exits with
 * PK_EXIT_USAGE. False: out of memory. */
bool pk_selection_check(const struct pk_selection *selection);
/* At the end: prints what no sample had. Returns the exit status. */
int pk_selection_report(const struct pk_selection *selection);

#endif
