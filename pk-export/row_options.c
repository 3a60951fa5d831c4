// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>
#include <strings.h>

#include "cli.h"
#include "row_options.h"

static int set_every(const struct pk_option *option, void *at, const char *text)
{
	const uint64_t second = UINT64_C(1000000000);
	uint64_t ns;

	if (!pk_parse_time(text, &ns) || !ns || ns % second)
		return pk_option_wrong(option, text);
	*(uint64_t *)at = ns / second;
	return PK_CONTINUE;
}

static int add_column(const struct pk_option *option, void *at, const char *text)
{
	struct row_options *options = at;
	char *equals = strchr(text, '=');

	if (!equals || equals == text)
		return pk_option_wrong(option, text);
	if (options->constants_count == ROW_CONSTANTS_MAX)
		return pk_usage_error("--column: more than %d", ROW_CONSTANTS_MAX);
	*equals = '\0';
	options->constants[options->constants_count++] =
		(struct row_constant){.name = text, .value = equals + 1};
	return PK_CONTINUE;
}

#define AT(member) PK_AT(struct row_options, member)

const struct pk_option row_options_rows[] = {
	{0, "every", "TIME", PK_CALL,
	 "a row for each distinct stack in each interval, with the start of the interval",
	 AT(every), .parse = set_every, .wants = "whole seconds, such as 10s"},
	{0, "column", "NAME=TEXT", PK_CALL, "a column with this text in each row",
	 .parse = add_column, .wants = "NAME=TEXT"},
	PK_OPTIONS_END,
};

uint64_t row_interval(const struct row_options *options, const struct export_samples *samples,
		      uint64_t time)
{
	const uint64_t seconds = samples_time_of_day(samples, time) / UINT64_C(1000000000);

	return seconds - seconds % options->every;
}

/* Returns true if there is a column with this name. The case of letters is ignored, as in SQLite.
 */
static bool is_taken(const struct row_options *options, unsigned int constants,
		     const char *const *columns, const char *name)
{
	for (; *columns; columns++)
		if (!strcasecmp(*columns, name))
			return true;
	for (unsigned int i = 0; i < constants; i++)
		if (!strcasecmp(options->constants[i].name, name))
			return true;
	return false;
}

static int report_taken(const char *option, const char *name)
{
	return pk_usage_error("%s: rows have another column %s", option, name);
}

int row_options_check(const struct row_options *options, const struct pk_tail_options *tail,
		      const char *const *columns)
{
	for (unsigned int i = 0; i < options->constants_count; i++)
		if (is_taken(options, i, columns, options->constants[i].name))
			return report_taken("--column", options->constants[i].name);
	for (unsigned int i = 0; i < tail->by_count; i++) {
		const char *name = samples_name_of(&tail->by[i]);

		if (is_taken(options, options->constants_count, columns, name))
			return report_taken("--by", name);
	}
	return PK_CONTINUE;
}
