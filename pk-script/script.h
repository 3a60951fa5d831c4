/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SCRIPT_H
#define SCRIPT_H

/* pk-script: prints records one after another, as text or JSON, or prints statistics about them. */

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

/* Types of records that the text format prints besides samples: options --show-TYPE-events. */
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

struct script_options {
	struct pk_tail_options tail;
	const struct script_format *format;
	struct fields fields;
	struct template template; /* --format */
	struct sched_text sched;  /* --layout */
	unsigned int show;
	struct header_options header;
	uint32_t max_stack; /* limit for the frames of a chain */
	bool nanoseconds;
	enum script_times times;
	bool no_chains;		 /* -G: print only the sample's own address */
	struct pk_second second; /* --with */
	bool apart;		 /* do not warn about separate deferred callchains */
};

/* The formats: text as perf script prints it, and lines of JSON. */
extern const struct script_format script_text, script_json;
/* Lines of --format, and of --layout. */
extern const struct script_format script_template, script_sched;

/* A script in Python for the events of the input: --gen. */
extern const struct script_format script_skeleton;

/* Formats that print statistics, not records. */
extern const struct script_format script_stats, script_stats_json;

/* Reads all inputs, and returns the exit status. */
int script(struct pk_run *run, struct script_options *options);

/* ---- Shared by the formats ---- */

/* How the samples of an event are printed. */
struct event_style {
	const struct pk_event *event;
	enum field_type type;
	uint64_t fields;
	unsigned int parts; /* of frames */
	bool chain;	    /* print callchains: its samples have them, and -G is not given */
	bool known, told;
	struct pk_tracepoint *tracepoint;
	struct pk_sched_format sched;
	char *column; /* the event's name as the format prints it */
	size_t column_size;
};

struct shown_frame {
	uint64_t ip;
	struct shown_text text;
	bool cookie; /* ip is the cookie of a deferred callchain, not an address */
};

/* A sample, or another record that is printed with the same fields. */
struct shown {
	const struct pk_record *record;
	const struct event_style *view;
	struct pk_view *of; /* NULL: not a sample */
	struct pk_sample sample;
	uint64_t period;
	const struct pk_thread *thread;
	const char *comm;
	size_t comm_size;
	const struct shown_frame *frames; /* leaf first; for a sample without a chain: that of its
					   * own ip. Not set if the text of `whole` is used */
	size_t frames_count;
	struct chain_text *whole; /* the cache's entry for the text of all frames; its text is NULL
				   * until it is stored. NULL: do not store the text */
};

struct script {
	const struct script_options *options;
	struct pk_tail tail;
	struct pk_run *run;	    /* that of the tail */
	struct pk_context *context; /* that of its profile */
	struct buffer out;
	bool failed;			 /* out of memory: out is incomplete */
	bool format_reported;		 /* report_format() has warned */
	void *own;			 /* data of the format */
	struct recording_header *header; /* NULL: not selected */

	struct shown *shown; /* the current sample */
	struct frame_texts *texts;
	struct chain_texts *chains;
	struct resolver *resolver;
	struct code_reader *code; /* NULL: no field needs it */

	/* Data of the current session: */
	struct event_style *views; /* by event */
	size_t views_count;
	size_t events_known; /* number of events from which name_width was calculated */
	unsigned int name_width;
	uint32_t cpus; /* number of available CPUs of the recorded machine, from the feature NRCPUS;
			* 0: unknown */
	uint64_t time_before; /* --reltime: the first printed time; --deltatime: the previous one.
			       * ns; 0: none */
	struct pk_wall_clock wall;
	uint32_t data_src_width; /* the longest text of data_src so far; as in perf, the column
				  * grows */

	struct shown_frame *frames; /* of the current sample */
	size_t frames_capacity;
	uint64_t frames_room;	       /* bytes of text that the current sample can still print */
	bool frames_cut;	       /* a frame did not fit */
	bool frames_retry;	       /* a frame may be resolved later: do not cache the text */
	struct pk_allowance allowance; /* what the frames may cost */
	uint64_t cut;		       /* number of callchains that were cut, in all inputs */
	uint64_t deferred;	       /* number of callchains separate from their samples, in
					* all inputs */
	struct pk_partial_chains partial;  /* of printed samples */
	uint64_t shown_frames, unresolved; /* not yet added to the losses */
};

struct script_format {
	/* If not NULL, it is called for every record, and no other function except session_end
	 * and finish is called. Names of fields are not checked. */
	enum pk_status (*count)(struct script *script, const struct pk_record *record);
	const struct frame_format *frame;
	/* Appends the text of all frames of shown->frames. */
	void (*frames)(struct script *script, const struct shown *shown);
	const char *option; /* that names the fields, for messages */
	bool samples_only;  /* without --show-..., an input without samples prints nothing */
	/* For samples without a callchain, only the first frame that is not inlined is printed. */
	bool leaf_only;
	void (*sample)(struct script *script, const struct shown *shown);
	/* Called for every record except SAMPLE and BEGIN, after the session has evaluated it. For
	 * EXIT it is called before, because the session then forgets the task. */
	void (*record)(struct script *script, const struct pk_record *record);
	/* Appends the event's name as it is printed with each sample, for view->column. May be
	 * NULL. */
	void (*column)(struct script *script, struct event_style *view, struct buffer *column);
	void (*session_end)(struct script *script); /* before the session is left; may be NULL */
	void (*finish)(struct script *script);	    /* after all inputs; may be NULL */
};

/* Stores the frames of a callchain from the kernel in script->frames. Returns their number. */
size_t script_chain(struct script *script, const struct shown *shown, const struct pk_u64s *chain);
/* Finds the frames of a sample: those of its stack (trailer of pk-symbolize), else of chain, else
 * of its ip. Stores them in shown->frames or, if their text is cached, only sets shown->whole. */
void script_frames(struct script *script, struct shown *shown, const struct pk_u64s *chain);
/* Appends the text of the frames that script_frames() has found. */
void script_print_frames(struct script *script, const struct shown *shown);
/* Sets the limits for the text of a record's frames. Call it for each record, before script_chain()
 * or script_frames(). */
void script_frames_start(struct script *script, const struct pk_record *record);
/* For a record that is not a SAMPLE: fills in time, CPU, pid and tid from its trailer, but not the
 * thread. Returns false if the record has no event, or memory is exhausted. */
PK_MUST_CHECK enum pk_status script_shown(struct script *script, const struct pk_record *record,
					  struct shown *shown);
/* Sets thread and comm. shown->thread is NULL if memory is exhausted. */
void script_find_thread(struct script *script, struct shown *shown, uint32_t pid, uint32_t tid);
/* Like script_shown(), for CALLCHAIN_DEFERRED: also sets the thread and the frames. */
bool script_deferred(struct script *script, const struct pk_record *record, struct shown *shown);
/* The text for an address of a sample other than its ip: a branch, or data. In samples of kernel or
 * user mode, the highest bit of the address decides whether it is a kernel address. */
struct shown_text script_address(struct script *script, const struct shown *shown, uint64_t ip,
				 unsigned int parts);
/* Sets *text to the value of a column. The text of a number is stored in `number`. Returns the kind
 * of the value. It is PK_VALUE_NONE if the sample does not have it, and *text is not set then. */
enum pk_value_kind script_value(struct script *script, struct pk_view *of, struct pk_column *column,
				char number[PK_VALUE_SIZE], struct pk_bytes *text);

#endif
