/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_KEYS_H
#define PK_REPORT_KEYS_H

/* The keys of perf report: the fields that they mean, and how their columns look. */

#include <stdbool.h>
#include <stddef.h>

/* Formats of fields that differ from that of their values. */
enum column_style {
	STYLE_PLAIN,
	STYLE_DSO,    /* the last component of the path */
	STYLE_SYMBOL, /* preceded by the processor's mode: [.] [k] */
	STYLE_CPU,    /* three digits */
	STYLE_TIME,   /* perf's time: seconds, with six decimals */
	STYLE_PAGE,   /* perf's sizes of pages: 4K, N/A */
	STYLE_TX,     /* perf's words for the bits of a transaction: TX ASYNC CON */
	STYLE_TASK,   /* perf's pid and tgid: number of a thread, and its last name */
};

struct report_key {
	const char *name, *field, *title;
	enum column_style style;
	const char *bucket; /* of a key without one; NULL: none */
};

/* Finds a key by its name. With perf, the name is of --sort, and has perf's meaning if that differs
 * from the field's. Returns NULL if no key has this name. It can be a field. */
const struct report_key *pk_report_key_find(const char *name, size_t size, bool perf);

/* What answers the question of a key or column of perf that pk does not have: "use ...". NULL:
 * none.
 */
const char *pk_report_key_instead(const char *name);

#endif
