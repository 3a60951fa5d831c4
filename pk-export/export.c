// SPDX-License-Identifier: BSD-2-Clause
#include "cli.h"
#include "export.h"
#include "lookups.h"

#define AT(member) PK_AT(struct exporter, member)

const struct pk_option export_sample_rows[] = {
	{.kind = PK_ROWS, .rows = sample_rows, AT(options)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

enum pk_status export_sum(void *format, const struct export_sample *sample)
{
	struct exporter *exporter = format;

	return cells_add_sample(&exporter->cells, sample);
}

enum pk_status export_track(void *format, const struct export_sample *sample)
{
	struct exporter *exporter = format;

	return tracks_add(&exporter->tracks, sample);
}

static int report(const struct exporter *exporter, int result)
{
	samples_report_cut(&exporter->samples, exporter->cut);
	result = value_types_report(&exporter->types, result);
	if (exporter->failed || exporter->tables.failed)
		return pk_no_memory();
	return exporter->status ? exporter->status : result;
}

static int read_and_write(struct exporter *exporter)
{
	struct export_samples *samples = &exporter->samples;
	int result = samples_read(samples, exporter->run);

	exporter->tables.names = samples->names;
	if (samples->names) /* if NULL, memory was exhausted before the input was read */
		exporter->format->write(exporter);
	return samples_finish(samples, report(exporter, result));
}

/* Opens the output, reads the inputs, and writes the output with format->write(). format->start()
 * was called before. */
static int export_output(struct exporter *exporter)
{
	int result = PK_EXIT_OK;

	if (exporter->kind == OUTPUT_NONE)
		return read_and_write(exporter);
	result =
		output_open(&exporter->out, exporter->kind, exporter->path, exporter->format->next);
	return result ? result : output_close(&exporter->out, read_and_write(exporter));
}

int export_inputs(struct exporter *exporter, struct pk_run *run)
{
	const struct export_format *format = exporter->format;
	int result = PK_CONTINUE;

	if (format->run)
		return format->run(exporter, run);
	exporter->run = run;
	exporter->kind = format->output;
	exporter->out.json.out = &exporter->out.text;
	exporter->samples = (struct export_samples){.options = &exporter->options,
						    .sample = format->sample,
						    .record = format->record,
						    .arg = exporter,
						    .needs = format->needs,
						    .no_stacks = format->no_stacks,
						    .stackless = format->stackless};
	if (format->start)
		result = format->start(exporter);
	if (result < 0)
		result = export_output(exporter);
	cells_free(&exporter->cells);
	tracks_free(&exporter->tracks);
	profile_tables_free(&exporter->tables);
	return format->end ? format->end(exporter, result) : result;
}
