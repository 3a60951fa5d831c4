/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SCRIPT_H
#define SCRIPT_H

/* pk-script prints records one after another as text or JSON, or prints statistics about them. */

#include "allowance.h"
#include "fields.h"
#include "frame_texts.h"
#include "recording_header.h"
#include "sched_event.h"
#include "sched_text.h"
#include "second.h"
#include "tail.h"
#include "template.h"
#include "wall_clock.h"

/* The types of records that the text format can print in addition to samples. Each is selected by
 * an option --show-TYPE-events. */
enum {
	SHOW_TASKS = 1 << 0,
	SHOW_MMAPS = 1 << 1,
	SHOW_SWITCHES = 1 << 2,
	SHOW_LOST = 1 << 3,
	SHOW_NAMESPACES = 1 << 4,
	SHOW_CGROUPS = 1 << 5,
	SHOW_BPF = 1 << 6,
};

enum script_times { TIMES_AS_RECORDED, TIMES_SINCE_FIRST, TIMES_SINCE_LAST };

struct script_format;

/* The options of pk-script. */
struct script_options {
	struct pk_tail_options tail;
	const struct script_format *format;
	struct fields fields;
	struct template template; /* set by --format */
	struct sched_text sched;  /* set by --layout map and timehist */
	bool stacks;		  /* set by --layout stacks */
	unsigned int show;
	struct header_options header;
	uint32_t max_stack; /* maximum number of frames of a callchain that are printed */
	bool nanoseconds;
	enum script_times times;
	bool no_chains; /* -G is given: print no callchains, but only the address of the sample
			 * itself */
	struct pk_second second; /* the second recording, which --with selects */
	bool apart; /* The user knows that deferred callchains are separate from their samples, so
		     * do not warn about them. */
};

/* The text format of perf script, and lines of JSON. */
extern const struct script_format script_text, script_json;
/* The formats of --format and --layout. */
extern const struct script_format script_template, script_sched, script_stacks;

/* The format of --gen. It writes a Python script for the events of the input. */
extern const struct script_format script_skeleton;

/* Formats that print statistics about records instead of the records. */
extern const struct script_format script_stats, script_stats_json;

/* The format of --tasks. It prints a list of the tasks. */
extern const struct script_format script_tasks;

/* Reads all inputs, and returns the exit status. */
int script(struct pk_run *run, struct script_options *options);

/* ---- Shared by the formats ---- */

/* How the samples of an event are printed. */
struct event_style {
	const struct pk_event *event;
	enum field_type type;
	uint64_t fields;
	unsigned int parts; /* the parts of a frame's text that are printed, as PART_* bits */
	bool chain; /* Print callchains. It is set if the event's samples have callchains and -G is
		     * not given. */
	bool known, told;
	struct pk_tracepoint *tracepoint;
	struct pk_sched_format sched;
	char *column; /* the name of the event, in the form in which the output format prints it
		       * with each sample */
	size_t column_size;
};

/* A frame of the sample that is printed. */
struct shown_frame {
	uint64_t ip;
	struct shown_text text;
	bool cookie; /* `ip` is the cookie of a deferred callchain, not an address */
};

/* A sample, or another record that is printed with the same fields. */
struct shown {
	const struct pk_record *record;
	const struct event_style *view;
	struct pk_view *of; /* NULL if the record is not a sample */
	struct pk_sample sample;
	uint64_t period;
	const struct pk_thread *thread;
	const char *comm;
	size_t comm_size;
	/* The frames of the sample, starting with the leaf. If the sample has no callchain, there
	 * is one frame, for the ip of the sample. Not set if `whole` has the text of all frames. */
	const struct shown_frame *frames;
	size_t frames_count;
	struct chain_text *whole; /* the entry of the cache that has the text of all frames; NULL if
				   * there is none */
};

/* The state of pk-script while it prints. */
struct script {
	const struct script_options *options;
	struct pk_tail tail;
	struct pk_run *run;	    /* the run that the tail belongs to */
	struct pk_context *context; /* the context of the profile of the tail */
	struct buffer out;
	bool failed;	      /* memory was exhausted, so that `out` is incomplete */
	bool format_reported; /* report_format() has printed its warning */
	void *own;	      /* data of the output format, which only this format uses */
	struct recording_header *header; /* collects the header of the recording; NULL if the header
					  * is not printed */

	struct shown *shown; /* the current sample */
	struct frame_texts *texts;
	struct chain_texts *chains;
	struct resolver *resolver;
	struct code_reader *code; /* reads the machine code for fields that need it; NULL if no
				   * selected field needs it */

	/* Data of the current session: */
	struct event_style *views; /* how the samples of each event are printed; the index is the
				    * index of the event */
	size_t views_count;
	size_t events_known; /* number of events whose names were considered when name_width was
			      * calculated */
	unsigned int name_width;
	uint32_t images; /* number of IMAGE definitions of the session so far, for --json */
	uint32_t cpus;	 /* The number of available CPUs of the recorded machine, from the feature
			  * NRCPUS. 0 if it is unknown. */
	/* A time in ns, or 0 if no sample was printed yet. With --reltime, it is the time of the
	 * first printed sample. With --deltatime, it is the time of the previous printed sample. */
	uint64_t time_before;
	struct pk_wall_clock wall;
	/* The length of the longest text of data_src so far, in characters. The column gets wider
	 * during the output, as in perf. */
	uint32_t data_src_width;

	struct shown_frame *frames; /* the frames of the current sample */
	size_t frames_capacity;
	uint64_t frames_room; /* how many bytes of text the frames of the current sample may still
			       * have */
	bool frames_cut;   /* a frame of the current sample was left out because of frames_room */
	bool frames_retry; /* the function of a frame may be found later, so the text of the
			    * callchain must not be cached */
	struct pk_allowance allowance; /* limit for the text of all frames */
	/* Number of callchains of which some frames were not printed, in all inputs. */
	uint64_t cut;
	uint64_t deferred; /* number of callchains that are separate from their samples, in all
			    * inputs */
	struct pk_partial_chains partial; /* partial callchains of the printed samples */
	uint64_t shown_frames,
		unresolved; /* numbers of printed frames, and of those whose function is unknown,
			     * that were not added to the counts of losses yet */
};

/* An output format of pk-script. */
struct script_format {
	/* NULL, or a function that gets every record. If a format has this callback, the only other
	 * callbacks that are called are session_end and finish. The names of fields are not checked
	 * in this case. */
	enum pk_status (*count)(struct script *script, const struct pk_record *record);
	const struct frame_format *frame;
	/* Appends the text of all frames of shown->frames. */
	void (*frames)(struct script *script, const struct shown *shown);
	const char *option; /* the option with which the user names fields; used in messages */
	bool samples_only;  /* Without options --show-..., an input without samples prints nothing.
			     */
	/* For samples without a callchain, only the first frame that is not inlined is printed. */
	bool leaf_only;
	void (*sample)(struct script *script, const struct shown *shown);
	/* Called for every record except SAMPLE and BEGIN records. It is called after the session
	 * has evaluated the record. Only for an EXIT record, it is called before, because the
	 * session then forgets the task. */
	void (*record)(struct script *script, const struct pk_record *record);
	/* Appends the name of the event for view->column, in the form that is printed with each
	 * sample. May be NULL. */
	void (*column)(struct script *script, struct event_style *view, struct buffer *column);
	void (*session_end)(struct script *script); /* called at the end of a session, while its
						     * data still exist; may be NULL */
	void (*finish)(struct script *script);	    /* called after all inputs; may be NULL */
};

/* Stores the frames of a callchain that the kernel recorded in script->frames. Returns the number
 * of frames. */
size_t script_chain(struct script *script, const struct shown *shown, const struct pk_u64s *chain);
/* Finds the frames of a sample. They are the frames of its stack (the trailer of pk-symbolize).
 * Without a stack, they are the frames of `chain`. Without a chain, there is one frame for the
 * sample's ip. Stores the frames in shown->frames. If the text of all frames is cached, only sets
 * shown->whole. */
void script_frames(struct script *script, struct shown *shown, const struct pk_u64s *chain);
/* Appends the text of the frames that script_frames() has found. */
void script_print_frames(struct script *script, const struct shown *shown);
/* Sets the limits for the text of a record's frames. Call it for each record, before script_chain()
 * or script_frames(). */
void script_frames_start(struct script *script, const struct pk_record *record);
/* For a record that is not a SAMPLE: sets time, CPU, pid and tid from the trailer of the record.
 * Does not set the thread. Returns an error if the record has no event, or if memory is exhausted.
 */
PK_MUST_CHECK enum pk_status script_shown(struct script *script, const struct pk_record *record,
					  struct shown *shown);
/* Sets the thread and comm. shown->thread is NULL if memory is exhausted. */
void script_find_thread(struct script *script, struct shown *shown, uint32_t pid, uint32_t tid);
/* Like script_shown(), for CALLCHAIN_DEFERRED records. Also sets the thread and the frames. */
bool script_deferred(struct script *script, const struct pk_record *record, struct shown *shown);
/* Returns the text for an address of a sample that is not its ip, but the address of a branch or of
 * data. In samples of kernel or user mode, the highest bit of the address decides whether it is a
 * kernel address. */
struct shown_text script_address(struct script *script, const struct shown *shown, uint64_t ip,
				 unsigned int parts);
/* Sets *text to the value of a column. The text of a number is stored in `number`. Returns the kind
 * of the value. If the sample does not have the value, returns PK_VALUE_NONE and does not set
 * *text. */
enum pk_value_kind script_value(struct script *script, struct pk_view *of, struct pk_column *column,
				char number[PK_VALUE_SIZE], struct pk_bytes *text);

#endif
