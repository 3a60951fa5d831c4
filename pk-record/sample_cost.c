// SPDX-License-Identifier: BSD-2-Clause
/* The kernel does not count the time that samples need. So this file measures it: while the clock
 * is read in a loop, each sample makes one long step of the clock. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "perf_syscall.h"
#include "record_time.h"
#include "sample_cost.h"

#define TIME_NS	  UINT64_C(30000000) /* length of the measurement */
#define FREQUENCY 4000		     /* in Hz */
#define STEPS	  256		     /* the longest steps that are kept */
#define RING_SIZE ((size_t)256 << 10)

/* The longest steps of the clock in ns, in descending order. */
struct steps {
	uint64_t ns[STEPS];
	size_t count;
};

static void add_step(struct steps *steps, uint64_t ns)
{
	size_t i = steps->count;

	if (i == STEPS) {
		if (ns <= steps->ns[--i])
			return;
	} else {
		steps->count++;
	}
	for (; i && steps->ns[i - 1] < ns; i--)
		steps->ns[i] = steps->ns[i - 1];
	steps->ns[i] = ns;
}

static int open_event(const struct perf_attr *of)
{
	struct perf_attr attr = *of;

	attr.flags &= ~(PERF_ATTR_DISABLED | PERF_ATTR_INHERIT | PERF_ATTR_ENABLE_ON_EXEC);
	if (attr.flags & PERF_ATTR_FREQ && attr.sample_period < FREQUENCY)
		attr.sample_period = FREQUENCY;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Returns the number of samples in a ring that was not read and has not wrapped around. */
static size_t count_samples(const struct perf_ring_page *page, const uint8_t *data)
{
	const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	size_t count = 0;

	for (uint64_t at = 0; at + sizeof(struct perf_header) <= head;) {
		const struct perf_header *header = (const void *)(data + at);

		if (header->size < sizeof(*header))
			break;
		count += header->type == PERF_RECORD_SAMPLE;
		at += header->size;
	}
	return count;
}

static void read_clock(const struct perf_ring_page *page, struct steps *steps)
{
	const uint64_t start = record_now();
	uint64_t last = start, now;

	for (; last - start < TIME_NS && page->data_head < RING_SIZE / 2; last = now) {
		now = record_now();
		add_step(steps, now - last);
	}
}

double sample_cost(const struct perf_attr *attr)
{
	const size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	struct steps steps = {.count = 0};
	struct perf_ring_page *page;
	const int fd = open_event(attr);
	double cost = 0;
	size_t samples;

	if (fd < 0)
		return 0;
	page = mmap(NULL, page_size + RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED) {
		read_clock(page, &steps);
		ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
		samples = count_samples(page, (const uint8_t *)page + page_size);
		samples = samples < steps.count ? samples : steps.count;
		if (samples)
			cost = (double)steps.ns[samples / 2] / 1e9;
		else
			errno = ENODATA;
		munmap(page, page_size + RING_SIZE);
	}
	close(fd);
	return cost;
}
