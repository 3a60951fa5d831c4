/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORTER_H
#define PK_REPORTER_H

/* The numbers of a report: counts samples as its options say, and calculates the results of those
 * so far whenever they are needed. */

#include <stdio.h>

#include "amount_text.h"
#include "call_tree.h"
#include "counters.h"
#include "field.h"
#include "intervals.h"
#include "live_head.h"
#include "recording_header.h"
#include "results.h"
#include "tail.h"

enum report_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

struct report_options {
	struct pk_tail_options tail; /* without `by` */
	struct layout layout;
	bool children_if_callchains; /* drop the column "children" if samples have no callchains */
	struct results_options results;
	struct header_options header;
	enum report_format format;
	const char *separator; /* of the columns of the table; NULL: aligned columns */
	struct units units;
	bool full_paths;
	bool colour, pager;
	size_t width; /* see struct text_options */
	size_t column_widths[LAYOUT_COLUMNS];
	struct graph_options graph;
	const char *parent;		 /* the glob of the field "parent"; NULL: none */
	const char *bases[LAYOUT_BASES]; /* the files that the operands are compared with */
	bool graph_skips_first;		 /* omit the first name of each tree: the row has it */
	FILE *out;
	uint64_t live; /* interval in ns of the stream's clock between tables; 0: print once, at the
			* end */
	unsigned int needs; /* further PK_NEED_* of the layouts of pk_reporter_change() */
	bool decay;	    /* old samples lose weight; needs `live` */
	bool keep;	    /* the inputs are finite: do not forget samples to bound the memory */
};

/* The field with the side of a sample: 0, or the number of a base from 1 on. */
extern const struct pk_field pk_report_side_field;

/* Above these numbers of rows, or of nodes in trees, all samples are forgotten. Those that have
 * vanished do not count. */
#define REPORTER_ROWS_MAX  ((uint32_t)1 << 20)
#define REPORTER_NODES_MAX ((size_t)4 << 20)

struct reporter {
	/* Set by the caller: */
	struct pk_run *run;
	struct report_options *options;
	bool ended; /* all inputs were read */
	/* For reading: */
	struct pk_tail tail;
	struct results results; /* valid after pk_reporter_refresh() */
	struct live_head head;	/* of the samples since pk_live_head_next() */
	bool has_callchains;	/* a sample's event has callchains */
	bool forgotten;		/* samples were forgotten to bound the memory */
	uint64_t generation;	/* changes when the numbers of rows become invalid */
	/* Private: */
	struct event_groups event_groups; /* of the session */
	struct pk_parents parents;
	struct task_names tasks;
	uint64_t side;		/* of the current input: 0: new, else the number of the base */
	struct time_span times; /* of the session */
	bool timed;		/* times.start is known */
	struct recording_header *header; /* NULL: not printed */
	struct buffer header_text;
	bool unsymbolized;    /* a stream was not symbolized */
	bool needs_functions; /* a field needs a symbolized stream */
	struct pk_intervals live;
	struct pk_allowance trees; /* for the text of the trees */
	bool printed;		   /* a block was printed, live */
	uint64_t sample_bits;	   /* PERF_SAMPLE_* that samples of any event have */
};

/* Sets up the reporter and the functions of its run. */
PK_MUST_CHECK enum pk_status pk_reporter_start(struct reporter *reporter);
/* Evaluates a record; pk_tail.record, with the reporter as arg. */
enum pk_status pk_reporter_record(void *reporter, const struct pk_record *record);
/* Calculates the results of all samples so far, and sorts them. With options.decay, the samples
 * before the last call lose an eighth of their weight first, as in perf top. If there are too many
 * rows, all samples are forgotten, and `forgotten` is set. The time is proportional to the number
 * of rows and of different stacks. */
PK_MUST_CHECK enum pk_status pk_reporter_refresh(struct reporter *reporter);
/* Forgets all samples. */
PK_MUST_CHECK enum pk_status pk_reporter_zero(struct reporter *reporter);
/* Whether the reporter can count with a layout: it evaluates all that the fields need. */
bool pk_reporter_can_change(const struct reporter *reporter, const struct layout *layout);
/* Forgets all samples, and counts with another layout from now on. Frees options.layout, and takes
 * ownership of the new one. */
PK_MUST_CHECK enum pk_status pk_reporter_change(struct reporter *reporter, struct layout *layout);
/* Number of lost samples and other records, for the head line. */
uint64_t pk_reporter_lost(const struct reporter *reporter);
/* Reports what was skipped. Returns the exit status. */
int pk_reporter_problems(const struct reporter *reporter);
/* Whether only the header of the recording is wanted. */
static inline bool reporter_is_header_only(const struct reporter *reporter)
{
	return reporter->options->header.wanted == HEADER_ONLY;
}

/* Prints the headers of the sessions so far. */
PK_MUST_CHECK enum pk_status pk_reporter_print_headers(struct reporter *reporter);
/* Frees all but the options. Returns status, or PK_EXIT_FAILED if lookups failed. */
int pk_reporter_end(struct reporter *reporter, int status);

#endif
