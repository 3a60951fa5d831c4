// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "child.h"
#include "cli.h"
#include "data_lines.h"
#include "heap_event.h"
#include "heap_process.h"
#include "heap_recorder.h"
#include "lookups.h"
#include "own_sample.h"
#include "procfs.h"
#include "record_time.h"
#include "segment.h"
#include "stream_head.h"
#include "synthesize.h"
#include "unwind_bpf.h"

#define LIBRARY "../lib/pk/libpkheap.so"

#define RING_SIZE  (UINT64_C(4) << 20) /* usual size of a ring in bytes */
#define STACK_SIZE 16384u	       /* usual maximum size of a stack in bytes */
/* Time between two looks at the rings, in ns: the second if much was read at the last look. */
#define INTERVAL      UINT64_C(10000000)
#define BUSY_INTERVAL UINT64_C(500000)
/* To read the maps of a process, and to find out whether they have changed, takes at most
 * 1/MAPS_SHARE of the time. */
#define MAPS_SHARE    20
#define PROCESSES_MAX 4096
#define NEWS_MAX      64 /* events of epoll at a time */

/* The state of a recording. */
struct heap {
	struct options *options;
	struct event_list events;
	struct targets slot; /* the only slot (CPU and task) of the events */
	struct child child;
	struct signals signals;
	struct unwind unwind; /* not used, but struct segment needs a pointer to it */
	struct segment segment;
	struct synthesis synthesis;
	struct heap_reply reply;
	int listener;
	int news; /* of epoll: requests, and processes that have ended */
	struct heap_process **processes;
	size_t count, capacity;
	struct pk_table by_pid; /* the same processes */
	size_t turn;		/* index of the process whose maps are looked at next */
	uint64_t started, allocations, frees;  /* numbers of processes and of samples */
	uint64_t lost, lost_bytes, lost_frees; /* sums of all processes */
	uint64_t refused, broken;	       /* numbers of processes */
	uint64_t last_look;		       /* when the last look at the rings began, in ns */
	bool busy;			       /* much was read at the last look */
};

/* ---- Records ---- */

/* Describes a thread before its first sample. */
static void describe_thread(struct heap *heap, struct heap_process *process, pid_t tid)
{
	static char known;
	char path[64], comm[32];

	if (tid == process->pid || pk_table_get(&process->threads, (uint64_t)tid) ||
	    pk_table_set(&process->threads, (uint64_t)tid, &known) != PK_OK)
		return;
	synthesis_fork(&heap->synthesis, process->pid, tid, process->pid,
		       PERF_RECORD_MISC_FORK_EXEC);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", process->pid, tid);
	if (pk_procfs_read_line(path, comm, sizeof(comm), NULL))
		synthesis_comm(&heap->synthesis, process->pid, tid, comm, 0);
}

struct reading {
	struct heap *heap;
	struct heap_process *process;
};

static void write_record(void *arg, pid_t pid, const struct heap_record *record,
			 const uint64_t *registers, const void *stack)
{
	const struct reading *reading = arg;
	struct heap *heap = reading->heap;

	heap->synthesis.time = record->time;
	describe_thread(heap, reading->process, (pid_t)record->tid);
	heap_event_write(&heap->events, pid, record, registers, stack, heap->reply.mean,
			 heap->segment.writer);
	heap->allocations += record->kind == HEAP_ALLOCATED;
	heap->frees += record->kind == HEAP_FREED;
}

static void read_process(struct heap *heap, struct heap_process *process, bool all)
{
	struct reading reading = {heap, process};
	const struct heap_reader reader = {write_record, &reading};
	const bool broken = process->broken;
	const uint64_t bytes = heap_process_read(process, &reader, all, record_now());

	heap->busy |= bytes > process->size / 16;
	heap->broken += process->broken && !broken;
}

/* ---- Processes ---- */

static uint64_t pages_of(pid_t pid)
{
	char path[64], line[128];

	snprintf(path, sizeof(path), "/proc/%d/statm", pid);
	return pk_procfs_read_line(path, line, sizeof(line), NULL) ? strtoull(line, NULL, 10) : 0;
}

/* Writes the maps of a process, as maps of this time. */
static void write_maps(struct heap *heap, struct heap_process *process, uint64_t time)
{
	heap->synthesis.time = time;
	process->pages = pages_of(process->pid);
	synthesis_maps(&heap->synthesis, process->pid);
}

/* Writes the maps if they may have changed. They get the time of the last look, because a library
 * that was loaded since then can already have samples. */
static void follow_maps(struct heap *heap, struct heap_process *process)
{
	const uint64_t start = record_now();

	if (start < process->maps_due)
		return;
	if (pages_of(process->pid) != process->pages)
		write_maps(heap, process, heap->last_look);
	process->maps_due = start + (record_now() - start) * MAPS_SHARE;
}

/* Follows the maps of processes in turn, of all processes if the time suffices. */
static void follow_all_maps(struct heap *heap)
{
	const uint64_t end = record_now() + BUSY_INTERVAL;

	for (size_t i = 0; i < heap->count && record_now() < end; i++)
		follow_maps(heap, heap->processes[heap->turn++ % heap->count]);
}

static struct heap_process *process_of(const struct heap *heap, pid_t pid)
{
	return pk_table_get(&heap->by_pid, (uint64_t)pid);
}

/* Adds a process. Returns NULL if there are too many processes, or if memory is exhausted. */
static struct heap_process *add_process(struct heap *heap, pid_t pid)
{
	struct heap_process *process;
	struct epoll_event end = {.events = EPOLLIN};

	if (heap->count >= PROCESSES_MAX ||
	    pk_reserve(&heap->processes, &heap->capacity, heap->count, 1,
		       sizeof(*heap->processes)) != PK_OK)
		return NULL;
	process = heap_process_new(pid, heap->reply.ring_size, heap->reply.stack_size);
	end.data.ptr = process;
	if (!process || epoll_ctl(heap->news, EPOLL_CTL_ADD, process->pidfd, &end) ||
	    pk_table_set(&heap->by_pid, (uint64_t)pid, process) != PK_OK) {
		heap_process_free(process);
		return NULL;
	}
	process->place = heap->count;
	heap->processes[heap->count++] = process;
	return process;
}

/* Reads the rest of a process that has ended or executes another program, and forgets it. */
static void end_process(struct heap *heap, struct heap_process *process)
{
	struct heap_process *last = heap->processes[heap->count - 1];

	read_process(heap, process, true);
	heap->lost += process->ring->lost;
	heap->lost_bytes += process->ring->lost_bytes;
	heap->lost_frees += process->ring->lost_frees;
	heap->processes[process->place] = last;
	last->place = process->place;
	heap->count--;
	pk_table_remove(&heap->by_pid, (uint64_t)process->pid);
	heap_process_free(process);
}

static bool send_reply(int fd, const struct heap_reply *reply, int memory)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.bytes = {0}};
	struct iovec part = {(void *)reply, sizeof(*reply)};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	if (memory >= 0) {
		message.msg_control = &control;
		message.msg_controllen = sizeof(control);
		control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)),
						  .cmsg_level = SOL_SOCKET,
						  .cmsg_type = SCM_RIGHTS};
		memcpy(CMSG_DATA(&control.header), &memory, sizeof(int));
	}
	return sendmsg(fd, &message, MSG_NOSIGNAL) == (ssize_t)sizeof(*reply);
}

static void start_process(struct heap *heap, int fd, pid_t pid, bool forked)
{
	struct heap_process *old = process_of(heap, pid), *process = NULL;
	struct task_info info = {0};
	const bool known = old;

	if (old)
		end_process(heap, old);
	if (pk_procfs_task(pid, &info, pk_lookups()))
		process = add_process(heap, pid);
	if (!process) {
		heap->refused++;
		return;
	}
	heap->synthesis.time = record_now();
	if (!known)
		synthesis_fork(&heap->synthesis, pid, pid, info.parent,
			       forked ? 0 : PERF_RECORD_MISC_FORK_EXEC);
	if (!forked) {
		synthesis_comm(&heap->synthesis, pid, pid, info.comm, PERF_RECORD_MISC_COMM_EXEC);
		write_maps(heap, process, record_now());
	}
	process->pages = pages_of(pid);
	if (send_reply(fd, &heap->reply, process->memory)) {
		heap->started++;
	} else {
		heap->refused++;
		end_process(heap, process);
	}
}

/* ---- Requests ---- */

/* Accepts requests only of this user's processes. */
static void answer(struct heap *heap, int fd)
{
	const struct timeval patience = {.tv_usec = 200000};
	struct heap_process *process;
	struct heap_request request;
	struct ucred peer;
	socklen_t size = sizeof(peer);
	ssize_t received;

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) || peer.uid != geteuid() ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience))) {
		heap->refused++;
		return;
	}
	received = recv(fd, &request, sizeof(request), 0);
	if (!received)
		return; /* a process wanted to know whether this program still runs */
	if (received != (ssize_t)sizeof(request) || request.version != HEAP_VERSION) {
		heap->refused++;
		return;
	}
	if (request.kind == HEAP_START || request.kind == HEAP_FORKED) {
		start_process(heap, fd, peer.pid, request.kind == HEAP_FORKED);
		return;
	}
	process = process_of(heap, peer.pid);
	if (process && pages_of(peer.pid) != process->pages)
		write_maps(heap, process, heap->last_look);
	(void)send_reply(fd, &heap->reply, -1); /* the process only waits for it */
}

static void answer_all(struct heap *heap)
{
	int fd;

	while ((fd = accept4(heap->listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		answer(heap, fd);
		close(fd);
	}
}

/* Creates the socket, and sets the variables of the environment for the command. */
static enum pk_status listen_to_processes(struct heap *heap)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char *name = address.sun_path + 1;
	const char *before = getenv("LD_PRELOAD");
	struct epoll_event request = {.events = EPOLLIN};
	char folder[PATH_MAX], library[2 * PATH_MAX];
	uint64_t random[2];
	int length;

	if (!pk_program_folder(folder, sizeof(folder))) {
		pk_error("--heap: the folder of this program cannot be found");
		return PK_FAILED;
	}
	snprintf(library, sizeof(library), "%s/" LIBRARY "%s%s", folder, before ? ":" : "",
		 before ? before : "");
	snprintf(folder + strlen(folder), sizeof(folder) - strlen(folder), "/" LIBRARY);
	if (access(folder, R_OK)) {
		pk_error("--heap: %s: %s", folder, strerror(errno));
		return PK_FAILED;
	}
	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random)) {
		pk_error("--heap: no random numbers: %s", strerror(errno));
		return PK_FAILED;
	}
	length = snprintf(name, sizeof(address.sun_path) - 1, "pk-heap-%016llx%016llx",
			  (unsigned long long)random[0], (unsigned long long)random[1]);
	heap->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (heap->listener < 0 ||
	    bind(heap->listener, (const struct sockaddr *)&address,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) ||
	    listen(heap->listener, 1024) || (heap->news = epoll_create1(EPOLL_CLOEXEC)) < 0 ||
	    epoll_ctl(heap->news, EPOLL_CTL_ADD, heap->listener, &request)) {
		pk_error("--heap: %s", strerror(errno));
		return PK_FAILED;
	}
	if (setenv(HEAP_VARIABLE, name, 1) || setenv("LD_PRELOAD", library, 1)) {
		pk_no_memory();
		return PK_NOMEM;
	}
	return PK_OK;
}

/* ---- The loop ---- */

/* Waits for a request, for the end of a process, or until it is time to look at the rings. */
static void wait_for_news(struct heap *heap)
{
	const struct timespec timeout = {.tv_nsec = (long)(heap->busy ? BUSY_INTERVAL : INTERVAL)};
	struct pollfd any = {.fd = heap->news, .events = POLLIN};
	struct epoll_event news[NEWS_MAX];
	int count;

	ppoll(&any, 1, &timeout, &heap->signals.mask);
	count = epoll_wait(heap->news, news, NEWS_MAX, 0);
	for (int i = 0; i < count; i++) {
		struct heap_process *process = news[i].data.ptr;

		if (process)
			process->ended = true;
	}
}

static void look(struct heap *heap)
{
	const uint64_t start = record_now();
	const bool read = heap->count;

	heap->busy = false;
	follow_all_maps(heap);
	for (size_t i = heap->count; i--;) {
		struct heap_process *process = heap->processes[i];

		if (process->ended)
			end_process(heap, process);
		else
			read_process(heap, process, false);
	}
	if (read) {
		write_mark(PERF_RECORD_FINISHED_ROUND, heap->segment.writer);
		pk_writer_flush(heap->segment.writer);
	}
	heap->last_look = start;
}

/* If the output fails, the command continues, because it can be a program that matters more than
 * its recording. Its rings are still read, so that it never waits for a full one. */
static bool is_over(struct heap *heap, uint64_t deadline)
{
	return pk_child_ended(&heap->child) || pk_signals_stops() || record_now() >= deadline;
}

static void loop(struct heap *heap)
{
	const uint64_t duration = heap->options->timing.duration;
	const uint64_t deadline = duration ? record_now() + duration : UINT64_MAX;

	while (!is_over(heap, deadline)) {
		wait_for_news(heap);
		answer_all(heap);
		look(heap);
	}
	answer_all(heap);
	look(heap);
	while (heap->count)
		end_process(heap, heap->processes[0]);
}

/* ---- Start and end ---- */

static void report(const struct heap *heap)
{
	char text[32], all[32], bytes[32];

	pk_info("%s allocations and %s releases of %s processes",
		pk_number(text, heap->allocations), pk_number(all, heap->frees),
		pk_number(bytes, heap->started));
	if (!heap->started)
		pk_warn("--heap: no process has loaded libpkheap.so: static programs, setuid "
			"programs and those of another C library cannot be recorded");
	else if (!heap->allocations && !heap->lost)
		pk_warn("--heap: no allocation was sampled, because one in %s bytes is: "
			"--heap=BYTES with a smaller number records more",
			pk_number(text, heap->reply.mean));
	if (heap->lost)
		pk_warn("%s of %s allocations (%s bytes) were not recorded: larger buffers (-m) or "
			"fewer samples (--heap=BYTES) help",
			pk_number(text, heap->lost), pk_number(all, heap->lost + heap->allocations),
			pk_number(bytes, heap->lost_bytes));
	if (heap->lost_frees)
		pk_warn("%s of %s releases were not recorded: their memory seems to be still "
			"allocated; larger buffers (-m) or fewer samples (--heap=BYTES) help",
			pk_number(text, heap->lost_frees),
			pk_number(all, heap->lost_frees + heap->frees));
	if (heap->broken)
		pk_warn("%s processes have damaged their buffer; their later samples are missing",
			pk_number(text, heap->broken));
	if (heap->refused)
		pk_warn("%s processes were not recorded: too many processes, another user, or no "
			"memory",
			pk_number(text, heap->refused));
}

static int run(struct heap *heap)
{
	struct segment *segment = &heap->segment;
	struct process_set none = {0};
	int status, command;

	if (segment_start(segment, &none) != PK_OK) {
		pk_child_cancel(&heap->child);
		return PK_EXIT_FAILED;
	}
	heap->synthesis = (struct synthesis){.attr = &heap->events.items[0].attr,
					     .writer = segment->writer,
					     .ids = file_ids_new(),
					     .id = heap->events.items[0].opened.ids[0]};
	status = pk_child_go(&heap->child, heap->options->command);
	if (status)
		return status;
	pk_writer_flush(segment->writer);
	output_uncork(&segment->output);
	loop(heap);
	if (heap->lost)
		write_lost(&heap->events.items[0], &heap->slot, 0, heap->lost, segment->writer);
	if (heap->lost_frees)
		write_lost(&heap->events.items[1], &heap->slot, 0, heap->lost_frees,
			   segment->writer);
	segment_end(segment);
	status = segment_close(segment);
	report(heap);
	command = pk_child_end(&heap->child, &heap->signals);
	return status ? status : command;
}

static enum pk_status open_all(struct heap *heap)
{
	struct options *options = heap->options;
	static int any_cpu = -1;
	static bool chosen = true;
	static pid_t any_task = -1;

	if (!HEAP_REGISTER_MASK) {
		pk_error("--heap: not supported on this architecture");
		return PK_FAILED;
	}
	PK_TRY(listen_to_processes(heap));
	PK_TRY(pk_child_fork(&heap->child, options->command, !options->files.path, &heap->signals));
	PK_TRY(pk_printed(heap_events_add(&heap->events, heap->reply.stack_size),
			  &heap->events.messages));
	heap->slot = (struct targets){.cpus = &any_cpu,
				      .chosen = &chosen,
				      .cpus_count = 1,
				      .tids = &any_task,
				      .tids_count = 1};
	return PK_OK;
}

static void free_all(struct heap *heap)
{
	for (size_t i = 0; i < heap->count; i++)
		heap_process_free(heap->processes[i]);
	free(heap->processes);
	pk_table_free(&heap->by_pid);
	if (heap->listener >= 0)
		close(heap->listener);
	if (heap->news >= 0)
		close(heap->news);
	file_ids_free(heap->synthesis.ids);
	segment_free(&heap->segment);
	own_events_free(&heap->events);
	pk_event_list_free(&heap->events);
}

int heap_run(struct options *options)
{
	struct heap heap = {
		.options = options, .unwind = {.options = options}, .listener = -1, .news = -1};
	const uint64_t ring = options->buffers.ring_size;
	const uint32_t stack = options->stacks.stack_size;
	int status;

	heap.reply = (struct heap_reply){
		.version = HEAP_VERSION,
		.mean = options->heap,
		.ring_size = !ring		    ? RING_SIZE
			     : ring < 4 * HEAP_PAGE ? 4 * HEAP_PAGE
						    : ring,
		.stack_size = !stack		       ? STACK_SIZE
			      : stack < HEAP_STACK_MAX ? stack
						       : HEAP_STACK_MAX,
	};
	heap.segment = (struct segment){.options = options,
					.unwind = &heap.unwind,
					.signals = &heap.signals,
					.events = &heap.events,
					.targets = &heap.slot,
					.output = {.fd = -1, .twin = -1}};
	pk_signals_catch(&heap.signals);
	status = segment_open_output(&heap.segment, true);
	if (!status && open_all(&heap) == PK_OK) {
		status = run(&heap);
	} else {
		pk_child_cancel(&heap.child);
		status = status ? status : PK_EXIT_FAILED;
	}
	free_all(&heap);
	return status;
}
