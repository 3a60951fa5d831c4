/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYMBOL_OPTIONS_H
#define PK_SYMBOL_OPTIONS_H

/* The options that determine where object files and symbols are searched. */

#include "context.h"
#include "options.h"
#include "symbols.h"

/* The rows for struct pk_symbols_options. The second ones are for programs that look up
 * functions. */
extern const struct pk_option pk_symbol_rows[], pk_function_rows[];

/* For pk_symbols_options.tried: with -vv, prints each file that was looked for, and the result. */
void pk_report_tried(void *arg, const char *path, const char *result);
/* If the context needs code (PK_NEED_CODE) or SYMBOLS, opens a symbol store for it, in *symbols.
 * Otherwise *symbols is NULL. */
PK_MUST_CHECK enum pk_status pk_symbols_for_code(struct pk_context *context,
						 const struct pk_symbols_options *options,
						 struct pk_messages *messages,
						 struct pk_symbols **symbols);
/* The same for a program that reads a recording as pk-symbolize followed by itself: if a field
 * needs stacks, the context makes them (PK_NEED_ANY_STACKS), in sessions for which context->look_up
 * is set. Call it after the context has all its needs. */
PK_MUST_CHECK enum pk_status pk_symbols_for_stacks(struct pk_context *context,
						   const struct pk_symbols_options *options,
						   struct pk_messages *messages,
						   struct pk_symbols **symbols);
/* Frees the store, if there is one. Reports on stderr what its limits skipped, and in one line the
 * number of failed lookups and the first reason. Returns status, but PK_EXIT_FAILED instead of 0 if
 * lookups failed, because the output can be incomplete. */
int pk_symbols_finish(struct pk_symbols *symbols, int status);

#endif
