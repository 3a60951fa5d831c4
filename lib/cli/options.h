/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OPTIONS_H
#define PK_OPTIONS_H

/* The options that every stage has, for a tool's pk_getopt. */

#include <getopt.h>
#include <stddef.h>

#include "run.h"

struct pk_common {
	void (*help)(void); /* prints the tool's --help */
	struct pk_fail_on fail_on;
	const char *output; /* NULL: stdout */
	int verbose;
};

/* An option of perf that a program lacks or spells otherwise. */
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

/* getopt_long. On '?' the message has been printed: where the option is perf's, the message names
 * what this program has instead. */
int pk_getopt(int argc, char **argv, const char *letters, const struct option *options,
	      const struct pk_perf_options *perf);

enum { PK_OPT_FAIL_ON = 1024, PK_OPT_VERSION };

#define PK_COMMON_SHORT "o:vqh"

/* What goes at the end of the array of long options. */
#define PK_COMMON_LONG                                                                             \
	{"fail-on", required_argument, NULL, PK_OPT_FAIL_ON},                                      \
		{"output", required_argument, NULL, 'o'}, {"verbose", no_argument, NULL, 'v'},     \
		{"quiet", no_argument, NULL, 'q'}, {"help", no_argument, NULL, 'h'},               \
		{"version", no_argument, NULL, PK_OPT_VERSION},                                    \
	{                                                                                          \
		NULL, 0, NULL, 0                                                                   \
	}

/* What --help says of them. */
#define PK_COMMON_HELP                                                                             \
	"      --fail-on=LIST    exit status 1 if more than PCT percent are lost, truncated or\n"  \
	"                        unresolved: lost[=PCT],truncated[=PCT],unresolved[=PCT]\n"        \
	"  -o, --output=FILE     instead of stdout\n"                                              \
	"  -v, --verbose, -q, --quiet   say more; only errors\n"                                   \
	"  -h, --help, --version\n"

/* Takes what pk_getopt returned, with optarg, if it is one of these or an error. -1: go on; else
 * the exit status. */
int pk_common_option(struct pk_common *common, int option);
/* What a run takes from the options and the operands behind them. */
void pk_common_apply(const struct pk_common *common, int argc, char *const *argv,
		     struct pk_run *run);

#endif
