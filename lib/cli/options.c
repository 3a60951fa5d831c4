// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "sandbox.h"

/* Options of all perf commands that read a recording. */
static const struct pk_perf_option of_readers[] = {
	{'i', "input", "name the FILE without an option"},
	{'f', "force", "files of other users are read, too"},
};

/* Whether a word that getopt_long rejected has the letter or name of the option. perf also accepts
 * --no-NAME. */
static bool is_word(const struct pk_perf_option *option, const char *word, int letter)
{
	const char *name = word + (strncmp(word, "--no-", 5) ? 2 : 5);

	if (letter || strncmp(word, "--", 2) != 0)
		return letter && option->letter == letter;
	return option->name && strlen(option->name) == strcspn(name, "=") &&
	       !strncmp(name, option->name, strlen(option->name));
}

/* False: the option is not in the list. */
static bool explain_option(const char *command, const struct pk_perf_option *options, size_t count,
			   const char *word, int letter)
{
	const char short_word[] = {'-', (char)letter, '\0'};

	for (size_t i = 0; i < count; i++) {
		const char *instead = options[i].instead;

		if (!is_word(&options[i], word, letter))
			continue;
		if (letter)
			word = short_word;
		if (*instead == '-')
			pk_error("%s's %.*s is %s's %s", command, (int)strcspn(word, "="), word,
				 pk_cli_program(), instead);
		else
			pk_error("there is no %.*s: %s", (int)strcspn(word, "="), word, instead);
		return true;
	}
	return false;
}

/* Whether getopt_long does not know the option that it has rejected; *letter is a short option's
 * letter, 0 for a long option. False: it knows the option, but a value is missing, or none is
 * allowed. */
static bool is_unknown(const char *letters, int *letter)
{
	*letter = optopt;
	return !optopt || (optopt <= UCHAR_MAX && !strchr(letters, optopt));
}

/* ---- The table, for completions ---- */

static const char *argument_word(int has_arg)
{
	return has_arg == no_argument	      ? "no"
	       : has_arg == required_argument ? "required"
					      : "optional";
}

static bool is_letter(const char *letters, int c)
{
	return c > ' ' && c <= UCHAR_MAX && strchr(letters, c);
}

/* Whether a long option has the letter, too. */
static bool has_name(const struct option *options, char letter)
{
	while (options->name && options->val != letter)
		options++;
	return options->name;
}

static void print_letters(const char *letters, const struct option *options)
{
	for (const char *p = letters + strspn(letters, "+-"); *p; p++) {
		const int colons = (p[1] == ':') + (p[1] == ':' && p[2] == ':');

		if (*p != ':' && !has_name(options, *p))
			printf("-%c\t\t%s\n", *p, argument_word(colons));
	}
}

/* Prints one line for each option: letter, name and argument, with tabs between them. */
static void print_table(const char *letters, const struct option *options)
{
	for (const struct option *option = options; option->name; option++) {
		if (is_letter(letters, option->val))
			printf("-%c", option->val);
		printf("\t--%s\t%s\n", option->name, argument_word(option->has_arg));
	}
	print_letters(letters, options);
}

int pk_getopt(int argc, char **argv, const char *letters, const struct option *options,
	      const struct pk_perf_options *perf)
{
	const char *word;
	int option, letter;

	if (argc == 2 && !strcmp(argv[1], "--list-options")) {
		print_table(letters, options);
		exit(pk_finish(PK_EXIT_OK));
	}
	opterr = 0;
	option = getopt_long(argc, argv, letters, options, NULL);
	if (option != '?')
		return option;
	word = argv[optind - 1];
	if (is_unknown(letters, &letter) &&
	    ((perf && explain_option(perf->command, perf->items, perf->count, word, letter)) ||
	     explain_option("perf", of_readers, sizeof(of_readers) / sizeof(of_readers[0]), word,
			    letter)))
		return option;
	/* Parse again, so that getopt_long prints its own message. */
	opterr = 1;
	optind = 0;
	do
		option = getopt_long(argc, argv, letters, options, NULL);
	while (option != '?' && option != -1);
	return '?';
}

/* ---- Rows that programs share ---- */

static int set_verbosity(const struct pk_option *option, void *at, const char *text)
{
	(void)at;
	(void)text;
	pk_cli_verbosity(option->letter == 'q' ? -1 : pk_cli_verbose() + 1);
	return PK_CONTINUE;
}

static int set_fail_on(const struct pk_option *option, void *at, const char *text)
{
	return pk_parse_fail_on(text, at) ? PK_CONTINUE : pk_option_error(option, text, "unknown");
}

static int leave_sandbox(const struct pk_option *option, void *at, const char *text)
{
	(void)option;
	(void)at;
	(void)text;
	pk_sandbox_off();
	return PK_CONTINUE;
}

const struct pk_option pk_message_rows[] = {
	{'v', "verbose", NULL, PK_CALL, "print more messages; -vv: even more",
	 .parse = set_verbosity},
	{'q', "quiet", NULL, PK_CALL, "print errors only", .parse = set_verbosity},
	{.letter = 'h', .name = "help", .kind = PK_SHOW_HELP, .help = "print this text"},
	{.name = "version", .kind = PK_SHOW_VERSION, .help = "print the version"},
	PK_OPTIONS_END,
};

#define AT(member) PK_AT(struct pk_common, member)

const struct pk_option pk_common_unconfined_rows[] = {
	PK_TITLE("Common options"),
	{0, "fail-on", "LIST", PK_CALL,
	 "exit status 1 if more than PCT percent are lost[=PCT], truncated[=PCT], "
	 "unresolved[=PCT], "
	 "spans[=PCT] (have a gap)",
	 AT(fail_on), .parse = set_fail_on},
	{'o', "output", "FILE", PK_TEXT, "write to FILE, not stdout", AT(output)},
	{.kind = PK_ROWS, .rows = pk_message_rows},
	PK_OPTIONS_END,
};

const struct pk_option pk_common_rows[] = {
	{.kind = PK_ROWS, .rows = pk_common_unconfined_rows},
	{0, "no-sandbox", NULL, PK_CALL, "do not confine the program before it reads input",
	 .parse = leave_sandbox},
	PK_OPTIONS_END,
};

const struct pk_option pk_perf_rows[] = {
	PK_ANSWER('i', "input", "name the FILE without an option"),
	PK_ANSWER('f', "force", "files of other users are read, too"),
	PK_ANSWER('C', "cpu", "use pk-filter --cpu"),
	PK_ANSWER('c', "comm", "use pk-filter --comm"),
	PK_ANSWER('d', "dso", "use pk-filter --dso"),
	PK_ANSWER('S', "symbol", "use pk-filter --symbol"),
	PK_ANSWER(0, "comms", "use pk-filter --comm"),
	PK_ANSWER(0, "dsos", "use pk-filter --dso"),
	PK_ANSWER(0, "symbols", "use pk-filter --symbol"),
	PK_ANSWER(0, "symbol-filter", "use pk-filter --symbol"),
	PK_ANSWER(0, "pid", "use pk-filter --pid"),
	PK_ANSWER(0, "tid", "use pk-filter --tid"),
	PK_ANSWER(0, "time", "use pk-filter --time"),
	PK_ANSWER(0, "graph-function", "use pk-filter --stack-has"),
	PK_ANSWER(0, "per-event-dump", "use pk-filter --split-by event"),
	PK_ANSWER(0, "max-stack", "use pk-fold --max-depth"),
	PK_ANSWER('k', "vmlinux", "use pk-symbolize --vmlinux"),
	PK_ANSWER('D', "dump-raw-trace", "use pk-script --dump"),
	PK_ANSWER('I', "show-info", "use pk-script --show-info"),
	PK_ANSWER(0, "header", "use pk-script --header"),
	PK_ANSWER(0, "header-only", "use pk-script --header-only"),
	PK_ANSWER(0, "stats", "use pk-script --stats"),
	PK_ANSWER(0, "tasks", "use pk-script --show-task-events"),
	PK_ANSWER(0, "mmaps", "use pk-script --show-mmap-events"),
	PK_ANSWER(0, "itrace", "hardware traces are not decoded"),
	PK_ANSWER(0, "inline", "inlined functions are included by default: --no-inline"),
	PK_ANSWER(0, "demangle", "names are demangled by default: --no-demangle"),
	PK_OPTIONS_END,
};

/* ---- The former mechanism ---- */

int pk_common_option(struct pk_common *common, int option)
{
	switch (option) {
	case PK_OPT_FAIL_ON:
		if (!pk_parse_fail_on(optarg, &common->fail_on))
			return pk_usage_error("--fail-on=%s: unknown", optarg);
		return -1;
	case PK_OPT_NO_SANDBOX: pk_sandbox_off(); return -1;
	case 'o': common->output = optarg; return -1;
	case 'v': pk_cli_verbosity(++common->verbose); return -1;
	case 'q': pk_cli_verbosity(common->verbose = -1); return -1;
	case 'h': common->help(); return pk_finish(PK_EXIT_OK);
	case PK_OPT_VERSION:
		printf("%s %s\n", pk_cli_program(), pk_version());
		return pk_finish(PK_EXIT_OK);
	default: return pk_usage_hint(); /* pk_getopt has printed the error */
	}
}

void pk_common_apply(const struct pk_common *common, int argc, char *const *argv,
		     struct pk_run *run)
{
	run->files = argv + optind;
	run->files_count = argc - optind;
	run->fail_on = common->fail_on;
	pk_sandbox_want();
}
