// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cli.h"
#include "critical_filter.h"
#include "lookups.h"
#include "number.h"
#include "presets.h"
#include "span_filter.h"
#include "vector.h"

struct opts {
	struct pk_common common;
	struct pk_span_options span;
	struct critical_options critical;
	struct pk_presets presets;
	struct {
		char **items;
		size_t count, capacity;
	} files;
	bool has_preset;
	uint64_t every;
};

static int set_critical(const struct pk_option *option, void *at, const char *text)
{
	struct critical_options *critical = at;
	uint64_t tid = 0;

	if (text && (!pk_parse_u64(text, &tid) || !tid || tid > INT32_MAX))
		return pk_option_wrong(option, text);
	critical->wanted = true;
	if (tid)
		critical->tid = (uint32_t)tid;
	return PK_CONTINUE;
}

static int set_critical_of(const struct pk_option *option, void *at, const char *text)
{
	struct critical_options *critical = at;

	critical->wanted = true;
	critical->of = text;
	return *text ? PK_CONTINUE : pk_option_wrong(option, text);
}

#define AT(member) PK_AT(struct opts, member)

static const struct pk_option rows[] = {
	PK_TITLE("A definition of spans"),
	{.kind = PK_ROWS, .rows = pk_span_definition_rows, AT(span)},
	PK_TITLE("All spans"),
	{0, "view", "NAME", PK_PRESET, "like PRESET", AT(presets)},
	{.kind = PK_ROWS, .rows = pk_span_rows, AT(span)},
	PK_TITLE("Instead of spans"),
	{0, "every", "TIME", PK_TIME, "the open spans at each multiple of TIME", AT(every)},
	{0, "critical", "[TID]", PK_CALL, "the critical path of the command, or of a thread",
	 AT(critical), .parse = set_critical, .wants = "the tid of a thread, or nothing"},
	{0, "critical-of", "EVENT", PK_CALL, "the critical path of each span of this event",
	 AT(critical), .parse = set_critical_of, .wants = "the name of an event such as pk:span"},
	{0, "critical-id", "FIELD", PK_TEXT, "its field that identifies the span", AT(critical.id)},
	{.kind = PK_ROWS, .rows = pk_common_rows, AT(common)},
	{.kind = PK_ROWS, .rows = pk_perf_rows},
	PK_OPTIONS_END,
};

static int add_file(struct opts *opts, char *file)
{
	if (pk_vector_reserve(&opts->files, 1) != PK_OK)
		return pk_no_memory();
	opts->files.items[opts->files.count++] = file;
	return PK_CONTINUE;
}

/* Handles an operand. The first operand is a preset if it has the name of a view. All other
 * operands are files. Operands are handled in their order, because a preset stands for options. */
static int add_operand(void *arg, char *text, int *argc, char ***argv)
{
	struct opts *opts = arg;
	bool is_preset = false;
	int result = PK_CONTINUE;

	if (!opts->files.count && !opts->has_preset) {
		result = pk_preset_operand(&opts->presets, text, argc, argv, &is_preset);
		opts->has_preset = is_preset;
	}
	if (result >= 0 || is_preset)
		return result;
	return add_file(opts, text);
}

static const struct pk_command command = {
	.usage = "Usage: pk-span [OPTION...] [FILE...]\n"
		 "       pk-span PRESET [OPTION...] [FILE...]\n"
		 "\n"
		 "Joins two samples, a start and an end, to a span: a sample of a new event with "
		 "the\n"
		 "time between them. Without FILE, or if FILE is -, reads stdin. Writes a stream.\n"
		 "PRESET is a name for options: pk-span list prints all.\n",
	.options = rows,
	.examples = "  pk-span syscalls calls.pk | pk-report --event syscall --by trace.call\n"
		    "  pk-span --start block_rq_issue --end block_rq_complete --key dev,sector "
		    "<io.pk |\n"
		    "    pk-report\n",
	.operand = add_operand,
};

static void free_opts(struct opts *opts)
{
	pk_presets_free(&opts->presets);
	free(opts->files.items);
	pk_span_options_free(&opts->span);
	free(opts);
}

int main(int argc, char **argv)
{
	struct opts *opts = calloc(1, sizeof(*opts));
	struct pk_run run = {0};
	int result;

	pk_cli_init("pk-span");
	if (!opts)
		return pk_no_memory();
	pk_span_options_init(&opts->span);
	result = pk_parse_options(&command, opts, &argc, &argv);
	if (result < 0 && opts->critical.id && !opts->critical.of)
		result = pk_usage_error("--critical-id needs --critical-of");
	if (result < 0 && opts->every && opts->critical.wanted)
		result = pk_usage_error("--every and --critical: choose one of them");
	if (result < 0 && !opts->critical.wanted)
		result = pk_span_options_check(&opts->span);
	for (size_t i = 0; result < 0 && i < opts->span.count; i++)
		opts->span.definitions[i]->pairing.every = opts->every;
	if (result < 0) {
		const struct pk_stage_options stage = {.program = "pk-span",
						       .argc = argc,
						       .argv = argv,
						       .order = PK_ORDER_PROCESSING};

		pk_common_apply(&opts->common, argc, argv, &run);
		run.files = opts->files.items;
		run.files_count = (int)opts->files.count;
		result = opts->critical.wanted
				 ? critical_filter(&run, &opts->critical, &stage,
						   opts->common.output)
				 : span_filter(&run, &opts->span, &stage, opts->common.output);
	}
	free_opts(opts);
	return result;
}
