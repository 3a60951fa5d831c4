/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SAMPLE_OPTIONS_H
#define SAMPLE_OPTIONS_H

/* The options of formats that are made of samples: the samples that count, their weights, their
 * labels, and their symbols. */

#include <getopt.h>

#include "conditions.h"
#include "groups.h"
#include "symbol_options.h"
#include "weights.h"

struct sample_options {
	struct pk_weight_options weigh;
	struct conditions conditions;
	struct pk_symbols_options symbols;
	struct pk_reference by[PK_GROUP_COLUMNS]; /* --by: the labels of samples */
	unsigned int by_count;
	bool addresses; /* a frame for each address, also where functions would be enough */
	bool no_names;	/* --frames=address: keep addresses instead of functions that can be looked
			 * up later, and look up nothing */
};

/* All events count, each with its own weights. */
#define SAMPLE_OPTIONS_DEFAULTS                                                                    \
	{                                                                                          \
		.weigh.each_event = true                                                           \
	}

enum {
	OPT_SAMPLES_WEIGHT = 1300,
	OPT_SAMPLES_EVENT,
	OPT_SAMPLES_WHERE,
	OPT_SAMPLES_BY,
	OPT_SAMPLES_NO_LINES,
	OPT_SAMPLES_ADDRESSES,
	OPT_FORMATS, /* the first number for the options of one format */
};

/* clang-format off */
#define SAMPLE_OPTIONS_LONG                                                                        \
	{"weight", required_argument, NULL, OPT_SAMPLES_WEIGHT},                                   \
	{"event", required_argument, NULL, OPT_SAMPLES_EVENT},                                     \
	{"where", required_argument, NULL, OPT_SAMPLES_WHERE},                                     \
	{"by", required_argument, NULL, OPT_SAMPLES_BY},                                           \
	{"no-lines", no_argument, NULL, OPT_SAMPLES_NO_LINES},                                     \
	{"addresses", no_argument, NULL, OPT_SAMPLES_ADDRESSES},                                   \
	{"no-inline", no_argument, NULL, PK_OPT_NO_INLINE},                                        \
	PK_SYMBOLS_LONG
/* clang-format on */

/* The lines of --help. */
#define SAMPLE_OPTIONS_HELP                                                                        \
	"      --weight=WHAT     period (default; 1 for tracepoints), samples, latency, FIELD\n"   \
	"      --event=GLOB      export these events (default: all)\n"                             \
	"      --where=EXPR      only samples that fulfil the expression\n"                        \
	"      --symfs=DIR, --kallsyms=FILE, --vmlinux=FILE, --debug-dir=DIR, --no-inline ...\n"   \
	"                        as in pk-symbolize, for unsymbolized files\n"                     \
	"      --no-lines        look up functions only  --addresses  a frame for each address\n"

/* Handles a result of getopt_long, with optarg. -1: it was one of these options; 0: it was not;
 * else the exit status. */
int sample_option(struct sample_options *options, int c);
/* Sets the fields of --by; "none": none. -1, or an exit status after a message. */
int sample_options_by(struct sample_options *options, const char *text);
/* The option --frames=function|address of some formats, with optarg. -1, or an exit status. */
int sample_option_frames(struct sample_options *options);
void sample_options_free(struct sample_options *options);

#endif
