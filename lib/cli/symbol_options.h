/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYMBOL_OPTIONS_H
#define PK_SYMBOL_OPTIONS_H

/* The options of where files and symbols are, for a tool's getopt_long. */

#include <getopt.h>

#include "context.h"
#include "symbols.h"

enum {
	PK_OPT_SYMFS = 1100,
	PK_OPT_DEBUG_DIR,
	PK_OPT_BUILDID_DIR,
	PK_OPT_DEBUGINFOD,
	PK_OPT_KALLSYMS,
	PK_OPT_VMLINUX,
	PK_OPT_NO_CACHE,
	PK_OPT_NO_DEMANGLE,
};

/* clang-format off */
#define PK_SYMBOLS_LONG                                                                            \
	{"symfs", required_argument, NULL, PK_OPT_SYMFS},                                          \
	{"debug-dir", required_argument, NULL, PK_OPT_DEBUG_DIR},                                  \
	{"buildid-dir", required_argument, NULL, PK_OPT_BUILDID_DIR},                              \
	{"debuginfod", optional_argument, NULL, PK_OPT_DEBUGINFOD},                                \
	{"kallsyms", required_argument, NULL, PK_OPT_KALLSYMS},                                    \
	{"vmlinux", required_argument, NULL, PK_OPT_VMLINUX},                                      \
	{"no-cache", no_argument, NULL, PK_OPT_NO_CACHE},                                          \
	{"no-demangle", no_argument, NULL, PK_OPT_NO_DEMANGLE}
/* clang-format on */

/* Takes what getopt_long returned, with optarg, if it is one of these. -1: it was; 0: it is none;
 * else the exit status. */
int pk_symbol_option(struct pk_symbols_options *symbols, int option);
/* For options.tried: reports under -vv. */
void pk_report_tried(void *arg, const char *path, const char *result);
/* Opens a store for a context that needs CODE, and lets it look there. symbols: NULL if it needs
 * none. False: out of memory. */
bool pk_symbols_for_code(struct pk_context *context, const struct pk_symbols_options *options,
			 struct pk_messages *messages, struct pk_symbols **symbols);
/* Frees the store, if there is one. Reports on stderr what its limits left out, and in one line how
 * many lookups failed and why the first one did. The exit status: where lookups failed,
 * PK_EXIT_FAILED unless status is worse, since the output may lack something; else status. */
int pk_symbols_finish(struct pk_symbols *symbols, int status);

#endif
