/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TAIL_H
#define PK_TAIL_H

/* The frame of a tail, a program that reads samples and prints a result. The frame connects the
 * sample loop of lib/profile with the run: it makes the stacks and names that the input lacks,
 * selects, weighs and groups samples as the options say, checks the names of fields before the
 * first sample, and reports what is missing. A tail sets what it needs and its functions, calls
 * pk_tail_read(), pk_tail_report() and pk_tail_free(), and prints. */

#include "conditions.h"
#include "groups.h"
#include "profile.h"
#include "run.h"
#include "symbol_options.h"

struct pk_tail_options {
	struct pk_weight_options weigh;
	struct conditions conditions;
	struct pk_symbols_options symbols; /* for files that are not symbolized, and for fields that
					    * need the code of objects */
	/* Moved to pk_tail.groups. The last one is only for pk_tail_by(). */
	struct pk_reference by[PK_GROUP_COLUMNS + 1];
	unsigned int by_count;
	bool by_default; /* the program has chosen them: those that the recording lacks are no
			  * error. pk_tail_by() resets it */
};

/* The rows that tails share, for struct pk_tail_options. */
extern const struct pk_option pk_where_row[], pk_weight_row[];
/* For the rows --weight and struct pk_weight_options, and --by and struct pk_tail_options. */
int pk_set_weight(const struct pk_option *option, void *at, const char *text);
int pk_set_by(const struct pk_option *option, void *at, const char *text);

/* Sets the fields of --by. "none" sets none. `most` is at most PK_GROUP_COLUMNS, or one more if the
 * tail does not group by one of them. Returns PK_CONTINUE, or an exit status after a message. */
int pk_tail_by(struct pk_tail_options *options, const char *text, unsigned int most);
/* Whether this field is one of them. */
bool pk_tail_is_by(const struct pk_tail_options *options, const char *field);
void pk_tail_options_free(struct pk_tail_options *options);

struct pk_tail {
	/* Set by the tail. */
	struct pk_tail_options *options;
	unsigned int needs; /* PK_NEED_*, without those of groups, weights and conditions */
	/* The functions get arg. All but sample() may be NULL. */
	void *arg;
	enum pk_status (*sample)(void *arg, struct pk_view *view, uint64_t weight);
	/* Gets every record, in order, also PK_RECORD_BEGIN, and passes it to pk_tail_evaluate(),
	 * unless it is a sample that is to be left out. */
	enum pk_status (*record)(void *arg, const struct pk_record *record);
	/* Before ids of stacks, bindings and the numbers of groups become invalid. */
	enum pk_status (*forget)(void *arg);
	/* Before the first sample: checks the names of fields in other options than --by, --where
	 * and --weight, with pk_check_field(). */
	enum pk_status (*check)(void *arg);
	/* What answers the question of this name in --by, if no event has it. Returns NULL if it is
	 * unknown. */
	const char *(*instead)(const char *name);
	/* At the end of a session. */
	enum pk_status (*session_end)(void *arg);
	bool symbolized; /* the input must be symbolized: stacks are not made */
	/* The report at the end, which returns the exit status. NULL means pk_tail_report(). */
	int (*report)(const struct pk_tail *tail);
	const char *done; /* for the report: what is done to samples, such as "written" */
	bool has_others;  /* for the report: the input has more than samples */
	bool stackless;	  /* for the report: samples without a stack count, too */
	/* The names of fields were checked, or must not be: another recording can have them. */
	bool checked;

	/* The members from here on are for reading. Before pk_tail_start(), a tail can set members
	 * of the profile and its context that few tails need. */
	struct pk_run *run;
	struct pk_profile profile;
	struct pk_groups groups;     /* of --by */
	struct pk_expression *where; /* NULL: none */
	struct pk_symbols *symbols;  /* NULL: no need for them */
};

/* Sets up the tail and the functions of its run. */
PK_MUST_CHECK enum pk_status pk_tail_start(struct pk_tail *tail, struct pk_run *run);
/* The same, reads the inputs of run, and reports. Returns the exit status. The profile remains
 * valid until pk_tail_free(). */
int pk_tail_read(struct pk_tail *tail, struct pk_run *run);
/* Between pk_tail_start() and pk_run(): reads a file that the inputs are compared with. Its losses
 * are not those of the run. Returns the exit status. */
int pk_tail_read_base(struct pk_tail *tail, const char *file);
/* Evaluates a record, and counts it if it is a sample. Samples that are derived from others enter
 * here, too. */
static inline enum pk_status pk_tail_evaluate(struct pk_tail *tail, const struct pk_record *record)
{
	return pk_profile_record(&tail->profile, tail->run->reader, record);
}

/* Reports what was skipped, what the input lacks, and options that select no sample. Returns the
 * exit status. */
int pk_tail_report(const struct pk_tail *tail);
/* Its parts, in this order. Without samples, and samples of events that do not count: */
void pk_tail_report_samples(const struct pk_tail *tail);
/* Samples that lack the weight: */
void pk_tail_report_lacking(const struct pk_tail *tail);
/* Stages that would have made the stacks complete: */
void pk_tail_report_stages(const struct pk_tail *tail);
/* Options that select no sample. Returns the exit status. */
int pk_tail_report_selection(const struct pk_tail *tail);
/* Those of --event, and those of --where, parts of the selection: */
int pk_tail_report_event(const struct pk_tail *tail);
int pk_tail_report_where(const struct pk_tail *tail);

/* Returns status, or PK_EXIT_FAILED if lookups of symbols failed. */
int pk_tail_free(struct pk_tail *tail, int status);

#endif
