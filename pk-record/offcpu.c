// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bpf_call.h"
#include "cli.h"
#include "hash.h"
#include "lookups.h"
#include "offcpu.h"
#include "own_sample.h"
#include "perf_syscall.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "procfs.h"
#include "stream_head.h"
#include "synthesize.h"

#define OPTION	"--off-cpu"
#define INSTEAD "-e sched:sched_switch"

/* Limits for the number of observed threads. THREADS_MAX is for a map whose memory is allocated
 * when it is needed. Kernels before 6.1 refuse such a map for these programs. Then the memory for
 * THREADS_FEW threads is allocated at once. */
#define THREADS_MAX 65536
#define THREADS_FEW 8192

#define OBJECT "offcpu"
#define OWNER  (&(struct bpf_owner){OPTION, NULL, INSTEAD})

static uint32_t block_size(uint32_t stack_size, bool wakers)
{
	return (uint32_t)sizeof(struct offcpu_block) + 2 * stack_size +
	       (wakers ? (uint32_t)sizeof(struct offcpu_waker) + 2 * stack_size : 0);
}

uint32_t offcpu_bpf_shape(struct bpf_library *object, uint32_t frames, uint32_t cpus, bool growing,
			  bool wakers)
{
	const uint32_t most = frames < OFFCPU_STACK_MAX ? frames : OFFCPU_STACK_MAX;
	const uint32_t stack_size = most * (uint32_t)sizeof(uint64_t);

	bpf_library_shape_map(object, "blocked", block_size(stack_size, wakers),
			      growing ? THREADS_MAX : THREADS_FEW, growing ? BPF_F_NO_PREALLOC : 0);
	bpf_library_shape_map(object, "blank", block_size(stack_size, wakers), 1, 0);
	if (!wakers)
		bpf_library_leave_out(object, "pk_off_cpu_waking");
	bpf_library_shape_map(object, "block_outputs", 0, cpus, 0);
	return stack_size;
}

void offcpu_bpf_leave_out(struct bpf_library *object)
{
	bpf_library_leave_out(object, "pk_off_cpu_out");
	bpf_library_leave_out(object, "pk_off_cpu_in");
	bpf_library_leave_out(object, "pk_off_cpu_waking");
}

/* Loads the programs. With `growing`, the memory for threads is allocated when it is needed. The
 * kernel can refuse this. */
static enum pk_status load(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus,
			   uint64_t threshold, bool wakers, bool growing)
{
	struct offcpu_settings settings = {.threshold = threshold, .wakers = wakers};

	bpf_library_close(bpf->object);
	bpf->object = bpf_library_open_own(OBJECT, OWNER, &bpf->messages);
	if (!bpf->object)
		return PK_FAILED;
	bpf->stack_size = offcpu_bpf_shape(bpf->object, frames, cpus, growing, wakers);
	settings.stack_size = bpf->stack_size;
	bpf_library_set(bpf->object, &settings, sizeof(settings));
	return bpf_library_start(bpf->object, &bpf->messages);
}

static void find_parts(struct offcpu_bpf *bpf)
{
	bpf->switch_out = bpf_library_program(bpf->object, "pk_off_cpu_out");
	bpf->blocked = bpf_library_map(bpf->object, "blocked");
	bpf->outputs = bpf_library_map(bpf->object, "block_outputs");
	bpf->missed = bpf_library_map(bpf->object, "blocks_missed");
}

enum pk_status offcpu_bpf_open(struct offcpu_bpf *bpf, uint32_t frames, uint32_t cpus,
			       uint64_t threshold, bool wakers)
{
	bpf->wakers = wakers;
	PK_TRY(bpf_outside_of_namespaces(&bpf->messages, OPTION, INSTEAD));
	if (load(bpf, frames, cpus, threshold, wakers, true) != PK_OK) {
		pk_messages_clear(&bpf->messages);
		PK_TRY(load(bpf, frames, cpus, threshold, wakers, false));
	}
	find_parts(bpf);
	return PK_OK;
}

void offcpu_bpf_free(struct offcpu_bpf *bpf)
{
	if (!bpf->shared)
		bpf_library_close(bpf->object);
	bpf->object = NULL;
	pk_messages_clear(&bpf->messages);
}

/* ---- Use ---- */

enum pk_status offcpu_bpf_output(const struct offcpu_bpf *bpf, uint32_t cpu, int fd)
{
	return bpf_access_map(BPF_MAP_UPDATE_ELEM, bpf->outputs, &cpu, &fd) == 0 ? PK_OK : PK_IO;
}

enum pk_status offcpu_bpf_start(struct offcpu_bpf *bpf)
{
	return bpf_library_attach(bpf->object, &bpf->messages);
}

void offcpu_bpf_end(struct offcpu_bpf *bpf)
{
	bpf_library_detach(bpf->object);
	syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

uint64_t offcpu_bpf_missed(const struct offcpu_bpf *bpf)
{
	const uint32_t first = 0;
	uint64_t missed = 0;

	bpf_access_map(BPF_MAP_LOOKUP_ELEM, bpf->missed, &first, &missed);
	return missed;
}

void offcpu_bpf_each_blocked(const struct offcpu_bpf *bpf,
			     void (*each)(void *arg, struct offcpu_block *block), void *arg)
{
	struct offcpu_block *block = malloc(block_size(bpf->stack_size, bpf->wakers));
	uint64_t key, *before = NULL;
	uint32_t count = 0;

	/* If a task is removed during the iteration, the kernel starts again with the first key.
	 * The count ends the iteration in any case. */
	while (block && count++ < THREADS_MAX &&
	       bpf_access_map(BPF_MAP_GET_NEXT_KEY, bpf->blocked, before, &key) == 0) {
		before = &key;
		if (bpf_access_map(BPF_MAP_LOOKUP_ELEM, bpf->blocked, &key, block) == 0 &&
		    block->since)
			each(arg, block);
	}
	free(block);
}

/* ---- Sums ---- */

/* The key of a sum consists of all bytes of a block after the times and the dump. These are the
 * thread and the stacks. */
#define KEY_OFFSET offsetof(struct offcpu_block, ids)

static struct offcpu_sum *sum_at(const struct offcpu_sums *sums, size_t place)
{
	return (struct offcpu_sum *)(void *)(sums->sums.data + place);
}

static uint64_t hash_of(struct offcpu_sums *sums, const uint8_t *block, size_t size)
{
	return pk_hash(block + KEY_OFFSET, size - KEY_OFFSET, pk_table_secret(&sums->places));
}

/* Finds the sum that has the same thread and stacks as the block. Returns NULL if there is none. */
static struct offcpu_sum *find_sum(const struct offcpu_sums *sums, const uint8_t *block,
				   size_t size, uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&sums->places, hash);
	uint64_t place;

	while ((place = pk_probe_next(&probe))) {
		struct offcpu_sum *sum = sum_at(sums, place - 1);

		if (sum->size == size && !memcmp((const uint8_t *)&sum->block + KEY_OFFSET,
						 block + KEY_OFFSET, size - KEY_OFFSET))
			return sum;
	}
	return NULL;
}

static size_t sum_size(size_t size)
{
	return PK_ALIGN8(offsetof(struct offcpu_sum, block) + size);
}

static struct offcpu_sum *add_sum(struct offcpu_sums *sums, const uint8_t *block, size_t size,
				  uint64_t hash)
{
	struct offcpu_sum *sum;

	if (!buffer_room(&sums->sums, sum_size(size)) ||
	    pk_table_add(&sums->places, hash, sums->sums.size + 1) != PK_OK)
		return NULL;
	sum = sum_at(sums, sums->sums.size);
	*sum = (struct offcpu_sum){.size = (uint32_t)size};
	memcpy(&sum->block, block, size);
	sum->block.time = 0;
	sums->sums.size += sum_size(size);
	return sum;
}

/* Returns the size of the block at the start of data, without padding. Returns 0 if the block is
 * invalid. */
static size_t block_in(const void *data, size_t size)
{
	struct offcpu_block block;
	uint64_t whole;

	if (size < sizeof(block))
		return 0;
	memcpy(&block, data, sizeof(block));
	whole = sizeof(block) + (uint64_t)block.user + block.kernel + block.waker;
	return block.user % 8 == 0 && block.kernel % 8 == 0 && whole <= size ? (size_t)whole : 0;
}

enum pk_status offcpu_sums_add(struct offcpu_sums *sums, const void *data, size_t available,
			       uint64_t end, uint32_t cpu)
{
	const size_t size = block_in(data, available);
	const uint64_t hash = size ? hash_of(sums, data, size) : 0;
	struct offcpu_block head;
	struct offcpu_sum *sum;

	if (!size)
		return PK_NOMEM;
	sum = find_sum(sums, data, size, hash);
	if (sum)
		sums->joined++;
	else
		sum = add_sum(sums, data, size, hash);
	if (!sum)
		return PK_NOMEM;
	memcpy(&head, data, sizeof(head));
	sum->block.time += head.time;
	if (end >= sum->end) {
		sum->end = end;
		sum->cpu = cpu;
	}
	return PK_OK;
}

void offcpu_sums_each(const struct offcpu_sums *sums,
		      void (*each)(void *arg, struct offcpu_sum *sum), void *arg)
{
	for (size_t place = 0; place < sums->sums.size;
	     place += sum_size(sum_at(sums, place)->size))
		each(arg, sum_at(sums, place));
}

void offcpu_sums_clear(struct offcpu_sums *sums)
{
	pk_table_clear(&sums->places);
	sums->sums.size = 0;
	sums->joined = 0;
}

void offcpu_sums_free(struct offcpu_sums *sums)
{
	free(sums->sums.data);
	pk_table_free(&sums->places);
	*sums = (struct offcpu_sums){0};
}

/* ---- Events ---- */

#define USUAL_STACK_MAX 127

void offcpu_init(struct offcpu *offcpu, const struct options *options)
{
	*offcpu = (struct offcpu){.options = options};
}

/* ---- Start ---- */

/* Opens events on all CPUs. They are used for the samples of the BPF program, and for a COMM record
 * when the time is needed (see ask_time()). */
static enum pk_status open_outputs(struct offcpu *offcpu)
{
	const struct options *options = offcpu->options;
	struct event *event = pk_event_list_add(&offcpu->outputs, OFFCPU_EVENT);

	if (!event)
		return pk_printed(PK_FAILED, &offcpu->outputs.messages);
	event->attr.type = PERF_TYPE_SOFTWARE;
	event->attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	event->attr.sample_period = 1;
	event->attr.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
	event->attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_LOST;
	event->attr.flags = PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_COMM;
	if (options->sampling.use_clockid) {
		event->attr.flags |= PERF_ATTR_USE_CLOCKID;
		event->attr.clockid = options->sampling.clockid;
	}
	PK_TRY(pk_printed(
		pk_event_list_open(&offcpu->outputs, &offcpu->cpus, &(struct open_options){0}),
		&offcpu->outputs.messages));
	return rings_map(&offcpu->rings, &offcpu->outputs, options, &offcpu->cpus, false);
}

static bool connect_outputs(const struct offcpu *offcpu)
{
	const int *fds = offcpu->outputs.items[0].opened.fds;

	for (size_t i = 0; i < offcpu->cpus.cpus_count; i++) {
		if (fds[i] < 0 || offcpu_bpf_output(&offcpu->bpf, (uint32_t)offcpu->cpus.cpus[i],
						    fds[i]) == PK_OK)
			continue;
		pk_error("--off-cpu: bpf: %s", strerror(errno));
		return false;
	}
	return true;
}

uint32_t offcpu_frames(const struct options *options)
{
	if (options->stacks.max_stack)
		return options->stacks.max_stack;
	return (uint32_t)pk_procfs_read_number("/proc/sys/kernel/perf_event_max_stack",
					       USUAL_STACK_MAX, pk_lookups());
}

void offcpu_share(struct offcpu *offcpu, struct bpf_library *object, uint32_t stack_size,
		  struct unwind_joins *joins)
{
	offcpu->joins = joins;
	offcpu->bpf.object = object;
	offcpu->bpf.shared = true;
	offcpu->bpf.stack_size = stack_size;
	offcpu->bpf.wakers = offcpu->options->programs.wakers;
	find_parts(&offcpu->bpf);
}

enum pk_status offcpu_open(struct offcpu *offcpu)
{
	const struct options *options = offcpu->options;
	const struct target_spec everywhere = {.system_wide = true};
	const struct targets *cpus = &offcpu->cpus;
	struct pk_messages *messages = &offcpu->outputs.messages;
	struct offcpu_bpf *bpf = &offcpu->bpf;

	PK_TRY(pk_printed(pk_targets_init(&offcpu->cpus, &everywhere, 0, messages), messages));
	if (!bpf->shared)
		PK_TRY(pk_printed(offcpu_bpf_open(bpf, offcpu_frames(options),
						  (uint32_t)cpus->cpus[cpus->cpus_count - 1] + 1,
						  options->programs.off_cpu_threshold,
						  options->programs.wakers),
				  &bpf->messages));
	PK_TRY(open_outputs(offcpu));
	if (!connect_outputs(offcpu))
		return PK_FAILED;
	return bpf->shared ? PK_OK : pk_printed(offcpu_bpf_start(bpf), &bpf->messages);
}

enum pk_status offcpu_attach(struct offcpu *offcpu, const struct event_list *events,
			     const struct targets *targets)
{
	for (size_t i = 0; i < events->count; i++)
		if (events->items[i].bpf.off_cpu)
			offcpu->event = &events->items[i];
	offcpu_wakers_find(&offcpu->wakers, events, targets);
	offcpu->targets = targets;
	for (size_t slot = event_slots(targets); slot-- > 0;) {
		const int fd = offcpu->event->opened.fds[slot];

		if (fd < 0)
			continue;
		if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, offcpu->bpf.switch_out)) {
			pk_error("--off-cpu: a BPF program for context-switches: %s",
				 strerror(errno));
			return PK_FAILED;
		}
		offcpu->slot = slot;
	}
	return PK_OK;
}

void offcpu_start(struct offcpu *offcpu, const struct targets *targets)
{
	if (!targets->some_cpus && !offcpu->options->cgroups && !offcpu->options->timing.delay)
		offcpu_sleepers_start(&offcpu->sleepers, targets);
}

void offcpu_close(struct offcpu *offcpu)
{
	rings_unmap(&offcpu->rings);
	pk_event_list_close(&offcpu->outputs, &offcpu->cpus);
	pk_event_list_free(&offcpu->outputs);
	pk_targets_free(&offcpu->cpus);
	offcpu_dumps_free(&offcpu->dumps);
	offcpu_sleepers_free(&offcpu->sleepers);
	offcpu_sums_free(&offcpu->sums);
	offcpu_bpf_free(&offcpu->bpf);
}

/* ---- Samples ---- */

/* Puts the frames of interpreters to their places in a user stack of *user bytes that ended at the
 * time `time`. `end` is as in struct unwind_half. `after` is the number of bytes after the stack,
 * which are moved. */
static void name_frames(struct offcpu *offcpu, uint64_t time, uint64_t ids, uint64_t *addresses,
			uint32_t *user, uint32_t *end, size_t after)
{
	const struct interpreted_use use = {.writer = offcpu->writer,
					    .attr = &offcpu->event->attr,
					    .pid = (uint32_t)(ids >> 32),
					    .time = time,
					    .id = offcpu->event->opened.ids[offcpu->slot]};
	size_t left;

	if (!offcpu->joins)
		return;
	left = unwind_joins_name(offcpu->joins, &use, addresses, *user / 8, end);
	memmove(addresses + left, addresses + *user / 8, after);
	*user = 8 * (uint32_t)left;
}

/* Writes a COMM record of the waker if it is not written yet. The waker can be a thread that is not
 * recorded, and that has ended. */
static void name_waker(struct offcpu *offcpu, uint64_t time, const struct offcpu_waker *waker)
{
	const size_t names = sizeof(offcpu->named) / sizeof(offcpu->named[0]);
	const uint64_t hash = pk_hash(waker->comm, sizeof(waker->comm), waker->ids);
	const struct synthesis synthesis = {.attr = &offcpu->event->attr,
					    .writer = offcpu->writer,
					    .time = time,
					    .id = offcpu->event->opened.ids[offcpu->slot]};
	uint64_t *named = &offcpu->named[(uint32_t)waker->ids % names];
	char comm[sizeof(waker->comm) + 1];

	/* The idle tasks of all CPUs have the tid 0, and readers know it. */
	if (*named == hash || !(uint32_t)waker->ids)
		return;
	*named = hash;
	snprintf(comm, sizeof(comm), "%.*s", (int)sizeof(waker->comm), waker->comm);
	synthesis_comm(&synthesis, (pid_t)(waker->ids >> 32), (pid_t)waker->ids, comm, 0);
}

/* Writes the sample of the waker, if it is known. */
static void write_waker(struct offcpu *offcpu, struct offcpu_sum *sum)
{
	struct offcpu_waker *waker = offcpu_wakers_of(sum);
	uint32_t end = PK_UNWIND_COMPLETE;

	if (!waker)
		return;
	name_frames(offcpu, sum->end, waker->ids, waker->addresses, &waker->user, &end,
		    waker->kernel);
	name_waker(offcpu, sum->end, waker);
	if (offcpu_wakers_write(&offcpu->wakers, sum, offcpu->event->attr.flags, offcpu->writer))
		offcpu->counts->samples++;
}

static void write_sum(void *arg, struct offcpu_sum *sum)
{
	struct offcpu *offcpu = arg;
	struct offcpu_block *block = &sum->block;
	const uint64_t flags = offcpu->event->attr.flags;
	struct pk_trailer trailer = {PK_CHAIN_TRAILER_TAG, 0};
	struct own_sample sample = {.pid = (uint32_t)(block->ids >> 32),
				    .tid = (uint32_t)block->ids,
				    .cpu = sum->cpu,
				    .time = sum->end,
				    .period = block->time};
	struct own_chain chain;
	uint8_t *p;

	if (offcpu->counts->excluded && sample.pid == (uint32_t)offcpu->counts->excluded) {
		offcpu->counts->excluded_samples++;
		return;
	}
	name_frames(offcpu, sum->end, block->ids, block->addresses, &block->user, &block->end,
		    (size_t)block->kernel + block->waker);
	chain = (struct own_chain){.kernel = block->addresses + block->user / 8,
				   .user = block->addresses,
				   .kernel_size = block->kernel,
				   .user_size = block->user};
	own_chain_limit(&chain, flags, &sample);
	if (offcpu->joins && !(flags & OWN_CHAIN_NO_USER))
		trailer.value = unwind_joins_count(offcpu->joins, block->end);
	p = own_sample_append(offcpu->writer, offcpu->event, offcpu->slot, &sample,
			      own_chain_size(&chain) + (trailer.value ? sizeof(trailer) : 0));
	if (!p)
		return;
	offcpu->counts->samples++;
	p = own_chain_put(&chain, p);
	if (trailer.value)
		memcpy(p, &trailer, sizeof(trailer));
	write_waker(offcpu, sum);
}

static void write_sums(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts)
{
	offcpu->writer = writer;
	offcpu->counts = counts;
	counts->joined += offcpu->sums.joined;
	offcpu_sums_each(&offcpu->sums, write_sum, offcpu);
	offcpu_sums_clear(&offcpu->sums);
}

/* ---- The loop ---- */

size_t offcpu_fds(const struct offcpu *offcpu, const int **fds)
{
	if (!offcpu->outputs.count)
		return 0;
	*fds = offcpu->outputs.items[0].opened.fds;
	return offcpu->cpus.cpus_count;
}

/* The result is twice the unread bytes, because a sample is at most twice as large as its raw data.
 */
size_t offcpu_fill(const struct offcpu *offcpu)
{
	size_t fill = 0;

	for (size_t i = 0; i < offcpu->rings.count; i++)
		fill += ring_fill(&offcpu->rings.items[i]);
	return 2 * fill;
}

/* A sample that the BPF program writes. Its sample_type is TIME and RAW. */
struct PERF_RECORD_TYPE output_sample {
	struct perf_header header;
	uint64_t time;
	uint32_t size;
	uint8_t data[];
};

struct reading {
	struct offcpu *offcpu;
	uint32_t cpu;
};

/* Reads a block, or the dump of a block that has started. Returns false if the block or the dump is
 * lost. */
static bool read_block(struct offcpu *offcpu, const uint8_t *data, size_t available, uint64_t time,
		       uint32_t cpu)
{
	const size_t size = block_in(data, available);
	struct offcpu_block head = {0};

	if (available >= sizeof(head))
		memcpy(&head, data, sizeof(head));
	if (offcpu->joins && head.since)
		return offcpu_dumps_add(&offcpu->dumps, offcpu->joins, data, available) == PK_OK;
	if (size && offcpu->joins && head.dump)
		return offcpu_dumps_wait(&offcpu->dumps, data, size, time, cpu) == PK_OK;
	return offcpu_sums_add(&offcpu->sums, data, available, time, cpu) == PK_OK;
}

static void join_block(void *arg, const struct offcpu_block *block, size_t size, uint64_t time,
		       uint32_t cpu)
{
	struct offcpu *offcpu = arg;

	block = offcpu_dumps_join(&offcpu->dumps, block, &size);
	if (!block || offcpu_sums_add(&offcpu->sums, block, size, time, cpu) != PK_OK)
		offcpu->lost++;
}

static void read_record(void *arg, const uint8_t *record, const struct perf_header *header)
{
	const struct reading *reading = arg;
	const struct output_sample *sample = (const void *)record;
	const struct perf_record_comm *comm = (const void *)record;
	const struct perf_record_lost *lost = (const void *)record;
	struct offcpu *offcpu = reading->offcpu;
	size_t size;

	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		size = header->size >= sizeof(*sample) ? header->size - sizeof(*sample) : 0;
		if (!read_block(offcpu, sample->data, size, sample->time, reading->cpu))
			offcpu->lost++;
		break;
	case PERF_RECORD_COMM:
		if (comm->pid == (uint32_t)getpid()) /* the trailer of this record has the time */
			offcpu->now = pk_load_u64(record + header->size - sizeof(uint64_t));
		break;
	case PERF_RECORD_LOST: offcpu->kernel_lost += lost->lost; break;
	default: break;
	}
}

static void read_rings(struct offcpu *offcpu)
{
	const size_t waiting = offcpu->dumps.waiting.size;

	for (size_t i = 0; i < offcpu->rings.count; i++) {
		struct reading reading = {offcpu, (uint32_t)offcpu->cpus.cpus[i]};

		ring_read(&offcpu->rings.items[i], read_record, &reading);
	}
	offcpu_dumps_each(&offcpu->dumps, waiting, join_block, offcpu);
}

bool offcpu_drain(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts)
{
	read_rings(offcpu);
	if (!offcpu->sums.places.count)
		return false;
	write_sums(offcpu, writer, counts);
	return true;
}

/* ---- The end ---- */

/* Sets offcpu->now. Only records contain the time of perf's clock. So this function sets the name
 * of the thread to its current name. The kernel then writes a COMM record, which contains the time.
 */
static void ask_time(struct offcpu *offcpu)
{
	char name[16];

	if (prctl(PR_GET_NAME, name) == 0)
		prctl(PR_SET_NAME, name);
	read_rings(offcpu);
}

static void add_unended(void *arg, struct offcpu_block *block)
{
	struct offcpu *offcpu = arg;

	if (block->time < offcpu->options->programs.off_cpu_threshold)
		return;
	if (block->dump)
		join_block(offcpu, block, 0, offcpu->now, 0);
	else if (offcpu_sums_add(&offcpu->sums, block, SIZE_MAX, offcpu->now, 0) != PK_OK)
		offcpu->lost++;
}

static void add_blocked(void *arg, struct offcpu_block *block)
{
	struct timespec now;
	uint64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ns = (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
	block->time = ns > block->since ? ns - block->since : 0;
	block->since = 0;
	add_unended(arg, block);
}

void offcpu_finish(struct offcpu *offcpu, struct pk_writer *writer, struct ring_counts *counts)
{
	offcpu_bpf_end(&offcpu->bpf);
	ask_time(offcpu);
	read_rings(offcpu); /* join the blocks that still wait for their dumps */
	write_sums(offcpu, writer, counts);
	offcpu_bpf_each_blocked(&offcpu->bpf, add_blocked, offcpu);
	offcpu_sleepers_each(&offcpu->sleepers, offcpu->bpf.stack_size, offcpu->joins, add_unended,
			     offcpu);
	if (offcpu->sleepers.unread)
		pk_warn("--off-cpu: %" PRIu64
			" stacks of threads that were blocked at the start are "
			"missing: this user may not trace them",
			offcpu->sleepers.unread);
	write_sums(offcpu, writer, counts);
}

uint64_t offcpu_write_lost(struct offcpu *offcpu, struct pk_writer *writer)
{
	const struct event *output = &offcpu->outputs.items[0];
	uint64_t lost;

	for (size_t i = 0; i < offcpu->cpus.cpus_count; i++)
		offcpu->lost += lost_since(output, i);
	offcpu->missed = offcpu_bpf_missed(&offcpu->bpf);
	lost = offcpu->lost + offcpu->missed - offcpu->reported;
	if (!(output->attr.read_format & PERF_FORMAT_LOST)) /* the kernel is older than Linux 6.0 */
		lost += offcpu->kernel_lost;
	offcpu->reported += lost;
	if (lost)
		write_lost(offcpu->event, offcpu->targets, offcpu->slot, lost, writer);
	return lost;
}
