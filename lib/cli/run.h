/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RUN_H
#define PK_RUN_H

/*
 * The loop of every stage that reads streams: opens the operands in turn, hands records to the
 * tool, says what is wrong, keeps the books of what got lost, and knows the exit status.
 */

#include "cli.h"
#include "forward.h"
#include "messages.h"
#include "pkprivate.h"
#include "progress.h"
#include "session.h"

/* --fail-on: which losses make the exit status 1, above how many percent. */
enum pk_fail_kind { PK_FAIL_LOST, PK_FAIL_TRUNCATED, PK_FAIL_UNRESOLVED, PK_FAIL_KINDS };

struct pk_fail_on {
	bool set[PK_FAIL_KINDS];
	double percent[PK_FAIL_KINDS];
};

/* "lost,truncated=5,unresolved". False: malformed. */
bool pk_parse_fail_on(const char *text, struct pk_fail_on *fail_on);

struct pk_run {
	/* The tool's to set; what is not mentioned is zero. */
	char *const *files; /* operands; none: stdin */
	int files_count;
	bool ordered; /* read through the ordered reader */
	/* With it, for a stage that passes on the stream as it is, and at once: record() gets the
	 * records in order and writes none of them. What it writes in reply to one stands before
	 * what will make the next program's ordered reader deliver that one (pk_order_tee). */
	bool tee;
	/* With tee: behind every record that was written. May be NULL. */
	void (*passed)(struct pk_run *run, const struct pk_record *record);
	/* Not a stage, but mid-pipeline: report only our own losses. */
	bool within;
	/* Almost everything is passed on by pk_run_pass. */
	bool passes;
	struct pk_fail_on fail_on;
	/* Every record, and PK_RECORD_BEGIN of every session but those that the stage has dealt
	 * with. */
	enum pk_status (*record)(struct pk_run *run, const struct pk_record *record);
	/* Before a session ends, complete or not; a stage's END is written after it. May be NULL.
	 */
	void (*session_end)(struct pk_run *run);
	/* Before the program waits for more input; NULL: the writer is flushed. */
	void (*idle)(struct pk_run *run);
	/* After all inputs and the summary of losses, but before the output is closed: the next
	 * program's messages come after these. May be NULL. */
	void (*report)(struct pk_run *run);
	void *arg;
	bool enough; /* set by record(), which returns PK_END: no more of this or other inputs */

	/* For the tool to use. */
	struct pk_reader *reader; /* of the current input */
	struct pk_order *order;	  /* likewise, if ordered */
	struct pk_writer *writer; /* NULL for a tail */
	struct pk_stage *stage;	  /* likewise */
	int file;		  /* number of the current input, from 0 on */
	const char *name;	  /* of the current input, for messages */
	struct pk_losses losses;  /* all inputs, of the stages before and this one */
	struct pk_losses own;	  /* of that, what this program has found */
	/* For libraries to fill: printed after each record, before complaints and at the end. */
	struct pk_messages messages;

	/* The loop's own. */
	struct pk_forward forward;
	bool forwards; /* this input */
	struct pk_progress progress;
	bool in_session, damaged;
	bool swapped;		   /* the session that records are delivered of */
	bool complete;		   /* for session_end: it was not cut */
	bool piped;		   /* this input is no regular file */
	bool recorder_reports;	   /* pk-record has written this session, without -q */
	uint64_t quiet_stages;	   /* bits: ids of stages with -q, which have printed nothing */
	struct pk_losses reported; /* of losses, what programs before this one have printed */
	uint64_t round; /* size of the output at the last FINISHED_ROUND; pk_run_round changes it */
	uint64_t warnings;
};

/* Notes a loss here and, if this is a stage, for the stages after it. */
void pk_run_lose(struct pk_run *run, enum pk_loss_cause cause, uint64_t count, uint64_t total);
/* Says what is wrong with a record of the current input, as often as is bearable, and counts it. */
void pk_run_complain(struct pk_run *run, const struct pk_record *record, const char *text);
/* Can this SAMPLE be read? Complains of it, and counts it, if not: it is to be dropped. */
bool pk_run_good_sample(struct pk_run *run, const struct pk_record *record);
/* Writes a record of a stage that puts nothing in order as it is, and those that follow it and need
 * no look at once; drops samples that cannot be read. */
enum pk_status pk_run_pass(struct pk_run *run, const struct pk_record *record);
/* For a stage that reads in order: writes a FINISHED_ROUND every so many bytes, until which perf
 * queues records. To be called after every record. */
enum pk_status pk_run_round(struct pk_run *run);
/* Reads everything. The exit status, after all messages. */
int pk_run(struct pk_run *run);

/* The same for a stage that writes a stream: opens and closes the output, and makes run->writer and
 * run->stage (options NULL: no stage; what is written is the tool's business). output: see
 * pk_output_open. */
int pk_run_stage(struct pk_run *run, const struct pk_stage_options *options, const char *output,
		 const char *next_stage);

/* "12 of 9,981 samples lost, 0.4% of frames unresolved" into text; false if there is nothing to
 * say. */
bool pk_losses_text(const struct pk_losses *losses, char *text, size_t size);

/* Says which stages are missing: pk-unwind, for partial callchains, and pk-merge-callchains, for so
 * many without their user half. */
void pk_report_missing_stages(const struct pk_partial_chains *partial, uint64_t unmerged);

/* Says that the inputs, which could be read, have no samples, if so. */
void pk_report_no_samples(const struct pk_run *run);

bool pk_losses_exceed(const struct pk_losses *losses, const struct pk_fail_on *fail_on);

#endif
