// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pkprivate.h"
#include "pkstream.h"
#include "recording_spans.h"
#include "vector.h"

static bool add_session(struct recording_spans *spans)
{
	if (!pk_vector_reserve(spans, 1))
		return false;
	spans->items[spans->count++] = (struct recording_span){UINT64_MAX, 0};
	return true;
}

static void span_add(struct recording_span *span, const struct pk_event *event, const uint8_t *data,
		     uint16_t size)
{
	const uint16_t at = event ? event->layout.time : 0;
	uint64_t time;

	if (!at || size < at + 8u)
		return;
	time = pk_load_u64(data + at);
	span->first = time < span->first ? time : span->first;
	span->last = time > span->last ? time : span->last;
}

static void span_add_bunch(struct recording_span *span, struct pk_reader *reader)
{
	const uint8_t *at;
	struct pk_record record;
	struct pk_bunch bunch;

	pk_reader_next_bunch(reader, &bunch);
	for (at = bunch.data; at < bunch.data + bunch.size; at += record.size) {
		record = pk_record_at(at);
		if (record.type == PERF_RECORD_SAMPLE)
			span_add(span, pk_reader_event_of(reader, &record), record.data,
				 record.size);
	}
}

/* Errors of the input are reported when it is read again. */
static bool read_all(struct recording_spans *spans, int fd)
{
	const struct pk_reader_options options = {.fd = fd};
	struct pk_reader *reader = NULL;
	struct pk_record record;
	bool good = pk_reader_new(&options, &reader) == PK_OK;

	while (good && !pk_reader_next(reader, &record)) {
		if (record.type == PK_RECORD_BEGIN) {
			good = add_session(spans);
		} else if (record.type == PERF_RECORD_SAMPLE) {
			struct recording_span *span = &spans->items[spans->count - 1];

			span_add(span, pk_reader_event_of(reader, &record), record.data,
				 record.size);
			span_add_bunch(span, reader);
		}
	}
	pk_reader_free(reader);
	return good;
}

/* A named pipe is not opened: its writer would fail when it is closed. */
static bool can_be_read_twice(const char *name)
{
	struct stat st;

	if (!strcmp(name, "-") ? fstat(STDIN_FILENO, &st) : stat(name, &st))
		return false;
	return S_ISREG(st.st_mode) || S_ISDIR(st.st_mode);
}

/* False: out of memory. */
static bool read_operand(struct recording_spans *spans, const char *name)
{
	const bool standard = !strcmp(name, "-");
	const int fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	const off_t start = standard ? lseek(fd, 0, SEEK_CUR) : 0;
	const bool good = fd < 0 || start < 0 || read_all(spans, fd);

	if (standard && start >= 0)
		lseek(fd, start, SEEK_SET);
	if (!standard && fd >= 0)
		close(fd);
	return good;
}

bool recording_spans_find(struct recording_spans *spans, char *const *files, int count)
{
	bool good;

	spans->operands = count ? count : 1;
	spans->starts = calloc((size_t)spans->operands + 1, sizeof(*spans->starts));
	good = spans->starts;
	for (int i = 0; i < spans->operands && good; i++) {
		const char *name = count ? files[i] : "-";

		good = !can_be_read_twice(name) || read_operand(spans, name);
		spans->starts[i + 1] = spans->count;
	}
	return good;
}

const struct recording_span *recording_spans_of(const struct recording_spans *spans, int operand,
						size_t session)
{
	const size_t *start = spans->starts ? &spans->starts[operand] : NULL;

	return start && session < start[1] - start[0] ? &spans->items[start[0] + session] : NULL;
}

void recording_spans_free(struct recording_spans *spans)
{
	free(spans->items);
	free(spans->starts);
	*spans = (struct recording_spans){0};
}
