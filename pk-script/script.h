/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SCRIPT_H
#define SCRIPT_H

/* pk-script: records as text, one by one. */

#include "chain_texts.h"
#include "fields.h"
#include "frame_texts.h"
#include "profile.h"
#include "run.h"
#include "symbols.h"
#include "wall_clock.h"

/* Types of records that are printed besides samples: --show-... */
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

enum script_header { HEADER_NONE, HEADER_SHOWN, HEADER_ONLY };

struct script_format;
struct header;

struct script_options {
	const struct script_format *format;
	struct fields fields;
	unsigned int show;
	enum script_header header;
	bool whole_header;  /* with the lines that perf prints only with -I */
	bool only_events;   /* of the header */
	uint32_t max_stack; /* limit for the frames of a chain */
	bool nanoseconds;
	enum script_times times;
	bool no_chains;				  /* only the sample's own address */
	bool apart;				  /* do not warn about separate deferred
						   * callchains */
	const struct pk_symbols_options *symbols; /* the options that the store was created with */
};

/* The formats: text as perf script prints it, and lines of JSON. */
extern const struct script_format script_text, script_json;

/* Formats that print statistics, not records. */
extern const struct script_format script_stats, script_stats_json;

/* Reads all inputs; returns the exit status. */
int script(struct pk_run *run, struct pk_symbols *symbols, const struct script_options *options);

/* ---- Shared by the formats ---- */

/* The output for an event's samples. */
struct view {
	const struct pk_event *event;
	enum field_type type;
	uint64_t fields;
	unsigned int parts; /* of frames */
	bool chain;	    /* its samples have callchains */
	bool known, told;
	struct pk_tracepoint *tracepoint;
	char *column; /* the event's name as the format prints it */
	size_t column_size;
};

struct shown_frame {
	uint64_t ip;
	struct shown_text text;
	bool cookie; /* ip is that of a deferred callchain */
};

/* A sample, or another record that is printed with the same fields. */
struct shown {
	const struct pk_record *record;
	const struct view *view;
	struct pk_view *of; /* NULL: not a sample */
	struct pk_sample sample;
	uint64_t period;
	const struct pk_thread *thread;
	const char *comm;
	size_t comm_size;
	const struct shown_frame *frames; /* leaf first; for a sample without a chain: its own ip */
	size_t frames_count;
	struct chain_text
		*whole; /* the text of all frames; NULL: not cached, and not to be cached */
};

struct script {
	struct pk_run *run;
	const struct script_options *options;
	struct buffer out;
	bool failed;	       /* out of memory: out is incomplete */
	bool checked;	       /* the names of fields were checked */
	void *own;	       /* the format's */
	struct header *header; /* NULL: not selected */

	struct pk_profile profile;
	struct pk_context *context; /* the profile's */
	struct shown *shown;	    /* the current sample */
	struct frame_texts *texts;
	struct chain_texts *chains;
	struct resolver *resolver;
	struct pk_symbols *symbols;

	/* The session's: */
	struct view *views; /* by event */
	size_t views_count;
	size_t events_known; /* number of events when name_width was calculated */
	unsigned int name_width;
	uint32_t cpus;	      /* of the recorded machine, from the header; 0 unknown */
	uint64_t time_before; /* the origin of printed times */
	struct pk_wall_clock wall;
	uint32_t data_src_width; /* the longest text of data_src so far: perf's column grows */

	struct shown_frame *frames; /* of the current sample */
	size_t frames_capacity;
	uint64_t frames_room;	   /* bytes of text that the current sample can still print */
	bool frames_cut;	   /* a frame did not fit */
	bool frames_retry;	   /* a frame may be resolved later */
	uint64_t frames_bytes;	   /* of text, all samples */
	uint64_t record_bytes;	   /* of all samples */
	uint64_t cut;		   /* number of callchains that were cut, in all inputs */
	struct pk_id_range rooted; /* stacks with a known root */
	uint32_t *roots;	   /* by index in that range */
	size_t roots_capacity;
	uint64_t deferred;		   /* number of callchains separate from their samples, in
					    * all inputs */
	struct pk_partial_chains partial;  /* of printed samples */
	uint64_t shown_frames, unresolved; /* not yet added to the losses */
};

struct script_format {
	/* Called for every record as it is read; then no other function except finish is called. Or
	 * NULL. */
	enum pk_status (*count)(struct script *script, const struct pk_record *record);
	const struct frame_format *frame;
	/* Appends the text of all frames. */
	void (*frames)(struct script *script, const struct shown *shown);
	/* Without a callchain, only the first frame that is not inlined is printed. */
	bool leaf_only;
	void (*sample)(struct script *script, const struct shown *shown);
	/* Called for every record that is not a SAMPLE, after it was evaluated; for EXIT,
	 * before. */
	void (*record)(struct script *script, const struct pk_record *record);
	/* Called for the first sample of a view's event. May be NULL. */
	void (*column)(struct script *script, struct view *view, struct buffer *column);
	void (*finish)(struct script *script); /* after all inputs; may be NULL */
};

/* Writes the frames of a callchain, as the kernel wrote it, to script->frames; returns their
 * number. */
size_t script_chain(struct script *script, const struct shown *shown, const struct pk_u64s *chain);
/* Finds the frames of a sample: of its stack, of its callchain, or of its ip if that is empty. */
void script_frames(struct script *script, struct shown *shown, const struct pk_u64s *chain);
/* Appends the text of the frames. */
void script_print_frames(struct script *script, const struct shown *shown);
/* Call it for each record that has frames, before them: sets the limits. */
void script_frames_start(struct script *script, const struct pk_record *record);
/* Fills in the sample fields that the trailer of another record has; without the thread. False:
 * none. */
bool script_shown(struct script *script, const struct pk_record *record, struct shown *shown);
/* shown->thread is NULL if memory is exhausted. */
void script_find_thread(struct script *script, struct shown *shown, uint32_t pid, uint32_t tid);
/* The same for CALLCHAIN_DEFERRED, with thread and frames. */
bool script_deferred(struct script *script, const struct pk_record *record, struct shown *shown);
/* A frame of a thread, also for addresses that are not code. */
struct shown_text script_address(struct script *script, const struct shown *shown, uint64_t ip,
				 unsigned int parts);
/* The value of a column as text, a number in `number`; the kind tells which. NONE: the sample does
 * not have it. */
enum pk_value_kind script_value(struct script *script, struct pk_view *of, struct pk_column *column,
				char number[PK_VALUE_SIZE], struct pk_bytes *text);

#endif
