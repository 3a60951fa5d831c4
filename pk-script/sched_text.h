/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SCHED_TEXT_H
#define SCHED_TEXT_H

/* --layout prints lines in the format of perf sched map or perf sched timehist. Its input are
 * samples of context switches. */

#include "fields.h"

enum sched_layout { SCHED_NONE, SCHED_MAP, SCHED_TIMEHIST };

/* The number of frames of a callchain that perf sched timehist reads. It includes the frames of the
 * scheduler, which are not printed. */
#define SCHED_FRAMES 7

struct sched_text {
	enum sched_layout layout;
	/* the options -V, -M, -w, -n and -g of perf sched timehist */
	bool visual, migrations, wakeups, next, chains;
};

/* Parses the argument of --layout, "map" or "timehist[:LETTERS]". Adds the fields that the layout
 * needs. Returns NULL, or the text of an error. */
const char *sched_text_parse(struct sched_text *text, struct fields *fields, const char *argument);

#endif
