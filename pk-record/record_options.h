/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OPTIONS_H
#define PK_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "budget.h"
#include "event.h"
#include "options.h"
#include "pkstream.h"
#include "presets.h"
#include "run.h"
#include "user_bpf.h"
#include "windows.h"

/* How the user callchains of samples are recorded (--call-graph). */
enum callchain_mode {
	CALLCHAIN_NONE,
	CALLCHAIN_AUTO,	 /* stands for FP, UNWIND or DWARF, see stack_mode.h */
	CALLCHAIN_FP,	 /* the kernel follows frame pointers when it takes the sample */
	CALLCHAIN_DEFER, /* Like CALLCHAIN_FP, but a separate record has the user callchain. The
			  * kernel writes this record when the thread returns to user mode. */
	CALLCHAIN_DWARF, /* samples have the user registers and a dump of the user stack, from which
			  * pk-unwind makes the callchain */
	CALLCHAIN_UNWIND, /* a BPF program unwinds the user stack, see unwind_bpf.h */
	CALLCHAIN_LBR,	  /* the call stack that the processor records in its last branch records */
};

/* The frames of interpreted programs: the functions of the program, the native functions of the
 * interpreter, or both. */
enum interpreter_mode {
	INTERPRETER_MODE_REPLACE,
	INTERPRETER_MODE_NONE,
	INTERPRETER_MODE_BOTH,
};

/* When the events are enabled for the first time. */
enum delay {
	DELAY_NONE,
	DELAY_WINDOWS, /* -D is given; events are enabled in the windows (times) of its argument */
	DELAY_CONTROL, /* --control enables the events */
};

#define FREQUENCY_MAX UINT64_MAX /* the value of `frequency` for -F max */

#define RECORD_LABELS_MAX 64

/* An argument NAME=VALUE of --label. */
struct record_label {
	char name[PK_LABEL_NAME_MAX + 1];
	const char *value;
};

/* ---- The parts of the options ---- */

/* Options that select when samples are taken, and which fields they have. */
struct record_sampling {
	uint64_t frequency, period; /* Arguments of -F (in Hz) and -c (in events). Each is 0 if its
				     * option is not given. */
	uint64_t usual_frequency;  /* the frequency in Hz that is used if neither -F nor -c is given
				    */
	struct budget_cost budget; /* the limits of --budget for one second; all are 0 if it is not
				    * given */
	bool strict_frequency;	   /* fail if the frequency is above the limit of the kernel */
	bool no_samples;	   /* -n: counters run, but no samples are taken */
	/* Bits that options add to the attrs of all events. The bits of track_flags are added only
	 * to the event that tracks tasks. */
	uint64_t sample_type, read_format, flags, track_flags;
	uint64_t not_tracked; /* flags that the event that tracks tasks has by default, and that
			       * options have removed */
	uint64_t interrupt_registers, user_registers;
	uint64_t branch_type; /* the kinds of branches to record (PERF_SAMPLE_BRANCH_*); 0 if
			       * branches are not recorded */
	bool all_user, all_kernel;
	unsigned int memory; /* MEMORY_LOADS and MEMORY_STORES, for --mem and --c2c; 0 if they are
			      * not given */
	uint64_t memory_latency; /* minimum latency of recorded loads in cycles; 0 selects the
				  * default */
	bool use_clockid;
	int32_t clockid;
};

/* Options for the callchains of samples. */
struct record_stacks {
	enum callchain_mode mode;
	/* The mode of the events that CALLCHAIN_UNWIND cannot unwind. It is used only if `mode` is
	 * CALLCHAIN_UNWIND. */
	enum callchain_mode not_unwound;
	uint32_t stack_size;	   /* size of the stack dump in bytes for CALLCHAIN_DWARF */
	uint32_t probe_stack_size; /* size of the stack dump in bytes for events that take a sample
				    * at each occurrence (probes, for example) */
	uint16_t max_stack; /* maximum number of frames of a callchain; 0 selects the kernel's limit
			     */
	enum interpreter_mode interpreters; /* used only if `mode` is CALLCHAIN_UNWIND */
};

/* Options that select when the events are enabled, and when the recording ends. */
struct record_timing {
	uint64_t duration; /* length of the recording in ns; 0 to record until the command ends or a
			    * signal arrives */
	enum delay delay;  /* when events are enabled */
	struct window windows[WINDOWS_MOST];
	size_t windows_count; /* number of windows; used only if `delay` is DELAY_WINDOWS */
	const char *control;  /* argument of --control; NULL if it is not given */
};

/* Options for the rings and for the queue of the output. */
struct record_buffers {
	uint64_t ring_size; /* size in bytes of the data in each ring, a power of two; 0 selects the
			     * default */
	size_t queue;	    /* limit for the number of bytes that are queued for the reader */
	uint64_t patience;  /* how long to wait for a reader that accepts nothing, in ns */
	bool unbuffered;    /* the kernel wakes pk-record for each sample */
	int priority;	    /* the real-time priority of pk-record; 0 to keep the normal priority */
};

/* Options for hardware traces. */
struct record_traces {
	uint64_t
		area_size; /* size of an AUX area in bytes, a power of two; 0 selects the default */
	bool snapshot;	   /* AUX areas are overwritten, and written at SIGUSR2 and at the end */
	uint64_t snapshot_size; /* write at most this number of bytes; 0 for the whole area */
	uint64_t sample_size;	/* the samples of events that are in the group of a trace have a
				 * part of the trace of this size; 0 if they have none */
};

/* Options for the files that are written. */
struct record_files {
	const char *path; /* path of the output; NULL selects stdout */
	bool rotate; /* `path` has conversions of strftime(3), and each stream is a separate file;
		      * see segment.h */
	size_t keep; /* number of complete files to keep; 0 to keep all */
	uint64_t split_time, split_size; /* A new stream starts after this time in ns, or after this
					    number of bytes. Each is 0 if it is not given. */
	struct record_label labels[RECORD_LABELS_MAX]; /* arguments of --label */
	size_t labels_count;
	uint64_t max_size; /* the recording ends after this number of output bytes; 0 if there is no
			    * limit */
	bool compress;
	int level; /* compression level of zstd */
	/* Path of the file for the pid of pk-record; NULL if it is not given. */
	const char *pid_file;
	struct pk_fail_on fail_on;
};

/* Options for recording with BPF programs. */
struct record_programs {
	bool off_cpu;
	uint64_t off_cpu_threshold; /* in ns; shorter blocks are skipped */
	bool wakers;		    /* also record what has ended each block */
	struct user_bpf user;	    /* state of --bpf */
	uint32_t strings; /* maximum size in bytes of each text that --strings reads; 0 if --strings
			   * is not given */
};

/* The option --snapshots. */
struct record_snapshots {
	bool wanted;
	uint64_t interval; /* in ns; 0 for a single snapshot */
};

/* All options of pk-record. */
struct options {
	struct event_list events;
	struct pk_presets presets; /* owns the memory of event sets that options have expanded */
	struct target_spec target;
	bool list_json;	       /* --json: --list prints lines of JSON */
	struct pmu_json *json; /* descriptions of events from --events-dir or $PK_EVENTS_DIR; NULL
				* if none is given */
	const char *cgroups;   /* argument of -G */
	size_t last_events;    /* Index of the first event that the last -e or --probe has added.
				* --filter applies to the events from this index. */
	struct record_sampling sampling;
	struct record_stacks stacks;
	struct record_timing timing;
	struct record_buffers buffers;
	struct record_traces traces;
	struct record_files files;
	struct record_programs programs;
	struct record_snapshots snapshots;
	uint64_t heap; /* of --heap: bytes of allocations per sample; 0 if it is not given */
	enum listing { LIST_NOTHING, LIST_LINES, LIST_VARIABLES, LIST_FUNCTIONS } listing;
	const char *listed; /* the argument of the option that has set `listing` */
	bool dry_run;
	bool include_self;
	bool no_inherit;
	char *const *command; /* the words of the command, which end with NULL; NULL if there is no
			       * command */
	int argc; /* argc and argv as passed to main(), for the command line in the stream */
	char *const *argv;
};

/* Options that set members of a struct options. */
extern const struct pk_option record_rows[];
/* Parses the argument of -e, and adds its events. Returns PK_FAILED after it has printed a message.
 */
PK_MUST_CHECK enum pk_status record_add_events(struct options *options, const char *text);

#endif
