// SPDX-License-Identifier: BSD-2-Clause
/* The format of speedscope. It is a JSON object with a profile for each thread, and a table of
 * frames. The table is written last. */
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "cli.h"
#include "texts.h"
#include "vector.h"

/* ---- Profiles ---- */

struct speedscope {
	struct exporter base;
	bool evented, lines; /* options of the user */
	struct stack_frames frames;
	uint32_t open[PK_PATH_DEPTH_MAX]; /* for --evented: the frames that have started and not
					   * ended, the outermost frame first */
	size_t open_count;
	struct buffer text;
};

static struct json *json_of(struct speedscope *s)
{
	return &s->base.out.json;
}

/* Returns the number of the frame's function. Two frames have the same function if the name, the
 * file and, with --lines, the line and column are equal. If the functions are unknown, they are
 * equal if the objects are equal. */
static uint32_t function_of(struct speedscope *s, const struct pk_frame *frame)
{
	struct profile_tables *tables = &s->base.tables;
	const struct pk_dso *dso = pk_dictionary_get_dso(tables->names, frame->dso);
	struct profile_function key = {.name = frame->function};

	if (!key.name) {
		key.object = dso ? dso->path : 0;
	} else {
		key.file = frame->file;
		key.line = s->lines ? frame->line : 0;
		key.column = s->lines ? frame->column : 0;
	}
	return profile_function(tables, &key);
}

/* Returns the index of a frame in the table of frames. The table has an entry for each function. */
static uint32_t index_of(struct speedscope *s, uint32_t frame)
{
	struct profile_tables *tables = &s->base.tables;
	uint32_t *number = profile_of_frame(tables, frame);

	if (!number)
		return 0;
	if (!*number)
		*number = function_of(s, pk_dictionary_get_frame(tables->names, frame));
	return *number - 1;
}

static void read_frames(struct speedscope *s, uint32_t stack)
{
	stack_frames_read(&s->frames, s->base.samples.names, &s->base.samples.allowance, stack);
	s->base.cut += s->frames.cut;
}

/* ---- A profile of samples ---- */

static void put_stack(struct speedscope *s, const struct track_sample *sample)
{
	read_frames(s, sample->stack);
	json_open(json_of(s), NULL, '[');
	for (size_t left = s->frames.count; left; left--)
		json_number(json_of(s), NULL, index_of(s, s->frames.ids[left - 1]));
	json_close(json_of(s), ']');
	output_part(&s->base.out);
}

static uint64_t sum_of(const struct track *track)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < track->count; i++)
		if (__builtin_add_overflow(sum, track->items[i].weight, &sum))
			return UINT64_MAX;
	return sum;
}

static void put_sampled(struct speedscope *s, const struct track *track)
{
	struct json *json = json_of(s);

	json_known(json, "'type':'sampled','startValue':0");
	json_number(json, "endValue", sum_of(track));
	json_line(json);
	json_open(json, "samples", '[');
	for (size_t i = 0; i < track->count; i++) {
		if (i)
			json_line(json);
		put_stack(s, &track->items[i]);
	}
	json_close(json, ']');
	json_line(json);
	json_open(json, "weights", '[');
	for (size_t i = 0; i < track->count; i++) {
		json_number(json, NULL, track->items[i].weight);
		output_part(&s->base.out);
	}
	json_close(json, ']');
}

/* ---- A profile of events ---- */

static void put_event(struct speedscope *s, const char *type, uint32_t frame, uint64_t at)
{
	struct json *json = json_of(s);

	if (json->comma)
		json_line(json);
	json_open(json, NULL, '{');
	json_text(json, "type", type);
	json_number(json, "frame", frame);
	json_number(json, "at", at);
	json_close(json, '}');
	output_part(&s->base.out);
}

static void close_to(struct speedscope *s, size_t count, uint64_t at)
{
	while (s->open_count > count)
		put_event(s, "C", s->open[--s->open_count], at);
}

/* Ends open frames and starts others, until the open frames are those in s->frames. */
static void change_to(struct speedscope *s, uint64_t at)
{
	size_t same = 0;

	while (same < s->open_count && same < s->frames.count &&
	       s->open[same] == index_of(s, s->frames.ids[s->frames.count - 1 - same]))
		same++;
	close_to(s, same, at);
	for (; same < s->frames.count; same++) {
		s->open[same] = index_of(s, s->frames.ids[s->frames.count - 1 - same]);
		s->open_count = same + 1;
		put_event(s, "O", s->open[same], at);
	}
}

/* Writes a profile of events. A sample stands for the time before it. This time is as long as the
 * weight of the sample, but does not begin before the previous sample. */
static void put_evented(struct speedscope *s, const struct track *track)
{
	const uint64_t zero = s->base.samples.first;
	struct json *json = json_of(s);
	uint64_t end = 0;

	json_known(json, "'type':'evented','startValue':0");
	json_open(json, "events", '[');
	for (size_t i = 0; i < track->count; i++) {
		const struct track_sample *sample = &track->items[i];
		const uint64_t time = sample->time > zero ? sample->time - zero : 0;
		const uint64_t start = time > sample->weight ? time - sample->weight : 0;

		if (time <= end && i)
			continue;
		if (start > end)
			close_to(s, 0, end);
		read_frames(s, sample->stack);
		change_to(s, start > end ? start : end);
		end = time;
	}
	close_to(s, 0, end);
	json_close(json, ']');
	json_number(json, "endValue", end);
}

/* ---- The format ---- */

static const char *unit_of(const struct series *series)
{
	if (!strcmp(series->unit, "nanoseconds") || !strcmp(series->unit, "duration"))
		return "nanoseconds";
	return strstr(series->unit, "bytes") ? "bytes" : "none";
}

/* Writes the name of a profile. It is the labels of the track. If there are several events, it also
 * has the name of the event. */
static void put_name(struct speedscope *s, const struct track *track)
{
	s->text.size = 0;
	samples_labels_text(&s->base.samples, track->row, &s->text);
	if (s->base.samples.series_count > 1 || !s->text.size) {
		buffer_text(&s->text, s->text.size ? " " : "");
		buffer_text(&s->text, s->base.samples.series[track->series].event);
	}
	s->base.failed |= s->text.failed;
	json_bytes(json_of(s), "name", s->text.data, s->text.size);
}

static void put_profile(struct speedscope *s, const struct track *track)
{
	const char *unit = unit_of(&s->base.samples.series[track->series]);

	json_line(json_of(s));
	json_open(json_of(s), NULL, '{');
	put_name(s, track);
	json_text(json_of(s), "unit", unit);
	if (s->evented && !strcmp(unit, "nanoseconds"))
		put_evented(s, track);
	else
		put_sampled(s, track);
	json_close(json_of(s), '}');
}

static void put_frame(struct speedscope *s, const struct profile_function *key)
{
	const struct pk_dictionary *names = s->base.samples.names;
	struct json *json = json_of(s);
	size_t size;
	const char *name = pk_dictionary_get_string(names, key->name, &size), *file;

	json_line(json);
	json_open(json, NULL, '{');
	if (!name) {
		s->text.size = 0;
		names_object_text(names, key->object, &s->text);
		s->base.failed |= s->text.failed;
		name = s->text.data;
		size = s->text.size;
	}
	json_bytes(json, "name", name, size);
	file = pk_dictionary_get_string(names, key->file, &size);
	if (file)
		json_bytes(json, "file", file, size);
	if (key->line)
		json_number(json, "line", key->line);
	if (key->column)
		json_number(json, "col", key->column);
	json_close(json, '}');
	output_part(&s->base.out);
}

/* Reports events whose profiles do not have times with --evented, because their weights are not
 * times. */
static void report_sampled(const struct speedscope *s)
{
	for (size_t i = 0; s->evented && i < s->base.samples.series_count; i++) {
		const struct series *series = &s->base.samples.series[i];

		if (strcmp(unit_of(series), "nanoseconds") != 0)
			pk_warn("weights of %s are no times: its profiles are sampled",
				series->event);
	}
}

static void write_all(void *format)
{
	struct speedscope *s = format;
	struct json *json = json_of(s);

	json_open(json, NULL, '{');
	json_text(json, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_line(json);
	json_text(json, "exporter", "pk-export " PK_VERSION);
	json_line(json);
	json_open(json, "profiles", '[');
	for (size_t i = 0; i < s->base.tracks.count; i++)
		put_profile(s, &s->base.tracks.items[i]);
	json_close(json, ']');
	json_line(json);
	json_open(json, "shared", '{');
	json_open(json, "frames", '[');
	for (uint32_t i = 1; i <= s->base.tables.functions.count; i++)
		put_frame(s, profile_function_at(&s->base.tables, i));
	json_close(json, ']');
	json_close(json, '}');
	json_close(json, '}');
	buffer_char(json->out, '\n');
	report_sampled(s);
}

static int start(void *format)
{
	struct speedscope *s = format;

	s->base.tracks.join = !s->evented;
	return PK_CONTINUE;
}

static int end(void *format, int result)
{
	struct speedscope *s = format;

	free(s->text.data);
	return result;
}

/* ---- Options ---- */

#define AT(member) PK_AT(struct speedscope, member)

static const struct pk_option rows[] = {
	PK_TITLE("The profiles"),
	{0, "by", "FIELD,...", PK_CALL, "a profile for each of these (default: comm,pid,tid); none",
	 AT(base.options.tail), .parse = pk_set_by},
	{0, "evented", NULL, PK_FLAG, "times, not samples; also the time without samples",
	 AT(evented)},
	{0, "lines", NULL, PK_FLAG, "a frame for each line, not for each function", AT(lines)},
	{.kind = PK_ROWS, .rows = export_sample_rows},
	PK_OPTIONS_END,
};

const struct export_format export_speedscope = {
	.name = "speedscope",
	.description = "profile for speedscope.app: a flame chart of each thread",
	.by = "comm,pid,tid",
	.command =
		{.usage = "Usage: pk-export speedscope [OPTION...] [FILE...]\n\n"
			  "Writes JSON for speedscope, with a profile for each thread and event.\n",
		 .options = rows,
		 .examples = "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-export speedscope "
			     "-o app.json\n"
			     "  pk-export speedscope --evented -o app.json.gz app.pk\n"},
	.size = sizeof(struct speedscope),
	.output = OUTPUT_TEXT,
	.start = start,
	.sample = export_track,
	.write = write_all,
	.end = end,
};
