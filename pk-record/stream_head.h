/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_STREAM_HEAD_H
#define PK_RECORD_STREAM_HEAD_H

/* Writes the records at the start and the end of a stream. The kernel's records are between them.
 * Errors stick to the writer. */

#include "event.h"
#include "pkstream.h"
#include "record_options.h"

/* HEADER_ATTR for each event. There are several for one with more ids than fit into a record. */
void write_attrs(const struct event_list *events, const struct targets *targets,
		 struct pk_writer *writer);
/* HEADER_FEATURE: the machine and the command line. */
/* Writes a LABEL for each --label. */
void write_labels(const struct options *options, struct pk_writer *writer);
void write_features(const struct options *options, struct pk_writer *writer);
/* HEADER_FEATURE: the groups of events, by the indexes of their HEADER_ATTRs. */
void write_groups(const struct event_list *events, const struct targets *targets,
		  struct pk_writer *writer);
/* TRACING_DATA: the fields of the tracepoints. It is not written without tracepoints. Returns
 * PK_FAILED after a message. */
PK_MUST_CHECK enum pk_status tracing_data_write(const struct event_list *events,
						struct pk_writer *writer);
/* ID_INDEX: the CPU and the task of each id of an event. */
void write_id_index(const struct event_list *events, const struct targets *targets,
		    struct pk_writer *writer);
/* EVENT_UPDATE: the names of all events, and units and scales of cpu-clock and task-clock. */
void write_names(const struct event_list *events, const struct targets *targets,
		 struct pk_writer *writer);
/* ARGUMENTS: the locations of probe arguments. */
void write_arguments(const struct event_list *events, const struct targets *targets,
		     struct pk_writer *writer);
/* THREAD_MAP, cut at the size of a record, and CPU_MAP. */
void write_targets(const struct targets *targets, struct pk_writer *writer);
/* CGROUP: all existing control groups. */
void write_cgroups(const struct perf_attr *attr, struct pk_writer *writer);
/* MMAP2: the kernel and its modules, with their build-ids. */
void write_kernel_maps(const struct perf_attr *attr, struct pk_writer *writer);
/* The number of samples that an event has lost in a slot (CPU and task) since the last call. 0 if
 * it has no counter for them (before Linux 6.0), or does not take the samples of its group. */
uint64_t lost_since(const struct event *event, size_t slot);
/* LOST_SAMPLES: the number of samples that an event has lost in a slot. */
void write_lost(const struct event *event, const struct targets *targets, size_t slot,
		uint64_t lost, struct pk_writer *writer);
/* Calls lost_since() for all events and slots, and writes LOST_SAMPLES for those that lost samples.
 * Returns the sum. */
uint64_t write_lost_samples(const struct event_list *events, const struct targets *targets,
			    struct pk_writer *writer);

/* A record that is only a header. */
void write_mark(enum perf_record_type type, struct pk_writer *writer);
/* MMAP2, then its trailer. build_id may be NULL. */
struct mapping {
	pid_t pid, tid;
	uint64_t start, size, offset;
	uint32_t major, minor;
	uint64_t inode;
	uint32_t protection, flags;
	const char *name;
	const uint8_t *build_id;
	uint8_t build_id_size;
	uint16_t cpumode;
	uint64_t time, id; /* of a sample that needs the map; 0: of no event */
};
void write_mapping(const struct mapping *mapping, const struct perf_attr *attr,
		   struct pk_writer *writer);

#endif
