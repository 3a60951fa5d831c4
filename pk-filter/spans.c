// SPDX-License-Identifier: BSD-2-Clause
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pkprivate.h"
#include "pkstream.h"
#include "spans.h"
#include "vector.h"

static bool add_session(struct spans *spans)
{
	if (!pk_vector_reserve(spans, 1))
		return false;
	spans->items[spans->count++] = (struct span){UINT64_MAX, 0};
	return true;
}

static void span_add(struct span *span, const struct pk_event *event, const uint8_t *data,
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

static void span_add_bunch(struct span *span, struct pk_reader *reader)
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
static bool read_all(struct spans *spans, int fd)
{
	const struct pk_reader_options options = {.fd = fd};
	struct pk_reader *reader = NULL;
	struct pk_record record;
	bool good = pk_reader_new(&options, &reader) == PK_OK;

	while (good && !pk_reader_next(reader, &record)) {
		if (record.type == PK_RECORD_BEGIN) {
			good = add_session(spans);
		} else if (record.type == PERF_RECORD_SAMPLE) {
			struct span *span = &spans->items[spans->count - 1];

			span_add(span, pk_reader_event_of(reader, &record), record.data,
				 record.size);
			span_add_bunch(span, reader);
		}
	}
	pk_reader_free(reader);
	return good;
}

static bool can_be_read_twice(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
}

bool spans_find(struct spans *spans, char *const *files, int count)
{
	static const char *const standard_input[] = {"-"};
	const char *const *names = count ? (const char *const *)files : standard_input;
	bool good = true, known = true;

	for (int i = 0; i < (count ? count : 1) && good && known; i++) {
		const bool standard = !strcmp(names[i], "-");
		const int fd = standard ? STDIN_FILENO : open(names[i], O_RDONLY | O_CLOEXEC);
		const off_t start = standard ? lseek(fd, 0, SEEK_CUR) : 0;

		known = fd >= 0 && start >= 0 && can_be_read_twice(fd);
		good = !known || read_all(spans, fd);
		if (known && standard)
			lseek(fd, start, SEEK_SET);
		if (!standard && fd >= 0)
			close(fd);
	}
	if (!known)
		spans_free(spans);
	return good;
}

void spans_free(struct spans *spans)
{
	free(spans->items);
	*spans = (struct spans){0};
}
