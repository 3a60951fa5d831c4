/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_OPTION_H
#define PK_FOLD_OPTION_H

/* The options of pk_fold(), for getopt_long. */

#include <getopt.h>

#include "fold.h"

enum {
	PK_OPT_FOLD_ROOT = 1200,
	PK_OPT_FOLD_LEAF,
	PK_OPT_FOLD_REVERSE,
	PK_OPT_FOLD_RECURSION,
	PK_OPT_FOLD_DEPTH,
	PK_OPT_FOLD_ADDRESSES,
	PK_OPT_FOLD_MODULES,
	PK_OPT_FOLD_LINES,
	PK_OPT_FOLD_FULL_NAMES,
	PK_OPT_FOLD_INLINES,
	PK_OPT_FOLD_SUFFIXES,
	PK_OPT_FOLD_DIFF,
};

/* clang-format off */
#define PK_FOLD_LONG                                                                               \
	{"root", required_argument, NULL, PK_OPT_FOLD_ROOT},                                       \
	{"leaf", required_argument, NULL, PK_OPT_FOLD_LEAF},                                       \
	{"reverse", no_argument, NULL, PK_OPT_FOLD_REVERSE},                                       \
	{"collapse-recursion", no_argument, NULL, PK_OPT_FOLD_RECURSION},                          \
	{"max-depth", required_argument, NULL, PK_OPT_FOLD_DEPTH},                                 \
	{"addresses", no_argument, NULL, PK_OPT_FOLD_ADDRESSES},                                   \
	{"modules", no_argument, NULL, PK_OPT_FOLD_MODULES},                                       \
	{"lines", no_argument, NULL, PK_OPT_FOLD_LINES},                                           \
	{"full-names", no_argument, NULL, PK_OPT_FOLD_FULL_NAMES},                                 \
	{"inlines", optional_argument, NULL, PK_OPT_FOLD_INLINES},                                 \
	{"suffixes", optional_argument, NULL, PK_OPT_FOLD_SUFFIXES},                               \
	{"diff", required_argument, NULL, PK_OPT_FOLD_DIFF},                                       \
	PK_TAIL_WEIGHT_LONG,                                                                       \
	PK_TAIL_BY_LONG,                                                                           \
	PK_TAIL_LONG
/* clang-format on */

/* Handles a result of getopt_long, with optarg. -1: it was one of these options, 0: it was not;
 * else the exit status. */
int pk_fold_option(struct pk_fold_options *fold, int option);

#endif
