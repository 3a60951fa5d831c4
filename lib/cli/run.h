/* SPDX-License-Identifier: BSD-2-Clause */
/* The loop of every program that reads streams: opens the operands one after another, passes
 * records to the tool, reports errors, accounts for losses, and determines the exit status. */
#ifndef PK_RUN_H
#define PK_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli.h"
#include "context.h"
#include "losses.h"
#include "messages.h"
#include "pkprivate.h"
#include "table.h"

/* Passes bytes from an input pipe to an output pipe without write(2): tee(2) fills a second pipe
 * with the same pages, and the program reads the bytes from there. The original bytes stay in the
 * input pipe until the program has decided: then splice(2) moves them to the output, or they are
 * dropped. Private to the loop. */
struct pk_forward {
	int in, out, look[2]; /* look: the second pipe */
	bool verbatim;
	const uint8_t *at; /* the buffer with the bytes that are still in the input pipe; NULL: not
			    * verbatim */
	size_t left;	   /* number of bytes that were read and are still in the input pipe */
};

/* ---- Progress ---- */

/* A line on stderr with the progress of reading a regular file: only on a terminal, not with -q,
 * and only after one second. */
struct pk_progress {
	bool shown, wanted; /* a line was printed; lines may be printed */
	const char *name;
	uint64_t size;	      /* of the file, bytes */
	uint64_t start, next; /* CLOCK_MONOTONIC, ns: when reading started, and the earliest time
			       * for the next line */
	uint32_t countdown;   /* records until the clock is read again */
};
/* Prints the line if it is time for it. offset is the position in the input in bytes. */
void pk_progress_show(struct pk_progress *progress, uint64_t offset);

/* Call this for every record. */
static inline void pk_progress_tick(struct pk_progress *progress, uint64_t offset)
{
	if (__builtin_expect(progress->wanted, 0) && !progress->countdown--)
		pk_progress_show(progress, offset);
}

/* ---- The first bytes ---- */

/* The first bytes of an input, for programs that read several formats. */

#define PK_INPUT_HEAD 4096

struct pk_input_head {
	int fd;
	size_t size, taken; /* of data */
	char data[PK_INPUT_HEAD];
};

/* ---- The loop ---- */

/* For --fail-on: the kinds of losses that make the exit status 1, and the percentages above which
 * they do. */
enum pk_fail_kind {
	PK_FAIL_LOST,
	PK_FAIL_TRUNCATED,
	PK_FAIL_UNRESOLVED,
	PK_FAIL_SPANS,
	PK_FAIL_KINDS
};

struct pk_fail_on {
	bool set[PK_FAIL_KINDS];
	double percent[PK_FAIL_KINDS];
};

/* Parses "lost,truncated=5,unresolved". Without a number, the limit is 0 percent. Returns false if
 * it is malformed. */
bool pk_parse_fail_on(const char *text, struct pk_fail_on *fail_on);

/* The current input, and its current session. */
struct pk_run_input {
	int number; /* from 0 on */
	bool piped; /* it is neither a file nor a directory */
	int fd;
	const char *name; /* for messages */

	/* Private to the loop. */
	struct pk_input_head head; /* with pk_run.text */
	bool forwards;		   /* pk_run_loop.forward is used */
	bool in_session, damaged;
	bool readable;	/* a record or a line of text was read */
	bool swapped;	/* byte order of the session whose records are delivered */
	bool complete;	/* for session_end: the session was not cut */
	uint64_t round; /* size of the output at the last FINISHED_ROUND; for pk_run_round */
};

struct pk_run_loop {
	struct pk_forward forward;
	struct pk_progress progress;
	bool recorder_reports;	   /* pk-record without -q wrote this session */
	uint64_t quiet_stages;	   /* bits: ids of stages with -q: they printed nothing */
	struct pk_losses reported; /* the part of losses that earlier programs printed */
	uint64_t warnings;
	struct pk_table unknown; /* types that were reported as unknown */
};

struct pk_run {
	/* Set by the tool. Members that are not mentioned are zero. */
	char *const *files; /* operands; none: stdin */
	int files_count;
	bool ordered; /* record() gets the records sorted by time (pk_order) */
	/* With ordered, for a stage that passes the stream through without delay: the loop writes
	 * each record as soon as it is read, unsorted. record() gets the records sorted by time,
	 * and must not write them. What record() writes for a record comes early enough for the
	 * next program's ordered reader (pk_order_tee). */
	bool tee;
	/* With tee: called for every record that pk_stage_record has not handled, after the loop
	 * has written it, or dropped a bad sample. May be NULL. */
	void (*passed)(struct pk_run *run, const struct pk_record *record);
	/* Not a stage, but mid-pipeline: report only our own losses. */
	bool within;
	/* The tool passes almost all records to pk_run_pass: between pipes, the bytes are then
	 * moved by the kernel. */
	bool passes;
	bool maps; /* the tool looks at a small part of each record: files are mapped, not read */
	struct pk_fail_on fail_on;
	/* Gets every record and every PK_RECORD_BEGIN. Without tee, it does not get the records
	 * that pk_stage_record has handled and those that pk_run_pass has written. With ordered, it
	 * gets them as pk_order_next returns them. */
	enum pk_status (*record)(struct pk_run *run, const struct pk_record *record);
	/* Called at the end of a session, complete or cut. A stage's END is written after it. May
	 * be NULL. */
	void (*session_end)(struct pk_run *run);
	/* Called before the program waits for more input. With NULL, the writer is flushed. */
	void (*idle)(struct pk_run *run);
	/* Called after all inputs and the summary of losses, but before the output is closed: the
	 * next program's messages follow. May be NULL. */
	void (*report)(struct pk_run *run);
	/* For a tool that reads text, too: called with the first bytes of each input. It returns
	 * false if they are of a stream. Otherwise it reads the rest of the input itself, and sets
	 * *failed if that failed. May be NULL. */
	bool (*text)(struct pk_run *run, const struct pk_input_head *head, bool *failed);
	void *arg;
	bool nothing; /* set by pk_run(): no input could be read, or the run was refused. That was
		       * reported, and there is nothing to print */
	bool refused; /* set by pk_run_refuse() */
	bool enough;  /* set by record(), which then returns PK_END: do not read the rest of this
		       * input, nor further inputs */

	/* For use by the tool. */
	struct pk_reader *reader; /* of the current input */
	struct pk_order *order;	  /* of the current input, if ordered */
	struct pk_writer *writer; /* NULL if the program is not a stage */
	struct pk_stage *stage;	  /* likewise */
	struct pk_run_input input;
	struct pk_losses losses; /* of all inputs, reported by earlier stages and by this one */
	struct pk_losses own;	 /* the part of losses that this program has found */
	/* Libraries add messages here. The loop prints them after each record, before its own
	 * messages about the input, and at the end. */
	struct pk_messages messages;

	struct pk_run_loop loop; /* private */
};

/* Adds a loss to losses and own. In a stage, also adds it to the LOSS records that it writes at the
 * end of the session. total is the number of all, or 0 if it is unknown. */
void pk_run_lose(struct pk_run *run, enum pk_loss_cause cause, uint64_t count, uint64_t total);
/* For record() and text(), after a message: the options do not fit the input. The loop ends,
 * without further messages, and pk_run() returns PK_EXIT_USAGE. Returns PK_END. */
enum pk_status pk_run_refuse(struct pk_run *run);
/* Forgets all losses so far: they are those of sessions that the tool does not use. */
void pk_run_forget_losses(struct pk_run *run);
/* Reports an error in a record of the current input. The exit status will be PK_EXIT_FAILED. Only
 * the first five reports of all inputs are printed, and the number of the others. With -v, all are
 * printed. */
void pk_run_complain(struct pk_run *run, const struct pk_record *record, const char *text);
/* Whether this SAMPLE has a known event, and all fields if they are known. If not, reports it and
 * counts it as lost. The caller must drop it. */
bool pk_run_good_sample(struct pk_run *run, const struct pk_record *record);
/* For a stage that does not sort: writes a record unchanged. After a sample or a definition, it
 * also writes the samples and definitions that follow it in the reader's buffer. record() does not
 * get them. Drops the record if it is a sample that is not good (pk_run_good_sample). */
enum pk_status pk_run_pass(struct pk_run *run, const struct pk_record *record);
/* For a stage that writes records sorted by time: writes a FINISHED_ROUND after each MiB of output,
 * because perf queues records until it reads one. Call it after every record. */
enum pk_status pk_run_round(struct pk_run *run);
/* Malformed records and losses that the context finds are reported as those of the run. */
void pk_run_connect(struct pk_run *run, struct pk_context *context);
/* Reads all inputs, and prints all messages. Returns the exit status. */
int pk_run(struct pk_run *run);

/* The same for a stage that writes a stream: opens and closes the output, and creates run->writer
 * and run->stage. options NULL: without run->stage, for a tool whose output has no STAGE record.
 * output, next_stage: see pk_output_open. */
int pk_run_stage(struct pk_run *run, const struct pk_stage_options *options, const char *output,
		 const char *next_stage);

/* Writes "12 of 9,981 samples lost, 0.4% of frames unresolved" into text. Returns false if there
 * are no losses. */
bool pk_losses_text(const struct pk_losses *losses, char *text, size_t size);

/* Reports missing stages: pk-unwind for partial callchains, and pk-merge-callchains for the number
 * of samples without a user half. */
void pk_report_missing_stages(const struct pk_partial_chains *partial, uint64_t unmerged);

/* Warns if the inputs have no samples, and no input was damaged. */
void pk_report_no_samples(const struct pk_run *run);

/* Whether a loss of a kind in fail_on is above its percentage. */
bool pk_losses_exceed(const struct pk_losses *losses, const struct pk_fail_on *fail_on);

#endif
