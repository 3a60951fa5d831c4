// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "data_lines.h"
#include "fleet.h"
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

/* The words after a command of pk, sorted by kind. First come options of pk, then recordings, then
 * the words for the first program. The latter are options and the command to record. Words for
 * other programs are in `others`. */
struct words {
	int own;     /* number of words that are options of pk or their values */
	int files;   /* number of recordings */
	int command; /* The index of the command to record, within the words for the first program.
		      * If there is no command, the number of these words. */
	int first; /* Number of words for the first program. If `reads` is set, number of words for
		    * the last program. */
	int leading; /* number of these words before the first one that is not an option or a value
		      */
	bool is_marked;			/* "--" is before the command */
	bool reads;			/* the pipeline reads recordings and does not record */
	struct pipeline_option *others; /* words for programs after the first one */
	size_t others_count;
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

/* Returns true if a word is a program. This function is called for the word after an unknown
 * option. If the word is a program, it is not the value of the option. */
static bool is_program(const char *word)
{
	return strchr(word, '/') && !access(word, X_OK);
}

static bool is_file(const char *word)
{
	return !strcmp(word, "-") || pk_is_recording(word);
}

/* ---- Which program an option is for ---- */

/* The options of the programs of a pipeline. Each table is read when it is first needed. */
struct options {
	const struct pipeline *pipeline;
	struct option_table *tables;
	bool *known; /* for each program, true if its table was read */
	int result;  /* 0, or the exit status after a message was printed */
};

static enum option_kind kind_for(struct options *options, size_t program, const char *word)
{
	if (!options->known[program] && !options->result)
		options->result = option_table_read(&options->tables[program],
						    options->pipeline->stages[program].words);
	options->known[program] = true;
	return options->result ? OPTION_UNKNOWN
			       : option_table_kind(&options->tables[program], word);
}

/* Returns the number of words of an option, including its value. For a word that is not an option,
 * returns 1. */
static int words_of_kind(enum option_kind kind, int argc, char *const *argv)
{
	switch (kind) {
	case OPTION_ALONE: return 1;
	case OPTION_BEFORE_VALUE: return argc > 1 ? 2 : 1;
	default:
		return argc == 1 || strchr(argv[0], '=') || *argv[1] == '-' ||
				       is_program(argv[1]) || pk_is_recording(argv[1])
			       ? 1
			       : 2;
	}
}

static bool is_symbolizer(const struct options *options, size_t program)
{
	return !strcmp(options->pipeline->stages[program].words[0], "pk-symbolize");
}

/* Gives an option to the last program of the pipeline that knows it. Does not try the first
 * program. If pk-symbolize knows the option, all programs that know it get it, because all of them
 * must find the same files. Returns the number of words of the option. Returns 0 if no program
 * knows the option. */
static int give_to_others(struct words *words, struct options *options, int argc, char **argv)
{
	bool shared = false, given = false;
	int step = 0;

	for (size_t i = 1; i < options->pipeline->count; i++)
		shared |= is_symbolizer(options, i) &&
			  kind_for(options, i, argv[0]) != OPTION_UNKNOWN;
	for (size_t i = options->pipeline->count - 1; i > 0 && (shared || !given); i--) {
		const enum option_kind kind = kind_for(options, i, argv[0]);

		if (kind == OPTION_UNKNOWN)
			continue;
		given = true;
		step = words_of_kind(kind, argc, argv);
		for (int k = 0; k < step; k++)
			words->others[words->others_count++] = (struct pipeline_option){i, argv[k]};
	}
	return step;
}

/* ---- Sorting the words ---- */

/* Returns true if an option of pk can still follow. Such options can be anywhere before "--".
 * Without "--", they can be anywhere before the command to record. */
static bool is_before_command(const struct words *words, const char *word)
{
	return words->is_marked || words->reads || (*word == '-' && word[1]);
}

/* Sorts the words by kind. `room` has room for twice as many words. */
static void sort_words(struct words *words, struct options *options, int argc, char **argv,
		       char **room)
{
	const int end = find_word(argc, argv, "--");
	const size_t main_program = words->reads ? options->pipeline->count - 1 : 0;
	char **const files = room, **const first = room + argc;
	int i = 0;

	words->is_marked = end < argc;
	words->own = words->files = words->first = 0;
	words->leading = -1;
	words->others_count = 0;
	while (i < end && is_before_command(words, argv[i])) {
		const bool is_option = *argv[i] == '-' && argv[i][1];
		const bool file = words->reads && is_file(argv[i]);
		const int own = own_option(end - i, argv + i);
		enum option_kind kind = OPTION_UNKNOWN;
		int step = own ? own : 1, given = 0;

		if (!own && is_option) {
			kind = kind_for(options, main_program, argv[i]);
			if (words->reads ? !options->pipeline->arguments_at
					 : kind == OPTION_UNKNOWN)
				given = give_to_others(words, options, end - i, argv + i);
			step = given ? given : words_of_kind(kind, end - i, argv + i);
		}
		if (!own && !is_option && words->leading < 0)
			words->leading = words->first;
		for (; step; step--, i++)
			if (!given)
				*(own	 ? &argv[words->own++]
				  : file ? &files[words->files++]
					 : &first[words->first++]) = argv[i];
	}
	words->command = words->first + words->is_marked;
	if (words->leading < 0)
		words->leading = words->first;
	for (; i < argc; i++)
		first[words->first++] = argv[i];
	memcpy(argv + words->own, files, (size_t)words->files * sizeof(*files));
	memcpy(argv + words->own + words->files, first, (size_t)words->first * sizeof(*first));
}

/* Sorts the words. The options of the programs of the pipeline tell which words are values. Returns
 * 0, or prints a message and returns the exit status. */
static int sort_by(struct words *words, const struct pipeline *pipeline, int argc, char **argv)
{
	char **room = calloc((size_t)argc + 1, 2 * sizeof(*room));
	struct options options = {
		.pipeline = pipeline,
		.tables = calloc(pipeline->count, sizeof(*options.tables)),
		.known = calloc(pipeline->count, sizeof(*options.known)),
	};

	if (!words->others)
		words->others = calloc((size_t)argc * pipeline->count + 1, sizeof(*words->others));
	if (room && options.tables && options.known && words->others)
		sort_words(words, &options, argc, argv, room);
	else
		options.result = pk_no_memory();
	for (size_t i = 0; options.tables && i < pipeline->count; i++)
		free(options.tables[i].text.data);
	free(options.tables);
	free(options.known);
	free(room);
	return options.result;
}

/* Returns true if there is a recording where the command to record is expected. One other word that
 * is not a program can come before the recording, such as the function of pk annotate. `first` has
 * the words for the first program. */
static bool names_recording(const struct words *words, char *const *first)
{
	const int at = words->command;
	char *program;

	if (words->is_marked || at >= words->first)
		return false;
	if (is_file(first[at]) || at + 1 == words->first || !is_file(first[at + 1]))
		return is_file(first[at]);
	program = pk_find_program(first[at]);
	free(program);
	return !program;
}

/* Sorts the words of a command. If there is a recording where the command to record is expected,
 * the pipeline reads this recording, and the first program of the pipeline is left out. */
static int split_words(struct words *words, const struct data_line *command, int argc, char **argv)
{
	struct pipeline pipeline = {0};
	int result = pipeline_make(&pipeline, command, &(struct pipeline_words){0});
	char **copy = NULL;

	if (!result)
		copy = calloc((size_t)argc + 1, sizeof(*copy));
	if (!result && !copy)
		result = pk_no_memory();
	if (!result) {
		memcpy(copy, argv, (size_t)argc * sizeof(*copy));
		result = sort_by(words, &pipeline, argc, argv);
	}
	words->reads = !result && pipeline.count > 1 &&
		       !strcmp(pipeline.stages[0].words[0], "pk-record") &&
		       names_recording(words, argv + words->own);
	if (words->reads) {
		memcpy(argv, copy, (size_t)argc * sizeof(*copy));
		result = sort_by(words, &pipeline, argc, argv);
	}
	free(copy);
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

static void protect_word(const char *word)
{
	const char *value = strchr(word, '=');

	protect_file(word);
	if (*word == '-' && value)
		protect_file(value + 1);
}

/* Protects all files that are named in words. The programs of the pipeline, or the command to
 * record, can read these files. The last program of the pipeline, which writes the output, does not
 * know these words. */
static void protect_inputs(const struct words *words, int count, char **arguments)
{
	char *program = !words->reads && words->command < count
				? pk_find_program(arguments[words->command])
				: NULL;

	pk_protect_input("-");
	for (int i = 0; i < count; i++)
		protect_word(arguments[i]);
	for (size_t i = 0; i < words->others_count; i++)
		protect_word(words->others[i].word);
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

static bool has_display(void)
{
	const char *x11 = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");

	return (x11 && *x11) || (wayland && *wayland);
}

/* Shows a file with the program that the desktop has for files of its kind. */
static int open_file(const char *path)
{
	char *program = has_display() ? pk_find_program("xdg-open") : NULL;
	char *words[] = {program, (char *)path, NULL};
	pid_t child = program ? fork() : -1;
	int status = -1;

	if (!child) {
		execv(program, words);
		_exit(127);
	}
	if (child > 0 && waitpid(child, &status, 0) < 0)
		status = -1;
	if (!program)
		pk_warn("%s: open %s in a browser", has_display() ? "no xdg-open" : "no display",
			path);
	else if (status)
		pk_error("xdg-open did not open %s: open it in a browser", path);
	free(program);
	return program && status ? PK_EXIT_FAILED : PK_EXIT_OK;
}

static int run(struct pipeline *pipeline)
{
	const struct stage *last = &pipeline->stages[pipeline->count - 1];
	int result = pipeline->output ? pk_refuse_input(pipeline->output)
				      : pk_refuse_input_fd(STDOUT_FILENO, "stdout");

	if (result)
		return result;
	result = pipeline_run(pipeline);
	if (!pipeline->output || !last->path || last->status || result == PK_EXIT_FAILED)
		return result;
	pk_warn("the output is in %s", pipeline->output);
	if (pipeline->opens && open_file(pipeline->output) != PK_EXIT_OK)
		result = PK_EXIT_FAILED;
	return result;
}

/* Returns true if the line of the command, before the words of the user, has the option -a. */
static bool records_machine(const struct pipeline *pipeline, const char *first_argument)
{
	char *const *words = pipeline->stages[0].words;

	for (; *words && *words != first_argument; words++)
		if (!strcmp(*words, "-a"))
			return true;
	return false;
}

static int run_command(const struct data_line *command, const struct opts *opts,
		       const struct words *words, int argc, char **argv)
{
	const struct pipeline_words values = {.files = argv,
					      .files_count = (size_t)words->files,
					      .arguments = argv + words->files,
					      .count = (size_t)words->first,
					      .leading = (size_t)words->leading,
					      .options = words->others,
					      .options_count = words->others_count,
					      .output = opts->output};
	struct pipeline pipeline = {0};
	int result = pipeline_make(&pipeline, command, &values);

	if (!result)
		result = print(&pipeline, opts);
	if (!result && !words->reads && words->command < words->first &&
	    records_machine(&pipeline, values.arguments[0]))
		pk_warn("the whole machine is recorded while %s runs, not only %s",
			values.arguments[words->command], values.arguments[words->command]);
	if (!result && pipeline.output && !opts->output && !words->is_marked && !words->reads)
		explain_output(pipeline.output, argc - words->command, argv + words->command);
	if (!result && !opts->only_print) {
		protect_inputs(words, argc, argv);
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
	if (!strcmp(call->argv[0], "fleet"))
		return fleet_run(call->argc - 1, call->argv + 1, opts->only_print);
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
	call->argc = call->words.files + call->words.first;
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
	free(call.words.others);
	pk_data_lines_free(&lines);
	return pk_exit_status(result);
}
