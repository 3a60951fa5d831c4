// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "plot_origin.h"
#include "time_axis.h"

#define COMMAND_MOST 60 /* characters of a command in a title */

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

/* Adds the command that was recorded, or the command of the recorder if it has no "--". */
static void add_command(const struct buffer *command, struct buffer *title)
{
	size_t start = 0;

	for (size_t i = 0; i + 4 < command->size && !start; i++)
		if (!memcmp(command->data + i, " -- ", 4))
			start = i + 4;
	if (!command->size)
		return;
	buffer_valid(title, command->data + start, command->size - start, COMMAND_MOST);
	buffer_text(title, ": ");
}

void plot_origin_title(const struct plot_origin *origin, const struct pk_counted_samples *samples,
		       const char *before, struct buffer *title)
{
	char number[32], duration[DURATION_TEXT];

	if (!samples->count)
		return;
	buffer_text(title, before);
	add_command(&origin->command, title);
	if (samples->several)
		buffer_text(title, "several events");
	else
		buffer_add(title, samples->event.data, samples->event.size);
	title->failed |= samples->event.failed;
	buffer_format(title, ", %s samples", pk_number(number, samples->count));
	if (samples->last > samples->first) {
		duration_text((double)(samples->last - samples->first), duration);
		buffer_format(title, ", %s", duration);
	}
	buffer_char(title, '\0');
}

void plot_origin_free(struct plot_origin *origin)
{
	free(origin->command.data);
	free(origin->host.data);
	free(origin->system.data);
}
