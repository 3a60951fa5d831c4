/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_OPTIONS_H
#define PK_RECORD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "run.h"
#include "windows.h"

enum callchain_mode {
	CALLCHAIN_NONE,
	CALLCHAIN_FP,	 /* frame pointers, followed by the kernel in the sample */
	CALLCHAIN_DEFER, /* the same; the user's half at the return to user mode */
	CALLCHAIN_DWARF, /* registers and a stack dump, for pk-unwind */
	CALLCHAIN_LBR,	 /* the processor's call stack */
};

enum delay {
	DELAY_NONE,
	DELAY_WINDOWS, /* -D */
	DELAY_CONTROL, /* until --control enables */
};

#define FREQUENCY_MAX UINT64_MAX /* -F max */

struct options {
	struct event_list events;
	struct target_spec target;
	struct pmu_json *json; /* --events-dir, or $PK_EVENTS_DIR; NULL: none */
	const char *cgroups;   /* -G */
	size_t last_events;    /* index of the first event of the last -e or --probe */
	bool include_self;
	bool no_inherit;
	uint64_t frequency, period; /* 0: not given */
	enum callchain_mode callchain;
	uint32_t stack_size; /* of CALLCHAIN_DWARF, bytes */
	uint16_t max_stack;  /* 0: the kernel's limit */
	/* Bits that options add to the attrs: of all events, and of the one that tracks tasks. */
	uint64_t sample_type, read_format, flags, track_flags;
	uint64_t not_tracked; /* flags that the tracking event must not have */
	uint64_t interrupt_registers, user_registers;
	bool no_samples;       /* events only count */
	bool strict_frequency; /* fail if the frequency is above the limit */
	bool unbuffered;       /* each sample wakes the reader */
	int priority;	       /* a real-time priority; 0: none */
	uint64_t branch_type;  /* 0: no branches */
	bool all_user, all_kernel;
	bool off_cpu;
	uint64_t off_cpu_threshold; /* ns: shorter blocks are skipped */
	uint64_t ring_size;	    /* bytes of data, a power of two; 0: the default */
	uint64_t duration;	    /* ns; 0: until the command ends or a signal */
	enum delay delay;	    /* when events are enabled */
	struct window windows[WINDOWS_MOST];
	size_t windows_count; /* DELAY_WINDOWS */
	bool use_clockid;
	int32_t clockid;
	const char *output; /* NULL: stdout */
	bool rotate;	    /* its name has conversions of strftime(3): see rotation.h */
	size_t keep;	    /* number of complete files to keep; 0: all */
	uint64_t split_time, split_size; /* interval of new streams in ns, bytes; 0: not given */
	uint64_t max_size;		 /* size that ends the recording, in bytes; 0: unlimited */
	bool compress;
	int level;			/* of zstd */
	size_t buffer;			/* limit for bytes that are queued for the reader */
	uint64_t patience;		/* ns to wait for a reader that accepts nothing */
	const char *pid_file, *control; /* NULL: not given */
	struct pk_fail_on fail_on;
	char *const *command; /* NULL-terminated; NULL: none */
	int argc;	      /* as passed to main */
	char *const *argv;
};

#endif
