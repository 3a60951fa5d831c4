/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TAIL_H
#define PK_TAIL_H

/* The common code of all tails. A tail is the last program of a pipeline: it reads samples and
 * prints a result.
 *
 * This code connects the sample loop of lib/profile with the run. It makes the stacks and names
 * that the input lacks. It selects, weighs and groups samples according to the options. Before the
 * first sample, it checks the names of fields. At the end, it reports what is missing.
 *
 * A tail sets its needs and callbacks in struct pk_tail. It calls pk_tail_read(), prints its
 * result, and calls pk_tail_free(). */

#include "conditions.h"
#include "groups.h"
#include "profile.h"
#include "run.h"
#include "symbol_options.h"
#include "tail_spans.h"

/* The options that all tails have. */
struct pk_tail_options {
	struct pk_weight_options weigh;
	struct conditions conditions;
	/* Where object files and symbols are searched. They are needed for recordings that are not
	 * symbolized, and for fields that need the code of objects. */
	struct pk_symbols_options symbols;
	/* The fields of --by. pk_tail_start() moves them to pk_tail.groups. Only pk_tail_by() uses
	 * the last item. */
	struct pk_reference by[PK_GROUP_COLUMNS + 1];
	unsigned int by_count;
	bool by_default; /* True if the program has chosen the fields. It is then no error if the
			  * recording lacks a field. pk_tail_by() sets it to false. */
};

/* Rows that several tails have, for struct pk_tail_options. */
extern const struct pk_option pk_where_row[], pk_weight_row[];
/* pk_set_weight() is for the row --weight and struct pk_weight_options. pk_set_by() is for the row
 * --by and struct pk_tail_options. */
int pk_set_weight(const struct pk_option *option, void *at, const char *text);
int pk_set_by(const struct pk_option *option, void *at, const char *text);

/* Sets the fields of --by. The text "none" means that there are no fields. `most` is the largest
 * allowed number of fields. It must be at most PK_GROUP_COLUMNS, or at most PK_GROUP_COLUMNS + 1 if
 * the tail does not group by one of the fields. Returns PK_CONTINUE, or an exit status after a
 * message. */
int pk_tail_by(struct pk_tail_options *options, const char *text, unsigned int most);
/* Returns true if this field is one of the fields of --by. */
bool pk_tail_is_by(const struct pk_tail_options *options, const char *field);
void pk_tail_options_free(struct pk_tail_options *options);

/* A tail, with its options, its callbacks and its state. */
struct pk_tail {
	/* The tail sets the following members. */
	struct pk_tail_options *options;
	unsigned int needs; /* PK_NEED_* bits, except the needs of groups, weights and conditions */
	/* The callbacks get `arg`. All callbacks except sample() can be NULL. */
	void *arg;
	enum pk_status (*sample)(void *arg, struct pk_view *view, uint64_t weight);
	/* Gets every record in order, also PK_RECORD_BEGIN. It passes each record to
	 * pk_tail_evaluate(), except samples that it wants to skip. */
	enum pk_status (*record)(void *arg, const struct pk_record *record);
	/* Called before the ids of stacks, the bindings, and the numbers that identify groups
	 * become invalid. */
	enum pk_status (*forget)(void *arg);
	/* Called before the first sample. Uses pk_check_field() to check the names of fields in
	 * options other than --by, --where and --weight. */
	enum pk_status (*check)(void *arg);
	/* Called for a name in --by that no event has. Returns a text that tells the user what to
	 * do, or NULL if the name is unknown. */
	const char *(*instead)(const char *name);
	/* Returns whether the tail uses a field whose name starts with these `size` characters, in
	 * options other than --by, --where and --weight. If it is NULL, the tail uses all fields.
	 */
	bool (*uses)(void *arg, const char *name, size_t size);
	/* Called at the end of a session. */
	enum pk_status (*session_end)(void *arg);
	bool symbolized; /* true if the input must be symbolized; stacks are then not made */
	/* Makes the report at the end, and returns the exit status. If it is NULL, pk_tail_report()
	 * is called. */
	int (*report)(const struct pk_tail *tail);
	const char *done; /* A word for the report that says what the tail does with samples, such
			   * as "written". */
	bool has_others;  /* for the report: true if the tail also uses records that are not samples
			   */
	bool stackless;	  /* for the report: true if samples without a stack are also counted */
	/* True if the names of fields were checked. The tail sets it to true if the names must not
	 * be checked, because another recording can have the fields. */
	bool checked;

	/* A tail can read the following members. Before pk_tail_start(), a tail can set members of
	 * the profile and of the profile's context that few tails need. */
	struct pk_run *run;
	struct pk_profile profile;
	struct pk_groups groups;     /* the groups of --by */
	struct pk_expression *where; /* NULL if there is no condition */
	struct pk_symbols *symbols;  /* NULL if the tail needs no symbols */
	struct pk_tail_spans *spans; /* NULL if the view needs no spans */
};

/* Prepares the tail, and sets the callbacks of its run. */
PK_MUST_CHECK enum pk_status pk_tail_start(struct pk_tail *tail, struct pk_run *run);
/* Calls pk_tail_start(), reads the inputs of `run`, and reports. Returns the exit status. The
 * profile is valid until pk_tail_free(). */
int pk_tail_read(struct pk_tail *tail, struct pk_run *run);
/* Reads a file with which the inputs are compared. Call it after pk_tail_start() and before
 * pk_run(). Its losses are not added to the losses of the run. Returns the exit status. */
int pk_tail_read_base(struct pk_tail *tail, const char *file);
/* Evaluates a record. If the record is a sample, counts it. A tail that derives samples from other
 * samples also passes them to this function. */
static inline enum pk_status pk_tail_evaluate(struct pk_tail *tail, const struct pk_record *record)
{
	return pk_profile_record(&tail->profile, tail->run->reader, record);
}

/* Reports what was skipped, what the input lacks, and which options selected no sample. Returns the
 * exit status. */
int pk_tail_report(const struct pk_tail *tail);
/* The following functions are the steps of pk_tail_report(), in this order. This function reports
 * that there are no samples, and how many samples of other events were skipped. */
void pk_tail_report_samples(const struct pk_tail *tail);
/* Reports the samples that lack the weight. */
void pk_tail_report_lacking(const struct pk_tail *tail);
/* Reports the programs that would have made the stacks complete, such as pk-unwind. */
void pk_tail_report_stages(const struct pk_tail *tail);
/* Reports the options that selected no sample. Returns the exit status. */
int pk_tail_report_selection(const struct pk_tail *tail);
/* Reports that the recording has no samples, unless pk_tail_report_event() reports it. */
void pk_tail_report_no_samples(const struct pk_tail *tail);
/* pk_tail_report_selection() calls these functions. They report that --event or --where selected no
 * sample. */
int pk_tail_report_event(const struct pk_tail *tail);
int pk_tail_report_where(const struct pk_tail *tail);

/* Frees the tail. Returns `status`, or PK_EXIT_FAILED if `status` is 0 and lookups of symbols
 * failed. */
int pk_tail_free(struct pk_tail *tail, int status);

#endif
