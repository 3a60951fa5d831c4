/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_USER_BPF_H
#define PK_RECORD_USER_BPF_H

/* --bpf: BPF programs of the user. Each ring buffer, perf buffer and map of counters in their
 * objects becomes an event. The event is a tracepoint bpf:NAME, and its format comes from the BTF
 * of the object.
 *
 *     user_bpf_add(), user_bpf_open()       reads the objects, and adds the events
 *     user_bpf_load()                       before the events are opened
 *     user_bpf_connect()                    after the events were opened
 *     user_bpf_attach(), user_bpf_start()   from then on, records are read
 *     user_bpf_drain() ... user_bpf_free()
 *
 * The kernel writes the samples of perf buffers. pk-record writes the samples of ring buffers and
 * counters. */

#include "bpf_library.h"
#include "bpf_maps.h"
#include "cli.h"
#include "event.h"

struct pk_writer;
struct ring_counts;

#define USER_BPF_FILES_MAX 16

struct user_bpf_file {
	char *path;
	const char *settings; /* text after the path in the argument: "NAME=VALUE,...", or NULL */
	struct bpf_library *object;
};

enum user_bpf_kind { USER_BPF_RING, USER_BPF_BUFFER, USER_BPF_COUNTS };

/* The source of an event, which is a map. */
struct user_bpf_source {
	enum user_bpf_kind kind;
	const struct user_bpf_file *file;
	size_t index; /* index of the map in the object */
	struct bpf_library_map map;
	size_t event; /* index of the event in the list */
	size_t slot;  /* A slot (CPU and task) in which the event is open. Samples have the id of
		       * this slot. */
	struct pk_raw_layout layout;
	/* Fields of the layout that become fields of samples. NULL if the layout does not have
	 * them. */
	const struct pk_raw_field *time, *pid, *tid, *cpu;
	/* Members for ring buffers. A BPF program counts lost records in a variable or a map. */
	struct bpf_ring ring;
	struct bpf_library_map lost_map; /* its fd is -1 if lost records are not counted */
	struct pk_raw_field lost_field;	 /* field in the value of key 0 */
	char lost_section[32];
	uint64_t lost, reported; /* in total, and reported by LOST_SAMPLES */
	uint64_t too_large;	 /* number of records that do not fit into a sample */
	/* Members for counters. */
	struct bpf_counts counts;
	struct pk_raw_field counter;
	size_t tail; /* offset in the raw data of the fields slot, low and count */
	bool has_slots, is_histogram;
};

struct user_bpf {
	struct user_bpf_file files[USER_BPF_FILES_MAX];
	size_t files_count;
	struct user_bpf_source **items;
	size_t count, capacity;
	struct pk_messages messages; /* messages of functions that fail; the caller prints them */
	uint64_t interval;	     /* interval in ns after which counters are read */
	uint64_t read_at;	     /* time as in record_now() when counters are read next */
	bool paused;		     /* records are read and dropped */
	int32_t clock;		     /* the clock of samples */
	const struct event_list *events;
	const struct targets *targets;
	/* The index plus 1, by id, of the events of perf buffers. A struct pk_common_fields must be
	 * added to the raw data of their samples. */
	struct pk_table bare;
};

/* Parses the argument of --bpf: FILE[:NAME=VALUE[,NAME=VALUE...]]. Returns PK_FAILED after it has
 * added a message. */
PK_MUST_CHECK enum pk_status user_bpf_add(struct user_bpf *bpf, const char *argument);
/* Reads the objects, sets their variables, and adds the events. Returns PK_FAILED after it has
 * added a message. */
PK_MUST_CHECK enum pk_status user_bpf_open(struct user_bpf *bpf, struct event_list *events);
/* Loads the objects, and sets values of maps. Returns PK_FAILED after it has added a message. */
PK_MUST_CHECK enum pk_status user_bpf_load(struct user_bpf *bpf);
/* Connects perf buffers with the open events. clock is the clock of samples. Returns PK_FAILED
 * after it has added a message. */
PK_MUST_CHECK enum pk_status user_bpf_connect(struct user_bpf *bpf, const struct event_list *events,
					      const struct targets *targets, int32_t clock);
/* Attaches the programs. Returns PK_FAILED after it has added a message. */
PK_MUST_CHECK enum pk_status user_bpf_attach(struct user_bpf *bpf);
void user_bpf_free(struct user_bpf *bpf);

/* ---- Records (user_bpf_records.c) ---- */

/* Starts recording records and counts. Earlier ones are dropped. */
void user_bpf_start(struct user_bpf *bpf);
/* Drops records and counts until user_bpf_start(). */
void user_bpf_pause(struct user_bpf *bpf);
/* Sets fds to the descriptors to poll, and returns their number. fds must have room for bpf->count
 * descriptors. */
size_t user_bpf_fds(const struct user_bpf *bpf, int *fds);
/* Writes samples of the records of ring buffers, as far as `room` bytes of output permit. Also
 * writes samples of the counters, if their interval has passed or `last` is set. Returns false if
 * it wrote no samples. */
bool user_bpf_drain(struct user_bpf *bpf, struct pk_writer *writer, struct ring_counts *counts,
		    size_t room, bool last);
/* Writes LOST_SAMPLES with the number of records that ring buffers have lost since the last call.
 * Returns this number. */
uint64_t user_bpf_write_lost(struct user_bpf *bpf, struct pk_writer *writer);
/* Returns the number of records that were lost. */
uint64_t user_bpf_lost(const struct user_bpf *bpf);
/* Prints which records were lost. */
void user_bpf_report(const struct user_bpf *bpf, pk_message_fn print);

#endif
