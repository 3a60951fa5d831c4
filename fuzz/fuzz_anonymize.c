/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-filter/anonymize.c pk-filter/anonymize_definitions.c */
/* seeds: streams */
/*
 * Tests an anonymized stream. Reading the stream must report at most the errors of the input. The
 * stream must have as many samples as the input, and every name in it must be an alias or public.
 * After the names were restored, the stream must still be readable. A sample without fields can
 * then belong to another event, and can be dropped.
 */
#include "anonymize.h"
#include "pkprivate.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct anonymous {
	struct pk_run run;
	struct pk_writer *writer;
	struct pk_stage *stage;
	struct anonymizer *anonymizer;
	uint64_t samples;
};

static enum pk_status put(void *arg, const struct pk_record *record)
{
	struct anonymous *all = arg;

	check_that(record->size >= sizeof(struct perf_header) && record->size % 8 == 0 &&
		   record->size <= PERF_RECORD_SIZE_MAX);
	check_that(pk_load_u16(record->data + 6) == record->size);
	all->samples += record->type == PERF_RECORD_SAMPLE;
	return pk_writer_record(all->writer, record->data, record->size);
}

static void take(struct anonymous *all, struct pk_record *record)
{
	struct pk_reader *reader = all->run.reader;

	if (pk_stage_record(all->stage, record, pk_reader_swapped(reader))) {
		if (record->type == PK_RECORD_BEGIN)
			check_that(anonymizer_start_session(all->anonymizer) == PK_OK);
		return;
	}
	if (record->payload_size || record->size % 8)
		return;
	if (record->type != PERF_RECORD_SAMPLE) {
		(void)anonymizer_record(all->anonymizer, record);
		return;
	}
	record->event = pk_reader_event_of(reader, record);
	if (record->event && pk_sample_check(record->event, record) != PK_CORRUPT)
		(void)anonymizer_sample(all->anonymizer, record,
					pk_stage_input(all->stage)->trailers);
}

/* ---- What came out ---- */

static bool is_alias(const char *name, size_t size)
{
	static const char *const kept[] = {"",
					   "/",
					   "//anon",
					   "//enomem",
					   "//toolong",
					   "/dev/zero",
					   "[heap]",
					   "[stack]",
					   "[vdso]",
					   "[vsyscall]",
					   "[uprobes]",
					   "swapper",
					   "[unknown]",
					   "[stack truncated]",
					   "[kernel.kallsyms]",
					   "[kernel.kallsyms]_text",
					   "[kernel.kallsyms]_stext",
					   "[guest.kernel.kallsyms]",
					   "[guest.kernel.kallsyms]_text",
					   "[guest.kernel.kallsyms]_stext"};
	static const char *const prefixes[] = {
		"[kernel.kallsyms]", "[anon:", "/memfd:", "/SYSV", "/", "["};
	size_t at = 0;

	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		if (strlen(kept[i]) == size && !memcmp(kept[i], name, size))
			return true;
	if (size > 1 && *name == ':')
		return strspn(name + 1, "0123456789") >= size - 1;
	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes) && !at; i++)
		if (size > strlen(prefixes[i]) && !memcmp(name, prefixes[i], strlen(prefixes[i])))
			at = strlen(prefixes[i]);
	if (size < at + 12 || strspn(name + at, "abcdefghijklmnopqrstuvwxyz234567") < 12)
		return false;
	at += 12;
	return size == at || (size == at + 1 && name[at] == ']') ||
	       (size == at + 10 && !memcmp(name + at, " (deleted)", 10));
}

static void check_name(const struct pk_record *record, size_t at)
{
	const char *name = (const char *)record->data + at;

	check_that(is_alias(name, strnlen(name, record->size - at)));
}

static void check_record(const struct pk_record *record)
{
	switch (record->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: check_name(record, pk_mmap_name_at(record)); break;
	case PERF_RECORD_COMM:
	case PERF_RECORD_CGROUP: check_name(record, 16); break;
	case PERF_RECORD_KSYMBOL: check_name(record, 24); break;
	case PERF_RECORD_HEADER_BUILD_ID: check_name(record, 36); break;
	case PERF_RECORD_AUXTRACE:
	case PERF_RECORD_HEADER_TRACING_DATA: check_that(false); break;
	default: break;
	}
	if (pk_definition_of(record) == PK_STRING)
		check_name(record, 32);
	if (pk_definition_of(record) == PK_IMAGE)
		check_name(record, 64);
}

static void check_output(const struct output *output, uint64_t expected, bool restored)
{
	struct memory memory = {.data = output->data, .size = output->size, .piece = 4096};
	struct pk_reader *reader = open_memory(&memory);
	struct pk_record record;
	uint64_t samples = 0;
	enum pk_status status;

	while ((status = pk_reader_next(reader, &record)) == PK_OK) {
		samples += record.type == PERF_RECORD_SAMPLE;
		if (!restored)
			check_record(&record);
	}
	check_that(status == PK_END || status == PK_TRUNCATED);
	check_that(samples == expected);
	pk_reader_free(reader);
}

/* Returns the number of samples in the output. */
static uint64_t convert(const uint8_t *data, size_t size, const struct anonymize_options *options,
			struct output *output)
{
	struct memory memory = {.data = data, .size = size, .piece = 4096};
	struct anonymous all = {.run = {.input.name = "fuzz", .loop.warnings = UINT32_MAX}};
	const struct pk_stage_options stage = {.program = "pk-filter", .anonymous = true};
	struct pk_record record;

	all.run.reader = open_memory(&memory);
	all.writer = open_output(output);
	all.anonymizer = anonymizer_new(&all.run, options, put, &all);
	check_that(all.anonymizer && pk_stage_new(all.writer, &stage, &all.stage) == PK_OK);
	while (pk_reader_next(all.run.reader, &record) == PK_OK)
		take(&all, &record);
	pk_stage_end(all.stage, true);
	check_that(pk_writer_flush(all.writer) == PK_OK);
	if (output->size)
		check_output(output, all.samples, options->restore);
	anonymizer_free(all.anonymizer);
	pk_stage_free(all.stage);
	pk_writer_free(all.writer);
	pk_reader_free(all.run.reader);
	return all.samples;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct output anonymous = {0}, back = {0};
	struct alias_key names = {0};
	struct anonymize_options options = {
		.key = "0123456789abcdef", .key_size = 16, .names = &names};
	const uint64_t samples = convert(data, size, &options, &anonymous);

	options.restore = true;
	check_that(!names.failed);
	check_that(convert(anonymous.data, anonymous.size, &options, &back) <= samples);
	/* Tests hostile records together with a key that contains names. */
	free(back.data);
	back = (struct output){0};
	convert(data, size, &options, &back);
	free(anonymous.data);
	free(back.data);
	alias_key_free(&names);
	return 0;
}
