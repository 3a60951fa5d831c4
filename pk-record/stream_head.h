/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_STREAM_HEAD_H
#define PK_RECORD_STREAM_HEAD_H

/* Functions that write the records at the start and at the end of a stream. The records of the
 * kernel are between them. If an error occurs, it is stored in the writer. */

#include "event.h"
#include "pkstream.h"
#include "record_options.h"

/* Writes HEADER_ATTR for each event. If an event has more ids than fit into one HEADER_ATTR, writes
 * several HEADER_ATTRs for this event. */
void write_attrs(const struct event_list *events, const struct targets *targets,
		 struct pk_writer *writer);
/* Writes HEADER_FEATURE for the machine and the command line. */
/* Writes a LABEL for each --label. */
void write_labels(const struct options *options, struct pk_writer *writer);
void write_features(const struct options *options, struct pk_writer *writer);
/* Writes HEADER_FEATURE for the groups of events. Each group is described by the indexes of the
 * HEADER_ATTRs of its events. */
void write_groups(const struct event_list *events, const struct targets *targets,
		  struct pk_writer *writer);
/* Writes TRACING_DATA, which has the fields of the tracepoints. Writes nothing if there are no
 * tracepoints. Returns PK_FAILED after it has printed a message. */
PK_MUST_CHECK enum pk_status tracing_data_write(const struct event_list *events,
						struct pk_writer *writer);
/* Writes ID_INDEX, which has the CPU and the task for each id of an event. */
void write_id_index(const struct event_list *events, const struct targets *targets,
		    struct pk_writer *writer);
/* Writes EVENT_UPDATE with the names of all events, and with the units and scales of cpu-clock and
 * task-clock. */
void write_names(const struct event_list *events, const struct targets *targets,
		 struct pk_writer *writer);
/* Writes ARGUMENTS, which tells where samples of probes have the values of the probe arguments. */
void write_arguments(const struct event_list *events, const struct targets *targets,
		     struct pk_writer *writer);
/* Writes THREAD_MAP, which is cut at the maximum size of a record, and CPU_MAP. */
void write_targets(const struct targets *targets, struct pk_writer *writer);
/* Writes CGROUP for all existing control groups. */
void write_cgroups(const struct perf_attr *attr, struct pk_writer *writer);
/* Writes MMAP2 for the kernel and its modules, with their build-ids. */
void write_kernel_maps(const struct perf_attr *attr, struct pk_writer *writer);
/* Returns the number of samples that an event has lost in a slot (CPU and task) since the last
 * call. Returns 0 if the event has no counter for them (before Linux 6.0), or if another event
 * takes the samples of its group. */
uint64_t lost_since(const struct event *event, size_t slot);
/* Writes LOST_SAMPLES with the number of samples that an event has lost in a slot. */
void write_lost(const struct event *event, const struct targets *targets, size_t slot,
		uint64_t lost, struct pk_writer *writer);
/* Calls lost_since() for all events and slots. Writes LOST_SAMPLES for each event and slot that
 * lost samples. Returns the sum of lost samples. */
uint64_t write_lost_samples(const struct event_list *events, const struct targets *targets,
			    struct pk_writer *writer);

/* Writes a record that consists only of a header. */
void write_mark(enum perf_record_type type, struct pk_writer *writer);
/* The values of the trailer of a record that the kernel does not write. */
struct stamp {
	pid_t pid, tid;
	uint64_t time, id; /* `id` is the id of an event */
};
/* Fills the trailer of a record that has room for it. */
void stamp_trailer(const struct perf_attr *attr, struct perf_header *record,
		   const struct stamp *stamp);
/* The values of an MMAP2 record and its trailer. build_id is NULL if it is unknown. */
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
	uint64_t time, id; /* Time and event id of the sample that needs this map. 0 if no sample
			    * needs it. */
};
void write_mapping(const struct mapping *mapping, const struct perf_attr *attr,
		   struct pk_writer *writer);

#endif
