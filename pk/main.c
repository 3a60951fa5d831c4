// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "data_lines.h"
#include "find_program.h"
#include "lookups.h"
#include "options.h"
#include "pipeline.h"
#include "run_pipeline.h"
#include "topics.h"

struct opts {
	char *program;	    /* argv[0] */
	const char *output; /* NULL: not given */
	bool only_print;
};

static void help(void)
{
	puts("Usage: pk [OPTION...] COMMAND [OPTION...] [ARGUMENT...]\n"
	     "       pk help [TOPIC|COMMAND]\n"
	     "\n"
	     "Runs a pipeline of the programs of pk, and prints it. Without COMMAND, lists the\n"
	     "commands by question. ARGUMENT is an argument of the first program, mostly "
	     "pk-record:\n"
	     "what to record. Without ARGUMENT, most commands record all processors until Ctrl-C.\n"
	     "\n"
	     "Anywhere before --, or before the command to record:\n"
	     "  -n, --dry-run         print the pipeline on stdout, do not run it\n"
	     "  -o, --output=FILE     of the last program, with mode 0600; -: stdout\n"
	     "  -v, --verbose         print the exit status of each program\n"
	     "  -q, --quiet           do not print the pipeline\n"
	     "  -h, --help, --version\n"
	     "\n"
	     "  pk flame -- ./app\n"
	     "  pk -n syscalls -p 1234 --for 10s");
}

enum { OPT_VERSION = 256 };

static const char letters[] = "+no:vqh";

static const struct option long_options[] = {
	{"dry-run", no_argument, NULL, 'n'},
	{"output", required_argument, NULL, 'o'},
	{"verbose", no_argument, NULL, 'v'},
	{"quiet", no_argument, NULL, 'q'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

/* -1: continue. Else the exit status. */
static int parse_option(struct opts *opts, int c)
{
	switch (c) {
	case 'n': opts->only_print = true; return -1;
	case 'o': opts->output = optarg; return -1;
	case 'v': pk_cli_verbosity(1); return -1;
	case 'q': pk_cli_verbosity(-1); return -1;
	case 'h': help(); return pk_finish(PK_EXIT_OK);
	case OPT_VERSION: printf("pk %s\n", pk_version()); return pk_finish(PK_EXIT_OK);
	default: return pk_usage_hint();
	}
}

/* Parses the options at the start. *used: the words of them, with argv[0]. */
static int parse(int argc, char **argv, struct opts *opts, int *used)
{
	int c, result = -1;

	optind = 0;
	while (result < 0 && (c = pk_getopt(argc, argv, letters, long_options, NULL)) != -1)
		result = parse_option(opts, c);
	*used = optind;
	return result;
}

/* The number of words of an option of pk, with its value; 0: another word. */
static int own_option(int argc, char *const *argv)
{
	static const char *const alone[] = {"-n",      "--dry-run", "-v",     "--verbose", "-q",
					    "--quiet", "-h",	    "--help", "--version"};

	for (size_t k = 0; k < sizeof(alone) / sizeof(alone[0]); k++)
		if (!strcmp(argv[0], alone[k]))
			return 1;
	if (!strncmp(argv[0], "--output=", 9) || (!strncmp(argv[0], "-o", 2) && argv[0][2]))
		return 1;
	if (strcmp(argv[0], "-o") != 0 && strcmp(argv[0], "--output") != 0)
		return 0;
	return argc > 1 ? 2 : 1;
}

static bool is_object_option(const char *word)
{
	return !strcmp(word, "-x") || !strcmp(word, "--object");
}

/* Whether the command to record starts at this word, where there is no "--". The word before it can
 * be an option with this word as its value: options have one value, and values are rarely programs.
 */
static bool starts_command(char *const *argv, int i)
{
	if (*argv[i] == '-')
		return false;
	if (!i || *argv[i - 1] != '-' || strchr(argv[i - 1], '='))
		return true;
	return strchr(argv[i], '/') && !access(argv[i], X_OK) && !is_object_option(argv[i - 1]);
}

static int find_word(int argc, char *const *argv, const char *word)
{
	int i = 0;

	while (i < argc && strcmp(argv[i], word) != 0)
		i++;
	return i;
}

/* Moves the options of pk before all other words, and returns how many words they are; -1: out of
 * memory. They can be anywhere before "--", or before the command to record. */
static int own_words(int argc, char **argv)
{
	const int end = find_word(argc, argv, "--");
	char **others = calloc((size_t)argc + 1, sizeof(*others));
	int own = 0, count = 0, i = 0;

	if (!others)
		return -1;
	while (i < end && (end < argc || !starts_command(argv, i))) {
		const int words = own_option(end - i, argv + i);

		for (int k = 0; k < words; k++)
			argv[own++] = argv[i++];
		if (!words)
			others[count++] = argv[i++];
	}
	for (; i < argc; i++)
		others[count++] = argv[i];
	if (count)
		memcpy(argv + own, others, (size_t)count * sizeof(*others));
	free(others);
	return own;
}

/* ---- Outputs are never inputs ---- */

static void protect_file(const char *path)
{
	struct stat st;

	if (!stat(path, &st) && S_ISREG(st.st_mode))
		pk_protect_input(path);
}

/* Arguments can be files that the pipeline or its command reads. Its last program does not know
 * them. */
static void protect_inputs(char **arguments, int count)
{
	pk_protect_input("-");
	for (int i = 0; i < count; i++) {
		const char *value = strchr(arguments[i], '=');
		char *program = NULL;

		protect_file(arguments[i]);
		if (*arguments[i] == '-' && value)
			protect_file(value + 1);
		if (i && !strcmp(arguments[i - 1], "--"))
			program = pk_find_program(arguments[i]);
		if (program)
			protect_file(program);
		free(program);
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

static int run_command(const struct data_line *command, const struct opts *opts, int argc,
		       char **argv)
{
	struct pipeline pipeline = {0};
	int result = pipeline_make(&pipeline, command->name, command->text, argv, (size_t)argc,
				   opts->output);

	if (!result)
		result = print(&pipeline, opts);
	if (!result && !opts->only_print) {
		protect_inputs(argv, argc);
		result = run(&pipeline);
	}
	pipeline_free(&pipeline);
	return result;
}

static int unknown(const char *name)
{
	char program[64], *path = NULL;

	snprintf(program, sizeof(program), "pk-%.50s", name);
	path = strchr(name, '/') ? NULL : pk_find_program(program);
	free(path);
	if (path)
		return pk_usage_error("%s: no such command; the program is %s", name, program);
	return pk_usage_error("%s: no such command; pk without arguments lists all", name);
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
	return result < 0 ? unknown(argv[0]) : result;
}

/* Handles the arguments after the options: a command with its arguments. */
static int execute(const struct data_lines *lines, struct opts *opts, int argc, char **argv)
{
	const struct data_line *command;
	int own, used, result;

	if (!lines->count) {
		pk_error("no commands: share/pk/commands was not found beside this program");
		return PK_EXIT_FAILED;
	}
	if (!argc || !strcmp(argv[0], "help"))
		return show_help(lines, argc ? argc - 1 : 0, argv + 1);
	command = command_find(lines, argv[0]);
	if (!command)
		return unknown(argv[0]);
	own = own_words(argc - 1, argv + 1);
	if (own < 0)
		return pk_no_memory();
	argv[0] = opts->program;
	result = parse(own + 1, argv, opts, &used);
	if (result >= 0)
		return result;
	return run_command(command, opts, argc - 1 - own, argv + 1 + own);
}

int main(int argc, char **argv)
{
	struct data_lines lines = {0};
	struct opts opts = {.program = argv[0]};
	int used, result;

	pk_cli_init("pk");
	result = parse(argc, argv, &opts, &used);
	if (result < 0) {
		result = pk_data_lines_read(&lines, "commands");
		if (!result)
			result = execute(&lines, &opts, argc - used, argv + used);
		result = pk_finish(result);
	}
	pk_data_lines_free(&lines);
	return pk_exit_status(result);
}
