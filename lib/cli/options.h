/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OPTIONS_H
#define PK_OPTIONS_H

/* The options that all programs share that read streams, for pk_getopt. */

#include <getopt.h>
#include <stddef.h>

#include "run.h"

struct pk_common {
	void (*help)(void); /* prints the tool's --help */
	struct pk_fail_on fail_on;
	const char *output; /* NULL: stdout */
	int verbose;	    /* number of -v options; -1: -q */
};

/* An option of perf that a program does not have, or has under another name. */
struct pk_perf_option {
	char letter;	     /* 0: none */
	const char *name;    /* of the long option; NULL: none */
	const char *instead; /* the program's option, "--dump"; or a hint: "use pk-filter --comm" */
};

struct pk_perf_options {
	const char *command; /* "perf script" */
	const struct pk_perf_option *items;
	size_t count;
};

/* Like getopt_long(3). Before it returns '?', it has printed the message; for an option of perf,
 * the message names the replacement in this program. If the only argument is --list-options, prints
 * the table for completions/generate.sh and exits. */
int pk_getopt(int argc, char **argv, const char *letters, const struct option *options,
	      const struct pk_perf_options *perf);

enum { PK_OPT_FAIL_ON = 1024, PK_OPT_VERSION, PK_OPT_NO_SANDBOX };

#define PK_COMMON_SHORT "o:vqh"

/* The end of the array of long options. */
#define PK_COMMON_LONG                                                                             \
	{"no-sandbox", no_argument, NULL, PK_OPT_NO_SANDBOX}, PK_COMMON_LONG_UNCONFINED

/* For a program without a sandbox (sandbox.h). */
#define PK_COMMON_LONG_UNCONFINED                                                                  \
	{"fail-on", required_argument, NULL, PK_OPT_FAIL_ON},                                      \
		{"output", required_argument, NULL, 'o'}, {"verbose", no_argument, NULL, 'v'},     \
		{"quiet", no_argument, NULL, 'q'}, {"help", no_argument, NULL, 'h'},               \
		{"version", no_argument, NULL, PK_OPT_VERSION},                                    \
	{                                                                                          \
		NULL, 0, NULL, 0                                                                   \
	}

/* The lines of --help for these options. */
#define PK_COMMON_HELP		  PK_COMMON_HELP_WITH(", --no-sandbox")
#define PK_COMMON_HELP_UNCONFINED PK_COMMON_HELP_WITH("")
#define PK_COMMON_HELP_WITH(more)                                                                  \
	"      --fail-on=LIST    lost[=PCT],truncated[=PCT],unresolved[=PCT],spans[=PCT]:\n"       \
	"                        exit status 1 if more than PCT percent are (spans: have a gap)\n" \
	"  -o, --output=FILE     write to FILE, not stdout\n"                                      \
	"  -v, --verbose, -q, --quiet   print more messages; print errors only\n"                  \
	"  -h, --help, --version" more "\n"

/* Handles a result of pk_getopt that is one of these options (with optarg), or '?'. -1: continue;
 * else the exit status. */
int pk_common_option(struct pk_common *common, int option);
/* Sets files, files_count and fail_on of run, and wants a sandbox, which pk_run() enters. Call it
 * after the last option was parsed. */
void pk_common_apply(const struct pk_common *common, int argc, char *const *argv,
		     struct pk_run *run);

#endif
