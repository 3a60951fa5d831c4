/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_KEYS_H
#define PK_REPORT_KEYS_H

/* The keys of perf report. A key has the field that it means, and the format of its column. */

#include <stdbool.h>
#include <stddef.h>

/* Formats of columns that differ from the usual format of the field's values. */
enum column_style {
	STYLE_PLAIN,
	STYLE_DSO,    /* only the last component of the path */
	STYLE_SYMBOL, /* with the mode of the processor before the symbol: [.] [k] */
	STYLE_CPU,    /* number of a CPU with at least three digits */
	STYLE_TIME,   /* perf's format of times: seconds with six decimals */
	STYLE_PAGE,   /* perf's format of page sizes: 4K, N/A */
	STYLE_TX,     /* perf's words for the bits of a transaction, such as "TX ASYNC CON" */
	STYLE_TASK,   /* perf's format of pid and tgid: number of a thread, and its last name */
};

/* A key of perf report: its field and the format of its column. */
struct report_key {
	const char *name, *field, *title;
	enum column_style style;
	const char *bucket; /* the bucket of the field if the user gives none; NULL if there is no
			     * default */
};

/* Finds a key by its name. If `perf` is true, the name is from --sort, and perf's keys have
 * precedence over other keys with the same name. Returns NULL if no key has this name. The name can
 * still be the name of a field. */
const struct report_key *pk_report_key_find(const char *name, size_t size, bool perf);

/* Returns advice for a key or column of perf that pk does not have: "use ...". Returns NULL if
 * there is no advice. */
const char *pk_report_key_instead(const char *name);

#endif
