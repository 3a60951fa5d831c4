/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORTER_H
#define PK_REPORTER_H

/* Calculates the numbers of a report. It counts the samples that its options select. Whenever
 * numbers are needed, it calculates the results of all samples so far. */

#include <stdio.h>

#include "amount_text.h"
#include "call_tree.h"
#include "counters.h"
#include "field.h"
#include "findings.h"
#include "intervals.h"
#include "live_head.h"
#include "recording_header.h"
#include "results.h"
#include "tail.h"

enum report_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_MARKDOWN };

/* The options of a report, after they were parsed. */
struct report_options {
	struct pk_tail_options tail; /* the options of lib/cli/tail.h; the member `by` is ignored */
	struct layout layout;
	bool children_if_callchains; /* remove the column "children" if no sample has a callchain */
	struct results_options results;
	struct header_options header;
	enum report_format format;
	const char *separator; /* text between the columns of the table, or NULL if columns are
				* aligned */
	struct units units;
	bool full_paths;
	bool colour, pager;
	size_t width; /* width of lines, see struct text_options */
	size_t column_widths[LAYOUT_COLUMNS];
	struct graph_options graph;
	const char *parent; /* the pattern for the field "parent", or NULL if there is none */
	struct finding_options findings;       /* for --diff */
	struct difference_options differences; /* for --diff */
	enum row_unit unit;		       /* the unit of rates, for --diff */
	const char *unit_event;		       /* for ROW_UNIT_EVENT, the name of the event */
	bool match_renamed; /* functions with the same callers and callees are the same */
	const char *bases[LAYOUT_BASES]; /* the files that the inputs are compared with */
	char *const *more_bases;	 /* further files of the last base */
	int more_bases_count;
	bool graph_skips_first; /* omit the first name of each tree, because the row shows it */
	FILE *out;
	uint64_t max_bytes; /* print at most so many bytes, in whole lines; 0 means no limit */
	uint64_t live; /* Interval between two tables, in ns of the stream's clock. If it is 0, one
			* table is printed at the end. */
	unsigned int needs; /* PK_NEED_* bits that later layouts need (pk_reporter_change()) */
	bool decay;	    /* old samples lose weight; this needs `live` */
	bool keep; /* the inputs are finite, so samples are not forgotten to limit the memory */
};

/* The field whose value is the side of a sample. It is 0 for the new side, and from 1 on the number
 * of a base. */
extern const struct pk_field pk_report_side_field;

/* If a table has more rows than REPORTER_ROWS_MAX, or the forest has more nodes than
 * REPORTER_NODES_MAX, all samples are forgotten. Rows and nodes that have vanished are not
 * included. */
#define REPORTER_ROWS_MAX  ((uint32_t)1 << 20)
#define REPORTER_NODES_MAX ((size_t)4 << 20)

/* A report that is being calculated. */
struct reporter {
	/* Set by the caller: */
	struct pk_run *run;
	struct report_options *options;
	bool ended; /* all inputs were read completely */
	/* For reading: */
	struct pk_tail tail;
	struct results results; /* valid after pk_reporter_refresh() */
	struct live_head head;	/* numbers of the samples since pk_live_head_next() */
	bool has_callchains;	/* an event that has samples also has callchains */
	bool forgotten;		/* samples were forgotten to limit the memory */
	uint64_t generation;	/* changes whenever rows get other numbers */
	/* Private: */
	struct event_groups event_groups; /* groups of events of the current session */
	struct pk_parents parents;
	struct task_names tasks;
	struct time_span times;		 /* time span of the current session */
	bool timed;			 /* times.start is set */
	struct recording_header *header; /* NULL if the header is not printed */
	struct buffer header_text;
	bool unsymbolized;    /* at least one stream was not symbolized */
	bool needs_functions; /* a field needs a stream that is symbolized */
	struct pk_intervals live;
	struct pk_allowance trees; /* allowance for the text of the trees */
	bool printed;		   /* a block of a live report was printed */
	struct pk_losses losses;   /* losses of the run before the current recording */
	uint64_t sample_bits;	   /* PERF_SAMPLE_* bits that samples of at least one event have */
};

/* Initializes the reporter, and sets the callbacks of its run. */
PK_MUST_CHECK enum pk_status pk_reporter_start(struct reporter *reporter);
/* Evaluates a record. It is the callback pk_tail.record, whose arg is the reporter. */
enum pk_status pk_reporter_record(void *reporter, const struct pk_record *record);
/* Calculates the results of all samples so far, and sorts them. With options.decay, the samples
 * before the last call first lose an eighth of their weight, as in perf top. If there are too many
 * rows, all samples are forgotten, and `forgotten` is set. The time of a call is proportional to
 * the number of rows plus the number of different stacks. */
PK_MUST_CHECK enum pk_status pk_reporter_refresh(struct reporter *reporter);
/* Forgets all samples. */
PK_MUST_CHECK enum pk_status pk_reporter_zero(struct reporter *reporter);
/* Returns whether the reporter can count with this layout, which means that it evaluates everything
 * that the fields of the layout need. */
bool pk_reporter_can_change(const struct reporter *reporter, const struct layout *layout);
/* Forgets all samples, and counts with another layout from now on. Frees options.layout. The
 * reporter becomes the owner of the new layout. */
PK_MUST_CHECK enum pk_status pk_reporter_change(struct reporter *reporter, struct layout *layout);
/* Returns the number of lost samples and other records, for the head line. */
uint64_t pk_reporter_lost(const struct reporter *reporter);
/* Reports problems of the input, such as records that were skipped. Returns the exit status. */
int pk_reporter_problems(const struct reporter *reporter);
/* Returns whether the user wants only the header of the recording. */
static inline bool reporter_is_header_only(const struct reporter *reporter)
{
	return reporter->options->header.wanted == HEADER_ONLY;
}

/* Prints the headers of all sessions so far. */
PK_MUST_CHECK enum pk_status pk_reporter_print_headers(struct reporter *reporter);
/* Frees everything except the options. Returns `status`, or PK_EXIT_FAILED if lookups of symbols
 * failed. */
int pk_reporter_end(struct reporter *reporter, int status);

#endif
