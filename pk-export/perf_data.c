// SPDX-License-Identifier: BSD-2-Clause
/* The format perf.data. Records that describe the recording become parts of the file's header. All
 * other records are copied to the data section. The definitions and trailers of pk are copied, too:
 * perf ignores them, and pk can read them. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buffer.h"
#include "cli.h"
#include "context.h"
#include "export.h"
#include "pkprivate.h"
#include "pkutil.h"

/* ---- Perf data file ---- */

/*
 * A perf.data file that is being written (SPEC, appendix A). Its sections have this order:
 *
 *     header, table of events, data, table of features, features, [table of events]
 *
 * The header is first written without the size of the data, as perf record does, and with the
 * events that are known then. So if the program is killed, pk can read the records of the file. At
 * the end, the header is replaced. If events were added meanwhile, the second table of events has
 * all events.
 */

/* ---- Sections ---- */

#define PERF_DATA_FEATURES 256

/* A perf.data file that is being written. */
struct perf_data_file {
	/* perf_data_file_open() sets these members. */
	int fd;
	const char *name; /* name of the file, for messages */
	off_t base;	  /* offset of the header of the output in fd, in bytes */

	struct pk_writer *writer; /* writes all sections up to the end of the data */
	struct buffer features[PERF_DATA_FEATURES];
	uint64_t features_size; /* size of all features in bytes */

	/* Only the functions of this part use these members. */
	struct perf_file_header header;
	size_t events; /* number of events in the first table */
	bool started;
	uint64_t whole; /* file offset after the last record that was written completely */
};

/* ---- Event tables ---- */

/* The table of events and the feature EVENT_DESC. Both describe the events of the file (SPEC,
 * appendix A). */

/* ---- Event tables ---- */

/* If a HEADER_ATTR has at least this number of ids, the next HEADER_ATTR can continue the list of
 * ids. The number is smaller than the space in the record, because writers leave room for the
 * longest attr. */
#define IDS_OF_FULL_RECORD ((PERF_RECORD_SIZE_MAX - sizeof(struct perf_header) - 4096) / 8)
#define NAME_ALIGN	   64 /* in bytes, as in perf's files */

/* Returns the index after the last HEADER_ATTR of an event. If the ids of an event do not fit into
 * one HEADER_ATTR, a stream has several HEADER_ATTR with the same attr (SPEC 4.2). In the file,
 * they are one event. */
static size_t end_of_event(const struct pk_events *events, size_t first)
{
	const struct pk_event *one = pk_events_at(events, first);
	size_t end = first + 1;

	for (; end < pk_events_count(events); end++) {
		const struct pk_event *next = pk_events_at(events, end);

		if (pk_events_at(events, end - 1)->ids_count < IDS_OF_FULL_RECORD ||
		    memcmp(&one->attr, &next->attr, sizeof(one->attr)) != 0 ||
		    strcmp(one->name, next->name) != 0)
			break;
	}
	return end;
}

static size_t count_events(const struct pk_events *events)
{
	size_t count = 0;

	for (size_t i = 0; i < pk_events_count(events); i = end_of_event(events, i))
		count++;
	return count;
}

static uint64_t count_ids(const struct pk_events *events, size_t first, size_t end)
{
	uint64_t count = 0;

	for (size_t i = first; i < end; i++)
		count += pk_events_at(events, i)->ids_count;
	return count;
}

/* Returns the size in bytes that each attr of the file gets. The header of the file has only one
 * size for all attrs. perf 6.1 refuses attrs of more than 128 bytes. */
static size_t common_attr_size(const struct pk_events *events)
{
	size_t size = PERF_ATTR_SIZE_VER0;

	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct perf_attr *attr = &pk_events_at(events, i)->attr;
		size_t own = attr->size < sizeof(*attr) ? attr->size : sizeof(*attr);

		if (!attr->config3 && !attr->config4 && own > PERF_ATTR_SIZE_VER7)
			own = PERF_ATTR_SIZE_VER7;
		if (own > size)
			size = own;
	}
	return size;
}

static void add_attr(struct buffer *buffer, const struct pk_event *event, size_t size)
{
	struct perf_attr attr = pk_event_recorded_attr(event);

	attr.flags = pk_attr_written_flags(attr.flags);
	attr.size = (uint32_t)size;
	buffer_add(buffer, &attr, size);
}

static void add_ids(struct buffer *buffer, const struct pk_events *events, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		const struct pk_event *event = pk_events_at(events, i);

		buffer_add(buffer, event->ids, event->ids_count * sizeof(*event->ids));
	}
}

/* Adds the table of events, and then the ids of the events. `at` is the file offset of the start of
 * the buffer. Sets the place of the table and the size of its entries in the header. */
static void add_events_table(struct buffer *buffer, uint64_t at, const struct pk_events *events,
			     struct perf_file_header *header)
{
	const size_t size = common_attr_size(events), count = count_events(events);
	struct perf_file_section ids;
	size_t end;

	header->attr_size = size + sizeof(ids);
	header->attrs = (struct perf_file_section){at, count * header->attr_size};
	ids = (struct perf_file_section){at + header->attrs.size, 0};
	for (size_t i = 0; i < pk_events_count(events); i = end) {
		end = end_of_event(events, i);
		ids.size = count_ids(events, i, end) * sizeof(uint64_t);
		add_attr(buffer, pk_events_at(events, i), size);
		buffer_add(buffer, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
	add_ids(buffer, events, 0, pk_events_count(events));
}

static void add_name(struct buffer *buffer, const char *name, uint64_t ids)
{
	const size_t length = strlen(name), size = (length / NAME_ALIGN + 1) * NAME_ALIGN;
	struct perf_event_desc_ids head = {(uint32_t)ids, (uint32_t)size};
	char *at;

	buffer_add(buffer, &head, sizeof(head));
	at = buffer_room(buffer, size);
	if (!at)
		return;
	memset(at, 0, size);
	memcpy(at, name, length);
	buffer_end(buffer, at + size);
}

/* Adds the content of the feature EVENT_DESC. It has the attrs, names and ids of all events. */
static void add_event_desc(struct buffer *buffer, const struct pk_events *events)
{
	const size_t size = common_attr_size(events);
	const struct perf_feature_event_desc head = {(uint32_t)count_events(events),
						     (uint32_t)size};
	size_t end;

	buffer_add(buffer, &head, sizeof(head));
	for (size_t i = 0; i < pk_events_count(events); i = end) {
		const struct pk_event *event = pk_events_at(events, i);

		end = end_of_event(events, i);
		add_attr(buffer, event, size);
		add_name(buffer, event->name, count_ids(events, i, end));
		add_ids(buffer, events, i, end);
	}
}

/* ---- Sections ---- */

#define FEATURES_SIZE_MAX ((uint64_t)256 << 20)
/* Records are written when they have this number of bytes. So if the disk becomes full, at most
 * this number of bytes of complete records is lost. */
#define FLUSH_SIZE ((uint64_t)128 << 10)

/* ---- Opening and closing ---- */

static int refuse(const char *name)
{
	return pk_usage_error("%s is not a file: a perf.data file can only be written with -o FILE "
			      "or > FILE",
			      name);
}

/* Sets file->base. The output must be seekable, so it must not be a pipe or a terminal, for
 * example. It must not be opened in append mode. Returns PK_EXIT_OK, or an exit status after an
 * error message. */
static int find_base(struct perf_data_file *file)
{
	const int flags = fcntl(file->fd, F_GETFL);

	file->base = lseek(file->fd, 0, SEEK_CUR);
	if ((file->base < 0 && errno == ESPIPE) || (flags >= 0 && flags & O_APPEND))
		return refuse(file->name);
	if (flags >= 0 && file->base >= 0)
		return PK_EXIT_OK;
	pk_error("%s: %s", file->name, strerror(errno));
	return PK_EXIT_FAILED;
}

/* Opens the output. If path is NULL, it is stdout. Returns PK_EXIT_OK, or an exit status after an
 * error message. */
static int perf_data_file_open(struct perf_data_file *file, const char *path)
{
	const bool standard = !path || !strcmp(path, "-");
	struct pk_writer_options options = {.fd = -1};
	int result;

	file->name = standard ? "stdout" : path;
	/* On a terminal, pk_output_open() would advise to use a pipe, which is not possible here.
	 */
	if (standard && isatty(STDOUT_FILENO))
		return refuse(file->name);
	options.fd = file->fd = pk_output_open(path, "", PK_CREATE_LIVE);
	if (file->fd < 0)
		return -file->fd;
	result = find_base(file);
	if (!result && pk_writer_new(&options, &file->writer) != PK_OK) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		result = PK_EXIT_FAILED;
	}
	if (result)
		close(file->fd);
	return result;
}

/* Closes the output and frees all memory. Returns PK_FAILED if closing failed, after an error
 * message. */
static enum pk_status perf_data_file_close(struct perf_data_file *file)
{
	/* Some file systems report only in close() that the disk is full. */
	const bool closed = !close(file->fd);

	if (!closed)
		pk_error("%s: %s", file->name, strerror(errno));
	pk_writer_free(file->writer);
	for (int id = 0; id < PERF_DATA_FEATURES; id++)
		free(file->features[id].data);
	return closed ? PK_OK : PK_FAILED;
}

/* ---- Features ---- */

/* Returns true if the file has the feature. */
static bool perf_data_file_has(const struct perf_data_file *file, unsigned int id)
{
	return file->header.features[id / 64] >> id % 64 & 1;
}

/* Adds bytes to a feature, and sets the bit of the feature in the header. Returns PK_UNSUPPORTED if
 * there is no such feature, or if all features together would be larger than 256 MiB. In these
 * cases, nothing is added. */
static enum pk_status perf_data_file_feature(struct perf_data_file *file, uint64_t id,
					     const void *data, size_t size)
{
	if (!id || id >= PERF_DATA_FEATURES || size > FEATURES_SIZE_MAX - file->features_size)
		return PK_UNSUPPORTED;
	buffer_add(&file->features[id], data, size);
	if (file->features[id].failed)
		return PK_NOMEM;
	file->features_size += size;
	file->header.features[id / 64] |= UINT64_C(1) << id % 64;
	return PK_OK;
}

/* Removes a feature and its content. */
static void perf_data_file_drop(struct perf_data_file *file, uint64_t id)
{
	if (id >= PERF_DATA_FEATURES)
		return;
	file->features_size -= file->features[id].size;
	file->features[id].size = 0;
	file->header.features[id / 64] &= ~(UINT64_C(1) << id % 64);
}

/* ---- The file ---- */

/* Writes the start of the file up to the data, unless this was done before. Returns PK_NOMEM if
 * memory is exhausted. Otherwise returns the status of the writer. */
static enum pk_status perf_data_file_start(struct perf_data_file *file,
					   const struct pk_events *events)
{
	struct perf_file_header header = {.magic = PERF_MAGIC2, .size = sizeof(header)};
	struct buffer table = {0};

	if (file->started)
		return pk_writer_status(file->writer);
	add_events_table(&table, sizeof(header), events, &header);
	if (table.failed) {
		free(table.data);
		return PK_NOMEM;
	}
	header.data.offset = sizeof(header) + table.size;
	file->started = true;
	file->events = pk_events_count(events);
	/* This header has no bits of features. Their place is not known yet: they follow the data,
	 * and data.size is still 0. */
	pk_writer_bytes(file->writer, &header, sizeof(header), 0, 0);
	pk_writer_bytes(file->writer, table.data, table.size, 0, 0);
	free(table.data);
	memcpy(header.features, file->header.features, sizeof(header.features));
	file->header = header;
	return pk_writer_status(file->writer);
}

/* Call this before each record of the data. payload_size is the size of the record's payload. If
 * many bytes are buffered, or if the payload is large, writes the buffered records. */
static enum pk_status perf_data_file_flush(struct perf_data_file *file, uint64_t payload_size)
{
	const uint64_t size = pk_writer_size(file->writer);

	if (size - file->whole < FLUSH_SIZE && payload_size < FLUSH_SIZE)
		return pk_writer_status(file->writer);
	if (pk_writer_flush(file->writer) == PK_OK)
		file->whole = size;
	return pk_writer_status(file->writer);
}

static enum pk_status write_at(const struct perf_data_file *file, uint64_t offset, const void *data,
			       size_t size)
{
	if (lseek(file->fd, file->base + (off_t)offset, SEEK_SET) < 0)
		return PK_IO;
	return pk_write_all(file->fd, data, size);
}

/* Writes the sections after the data. Returns another status than PK_OK, with errno, on failure. */
static enum pk_status write_tail(struct perf_data_file *file, const struct pk_events *events)
{
	struct perf_file_section sections[PERF_DATA_FEATURES] = {0};
	struct buffer table = {0};
	uint64_t at = file->whole;
	size_t count = 0;
	enum pk_status status = PK_OK;

	for (unsigned int id = 0; id < PERF_DATA_FEATURES; id++)
		count += perf_data_file_has(file, id);
	at += count * sizeof(*sections);
	count = 0;
	for (unsigned int id = 0; id < PERF_DATA_FEATURES && status == PK_OK; id++) {
		const struct buffer *content = &file->features[id];

		if (!perf_data_file_has(file, id))
			continue;
		sections[count++] = (struct perf_file_section){at, content->size};
		status = write_at(file, at, content->data, content->size);
		at += content->size;
	}
	status = status ?: write_at(file, file->whole, sections, count * sizeof(*sections));
	if (status == PK_OK && file->events != pk_events_count(events)) {
		at = PK_ALIGN8(at);
		add_events_table(&table, at, events, &file->header);
		errno = ENOMEM;
		status = !table.failed ? write_at(file, at, table.data, table.size) : PK_NOMEM;
		at += table.size;
	}
	free(table.data);
	/* Sets the file position to the end of the file. If another program writes to the same
	 * descriptor, its output follows the file. */
	PK_TRY(status);
	return lseek(file->fd, file->base + (off_t)at, SEEK_SET) >= 0 ? PK_OK : PK_IO;
}

/* Removes the bytes after the last complete record. If that fails, the bytes do no harm, because
 * the header does not refer to them. */
static void truncate_data(const struct perf_data_file *file)
{
	if (ftruncate(file->fd, file->base + (off_t)file->whole))
		return;
}

static enum pk_status write_header(const struct perf_data_file *file)
{
	const off_t end = lseek(file->fd, 0, SEEK_CUR);

	PK_TRY(write_at(file, 0, &file->header, sizeof(file->header)));
	if (end < 0)
		return PK_IO;
	return lseek(file->fd, end, SEEK_SET) >= 0 ? PK_OK : PK_IO;
}

/* Completes the file. The data section ends after the last record that was written completely.
 * Returns PK_FAILED if something failed. If the writer had failed before, no further error message
 * is printed. The file then has everything that could be written. */
static enum pk_status perf_data_file_finish(struct perf_data_file *file,
					    const struct pk_events *events)
{
	struct perf_file_header header;
	const enum pk_status status = perf_data_file_start(file, events);
	bool written = !status;

	if (!file->started) {
		pk_error("%s", pk_status_text(status));
		return PK_FAILED;
	}
	/* For perf, a data.size of 0 means that the recording was interrupted. So if there are no
	 * data, a FINISHED_ROUND is written. */
	if (written && pk_writer_size(file->writer) == file->header.data.offset)
		pk_writer_append(file->writer, PERF_RECORD_FINISHED_ROUND, 0,
				 sizeof(struct perf_header));
	if (pk_writer_flush(file->writer) == PK_OK) {
		file->whole = pk_writer_size(file->writer);
	} else {
		truncate_data(file);
		written = false;
	}
	if (file->whole <= file->header.data.offset)
		return PK_FAILED;
	file->header.data.size = file->whole - file->header.data.offset;
	header = file->header;
	if (write_tail(file, events) != PK_OK) {
		if (written)
			pk_error("%s: %s", file->name, strerror(errno));
		truncate_data(file);
		written = false;
		memset(header.features, 0, sizeof(header.features));
		file->header = header;
	}
	if (write_header(file) == PK_OK)
		return written ? PK_OK : PK_FAILED;
	if (written)
		pk_error("%s: %s", file->name, strerror(errno));
	return PK_FAILED;
}

/* ---- From records to the file ---- */

struct perf_data {
	struct exporter base;
	uint64_t session; /* argument of --session; the first session is number 1; 0 if the option
			   * is not given */
	struct perf_data_file file;
	uint64_t sessions; /* number of sessions that have started */
	uint64_t dropped;  /* number of samples that were dropped */
	struct perf_feature_sample_time times;
	bool finished, failed;
	bool cut; /* the file is incomplete, so it does not replace an existing file */
};

static uint64_t wanted_session(const struct perf_data *data)
{
	return data->session ? data->session : 1;
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

/* Returns true for features that are not copied. Most of them are made by this program. DIR_FORMAT
 * and COMPRESSED describe another form of the data. */
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

/* Copies the feature that the record completes. The record is a HEADER_FEATURE, or the last
 * FEATURE_PART of a feature. If a feature occurs several times, the last one is kept. */
static enum pk_status keep_feature(struct pk_run *run, const struct pk_record *record)
{
	struct perf_data *data = run->arg;
	struct pk_feature_content feature;

	if (!pk_reader_feature(run->reader, record, &feature) || is_made_here(feature.id))
		return PK_OK;
	perf_data_file_drop(&data->file, feature.id);
	/* In a file, these features have no content. In a stream they have some content, because an
	 * empty feature would mark the end of the features. */
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
	if (!status &&
	    size == record->payload_size) /* if fewer bytes were read, the input was cut */
		status = keep(run, record, PERF_FEATURE_TRACING_DATA, content, size);
	if (status == PK_UNSUPPORTED)
		pk_run_complain(run, record, "tracing data larger than 64 MiB, dropped");
	free(content);
	return status == PK_UNSUPPORTED ? PK_OK : status;
}

/* Copies the record to the feature BUILD_ID. There, perf writes 0 as the type of the records. */
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
	return status ?: pk_writer_copy(run->writer, run->reader, record);
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

/* Appends an AUXTRACE record, and adds it to the index of such records. Without this index, perf
 * cannot decode hardware traces. */
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
	return status ?: keep(run, record, PERF_FEATURE_AUXTRACE, &entry, sizeof(entry));
}

/* Appends END. Its counts do not include samples that this program has dropped. */
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
		/* EVENT_DESC has the names of events, so they are not copied. */
		return update->type == PERF_EVENT_UPDATE_NAME ? PK_OK : append(run, record);
	case PK_FEATURE_PART: return keep_feature(run, record);
	case PK_FINISH: return append_end(run, record);
	default: return append(run, record);
	}
}

/* Reports unknown fields of an attr. The attr is not copied: it is written from the reader's event,
 * which only has the known fields. */
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
	if (!data->session) {
		pk_error("%s: another session starts, but a perf.data file has only one: use "
			 "--session=N to select one",
			 run->input.name);
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
		if (perf_data_file_feature(&data->file, PERF_FEATURE_STAT, NULL, 0) != PK_OK)
			return PK_NOMEM;
		return append(run, record);
	default: return append(run, record);
	}
}

/* ---- Features that are made at the end ---- */

/* Names tracepoints by their formats. In streams of old versions of perf, tracepoints have only an
 * id. */
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
		status = PK_OK; /* the formats that were read before the damage are used */
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

/* Returns true if samples have branches that are not callchains (--call-graph lbr). perf report
 * then shows branches. */
static bool has_branches(const struct pk_events *events)
{
	for (size_t i = 0; i < pk_events_count(events); i++) {
		const struct pk_event *event = pk_events_at(events, i);

		if (pk_event_recorded_type(event) & PERF_SAMPLE_BRANCH_STACK &&
		    !(event->attr.branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK))
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
	data->cut |= perf_data_file_finish(&data->file, events) != PK_OK;
}

static int export(void *format, struct pk_run *run)
{
	struct perf_data *data = format;
	int result = perf_data_file_open(&data->file, data->base.path);

	if (result)
		return result;
	run->arg = data;
	run->record = export_record;
	run->session_end = end_of_session;
	run->writer = data->file.writer;
	result = pk_run(run);
	if (data->session && !data->finished) {
		pk_error("--session=%llu: the inputs have %llu", (unsigned long long)data->session,
			 (unsigned long long)data->sessions);
		data->cut = true;
	}
	data->cut |= perf_data_file_close(&data->file) != PK_OK;
	if (data->cut)
		pk_outputs_drop();
	return data->cut || data->failed ? PK_EXIT_FAILED : result;
}

#define AT(member) PK_AT(struct perf_data, member)

static const struct pk_option rows[] = {
	PK_TITLE("The recording"),
	{0, "session", "N", PK_NUMBER, "export the Nth session of the inputs", AT(session),
	 .least = 1},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(base.common)},
	PK_OPTIONS_END,
};

const struct export_format export_perf_data = {
	.name = "perf.data",
	.description = "the file that perf record writes",
	.command = {.usage = "Usage: pk-export perf.data [OPTION...] [FILE...]\n\n"
			     "Writes the file that perf record writes. stdout must be a file.\n",
		    .options = rows,
		    .examples = "  pk-record -g -- ./app | pk-export perf.data -o perf.data && "
				"perf report\n"
				"  pk-export perf.data -o sched.data sched.pk && perf sched -i "
				"sched.data latency\n"},
	.size = sizeof(struct perf_data),
	.run = export,
};
