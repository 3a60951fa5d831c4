// SPDX-License-Identifier: BSD-2-Clause
/* ringcopy FREQUENCY SECONDS [dwarf] >OUT: does the minimum that a recorder of all CPUs must do. It
 * opens the events of pk-record -a -g -e cpu-clock (with dwarf: --call-graph dwarf). It has one
 * ring for each CPU, of the same size as in pk-record. Like pk-record, it reads all rings when one
 * of them is half full, or after 200 ms, and releases their space in pieces of 256 KiB. It writes
 * the bytes of the rings unchanged. OUT is not a valid stream. It has no header, and no records of
 * the tasks and maps that exist at the start. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RING_SIZE  ((size_t)2 << 20)
#define WRITE_SIZE ((size_t)256 << 10)
#define STACK_SIZE 8192
#define WAIT_MS	   200

struct ring {
	struct perf_event_mmap_page *page;
	const char *data;
	int clock;
};

static uint64_t user_registers(void)
{
#if defined(__x86_64__)
	return 0xff0fff; /* all registers except the segments, which pk-record also leaves out */
#else
	return (UINT64_C(1) << 33) - 1;
#endif
}

static struct perf_event_attr make_attr(uint64_t frequency, int dwarf)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_freq = frequency,
		.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			       PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_PERIOD,
		.freq = 1,
		.disabled = 1,
		.inherit = 1,
		.sample_id_all = 1,
		.exclude_guest = 1,
	};

	if (dwarf) {
		attr.sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
		attr.sample_regs_user = user_registers();
		attr.sample_stack_user = STACK_SIZE;
		attr.exclude_callchain_user = 1;
	}
	return attr;
}

static int open_event(struct perf_event_attr *attr, int cpu)
{
	long fd = syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		err(EXIT_FAILURE, "perf_event_open, CPU %d", cpu);
	return (int)fd;
}

/* Opens two events. The second event writes the records of tasks and maps into the same ring as the
 * first. */
static void open_ring(struct ring *ring, struct perf_event_attr attr, int cpu)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	int tasks;

	ring->clock = open_event(&attr, cpu);
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.freq = 0;
	attr.sample_period = 1;
	attr.disabled = 0;
	attr.mmap = attr.mmap2 = attr.comm = attr.comm_exec = attr.task = 1;
	attr.ksymbol = attr.bpf_event = attr.build_id = 1;
	tasks = open_event(&attr, cpu);
	ring->page = mmap(NULL, page_size + RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
			  ring->clock, 0);
	if (ring->page == MAP_FAILED)
		err(EXIT_FAILURE, "mmap");
	if (ioctl(tasks, PERF_EVENT_IOC_SET_OUTPUT, ring->clock))
		err(EXIT_FAILURE, "PERF_EVENT_IOC_SET_OUTPUT");
	ring->data = (const char *)ring->page + page_size;
}

static void write_all(const char *data, size_t size)
{
	while (size) {
		ssize_t written = write(STDOUT_FILENO, data, size);

		if (written < 0 && errno != EINTR)
			err(EXIT_FAILURE, "stdout");
		if (written > 0) {
			data += written;
			size -= (size_t)written;
		}
	}
}

static void copy_ring(struct ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;

	while (tail != head) {
		size_t at = tail % RING_SIZE, size = head - tail;

		if (size > RING_SIZE - at)
			size = RING_SIZE - at;
		if (size > WRITE_SIZE)
			size = WRITE_SIZE;
		write_all(ring->data + at, size);
		tail += size;
		__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
	}
}

static int64_t now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void record(struct ring *rings, struct pollfd *fds, size_t count, int64_t end)
{
	int64_t left;

	for (size_t i = 0; i < count; i++)
		ioctl(rings[i].clock, PERF_EVENT_IOC_ENABLE, 0);
	while ((left = end - now_ms()) > 0) {
		if (poll(fds, count, left < WAIT_MS ? (int)left : WAIT_MS) < 0 && errno != EINTR)
			err(EXIT_FAILURE, "poll");
		for (size_t i = 0; i < count; i++)
			copy_ring(&rings[i]);
	}
	for (size_t i = 0; i < count; i++)
		ioctl(rings[i].clock, PERF_EVENT_IOC_DISABLE, 0);
	for (size_t i = 0; i < count; i++)
		copy_ring(&rings[i]);
}

int main(int argc, char **argv)
{
	size_t count = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
	struct perf_event_attr attr;
	struct ring *rings;
	struct pollfd *fds;

	if (argc != 3 && (argc != 4 || strcmp(argv[3], "dwarf") != 0))
		errx(2, "usage: ringcopy FREQUENCY SECONDS [dwarf] >OUT");
	rings = calloc(count, sizeof(*rings));
	fds = calloc(count, sizeof(*fds));
	if (!rings || !fds)
		err(EXIT_FAILURE, "ringcopy");
	attr = make_attr(strtoull(argv[1], NULL, 10), argc == 4);
	for (size_t i = 0; i < count; i++) {
		open_ring(&rings[i], attr, (int)i);
		fds[i] = (struct pollfd){.fd = rings[i].clock, .events = POLLIN};
	}
	record(rings, fds, count, now_ms() + 1000 * strtoll(argv[2], NULL, 10));
	free(fds);
	free(rings);
	return EXIT_SUCCESS;
}
