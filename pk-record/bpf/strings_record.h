/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_STRINGS_RECORD_H
#define PK_RECORD_BPF_STRINGS_RECORD_H

/* Structures that the BPF programs of --strings share with pk-record. */

#include <stdint.h>

#define STRINGS_ARGUMENTS 6u
#define STRINGS_TASKS_MAX 65536u /* maximum number of tasks that are observed at the same time */
#define STRINGS_CALLS_MAX 512u	 /* no texts of calls with this or a higher number are read */

/* The raw data of the samples. The fields up to `args` are those of raw_syscalls:sys_enter. The
 * fields after them are added by --strings. */
struct strings_record {
	uint16_t common_type;
	uint8_t common_flags, common_preempt_count;
	int32_t common_pid;
	int64_t id;
	uint64_t args[STRINGS_ARGUMENTS];
	/* For each argument, the offset of its text in the raw data, and in the upper 16 bits its
	 * size in bytes. 0 if the argument has no text. */
	uint32_t texts[STRINGS_ARGUMENTS];
	uint32_t cut;	     /* bit i is 1 if only the start of the text of argument i was read */
	uint32_t unreadable; /* bit i is 1 if the memory to which argument i points could not be
			      * read */
	char bytes[];
};

/* Maximum size of a text in bytes, and maximum number of texts of an argv. */
#define STRINGS_MAX	 1024u
#define STRINGS_ARGV_MAX 16u

/* Counts of the texts, samples and tasks that are incomplete or missing. */
struct strings_counts {
	uint64_t unreadable,
		cut; /* numbers of texts that could not be read, and of texts that were cut */
	/* Number of samples that could not be written. Samples that are lost because a ring is full
	 * are not included, because the events count them. */
	uint64_t missed;
	uint64_t unobserved; /* number of tasks that are not observed because the map is full */
};

/* The memory of a CPU: its counts, and the sample that is being made. */
struct strings_scratch {
	struct strings_counts counts;
	struct strings_record record;
};

/* Maximum number of arguments that are read of one system call. */
#define STRINGS_SLOTS 3u

enum strings_target { STRINGS_NONE, STRINGS_TEXT, STRINGS_BYTES, STRINGS_ARGV };

/* The arguments to read for one system call. */
struct strings_call {
	struct strings_slot {
		uint8_t target; /* what the argument points to, enum strings_target; STRINGS_NONE
				 * ends the list of slots */
		uint8_t argument;
		uint8_t size; /* for STRINGS_BYTES, the index of the argument that has the number of
			       * bytes */
		uint8_t unused;
	} slots[STRINGS_SLOTS];
};

/* Constants of the BPF programs. pk-record sets them before it loads the programs. */
struct strings_settings {
	uint32_t size; /* maximum size of a text in bytes */
	/* How the kernel marks system calls of 32-bit programs, which have other numbers and
	 * arguments. The mark is a bit in a field of 4 bytes in struct thread_info. This struct is
	 * the first member of a task, so `compat_at` is the offset of the field in the task.
	 * `compat_bit` is the bit. */
	uint32_t compat_at, compat_bit;
	uint32_t child_at;  /* offset of the child's tid in the data of sched_process_fork */
	uint32_t old_at;    /* offset of the tid before exec in the data of sched_process_exec */
	uint16_t format;    /* the id of the samples' format in tracefs (common_type) */
	uint8_t everywhere; /* 1 if all tasks are observed */
};

#endif
