// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "plot_origin.h"

struct cursor {
	const uint8_t *at, *end;
};

static uint32_t read_u32(struct cursor *cursor)
{
	uint32_t value = 0;

	if ((size_t)(cursor->end - cursor->at) < sizeof(value)) {
		cursor->at = cursor->end;
		return 0;
	}
	memcpy(&value, cursor->at, sizeof(value));
	cursor->at += sizeof(value);
	return value;
}

/* Appends a string of a feature. The feature has its size, the text, and NULs as padding. */
static void add_string(struct buffer *out, struct cursor *cursor)
{
	const uint32_t size = read_u32(cursor);
	const size_t left = (size_t)(cursor->end - cursor->at);
	const size_t used = size < left ? size : left;

	buffer_add(out, cursor->at, strnlen((const char *)cursor->at, used));
	cursor->at += used;
}

/* Puts a word in quotation marks if it is empty or has a blank. */
static void add_word(struct buffer *out, struct cursor *cursor)
{
	struct buffer word = {0};
	bool quote;

	add_string(&word, cursor);
	quote = !word.size || memchr(word.data, ' ', word.size);
	buffer_text(out, quote ? "'" : "");
	buffer_add(out, word.data, word.size);
	buffer_text(out, quote ? "'" : "");
	out->failed |= word.failed;
	free(word.data);
}

enum pk_status plot_origin_record(struct plot_origin *origin, const struct pk_reader *reader,
				  const struct pk_record *record)
{
	struct pk_feature_content feature;
	struct cursor cursor;

	if (!pk_reader_feature(reader, record, &feature))
		return PK_OK;
	cursor = (struct cursor){feature.data, feature.data + feature.size};
	if (feature.id == PERF_FEATURE_HOSTNAME && !origin->host.size)
		add_string(&origin->host, &cursor);
	if (feature.id == PERF_FEATURE_OSRELEASE && !origin->system.size)
		add_string(&origin->system, &cursor);
	if (feature.id == PERF_FEATURE_CMDLINE && !origin->command.size) {
		for (uint32_t left = read_u32(&cursor); left && cursor.at < cursor.end; left--) {
			buffer_text(&origin->command, origin->command.size ? " " : "");
			add_word(&origin->command, &cursor);
		}
	}
	return origin->host.failed || origin->system.failed || origin->command.failed ? PK_NOMEM
										      : PK_OK;
}

void plot_origin_free(struct plot_origin *origin)
{
	free(origin->command.data);
	free(origin->host.data);
	free(origin->system.data);
}
