// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpuid.h"
#include "procfs.h"

/* Returns the value of a line such as "model name\t: AMD EPYC". Returns NULL if the line has
 * another key. */
static const char *value_of(const char *line, const char *key)
{
	const size_t length = strlen(key);
	const char *at = line + length;

	if (strncmp(line, key, length))
		return NULL;
	at += strspn(at, " \t");
	return *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
}

/* Reads the vendor of the processor, and sets numbers to its family, model and stepping. */
static bool x86_processor(char *vendor, size_t size, unsigned long numbers[3],
			  struct pk_failures *lookups)
{
	static const char *const keys[] = {"cpu family", "model", "stepping"};
	struct line_reader reader;
	const char *line, *value;

	if (!pk_line_reader_open(&reader, "/proc/cpuinfo", lookups))
		return false;
	/* The first empty line ends the description of the first processor. */
	while ((line = pk_line_reader_next(&reader)) && *line) {
		value = value_of(line, "vendor_id");
		if (value)
			snprintf(vendor, size, "%s", value);
		for (size_t i = 0; i < 3; i++) {
			value = value_of(line, keys[i]);
			if (value)
				numbers[i] = strtoul(value, NULL, 10);
		}
	}
	pk_line_reader_close(&reader);
	return *vendor;
}

static bool x86_cpuid(char *text, size_t size, struct pk_failures *lookups)
{
	unsigned long numbers[3] = {0};
	char vendor[64] = "";

	if (!x86_processor(vendor, sizeof(vendor), numbers, lookups))
		return false;
	snprintf(text, size, "%s-%lu-%lX-%lX", vendor, numbers[0], numbers[1], numbers[2]);
	return true;
}

static bool arm64_cpuid(char *text, size_t size, struct pk_failures *lookups)
{
	static const unsigned long long varying = 0xf0000f; /* the bits of variant and revision */
	char line[64];

	if (!pk_procfs_read_line("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", line,
				 sizeof(line), lookups))
		return false;
	snprintf(text, size, "0x%016llx", strtoull(line, NULL, 16) & ~varying);
	return true;
}

bool pk_cpuid_text(char *text, size_t size, struct pk_failures *lookups)
{
	const char *chosen = getenv("PK_CPUID") ?: getenv("PERF_CPUID");

	if (!chosen)
		return arm64_cpuid(text, size, lookups) || x86_cpuid(text, size, lookups);
	snprintf(text, size, "%s", chosen);
	return true;
}

bool pk_cpuid_recorded(char *text, size_t size, struct pk_failures *lookups)
{
	unsigned long numbers[3] = {0};
	char vendor[64] = "";

	if (arm64_cpuid(text, size, lookups))
		return true;
	if (!x86_processor(vendor, sizeof(vendor), numbers, lookups))
		return false;
	snprintf(text, size, "%s,%lu,%lu,%lu", vendor, numbers[0], numbers[1], numbers[2]);
	return true;
}

static bool matches_wholly(const regex_t *regex, const char *text)
{
	regmatch_t match;

	return !regexec(regex, text, 1, &match, 0) && !match.rm_so && !text[match.rm_eo];
}

bool pk_cpuid_matches(const char *pattern, const char *cpuid)
{
	const char *end = strrchr(cpuid, '-');
	char shorter[128];
	regex_t regex;
	bool matches;

	if (regcomp(&regex, pattern, REG_EXTENDED))
		return false;
	matches = matches_wholly(&regex, cpuid);
	if (!matches && end && (size_t)(end - cpuid) < sizeof(shorter)) {
		memcpy(shorter, cpuid, (size_t)(end - cpuid));
		shorter[end - cpuid] = '\0';
		matches = matches_wholly(&regex, shorter);
	}
	regfree(&regex);
	return matches;
}

bool pk_cpuid_folder(const char *mapfile, const char *cpuid, char *folder, size_t size,
		     struct pk_failures *lookups)
{
	struct line_reader reader;
	bool found = false;
	char *line, *pattern;

	if (!pk_line_reader_open(&reader, mapfile, lookups))
		return false;
	while (!found && (line = pk_line_reader_next(&reader))) {
		pattern = strsep(&line, ",");
		if (!strsep(&line, ",") || !line || !pk_cpuid_matches(pattern, cpuid))
			continue;
		line[strcspn(line, ",")] = '\0';
		found = *line && !strstr(line, "..") &&
			snprintf(folder, size, "%s", line) < (int)size;
	}
	pk_line_reader_close(&reader);
	return found;
}
