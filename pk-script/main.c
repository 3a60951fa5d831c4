// SPDX-License-Identifier: BSD-2-Clause
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "dump.h"

/* A way to show a stream: reads fd to its end and returns the exit status. */
struct mode {
	const char *option;
	int (*run)(int fd, const char *path);
};

static const struct mode modes[] = {
	{"dump", dump_input},
};

struct opts {
	const struct mode *mode;
	int verbosity;
};

static void print_help(void)
{
	puts("usage: pk-script --dump [-qv] [FILE...]\n"
	     "\n"
	     "Prints the records of a stream as text. FILE, or - or nothing for stdin, is read in\n"
	     "turn; zstd-compressed input is recognised.\n"
	     "\n"
	     "      --dump     every record of every kind, field by field, to debug a stream with\n"
	     "  -q, --quiet    errors only\n"
	     "  -v, --verbose  more on stderr\n"
	     "      --help     this text\n"
	     "      --version  the version\n"
	     "\n"
	     "Examples:\n"
	     "  pk-record ls | pk-script --dump | less\n"
	     "  pk-script --dump app.pk | grep '^[0-9]* LOST'");
}

enum { OPT_MODE = 256, OPT_HELP, OPT_VERSION };

static int set_mode(struct opts *opts, const char *name)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(name, modes[i].option))
			opts->mode = &modes[i];
	return -1;
}

/* -1, or the status to exit with. */
static int parse(int argc, char **argv, struct opts *opts)
{
	static const struct option options[] = {
		{"dump", no_argument, NULL, OPT_MODE},	     {"quiet", no_argument, NULL, 'q'},
		{"verbose", no_argument, NULL, 'v'},	     {"help", no_argument, NULL, OPT_HELP},
		{"version", no_argument, NULL, OPT_VERSION}, {NULL, 0, NULL, 0},
	};
	int c, index;

	while ((c = getopt_long(argc, argv, "qv", options, &index)) != -1) {
		switch (c) {
		case OPT_MODE: set_mode(opts, options[index].name); break;
		case 'q': opts->verbosity = -1; break;
		case 'v': opts->verbosity++; break;
		case OPT_HELP: print_help(); return PK_EXIT_OK;
		case OPT_VERSION: printf("pk-script %s\n", pk_version()); return PK_EXIT_OK;
		default: return pk_usage_error("unknown option");
		}
	}
	if (!opts->mode)
		return pk_usage_error("how is the stream to be shown? use --dump");
	return -1;
}

static int run_one(const struct opts *opts, const char *path)
{
	int fd = pk_input_open(path), status;

	if (fd < 0)
		return PK_EXIT_FAILED;
	status = opts->mode->run(fd, strcmp(path, "-") ? path : "stdin");
	if (fd != STDIN_FILENO)
		close(fd);
	return status;
}

static int run_all(const struct opts *opts, int count, char **paths)
{
	int status = PK_EXIT_OK;

	if (!count)
		return run_one(opts, "-");
	for (int i = 0; i < count; i++) {
		if (count > 1)
			printf("FILE %d\n", i + 1);
		if (run_one(opts, paths[i]))
			status = PK_EXIT_FAILED;
	}
	return status;
}

int main(int argc, char **argv)
{
	struct opts opts = {0};
	int status;

	pk_cli_init("pk-script");
	status = parse(argc, argv, &opts);
	if (status < 0) {
		pk_cli_verbosity(opts.verbosity);
		status = run_all(&opts, argc - optind, argv + optind);
	}
	return pk_finish(status);
}
