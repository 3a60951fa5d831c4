// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "annotate.h"
#include "lookups.h"
#include "options.h"
#include "recordings.h"
#include "symbol_options.h"
#include "terminal.h"
#include "vector.h"

struct opts {
	struct pk_common common;
	struct annotate_options annotate;
	struct pk_text_list inputs;
	bool arrows_chosen; /* an option has set whether arrows are drawn; without it, they are
			     * drawn only on a terminal */
};

static int add_prefix(const struct pk_option *option, void *at, const char *text)
{
	return strchr(text, '=') ? pk_text_list_add(at, text) : pk_option_wrong(option, text);
}

static int set_context(const struct pk_option *option, void *at, const char *text)
{
	struct annotate_options *annotate = at;
	uint64_t value;

	if (!pk_parse_u64(text, &value) || value > INT32_MAX)
		return pk_option_wrong(option, text);
	annotate->context = (uint32_t)value;
	annotate->only_hot = true;
	return PK_CONTINUE;
}

static int set_group(const struct pk_option *option, void *at, const char *text)
{
	enum annotate_group *group = at;

	*group = !strcmp(text, "no") ? GROUP_NONE : GROUP_ALL;
	return *group == GROUP_NONE || !strcmp(text, "all") ? PK_CONTINUE
							    : pk_option_wrong(option, text);
}

static int set_arrows(const struct pk_option *option, void *at, const char *text)
{
	struct opts *opts = at;

	opts->arrows_chosen = true;
	opts->annotate.arrows = !strcmp(text, "yes");
	return opts->annotate.arrows || !strcmp(text, "no") ? PK_CONTINUE
							    : pk_option_wrong(option, text);
}

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("What is printed"),
	{'i', "input", "FILE", PK_TEXTS, "add an input file", AT(inputs)},
	{0, "function", "FUNCTION", PK_TEXTS,
	 "these functions: globs, FUNCTION or OBJECT:FUNCTION; all operands are files",
	 AT(annotate.functions)},
	{'e', "event", "GLOB", PK_TEXTS, "these events", AT(annotate.events)},
	{0, "group", "[all|no]", PK_CALL,
	 "one column for each event; default: for the events of a group", AT(annotate.group),
	 .parse = set_group, .without = "all", .wants = "all or no"},
	{0, "hottest", "N", PK_NUMBER, "print only N functions", AT(annotate.hottest), .least = 1,
	 .most = INT32_MAX, .wants = "a number of functions"},
	{0, "min-percent", "PCT", PK_PERCENT, "leave out functions with a smaller share (0.5)",
	 AT(annotate.min_percent)},
	{0, "context", "N", PK_CALL, "only instructions at most N away from a hot one",
	 AT(annotate), .parse = set_context, .wants = "a number of instructions"},
	{'s', "source", NULL, PK_FLAG, "add source lines", AT(annotate.source)},
	{0, "source-prefix", "OLD=NEW", PK_CALL, "replace the start of paths of source files",
	 AT(annotate.prefixes), .parse = add_prefix, .wants = "OLD=NEW"},
	{0, "by-line", NULL, PK_FLAG, "only source lines", AT(annotate.by_line)},
	{0, "types", NULL, PK_FLAG, "add data types", AT(annotate.types)},
	{0, "blocks", NULL, PK_FLAG, "how often instructions ran, from branch stacks",
	 AT(annotate.blocks)},
	{0, "type-profile", NULL, PK_FLAG, "only data types and members",
	 AT(annotate.type_profile)},
	{0, "cache-line", "BYTES", PK_NUMBER, "the size of cache lines of --type-profile (64)",
	 AT(annotate.cache_line), .least = 1, .most = INT32_MAX, .wants = "a number of bytes"},
	PK_TITLE("Format"),
	{'M', "syntax", "att|intel", PK_WORD, "the syntax of instructions (att)",
	 AT(annotate.intel)},
	{0, "arrows", "[yes|no]", PK_CALL, "show jumps (on a terminal)", .parse = set_arrows,
	 .without = "yes", .wants = "yes or no"},
	{0, "weight", "period|samples", PK_WORD, "what percentages are of (period)",
	 AT(annotate.by_samples)},
	{0, "percent-of", "function|all", PK_WORD,
	 "percentages of the function's samples, or of all (function)", AT(annotate.of_all)},
	{0, "json", NULL, PK_FLAG, "JSON", AT(annotate.json)},
	{.kind = PK_ROWS, .rows = pk_symbol_rows, AT(annotate.tail.symbols)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	{.name = "stdio", .kind = PK_IGNORED, .help = "accepted as in perf: the output is text"},
	{.name = "stdio2", .kind = PK_IGNORED, .help = "the same"},
	{.name = "objdump",
	 .value = "PATH",
	 .kind = PK_IGNORED,
	 .help = "accepted as in perf: no objdump is needed"},
	PK_ANSWER(0, "symbol", "--function"),
	PK_ANSWER('n', "show-nr-samples", "--weight samples"),
	PK_ANSWER(0, "show-total-period", "--weight period"),
	PK_ANSWER('l', "print-line", "--source"),
	PK_ANSWER('P', "full-paths", "full paths are always printed"),
	PK_ANSWER(0, "disassembler-style", "--syntax"),
	PK_ANSWER('d', "dsos", "name OBJECT:FUNCTION without an option"),
	PK_ANSWER(0, "percent-limit", "--min-percent"),
	PK_ANSWER(0, "percent-type", "--percent-of"),
	PK_ANSWER(0, "prefix", "--source-prefix"),
	PK_ANSWER(0, "prefix-strip", "--source-prefix"),
	PK_ANSWER(0, "data-type", "--types"),
	PK_ANSWER(0, "code-with-type", "--types"),
	PK_ANSWER(0, "asm-raw", "bytes of instructions are not printed"),
	PK_ANSWER(0, "insn-stat", "--type-profile"),
	PK_ANSWER(0, "type-stat", "--type-profile"),
	PK_ANSWER(0, "skip-empty", "events without samples are left out"),
	PK_ANSWER(0, "skip-missing", "a function without code is reported"),
	PK_ANSWER(0, "stdio-color", "the output has no colors"),
	PK_ANSWER(0, "tui", "the output is always text"),
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static const struct pk_command command = {
	.usage = "Usage: pk-annotate [OPTION...] [FILE...] [FUNCTION...]\n"
		 "       pk-annotate [OPTION...] --function=FUNCTION... [FILE...]\n"
		 "\n"
		 "Prints instructions with their share of the samples: of all functions, hottest\n"
		 "first, or of FUNCTION (globs; OBJECT:FUNCTION). Reads output of pk-symbolize.\n",
	.options = rows,
	.examples = "  pk-record -- ./app | pk-symbolize | pk-annotate | less\n"
		    "  pk-annotate profile.pk 'libc.so*:mem*'\n",
};

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

/* Returns true if an operand is a recording or an empty file, and false if it is the name of a
 * function. The first operand can also be a pipe or a damaged file. */
static bool is_input(const char *operand, bool first)
{
	struct stat st;

	if (!strcmp(operand, "-"))
		return true;
	if (stat(operand, &st))
		return false;
	return pk_is_recording(operand) || (S_ISREG(st.st_mode) && !st.st_size) ||
	       (first && !S_ISDIR(st.st_mode) && !(S_ISREG(st.st_mode) && is_program(operand)));
}

/* Sorts the operands into inputs and functions. With --function, all operands are inputs. With
 * --input, all operands are functions. */
static int sort_operands(char **operands, int count, struct opts *opts)
{
	const bool named = opts->annotate.functions.count, read = opts->inputs.count;
	int result = PK_CONTINUE;

	for (int i = 0; i < count && result < 0; i++) {
		const bool input = named || (!read && is_input(operands[i], i == 0));

		result = pk_text_list_add(input ? &opts->inputs : &opts->annotate.functions,
					  operands[i]);
	}
	return result;
}

static int check(const struct annotate_options *annotate)
{
	if (annotate->by_line + annotate->type_profile + annotate->types > 1)
		return pk_usage_error("--by-line, --types and --type-profile exclude each other");
	if (annotate->blocks && (annotate->by_line || annotate->type_profile))
		return pk_usage_error("--blocks prints instructions, --by-line and --type-profile "
				      "do not");
	return PK_CONTINUE;
}

/* If stdout is a terminal, turns on arrows and colours. Call this after stdout was redirected to
 * the output file. */
static void look_at_output(struct opts *opts)
{
	if (!opts->arrows_chosen)
		opts->annotate.arrows = isatty(STDOUT_FILENO);
	opts->annotate.ascii = !pk_locale_is_utf8();
	opts->annotate.colour = pk_uses_colour(PK_COLOUR_AUTO);
}

static int start(int argc, char **argv, struct opts *opts)
{
	char **const inputs = (char **)opts->inputs.items;
	struct pk_run run = {0};
	int result;

	pk_protect_inputs(inputs, (int)opts->inputs.count);
	result = pk_output_text(opts->common.output);
	if (result)
		return result;
	look_at_output(opts);
	pk_common_apply(&opts->common, argc, argv, &run);
	run.files = inputs;
	run.files_count = (int)opts->inputs.count;
	opts->annotate.tail.symbols.no_lines = !opts->annotate.source && !opts->annotate.by_line;
	return pk_finish(annotate(&run, &opts->annotate));
}

int main(int argc, char **argv)
{
	struct opts opts = {
		.annotate = {.tail.symbols.tried = pk_report_tried,
			     .min_percent = 0.5,
			     .cache_line = 64},
	};
	int result;

	pk_cli_init("pk-annotate");
	result = pk_parse_options(&command, &opts, &argc, &argv);
	if (result < 0)
		result = check(&opts.annotate);
	if (result < 0)
		result = sort_operands(argv + optind, argc - optind, &opts);
	if (result < 0)
		result = start(argc, argv, &opts);
	free(opts.inputs.items);
	free(opts.annotate.functions.items);
	free(opts.annotate.events.items);
	free(opts.annotate.prefixes.items);
	return pk_exit_status(result);
}
