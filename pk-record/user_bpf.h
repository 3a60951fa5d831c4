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

/* A file of --bpf. */
struct user_bpf_file {
	char *path;
	const char *settings; /* text after the path in the argument: "NAME=VALUE,...", or NULL */
	struct bpf_library *object;
};

enum user_bpf_kind { USER_BPF_RING, USER_BPF_BUFFER, USER_BPF_COUNTS };

/* The source of an event of --bpf. It is a BPF map: a ring buffer, a perf buffer, or a map of
 * counters. */
struct user_bpf_source {
	enum user_bpf_kind kind;
	const struct user_bpf_file *file;
	size_t index; /* index of the map in the object */
	struct bpf_library_map map;
	size_t event; /* index of the source's event in the list of events */
	size_t slot;  /* A slot (CPU and task) in which the event is open. Samples have the id of
		       * this slot. */
	struct pk_raw_layout layout;
	/* Fields of `layout` whose values become the time, pid, tid and CPU of the samples. A
	 * member is NULL if the layout does not have this field. */
	const struct pk_raw_field *time, *pid, *tid, *cpu;
	/* ---- Members for ring buffers. A BPF program counts the records that were lost, in a
	 * variable or in a map. ---- */
	struct bpf_ring ring;
	struct bpf_library_map lost_map; /* the map with the count of lost records; its fd is -1 if
					  * lost records are not counted */
	/* The place of the count in the value of key 0 of lost_map. */
	struct pk_raw_field lost_field;
	char lost_section[32];
	/* Numbers of lost records: the number that the BPF program has counted, and the number that
	 * LOST_SAMPLES records have reported (which includes too_large). */
	uint64_t lost, reported;
	uint64_t too_large; /* number of records that were lost because they do not fit into a
			     * sample */
	/* ---- Members for counters ---- */
	struct bpf_counts counts;
	struct pk_raw_field counter;
	size_t tail; /* offset in bytes of the fields slot, low and count in the raw data of samples
		      */
	bool has_slots, is_histogram;
};

/* The state of --bpf. */
struct user_bpf {
	struct user_bpf_file files[USER_BPF_FILES_MAX];
	size_t files_count;
	struct user_bpf_source **items;
	size_t count, capacity;
	struct pk_messages messages; /* messages of functions that have failed; the caller prints
				      * the messages */
	uint64_t interval;	     /* time between two reads of the counters, in ns */
	uint64_t read_at; /* the time of the next read of the counters, in ns as record_now()
			   * returns it */
	bool paused;	  /* true if records are read but not written to the stream */
	int32_t clock;	  /* the clock of the times of samples, CLOCK_* */
	const struct event_list *events;
	const struct targets *targets;
	/* The events of perf buffers, see ring_counts.bare. The key is the id of an event, and the
	 * value is its index plus 1. A struct pk_common_fields must be added to the raw data of
	 * their samples. */
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
/* Connects the perf buffers with their events, which must be open. `clock` is the clock of the
 * times of samples. If this fails, adds a message and returns PK_FAILED. */
PK_MUST_CHECK enum pk_status user_bpf_connect(struct user_bpf *bpf, const struct event_list *events,
					      const struct targets *targets, int32_t clock);
/* Attaches the programs. Returns PK_FAILED after it has added a message. */
PK_MUST_CHECK enum pk_status user_bpf_attach(struct user_bpf *bpf);
void user_bpf_free(struct user_bpf *bpf);

/* ---- Records (user_bpf_records.c) ---- */

/* Starts to write records and counts to the stream. Records and counts before this call are
 * dropped. */
void user_bpf_start(struct user_bpf *bpf);
/* Drops all records and counts until the next call of user_bpf_start(). */
void user_bpf_pause(struct user_bpf *bpf);
/* Sets fds to the descriptors to poll, and returns their number. fds must have room for bpf->count
 * descriptors. */
size_t user_bpf_fds(const struct user_bpf *bpf, int *fds);
/* Reads the records of ring buffers, and writes them as samples, until the samples need `room`
 * bytes of output. If the interval of the counters has passed, or if `last` is true, also writes
 * samples of the counters. Returns false if it wrote no samples. */
bool user_bpf_drain(struct user_bpf *bpf, struct pk_writer *writer, struct ring_counts *counts,
		    size_t room, bool last);
/* Writes LOST_SAMPLES with the number of records that ring buffers have lost since the last call.
 * Returns this number. */
uint64_t user_bpf_write_lost(struct user_bpf *bpf, struct pk_writer *writer);
/* Returns the number of records that were lost and that LOST_SAMPLES records have reported. */
uint64_t user_bpf_lost(const struct user_bpf *bpf);
/* Prints which records were lost. */
void user_bpf_report(const struct user_bpf *bpf, pk_message_fn print);

#endif
