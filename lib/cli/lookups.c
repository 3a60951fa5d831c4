// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

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
	pk_failed_errno(&lookups, path);
}

int pk_no_memory(void)
{
	if (!no_memory)
		pk_error("out of memory");
	no_memory = true;
	return PK_EXIT_FAILED;
}

void pk_exit_no_memory(void)
{
	exit(pk_no_memory());
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

void pk_print_messages(struct pk_messages *messages)
{
	enum pk_severity severity;
	const char *text;

	for (size_t at = 0; (text = pk_messages_next(messages, &at, &severity));) {
		switch (severity) {
		case PK_SEVERITY_ERROR: pk_error("%s", text); break;
		case PK_SEVERITY_WARNING: pk_warn("%s", text); break;
		case PK_SEVERITY_INFO: pk_info("%s", text); break;
		}
	}
	if (messages->omitted)
		pk_error("%zu more messages", messages->omitted);
	if (messages->no_memory)
		pk_no_memory();
	pk_failures_add(&lookups, &messages->failures);
	pk_messages_clear(messages);
}

bool pk_printed(bool result, struct pk_messages *messages)
{
	pk_print_messages(messages);
	return result;
}

int pk_exit_status(int status)
{
	const bool failed = no_memory || lookups.count;

	pk_report_failures(&lookups);
	return failed && (status == PK_EXIT_OK || status == PK_EXIT_USAGE) ? PK_EXIT_FAILED
									   : status;
}
