// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "pkstream.h"
#include "recorded_processor.h"

/* perf writes numbers in other formats into a recording than into the names of tables. Other texts
 * than those of x86 and Power are the same. */
static void convert(const char *recorded, char *text, size_t size)
{
	unsigned int family, model, stepping, version, revision;
	char vendor[64];

	if (sscanf(recorded, "%63[A-Za-z],%u,%u,%u", vendor, &family, &model, &stepping) == 4)
		snprintf(text, size, "%s-%u-%X-%X", vendor, family, model, stepping);
	else if (sscanf(recorded, "%u,%u", &version, &revision) == 2)
		snprintf(text, size, "0x%04x%04x", version, revision);
	else
		snprintf(text, size, "%s", recorded);
}

bool recorded_processor(const char *path, char *text, size_t size)
{
	struct pk_reader_options options = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
	struct pk_reader *reader = NULL;
	struct pk_record record;
	char recorded[128];
	bool found = false;

	if (options.fd < 0)
		return false;
	if (pk_reader_new(&options, &reader) == PK_OK)
		while (!found && pk_reader_next(reader, &record) == PK_OK &&
		       record.type != PERF_RECORD_STAT)
			found = pk_feature_id(&record) == PERF_FEATURE_CPUID &&
				pk_feature_get_string(&record, recorded, sizeof(recorded));
	if (found)
		convert(recorded, text, size);
	pk_reader_free(reader);
	close(options.fd);
	return found;
}
