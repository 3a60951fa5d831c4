// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aliases.h"
#include "filter.h"
#include "number.h"
#include "options.h"
#include "sandbox.h"
#include "slim.h"
#include "split_name.h"
#include "symbol_options.h"
#include "where.h"

struct opts {
	struct pk_common common;
	const char *key_file, *restore;
	struct alias_key names;
	struct filter_options filter;
};

static int add_fields(const struct pk_option *option, void *at, const char *text)
{
	uint64_t *fields = at;
	const char *word;
	size_t size;

	while (pk_next_word(&text, &word, &size)) {
		const uint64_t bits = slim_field(word, size);

		if (!bits)
			return pk_usage_error("--%s=%.*s: one of %s", option->name, (int)size, word,
					      slim_names);
		*fields |= bits;
	}
	return PK_CONTINUE;
}

#define AT(member)	  PK_AT(struct opts, member)
#define CONDITION(number) AT(filter.conditions), .parse = pk_add_condition, .set = (number)
#define SAMPLES		  .least = 1, .wants = "a number of samples"

static const struct pk_option rows[] = {
	PK_TITLE("Conditions (repeat an option for \"or\"; !VALUE means \"not VALUE\")"),
	{'p', "pid", "LIST", PK_CALL, "processes: 1,3,5-9", CONDITION(CONDITION_PID)},
	{'t', "tid", "LIST", PK_CALL, "threads", CONDITION(CONDITION_TID)},
	{'C', "cpu", "LIST", PK_CALL, "processors", CONDITION(CONDITION_CPU)},
	{'e', "event", "GLOB", PK_CALL, "events", CONDITION(CONDITION_EVENT)},
	{0, "comm", "GLOB", PK_CALL, "names of threads", CONDITION(CONDITION_COMM)},
	{0, "cgroup", "GLOB", PK_CALL, "control groups", CONDITION(CONDITION_CGROUP)},
	{0, "dso", "GLOB", PK_CALL, "the object of the innermost frame", CONDITION(CONDITION_DSO)},
	{0, "symbol", "GLOB", PK_CALL, "the function of the innermost frame",
	 CONDITION(CONDITION_SYMBOL)},
	{0, "stack-has", "GLOB", PK_CALL, "the function of any frame", CONDITION(CONDITION_STACK)},
	{0, "user", NULL, PK_CALL, "taken in user mode", CONDITION(CONDITION_MODE),
	 .without = "user"},
	{0, "kernel", NULL, PK_CALL, "taken in the kernel", CONDITION(CONDITION_MODE),
	 .without = "kernel"},
	{0, "time", "RANGE", PK_CALL, "FROM,TO in seconds; +FROM,+TO; A%-B%; N%/K",
	 AT(filter.conditions), .parse = pk_add_time},
	{0, "where", "EXPR", PK_CALL,
	 "that fulfil the expression, such as 'bytes > 4k && prev_comm ~ \"ng*\"'",
	 AT(filter.conditions), .parse = pk_add_where},
	{0, "every", "N", PK_NUMBER, "one of N samples", AT(filter.conditions.every), SAMPLES},
	{0, "head", "N", PK_NUMBER, "the first N samples", AT(filter.conditions.head), SAMPLES},
	PK_TITLE("Output"),
	{0, "drop", "LIST", PK_CALL, "remove callchain, stack ... from samples", AT(filter.drop),
	 .parse = add_fields},
	{0, "strip-extensions", NULL, PK_FLAG, "remove pk's own records", AT(filter.strip)},
	{0, "split-by", "FIELD", PK_TEXT, "write one file for each value: -o 'out-%v.pk'",
	 AT(filter.split_by)},
	PK_TITLE("Names"),
	{0, "anonymize", NULL, PK_FLAG, "replace names", AT(filter.anonymize)},
	{0, "key-file", "FILE", PK_TEXT, "a key: the same names get the same replacements",
	 AT(key_file)},
	{0, "keep", "raw,stack,regs", PK_CALL, "with --anonymize, keep these fields",
	 AT(filter.keep), .parse = add_fields},
	{0, "keep-key", "KEY", PK_TEXT, "write a file for --restore", AT(filter.keep_key)},
	{0, "restore", "KEY", PK_TEXT, "put names back", AT(restore)},
	{.kind = PK_ROWS, .rows = pk_symbol_rows, AT(filter.symbols)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	PK_ANSWER(0, "stop-bt", "use pk-fold --leaf"),
	PK_ANSWER('F', "fields", "use pk-script -F"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-filter [OPTION...] [FILE...]\n"
		 "\n"
		 "Writes recordings as streams. Keeps all samples, or those that match all\n"
		 "conditions. Without FILE, or if FILE is -, reads stdin.\n",
	.options = rows,
	.examples =
		"  pk-filter < perf.data > recording.pk\n"
		"  pk-filter --comm 'ngx*' --time +10,+20 host.pk.zst | pk-symbolize | pk-fold\n",
};

/* Returns 0, or the exit status after an error message. */
static int check_split(const struct filter_options *filter)
{
	const char *error = filter->output ? split_name_check(filter->output) : NULL;

	if (!filter->split_by)
		return PK_EXIT_OK;
	if (!*filter->split_by || !strcmp(filter->split_by, "stack"))
		return pk_usage_error(
			"--split-by=%s: must be a field with one value, such as pid, comm, "
			"event",
			filter->split_by);
	if (!filter->output)
		return pk_usage_error("--split-by needs a pattern for file names: -o 'out-%%v.pk'");
	if (error)
		return pk_usage_error("--output=%s: %s", filter->output, error);
	pk_sandbox_folder_of(filter->output);
	return PK_EXIT_OK;
}

#define KEY_VARIABLE "PK_ANONYMIZE_KEY"
#define KEY_MAX	     4096

/* Reads the key of --key-file. At most the first KEY_MAX bytes of the file are used. Returns
 * PK_FAILED on failure. */
static enum pk_status read_key(const char *path, struct filter_options *filter)
{
	FILE *file = fopen(path, "re");
	enum pk_status status = PK_FAILED;

	pk_protect_input(path);
	filter->key = malloc(KEY_MAX);
	if (file && filter->key)
		filter->key_size = fread(filter->key, 1, KEY_MAX, file);
	if (!file || !filter->key || ferror(file))
		pk_error("--key-file=%s: %s", path, strerror(errno));
	else if (filter->key_size < ALIASES_KEY_MIN)
		pk_error("--key-file=%s: fewer than %d bytes, which can be guessed: head -c 32 "
			 "/dev/urandom makes a key",
			 path, ALIASES_KEY_MIN);
	else
		status = PK_OK;
	if (file)
		fclose(file);
	return status;
}

/* Returns 0, or the exit status after an error message. */
static int check_keys(const struct opts *opts, const struct filter_options *filter)
{
	if (filter->anonymize && opts->restore)
		return pk_usage_error("--anonymize and --restore exclude each other");
	if (!filter->anonymize && (opts->key_file || filter->keep))
		return pk_usage_error("--key-file and --keep need --anonymize");
	if (!filter->anonymize && filter->keep_key)
		return pk_usage_error("--keep-key needs --anonymize");
	if (filter->keep_key && !strcmp(filter->keep_key, "-"))
		return pk_usage_error("--keep-key needs the name of a file, not -");
	return PK_EXIT_OK;
}

/* Handles --keep-key and --restore. The file is protected, so that it is not overwritten as an
 * output. Returns 0, or the exit status after an error message. */
static int find_names(struct opts *opts, struct filter_options *filter)
{
	int result;

	filter->names = &opts->names;
	filter->restore = opts->restore;
	if (opts->restore) {
		pk_protect_input(opts->restore);
		return alias_key_read(&opts->names, opts->restore);
	}
	result = alias_key_start(&opts->names, filter->keep_key);
	if (!result && opts->names.has_hash && opts->key_file)
		return pk_usage_error("--key-file is not possible: %s already contains a key",
				      filter->keep_key);
	/* If the reader of the output exits, this program must not end. It still has to save the
	 * names in the output so far. */
	signal(SIGPIPE, SIG_IGN);
	return result;
}

/* Returns 0, or the exit status after an error message. */
static int find_key(struct opts *opts, struct filter_options *filter)
{
	const char *given = getenv(KEY_VARIABLE);
	int result = check_keys(opts, filter);

	if (!result && (opts->restore || filter->keep_key))
		result = find_names(opts, filter);
	if (result || !filter->anonymize)
		return result;
	if (opts->key_file)
		return read_key(opts->key_file, filter) == PK_OK ? PK_EXIT_OK : PK_EXIT_FAILED;
	if (!given)
		return PK_EXIT_OK;
	if (strlen(given) < ALIASES_KEY_MIN)
		return pk_usage_error("%s: fewer than %d bytes, which can be guessed", KEY_VARIABLE,
				      ALIASES_KEY_MIN);
	filter->key = strdup(given);
	filter->key_size = strlen(given);
	if (!filter->key)
		pk_error("%s", pk_status_text(PK_NOMEM));
	return filter->key ? PK_EXIT_OK : PK_EXIT_FAILED;
}

int main(int argc, char **argv)
{
	struct opts opts = {.filter = {.argc = argc,
				       .argv = argv,
				       .symbols = {.no_lines = true, .tried = pk_report_tried}}};
	struct pk_run run = {0};
	int result;

	pk_cli_init("pk-filter");
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result < 0) {
		opts.filter.output = opts.common.output;
		result = check_split(&opts.filter);
		pk_common_apply(&opts.common, argc, argv, &run);
		pk_protect_inputs(run.files, run.files_count);
		if (!result)
			result = find_key(&opts, &opts.filter);
		if (!result)
			result = filter(&run, &opts.filter);
	}
	pk_conditions_free(&opts.filter.conditions);
	free(opts.filter.key);
	alias_key_free(&opts.names);
	return result;
}
