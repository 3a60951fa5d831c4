/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SCHED_TEXT_H
#define SCHED_TEXT_H

/* --layout: the lines of perf sched map and perf sched timehist, from samples of context switches.
 */

#include "fields.h"

enum sched_layout { SCHED_NONE, SCHED_MAP, SCHED_TIMEHIST };

/* The frames of a callchain that perf sched timehist prints, with those of the scheduler. */
#define SCHED_FRAMES 7

struct sched_text {
	enum sched_layout layout;
	/* -V, -M, -w, -n and -g of perf sched timehist */
	bool visual, migrations, wakeups, next, chains;
};

/* Parses the argument of --layout, "map" or "timehist[:LETTERS]", and adds the fields. Returns
 * NULL, or the error. */
const char *sched_text_parse(struct sched_text *text, struct fields *fields, const char *argument);

#endif
