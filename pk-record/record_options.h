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
	CALLCHAIN_AUTO,	 /* stands for FP, UNWIND or DWARF: see stack_mode.h */
	CALLCHAIN_FP,	 /* the kernel follows frame pointers when it takes the sample */
	CALLCHAIN_DEFER, /* the same, but the user callchain follows in a record of its own when the
			  * thread returns to user mode */
	CALLCHAIN_DWARF, /* user registers and a dump of the user stack, from which pk-unwind makes
			  * the callchain */
	CALLCHAIN_UNWIND, /* a BPF program unwinds the user stack: see unwind_bpf.h */
	CALLCHAIN_LBR,	  /* the call stack that the processor records in its last branch records */
};

/* Frames of interpreters: those of the program, the native ones of the interpreter, or both. */
enum interpreters {
	INTERPRETERS_PYTHON,
	INTERPRETERS_NONE,
	INTERPRETERS_BOTH,
};

enum delay {
	DELAY_NONE,
	DELAY_WINDOWS, /* -D */
	DELAY_CONTROL, /* until --control enables the events */
};

#define FREQUENCY_MAX UINT64_MAX /* -F max */

#define RECORD_LABELS_MAX 64

struct record_label {
	char name[PK_LABEL_NAME_MAX + 1];
	const char *value;
};

/* ---- The parts of the options ---- */

struct record_sampling {
	uint64_t frequency, period; /* 0: not given */
	uint64_t usual_frequency;   /* in Hz, without -F and -c */
	bool strict_frequency;	    /* fail if the frequency is above the limit */
	bool no_samples;	    /* -n: events count, but take no samples */
	/* Bits that options add to the attrs of all events. track_flags are only added to that of
	 * the event that tracks tasks. */
	uint64_t sample_type, read_format, flags, track_flags;
	uint64_t not_tracked; /* default flags of the tracking event that options switch off */
	uint64_t interrupt_registers, user_registers;
	uint64_t branch_type; /* 0: no branches */
	bool all_user, all_kernel;
	unsigned int memory;	 /* --mem, --c2c: MEMORY_LOADS and MEMORY_STORES; 0: not given */
	uint64_t memory_latency; /* cycles; 0: the usual */
	bool use_clockid;
	int32_t clockid;
};

struct record_stacks {
	enum callchain_mode mode;
	enum callchain_mode not_unwound; /* with CALLCHAIN_UNWIND: of the events that are not */
	uint32_t stack_size;		 /* of CALLCHAIN_DWARF, bytes */
	uint32_t probe_stack_size;	 /* the same, of events that sample each occurrence */
	uint16_t max_stack;		 /* 0: the kernel's limit */
	enum interpreters interpreters;	 /* with CALLCHAIN_UNWIND */
};

struct record_timing {
	uint64_t duration; /* ns; 0: until the command ends or a signal */
	enum delay delay;  /* when events are enabled */
	struct window windows[WINDOWS_MOST];
	size_t windows_count; /* DELAY_WINDOWS */
	const char *control;  /* NULL: not given */
};

struct record_buffers {
	uint64_t ring_size; /* bytes of data in each ring, a power of two; 0: the default */
	size_t queue;	    /* limit for bytes that are queued for the reader */
	uint64_t patience;  /* ns to wait for a reader that accepts nothing */
	bool unbuffered;    /* the kernel wakes pk-record for each sample */
	int priority;	    /* a real-time priority; 0: none */
};

struct record_files {
	const char *path; /* of the output; NULL: stdout */
	bool rotate;	  /* path has conversions of strftime(3), and each stream is a file: see
			   * segment.h */
	size_t keep;	  /* number of complete files to keep; 0: all */
	uint64_t split_time, split_size; /* a new stream starts after this time in ns, or after this
					  * number of bytes; 0: not given */
	struct record_label labels[RECORD_LABELS_MAX]; /* --label */
	size_t labels_count;
	uint64_t max_size; /* the recording ends after this number of output bytes; 0: unlimited */
	bool compress;
	int level;	      /* of zstd */
	const char *pid_file; /* NULL: not given */
	struct pk_fail_on fail_on;
};

/* What BPF programs record. */
struct record_programs {
	bool off_cpu;
	uint64_t off_cpu_threshold; /* ns: shorter blocks are skipped */
	struct user_bpf user;	    /* --bpf */
	uint32_t strings;	    /* --strings: bytes of a text; 0: not given */
};

struct options {
	struct event_list events;
	struct pk_presets presets; /* memory of the sets of events */
	struct target_spec target;
	struct pmu_json *json; /* --events-dir, or $PK_EVENTS_DIR; NULL: none */
	const char *cgroups;   /* -G */
	size_t last_events;    /* index of the first event of the last -e or --probe */
	struct record_sampling sampling;
	struct record_stacks stacks;
	struct record_timing timing;
	struct record_buffers buffers;
	struct record_files files;
	struct record_programs programs;
	enum listing { LIST_NOTHING, LIST_LINES, LIST_VARIABLES, LIST_FUNCTIONS } listing;
	const char *listed; /* its argument */
	bool dry_run;
	bool include_self;
	bool no_inherit;
	char *const *command; /* NULL-terminated; NULL: none */
	int argc;	      /* as passed to main */
	char *const *argv;
};

/* For struct options. */
extern const struct pk_option record_rows[];
/* As -e does. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status record_add_events(struct options *options, const char *text);

#endif
