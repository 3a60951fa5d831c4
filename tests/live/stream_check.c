// SPDX-License-Identifier: BSD-2-Clause
/* stream_check FILE reads a stream as format/SPEC.md describes it, without the library. It supports
 * only the features that recordings have. Prints "TYPE COUNT" for each type of record, "lost N"
 * with the sum of LOST_SAMPLES, and "end" if the stream is complete. Exits with 1 if the recording
 * is invalid. */
#include <err.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "perf_abi.h"

#define IDS_MAX	    65536
#define SUBTYPE_END UINT64_C(0x706b7374726d000a)

static uint64_t ids[IDS_MAX], counts[PERF_RECORD_USER_MAX], lost;
static size_t ids_count;
static struct perf_attr first;
static unsigned int attrs;
static bool ended, initialized;

static uint64_t u64_at(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static bool known(uint64_t id)
{
	for (size_t i = 0; i < ids_count; i++)
		if (ids[i] == id)
			return true;
	return false;
}

static size_t trailer_size(const struct perf_attr *attr)
{
	return 8 * (size_t)__builtin_popcountll(attr->sample_type & PERF_SAMPLE_ID_ALL);
}

static void check_attr(const uint8_t *record, size_t size)
{
	struct perf_attr attr = {0};
	uint32_t attr_size;

	memcpy(&attr_size, record + 12, sizeof(attr_size));
	if (attr_size > PERF_ATTR_SIZE_VER7 || 8 + attr_size + 8 > size)
		errx(1, "attr of %u bytes in a record of %zu", attr_size, size);
	memcpy(&attr, record + 8, attr_size);
	if (!attrs++)
		first = attr;
	if (!(attr.flags & PERF_ATTR_SAMPLE_ID_ALL))
		errx(1, "an event without trailers");
	if (attrs > 1 && !(attr.sample_type & first.sample_type & PERF_SAMPLE_IDENTIFIER) &&
	    (attr.sample_type != first.sample_type || !(attr.sample_type & PERF_SAMPLE_ID)))
		errx(1, "several events that cannot be told apart");
	for (size_t at = 8 + attr_size; at < size; at += 8) {
		const uint64_t id = u64_at(record + at);

		if (!id || known(id) || ids_count == IDS_MAX)
			errx(1, "id %llu is there twice, 0, or one too many",
			     (unsigned long long)id);
		ids[ids_count++] = id;
	}
}

static bool trailer_is_zero(const uint8_t *record, size_t size)
{
	for (size_t i = size - trailer_size(&first); i < size; i++)
		if (record[i])
			return false;
	return true;
}

static void check_record(const struct perf_header *header, const uint8_t *record)
{
	const uint32_t type = header->type;

	if (!attrs && type != PERF_RECORD_HEADER_ATTR)
		errx(1, "record %u ahead of the first attr", type);
	switch (type) {
	case PERF_RECORD_HEADER_ATTR: check_attr(record, header->size); return;
	case PERF_RECORD_FINISHED_INIT: initialized = true; return;
	case PERF_RECORD_LOST_SAMPLES: lost += u64_at(record + 8); break;
	case PERF_RECORD_EVENT_UPDATE: ended |= u64_at(record + 8) == SUBTYPE_END; return;
	case PERF_RECORD_SAMPLE:
		if (!initialized)
			errx(1, "a sample ahead of FINISHED_INIT");
		if ((first.sample_type & PERF_SAMPLE_IDENTIFIER) && !known(u64_at(record + 8)))
			errx(1, "a sample of an unknown event");
		return;
	}
	if (type >= PERF_RECORD_USER_START)
		return;
	if (!initialized && !trailer_is_zero(record, header->size))
		errx(1, "record %u of what was there before has a time", type);
	if (initialized && (first.sample_type & PERF_SAMPLE_IDENTIFIER) &&
	    !known(u64_at(record + header->size - 8)))
		errx(1, "record %u of an unknown event", type);
}

static const uint8_t *map_file(const char *path, size_t *size)
{
	const int fd = open(path, O_RDONLY);
	struct stat st;
	void *data;

	if (fd < 0 || fstat(fd, &st))
		err(1, "%s", path);
	*size = (size_t)st.st_size;
	data = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		err(1, "%s", path);
	return data;
}

int main(int argc, char **argv)
{
	struct perf_header header;
	const uint8_t *data;
	size_t size = 0, at;
	uint32_t payload;

	data = map_file(argc > 1 ? argv[1] : "", &size);
	if (size < 16 || u64_at(data) != PERF_MAGIC2 || u64_at(data + 8) != 16)
		errx(1, "no stream");
	for (at = 16; at < size; at += header.size) {
		if (size - at < sizeof(header))
			errx(1, "cut at %zu", at);
		memcpy(&header, data + at, sizeof(header));
		if (header.size < 8 || header.size % 8 || header.size > size - at ||
		    header.type >= PERF_RECORD_USER_MAX)
			errx(1, "record of type %u, %u bytes at %zu", header.type, header.size, at);
		if (ended)
			errx(1, "record of type %u behind the end", header.type);
		check_record(&header, data + at);
		counts[header.type]++;
		if (header.type == PERF_RECORD_HEADER_TRACING_DATA) {
			memcpy(&payload, data + at + 8, sizeof(payload));
			at += payload;
		}
	}
	for (unsigned int type = 0; type < PERF_RECORD_USER_MAX; type++)
		if (counts[type])
			printf("%u %llu\n", type, (unsigned long long)counts[type]);
	printf("lost %llu\n", (unsigned long long)lost);
	puts(ended ? "end" : "no end");
	return 0;
}
