// SPDX-License-Identifier: BSD-2-Clause
/* The format perf.data: records that describe the recording become parts of the file's header, all
 * others are copied to its data section. pk's definitions and trailers stay, because perf ignores
 * them, and pk reads them back. */
#include <stdlib.h>

#include "context.h"
#include "event_tables.h"
#include "export.h"
#include "perf_data_file.h"

struct perf_data {
	const struct export_options *options;
	struct perf_data_file file;
	uint64_t sessions; /* number of sessions whose start was read */
	uint64_t dropped;  /* samples */
	struct perf_feature_sample_time times;
	bool finished, failed;
	bool cut; /* the file has no end: it replaces no other */
};

static uint64_t wanted_session(const struct perf_data *data)
{
	return data->options->session ? data->options->session : 1;
}

static bool is_wanted(const struct perf_data *data)
{
	return data->sessions == wanted_session(data) && !data->finished;
}

/* ---- Records that become features ---- */

static enum pk_status keep(struct pk_run *run, const struct pk_record *record, uint64_t id,
			   const void *content, size_t size)
{
	struct perf_data *data = run->arg;
	enum pk_status status = perf_data_file_feature(&data->file, id, content, size);

	if (status != PK_UNSUPPORTED)
		return status;
	pk_run_complain(run, record,
			id < PERF_DATA_FEATURES
				? "the features are larger than 256 MiB, one dropped"
				: "a perf.data file has no such feature, dropped");
	return PK_OK;
}

/* Whether this program makes the feature itself. DIR_FORMAT and COMPRESSED describe another form of
 * the data. */
static bool is_made_here(uint64_t id)
{
	switch (id) {
	case PERF_FEATURE_TRACING_DATA:
	case PERF_FEATURE_BUILD_ID:
	case PERF_FEATURE_EVENT_DESC:
	case PERF_FEATURE_AUXTRACE:
	case PERF_FEATURE_DIR_FORMAT:
	case PERF_FEATURE_COMPRESSED: return true;
	default: return false;
	}
}

/* A HEADER_FEATURE, or the FEATURE_PART that completes a feature. If a feature is repeated, the
 * last one is valid. */
static enum pk_status keep_feature(struct pk_run *run, const struct pk_record *record)
{
	struct perf_data *data = run->arg;
	struct pk_feature_content feature;

	if (!pk_reader_feature(run->reader, record, &feature) || is_made_here(feature.id))
		return PK_OK;
	perf_data_file_drop(&data->file, feature.id);
	/* These are markers without content. In a stream they have some, because an empty feature
	 * is an end mark. */
	if (feature.id == PERF_FEATURE_BRANCH_STACK || feature.id == PERF_FEATURE_STAT)
		feature.size = 0;
	return keep(run, record, feature.id, feature.data, feature.size);
}

static enum pk_status keep_tracing_data(struct pk_run *run, const struct pk_record *record)
{
	struct perf_data *data = run->arg;
	enum pk_status status;
	uint8_t *content;
	size_t size;

	if (perf_data_file_has(&data->file, PERF_FEATURE_TRACING_DATA)) {
		pk_run_complain(run, record, "repeated tracing data, dropped");
		return PK_OK;
	}
	status = pk_read_payload(run->reader, &content, &size);
	if (!status && size == record->payload_size) /* else the input ends here */
		status = keep(run, record, PERF_FEATURE_TRACING_DATA, content, size);
	if (status == PK_UNSUPPORTED)
		pk_run_complain(run, record, "tracing data larger than 64 MiB, dropped");
	free(content);
	return status == PK_UNSUPPORTED ? PK_OK : status;
}

/* perf writes 0 as the type of the records in this section. */
static enum pk_status keep_build_id(struct pk_run *run, const struct pk_record *record)
{
	uint8_t entry[UINT16_MAX];

	memcpy(entry, record->data, record->size);
	((struct perf_header *)entry)->type = 0;
	return keep(run, record, PERF_FEATURE_BUILD_ID, entry, record->size);
}

/* ---- Records of the data ---- */

static enum pk_status append(struct pk_run *run, const struct pk_record *record)
{
	struct perf_data *data = run->arg;
	enum pk_status status = perf_data_file_start(&data->file, pk_reader_events(run->reader));

	if (!status)
		status = perf_data_file_flush(&data->file, record->payload_size);
	return status ? status : pk_writer_copy(run->writer, run->reader, record);
}

static void note_time(struct perf_data *data, const struct pk_event *event,
		      const struct pk_record *record)
{
	const uint64_t time = event->layout.time && record->size >= event->layout.fixed_size
				      ? pk_load_u64(record->data + event->layout.time)
				      : 0;

	if (!time || time == PK_NO_TIME)
		return;
	if (!data->times.first || time < data->times.first)
		data->times.first = time;
	if (time > data->times.last)
		data->times.last = time;
}

static enum pk_status append_sample(struct pk_run *run, const struct pk_record *record)
{
	struct perf_data *data = run->arg;

	if (!pk_run_good_sample(run, record)) {
		data->dropped++;
		return PK_OK;
	}
	note_time(data, pk_reader_event_of(run->reader, record), record);
	return append(run, record);
}

/* perf decodes hardware traces only with an index of the AUXTRACE records. */
static enum pk_status append_trace(struct pk_run *run, const struct pk_record *record)
{
	struct perf_data *data = run->arg;
	struct perf_file_section entry = {0, record->size};
	enum pk_status status = perf_data_file_start(&data->file, pk_reader_events(run->reader));

	entry.offset = pk_writer_size(run->writer);
	if (!status)
		status = append(run, record);
	if (!status && !perf_data_file_has(&data->file, PERF_FEATURE_AUXTRACE))
		status = keep(run, record, PERF_FEATURE_AUXTRACE, &(uint64_t){0}, sizeof(uint64_t));
	return status ? status : keep(run, record, PERF_FEATURE_AUXTRACE, &entry, sizeof(entry));
}

/* END: without the samples that were dropped here. */
static enum pk_status append_end(struct pk_run *run, const struct pk_record *record)
{
	struct perf_data *data = run->arg;
	struct pk_record_finish finish;
	struct pk_record changed = *record;
	const uint64_t dropped = data->dropped;

	if (!dropped || record->size != sizeof(finish))
		return append(run, record);
	memcpy(&finish, record->data, sizeof(finish));
	finish.records -= dropped < finish.records ? dropped : finish.records;
	finish.samples -= dropped < finish.samples ? dropped : finish.samples;
	changed.data = (const uint8_t *)&finish;
	return append(run, &changed);
}

static enum pk_status event_update(struct pk_run *run, const struct pk_record *record)
{
	const struct perf_record_event_update *update = (const void *)record->data;

	switch (pk_definition_of(record)) {
	case PK_DEFINITION_NONE:
		/* The names of events are in EVENT_DESC. */
		return update->type == PERF_EVENT_UPDATE_NAME ? PK_OK : append(run, record);
	case PK_FEATURE_PART: return keep_feature(run, record);
	case PK_FINISH: return append_end(run, record);
	default: return append(run, record);
	}
}

/* The events are written from those of the reader, which has only the known fields of an attr. */
static void check_attr(struct pk_run *run, const struct pk_record *record)
{
	const struct perf_record_header_attr *event = (const void *)record->data;
	const uint8_t *attr = (const uint8_t *)&event->attr;
	const size_t room = record->size - offsetof(struct perf_record_header_attr, attr);

	for (size_t i = sizeof(event->attr); i < event->attr.size && i < room; i++) {
		if (!attr[i])
			continue;
		pk_run_complain(run, record, "an attr has unknown fields, dropped");
		break;
	}
}

/* ---- Sessions ---- */

static enum pk_status next_session(struct pk_run *run)
{
	struct perf_data *data = run->arg;

	data->sessions++;
	if (!data->finished) {
		pk_run_forget_losses(run);
		return PK_OK;
	}
	if (!data->options->session) {
		pk_error("%s: another session starts, but a perf.data file has only one: use "
			 "--session=N to select one",
			 run->name);
		data->failed = true;
	}
	run->enough = true;
	return PK_END;
}

static enum pk_status export_record(struct pk_run *run, const struct pk_record *record)
{
	struct perf_data *data = run->arg;

	if (record->type == PK_RECORD_BEGIN)
		return next_session(run);
	if (!is_wanted(data))
		return PK_OK;
	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR: check_attr(run, record); return PK_OK;
	case PERF_RECORD_HEADER_FEATURE: return keep_feature(run, record);
	case PERF_RECORD_HEADER_TRACING_DATA: return keep_tracing_data(run, record);
	case PERF_RECORD_HEADER_BUILD_ID: return keep_build_id(run, record);
	case PERF_RECORD_SAMPLE: return append_sample(run, record);
	case PERF_RECORD_AUXTRACE: return append_trace(run, record);
	case PERF_RECORD_EVENT_UPDATE: return event_update(run, record);
	case PERF_RECORD_STAT_CONFIG:
		perf_data_file_drop(&data->file, PERF_FEATURE_STAT);
		if (perf_data_file_feature(&data->file, PERF_FEATURE_STAT, NULL, 0))
			return PK_NOMEM;
		return append(run, record);
	default: return append(run, record);
	}
}

/* ---- Features that are made at the end ---- */

/* Streams of old versions of perf have only the ids of tracepoints. */
static enum pk_status name_tracepoints(struct pk_run *run, struct perf_data *data)
{
	const struct buffer *content = &data->file.features[PERF_FEATURE_TRACING_DATA];
	const struct pk_events *events = pk_reader_events(run->reader);
	struct pk_tracepoints *formats;
	enum pk_status status;

	if (!content->size)
		return PK_OK;
	formats = pk_tracepoints_new();
	if (!formats)
		return PK_NOMEM;
	status = pk_tracepoints_load(formats, (const uint8_t *)content->data, content->size);
	if (status == PK_CORRUPT)
		status = PK_OK; /* those before the damage are loaded */
	for (size_t i = 0; i < pk_events_count(events) && !status; i++) {
		const struct pk_event *event = pk_events_at(events, i);
		const struct pk_tracepoint *format =
			event->attr.type == PERF_TYPE_TRACEPOINT
				? pk_tracepoints_find(formats, event->attr.config)
				: NULL;

		if (format)
			status = pk_reader_name_event(run->reader, event,
						      pk_tracepoint_name(format));
	}
	if (pk_tracepoints_failed(formats))
		status = PK_NOMEM;
	pk_tracepoints_free(formats);
	return status;
}

/* Whether samples have branches, and these are not callchains (--call-graph lbr). perf report then
 * prints branches. */
static bool has_branches(const struct pk_events *events)
{
	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct perf_attr *attr = &pk_events_at(events, i)->attr;

		if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK &&
		    !(attr->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
			return true;
	}
	return false;
}

static enum pk_status add_features(struct perf_data *data, const struct pk_events *events)
{
	struct perf_data_file *file = &data->file;
	struct buffer *index = &file->features[PERF_FEATURE_AUXTRACE];
	struct buffer desc = {0};
	enum pk_status status = PK_OK;

	if (index->size)
		pk_store_u64(index->data,
			     (index->size - sizeof(uint64_t)) / sizeof(struct perf_file_section));
	if (has_branches(events))
		status = perf_data_file_feature(file, PERF_FEATURE_BRANCH_STACK, NULL, 0);
	if (data->times.first && !status) {
		perf_data_file_drop(file, PERF_FEATURE_SAMPLE_TIME);
		status = perf_data_file_feature(file, PERF_FEATURE_SAMPLE_TIME, &data->times,
						sizeof(data->times));
	}
	add_event_desc(&desc, events);
	if (desc.failed)
		status = PK_NOMEM;
	if (!status)
		status =
			perf_data_file_feature(file, PERF_FEATURE_EVENT_DESC, desc.data, desc.size);
	free(desc.data);
	return status;
}

static void end_of_session(struct pk_run *run)
{
	struct perf_data *data = run->arg;
	const struct pk_events *events = pk_reader_events(run->reader);
	enum pk_status status;

	if (!is_wanted(data))
		return;
	data->finished = true;
	status = name_tracepoints(run, data);
	if (!status)
		status = add_features(data, events);
	if (status) {
		pk_error("the header of %s is incomplete: %s", data->file.name,
			 pk_status_text(status));
		data->failed = true;
	}
	data->cut |= !perf_data_file_finish(&data->file, events);
}

static int export(struct pk_run *run, struct export_options *options)
{
	struct perf_data data = {.options = options};
	int result;

	result = perf_data_file_open(&data.file, options->output);
	if (result)
		return result;
	run->arg = &data;
	run->record = export_record;
	run->session_end = end_of_session;
	run->writer = data.file.writer;
	result = pk_run(run);
	if (options->session && !data.finished) {
		pk_error("--session=%llu: the inputs have %llu",
			 (unsigned long long)options->session, (unsigned long long)data.sessions);
		data.cut = true;
	}
	data.cut |= !perf_data_file_close(&data.file);
	if (data.cut)
		pk_outputs_drop();
	return data.cut || data.failed ? PK_EXIT_FAILED : result;
}

enum { OPT_SESSION = OPT_FORMATS };

static const struct option long_options[] = {
	{"session", required_argument, NULL, OPT_SESSION},
	PK_COMMON_LONG,
};

static int parse_option(struct export_options *options, int c)
{
	if (c != OPT_SESSION)
		return 0;
	if (pk_parse_u64(optarg, &options->session) && options->session)
		return -1;
	return pk_usage_error("--session=%s: not a number from 1 on", optarg);
}

const struct export_format export_perf_data = {
	.name = "perf.data",
	.description = "the file that perf record writes",
	.help = "Writes the file that perf record writes. stdout must be a file.\n"
		"\n"
		"      --session=N       export the Nth session of the inputs\n" PK_COMMON_HELP "\n"
		"  pk-record -g -- ./app | pk-export perf.data -o perf.data && perf report\n"
		"  pk-export perf.data -o sched.data sched.pk && perf sched -i sched.data latency",
	.options = long_options,
	.option = parse_option,
	.run = export,
};
