/* SPDX-License-Identifier: BSD-2-Clause */
/* pools SAMPLES THREADS STACKS STAY >OUT: writes a symbolized recording of a minute. It has
 * THREADS threads of a tenth as many processes on 16 processors, and STACKS distinct stacks of 5
 * to 40 frames of STACKS / 10 functions. Each thread has its own order of the stacks, of which the
 * first ones are the most frequent. A thread has the stack of its last sample again with STAY
 * percent. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pk_abi.h"
#include "pkstream.h"

enum { EVENT_ID = 1, PERIOD = 1000000, DEEPEST = 40, CPUS = 16 };

static const uint64_t start = 1000000000, length = 60000000000;

/* A SAMPLE with the fields of sample_type below, in this order, and the stack. */
struct PERF_RECORD_TYPE sample {
	struct perf_header header;
	uint64_t id, ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t period;
};

struct profile {
	struct pk_writer *writer;
	struct pk_dictionary *names;
	uint32_t *frames, frames_count;
	uint32_t *stacks, count; /* ids */
	uint64_t seed;
};

static uint32_t random_below(struct profile *profile, uint64_t limit)
{
	profile->seed ^= profile->seed << 13;
	profile->seed ^= profile->seed >> 7;
	profile->seed ^= profile->seed << 17;
	return (uint32_t)((profile->seed >> 32) * limit >> 32);
}

static void write_event(struct pk_writer *writer)
{
	const uint64_t id = EVENT_ID;
	struct perf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.type = PERF_TYPE_SOFTWARE;
	attr.size = sizeof(attr);
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.sample_period = PERIOD;
	attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			   PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	pk_writer_attr(writer, &attr, &id, 1);
}

static void write_session(struct pk_writer *writer)
{
	struct pk_record_session *session = (struct pk_record_session *)pk_writer_append(
		writer, PERF_RECORD_EVENT_UPDATE, 0, sizeof(*session));

	if (!session)
		return;
	memset(&session->head.subtype, 0, sizeof(*session) - sizeof(session->head.header));
	session->head.subtype = PK_SUBTYPE_BASE + PK_SESSION;
	session->version = 1;
	session->byte_order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 1 : 2;
	session->word_size = sizeof(void *);
	session->trailers = PK_TRAILER_STACK;
}

static uint32_t pid_of(uint32_t thread)
{
	return 1000 + thread / 10 * 10;
}

static void write_threads(struct profile *profile, uint32_t threads)
{
	for (uint32_t i = 0; i < threads; i++) {
		char name[16] = "";
		struct perf_record_comm *comm = (struct perf_record_comm *)pk_writer_append(
			profile->writer, PERF_RECORD_COMM, 0, sizeof(*comm) + sizeof(name));

		if (!comm)
			return;
		snprintf(name, sizeof(name), i % 10 ? "worker-%u" : "server-%u", i);
		comm->pid = pid_of(i);
		comm->tid = 1000 + i;
		memcpy(comm + 1, name, sizeof(name));
	}
}

static uint32_t add_string(struct profile *profile, const char *format, uint32_t number)
{
	char text[64];
	const int size = snprintf(text, sizeof(text), format, number);

	return pk_dictionary_string(profile->names, text, (size_t)size);
}

static void make_frames(struct profile *profile)
{
	uint32_t objects[8];

	for (uint32_t i = 0; i < 8; i++) {
		struct pk_dso dso = {.path = add_string(profile, "/usr/lib/libpart%u.so", i),
				     .kind = PK_DSO_FILE};

		objects[i] = pk_dictionary_dso(profile->names, &dso);
	}
	for (uint32_t i = 0; i < profile->frames_count; i++) {
		struct pk_frame frame = {
			.dso = objects[i % 8],
			.function = add_string(profile, "module::Type::function_%u", i),
			.flags = PK_FRAME_USER | PK_FRAME_FUNCTION,
			.address = 0x1000 + i * UINT64_C(256),
		};

		profile->frames[i] = pk_dictionary_frame(profile->names, &frame);
	}
}

/* A function calls at most eight others, some of them much more often. */
static uint32_t callee(struct profile *profile, uint32_t frame)
{
	const uint32_t which = random_below(profile, 1 + random_below(profile, 8));

	return ((frame * 8 + which + 1) * UINT64_C(2654435761) >> 7) % profile->frames_count;
}

/* A stack leaves an earlier one at some depth. */
static void make_stacks(struct profile *profile)
{
	struct way {
		uint32_t stacks[DEEPEST], frames[DEEPEST];
	} *ways = calloc(profile->count, sizeof(*ways));

	if (!ways)
		err(EXIT_FAILURE, "pools");
	for (uint32_t i = 0; i < profile->count; i++) {
		const uint32_t depth = 5 + random_below(profile, DEEPEST - 4);
		const struct way *other = &ways[i ? random_below(profile, i) : 0];
		const uint32_t common = i ? 1 + random_below(profile, depth - 1) : 0;
		struct way *way = &ways[i];
		uint32_t k = 0;

		for (; k < common && other->stacks[k]; k++) {
			way->stacks[k] = other->stacks[k];
			way->frames[k] = other->frames[k];
		}
		for (; k < depth; k++) {
			way->frames[k] = k ? callee(profile, way->frames[k - 1]) : 0;
			way->stacks[k] =
				pk_dictionary_stack(profile->names, k ? way->stacks[k - 1] : 0,
						    profile->frames[way->frames[k]]);
		}
		profile->stacks[i] = way->stacks[depth - 1];
	}
	free(ways);
}

/* The first stacks of a thread are much more frequent than the last ones. */
static uint32_t choose(struct profile *profile, uint32_t thread)
{
	const double part = random_below(profile, UINT64_C(1) << 32) / 4294967296.0;
	const uint32_t rank = (uint32_t)(part * part * part * part * profile->count);

	return profile->stacks[(rank + thread % 16 * UINT64_C(7919)) % profile->count];
}

static void write_sample(struct profile *profile, uint32_t thread, uint64_t time, uint32_t stack)
{
	struct sample *sample = (struct sample *)pk_writer_append(
		profile->writer, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER,
		sizeof(*sample) + PK_STACK_TRAILER_SIZE);

	if (!sample)
		return;
	sample->id = EVENT_ID;
	sample->ip = 0x1000;
	sample->pid = pid_of(thread);
	sample->tid = 1000 + thread;
	sample->time = time;
	sample->cpu = thread % CPUS;
	sample->reserved = 0;
	sample->period = PERIOD;
	pk_trailer_put((uint8_t *)(sample + 1), PK_STACK_TRAILER_TAG, stack);
}

static void write_samples(struct profile *profile, uint32_t samples, uint32_t threads,
			  uint32_t stay)
{
	uint32_t *last = calloc(threads, sizeof(*last));

	if (!last)
		err(EXIT_FAILURE, "pools");
	for (uint32_t i = 0; i < samples; i++) {
		/* Some threads work more than others. */
		const uint32_t half = random_below(profile, threads) + 1;
		const uint32_t thread = random_below(profile, half);

		if (!last[thread] || random_below(profile, 100) >= stay)
			last[thread] = choose(profile, thread);
		write_sample(profile, thread, start + length / samples * i, last[thread]);
	}
	free(last);
}

static void write_end(struct pk_writer *writer)
{
	struct pk_record_finish *end = (struct pk_record_finish *)pk_writer_append(
		writer, PERF_RECORD_EVENT_UPDATE, 0, sizeof(*end));

	if (!end)
		return;
	memset(&end->head.subtype, 0, sizeof(*end) - sizeof(end->head.header));
	end->head.subtype = PK_SUBTYPE_BASE + PK_FINISH;
}

int main(int argc, char **argv)
{
	struct profile profile = {.seed = 88172645463325252};
	struct pk_writer_options options;
	uint32_t numbers[4];

	if (argc != 5)
		errx(2, "usage: pools SAMPLES THREADS STACKS STAY >OUT");
	for (int i = 0; i < 4; i++)
		numbers[i] = (uint32_t)strtoul(argv[i + 1], NULL, 10);
	memset(&options, 0, sizeof(options));
	options.fd = STDOUT_FILENO;
	profile.count = numbers[2];
	profile.frames_count = numbers[2] / 10 + 1;
	profile.frames = calloc(profile.frames_count, sizeof(*profile.frames));
	profile.stacks = calloc(profile.count + 1, sizeof(*profile.stacks));
	if (!profile.frames || !profile.stacks || !numbers[1] || !profile.count ||
	    pk_writer_new(&options, &profile.writer) != PK_OK ||
	    !(profile.names = pk_dictionary_new(profile.writer)))
		errx(EXIT_FAILURE, "out of memory, or a number is 0");
	pk_writer_header(profile.writer);
	write_event(profile.writer);
	write_session(profile.writer);
	write_threads(&profile, numbers[1]);
	make_frames(&profile);
	make_stacks(&profile);
	write_samples(&profile, numbers[0], numbers[1], numbers[3]);
	write_end(profile.writer);
	if (pk_writer_flush(profile.writer) != PK_OK)
		errx(EXIT_FAILURE, "%s", pk_writer_error(profile.writer));
	pk_dictionary_free(profile.names);
	pk_writer_free(profile.writer);
	free(profile.frames);
	free(profile.stacks);
	return EXIT_SUCCESS;
}
