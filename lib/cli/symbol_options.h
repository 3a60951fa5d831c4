/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYMBOL_OPTIONS_H
#define PK_SYMBOL_OPTIONS_H

/* The options that determine where object files and symbols are searched. */

#include <getopt.h>

#include "context.h"
#include "options.h"
#include "symbols.h"

/* For struct pk_symbols_options; the second ones for programs that look up functions. */
extern const struct pk_option pk_symbol_rows[], pk_function_rows[];

enum {
	PK_OPT_SYMFS = 1100,
	PK_OPT_DEBUG_DIR,
	PK_OPT_BUILDID_DIR,
	PK_OPT_DEBUGINFOD,
	PK_OPT_KALLSYMS,
	PK_OPT_VMLINUX,
	PK_OPT_GUEST_KALLSYMS,
	PK_OPT_GUEST_VMLINUX,
	PK_OPT_GUEST_MODULES,
	PK_OPT_GUEST_SYMFS,
	PK_OPT_NO_CACHE,
	PK_OPT_NO_DEMANGLE,
	PK_OPT_NO_INLINE, /* for programs that look up functions */
};

/* clang-format off */
#define PK_SYMBOLS_LONG                                                                            \
	{"symfs", required_argument, NULL, PK_OPT_SYMFS},                                          \
	{"debug-dir", required_argument, NULL, PK_OPT_DEBUG_DIR},                                  \
	{"buildid-dir", required_argument, NULL, PK_OPT_BUILDID_DIR},                              \
	{"debuginfod", optional_argument, NULL, PK_OPT_DEBUGINFOD},                                \
	{"kallsyms", required_argument, NULL, PK_OPT_KALLSYMS},                                    \
	{"vmlinux", required_argument, NULL, PK_OPT_VMLINUX},                                      \
	{"guest-kallsyms", required_argument, NULL, PK_OPT_GUEST_KALLSYMS},                        \
	{"guest-vmlinux", required_argument, NULL, PK_OPT_GUEST_VMLINUX},                          \
	{"guest-modules", required_argument, NULL, PK_OPT_GUEST_MODULES},                          \
	{"guest-symfs", required_argument, NULL, PK_OPT_GUEST_SYMFS},                              \
	{"no-cache", no_argument, NULL, PK_OPT_NO_CACHE},                                          \
	{"no-demangle", no_argument, NULL, PK_OPT_NO_DEMANGLE}
/* clang-format on */

/* Handles a result of getopt_long, with optarg. -1: it was one of these options; 0: it was not;
 * else the exit status. */
int pk_symbol_option(struct pk_symbols_options *symbols, int option);
/* For pk_symbols_options.tried: with -vv, prints each file that was looked for, and the result. */
void pk_report_tried(void *arg, const char *path, const char *result);
/* If the context needs code (PK_NEED_CODE) or SYMBOLS, opens a symbol store for it, in *symbols;
 * else *symbols is NULL. False: out of memory. */
bool pk_symbols_for_code(struct pk_context *context, const struct pk_symbols_options *options,
			 struct pk_messages *messages, struct pk_symbols **symbols);
/* The same for a program that reads a recording as pk-symbolize followed by itself: if a field
 * needs stacks, the context makes them (PK_NEED_ANY_STACKS), in sessions for which context->look_up
 * is set. Call it after the context has all its needs. */
bool pk_symbols_for_stacks(struct pk_context *context, const struct pk_symbols_options *options,
			   struct pk_messages *messages, struct pk_symbols **symbols);
/* Frees the store, if there is one. Reports on stderr what its limits skipped, and in one line the
 * number of failed lookups and the first reason. Returns status, but PK_EXIT_FAILED instead of 0 if
 * lookups failed, because the output can be incomplete. */
int pk_symbols_finish(struct pk_symbols *symbols, int status);

#endif
