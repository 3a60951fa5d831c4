/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_LAYOUT_H
#define PK_REPORT_LAYOUT_H

/* The columns of the report: fields that group samples, and numbers. */

#include "field_measure.h"
#include "report_keys.h"
#include "rows.h"

enum column_kind {
	COLUMN_FIELD,	 /* the value of a field that groups samples */
	COLUMN_SHARE,	 /* of the weight, in percent */
	COLUMN_CHILDREN, /* the same, including callees */
	COLUMN_SAMPLES,
	COLUMN_PERIOD,	/* the sum of weights */
	COLUMN_LATENCY, /* share of the sum of periods divided by parallelism, in percent */
	COLUMN_AGGREGATE,
	/* Only with --diff (results.c): compares with one of the bases. */
	COLUMN_BASELINE,    /* share of the base, in percent */
	COLUMN_BASE_PERIOD, /* sum of weights of the base */
	COLUMN_DELTA,	    /* share minus that of the base */
	COLUMN_DELTA_ABS,   /* the same, sorted by the magnitude */
	COLUMN_RATIO,	    /* sum of weights divided by that of the base */
	COLUMN_WDIFF,	    /* difference of the sums of weights, each multiplied by a number */
};

/* The set of numbers that a row's samples count for. */
enum layout_sets {
	SETS_ONE,    /* rows have one set */
	SETS_EVENTS, /* --group: one for each event */
	SETS_SIDES,  /* --diff: one for the new side, and one for each base */
};

struct column {
	enum column_kind kind;
	enum column_style style;
	unsigned int field;   /* FIELD: index in the groups */
	unsigned int measure; /* AGGREGATE */
	struct pk_aggregate aggregate;
	unsigned int base; /* number of the base that the column compares with, from 1 on */
	int64_t new_weight, base_weight; /* WDIFF */
	const char *title;		 /* in the table */
	char *own_title;		 /* the title if it is allocated */
	char *name;			 /* in CSV and JSON, and for --order */
};

/* The most bases of a comparison. */
#define LAYOUT_BASES 8
/* The most events side by side. Further ones are in another table. */
#define LAYOUT_EVENTS 64

#define LAYOUT_COLUMNS	48
#define LAYOUT_MEASURES 32

struct layout {
	struct column columns[LAYOUT_COLUMNS];
	unsigned int columns_count;
	/* The fields that group samples. The first one is `event`, or with --merge-events constant.
	 */
	struct pk_reference fields[PK_GROUP_COLUMNS];
	const struct pk_field *shown[PK_GROUP_COLUMNS]; /* NULL: a field of tracepoints */
	struct pk_bucket buckets[PK_GROUP_COLUMNS];
	unsigned int fields_count;
	bool one_table; /* all events are in one table: --by has `event`, or --merge-events */
	enum layout_sets sets;
	int set_field;	    /* index of the field whose values are the sets; -1: SETS_ONE */
	unsigned int bases; /* SETS_SIDES: number of bases */
	/* For --hierarchy: the number of levels, and for each the fields (bits) that only deeper
	 * levels have. The number is 0 without a hierarchy. */
	unsigned int levels_count;
	uint32_t levels[PK_GROUP_COLUMNS];
	struct pk_measure measures[LAYOUT_MEASURES];
	unsigned int measures_count;
	bool has_latency;
	bool has_tasks; /* a column has STYLE_TASK: names of threads are needed */
	int order;	/* index of the column that rows are sorted by; -1: the first number */
	bool ascending;
};

/* What the options say, in their words. */
struct layout_options {
	const char *by;	    /* --by or --sort; NULL: none */
	const char *show;   /* --show; NULL: none */
	const char *fields; /* -F; NULL: none */
	const char *order;  /* --order; NULL: none */
	const char *parent; /* --parent; NULL: none */
	bool group, hierarchy;
	bool merge_events;  /* samples of all events are in one table, and in the same rows */
	unsigned int bases; /* number of --diff */
	const struct pk_field *side_field; /* the field with the side of a sample */
	bool perf_keys;	      /* `by` is from --sort: perf's names have perf's meaning */
	bool samples, period; /* -n, --show-total-period */
	enum {
		CHILDREN_AUTO,
		CHILDREN_YES,
		CHILDREN_NO
	} children; /* AUTO: if samples have
		     * callchains */
};

enum layout_result { LAYOUT_OK, LAYOUT_NOMEM, LAYOUT_BAD };

/* Where an error is, and what it is. */
struct layout_error {
	const char *option;
	const char *value;
	int value_size;
	const char *text;
};

/* Makes the columns. The layout must be zero before, and be freed in any case. */
enum layout_result pk_layout_make(struct layout *layout, const struct layout_options *options,
				  struct layout_error *error);
/* Whether there is a column "children". */
bool pk_layout_has_children(const struct layout *layout);
/* Removes the column "children". */
void pk_layout_drop_children(struct layout *layout);
/* Whether the values of a column are percentages. */
bool pk_column_is_share(const struct column *column);
/* PK_NEED_* of all fields. */
unsigned int pk_layout_needs(const struct layout *layout);
void pk_layout_free(struct layout *layout);

#endif
