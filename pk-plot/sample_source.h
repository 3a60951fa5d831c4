/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SAMPLE_SOURCE_H
#define PK_SAMPLE_SOURCE_H

/* The samples of the inputs in time order, for kinds that look at each sample: options that select
 * them, the loop, and the reports at its end. */

#include <getopt.h>

#include "conditions.h"
#include "profile.h"
#include "run.h"
#include "symbol_options.h"

enum {
	PLOT_OPT_EVENT = 1400,
	PLOT_OPT_WHERE,
};

/* clang-format off */
#define PLOT_SAMPLES_LONG                                                                          \
	{"event", required_argument, NULL, PLOT_OPT_EVENT},                                        \
	{"where", required_argument, NULL, PLOT_OPT_WHERE},                                        \
	{"no-inline", no_argument, NULL, PK_OPT_NO_INLINE},                                        \
	PK_SYMBOLS_LONG
/* clang-format on */

#define PLOT_SAMPLES_HELP                                                                          \
	"      --event=GLOB, --where=EXPR   samples that are drawn\n"                              \
	"      --symfs=DIR, --kallsyms=FILE, --vmlinux=FILE, --debug-dir=DIR ...\n"                \
	"                        as in pk-symbolize\n"

struct sample_source {
	/* Set by the options. */
	struct pk_weight_options weigh;
	struct conditions conditions;
	struct pk_symbols_options symbols;
	/* Set by the kind. */
	unsigned int needs; /* PK_NEED_*, with those of its references */
	enum pk_status (*sample)(void *arg, struct pk_view *view, uint64_t weight);
	/* Before ids of stacks and bindings become invalid; may be NULL. */
	enum pk_status (*forget)(void *arg);
	/* Gets the records that are no samples, in order; may be NULL. */
	enum pk_status (*record)(void *arg, const struct pk_record *record);
	/* Called once, when the events of the first input are known, to check references with
	 * pk_exit_if_unknown(); may be NULL. */
	void (*check)(void *arg, const struct pk_context *context);
	/* The end of a session; may be NULL. */
	enum pk_status (*session_end)(void *arg);
	void *arg;
	/* For reading. */
	struct pk_profile profile;
	struct pk_run *run;

	/* Private. */
	struct pk_expression *where;
	struct pk_symbols *store;
	bool checked;
};

/* Handles a result of pk_getopt, with optarg. -1: it was one of PLOT_SAMPLES_LONG; 0: it was not;
 * else the exit status. */
int sample_source_option(struct sample_source *source, int c);
/* Reads the inputs of run, and reports what was skipped. The profile remains valid until
 * sample_source_free(). Returns the exit status. */
int sample_source_read(struct sample_source *source, struct pk_run *run);
/* Returns status, or PK_EXIT_FAILED if lookups of symbols failed. */
int sample_source_free(struct sample_source *source, int status);

#endif
