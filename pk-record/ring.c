// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "aux_events.h"
#include "cli.h"
#include "lookups.h"
#include "pace.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "procfs.h"
#include "raw_format.h"
#include "ring.h"

/* Sizes of rings in bytes. The usual size is RING_SIZE_USUAL. By default, ordinary users can lock a
 * ring of this size for each CPU (perf_event_mlock_kb is 516), and one page more. */
#define LARGE_SIZE ((size_t)2 << 20)
/* DUMPS_SIZE is the size for stack dumps. PROBE_SIZE is the size for stack dumps of each occurrence
 * of an event. DUMPS_TOTAL limits the size of all rings together. */
#define DUMPS_SIZE  ((size_t)8 << 20)
#define PROBE_SIZE  ((size_t)32 << 20)
#define DUMPS_TOTAL ((size_t)256 << 20)
#define SMALLEST    (8 << 10)

#define HIGH_FREQUENCY 10000 /* in Hz */

/* Maps a ring. If the mapping is read-only, the kernel overwrites the oldest records. */
static bool ring_map(struct ring *ring, int fd, size_t size, bool overwrite)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *memory = mmap(NULL, page + size, PROT_READ | (overwrite ? 0 : PROT_WRITE), MAP_SHARED,
			    fd, 0);

	if (memory == MAP_FAILED)
		return false;
	ring->page = memory;
	ring->data = (uint8_t *)memory + page;
	ring->size = size;
	ring->fd = fd;
	return true;
}

static void ring_unmap(struct ring *ring)
{
	aux_area_unmap(&ring->aux);
	if (ring->page)
		munmap(ring->page, (size_t)(ring->data - (uint8_t *)ring->page) + ring->size);
	ring->page = NULL;
}

void rings_unmap(struct ring_list *rings)
{
	for (size_t i = 0; i < rings->count; i++) {
		ring_unmap(&rings->items[i]);
		free(rings->items[i].halves);
	}
	free(rings->items);
	*rings = (struct ring_list){0};
}

static bool is_overwritten(const struct event *event)
{
	return event->attr.flags & PERF_ATTR_WRITE_BACKWARD;
}

bool rings_wanted(const struct event_list *events, bool overwrite)
{
	for (size_t i = 0; i < events->count; i++)
		if (is_overwritten(&events->items[i]) == overwrite)
			return true;
	return false;
}

/* Notes that the event of this slot writes a hardware trace to the AUX area of the ring. */
static void note_trace(struct ring *ring, const struct targets *targets, size_t which, int fd)
{
	const bool per_task = targets->cpus[0] < 0;

	if (ring->aux.fd >= 0)
		return;
	ring->aux.fd = fd;
	ring->aux.index = (uint32_t)which;
	ring->aux.tid = (uint32_t)targets->tids[per_task ? which : 0];
	ring->aux.cpu = (uint32_t)(per_task ? -1 : targets->cpus[which]);
}

static bool attach(struct ring_list *rings, int *owners, size_t which, int fd, size_t size,
		   bool overwrite)
{
	if (owners[which] >= 0)
		return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, owners[which]) == 0;
	owners[which] = fd;
	return ring_map(&rings->items[which], fd, size, overwrite);
}

/* Redirects the events to the rings. If this fails, sets errno and returns PK_IO. */
static enum pk_status attach_all(struct ring_list *rings, int *owners,
				 const struct event_list *events, const struct targets *targets,
				 size_t size, bool overwrite)
{
	const bool per_task = targets->cpus[0] < 0;

	for (size_t i = 0; i < events->count; i++) {
		if (is_overwritten(&events->items[i]) != overwrite)
			continue;
		for (size_t cpu = 0; cpu < targets->cpus_count; cpu++) {
			for (size_t task = 0; task < targets->tids_count; task++) {
				const int fd =
					events->items[i]
						.opened.fds[cpu * targets->tids_count + task];

				const size_t which = per_task ? task : cpu;

				if (fd >= 0 && !attach(rings, owners, which, fd, size, overwrite))
					return PK_IO;
				if (fd >= 0 && events->items[i].trace)
					note_trace(&rings->items[which], targets, which, fd);
			}
		}
	}
	return PK_OK;
}

static void explain_map(int error, size_t size, size_t count)
{
	char kib[32];

	pk_number(kib, size >> 10);
	if (error == EPERM)
		pk_error("%zu rings of %s KiB: more than this user may lock: use a smaller "
			 "-m, "
			 "or raise kernel.perf_event_mlock_kb or ulimit -l",
			 count, kib);
	else if (error == ENOMEM)
		pk_error("%zu rings of %s KiB: %s: use a smaller -m", count, kib, strerror(error));
	else
		pk_error("rings of %s KiB: mmap: %s", kib, strerror(error));
}

static bool dumps_each(const struct event_list *events)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].attr.sample_type & PERF_SAMPLE_STACK_USER &&
		    events->items[i].attr.sample_period == 1 && !events->items[i].tracking)
			return true;
	return false;
}

/* Beside an AUX area, a ring has few records, and the area needs the memory that a user may lock.
 */
static size_t usual_size(const struct event_list *events)
{
	return pk_event_list_trace(events) ? RING_SIZE_USUAL / 2 : RING_SIZE_USUAL;
}

/* Returns the default size of a ring. High frequencies and stack dumps would fill a ring of
 * RING_SIZE_USUAL within about 10 ms. So they get larger rings. CALLCHAIN_UNWIND also records stack
 * dumps, of processes whose maps are not known yet. */
static size_t default_size(const struct options *options, const struct event_list *events,
			   size_t count)
{
	const size_t usual = usual_size(events);
	const bool dumps = options->stacks.mode == CALLCHAIN_DWARF ||
			   options->stacks.mode == CALLCHAIN_UNWIND || dumps_each(events);
	size_t size = dumps_each(events) ? PROBE_SIZE : DUMPS_SIZE;

	if (!dumps)
		return options->sampling.frequency >= HIGH_FREQUENCY ? LARGE_SIZE : usual;
	while (size > LARGE_SIZE && size > DUMPS_TOTAL / count)
		size /= 2;
	return size;
}

/* ---- AUX areas ---- */

/* The default size, which is that of perf record, and the smallest size in bytes. */
#define AUX_SIZE_USUAL ((size_t)4 << 20)
#define AUX_SIZE_LEAST ((size_t)8 << 10)

static enum pk_status map_areas(struct ring_list *rings, size_t size, bool overwrite)
{
	for (size_t i = 0; i < rings->count; i++) {
		struct ring *ring = &rings->items[i];

		if (ring->aux.fd >= 0 &&
		    !aux_area_map(&ring->aux, ring->page, ring->size, size, overwrite))
			return PK_IO;
	}
	return PK_OK;
}

static size_t power_of_two(uint64_t size)
{
	size_t power = AUX_SIZE_LEAST;

	while (power < size)
		power *= 2;
	return power;
}

/* Returns the size that the options request: that of -m, or else that of snapshots. */
static size_t wanted_area(const struct record_traces *traces)
{
	if (traces->area_size || traces->snapshot_size)
		return power_of_two(traces->area_size ? traces->area_size : traces->snapshot_size);
	return AUX_SIZE_USUAL;
}

/* Maps the AUX areas of the rings that have a hardware trace. If the user cannot lock so much
 * memory, halves their size and tries again. If it fails, sets errno and returns PK_IO. */
static enum pk_status map_aux(struct ring_list *rings, const struct options *options)
{
	const struct record_traces *traces = &options->traces;
	const size_t wanted = wanted_area(traces);
	char before[32], after[32];

	for (size_t size = wanted; size >= AUX_SIZE_LEAST; size /= 2) {
		if (map_areas(rings, size, traces->snapshot || aux_events_sampled(options)) ==
		    PK_OK) {
			if (size < wanted && (traces->area_size || traces->snapshot_size))
				pk_warn("AUX areas of %s KiB instead of %s: this user may not lock "
					"more memory (kernel.perf_event_mlock_kb, ulimit -l)",
					pk_number(after, size >> 10),
					pk_number(before, wanted >> 10));
			return PK_OK;
		}
		if (errno != EPERM && errno != ENOMEM)
			break;
		for (size_t i = 0; i < rings->count; i++)
			aux_area_unmap(&rings->items[i].aux);
	}
	return PK_IO;
}

/* ---- All rings ---- */

/* Maps all rings and AUX areas. If the user cannot lock so much memory, halves the size of the
 * rings and tries again. Returns the size in bytes. If it fails, prints a message and returns 0. */
static size_t map_what_goes(struct ring_list *rings, int *owners, const struct event_list *events,
			    const struct options *options, const struct targets *targets,
			    size_t size, bool overwrite)
{
	const size_t least =
		(size_t)sysconf(_SC_PAGESIZE) > SMALLEST ? (size_t)sysconf(_SC_PAGESIZE) : SMALLEST;

	for (;; size /= 2) {
		memset(owners, 0xff, rings->count * sizeof(*owners));
		if (attach_all(rings, owners, events, targets, size, overwrite) == PK_OK &&
		    map_aux(rings, options) == PK_OK)
			return size;
		if ((errno != EPERM && errno != ENOMEM) || size / 2 < least)
			break;
		for (size_t i = 0; i < rings->count; i++)
			ring_unmap(&rings->items[i]);
	}
	explain_map(errno, size, rings->count);
	return 0;
}

enum pk_status rings_map(struct ring_list *rings, const struct event_list *events,
			 const struct options *options, const struct targets *targets,
			 bool overwrite)
{
	const size_t expected = options->buffers.ring_size ? (size_t)options->buffers.ring_size
							   : usual_size(events);
	const size_t count = targets->cpus[0] < 0 ? targets->tids_count : targets->cpus_count;
	const size_t wanted =
		options->buffers.ring_size ? expected : default_size(options, events, count);
	char before[32], after[32];
	size_t size = 0;
	int *owners;

	rings->items = calloc(count, sizeof(*rings->items));
	rings->count = rings->items ? count : 0;
	for (size_t i = 0; i < rings->count; i++)
		rings->items[i].aux.fd = -1;
	owners = calloc(count, sizeof(*owners));
	if (rings->items && owners)
		size = map_what_goes(rings, owners, events, options, targets, wanted, overwrite);
	else
		pk_no_memory();
	if (size && size < expected)
		pk_warn("rings of %s KiB instead of %s: this user may not lock more memory "
			"(kernel.perf_event_mlock_kb, ulimit -l)",
			pk_number(after, size >> 10), pk_number(before, expected >> 10));
	free(owners);
	return size != 0 ? PK_OK : PK_FAILED;
}

/* The state while records are read from a ring and written. Records start at multiples of 8. So no
 * number is split at the end of the ring. */
struct walk {
	uint64_t from;	  /* start of the records that are not written yet */
	uint64_t fetched; /* end of the bytes that were prefetched into the cache */
	/* Numbers of records, and of samples, since `from`. */
	uint64_t records, samples;
};

/* Records are written in runs of about this size. So a run is still in the cache when it is
 * written, and the kernel can soon use its space in the ring again. */
#define WRITE_SIZE ((size_t)256 << 10)

/* Writes the records from walk->from to `to`, and releases their space. */
static void write_run(struct ring *ring, struct walk *walk, uint64_t to, struct pk_writer *writer)
{
	const size_t start = walk->from & (ring->size - 1), size = (size_t)(to - walk->from);
	const size_t first = size < ring->size - start ? size : ring->size - start;

	if (size)
		pk_writer_bytes(writer, ring->data + start, first, walk->records, walk->samples);
	if (first < size)
		pk_writer_bytes(writer, ring->data, size - first, 0, 0);
	__atomic_store_n(&ring->page->data_tail, to, __ATOMIC_RELEASE);
	walk->from = to;
	walk->records = walk->samples = 0;
}

/* Returns the address of a field of the record at `at`. No field crosses the end of the ring. */
static const uint8_t *field_of(const struct ring *ring, uint64_t at, size_t offset)
{
	return ring->data + ((at + offset) & (ring->size - 1));
}

static bool is_excluded(const struct ring *ring, uint64_t at, const struct ring_counts *counts)
{
	return counts->excluded &&
	       pk_load_u32(field_of(ring, at, counts->pid_offset)) == (uint32_t)counts->excluded;
}

/* Bits of perf_record_aux.flags. */
#define AUX_FULL      (UINT64_C(1) << 0)
#define AUX_PARTIAL   (UINT64_C(1) << 2)
#define AUX_COLLISION (UINT64_C(1) << 3)

static void note_piece(uint64_t flags, struct ring_counts *counts)
{
	counts->pieces++;
	counts->full_pieces += flags & AUX_FULL ? 1 : 0;
	counts->partial_pieces += (flags & (AUX_FULL | AUX_PARTIAL)) == AUX_PARTIAL;
	counts->collisions += flags & AUX_COLLISION ? 1 : 0;
}

/* Counts a record. Returns false if the record must be skipped. */
static inline bool note_record(const struct ring *ring, uint64_t at, uint32_t type,
			       struct ring_counts *counts)
{
	const size_t lost_at = offsetof(struct perf_record_lost, lost);
	const size_t id_at = offsetof(struct perf_record_lost, id);
	const size_t pid_at = offsetof(struct perf_record_task, pid);
	const size_t flags_at = offsetof(struct perf_record_aux, flags);

	switch (type) {
	case PERF_RECORD_SAMPLE:
		if (is_excluded(ring, at, counts)) {
			counts->excluded_samples++;
			return false;
		}
		counts->samples++;
		return true;
	case PERF_RECORD_LOST:
		counts->lost_records += pk_load_u64(field_of(ring, at, lost_at));
		/* LOST records of the event of the BPF program are skipped, because they have
		 * another trailer. The event itself counts what it lost. */
		return !counts->joins || !pk_table_get_u64(&counts->joins->halves,
							   pk_load_u64(field_of(ring, at, id_at)));
	case PERF_RECORD_FORK:
		if (counts->forks)
			processes_add(counts->forks,
				      (pid_t)pk_load_u32(field_of(ring, at, pid_at)));
		return true;
	case PERF_RECORD_AUX:
		note_piece(pk_load_u64(field_of(ring, at, flags_at)), counts);
		return true;
	default: return true;
	}
}

/* Returns the correct size of a KSYMBOL or BPF_EVENT record. */
static uint16_t bpf_size(const struct ring *ring, uint64_t at, const struct perf_header *header,
			 size_t trailer)
{
	size_t size = sizeof(struct perf_record_bpf_event);

	if (header->type == PERF_RECORD_KSYMBOL) {
		for (size = sizeof(struct perf_record_ksymbol); size < header->size; size++)
			if (!ring->data[(at + size) & (ring->size - 1)])
				break;
		size = PK_ALIGN8(size + 1);
	}
	size += trailer;
	return size < header->size ? (uint16_t)size : header->size;
}

/* Returns the correct size of a record. A bug of the kernel makes KSYMBOL and BPF_EVENT records too
 * large: the size grows with each event that records the BPF program. So all copies of the record
 * except the first have undefined bytes after the trailer. */
static inline uint16_t true_size(const struct ring *ring, uint64_t at,
				 const struct perf_header *header, size_t trailer)
{
	if (header->type != PERF_RECORD_KSYMBOL && header->type != PERF_RECORD_BPF_EVENT)
		return header->size;
	return bpf_size(ring, at, header, trailer);
}

/* Writes the records before `at`. Then writes the first `size` bytes of the record at `at`, which
 * is too large. The header is changed in a copy, because the ring must not be changed. */
static void write_cut(struct ring *ring, struct walk *walk, uint64_t at, struct perf_header header,
		      uint16_t size, struct pk_writer *writer)
{
	const uint16_t whole = header.size;

	write_run(ring, walk, at, writer);
	header.size = size;
	pk_writer_bytes(writer, &header, sizeof(header), 1, 0);
	walk->from = at + sizeof(header);
	write_run(ring, walk, at + size, writer);
	walk->from = at + whole;
}

/* Returns the number of bytes of the unread records. */
static size_t unread(const struct ring *ring)
{
	return ring->page ? (size_t)(__atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE) -
				     ring->tail)
			  : 0;
}

size_t ring_fill(const struct ring *ring)
{
	return unread(ring) + aux_area_fill(&ring->aux);
}

#define CACHE_LINE  64
#define FETCH_AHEAD 4096

/* Prefetches the bytes of the next records. This is faster because another CPU has written the
 * records: each header is a cache miss, and only the header tells where the next header is. The
 * bytes are also needed by the write that follows. Large records are not prefetched, because they
 * have few headers. */
static void fetch_ahead(const struct ring *ring, struct walk *walk, uint64_t at, size_t size)
{
	if (size >= FETCH_AHEAD)
		walk->fetched = at + size;
	for (; walk->fetched < at + FETCH_AHEAD; walk->fetched += CACHE_LINE)
		__builtin_prefetch(field_of(ring, walk->fetched, 0));
}

#define BEFORE_CALLCHAIN                                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |            \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |             \
	 PERF_SAMPLE_PERIOD)

/* Returns the offset of the raw data in a sample. The sample must not have counter values (READ).
 */
static size_t raw_offset(const struct ring *ring, uint64_t at, uint64_t type, size_t size)
{
	size_t offset = sizeof(struct perf_header) +
			8 * (size_t)__builtin_popcountll(type & BEFORE_CALLCHAIN);

	if (type & PERF_SAMPLE_CALLCHAIN && offset < size)
		offset += 8 + 8 * (size_t)pk_load_u64(field_of(ring, at, offset));
	return offset;
}

/* The new start of the raw data: their size, and the fields that are added. */
struct raw_start {
	uint32_t size;
	struct pk_common_fields common;
};

/* Writes the records before `at`. Then writes the start of the sample at `at`, up to its raw data,
 * and adds the fields that all tracepoints have. The raw data, and what follows them, are written
 * later. Returns false if the sample does not need these fields. */
static bool write_bare(struct ring *ring, struct walk *walk, uint64_t at, struct perf_header header,
		       struct pk_writer *writer, struct ring_counts *counts)
{
	const uint64_t id = pk_load_u64(field_of(ring, at, sizeof(header)));
	const uint64_t index = pk_table_get_u64(counts->bare, id);
	const struct perf_attr *attr;
	struct raw_start start = {0};
	size_t offset;

	if (!index)
		return false;
	attr = &counts->events->items[index - 1].attr;
	offset = raw_offset(ring, at, attr->sample_type, header.size);
	write_run(ring, walk, at, writer);
	if (offset + sizeof(start.size) > header.size ||
	    header.size + sizeof(start.common) > PERF_RECORD_SIZE_MAX) {
		counts->samples--;
		counts->lost_records++;
		walk->from = at + header.size;
		return true;
	}
	start.size = pk_load_u32(field_of(ring, at, offset)) + (uint32_t)sizeof(start.common);
	start.common.type = (uint16_t)attr->config;
	start.common.pid = pk_load_u32(field_of(ring, at, counts->pid_offset + sizeof(uint32_t)));
	header.size += (uint16_t)sizeof(start.common);
	pk_writer_bytes(writer, &header, sizeof(header), 1, 1);
	walk->from = at + sizeof(header);
	write_run(ring, walk, at + offset, writer);
	pk_writer_bytes(writer, &start, sizeof(start), 0, 0);
	walk->from = at + offset + sizeof(start.size);
	return true;
}

/* Writes the bytes before the period of the sample at `at`, and then its period, if its event has
 * another one than the kernel writes. */
static void write_period(struct ring *ring, struct walk *walk, uint64_t at, uint16_t size,
			 struct pk_writer *writer, const struct ring_counts *counts)
{
	const uint64_t id = pk_load_u64(field_of(ring, at, sizeof(struct perf_header)));
	const struct pace_period *period = pk_table_get(counts->periods, id);

	if (!period || period->offset + sizeof(period->ns) > size)
		return;
	write_run(ring, walk, at + period->offset, writer);
	pk_writer_bytes(writer, &period->ns, sizeof(period->ns), 0, 0);
	walk->from += sizeof(period->ns);
}

/* ---- User halves of samples (--call-graph unwind) ---- */

/* Returns the offset of the callchain in a sample. */
static size_t callchain_offset(const struct ring *ring, uint64_t at, const struct perf_attr *attr)
{
	const uint64_t type = attr->sample_type, format = attr->read_format;
	const size_t before = sizeof(struct perf_header) +
			      8 * (size_t)__builtin_popcountll(type & BEFORE_CALLCHAIN);
	const size_t times = (size_t)__builtin_popcountll(
		format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING));
	const size_t each =
		1 + (size_t)__builtin_popcountll(format & (PERF_FORMAT_ID | PERF_FORMAT_LOST));

	if (!(type & PERF_SAMPLE_READ))
		return before;
	if (!(format & PERF_FORMAT_GROUP))
		return before + 8 * (times + each);
	return before + 8 * (1 + times + each * pk_load_u64(field_of(ring, at, before)));
}

/* A sample of a bpf-output event, with sample_type IDENTIFIER and RAW. Its raw data are a struct
 * unwind_half. This is a user callchain that belongs to another sample, and is called a half. */
struct PERF_RECORD_TYPE half_sample {
	struct perf_header header;
	uint64_t id;
	uint32_t size;
};

/* Copies a half. Its bytes can continue at the start of the ring. */
static void keep_half(struct ring *ring, uint64_t at, size_t size)
{
	struct unwind_half *half;
	size_t start, first;

	at += sizeof(struct half_sample);
	size -= size < sizeof(struct half_sample) ? size : sizeof(struct half_sample);
	if (!ring->halves)
		ring->halves = calloc(1, sizeof(*ring->halves));
	if (!ring->halves)
		return;
	half = unwind_halves_add(ring->halves);
	size = size < sizeof(*half) ? size : sizeof(*half);
	start = at & (ring->size - 1);
	first = size < ring->size - start ? size : ring->size - start;
	memcpy(half, ring->data + start, first);
	memcpy((uint8_t *)half + first, ring->data, size - first);
	if (!unwind_half_is_valid(half, size))
		ring->halves->count--;
}

/* Replaces the frames of interpreters in the half that belongs to a sample. */
static void name_frames(const struct ring *ring, uint64_t at, const struct perf_attr *attr,
			struct unwind_half *half, struct pk_writer *writer,
			const struct ring_counts *counts)
{
	const bool timed = attr->sample_type & PERF_SAMPLE_TIME;
	const struct interpreted_use use = {
		.writer = writer,
		.attr = &counts->events->items[0].attr,
		.pid = pk_load_u32(field_of(ring, at, counts->pid_offset)),
		.id = pk_load_u64(field_of(ring, at, sizeof(struct perf_header))),
		.time = timed ? pk_load_u64(field_of(ring, at, counts->pid_offset + 8)) : 0,
		.stamp = half->stamp,
		.when = half->when};
	uint32_t end = half->end;

	half->count = (uint32_t)unwind_joins_name(counts->joins, &use, half->addresses, half->count,
						  &end);
	half->end = end;
}

/* Writes the address of the sample. If the native frame at this address was replaced, writes the
 * address of the replacing frame instead. The header must already be written. */
static void write_ip(struct ring *ring, struct walk *walk, uint64_t at, uint16_t misc,
		     const struct unwind_half *half, struct pk_writer *writer)
{
	const uint64_t leaf = half->addresses[0];

	if ((misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_USER ||
	    !interpreted_is_word(leaf))
		return;
	write_run(ring, walk, at + sizeof(struct perf_header) + sizeof(uint64_t), writer);
	pk_writer_bytes(writer, &leaf, sizeof(leaf), 0, 0);
	walk->from += sizeof(leaf);
}

/* The largest size of a sample to which a trailer can be added. */
#define ROOM_MAX (PERF_RECORD_SIZE_MAX - sizeof(struct pk_trailer))

/* Writes the records before `at`. Then writes the sample at `at`, and adds the addresses of its
 * half to its callchain. Returns false if there is no address to add, or if the record would become
 * too long. */
static bool write_joined(struct ring *ring, struct walk *walk, uint64_t at,
			 struct perf_header header, struct pk_writer *writer,
			 struct ring_counts *counts)
{
	const uint64_t index = pk_table_get_u64(&counts->joins->samples,
						pk_load_u64(field_of(ring, at, sizeof(header))));
	const uint64_t ip = pk_load_u64(field_of(ring, at, sizeof(header) + sizeof(uint64_t)));
	const uint32_t tid = pk_load_u32(field_of(ring, at, counts->pid_offset + sizeof(uint32_t)));
	const uint16_t whole = header.size;
	struct pk_trailer trailer = {PK_CHAIN_TRAILER_TAG, 0};
	uint64_t user[2] = {PERF_CONTEXT_USER, 0}, count;
	const struct perf_attr *attr;
	struct unwind_half *half;
	size_t offset, added = 0;
	uint32_t flags;

	if (!index)
		return false;
	attr = &counts->events->items[index - 1].attr;
	half = ring->halves ? unwind_halves_take(ring->halves, ip, tid) : NULL;
	if (half && unwind_half_is_interpreted(half)) {
		write_run(ring, walk, at, writer);
		name_frames(ring, at, attr, half, writer, counts);
	}
	flags = unwind_joins_note(counts->joins, half);
	offset = callchain_offset(ring, at, attr);
	if (offset + 8 > whole)
		return false;
	if (half && half->count) {
		added = whole < ROOM_MAX ? (ROOM_MAX - whole) / 8 : 0;
		added = unwind_joins_limit(counts->joins, half, added, &flags);
	}
	trailer.value = flags;
	if (whole > ROOM_MAX)
		return false;
	if (!added && !trailer.value)
		return false;
	header.size = (uint16_t)(whole + 8 * added + (trailer.value ? sizeof(trailer) : 0));
	write_run(ring, walk, at, writer);
	pk_writer_bytes(writer, &header, sizeof(header), 1, 1);
	walk->from = at + sizeof(header);
	if (half && half->count)
		write_ip(ring, walk, at, header.misc, half, writer);
	if (counts->periods)
		write_period(ring, walk, at, whole, writer, counts);
	if (added) {
		count = pk_load_u64(field_of(ring, at, offset));
		user[1] = count + added;
		write_run(ring, walk, at + offset, writer);
		pk_writer_bytes(writer, &user[1], sizeof(user[1]), 0, 0);
		walk->from += sizeof(count);
		write_run(ring, walk, at + offset + 8 + 8 * count, writer);
		pk_writer_bytes(writer, &user[0], sizeof(user[0]), 0, 0);
		pk_writer_bytes(writer, half->addresses, 8 * (added - 1), 0, 0);
	}
	write_run(ring, walk, at + whole, writer);
	if (trailer.value)
		pk_writer_bytes(writer, &trailer, sizeof(trailer), 0, 0);
	return true;
}

/* Returns true if the sample at `at` is a half. A half is not written by itself. */
static bool is_half(struct ring *ring, uint64_t at, const struct ring_counts *counts)
{
	return pk_table_get_u64(&counts->joins->halves,
				pk_load_u64(field_of(ring, at, sizeof(struct perf_header))));
}

static bool drain_records(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts)
{
	const uint64_t head = counts->joins ? ring->seen : ring->tail + unread(ring);
	struct walk walk = {.from = ring->tail, .fetched = ring->tail};
	struct perf_header header;
	uint16_t size;
	uint64_t at;

	if (head == ring->tail)
		return false;
	for (at = ring->tail; at < head; at += header.size) {
		memcpy(&header, ring->data + (at & (ring->size - 1)), sizeof(header));
		if (header.size < sizeof(header))
			break;
		if (at - walk.from >= WRITE_SIZE)
			write_run(ring, &walk, at, writer);
		fetch_ahead(ring, &walk, at, header.size);
		if (counts->joins && header.type == PERF_RECORD_SAMPLE &&
		    is_half(ring, at, counts)) {
			keep_half(ring, at, header.size);
			write_run(ring, &walk, at, writer);
			walk.from = at + header.size;
			continue;
		}
		if (!note_record(ring, at, header.type, counts)) {
			write_run(ring, &walk, at, writer);
			walk.from = at + header.size;
			continue;
		}
		if (counts->joins && header.type == PERF_RECORD_SAMPLE &&
		    write_joined(ring, &walk, at, header, writer, counts))
			continue;
		if (counts->bare && header.type == PERF_RECORD_SAMPLE &&
		    write_bare(ring, &walk, at, header, writer, counts))
			continue;
		if (counts->periods && header.type == PERF_RECORD_SAMPLE)
			write_period(ring, &walk, at, header.size, writer, counts);
		size = true_size(ring, at, &header, counts->trailer);
		if (size < header.size) {
			write_cut(ring, &walk, at, header, size, writer);
			continue;
		}
		walk.records++;
		walk.samples += header.type == PERF_RECORD_SAMPLE;
	}
	write_run(ring, &walk, head, writer);
	ring->tail = head;
	return true;
}

/* The records come first, because a reader finds the bytes of a piece by its AUX record. */
bool ring_drain(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts)
{
	const bool records = drain_records(ring, writer, counts);
	const size_t bytes = aux_area_drain(&ring->aux, writer);

	counts->trace_bytes += bytes;
	return records || bytes;
}

void rings_snapshot_aux(struct ring_list *rings, size_t most, struct pk_writer *writer,
			struct ring_counts *counts)
{
	for (size_t i = 0; i < rings->count; i++)
		counts->trace_bytes += aux_area_snapshot(&rings->items[i].aux, most, writer);
}

void ring_look(struct ring *ring, void (*each)(void *arg, const uint8_t *record), void *arg)
{
	const uint64_t head = ring->tail + unread(ring);
	uint8_t whole[PERF_RECORD_SIZE_MAX];
	struct perf_header header;

	for (; ring->seen < head; ring->seen += header.size) {
		const size_t start = ring->seen & (ring->size - 1);
		const size_t first = ring->size - start;

		memcpy(&header, ring->data + start, sizeof(header));
		if (header.size < sizeof(header)) {
			ring->seen = head;
			break;
		}
		if (header.type == PERF_RECORD_SAMPLE)
			continue;
		if (header.size <= first) {
			each(arg, ring->data + start);
			continue;
		}
		memcpy(whole, ring->data + start, first);
		memcpy(whole + first, ring->data, header.size - first);
		each(arg, whole);
	}
}

void ring_read(struct ring *ring,
	       void (*each)(void *arg, const uint8_t *record, const struct perf_header *header),
	       void *arg)
{
	const uint64_t head = ring->tail + unread(ring);
	uint8_t whole[PERF_RECORD_SIZE_MAX];
	struct perf_header header;

	if (head == ring->tail)
		return;
	for (; ring->tail < head; ring->tail += header.size) {
		const size_t start = ring->tail & (ring->size - 1);
		const size_t first = ring->size - start;

		memcpy(&header, ring->data + start, sizeof(header));
		if (header.size < sizeof(header))
			break;
		if (header.size <= first) {
			each(arg, ring->data + start, &header);
			continue;
		}
		memcpy(whole, ring->data + start, first);
		memcpy(whole + first, ring->data, header.size - first);
		each(arg, whole, &header);
	}
	ring->tail = head;
	__atomic_store_n(&ring->page->data_tail, head, __ATOMIC_RELEASE);
}

/* Writes the newest record first, because the kernel writes from higher to lower addresses. The
 * oldest record can be incomplete. */
void ring_snapshot(struct ring *ring, struct pk_writer *writer, struct ring_counts *counts)
{
	const size_t mask = ring->size - 1;
	struct perf_header header;
	uint64_t head, most, at;
	uint16_t size;

	if (!ring->page)
		return;
	ioctl(ring->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1);
	head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	most = ring->tail - head < ring->size ? ring->tail - head : ring->size;
	for (at = 0; most - at >= sizeof(header); at += size) {
		const size_t start = (head + at + sizeof(header)) & mask;
		size_t first = ring->size - start, rest;

		memcpy(&header, ring->data + ((head + at) & mask), sizeof(header));
		size = header.size;
		if (size < sizeof(header) || size > most - at)
			break;
		if (!note_record(ring, head + at, header.type, counts))
			continue;
		header.size = true_size(ring, head + at, &header, counts->trailer);
		rest = header.size - sizeof(header);
		first = first < rest ? first : rest;
		pk_writer_bytes(writer, &header, sizeof(header), 1,
				header.type == PERF_RECORD_SAMPLE);
		pk_writer_bytes(writer, ring->data + start, first, 0, 0);
		pk_writer_bytes(writer, ring->data, rest - first, 0, 0);
	}
	pk_writer_settle(writer);
	ring->tail = head;
	ioctl(ring->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 0);
}
