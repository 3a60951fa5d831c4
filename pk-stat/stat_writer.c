// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "derived.h"
#include "lookups.h"
#include "perf_syscall.h"
#include "pkstream.h"
#include "procfs.h"
#include "stat.h"
#include "stat_records.h"
#include "system_features.h"

/* ---- Features ---- */

/* Writes the feature CMDLINE with the command of this program. */

static void write_command(struct pk_feature *feature, const struct stat_options *options,
			  struct pk_writer *writer)
{
	pk_feature_start(feature, PERF_FEATURE_CMDLINE);
	pk_feature_u32(feature, (uint32_t)options->argc);
	for (int i = 0; i < options->argc; i++)
		pk_feature_string(feature, options->argv[i]);
	pk_feature_write(feature, writer);
}

/* Writes the features that system_features_write() writes, and CMDLINE. */
static void stat_write_features(struct pk_writer *writer, const struct stat_options *options)
{
	struct pk_feature *feature = pk_need(pk_lookups(), malloc(sizeof(*feature)));

	if (!feature)
		return; /* the features are optional */
	pk_system_features_write(feature, writer, pk_lookups());
	write_command(feature, options, writer);
	free(feature);
}

/* ---- Writer ---- */

/* Limit for the number of ids in one HEADER_ATTR. If an event has more ids, it has several
 * HEADER_ATTRs. */
#define IDS_MAX 8000

struct stat_writer {
	const struct stat_options *options;
	struct pk_writer *writer;
	struct pk_stage *stage;
	int fd;
	bool failed; /* A write has failed. Further errors are not reported. */
};

/* ---- Records ---- */

/* Returns the id of an event that pk-stat counts itself, without the kernel. */
static uint64_t own_id(size_t index)
{
	return UINT64_MAX - 1 - index;
}

static void write_attr(struct pk_writer *writer, const struct event *event, const uint64_t *ids,
		       size_t count)
{
	struct perf_attr attr = event->attr;

	attr.size = perf_attr_size(&attr);
	if (event->probe.target)
		attr.config1 = 0; /* config1 is an address in this process, and has no meaning for
				   * others. */
	pk_writer_attr(writer, &attr, ids, count);
}

static void write_attrs(struct pk_writer *writer, const struct counting *counting)
{
	const struct event_list *events = &counting->options->events;
	const size_t slots = event_slots(&counting->targets);

	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];
		uint64_t ids[IDS_MAX];
		size_t count = 0;

		for (size_t slot = 0; event->opened.fds && slot < slots; slot++) {
			if (event->opened.fds[slot] < 0)
				continue;
			if (count == IDS_MAX) {
				write_attr(writer, event, ids, count);
				count = 0;
			}
			ids[count++] = event->opened.ids[slot];
		}
		if (!count)
			ids[count++] = own_id(i);
		write_attr(writer, event, ids, count);
	}
}

static void write_text(struct pk_writer *writer, uint64_t subtype, uint64_t id, const char *text)
{
	const size_t size = strlen(text) + 1;

	if (size < 30000)
		pk_writer_update(writer, subtype, id, text, size);
}

static uint64_t first_id(const struct counting *counting, size_t index)
{
	const struct event *event = &counting->options->events.items[index];

	for (size_t slot = 0; event->opened.fds && slot < event_slots(&counting->targets); slot++)
		if (event->opened.fds[slot] >= 0)
			return event->opened.ids[slot];
	return own_id(index);
}

static void write_updates(struct pk_writer *writer, const struct counting *counting)
{
	const struct event_list *events = &counting->options->events;

	for (size_t i = 0; i < events->count; i++) {
		const struct event *event = &events->items[i];
		const uint64_t id = first_id(counting, i);
		const bool clock = event_is_clock(event);
		const double scale = clock ? 1e-6 : event->stat.scale;

		if (clock || event->stat.unit[0])
			write_text(writer, PERF_EVENT_UPDATE_UNIT, id,
				   clock ? "msec" : event->stat.unit);
		if (scale != 1)
			pk_writer_update(writer, PERF_EVENT_UPDATE_SCALE, id, &scale,
					 sizeof(scale));
		write_text(writer, PERF_EVENT_UPDATE_NAME, id, event->name);
	}
}

static void write_threads(struct pk_writer *writer, const struct stat_places *places)
{
	const size_t count = places->threads_count;
	struct perf_thread_map_entry *entries = pk_writer_thread_map(writer, count);

	for (size_t i = 0; entries && i < count; i++) {
		const struct stat_thread *thread = &places->threads[i];

		entries[i].pid = (uint64_t)(int64_t)thread->tid;
		if (thread->tid > 0)
			memcpy(entries[i].comm, thread->comm, strnlen(thread->comm, 15));
	}
}

static void write_cpus(struct pk_writer *writer, const struct stat_places *places)
{
	struct perf_cpus_list *list = pk_writer_cpu_map(writer, places->cpus_count);

	for (size_t i = 0; list && i < places->cpus_count; i++)
		list->cpu[i] = (uint16_t)places->cpus[i];
}

static void write_config(struct pk_writer *writer, const struct stat_options *options)
{
	const struct perf_stat_term terms[] = {
		{STAT_CONFIG_BY, stat_by_number(options->print.by)},
		{STAT_CONFIG_INTERVAL, options->run.interval / 1000000},
		{STAT_CONFIG_SCALE, !options->print.no_scale},
	};
	const size_t count = sizeof(terms) / sizeof(*terms);
	struct perf_record_stat_config *config = (void *)pk_writer_append(
		writer, PERF_RECORD_STAT_CONFIG, 0, sizeof(*config) + sizeof(terms));

	if (!config)
		return;
	config->nr = count;
	memcpy(config->terms, terms, sizeof(terms));
}

static void write_count(struct pk_writer *writer, uint64_t id, int cpu, size_t thread,
			const struct count *count)
{
	struct perf_record_stat *stat =
		(void *)pk_writer_append(writer, PERF_RECORD_STAT, 0, sizeof(*stat));

	if (!stat)
		return;
	stat->id = id;
	stat->cpu = (uint32_t)cpu;
	stat->thread = (uint32_t)thread;
	stat->value = count->value;
	stat->enabled = count->enabled;
	stat->running = count->running;
}

/* ---- The stream ---- */

struct stat_writer *stat_writer_new(const struct stat_options *options, int *status)
{
	struct stat_writer *writer = calloc(1, sizeof(*writer));
	struct pk_writer_options to = {0};
	struct pk_stage_options stage = {
		.program = "pk-stat",
		.argc = options->argc,
		.argv = options->argv,
		.session = pk_procfs_session_info(pk_lookups()),
	};

	*status = PK_EXIT_FAILED;
	if (!writer) {
		pk_no_memory();
		return NULL;
	}
	writer->options = options;
	writer->fd = pk_output_open(options->output, "pk-stat", PK_CREATE_LIVE);
	to.fd = writer->fd;
	if (writer->fd >= 0 && pk_writer_new(&to, &writer->writer) == PK_OK &&
	    pk_stage_new(writer->writer, &stage, &writer->stage) == PK_OK)
		return writer;
	if (writer->fd >= 0)
		pk_no_memory();
	else
		*status = -writer->fd;
	if (writer->fd > STDERR_FILENO)
		close(writer->fd);
	pk_writer_free(writer->writer);
	free(writer);
	return NULL;
}

static bool flush(struct stat_writer *writer)
{
	if (pk_writer_flush(writer->writer) == PK_OK)
		return true;
	if (!writer->failed && pk_writer_errno(writer->writer) != EPIPE)
		pk_error("%s: %s", writer->options->output ? writer->options->output : "stdout",
			 pk_writer_error(writer->writer));
	writer->failed = true;
	return false;
}

bool stat_writer_start(struct stat_writer *writer, const struct counting *counting)
{
	const struct stat_places *places = &counting->cells->places;

	if (places->threads_count > STAT_THREADS_MAX || places->cpus_count > STAT_CPUS_MAX) {
		pk_error("--stream: more than %d threads or %d CPUs", STAT_THREADS_MAX,
			 STAT_CPUS_MAX);
		return false;
	}
	pk_writer_header(writer->writer);
	write_attrs(writer->writer, counting);
	pk_stage_start(writer->stage);
	stat_write_features(writer->writer, writer->options);
	write_updates(writer->writer, counting);
	write_threads(writer->writer, places);
	write_cpus(writer->writer, places);
	write_config(writer->writer, writer->options);
	return flush(writer);
}

/* Writes the counts in perf's order: the events of each CPU, and the threads of each event. */
static void write_counts(struct pk_writer *writer, const struct counting *counting)
{
	const struct event_list *events = &counting->options->events;
	const struct targets *targets = &counting->targets;
	size_t place = 0;

	for (size_t cpu = 0; cpu < targets->cpus_count; cpu++) {
		if (!targets->chosen[cpu])
			continue;
		for (size_t i = 0; i < events->count; i++) {
			for (size_t task = 0; task < targets->tids_count; task++) {
				const struct event *event = &events->items[i];
				const size_t slot = event_slot(targets, cpu, task);
				const bool open = event->opened.fds && event->opened.fds[slot] >= 0;

				if (open || (event->stat.tool && !place))
					write_count(writer,
						    open ? event->opened.ids[slot] : own_id(i),
						    targets->cpus[cpu], task,
						    stat_cell(counting->cells, i, place + task));
			}
		}
		place += targets->tids_count;
	}
}

enum pk_status stat_writer_round(struct stat_writer *writer, const struct counting *counting,
				 double seconds, bool final)
{
	struct perf_record_stat_round *round;

	/* As in perf, there is no final round if there are intervals. */
	if (final && writer->options->run.interval)
		return PK_OK;
	write_counts(writer->writer, counting);
	round = (void *)pk_writer_append(writer->writer, PERF_RECORD_STAT_ROUND, 0, sizeof(*round));
	if (round) {
		round->type = final ? STAT_ROUND_FINAL : STAT_ROUND_INTERVAL;
		round->time = (uint64_t)(seconds * 1e9);
	}
	return flush(writer) ? PK_OK : PK_FAILED;
}

enum pk_status stat_writer_free(struct stat_writer *writer)
{
	bool ok;

	if (!writer)
		return PK_OK;
	pk_stage_end(writer->stage, true);
	ok = flush(writer);
	if (close(writer->fd) && ok) {
		pk_error("%s: %s", writer->options->output ? writer->options->output : "stdout",
			 strerror(errno));
		ok = false;
	}
	if (ok)
		ok = !pk_outputs_keep(PK_EXIT_OK);
	else
		pk_outputs_drop();
	pk_stage_free(writer->stage);
	pk_writer_free(writer->writer);
	free(writer);
	return ok ? PK_OK : PK_FAILED;
}
