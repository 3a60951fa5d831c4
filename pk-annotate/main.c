// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate.h"
#include "lookups.h"
#include "options.h"
#include "symbol_options.h"
#include "terminal.h"
#include "vector.h"

struct opts {
	struct pk_common common;
	struct annotate_options annotate;
	char **inputs;
	int inputs_count;
	bool arrows_chosen; /* false: draw arrows on a terminal */
};

static void help(void)
{
	puts("Usage: pk-annotate [OPTION...] [FILE] [FUNCTION...]\n"
	     "       pk-annotate [OPTION...] --function=FUNCTION... [FILE...]\n"
	     "Prints instructions with their share of the samples: of all functions, hottest\n"
	     "first, or of FUNCTION (globs; OBJECT:FUNCTION). Reads output of pk-symbolize.\n"
	     "\n"
	     "  -i, --input=FILE      add an input file      -e, --event=GLOB  these events\n"
	     "      --group[=no]      one column for each event; default: events of a group\n"
	     "      --hottest=N, --min-percent=N (0.5), --context=N   print only hot code\n"
	     "  -s, --source          add source lines       --source-prefix=OLD=NEW  paths\n"
	     "      --by-line         only source lines      --types  add data types\n"
	     "      --blocks          how often instructions ran, from branch stacks\n"
	     "      --type-profile    only data types and members, by --cache-line=BYTES (64)\n"
	     "  -M, --syntax=att|intel         --arrows[=no]  show jumps (on a terminal)\n"
	     "      --weight=period|samples    --percent-of=function|all    --json\n"
	     "      --symfs=DIR, --vmlinux=FILE, --kallsyms=FILE, --debug-dir=DIR, "
	     "--buildid-dir=DIR,\n"
	     "      --debuginfod[=TIME], --no-cache, --no-demangle  as in "
	     "pk-symbolize\n" PK_COMMON_HELP "\n"
	     "  pk-record -- ./app | pk-symbolize | pk-annotate | less\n"
	     "  pk-annotate profile.pk 'libc.so*:mem*'");
}

enum {
	OPT_FUNCTION = 256,
	OPT_GROUP,
	OPT_HOTTEST,
	OPT_MIN_PERCENT,
	OPT_CONTEXT,
	OPT_WEIGHT,
	OPT_PERCENT_OF,
	OPT_ARROWS,
	OPT_JSON,
	OPT_SOURCE_PREFIX,
	OPT_BY_LINE,
	OPT_BLOCKS,
	OPT_TYPES,
	OPT_TYPE_PROFILE,
	OPT_CACHE_LINE,
};

static const char letters[] = "i:e:sM:" PK_COMMON_SHORT;

static const struct option long_options[] = {
	{"input", required_argument, NULL, 'i'},
	{"function", required_argument, NULL, OPT_FUNCTION},
	{"event", required_argument, NULL, 'e'},
	{"group", optional_argument, NULL, OPT_GROUP},
	{"hottest", required_argument, NULL, OPT_HOTTEST},
	{"min-percent", required_argument, NULL, OPT_MIN_PERCENT},
	{"context", required_argument, NULL, OPT_CONTEXT},
	{"syntax", required_argument, NULL, 'M'},
	{"weight", required_argument, NULL, OPT_WEIGHT},
	{"percent-of", required_argument, NULL, OPT_PERCENT_OF},
	{"arrows", optional_argument, NULL, OPT_ARROWS},
	{"json", no_argument, NULL, OPT_JSON},
	{"source", no_argument, NULL, 's'},
	{"source-prefix", required_argument, NULL, OPT_SOURCE_PREFIX},
	{"by-line", no_argument, NULL, OPT_BY_LINE},
	{"blocks", no_argument, NULL, OPT_BLOCKS},
	{"types", no_argument, NULL, OPT_TYPES},
	{"type-profile", no_argument, NULL, OPT_TYPE_PROFILE},
	{"cache-line", required_argument, NULL, OPT_CACHE_LINE},
	PK_SYMBOLS_LONG,
	PK_COMMON_LONG,
};

static const struct pk_perf_option perf_items[] = {
	{0, "symbol", "--function"},
	{'n', "show-nr-samples", "--weight samples"},
	{0, "show-total-period", "--weight period"},
	{'l', "print-line", "--source"},
	{'P', "full-paths", "full paths are always printed"},
	{0, "disassembler-style", "--syntax"},
	{'k', NULL, "--vmlinux"},
	{'d', "dsos", "name OBJECT:FUNCTION without an option"},
	{'C', "cpu", "use pk-filter --cpu"},
	{'D', "dump-raw-trace", "use pk-script --dump"},
	{0, "percent-limit", "--min-percent"},
	{0, "percent-type", "--percent-of"},
	{0, "prefix", "--source-prefix"},
	{0, "prefix-strip", "--source-prefix"},
	{0, "data-type", "--types"},
	{0, "code-with-type", "--types"},
	{0, "stdio", "the output is always text"},
	{0, "stdio2", "the output is always text"},
	{0, "tui", "the output is always text"},
	{0, "objdump", "pk-annotate disassembles without objdump"},
};

static const struct pk_perf_options perf = {"perf annotate", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

/* Parses one of two words. */
static bool parse_choice(const char *text, const char *no, const char *yes, bool *value)
{
	*value = !strcmp(text, yes);
	return *value || !strcmp(text, no);
}

static bool parse_count(const char *text, uint32_t *count)
{
	uint64_t value;

	if (!pk_parse_u64(text, &value) || value > INT32_MAX)
		return false;
	*count = (uint32_t)value;
	return true;
}

static bool add_text(const char ***list, int *count, const char *text)
{
	size_t capacity = (size_t)*count;

	if (!pk_reserve(list, &capacity, (size_t)*count, 1, sizeof(**list))) {
		pk_error("out of memory");
		return false;
	}
	(*list)[(*count)++] = text;
	return true;
}

static bool add_input(struct opts *opts, const char *path)
{
	return add_text((const char ***)&opts->inputs, &opts->inputs_count, path);
}

static bool add_function(struct opts *opts, const char *glob)
{
	return add_text(&opts->annotate.functions, &opts->annotate.functions_count, glob);
}

static bool parse_group(const char *text, enum annotate_group *group)
{
	bool none = false;
	bool good = !text || parse_choice(text, "all", "no", &none);

	*group = none ? GROUP_NONE : GROUP_ALL;
	return good;
}

/* Options that select functions and instructions. -1: continue. Else the exit status. */
static int parse_which(int c, struct annotate_options *annotate)
{
	switch (c) {
	case OPT_HOTTEST:
		if (!parse_count(optarg, &annotate->hottest) || !annotate->hottest)
			return pk_usage_error("--hottest=%s: not a number of functions", optarg);
		break;
	case OPT_MIN_PERCENT:
		if (!pk_parse_percent(optarg, &annotate->min_percent))
			return pk_usage_error("--min-percent=%s: not 0 to 100", optarg);
		break;
	case OPT_CACHE_LINE:
		if (!parse_count(optarg, &annotate->cache_line) || !annotate->cache_line)
			return pk_usage_error("--cache-line=%s: not a number of bytes", optarg);
		break;
	default:
		annotate->only_hot = true;
		if (!parse_count(optarg, &annotate->context))
			return pk_usage_error("--context=%s: not a number of instructions", optarg);
	}
	return -1;
}

/* Options for the output. */
static int parse_how(int c, struct opts *opts)
{
	struct annotate_options *annotate = &opts->annotate;
	bool arrows;

	switch (c) {
	case OPT_GROUP:
		if (!parse_group(optarg, &annotate->group))
			return pk_usage_error("--group=%s: must be all or no", optarg);
		break;
	case OPT_JSON: annotate->json = true; break;
	case 's': annotate->source = true; break;
	case OPT_BY_LINE: annotate->by_line = true; break;
	case OPT_BLOCKS: annotate->blocks = true; break;
	case OPT_TYPES: annotate->types = true; break;
	case OPT_TYPE_PROFILE: annotate->type_profile = true; break;
	case 'M':
		if (!parse_choice(optarg, "att", "intel", &annotate->intel))
			return pk_usage_error("--syntax=%s: must be att or intel", optarg);
		break;
	case OPT_WEIGHT:
		if (!parse_choice(optarg, "period", "samples", &annotate->by_samples))
			return pk_usage_error("--weight=%s: must be period or samples", optarg);
		break;
	case OPT_PERCENT_OF:
		if (!parse_choice(optarg, "function", "all", &annotate->of_all))
			return pk_usage_error("--percent-of=%s: must be function or all", optarg);
		break;
	default:
		if (!parse_choice(optarg ? optarg : "yes", "no", "yes", &arrows))
			return pk_usage_error("--arrows=%s: must be yes or no", optarg);
		annotate->arrows = arrows;
		opts->arrows_chosen = true;
	}
	return -1;
}

static int parse_option(int c, struct opts *opts)
{
	struct annotate_options *annotate = &opts->annotate;
	int result = pk_symbol_option(&opts->annotate.tail.symbols, c);

	if (result)
		return result;
	switch (c) {
	case 'i': return add_input(opts, optarg) ? -1 : PK_EXIT_FAILED;
	case OPT_FUNCTION: return add_function(opts, optarg) ? -1 : PK_EXIT_FAILED;
	case 'e':
		return add_text(&annotate->events, &annotate->events_count, optarg)
			       ? -1
			       : PK_EXIT_FAILED;
	case OPT_HOTTEST:
	case OPT_MIN_PERCENT:
	case OPT_CACHE_LINE:
	case OPT_CONTEXT: return parse_which(c, annotate);
	case OPT_SOURCE_PREFIX:
		if (!strchr(optarg, '='))
			return pk_usage_error("--source-prefix=%s: not OLD=NEW", optarg);
		return add_text(&annotate->prefixes, &annotate->prefixes_count, optarg)
			       ? -1
			       : PK_EXIT_FAILED;
	case OPT_GROUP:
	case 'M':
	case 's':
	case OPT_BY_LINE:
	case OPT_BLOCKS:
	case OPT_TYPES:
	case OPT_TYPE_PROFILE:
	case OPT_JSON:
	case OPT_WEIGHT:
	case OPT_PERCENT_OF:
	case OPT_ARROWS: return parse_how(c, opts);
	default: return pk_common_option(&opts->common, c);
	}
}

static bool is_program(const char *path)
{
	char magic[SELFMAG];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	bool elf =
		fd >= 0 && read(fd, magic, SELFMAG) == SELFMAG && !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	return elf;
}

/* Whether an operand is a recording: "-", or an existing file that is neither an ELF file nor a
 * folder, or a folder with a file data (perf record --threads). Other operands are names of
 * functions. */
static bool is_input(const char *operand)
{
	char data[PATH_MAX];
	struct stat st;

	if (!strcmp(operand, "-"))
		return true;
	if (stat(operand, &st))
		return false;
	if (S_ISDIR(st.st_mode))
		return snprintf(data, sizeof(data), "%s/data", operand) < (int)sizeof(data) &&
		       access(data, F_OK) == 0;
	return !S_ISREG(st.st_mode) || !is_program(operand);
}

/* With --function, all operands are inputs. With --input, all are functions. Otherwise, the first
 * operand is an input if such a file exists. */
static int sort_operands(char **operands, int count, struct opts *opts)
{
	const bool named = opts->annotate.functions_count, read = opts->inputs_count;

	for (int i = 0; i < count; i++) {
		bool input = named || (!read && i == 0 && is_input(operands[i]));

		if (input ? !add_input(opts, operands[i]) : !add_function(opts, operands[i]))
			return PK_EXIT_FAILED;
	}
	return -1;
}

/* -1: continue. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	const struct annotate_options *annotate = &opts->annotate;
	int c, result;

	while ((c = pk_getopt(argc, argv, letters, long_options, &perf)) != -1) {
		result = parse_option(c, opts);
		if (result >= 0)
			return result;
	}
	if (annotate->by_line + annotate->type_profile + annotate->types > 1)
		return pk_usage_error("--by-line, --types and --type-profile exclude each other");
	if (annotate->blocks && (annotate->by_line || annotate->type_profile))
		return pk_usage_error("--blocks prints instructions, --by-line and --type-profile "
				      "do not");
	return sort_operands(argv + optind, argc - optind, opts);
}

/* Chooses arrows and colours for a terminal. Call it after stdout was redirected to the output. */
static void look_at_output(struct opts *opts)
{
	if (!opts->arrows_chosen)
		opts->annotate.arrows = isatty(STDOUT_FILENO);
	opts->annotate.ascii = !pk_locale_is_utf8();
	opts->annotate.colour = pk_uses_colour(PK_COLOUR_AUTO);
}

static int start(int argc, char **argv, struct opts *opts)
{
	struct pk_run run = {0};
	int result;

	pk_protect_inputs(opts->inputs, opts->inputs_count);
	result = pk_output_text(opts->common.output);
	if (result)
		return result;
	look_at_output(opts);
	pk_common_apply(&opts->common, argc, argv, &run);
	run.files = opts->inputs;
	run.files_count = opts->inputs_count;
	opts->annotate.tail.symbols.no_lines = !opts->annotate.source && !opts->annotate.by_line;
	return pk_finish(annotate(&run, &opts->annotate));
}

int main(int argc, char **argv)
{
	struct opts opts = {
		.common.help = help,
		.annotate = {.tail.symbols.tried = pk_report_tried,
			     .min_percent = 0.5,
			     .cache_line = 64},
	};
	int result;

	pk_cli_init("pk-annotate");
	result = parse(argc, argv, &opts);
	if (result < 0)
		result = start(argc, argv, &opts);
	free(opts.inputs);
	free(opts.annotate.functions);
	free(opts.annotate.events);
	free(opts.annotate.prefixes);
	return pk_exit_status(result);
}
