// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "fleet_stream.h"
#include "lookups.h"
#include "number.h"
#include "pkprivate.h"
#include "pkstream.h"
#include "procfs.h"

/* The stream that is written, and the line that is read. */
struct fleet_writer {
	struct pk_writer *writer;
	struct pk_dictionary *names; /* of the current session */
	struct pk_stage *stage;	     /* NULL between sessions */
	uint32_t root;		     /* the stack of the thread's name */
	uint64_t samples;	     /* number of samples of the current session */
	char *line;
	size_t capacity;
	uint64_t number; /* number of the line */
};

enum { EVENT_ID = 1, THREAD = 1 };

/* ---- Lines ---- */

/* Reads the next line, and removes its end. Returns its length, or -1 after the last line. */
static ssize_t next_line(struct fleet_writer *w)
{
	ssize_t size = getline(&w->line, &w->capacity, stdin);

	if (size > 0 && w->line[size - 1] == '\n')
		w->line[--size] = '\0';
	w->number++;
	return size;
}

static enum pk_status wrong_line(const struct fleet_writer *w, const char *wanted)
{
	pk_error("fleet stream: line %llu: not %s", (unsigned long long)w->number, wanted);
	return PK_FAILED;
}

/* Ends the column at *at, and returns it. *at becomes the start of the next column, or NULL after
 * the last column. */
static char *next_column(char **at)
{
	return *at ? strsep(at, "\t") : NULL;
}

/* ---- Sessions ---- */

/* Starts a session with one event. With an event of addresses, samples have an ip, and records of
 * processes have a trailer. */
static enum pk_status start_session(struct fleet_writer *w, struct perf_attr attr, const char *name,
				    uint32_t trailers)
{
	const struct pk_stage_options stage = {.program = "fleet",
					       .trailers = trailers,
					       .anonymous = true,
					       .session = pk_procfs_session_info(pk_lookups())};
	const uint64_t id = EVENT_ID;

	attr.size = sizeof(attr);
	attr.sample_period = 1;
	w->samples = 0;
	PK_TRY(pk_stage_new(w->writer, &stage, &w->stage));
	pk_writer_header(w->writer);
	pk_writer_attr(w->writer, &attr, &id, 1);
	pk_stage_start(w->stage);
	if (name)
		pk_writer_update(w->writer, PERF_EVENT_UPDATE_NAME, id, name, strlen(name) + 1);
	w->names = pk_dictionary_new(w->writer);
	return w->names ? pk_writer_status(w->writer) : PK_NOMEM;
}

static void end_session(struct fleet_writer *w)
{
	if (w->stage)
		pk_stage_end(w->stage, true);
	pk_stage_free(w->stage);
	pk_dictionary_free(w->names);
	w->stage = NULL;
	w->names = NULL;
}

/* ---- Samples with stacks ---- */

struct PERF_RECORD_TYPE stack_sample {
	struct perf_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time, period;
	struct pk_trailer trailer;
};

/* Returns the stack of a function that `parent` has called. Returns 0 if memory is exhausted. */
static uint32_t add_function(struct fleet_writer *w, uint32_t parent, const char *name,
			     uint32_t flags)
{
	const struct pk_frame frame = {
		.function = pk_dictionary_string(w->names, name, strlen(name)), .flags = flags};
	const uint32_t id = frame.function ? pk_dictionary_frame(w->names, &frame) : 0;

	return id ? pk_dictionary_stack(w->names, parent, id) : 0;
}

/* Starts a session whose samples have stacks. Events other than clocks are counters without a known
 * meaning. */
static enum pk_status start_stacks(struct fleet_writer *w, const char *event)
{
	const bool cpu = !strcmp(event, "cpu-clock"), task = !strcmp(event, "task-clock");
	const struct perf_attr attr = {.type = cpu || task ? PERF_TYPE_SOFTWARE : PERF_TYPE_RAW,
				       .config = task ? PERF_COUNT_SW_TASK_CLOCK
						      : PERF_COUNT_SW_CPU_CLOCK,
				       .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID |
						      PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD};

	PK_TRY(start_session(w, attr, cpu || task ? NULL : event, PK_TRAILER_STACK));
	w->root = add_function(w, 0, "all", PK_FRAME_COMM);
	return w->root ? PK_OK : PK_NOMEM;
}

static enum pk_status put_sample(struct fleet_writer *w, uint64_t time, uint64_t period,
				 uint32_t stack)
{
	struct stack_sample *sample = (struct stack_sample *)pk_writer_append(
		w->writer, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(*sample));

	if (!sample)
		return pk_writer_status(w->writer);
	*sample = (struct stack_sample){.header = sample->header,
					.pid = THREAD,
					.tid = THREAD,
					.time = time,
					.period = period,
					.trailer = {.tag = PK_STACK_TRAILER_TAG, .value = stack}};
	w->samples++;
	return PK_OK;
}

/* ---- Folded text ---- */

static enum pk_status write_folded_line(struct fleet_writer *w)
{
	char *space = strrchr(w->line, ' '), *rest = w->line, *name;
	uint32_t stack = w->root;
	uint64_t period;

	if (!space || !pk_parse_u64(space + 1, &period))
		return wrong_line(w, "folded text");
	*space = '\0';
	while ((name = strsep(&rest, ";")) && stack)
		stack = add_function(w, stack, name, PK_FRAME_USER);
	return stack ? put_sample(w, w->samples + 1, period, stack) : PK_NOMEM;
}

static enum pk_status write_folded(struct fleet_writer *w, const char *event)
{
	PK_TRY(start_stacks(w, event));
	while (next_line(w) >= 0)
		PK_TRY(write_folded_line(w));
	return PK_OK;
}

/* ---- Hosts ---- */

#define HOST_SAMPLES 100 /* the most samples of one line */

/* Writes `count` samples whose periods have the sum `weight`. */
static enum pk_status put_samples(struct fleet_writer *w, uint64_t count, uint64_t weight,
				  const char *function)
{
	const uint32_t stack = add_function(w, w->root, function, PK_FRAME_USER);

	if (!stack)
		return PK_NOMEM;
	count = count < HOST_SAMPLES ? count : HOST_SAMPLES;
	for (uint64_t i = 0; i < count; i++)
		PK_TRY(put_sample(w, 1, weight / count + (i < weight % count), stack));
	return PK_OK;
}

static enum pk_status write_hosts(struct fleet_writer *w)
{
	char *last = NULL, *rest, *host, *samples, *weight;
	enum pk_status status = PK_OK;
	uint64_t count, sum;

	while (status == PK_OK && next_line(w) >= 0) {
		rest = w->line;
		host = next_column(&rest);
		samples = next_column(&rest);
		weight = next_column(&rest);
		if (!rest || !pk_parse_u64(samples, &count) || !count ||
		    !pk_parse_u64(weight, &sum)) {
			status = wrong_line(w, "a row of a host");
			break;
		}
		if (!last || strcmp(last, host) != 0) {
			end_session(w);
			free(last);
			last = strdup(host);
			status = last ? start_stacks(w, "samples") : PK_NOMEM;
		}
		if (status == PK_OK)
			status = put_samples(w, count, sum, rest);
	}
	free(last);
	return status;
}

/* ---- Addresses ---- */

struct PERF_RECORD_TYPE address_sample {
	struct perf_header header;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
};

/* The address at which files are mapped, and the size of the mapping. */
#define MAP_BASE (UINT64_C(1) << 40)
#define MAP_SIZE (UINT64_C(1) << 32)

/* Reads hexadecimal digits. Returns the number of bytes, or 0 if the text is not a build-id. */
static uint8_t read_build_id(const char *text, uint8_t bytes[PK_BUILD_ID_MAX])
{
	const size_t digits = strlen(text);
	unsigned int byte;

	if (digits % 2 || digits > 2 * PK_BUILD_ID_MAX ||
	    strspn(text, "0123456789abcdef") != digits)
		return 0;
	for (size_t i = 0; i < digits / 2; i++) {
		sscanf(text + 2 * i, "%2x", &byte);
		bytes[i] = (uint8_t)byte;
	}
	return (uint8_t)(digits / 2);
}

/* Writes a map of the whole file. */
static enum pk_status put_map(struct fleet_writer *w, uint32_t pid, const char *build_id)
{
	struct {
		struct perf_task task;
		uint64_t time;
	} trailer = {{pid, pid}, 0};
	struct perf_record_mmap2 *map;
	char path[24];

	snprintf(path, sizeof(path), "/fleet/%u", pid);
	map = pk_writer_with_text(w->writer, PERF_RECORD_MMAP2,
				  PERF_RECORD_MISC_USER | PERF_RECORD_MISC_MMAP_BUILD_ID,
				  sizeof(*map), path, sizeof(trailer));
	if (!map)
		return pk_writer_status(w->writer);
	map->pid = map->tid = pid;
	map->addr = MAP_BASE;
	map->len = MAP_SIZE;
	map->prot = 5;	/* readable and executable */
	map->flags = 2; /* private */
	map->build_id_size = read_build_id(build_id, map->build_id);
	memcpy((char *)map + map->header.size - sizeof(trailer), &trailer, sizeof(trailer));
	return map->build_id_size ? PK_OK : wrong_line(w, "an address");
}

/* The time of a sample is the number of its line, so the samples stay in the order of the lines. */
static enum pk_status put_address(struct fleet_writer *w, uint32_t pid, uint64_t offset)
{
	struct address_sample *sample = (struct address_sample *)pk_writer_append(
		w->writer, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(*sample));

	if (!sample)
		return pk_writer_status(w->writer);
	*sample = (struct address_sample){.header = sample->header,
					  .ip = MAP_BASE + offset,
					  .pid = pid,
					  .tid = pid,
					  .time = w->number};
	return PK_OK;
}

static enum pk_status write_addresses(struct fleet_writer *w)
{
	const struct perf_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
		.flags = PERF_ATTR_SAMPLE_ID_ALL | PERF_ATTR_MMAP2 | PERF_ATTR_BUILD_ID};
	char last[2 * PK_BUILD_ID_MAX + 1] = "", *rest, *build_id, *offset;
	uint64_t number;
	uint32_t pid = 0;

	PK_TRY(start_session(w, attr, NULL, 0));
	while (next_line(w) >= 0) {
		rest = w->line;
		next_column(&rest);
		build_id = next_column(&rest);
		offset = next_column(&rest);
		if (!offset || rest || !pk_parse_u64(offset, &number) || number >= MAP_SIZE ||
		    strlen(build_id) >= sizeof(last))
			return wrong_line(w, "an address");
		if (!pid || strcmp(last, build_id) != 0)
			PK_TRY(put_map(w, ++pid, build_id));
		memcpy(last, build_id, strlen(build_id) + 1);
		PK_TRY(put_address(w, pid, number));
	}
	return PK_OK;
}

/* ---- The command ---- */

static enum pk_status write_lines(struct fleet_writer *w, const char *what)
{
	if (!strcmp(what, "--hosts"))
		return write_hosts(w);
	return strcmp(what, "--addresses") != 0 ? write_folded(w, what) : write_addresses(w);
}

int fleet_stream(int argc, char **argv)
{
	const struct pk_writer_options options = {.fd = STDOUT_FILENO};
	struct fleet_writer w = {0};
	enum pk_status status;

	if (argc > 2)
		return pk_usage_error("fleet stream: more than one argument");
	if (pk_writer_new(&options, &w.writer) != PK_OK)
		return pk_no_memory();
	status = write_lines(&w, argc > 1 ? argv[1] : "samples");
	end_session(&w);
	if (status == PK_OK && ferror(stdin)) {
		pk_error("fleet stream: stdin: %s", strerror(errno));
		status = PK_FAILED;
	}
	if (status == PK_NOMEM)
		pk_no_memory();
	else if (pk_writer_flush(w.writer) != PK_OK && status != PK_FAILED)
		pk_error("fleet stream: stdout: %s", pk_writer_error(w.writer));
	status = status ? status : pk_writer_status(w.writer);
	pk_writer_free(w.writer);
	free(w.line);
	return status ? PK_EXIT_FAILED : PK_EXIT_OK;
}
