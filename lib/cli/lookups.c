// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>

#include "cli.h"
#include "lookups.h"

static struct pk_failures lookups;
static bool no_memory;

struct pk_failures *pk_lookups(void)
{
	return &lookups;
}

void pk_lookup_failed(const char *path)
{
	const int error = errno;

	if (pk_is_failure(error))
		pk_failed(&lookups, path, error);
	errno = error;
}

int pk_no_memory(void)
{
	if (!no_memory)
		pk_error("out of memory");
	no_memory = true;
	return PK_EXIT_FAILED;
}

void pk_report_failures(const struct pk_failures *failures)
{
	const char *reason = pk_failure_text(failures->error);
	char number[32];

	if (!failures->count)
		return;
	pk_number(number, failures->count);
	if (*failures->path)
		pk_error("%s lookup%s failed: %s: %s", number, failures->count == 1 ? "" : "s",
			 failures->path, reason);
	else
		pk_error("%s lookup%s failed: %s", number, failures->count == 1 ? "" : "s", reason);
}

int pk_exit_status(int status)
{
	const bool failed = no_memory || lookups.count;

	pk_report_failures(&lookups);
	return failed && (status == PK_EXIT_OK || status == PK_EXIT_USAGE) ? PK_EXIT_FAILED
									   : status;
}
