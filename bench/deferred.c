/* SPDX-License-Identifier: BSD-2-Clause */
/* deferred SAMPLES THREADS [plain]: writes a stream like perf record -a --call-graph fp,defer.
 * Tasks are interrupted in the kernel, all at the same time, and are sampled there once or more
 * often. At the end of an interruption, a record has the deferred user callchain. Some samples come
 * after this record. Some of these records are lost, and some have no sample. The rings of 16 CPUs
 * are written one after another, in rounds. The counts are printed on stderr. With `plain`, samples
 * have complete callchains of the same length, and there are no separate records. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "pkstream.h"

#define CPUS	     16
#define RING_SIZE    ((size_t)512 << 10)
#define RECORD_MAX   1024
#define KERNEL_DEPTH 12
#define USER_DEPTH   14
#define PID	     1000

struct ring {
	uint8_t data[RING_SIZE];
	size_t size;
};

struct task {
	uint64_t cookie;  /* 0 while the task is in user mode */
	uint64_t samples; /* number of samples since the task entered the kernel */
	bool sent;	  /* the record with the user callchain was written */
};

static struct ring rings[CPUS];
static uint64_t now = 1000000000, cookies, seed = 88172645463325252;
static struct {
	uint64_t samples, late, lost, records, alone;
} counts;
static bool plain;

static uint32_t random_below(uint32_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(((seed & UINT32_MAX) * limit) >> 32);
}

static void put(const void *data, size_t size)
{
	if (fwrite(data, 1, size, stdout) != size)
		err(EXIT_FAILURE, "stdout");
}

static void finish_round(void)
{
	const uint64_t round = UINT64_C(8) << 48 | PERF_RECORD_FINISHED_ROUND;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		put(rings[cpu].data, rings[cpu].size);
		rings[cpu].size = 0;
	}
	put(&round, sizeof(round));
}

static uint64_t *begin(uint32_t cpu)
{
	if (rings[cpu].size > RING_SIZE - RECORD_MAX)
		finish_round();
	return (uint64_t *)(rings[cpu].data + rings[cpu].size);
}

static void end(uint32_t cpu, uint64_t *start, const uint64_t *at, uint32_t type, uint16_t misc)
{
	uint64_t size = (uint64_t)((const uint8_t *)at - (const uint8_t *)start);

	*start = size << 48 | (uint64_t)misc << 32 | type;
	rings[cpu].size += size;
}

static uint64_t *put_addresses(uint64_t *at, uint64_t base, uint32_t count)
{
	while (count--)
		*at++ = base + 16 * count;
	return at;
}

static void write_sample(uint32_t tid, uint32_t cpu, uint64_t cookie)
{
	uint32_t kernel = KERNEL_DEPTH / 2 + random_below(KERNEL_DEPTH);
	uint64_t *start = begin(cpu), *at = start + 1;

	*at++ = 1;
	*at++ = UINT64_C(0xffffffff81000000);
	*at++ = (uint64_t)tid << 32 | PID;
	*at++ = now;
	*at++ = cpu;
	*at++ = 1000;
	*at++ = 1 + kernel + (plain ? 1 + USER_DEPTH / 2 : 2);
	*at++ = PERF_CONTEXT_KERNEL;
	at = put_addresses(at, UINT64_C(0xffffffff81000000), kernel);
	*at++ = plain ? PERF_CONTEXT_USER : PERF_CONTEXT_USER_DEFERRED;
	if (plain)
		at = put_addresses(at, 0x400000, USER_DEPTH / 2);
	else
		*at++ = cookie;
	end(cpu, start, at, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	counts.samples++;
}

static void write_half(uint32_t tid, uint32_t cpu, uint64_t cookie)
{
	uint32_t user = USER_DEPTH / 2 + random_below(USER_DEPTH);
	uint64_t *start = begin(cpu), *at = start + 1;

	*at++ = cookie;
	*at++ = user;
	at = put_addresses(at, 0x400000 + 4096 * (uint64_t)tid, user);
	*at++ = (uint64_t)tid << 32 | PID;
	*at++ = now;
	*at++ = cpu;
	*at++ = 1;
	end(cpu, start, at, PERF_RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER);
	counts.records++;
}

/* Writes one random event of a task. */
static void step(struct task *task, uint32_t tid)
{
	uint32_t cpu = random_below(CPUS), luck = random_below(1000);

	now += 100;
	if (!task->cookie) {
		task->cookie = (uint64_t)(2 * ++cookies + 1) << 32 | (cpu + 1);
		task->sent = false;
		if (luck >= 5) {
			write_sample(tid, cpu, task->cookie);
			task->samples = 1;
			return;
		}
		if (!plain)
			write_half(tid, cpu, task->cookie);
		counts.alone++;
		task->cookie = 0;
	} else if (task->sent) {
		counts.late += luck < 20;
		if (luck < 20)
			write_sample(tid, cpu, task->cookie);
		task->cookie = 0;
	} else if (luck < 300) {
		write_sample(tid, cpu, task->cookie);
		task->samples++;
	} else if (luck < 310) {
		counts.lost += task->samples;
		task->cookie = 0;
	} else {
		if (!plain)
			write_half(tid, cpu, task->cookie);
		task->sent = true;
	}
}

static void write_head(void)
{
	const uint64_t header[2] = {PERF_MAGIC2, PERF_PIPE_HEADER_SIZE};
	struct {
		struct perf_header header;
		struct perf_attr attr;
		uint64_t id;
	} record = {
		.header = {PERF_RECORD_HEADER_ATTR, 0, sizeof(record)},
		.attr = {.type = 1,
			 .size = sizeof(record.attr),
			 .sample_period = 1000,
			 .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
					PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
					PERF_SAMPLE_CALLCHAIN,
			 .flags = PERF_ATTR_SAMPLE_ID_ALL},
		.id = 1,
	};

	if (!plain)
		record.attr.flags |= PERF_ATTR_DEFER_CALLCHAIN | PERF_ATTR_DEFER_OUTPUT;
	put(header, sizeof(header));
	put(&record, sizeof(record));
}

int main(int argc, char **argv)
{
	uint64_t samples;
	uint32_t threads;
	struct task *tasks;

	if (argc != 3 && argc != 4)
		errx(2, "usage: deferred SAMPLES THREADS [plain] >OUT");
	samples = strtoull(argv[1], NULL, 10);
	threads = (uint32_t)strtoul(argv[2], NULL, 10);
	plain = argc == 4;
	tasks = calloc(threads ? threads : 1, sizeof(*tasks));
	if (!tasks || !threads)
		errx(EXIT_FAILURE, "no threads");
	write_head();
	while (counts.samples < samples) {
		uint32_t i = random_below(threads);

		step(&tasks[i], PID + i);
	}
	finish_round();
	for (uint32_t i = 0; i < threads; i++)
		counts.lost += tasks[i].cookie && !tasks[i].sent ? tasks[i].samples : 0;
	free(tasks);
	fprintf(stderr, "samples=%llu late=%llu halves=%llu alone=%llu lost=%llu\n",
		(unsigned long long)counts.samples, (unsigned long long)counts.late,
		(unsigned long long)counts.records, (unsigned long long)counts.alone,
		(unsigned long long)counts.lost);
	return fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
