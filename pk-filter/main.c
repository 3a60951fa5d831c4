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

static void help(void)
{
	puts("Usage: pk-filter [OPTION...] [FILE...]\n"
	     "\n"
	     "Writes recordings as streams. Keeps all samples, or those that match all "
	     "conditions.\n"
	     "\n"
	     "  -p, --pid=LIST   -t, --tid=LIST   -C, --cpu=LIST         numbers: 1,3,5-9\n"
	     "      --comm=GLOB  -e, --event=GLOB     --cgroup=GLOB\n"
	     "      --dso=GLOB       --symbol=GLOB    of the innermost frame; --stack-has=GLOB: "
	     "any frame\n"
	     "      --user, --kernel      taken there;   --every=N, --head=N   one of N; the first "
	     "N\n"
	     "      --time=RANGE          FROM,TO in seconds; +FROM,+TO; A%-B%; N%/K\n"
	     "                            (repeat an option for \"or\"; !VALUE means \"not "
	     "VALUE\")\n"
	     "      --where=EXPR          such as 'bytes > 4k && prev_comm ~ \"ng*\"'\n"
	     "      --drop=FIELD,...  remove callchain, stack ...  --strip-extensions  pk's own\n"
	     "      --split-by=FIELD      write one file for each value: -o 'out-%v.pk'\n"
	     "      --anonymize           replace names;   --restore=KEY  put names back\n"
	     "                            --keep-key=KEY --key-file=FILE --keep=raw,stack,regs\n"
	     "      --symfs=DIR, --debug-dir=DIR ...  as in pk-symbolize, for data "
	     "types\n" PK_COMMON_HELP "\n"
	     "  pk-filter < perf.data > recording.pk\n"
	     "  pk-filter --comm 'ngx*' --time +10,+20 host.pk.zst | pk-symbolize | pk-fold");
}

enum {
	OPT_COMM = 256,
	OPT_CGROUP,
	OPT_DSO,
	OPT_SYMBOL,
	OPT_STACK_HAS,
	OPT_USER,
	OPT_KERNEL,
	OPT_TIME,
	OPT_WHERE,
	OPT_EVERY,
	OPT_HEAD,
	OPT_DROP,
	OPT_STRIP,
	OPT_SPLIT_BY,
	OPT_ANONYMIZE,
	OPT_KEY_FILE,
	OPT_KEEP,
	OPT_KEEP_KEY,
	OPT_RESTORE,
};

static const struct option long_options[] = {
	{"pid", required_argument, NULL, 'p'},
	{"tid", required_argument, NULL, 't'},
	{"cpu", required_argument, NULL, 'C'},
	{"event", required_argument, NULL, 'e'},
	{"comm", required_argument, NULL, OPT_COMM},
	{"cgroup", required_argument, NULL, OPT_CGROUP},
	{"dso", required_argument, NULL, OPT_DSO},
	{"symbol", required_argument, NULL, OPT_SYMBOL},
	{"stack-has", required_argument, NULL, OPT_STACK_HAS},
	{"user", no_argument, NULL, OPT_USER},
	{"kernel", no_argument, NULL, OPT_KERNEL},
	{"time", required_argument, NULL, OPT_TIME},
	{"where", required_argument, NULL, OPT_WHERE},
	{"every", required_argument, NULL, OPT_EVERY},
	{"head", required_argument, NULL, OPT_HEAD},
	{"drop", required_argument, NULL, OPT_DROP},
	{"strip-extensions", no_argument, NULL, OPT_STRIP},
	{"split-by", required_argument, NULL, OPT_SPLIT_BY},
	{"anonymize", no_argument, NULL, OPT_ANONYMIZE},
	{"key-file", required_argument, NULL, OPT_KEY_FILE},
	{"keep", required_argument, NULL, OPT_KEEP},
	{"keep-key", required_argument, NULL, OPT_KEEP_KEY},
	{"restore", required_argument, NULL, OPT_RESTORE},
	PK_SYMBOLS_LONG,
	PK_COMMON_LONG,
};

static const struct pk_perf_option perf_items[] = {
	{'c', "comms", "--comm"},
	{'d', "dsos", "--dso"},
	{'S', "symbols", "--symbol"},
	{0, "graph-function", "--stack-has"},
	{0, "stop-bt", "use pk-fold --leaf"},
	{0, "per-event-dump", "--split-by event"},
	{'D', "dump-raw-trace", "use pk-script --dump"},
	{'F', "fields", "use pk-script -F"},
};

static const struct pk_perf_options perf = {"perf script", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

static const struct pk_condition_option field_options[] = {
	{'p', CONDITION_PID, "pid", NULL},
	{'t', CONDITION_TID, "tid", NULL},
	{'C', CONDITION_CPU, "cpu", NULL},
	{'e', CONDITION_EVENT, "event", NULL},
	{OPT_COMM, CONDITION_COMM, "comm", NULL},
	{OPT_CGROUP, CONDITION_CGROUP, "cgroup", NULL},
	{OPT_DSO, CONDITION_DSO, "dso", NULL},
	{OPT_SYMBOL, CONDITION_SYMBOL, "symbol", NULL},
	{OPT_STACK_HAS, CONDITION_STACK, "stack-has", NULL},
	{OPT_USER, CONDITION_MODE, "user", "user"},
	{OPT_KERNEL, CONDITION_MODE, "kernel", "kernel"},
};

static int parse_fields(const char *option, const char *text, uint64_t *fields)
{
	const char *word;
	size_t size;

	while (pk_next_word(&text, &word, &size)) {
		const uint64_t bits = slim_field(word, size);

		if (!bits)
			return pk_usage_error("--%s=%.*s: one of %s", option, (int)size, word,
					      slim_names);
		*fields |= bits;
	}
	return PK_EXIT_OK;
}

static int parse_count(const char *name, uint64_t *count)
{
	if (pk_parse_u64(optarg, count) && *count)
		return PK_EXIT_OK;
	return pk_usage_error("--%s=%s: not a number of samples", name, optarg);
}

/* -1: continue. Else the exit status. */
static int parse_option(int c, struct opts *opts)
{
	struct conditions *conditions = &opts->filter.conditions;
	int result = pk_condition_option(
		field_options, sizeof(field_options) / sizeof(*field_options), c, conditions);

	result = result ? result : pk_symbol_option(&opts->filter.symbols, c);
	if (result)
		return result;
	switch (c) {
	case OPT_TIME: return pk_time_option(conditions);
	case OPT_WHERE: return pk_where_option(conditions);
	case OPT_EVERY: result = parse_count("every", &conditions->every); break;
	case OPT_HEAD: result = parse_count("head", &conditions->head); break;
	case OPT_DROP: result = parse_fields("drop", optarg, &opts->filter.drop); break;
	case OPT_STRIP: opts->filter.strip = true; return -1;
	case OPT_ANONYMIZE: opts->filter.anonymize = true; return -1;
	case OPT_KEY_FILE: opts->key_file = optarg; return -1;
	case OPT_KEEP: result = parse_fields("keep", optarg, &opts->filter.keep); break;
	case OPT_KEEP_KEY: opts->filter.keep_key = optarg; return -1;
	case OPT_RESTORE: opts->restore = optarg; return -1;
	case OPT_SPLIT_BY: opts->filter.split_by = optarg; return -1;
	default: return pk_common_option(&opts->common, c);
	}
	return result ? result : -1;
}

/* 0, or the exit status. */
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

/* Reads the whole file; only its first bytes are used. False after a message. */
static bool read_key(const char *path, struct filter_options *filter)
{
	FILE *file = fopen(path, "re");

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
		return !fclose(file);
	if (file)
		fclose(file);
	return false;
}

/* 0, or the exit status. */
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

/* Handles --keep-key and --restore. Protects the inputs. Returns 0, or the exit status. */
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
	/* If the reader of the output exits, the names that were written are still saved. */
	signal(SIGPIPE, SIG_IGN);
	return result;
}

/* 0, or the exit status. */
static int find_key(struct opts *opts, struct filter_options *filter)
{
	const char *given = getenv(KEY_VARIABLE);
	int result = check_keys(opts, filter);

	if (!result && (opts->restore || filter->keep_key))
		result = find_names(opts, filter);
	if (result || !filter->anonymize)
		return result;
	if (opts->key_file)
		return read_key(opts->key_file, filter) ? PK_EXIT_OK : PK_EXIT_FAILED;
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
	struct opts opts = {.common.help = help,
			    .filter = {.argc = argc,
				       .argv = argv,
				       .symbols = {.no_lines = true, .tried = pk_report_tried}}};
	struct pk_run run = {0};
	int option, result = -1;

	pk_cli_init("pk-filter");
	while (result < 0 && (option = pk_getopt(argc, argv, "p:t:C:e:" PK_COMMON_SHORT,
						 long_options, &perf)) != -1)
		result = parse_option(option, &opts);
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
