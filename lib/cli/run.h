/* SPDX-License-Identifier: BSD-2-Clause */
/* The main loop of every program that reads streams. The loop opens the operands one after another,
 * and passes the records to the tool, which is the code of the program itself. It reports errors,
 * counts losses, and determines the exit status. */
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
#include "traces.h"

/* Moves bytes from an input pipe to an output pipe without copying them through write(2). tee(2)
 * duplicates the bytes into a second pipe, and the program reads them from there. The original
 * bytes stay in the input pipe until the program has decided what to do. Then they are moved to the
 * output with splice(2), or dropped. Only the loop uses this struct. */
struct pk_forward {
	int in, out, look[2]; /* look is the second pipe */
	bool verbatim;
	const uint8_t *at; /* The buffer that has the same bytes as the input pipe. It is NULL if
			    * the bytes in the buffer were changed. */
	size_t left;	   /* the number of bytes that were read and are still in the input pipe */
};

/* ---- Progress ---- */

/* Prints the progress of reading a regular file in a line on stderr. The line is printed only if
 * stderr is a terminal, without -q, and after the first second. */
struct pk_progress {
	bool shown, wanted; /* shown: a line is visible; wanted: lines may be printed */
	const char *name;
	uint64_t size;	      /* the size of the file in bytes */
	uint64_t start, next; /* The time when reading started, and the earliest time for the next
			       * line. Both are CLOCK_MONOTONIC in ns. */
	uint32_t countdown;   /* number of records until the clock is read again */
};
/* Prints the line if enough time has passed. `offset` is the position in the input in bytes. */
void pk_progress_show(struct pk_progress *progress, uint64_t offset);

/* Call this function for every record. */
static inline void pk_progress_tick(struct pk_progress *progress, uint64_t offset)
{
	if (__builtin_expect(progress->wanted, 0) && !progress->countdown--)
		pk_progress_show(progress, offset);
}

/* ---- The first bytes ---- */

/* The first bytes of an input. Programs that read several formats use them to find the format. */

#define PK_INPUT_HEAD 4096

/* The first bytes of an input, and how many of them were used. */
struct pk_input_head {
	int fd;
	size_t size, taken; /* size: the number of bytes in `data`; taken: how many of these bytes
			     * the reader already got */
	char data[PK_INPUT_HEAD];
};

/* ---- The loop ---- */

/* The option --fail-on. It has the kinds of losses that make the exit status 1. Each kind has a
 * percentage. The exit status is 1 if the loss is greater than this percentage. */
enum pk_fail_kind {
	PK_FAIL_LOST,
	PK_FAIL_TRUNCATED,
	PK_FAIL_UNRESOLVED,
	PK_FAIL_SPANS,
	PK_FAIL_REGRESSION, /* only if pk_fail_on.compares is set */
	PK_FAIL_KINDS
};

struct pk_fail_on {
	bool set[PK_FAIL_KINDS];
	double percent[PK_FAIL_KINDS];
	bool compares; /* the program compares recordings, and sets this before options are parsed
			*/
};

/* Parses a text such as "lost,truncated=5,unresolved". If there is no number, the limit is 0
 * percent. Returns false if the text is malformed. */
bool pk_parse_fail_on(const char *text, struct pk_fail_on *fail_on);

/* The current input and its current session. */
struct pk_run_input {
	int number; /* the number of the input, starting with 0 */
	bool piped; /* true if the input is neither a file nor a directory */
	int fd;
	const char *name; /* the name for messages */

	/* Only the loop uses the following members. */
	struct pk_input_head head; /* used if the callback pk_run.text is set */
	bool forwards;		   /* true if the kernel moves the bytes of this input to the output
				    * (pk_run_loop.forward) */
	bool in_session, damaged;
	bool readable;	/* true if a record or a line of text was read */
	bool swapped;	/* true if the byte order of the current session is not that of the host */
	bool complete;	/* for session_end(): true if the session was not cut */
	uint64_t round; /* the size of the output, in bytes, when pk_run_round() last wrote a
			 * FINISHED_ROUND */
};

/* The state of the loop that no tool uses. */
struct pk_run_loop {
	struct pk_forward forward;
	struct pk_progress progress;
	bool recorder_reports; /* true if pk-record has written this session and ran without -q; it
				* has then printed its losses */
	/* One bit for each program of the pipeline (stage_bit() in run.c). The bit is set if the
	 * program ran with -q, and so has not printed its losses. */
	uint64_t quiet_stages;
	struct pk_losses reported; /* The losses that earlier programs of the pipeline have already
				    * printed. The loop does not print them again. */
	uint64_t warnings;
	struct pk_table unknown; /* the unknown types of records that were already reported */
};

/* A run of the main loop: what the tool wants, its callbacks, and the state of the loop. */
struct pk_run {
	/* The tool sets the following members. All other members are zero. */
	char *const *files; /* The operands. If there are none, the program reads stdin. */
	int files_count;
	bool ordered; /* true if record() gets the records sorted by time (pk_order) */
	/* Can be true only if `ordered` is true. It is for a stage that must pass the stream on
	 * without delay. The loop writes each record as soon as it is read, in the order of the
	 * input. record() gets the records sorted by time, and must not write them. record() can
	 * write additional records. They come early enough for a next program that sorts by time
	 * (pk_order_tee). */
	bool tee;
	/* Used with `tee`. The loop calls passed() for every record that pk_stage_record() has not
	 * handled, after it has written the record or has dropped it as a bad sample. Can be NULL.
	 */
	void (*passed)(struct pk_run *run, const struct pk_record *record);
	/* true if the program is in the middle of a pipeline but is not a stage; it then reports
	 * only its own losses */
	bool within;
	/* true if the program is a tail; at the end, it reports hardware traces that no program has
	 * decoded */
	bool tail;
	/* true if the tool passes almost all records to pk_run_pass(). If the input and the output
	 * are pipes, the kernel then moves the bytes. */
	bool passes;
	bool maps; /* true if the tool looks only at a small part of each record; files are then
		    * mapped and not read */
	struct pk_fail_on fail_on;
	/* Gets every record, and every PK_RECORD_BEGIN. If `tee` is false, it does not get the
	 * records that pk_stage_record() has handled, or that pk_run_pass() has written. If
	 * `ordered` is true, it gets the records in the order of pk_order_next(). */
	enum pk_status (*record)(struct pk_run *run, const struct pk_record *record);
	/* Called at the end of a session, which can be complete or cut. In a stage, the loop writes
	 * the END record after this call. Can be NULL. */
	void (*session_end)(struct pk_run *run);
	/* Called before the program waits for more input. If it is NULL, the loop flushes the
	 * writer. */
	void (*idle)(struct pk_run *run);
	/* Called after all inputs were read and the losses were printed. The output is still open,
	 * so the messages of the next program come after the messages of this callback. Can be
	 * NULL. */
	void (*report)(struct pk_run *run);
	/* For a tool that also reads text. It is called with the first bytes of each input. It
	 * returns false if these bytes are the start of a stream. Otherwise it reads the rest of
	 * the input itself. If that fails, it sets *failed. Can be NULL. */
	bool (*text)(struct pk_run *run, const struct pk_input_head *head, bool *failed);
	void *arg;
	/* pk_run() sets it if no input could be read, or if the options do not fit the input. The
	 * error was already printed, and the tool must print no result. */
	bool nothing;
	bool refused; /* pk_run_refuse() sets it: the options do not fit the input */
	bool enough; /* record() sets it and returns PK_END. The loop then reads neither the rest of
		      * this input nor further inputs. */

	/* The tool can use the following members. */
	struct pk_reader *reader; /* the reader of the current input */
	struct pk_order *order;	  /* sorts the current input if `ordered` is true */
	struct pk_writer *writer; /* NULL if the program is not a stage */
	struct pk_stage *stage;	  /* NULL if the program is not a stage */
	struct pk_run_input input;
	struct pk_losses losses; /* the losses of all inputs that this program or an earlier program
				  * of the pipeline has found */
	struct pk_losses own;	 /* the losses that this program has found */
	struct pk_traces traces; /* the hardware traces of all inputs */
	/* Libraries add messages here. The loop prints them after each record, before its own
	 * messages about the input, and at the end of the run. */
	struct pk_messages messages;

	struct pk_run_loop loop; /* Only the loop uses it. */
};

/* Adds a loss to `losses` and `own`. In a stage, also adds it to the LOSS records that the stage
 * writes at the end of the session. `count` is the number of lost items. `total` is the number of
 * all items, or 0 if it is unknown. */
void pk_run_lose(struct pk_run *run, enum pk_loss_cause cause, uint64_t count, uint64_t total);
/* record() and text() call this function, after a message, if the options do not fit the input. The
 * loop then ends without further messages, and pk_run() returns PK_EXIT_USAGE. Returns PK_END. */
enum pk_status pk_run_refuse(struct pk_run *run);
/* Forgets all losses until now, because they belong to sessions that the tool does not use. */
void pk_run_forget_losses(struct pk_run *run);
/* Reports an error in a record of the current input. The exit status will then be PK_EXIT_FAILED.
 * Only the first five errors in all inputs are printed. At the end, the number of the other errors
 * is printed. With -v, all errors are printed. */
void pk_run_complain(struct pk_run *run, const struct pk_record *record, const char *text);
/* Returns true if this SAMPLE is complete. It must have a known event, and all fields of this
 * event. If the SAMPLE is not complete, the function reports the error, counts the SAMPLE as lost,
 * and returns false. The caller must then drop the SAMPLE. */
bool pk_run_good_sample(struct pk_run *run, const struct pk_record *record);
/* For a stage that does not sort. Writes a record unchanged. If the record is a sample or a
 * definition, it also writes the samples and definitions that follow in the buffer of the reader.
 * record() is not called for them. If the record is a sample that pk_run_good_sample() does not
 * accept, drops it. */
enum pk_status pk_run_pass(struct pk_run *run, const struct pk_record *record);
/* For a stage that writes records sorted by time. Writes a FINISHED_ROUND record after each MiB of
 * output, because perf queues all records until it reads a FINISHED_ROUND. Call it after every
 * record. */
enum pk_status pk_run_round(struct pk_run *run);
/* Connects the context with the run. If the context finds malformed records or losses, the run then
 * reports and counts them. */
void pk_run_connect(struct pk_run *run, struct pk_context *context);
/* Reads all inputs, and prints all messages. Returns the exit status. */
int pk_run(struct pk_run *run);

/* Like pk_run(), for a stage that writes a stream. Opens and closes the output, and creates
 * run->writer and run->stage. If `options` is NULL, does not create run->stage. This is for a tool
 * whose output has no STAGE record. `output` and `next_stage` are arguments of pk_output_open(). */
int pk_run_stage(struct pk_run *run, const struct pk_stage_options *options, const char *output,
		 const char *next_stage);

/* Writes a text such as "12 of 9,981 samples lost, 0.4% of frames unresolved". Returns false if
 * there are no losses. */
bool pk_losses_text(const struct pk_losses *losses, char *text, size_t size);

/* Warns if the user should have run other programs before this program. These are pk-unwind if
 * callchains are incomplete, and pk-merge-callchains if samples lack their user callchain.
 * `unmerged` is the number of these samples. */
void pk_report_missing_stages(const struct pk_partial_chains *partial, uint64_t unmerged);

/* Warns if the inputs have hardware traces that were not decoded. */
void pk_report_traces(const struct pk_run *run);

/* Warns if the inputs have no samples. Does not warn if an input was damaged. */
void pk_report_no_samples(const struct pk_run *run);

/* Returns true if a kind of loss in `fail_on` is greater than its percentage. */
bool pk_losses_exceed(const struct pk_losses *losses, const struct pk_fail_on *fail_on);

#endif
