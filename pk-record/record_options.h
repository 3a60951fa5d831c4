/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OPTIONS_H
#define PK_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "options.h"
#include "pkstream.h"
#include "presets.h"
#include "run.h"
#include "user_bpf.h"
#include "windows.h"

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
enum interpreters {
	INTERPRETERS_PYTHON,
	INTERPRETERS_NONE,
	INTERPRETERS_BOTH,
};

enum delay {
	DELAY_NONE,
	DELAY_WINDOWS, /* -D is given */
	DELAY_CONTROL, /* --control enables the events */
};

#define FREQUENCY_MAX UINT64_MAX /* the value for -F max */

#define RECORD_LABELS_MAX 64

struct record_label {
	char name[PK_LABEL_NAME_MAX + 1];
	const char *value;
};

/* ---- The parts of the options ---- */

struct record_sampling {
	uint64_t frequency, period; /* 0 if it is not given */
	uint64_t usual_frequency;   /* frequency in Hz if neither -F nor -c is given */
	bool strict_frequency;	    /* fail if the frequency is above the limit */
	bool no_samples;	    /* -n: events count, but take no samples */
	/* Bits that options add to the attrs of all events. track_flags are only added to the event
	 * that tracks tasks. */
	uint64_t sample_type, read_format, flags, track_flags;
	uint64_t not_tracked; /* default flags of the tracking event that options remove */
	uint64_t interrupt_registers, user_registers;
	uint64_t branch_type; /* 0 if branches are not recorded */
	bool all_user, all_kernel;
	unsigned int memory; /* MEMORY_LOADS and MEMORY_STORES, for --mem and --c2c; 0 if they are
			      * not given */
	uint64_t memory_latency; /* in cycles; 0 selects the default */
	bool use_clockid;
	int32_t clockid;
};

struct record_stacks {
	enum callchain_mode mode;
	enum callchain_mode not_unwound; /* Mode of events that CALLCHAIN_UNWIND cannot unwind. */
	uint32_t stack_size;		 /* size of the dump for CALLCHAIN_DWARF in bytes */
	uint32_t probe_stack_size;	 /* size of the dump in bytes for events that sample each
					  * occurrence */
	uint16_t max_stack;		 /* 0 selects the kernel's limit */
	enum interpreters interpreters;	 /* used with CALLCHAIN_UNWIND */
};

struct record_timing {
	uint64_t duration; /* ns; 0 to record until the command ends or a signal arrives */
	enum delay delay;  /* when events are enabled */
	struct window windows[WINDOWS_MOST];
	size_t windows_count; /* used with DELAY_WINDOWS */
	const char *control;  /* NULL if it is not given */
};

struct record_buffers {
	uint64_t ring_size; /* size of the data in each ring in bytes, a power of two; 0 selects the
			     * default */
	size_t queue;	    /* limit for the number of bytes that are queued for the reader */
	uint64_t patience;  /* time in ns to wait for a reader that accepts nothing */
	bool unbuffered;    /* the kernel wakes pk-record for each sample */
	int priority;	    /* a real-time priority, or 0 */
};

struct record_files {
	const char *path; /* path of the output; NULL selects stdout */
	bool rotate; /* `path` has conversions of strftime(3), and each stream is a separate file;
		      * see segment.h */
	size_t keep; /* number of complete files to keep; 0 to keep all */
	uint64_t split_time, split_size; /* A new stream starts after this time in ns, or after this
					  * number of bytes. 0 if it is not given. */
	struct record_label labels[RECORD_LABELS_MAX]; /* arguments of --label */
	size_t labels_count;
	uint64_t max_size; /* the recording ends after this number of output bytes; 0 if there is no
			    * limit */
	bool compress;
	int level;	      /* compression level of zstd */
	const char *pid_file; /* NULL if it is not given */
	struct pk_fail_on fail_on;
};

/* Options for recording with BPF programs. */
struct record_programs {
	bool off_cpu;
	uint64_t off_cpu_threshold; /* in ns; shorter blocks are skipped */
	struct user_bpf user;	    /* state of --bpf */
	uint32_t strings;	    /* maximum size of a text for --strings; 0 if it is not given */
};

struct options {
	struct event_list events;
	struct pk_presets presets; /* contains the memory of the sets of events */
	struct target_spec target;
	struct pmu_json *json; /* descriptions of --events-dir or $PK_EVENTS_DIR, or NULL */
	const char *cgroups;   /* argument of -G */
	size_t last_events;    /* index of the first event of the last -e or --probe */
	struct record_sampling sampling;
	struct record_stacks stacks;
	struct record_timing timing;
	struct record_buffers buffers;
	struct record_files files;
	struct record_programs programs;
	enum listing { LIST_NOTHING, LIST_LINES, LIST_VARIABLES, LIST_FUNCTIONS } listing;
	const char *listed; /* argument of the option in `listing` */
	bool dry_run;
	bool include_self;
	bool no_inherit;
	char *const *command; /* NULL-terminated; NULL without a command */
	int argc;	      /* as passed to main() */
	char *const *argv;
};

/* Options that set members of a struct options. */
extern const struct pk_option record_rows[];
/* Adds events like -e. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status record_add_events(struct options *options, const char *text);

#endif
