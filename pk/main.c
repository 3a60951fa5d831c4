// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "data_lines.h"
#include "lookups.h"
#include "nearest.h"
#include "option_table.h"
#include "options.h"
#include "pipeline.h"
#include "recordings.h"
#include "topics.h"

struct opts {
	char *program;	    /* argv[0] */
	const char *output; /* NULL if it is not given */
	bool only_print;
};

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("Anywhere before --, or before the command to record"),
	{'n', "dry-run", NULL, PK_FLAG, "print the pipeline on stdout, do not run it",
	 AT(only_print)},
	{'o', "output", "FILE", PK_TEXT, "of the last program, with mode 0600; -: stdout",
	 AT(output)},
	{.kind = PK_ROWS, .rows = pk_message_rows},
	PK_OPTIONS_END,
};

static const struct pk_command own_options = {
	.usage =
		"Usage: pk [OPTION...] COMMAND [OPTION...] [ARGUMENT...]\n"
		"       pk help [TOPIC|COMMAND]\n"
		"\n"
		"Runs a pipeline of the programs of pk, and prints it. Without COMMAND, lists the\n"
		"commands by question. ARGUMENT is an argument of the first program, mostly\n"
		"pk-record: what to record. Without ARGUMENT, most commands record all processors\n"
		"until Ctrl-C. -v prints the exit status of each program, -q not the pipeline.\n",
	.options = rows,
	.examples = "  pk flame -- ./app\n"
		    "  pk -n syscalls -p 1234 --for 10s\n",
	.stops = true,
};

/* The words after a command of pk, sorted by kind. The options of pk come first, then recordings,
 * then all other words. */
struct words {
	int own;     /* number of words that are options of pk or their values */
	int files;   /* number of recordings */
	int command; /* Index, among the other words, of the first word of the command to record. If
			there is no such command, the number of other words. */
	bool is_marked; /* "--" stands before the command to record */
	bool reads;	/* the pipeline reads recordings and does not record */
};

/* Returns the value of -o, and sets *words to the number of words of the option. Returns NULL if
 * the word is not this option. */
static const char *output_of(int argc, char *const *argv, int *words)
{
	*words = 1;
	if (!strncmp(argv[0], "--output=", 9))
		return argv[0] + 9;
	if (!strncmp(argv[0], "-o", 2) && argv[0][2])
		return argv[0] + 2;
	if (strcmp(argv[0], "-o") != 0 && strcmp(argv[0], "--output") != 0)
		return NULL;
	*words += argc > 1;
	return argc > 1 ? argv[1] : "";
}

/* Returns the number of words of an option of pk, including its value. Returns 0 if the word is not
 * an option of pk. */
static int own_option(int argc, char *const *argv)
{
	static const char *const alone[] = {"-n",      "--dry-run", "-v",     "--verbose", "-q",
					    "--quiet", "-h",	    "--help", "--version"};
	int words;

	for (size_t k = 0; k < sizeof(alone) / sizeof(alone[0]); k++)
		if (!strcmp(argv[0], alone[k]))
			return 1;
	return output_of(argc, argv, &words) ? words : 0;
}

static int find_word(int argc, char *const *argv, const char *word)
{
	int i = 0;

	while (i < argc && strcmp(argv[i], word) != 0)
		i++;
	return i;
}

/* Returns true if a word is a program. It is called for the word after an unknown option. If it is
 * a program, it is not the value of the option. */
static bool is_program(const char *word)
{
	return strchr(word, '/') && !access(word, X_OK);
}

static bool is_file(const char *word)
{
	return !strcmp(word, "-") || pk_is_recording(word);
}

/* Returns the number of words of an option of a program, including its value. */
static int option_words(const struct option_table *options, int argc, char *const *argv)
{
	if (argc == 1 || *argv[0] != '-' || !argv[0][1])
		return 1;
	switch (option_table_kind(options, argv[0])) {
	case OPTION_ALONE: return 1;
	case OPTION_BEFORE_VALUE: return 2;
	default:
		return strchr(argv[0], '=') || *argv[1] == '-' || is_program(argv[1]) ||
				       pk_is_recording(argv[1])
			       ? 1
			       : 2;
	}
}

/* Returns true if an option of pk can still follow. Such options can be anywhere before "--".
 * Without "--", they can be anywhere before the command to record. */
static bool is_before_command(const struct words *words, const char *word)
{
	return words->is_marked || words->reads || (*word == '-' && word[1]);
}

/* Sorts the words by kind. `room` has room for twice as many words. */
static void sort_words(struct words *words, const struct option_table *options, int argc,
		       char **argv, char **room)
{
	const int end = find_word(argc, argv, "--");
	char **const files = room, **const others = room + argc;
	int count = 0, i = 0;

	*words = (struct words){.reads = words->reads, .is_marked = end < argc};
	while (i < end && is_before_command(words, argv[i])) {
		const bool file = words->reads && is_file(argv[i]);
		const int own = own_option(end - i, argv + i);
		int step = own ? own : 1;

		if (!own && !words->is_marked)
			step = option_words(options, end - i, argv + i);
		for (; step; step--)
			*(own	 ? &argv[words->own++]
			  : file ? &files[words->files++]
				 : &others[count++]) = argv[i++];
	}
	words->command = count + words->is_marked;
	for (; i < argc; i++)
		others[count++] = argv[i];
	memcpy(argv + words->own, files, (size_t)words->files * sizeof(*files));
	memcpy(argv + words->own + words->files, others, (size_t)count * sizeof(*others));
}

/* Sorts the words. `program` is the program of the pipeline whose options tell which words are
 * values. Returns 0, or prints a message and returns the exit status. */
static int sort_by(struct words *words, const struct stage *program, int argc, char **argv)
{
	char **room = calloc((size_t)argc + 1, 2 * sizeof(*room));
	struct option_table options = {0};
	int result = room ? 0 : pk_no_memory();

	/* If "--" marks the command to record, it is not necessary to know which words are values
	 * of options. */
	if (!result && argc > 1 && find_word(argc, argv, "--") == argc)
		result = option_table_read(&options, program->words[0]);
	if (!result)
		sort_words(words, &options, argc, argv, room);
	free(options.text.data);
	free(room);
	return result;
}

/* Sorts the words of a command. If there is a recording where the command to record is expected,
 * the pipeline reads this recording, and its first program is left out. */
static int split_words(struct words *words, const struct data_line *command, int argc, char **argv)
{
	struct pipeline pipeline = {0};
	int result = pipeline_make(&pipeline, command, &(struct pipeline_words){0});
	const struct stage *first = pipeline.stages, *last = first + pipeline.count - 1;

	if (!result)
		result = sort_by(words, first, argc, argv);
	if (!result && !words->is_marked && words->own + words->command < argc && first < last &&
	    !strcmp(first->words[0], "pk-record")) {
		words->reads = is_file(argv[words->own + words->command]);
		if (words->reads)
			result = sort_by(words, last, argc, argv);
	}
	pipeline_free(&pipeline);
	return result;
}

/* ---- Outputs are never inputs ---- */

static void protect_file(const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode))
		pk_protect_input(path);
}

/* Protects all files that are named in arguments. The programs of the pipeline, or the command to
 * record, can read them. The last program of the pipeline, which writes the output, does not know
 * these arguments. */
static void protect_inputs(char **arguments, int count, int command)
{
	char *program = command < count ? pk_find_program(arguments[command]) : NULL;

	pk_protect_input("-");
	for (int i = 0; i < count; i++) {
		const char *value = strchr(arguments[i], '=');

		protect_file(arguments[i]);
		if (*arguments[i] == '-' && value)
			protect_file(value + 1);
	}
	if (program)
		protect_file(program);
	free(program);
}

/* Returns the suffix of a file's name, including its dot. Returns "" if there is no suffix. */
static const char *suffix_of(const char *path)
{
	const char *name = strrchr(path, '/'), *dot = strrchr(name ? name : path, '.');

	return dot ? dot : "";
}

/* Warns if the command to record has an option -o whose file has the same suffix as the output of
 * the pipeline. Such an option is probably meant for pk. */
static void explain_output(const char *output, int argc, char *const *argv)
{
	for (int i = 1, words; i < argc; i++) {
		const char *value = output_of(argc - i, argv + i, &words);

		if (!value || !*suffix_of(value) ||
		    strcmp(suffix_of(value), suffix_of(output)) != 0)
			continue;
		pk_warn("-o %s is an argument of %s, because it comes after it; pk writes %s: give "
			"-o "
			"before %s to change that",
			value, argv[0], output, argv[0]);
		return;
	}
}

/* ---- Commands ---- */

static int print(const struct pipeline *pipeline, const struct opts *opts)
{
	struct buffer text = {0};
	int result = PK_EXIT_OK;

	pipeline_text(pipeline, &text);
	buffer_char(&text, '\0');
	if (text.failed)
		result = pk_no_memory();
	else if (opts->only_print)
		puts(text.data);
	else
		pk_warn("%s", text.data);
	free(text.data);
	return result;
}

static int run(struct pipeline *pipeline)
{
	const struct stage *last = &pipeline->stages[pipeline->count - 1];
	int result = pipeline->output ? pk_refuse_input(pipeline->output)
				      : pk_refuse_input_fd(STDOUT_FILENO, "stdout");

	if (result)
		return result;
	result = pipeline_run(pipeline);
	if (pipeline->output && last->path && !last->status && result != PK_EXIT_FAILED)
		pk_warn("the output is in %s", pipeline->output);
	return result;
}

static int run_command(const struct data_line *command, const struct opts *opts,
		       const struct words *words, int argc, char **argv)
{
	const struct pipeline_words values = {.files = argv,
					      .files_count = (size_t)words->files,
					      .arguments = argv + words->files,
					      .count = (size_t)(argc - words->files),
					      .output = opts->output};
	struct pipeline pipeline = {0};
	int result = pipeline_make(&pipeline, command, &values);

	if (!result)
		result = print(&pipeline, opts);
	if (!result && pipeline.output && !opts->output && !words->is_marked && !words->reads)
		explain_output(pipeline.output, argc - words->command, argv + words->command);
	if (!result && !opts->only_print) {
		protect_inputs(argv, argc, words->command);
		result = run(&pipeline);
	}
	pipeline_free(&pipeline);
	return result;
}

/* If `name` is a command of perf, tells which command of pk does the same. */
static int explain_perf(const char *name)
{
	struct data_lines lines = {0};
	int result = pk_data_lines_read(&lines, "perf");
	const struct data_line *line = result ? NULL : pk_data_lines_find(&lines, "perf", name);

	if (line)
		result = pk_usage_error("%s: no such command; what perf %s does: %s (%s)", name,
					name, line->text, line->about);
	pk_data_lines_free(&lines);
	return result;
}

static int unknown(const struct data_lines *lines, const char *name)
{
	struct pk_nearest nearest = {.wanted = name};
	char program[64], *path = NULL;
	const int result = explain_perf(name);

	if (result)
		return result;
	snprintf(program, sizeof(program), "pk-%.50s", name);
	path = strchr(name, '/') ? NULL : pk_find_program(program);
	free(path);
	if (path)
		return pk_usage_error("%s: no such command; the program is %s", name, program);
	for (size_t i = 0; i < lines->count; i++)
		pk_nearest_try(&nearest, lines->items[i].name);
	return pk_usage_error("%s: no such command%s; pk without arguments lists all", name,
			      pk_nearest_hint(&nearest));
}

static int show_help(const struct data_lines *lines, int argc, char **argv)
{
	int result;

	if (argc > 1)
		return pk_usage_error("help: one topic or command at a time");
	if (!argc) {
		topics_print(lines);
		return PK_EXIT_OK;
	}
	result = topic_print(lines, argv[0]);
	return result < 0 ? unknown(lines, argv[0]) : result;
}

/* A command of pk, with its words. */
struct call {
	const struct data_line *command;
	struct words words;
	int argc;
	char **argv; /* the words after the options of pk */
};

static bool wants_help(const struct call *call)
{
	for (int i = 1; i <= call->words.own; i++)
		if (!strcmp(call->argv[i], "-h") || !strcmp(call->argv[i], "--help"))
			return true;
	return false;
}

/* Finds the command, and parses the options of pk that follow it. Returns PK_CONTINUE, or the exit
 * status. */
static int parse_call(struct call *call, const struct data_lines *lines, struct opts *opts)
{
	int own, result;

	if (!lines->count) {
		pk_error("no commands: share/pk/commands was not found beside this program");
		return PK_EXIT_FAILED;
	}
	if (!call->argc || !strcmp(call->argv[0], "help"))
		return pk_finish(show_help(lines, call->argc ? call->argc - 1 : 0, call->argv + 1));
	call->command = command_find(lines, call->argv[0]);
	if (!call->command)
		return unknown(lines, call->argv[0]);
	result = split_words(&call->words, call->command, call->argc - 1, call->argv + 1);
	if (result)
		return result;
	if (wants_help(call))
		return pk_finish(topic_print(lines, call->command->name));
	call->argv[0] = opts->program;
	own = call->words.own + 1;
	call->argc -= own;
	result = pk_parse_options(&own_options, opts, &own, &call->argv);
	call->argv += call->words.own + 1;
	return result;
}

int main(int argc, char **argv)
{
	struct data_lines lines = {0};
	struct opts opts = {.program = argv[0]};
	struct call call = {0};
	int result;

	pk_cli_init("pk");
	result = pk_parse_options(&own_options, &opts, &argc, &argv);
	if (result < 0) {
		result = pk_data_lines_read(&lines, "commands");
		call.argc = argc - optind;
		call.argv = argv + optind;
		if (!result)
			result = parse_call(&call, &lines, &opts);
		if (result < 0)
			result = pk_finish(run_command(call.command, &opts, &call.words, call.argc,
						       call.argv));
	}
	pk_data_lines_free(&lines);
	return pk_exit_status(result);
}
