// SPDX-License-Identifier: BSD-2-Clause
/* The format pprof: profile.proto of https://github.com/google/pprof, compressed with gzip. Its
 * fields can come in any order: samples are written first, then the tables that they refer to. */
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "export.h"
#include "lookups.h"
#include "pprof_tables.h"
#include "protobuf.h"
#include "value_types.h"

enum { TYPE_NAME = 1, TYPE_UNIT = 2 };					  /* ValueType */
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES = 2, SAMPLE_LABEL = 3 };	  /* Sample */
enum { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3, LABEL_UNIT = 4 }; /* Label */

struct pprof {
	const struct export_options *options;
	struct export_samples samples;
	struct cells cells;
	struct locations locations;
	struct location_list list;
	struct pprof_tables tables;
	struct export_output out;
	struct buffer message, part;
	struct buffer labels; /* of labels_row, as fields of a sample */
	uint32_t labels_row;
	struct value_types types;
	uint64_t values[VALUES_MAX];	 /* of one sample */
	uint64_t keys[PK_GROUP_COLUMNS]; /* strings: the names of labels */
	uint64_t cut;			 /* samples */
	bool failed;			 /* out of memory */
};

static uint64_t add_string(struct pprof *p, const char *text)
{
	return pprof_string(&p->tables, text, strlen(text));
}

/* ---- Types ---- */

static void write_type(struct pprof *p, unsigned int field, const struct value_type *type)
{
	protobuf_number(&p->message, TYPE_NAME, add_string(p, type->name));
	protobuf_number(&p->message, TYPE_UNIT, add_string(p, type->unit));
	protobuf_message(&p->out.text, field, &p->message);
}

static void write_types(struct pprof *p)
{
	value_types_init(&p->types, &p->samples);
	for (unsigned int i = 0; i < p->types.count; i++)
		write_type(p, PROFILE_SAMPLE_TYPE, &p->types.types[i]);
}

/* Those of the first event. */
static void write_period(struct pprof *p)
{
	const struct value_type *type = &p->types.types[p->types.count > 1];

	protobuf_number(&p->out.text, PROFILE_DEFAULT_TYPE, add_string(p, type->name));
	if (p->types.count == 1)
		return;
	write_type(p, PROFILE_PERIOD_TYPE, type);
	protobuf_number(&p->out.text, PROFILE_PERIOD, value_types_period(p->samples.series));
}

/* ---- Samples ---- */

static void add_label(struct pprof *p, uint64_t key, struct pk_row_value value)
{
	const struct pk_texts *texts = &p->samples.rows.texts;
	size_t size;
	const char *text;

	protobuf_number(&p->part, LABEL_KEY, key);
	if (value.kind == PK_VALUE_TEXT) {
		text = pk_texts_get(texts, (uint32_t)value.number, &size);
		protobuf_number(&p->part, LABEL_TEXT, pprof_string(&p->tables, text, size));
	} else {
		protobuf_number(&p->part, LABEL_NUMBER, value.number);
	}
	if (value.kind == PK_VALUE_TIME || value.kind == PK_VALUE_DURATION)
		protobuf_number(&p->part, LABEL_UNIT, add_string(p, "nanoseconds"));
	protobuf_message(&p->labels, SAMPLE_LABEL, &p->part);
}

static void add_labels(struct pprof *p, uint32_t row)
{
	const struct pk_rows *rows = &p->samples.rows;

	if (row != p->labels_row) {
		p->labels.size = 0;
		for (unsigned int i = 0; i < rows->columns_count; i++) {
			const struct pk_row_value value = pk_rows_value(rows, row, i);

			if (value.kind != PK_VALUE_NONE)
				add_label(p, p->keys[i], value);
		}
		p->labels_row = row;
		p->failed |= p->labels.failed;
	}
	buffer_add(&p->message, p->labels.data, p->labels.size);
}

static void write_sample(struct pprof *p, const struct cell *cell)
{
	p->failed |= !locations_of(&p->locations, cell->stack, &p->list);
	p->cut += p->list.cut ? p->values[0] : 0;
	for (unsigned int i = 0; i < p->list.count; i++)
		protobuf_varint(&p->part, p->list.numbers[i]);
	protobuf_message(&p->message, SAMPLE_LOCATIONS, &p->part);
	for (unsigned int i = 0; i < p->types.count; i++)
		protobuf_varint(&p->part, p->values[i]);
	protobuf_message(&p->message, SAMPLE_VALUES, &p->part);
	add_labels(p, cell->row);
	protobuf_message(&p->out.text, PROFILE_SAMPLE, &p->message);
	output_part(&p->out);
}

/* Cells that differ only in their series are one sample. */
static void write_samples(struct pprof *p)
{
	const struct cell *cell = p->cells.items, *const end = cell + p->cells.count, *first;

	while (cell < end) {
		memset(p->values, 0, p->types.count * sizeof(*p->values));
		for (first = cell;
		     cell < end && cell->row == first->row && cell->stack == first->stack; cell++)
			value_types_add(&p->types, cell, p->values);
		if (p->values[0])
			write_sample(p, first);
	}
}

/* ---- All ---- */

static void write_times(struct pprof *p)
{
	const struct export_samples *samples = &p->samples;

	if (samples->first && samples->wall_offset)
		protobuf_number(&p->out.text, PROFILE_TIME, samples->first + samples->wall_offset);
	protobuf_number(&p->out.text, PROFILE_DURATION, samples->last - samples->first);
}

static void write_frame_options(struct pprof *p)
{
	const struct export_options *options = p->options;

	if (options->drop_frames)
		protobuf_number(&p->out.text, PROFILE_DROP_FRAMES,
				add_string(p, options->drop_frames));
	if (options->keep_frames)
		protobuf_number(&p->out.text, PROFILE_KEEP_FRAMES,
				add_string(p, options->keep_frames));
}

static void write_profile(struct pprof *p)
{
	p->locations.names = p->samples.names;
	p->locations.allowance = &p->samples.allowance;
	p->tables.locations = &p->locations;
	p->tables.out = &p->out;
	for (unsigned int i = 0; i < p->samples.rows.columns_count; i++)
		p->keys[i] = add_string(p, samples_label(&p->samples, i));
	write_types(p);
	write_period(p);
	write_times(p);
	write_frame_options(p);
	cells_sort(&p->cells);
	write_samples(p);
	pprof_tables_write(&p->tables);
	p->failed |= p->tables.failed;
}

static int report(const struct pprof *p, int result)
{
	samples_report_cut(&p->samples, p->cut);
	result = value_types_report(&p->types, result);
	return p->failed ? pk_no_memory() : result;
}

static bool count_sample(void *arg, const struct export_sample *sample)
{
	struct pprof *p = arg;

	return cells_add_sample(&p->cells, sample);
}

static void free_all(struct pprof *p)
{
	cells_free(&p->cells);
	locations_free(&p->locations);
	pprof_tables_free(&p->tables);
	free(p->message.data);
	free(p->part.data);
	free(p->labels.data);
	free(p);
}

static int export(struct pk_run *run, struct export_options *options)
{
	struct pprof *p = calloc(1, sizeof(*p));
	int result;

	if (!p)
		return pk_no_memory();
	p->options = options;
	p->samples.options = &options->samples;
	p->samples.sample = count_sample;
	p->samples.arg = p;
	result = output_open(&p->out, OUTPUT_GZIP, options->output, "go tool pprof");
	if (!result) {
		result = samples_read(&p->samples, run);
		write_profile(p);
		result = samples_finish(&p->samples, report(p, result));
		result = output_close(&p->out, result);
	}
	free_all(p);
	return result;
}

/* ---- Options ---- */

enum { OPT_DROP_FRAMES = OPT_FORMATS, OPT_KEEP_FRAMES };

static const struct option long_options[] = {
	{"label", required_argument, NULL, OPT_SAMPLES_BY},
	{"drop-frames", required_argument, NULL, OPT_DROP_FRAMES},
	{"keep-frames", required_argument, NULL, OPT_KEEP_FRAMES},
	SAMPLE_OPTIONS_LONG,
	PK_COMMON_LONG,
};

static int parse_option(struct export_options *options, int c)
{
	switch (c) {
	case OPT_DROP_FRAMES: options->drop_frames = optarg; return -1;
	case OPT_KEEP_FRAMES: options->keep_frames = optarg; return -1;
	default: return sample_option(&options->samples, c);
	}
}

const struct export_format export_pprof = {
	.name = "pprof",
	.description = "profile for go tool pprof, Pyroscope, Parca, Grafana",
	.by = "comm,pid,tid,cpu",
	.help = "Writes a profile of pprof, compressed with gzip.\n"
		"\n"
		"      --by, --label=FIELD,...   labels of samples (default: comm,pid,tid,cpu); "
		"none\n"
		"      --drop-frames=REGEX, --keep-frames=REGEX   functions that pprof hides\n" //
	SAMPLE_OPTIONS_HELP PK_COMMON_HELP "\n"
		"  pk-record -F 999 -g -- ./app | pk-symbolize --lines | pk-export pprof -o "
		"app.pb.gz\n"
		"  pk-export pprof -o app.pb.gz app.pk && go tool pprof -http=: app.pb.gz",
	.options = long_options,
	.option = parse_option,
	.run = export,
};
