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

/* Kinds of records that are printed besides samples: --show-... */
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
	bool whole_header;  /* with the lines that perf prints with -I only */
	bool only_events;   /* of the header */
	uint32_t max_stack; /* frames of a chain */
	bool nanoseconds;
	enum script_times times;
	bool no_chains;				  /* only the sample's own address */
	bool apart;				  /* deferred callchains are meant to be apart */
	const struct pk_symbols_options *symbols; /* that the store was made with */
};

/* The formats: the text of perf script, and lines of JSON. */
extern const struct script_format script_text, script_json;

/* What is printed instead of records: numbers about them. */
extern const struct script_format script_stats, script_stats_json;

/* Reads everything; the exit status. */
int script(struct pk_run *run, struct pk_symbols *symbols, const struct script_options *options);

/* ---- What the formats share ---- */

/* What is printed of an event's samples. */
struct view {
	const struct pk_event *event;
	enum field_type type;
	uint64_t fields;
	unsigned int parts; /* of frames */
	bool chain;	    /* its samples have callchains */
	bool known, told;
	struct pk_tracepoint *tracepoint;
	char *column; /* the event's name, as the format has it in front of what follows */
	size_t column_size;
};

struct shown_frame {
	uint64_t ip;
	struct shown_text text;
	bool cookie; /* ip is that of a deferred callchain */
};

/* A sample, or what else is printed with the fields of one. */
struct shown {
	const struct pk_record *record;
	const struct view *view;
	struct pk_view *of; /* NULL: it is no sample */
	struct pk_sample sample;
	uint64_t period;
	const struct pk_thread *thread;
	const char *comm;
	size_t comm_size;
	const struct shown_frame *frames; /* leaf first; of a sample without a chain its own ip */
	size_t frames_count;
	struct chain_text *whole; /* of all frames; NULL: there is none, and none is wanted */
};

struct script {
	struct pk_run *run;
	const struct script_options *options;
	struct buffer out;
	bool failed;	       /* out of memory: out lacks something */
	bool checked;	       /* names of fields */
	void *own;	       /* the format's */
	struct header *header; /* NULL: it is not asked for */

	struct pk_profile profile;
	struct pk_context *context; /* the profile's */
	struct shown *shown;	    /* the sample at hand */
	struct frame_texts *texts;
	struct chain_texts *chains;
	struct resolver *resolver;
	struct pk_symbols *symbols;

	/* The session's: */
	struct view *views; /* by event */
	size_t views_count;
	size_t events_known; /* when name_width was found */
	unsigned int name_width;
	uint32_t cpus;	      /* of the recorded machine, where the header told; 0 unknown */
	uint64_t time_before; /* that times are counted from */
	struct pk_wall_clock wall;
	uint32_t data_src_width; /* the longest text of data_src so far: perf's column grows */

	struct shown_frame *frames; /* of the sample at hand */
	size_t frames_capacity;
	uint64_t frames_room;	   /* bytes of text that the sample at hand may still have */
	bool frames_cut;	   /* there was no room for a frame of it */
	bool frames_retry;	   /* a frame may be resolved later */
	uint64_t frames_bytes;	   /* of text, all samples */
	uint64_t record_bytes;	   /* of all samples */
	uint64_t cut;		   /* callchains that were too long, all inputs */
	struct pk_id_range rooted; /* stacks whose root is known */
	uint32_t *roots;	   /* by index in that range */
	size_t roots_capacity;
	uint64_t deferred;		   /* callchains apart from their samples, all inputs */
	struct pk_partial_chains partial;  /* of samples that were shown */
	uint64_t shown_frames, unresolved; /* not yet in the books */
};

struct script_format {
	/* Every record, as it comes; then nothing else is asked for but finish. Or NULL. */
	enum pk_status (*count)(struct script *script, const struct pk_record *record);
	const struct frame_format *frame;
	/* Appends all frames. */
	void (*frames)(struct script *script, const struct shown *shown);
	/* Without a callchain only the first frame that is not inlined is printed. */
	bool leaf_only;
	void (*sample)(struct script *script, const struct shown *shown);
	/* Every record that is no SAMPLE, after it has been taken in; EXIT before. */
	void (*record)(struct script *script, const struct pk_record *record);
	/* Of a view's event that has been met for the first time. May be NULL. */
	void (*column)(struct script *script, struct view *view, struct buffer *column);
	void (*finish)(struct script *script); /* all inputs; may be NULL */
};

/* The frames of a callchain as the kernel wrote it go to script->frames; how many. */
size_t script_chain(struct script *script, const struct shown *shown, const struct pk_u64s *chain);
/* The frames of a sample: those of its stack, of its callchain, or of its ip where that is empty.
 */
void script_frames(struct script *script, struct shown *shown, const struct pk_u64s *chain);
/* Appends them. */
void script_print_frames(struct script *script, const struct shown *shown);
/* To be called for each record that has frames, before them: what they may be. */
void script_frames_start(struct script *script, const struct pk_record *record);
/* What a record that is no sample has of one, in its trailer; no thread yet. False: nothing can be
 * said. */
bool script_shown(struct script *script, const struct pk_record *record, struct shown *shown);
/* shown->thread is NULL without memory. */
void script_find_thread(struct script *script, struct shown *shown, uint32_t pid, uint32_t tid);
/* The same for CALLCHAIN_DEFERRED, with thread and frames. */
bool script_deferred(struct script *script, const struct pk_record *record, struct shown *shown);
/* A frame of a thread: also for addresses that are no code. */
struct shown_text script_address(struct script *script, const struct shown *shown, uint64_t ip,
				 unsigned int parts);
/* The value of a column as text, a number in `number`; the kind tells which. NONE: the sample does
 * not have it. */
enum pk_value_kind script_value(struct script *script, struct pk_view *of, struct pk_column *column,
				char number[PK_VALUE_SIZE], struct pk_bytes *text);

#endif
