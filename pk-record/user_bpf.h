/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_USER_BPF_H
#define PK_RECORD_USER_BPF_H

/* --bpf: BPF programs of the user. Each ring buffer, perf buffer and map of counters of their
 * objects is an event: a tracepoint bpf:NAME, whose format comes from the BTF of the object.
 *
 *     user_bpf_add(), user_bpf_open()       reads the objects, and adds the events
 *     user_bpf_load()                       before the events are opened
 *     user_bpf_connect()                    after they were opened
 *     user_bpf_attach(), user_bpf_start()   from now on, records are read
 *     user_bpf_drain() ... user_bpf_free()
 *
 * The kernel writes the samples of perf buffers, pk-record those of ring buffers and counters. */

#include "bpf_library.h"
#include "bpf_maps.h"
#include "cli.h"
#include "event.h"

struct pk_writer;
struct ring_counts;

#define USER_BPF_FILES_MAX 16

struct user_bpf_file {
	char *path;
	const char *settings; /* after the path in the argument: "NAME=VALUE,..."; NULL: none */
	struct bpf_library *object;
};

enum user_bpf_kind { USER_BPF_RING, USER_BPF_BUFFER, USER_BPF_COUNTS };

/* A map that is an event. */
struct user_bpf_source {
	enum user_bpf_kind kind;
	const struct user_bpf_file *file;
	size_t index; /* of the map in the object */
	struct bpf_library_map map;
	size_t event; /* its index in the list */
	size_t slot;  /* a slot (CPU and task) where the event is open; samples have its id */
	struct pk_raw_layout layout;
	/* Fields of the layout that become fields of samples, or NULL if the layout lacks them. */
	const struct pk_raw_field *time, *pid, *tid, *cpu;
	/* Of a ring. Records that were lost are counted by the program, in a variable or map. */
	struct bpf_ring ring;
	struct bpf_library_map lost_map; /* fd -1: not counted */
	struct pk_raw_field lost_field;	 /* in the value of key 0 */
	char lost_section[32];
	uint64_t lost, reported; /* in total, and those that LOST_SAMPLES report */
	uint64_t too_large;	 /* records that do not fit into a sample */
	/* Of counters. */
	struct bpf_counts counts;
	struct pk_raw_field counter;
	size_t tail; /* offset of slot, low, count in the raw data */
	bool has_slots, is_histogram;
};

struct user_bpf {
	struct user_bpf_file files[USER_BPF_FILES_MAX];
	size_t files_count;
	struct user_bpf_source **items;
	size_t count, capacity;
	struct pk_messages messages; /* of the functions that fail; the caller prints them */
	uint64_t interval;	     /* of reading counters, ns */
	uint64_t read_at;	     /* when counters are read next, as record_now */
	bool paused;		     /* records are dropped */
	int32_t clock;		     /* the clock of samples */
	const struct event_list *events;
	const struct targets *targets;
	/* The index plus 1, by id, of the events of perf buffers: to the raw data of their samples,
	 * a struct pk_common_fields must be added. */
	struct pk_table bare;
};

/* The argument of --bpf: FILE[:NAME=VALUE[,NAME=VALUE...]]. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status user_bpf_add(struct user_bpf *bpf, const char *argument);
/* Reads the objects, sets the variables, and adds the events. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status user_bpf_open(struct user_bpf *bpf, struct event_list *events);
/* Loads the objects, and sets values of maps. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status user_bpf_load(struct user_bpf *bpf);
/* Connects perf buffers with the open events. clock is that of samples. Returns PK_FAILED after a
 * message. */
PK_MUST_CHECK enum pk_status user_bpf_connect(struct user_bpf *bpf, const struct event_list *events,
					      const struct targets *targets, int32_t clock);
/* Attaches the programs. Returns PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status user_bpf_attach(struct user_bpf *bpf);
void user_bpf_free(struct user_bpf *bpf);

/* ---- Records (user_bpf_records.c) ---- */

/* Records and counts from now on. */
void user_bpf_start(struct user_bpf *bpf);
/* Drops records and counts until user_bpf_start(). */
void user_bpf_pause(struct user_bpf *bpf);
/* Sets the descriptors to poll in fds, which has space for bpf->count, and returns their number. */
size_t user_bpf_fds(const struct user_bpf *bpf, int *fds);
/* Writes samples of the records of ring buffers, as far as `room` bytes of output permit, and of
 * the counters, if their interval is over or `last`. Returns false if there were none. */
bool user_bpf_drain(struct user_bpf *bpf, struct pk_writer *writer, struct ring_counts *counts,
		    size_t room, bool last);
/* Writes LOST_SAMPLES with the number of records that ring buffers have lost since the last call,
 * and returns this number. */
uint64_t user_bpf_write_lost(struct user_bpf *bpf, struct pk_writer *writer);
/* The number of records that were lost. */
uint64_t user_bpf_lost(const struct user_bpf *bpf);
/* Prints what was lost. */
void user_bpf_report(const struct user_bpf *bpf, pk_message_fn print);

#endif
