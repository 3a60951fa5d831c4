/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYMBOL_OPTIONS_H
#define PK_SYMBOL_OPTIONS_H

/* The options that say where object files and symbols are searched. */

#include "context.h"
#include "options.h"
#include "symbols.h"

/* The rows for struct pk_symbols_options. pk_function_rows is for programs that look up functions.
 */
extern const struct pk_option pk_symbol_rows[], pk_function_rows[];

/* The callback pk_symbols_options.tried. With -vv, prints each file that was searched, and the
 * result. */
void pk_report_tried(void *arg, const char *path, const char *result);
/* If the context needs code, symbols, or stacks that the context makes itself, opens a symbol store
 * for the context, and sets *symbols. Otherwise sets *symbols to NULL. */
PK_MUST_CHECK enum pk_status pk_symbols_for_code(struct pk_context *context,
						 const struct pk_symbols_options *options,
						 struct pk_messages *messages,
						 struct pk_symbols **symbols);
/* Like pk_symbols_for_code(), for a program that reads a recording as if pk-symbolize had read it
 * before. If a field needs stacks, the context makes them (PK_NEED_ANY_STACKS). It makes them in
 * sessions for which context->look_up is set. Call this function when context->needs is complete.
 */
PK_MUST_CHECK enum pk_status pk_symbols_for_stacks(struct pk_context *context,
						   const struct pk_symbols_options *options,
						   struct pk_messages *messages,
						   struct pk_symbols **symbols);
/* Frees the store if there is one. Reports on stderr what was skipped because of limits. Also
 * reports the number of failed lookups and the first reason in one line. Returns `status`. If
 * `status` is 0 and lookups failed, returns PK_EXIT_FAILED, because the output can be incomplete.
 */
int pk_symbols_finish(struct pk_symbols *symbols, int status);

#endif
