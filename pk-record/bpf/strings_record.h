/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_STRINGS_RECORD_H
#define PK_RECORD_BPF_STRINGS_RECORD_H

/* What the BPF programs of --strings and pk-record share. */

#include <stdint.h>

#define STRINGS_ARGUMENTS 6u
#define STRINGS_TASKS_MAX 65536u /* observed at a time */
#define STRINGS_CALLS_MAX 512u	 /* numbers of system calls */

/* The raw data of the samples: that of the kernel, then what --strings adds. */
struct strings_record {
	uint16_t common_type;
	uint8_t common_flags, common_preempt_count;
	int32_t common_pid;
	int64_t id;
	uint64_t args[STRINGS_ARGUMENTS];
	uint32_t texts[STRINGS_ARGUMENTS]; /* the offset of the bytes | their number << 16; 0: none
					    */
	uint32_t cut;	     /* bit i: of the text of argument i, only the start was read */
	uint32_t unreadable; /* bit i: the memory of argument i could not be read */
	char bytes[];
};

/* Limits for the bytes of a text, and for the texts of an argv. */
#define STRINGS_MAX	 1024u
#define STRINGS_ARGV_MAX 16u

struct strings_counts {
	uint64_t unreadable, cut; /* texts */
	uint64_t missed;     /* samples that were not written; without those lost in full rings */
	uint64_t unobserved; /* tasks */
};

/* The memory of a CPU. */
struct strings_scratch {
	struct strings_counts counts;
	struct strings_record record;
};

/* The arguments of a call that are read. */
#define STRINGS_SLOTS 3u

enum strings_target { STRINGS_NONE, STRINGS_TEXT, STRINGS_BYTES, STRINGS_ARGV };

struct strings_call {
	struct strings_slot {
		uint8_t target; /* enum strings_target; STRINGS_NONE: no slots follow */
		uint8_t argument;
		uint8_t size; /* the argument with the number of bytes */
		uint8_t unused;
	} slots[STRINGS_SLOTS];
};

/* Constants of the programs, which are set before they are loaded. */
struct strings_settings {
	uint32_t size; /* limit for a text */
	/* How the kernel marks system calls of 32-bit programs, whose numbers and arguments are
	 * others: a bit of 4 bytes in struct thread_info, which is the first member of a task. */
	uint32_t compat_at, compat_bit;
	uint32_t child_at;  /* offset of the child's tid in the data of sched_process_fork */
	uint32_t old_at;    /* offset of the tid before exec in the data of sched_process_exec */
	uint16_t format;    /* the id of the format of the samples */
	uint8_t everywhere; /* all tasks are observed */
};

#endif
