/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_PT_QUEUES_H
#define PK_PT_QUEUES_H

/* The traces of a session. Each CPU or thread that was recorded has a queue. This file decodes the
 * traces of all queues, and returns the steps in the order of time. The traces are in temporary
 * files, one for each queue, because the library needs a trace as one array. */

#include "pt_flow.h"
#include "trace_clock.h"

struct pt_counts {
	uint64_t steps;
	uint64_t errors;    /* places where the trace could not be decoded */
	uint64_t no_code;   /* places where the code is not available */
	uint64_t overflows; /* places where the processor has lost packets */
	uint64_t dropped;   /* AUXTRACE records that were dropped: too many queues */
};

#define PT_NO_TIME (UINT64_MAX - 1)

/* A step of a queue, and the branches that it completes. */
struct pt_item {
	const struct pt_step *step; /* valid until the next call of pt_queues_next() */
	const struct pt_branch *branches;
	unsigned int count;
	uint64_t time; /* in ns; PT_NO_TIME if it is unknown */
	uint32_t cpu, pid, tid;
	uint64_t *instructions; /* for the caller: a number of the queue, 0 at first */
};

/* The threads and their code. */
struct pt_reader {
	/* Makes a decoder for a trace of the CPU. See pt_decoder_new(). */
	struct pt_decoder *(*start)(void *arg, uint32_t cpu, uint8_t *trace, size_t size,
				    const struct pt_source *source);
	/* Returns the thread `traced`, if it is not UINT32_MAX, or else the thread that runs on
	 * `cpu`, or thread `tid` if that is unknown. Sets *space to its address space. */
	struct perf_task (*task)(void *arg, uint32_t cpu, uint32_t tid, uint32_t traced,
				 struct pt_space *space);
	/* See struct pt_source. */
	size_t (*read)(void *arg, const struct perf_task *task, uint64_t ip, uint8_t *to,
		       size_t size);
	bool (*range)(void *arg, const struct perf_task *task, uint64_t ip, uint64_t *start,
		      uint64_t *end);
	bool all_blocks; /* blocks without branches are needed, too */
	void *arg;
};

/* Bytes of a trace. */
struct pt_bytes {
	uint32_t queue;	   /* a number */
	uint32_t cpu, tid; /* of the trace */
	uint64_t time;	   /* when they were written, in ns, or 0 */
	bool starts;	   /* the decoder starts again */
	const uint8_t *data;
	size_t size;
};

struct pt_queues;

/* Returns NULL if memory is exhausted. */
struct pt_queues *pt_queues_new(const struct pt_reader *reader);
void pt_queues_free(struct pt_queues *queues);
void pt_queues_clear(struct pt_queues *queues);
/* Adds the payload of the AUXTRACE that the reader has read last. Returns PK_NOMEM, or PK_IO with
 * errno. Add all payloads before the first call of pt_queues_next(). */
PK_MUST_CHECK enum pk_status pt_queues_add(struct pt_queues *queues, struct pk_reader *reader,
					   const struct pk_record *auxtrace);
/* Adds bytes to a queue. Returns PK_NOMEM, or PK_IO with errno. */
PK_MUST_CHECK enum pk_status pt_queues_append(struct pt_queues *queues,
					      const struct pt_bytes *bytes);
/* Returns the next step whose time is less than `before`, or PK_END. The code of a step is read
 * when its time has come. Returns PK_NOMEM, or PK_IO with errno. */
PK_MUST_CHECK enum pk_status pt_queues_next(struct pt_queues *queues,
					    const struct trace_clock *clock, uint64_t before,
					    struct pt_item *item);
/* Says that a thread, a map or the thread of a CPU may have changed. */
void pt_queues_change(struct pt_queues *queues);
/* Returns true if the library has crashed. There are then no further steps. */
bool pt_queues_crashed(const struct pt_queues *queues);
const struct pt_counts *pt_queues_counts(const struct pt_queues *queues);

#endif
