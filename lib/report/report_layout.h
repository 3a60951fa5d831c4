/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_LAYOUT_H
#define PK_REPORT_LAYOUT_H

/* The columns of the report. A column shows a field that groups samples, or a number. */

#include "field_measure.h"
#include "report_keys.h"
#include "rows.h"

/* What a column shows. */
enum column_kind {
	COLUMN_FIELD,	 /* the value of a field that groups samples */
	COLUMN_SHARE,	 /* share of the weight, in percent */
	COLUMN_CHILDREN, /* share of the weight with callees, in percent */
	COLUMN_SAMPLES,
	COLUMN_PERIOD,	/* the sum of weights */
	COLUMN_LATENCY, /* share of the sum of (period / parallelism), in percent */
	COLUMN_AGGREGATE,
	/* Only with --diff (results.c). These columns compare with one of the bases: */
	COLUMN_BASELINE,    /* share of the weight of the base, in percent */
	COLUMN_BASE_PERIOD, /* sum of weights of the base */
	COLUMN_DELTA,	    /* share minus the share of the base */
	COLUMN_DELTA_ABS,   /* same value as COLUMN_DELTA, but sorted by its magnitude */
	COLUMN_RATIO,	    /* sum of weights divided by the sum of the base */
	COLUMN_WDIFF,	    /* difference of the weight sums, each multiplied by a factor */
	/* The members of struct difference: */
	COLUMN_BASE_RATE,
	COLUMN_RATE,
	COLUMN_CHANGE,
	COLUMN_CHANGE_LOW,
	COLUMN_CHANGE_HIGH,
	COLUMN_DISCOVERY,
	COLUMN_DETECTABLE,
	COLUMN_NEEDS,
	COLUMN_MARK,
};

/* A line of the table can have several sets of numbers. This says what the sets are. */
enum layout_sets {
	SETS_ONE,    /* one set */
	SETS_EVENTS, /* with --group: one set for each event */
	SETS_SIDES,  /* with --diff: one set for the new side, and one for each base */
};

/* A column of the table. */
struct column {
	enum column_kind kind;
	enum column_style style;
	unsigned int field;   /* for COLUMN_FIELD: index of the field in layout.fields */
	unsigned int measure; /* for COLUMN_AGGREGATE: index of the measure in layout.measures */
	struct pk_aggregate aggregate;
	unsigned int base; /* which base the column compares with; the first base is 1 */
	int64_t new_weight, base_weight; /* for COLUMN_WDIFF: the factors of the new weight and of
					  * the base's weight */
	const char *title;		 /* title in the table */
	char *own_title;		 /* the title, if it was allocated */
	char *name;			 /* name in CSV, in JSON and for --order */
};

/* The greatest number of bases of a comparison. */
#define LAYOUT_BASES 8
/* The greatest number of events side by side. Further events are in another table. */
#define LAYOUT_EVENTS 64

#define LAYOUT_COLUMNS	48
#define LAYOUT_MEASURES 32

/* The columns of a report, and the fields that group its samples. */
struct layout {
	struct column columns[LAYOUT_COLUMNS];
	unsigned int columns_count;
	/* The fields that group samples. Field 0 is `event`. With --merge-events, field 0 is a
	 * field that has the same value for all events. */
	struct pk_reference fields[PK_GROUP_COLUMNS];
	const struct pk_field *shown[PK_GROUP_COLUMNS]; /* the field of each item of `fields`; NULL
							 * if it is a field of tracepoints */
	struct pk_bucket buckets[PK_GROUP_COLUMNS];
	unsigned int fields_count;
	bool one_table; /* All events are in one table. This is so if --by contains `event`, or with
			 * --merge-events. */
	enum layout_sets sets;
	int set_field;	    /* index of the field whose values select the set, or -1 for SETS_ONE */
	unsigned int bases; /* number of bases, for SETS_SIDES */
	/* For --hierarchy: the number of levels, and for each level a bit set of the fields that
	 * only deeper levels have. levels_count is 0 without --hierarchy. */
	unsigned int levels_count;
	uint32_t levels[PK_GROUP_COLUMNS];
	struct pk_measure measures[LAYOUT_MEASURES];
	unsigned int measures_count;
	bool has_latency;
	bool has_differences; /* a column shows a member of struct difference */
	bool has_tasks;	      /* a column has STYLE_TASK, which needs the names of threads */
	int order; /* index of the column that rows are sorted by; -1 means the first column with a
		    * number */
	bool ascending;
};

/* The arguments of the options, as the user has written them. */
struct layout_options {
	const char *by;	    /* argument of --by or --sort, or NULL */
	const char *show;   /* argument of --show, or NULL */
	const char *fields; /* argument of -F, or NULL */
	const char *order;  /* argument of --order, or NULL */
	const char *parent; /* argument of --parent, or NULL */
	bool group, hierarchy;
	bool merge_events;  /* samples of all events are in one table, and share their rows */
	unsigned int bases; /* number of --diff options */
	bool decides;	    /* by default, show what has changed, and how sure that is */
	const struct pk_field *side_field; /* the field whose value is the side of a sample */
	bool perf_keys;	      /* `by` is from --sort, so its names have perf's meaning */
	bool samples, period; /* -n and --show-total-period were given */
	enum {
		CHILDREN_AUTO,
		CHILDREN_YES,
		CHILDREN_NO
	} children; /* AUTO means: if samples have callchains */
};

enum layout_result { LAYOUT_OK, LAYOUT_NOMEM, LAYOUT_BAD };

/* The option that has an error, and the text of the error. */
struct layout_error {
	const char *option;
	const char *value;
	int value_size;
	const char *text;
};

/* Makes the columns. Before the call, the layout must be all zero. The caller must free it, also
 * after an error. */
enum layout_result pk_layout_make(struct layout *layout, const struct layout_options *options,
				  struct layout_error *error);
/* Finds the kind of a number that every row of a comparison has, such as "share" or "change".
 * Returns false if no such number has this name. */
bool pk_layout_row_number(const char *name, size_t size, enum column_kind *kind);
/* Returns whether there is a column "children". */
bool pk_layout_has_children(const struct layout *layout);
/* Removes the column "children". */
void pk_layout_drop_children(struct layout *layout);
/* Returns whether the column shows a member of struct difference. */
static inline bool column_is_difference(const struct column *column)
{
	return column->kind >= COLUMN_BASE_RATE && column->kind <= COLUMN_MARK;
}

/* Returns whether the values of a column are percentages. */
bool pk_column_is_share(const struct column *column);
/* Returns the PK_NEED_* bits of all fields. */
unsigned int pk_layout_needs(const struct layout *layout);
void pk_layout_free(struct layout *layout);

#endif
