// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "lookups.h"
#include "options.h"
#include "symbol_options.h"
#include "vector.h"

struct opts {
	struct pk_common common;
	struct pk_symbols_options symbols;
	struct fold_options fold;
};

static void help(void)
{
	puts("Usage: pk-fold [OPTION...] [FILE...]\n"
	     "\n"
	     "Sums up samples by their stacks. Prints \"thread;caller;...;leaf WEIGHT\" for "
	     "flamegraph.pl.\n"
	     "\n"
	     "      --weight=WHAT     period (default; 1 for tracepoints), samples, latency, "
	     "FIELD\n"
	     "      --event=GLOB      fold these events (default: the first, and all tracepoints)\n"
	     "      --by=FIELD,...    fields before the frames: comm (default), pid, cpu, type "
	     "...; none\n"
	     "      --symfs=DIR, --vmlinux=FILE, --debug-dir=DIR ...  as in pk-symbolize, for data "
	     "types\n"
	     "      --root=GLOB, --leaf=GLOB   start, end stacks at frames with this name\n"
	     "      --reverse         the leaf first  --max-depth=N  at most N frames  "
	     "--collapse-recursion\n"
	     "      --addresses --modules --lines --inlines[=no] --suffixes[=kji]  names of "
	     "frames\n"
	     "      --diff=BASE       print two weights: of BASE, and of the other inputs\n"
	     "      --live=TIME       each TIME, print the time and stacks, and start again\n"
	     "      --sort=ORDER      name (default) or weight\n" PK_COMMON_HELP "\n"
	     "  pk-record -F 999 -g -- ./app | pk-symbolize | pk-fold | flamegraph.pl > app.svg\n"
	     "  pk-fold --diff=before.pk after.pk | flamegraph.pl > diff.svg");
}

enum {
	OPT_WEIGHT = 256,
	OPT_EVENT,
	OPT_BY,
	OPT_ROOT,
	OPT_LEAF,
	OPT_REVERSE,
	OPT_RECURSION,
	OPT_DEPTH,
	OPT_ADDRESSES,
	OPT_MODULES,
	OPT_LINES,
	OPT_INLINES,
	OPT_SUFFIXES,
	OPT_DIFF,
	OPT_LIVE,
	OPT_SORT,
};

static const struct option long_options[] = {
	{"weight", required_argument, NULL, OPT_WEIGHT},
	{"event", required_argument, NULL, OPT_EVENT},
	{"by", required_argument, NULL, OPT_BY},
	{"root", required_argument, NULL, OPT_ROOT},
	{"leaf", required_argument, NULL, OPT_LEAF},
	{"reverse", no_argument, NULL, OPT_REVERSE},
	{"collapse-recursion", no_argument, NULL, OPT_RECURSION},
	{"max-depth", required_argument, NULL, OPT_DEPTH},
	{"addresses", no_argument, NULL, OPT_ADDRESSES},
	{"modules", no_argument, NULL, OPT_MODULES},
	{"lines", no_argument, NULL, OPT_LINES},
	{"inlines", optional_argument, NULL, OPT_INLINES},
	{"suffixes", optional_argument, NULL, OPT_SUFFIXES},
	{"diff", required_argument, NULL, OPT_DIFF},
	{"live", required_argument, NULL, OPT_LIVE},
	{"sort", required_argument, NULL, OPT_SORT},
	PK_SYMBOLS_LONG,
	PK_COMMON_LONG,
};

static const struct pk_perf_option perf_items[] = {
	{'g', "call-graph", "complete stacks are always printed; pk-record -g records them"},
	{'G', "inverted", "stacks start with the caller; --reverse starts with the leaf"},
	{'s', NULL, "--by"},
	{'F', "fields", "--by"},
	{'n', "show-nr-samples", "--weight samples"},
	{'T', "threads", "--by tid"},
	{'p', "parent", "--root"},
	{'k', NULL, "--vmlinux"},
	{'b', "branch-stack", "use --by with the fields of branches"},
	{'c', "comms", "use pk-filter --comm"},
	{'C', "cpu", "use pk-filter --cpu"},
	{'d', "dsos", "use pk-filter --dso"},
	{'S', "symbols", "use pk-filter --symbol"},
	{0, "pid", "use pk-filter --pid"},
	{0, "tid", "use pk-filter --tid"},
	{0, "time", "use pk-filter --time"},
	{0, "symbol-filter", "use pk-filter --symbol"},
	{'D', "dump-raw-trace", "use pk-script --dump"},
	{'I', "show-info", "use pk-script -I"},
	{0, "header", "use pk-script --header"},
	{0, "header-only", "use pk-script --header-only"},
	{0, "stats", "use pk-script --stats"},
	{0, "tasks", "use pk-script --show-task-events"},
	{0, "mmaps", "use pk-script --show-mmap-events"},
	{0, "max-stack", "--max-depth"},
	{0, "latency", "--weight latency"},
	{0, "children",
	 "each line is a complete stack; add the weights of those with the function"},
	{0, "stdio", "the output is always text"},
	{0, "inline", "--inlines"},
	{0, "mem-mode", "--by type,typeoff"},
};

static const struct pk_perf_options perf = {"perf report", perf_items,
					    sizeof(perf_items) / sizeof(perf_items[0])};

static void parse_weight(const char *text, struct fold_options *fold)
{
	struct pk_weight_options *weigh = &fold->weigh;

	weigh->field = NULL;
	if (!strcmp(text, "period")) {
		weigh->kind = PK_WEIGHT_PERIOD;
	} else if (!strcmp(text, "samples")) {
		weigh->kind = PK_WEIGHT_SAMPLES;
	} else if (!strcmp(text, "latency")) {
		weigh->kind = PK_WEIGHT_LATENCY;
	} else {
		weigh->kind = PK_WEIGHT_FIELD;
		weigh->field = text;
	}
}

/* True if --by has this field already. */
static bool is_by(const struct fold_options *fold, const struct pk_reference *reference)
{
	for (unsigned int i = 0; i < fold->by_count; i++) {
		const struct pk_reference *by = &fold->by[i];

		if (reference->field ? by->field == reference->field
				     : by->name && !strcmp(by->name, reference->name))
			return true;
	}
	return false;
}

/* Returns NULL, or the error. */
static const char *add_by(const char *name, size_t size, struct fold_options *fold)
{
	struct pk_path_options *stacks = &fold->stacks;
	struct pk_reference reference;

	if (!size)
		return "a field is missing";
	if (stacks->prefix_count > PK_GROUP_COLUMNS || fold->by_count == PK_GROUP_COLUMNS)
		return "too many fields";
	if (!pk_reference_parse(&reference, name, size))
		return pk_status_text(PK_NOMEM);
	if (reference.field && !strcmp(reference.field->name, "comm")) {
		for (unsigned int i = 0; i < stacks->prefix_count; i++)
			if (stacks->prefix[i] == PK_PATH_COMM)
				return NULL;
		stacks->prefix[stacks->prefix_count++] = PK_PATH_COMM;
		return NULL;
	}
	if (is_by(fold, &reference)) {
		pk_reference_free(&reference);
		return NULL;
	}
	fold->weigh.each_event |= reference.field && !strcmp(reference.field->name, "event");
	stacks->prefix[stacks->prefix_count++] = (int)fold->by_count;
	fold->by[fold->by_count++] = reference;
	return NULL;
}

static const char *parse_by(const char *text, struct fold_options *fold)
{
	const char *error;

	for (unsigned int i = 0; i < fold->by_count; i++)
		pk_reference_free(&fold->by[i]);
	fold->by_count = fold->stacks.prefix_count = 0;
	fold->weigh.each_event = false;
	if (!strcmp(text, "none"))
		return NULL;
	for (;; text++) {
		size_t size = strcspn(text, ",");

		error = add_by(text, size, fold);
		if (error)
			return error;
		text += size;
		if (!*text)
			return NULL;
	}
}

static bool parse_suffixes(const char *text, struct pk_frame_options *names)
{
	for (text = text ? text : "kji"; *text; text++) {
		if (!strchr("kji", *text))
			return false;
		names->mark_kernel |= *text == 'k';
		names->mark_jit |= *text == 'j';
		names->mark_inlines |= *text == 'i';
	}
	return true;
}

static bool parse_inlines(const char *text, struct pk_frame_options *names)
{
	names->hide_inlines = text && !strcmp(text, "no");
	return !text || names->hide_inlines || !strcmp(text, "yes");
}

static bool parse_depth(const char *text, uint32_t *depth)
{
	uint64_t value;

	if (!pk_parse_u64(text, &value) || value >= PK_PATH_NO_LIMIT)
		return false;
	*depth = (uint32_t)value;
	return true;
}

static bool parse_sort(const char *text, bool *by_weight)
{
	*by_weight = !strcmp(text, "weight");
	return *by_weight || !strcmp(text, "name");
}

static bool add_event(const char *glob, struct fold_options *fold)
{
	struct pk_weight_options *weigh = &fold->weigh;
	size_t capacity = (size_t)weigh->events_count;

	if (!pk_reserve(&weigh->events, &capacity, capacity, 1, sizeof(*weigh->events))) {
		pk_error("out of memory");
		return false;
	}
	weigh->events[weigh->events_count++] = glob;
	return true;
}

/* Options for the names and the selection of frames. -1: not such an option. */
static int parse_stacks(int c, struct pk_path_options *stacks)
{
	switch (c) {
	case OPT_ROOT: stacks->root = optarg; break;
	case OPT_LEAF: stacks->leaf = optarg; break;
	case OPT_REVERSE: stacks->reverse = true; break;
	case OPT_RECURSION: stacks->collapse_recursion = true; break;
	case OPT_DEPTH:
		if (!parse_depth(optarg, &stacks->max_depth))
			return pk_usage_error("--max-depth=%s: not a number of frames", optarg);
		break;
	case OPT_ADDRESSES: stacks->names.addresses = true; break;
	case OPT_MODULES: stacks->names.modules = true; break;
	case OPT_LINES: stacks->names.lines = true; break;
	case OPT_INLINES:
		if (!parse_inlines(optarg, &stacks->names))
			return pk_usage_error("--inlines=%s: must be yes or no", optarg);
		break;
	case OPT_SUFFIXES:
		if (!parse_suffixes(optarg, &stacks->names))
			return pk_usage_error("--suffixes=%s: of k (kernel), j (JIT), i (inlined)",
					      optarg);
		break;
	default: return -1;
	}
	return PK_EXIT_OK;
}

static int parse_option(int c, struct opts *opts)
{
	int result = parse_stacks(c, &opts->fold.stacks);
	const char *error;

	if (result >= 0)
		return result ? result : -1;
	result = pk_symbol_option(&opts->symbols, c);
	if (result)
		return result;
	switch (c) {
	case OPT_WEIGHT: parse_weight(optarg, &opts->fold); return -1;
	case OPT_EVENT: return add_event(optarg, &opts->fold) ? -1 : PK_EXIT_FAILED;
	case OPT_BY:
		error = parse_by(optarg, &opts->fold);
		return error ? pk_usage_error("--by=%s: %s", optarg, error) : -1;
	case OPT_DIFF: opts->fold.base = optarg; return -1;
	case OPT_LIVE:
		if (pk_parse_time(optarg, &opts->fold.live) && opts->fold.live)
			return -1;
		return pk_usage_error("--live=%s: not a time", optarg);
	case OPT_SORT:
		if (parse_sort(optarg, &opts->fold.by_weight))
			return -1;
		return pk_usage_error("--sort=%s: must be name or weight", optarg);
	default: return pk_common_option(&opts->common, c);
	}
}

/* -1: continue. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c, result;

	while ((c = pk_getopt(argc, argv, PK_COMMON_SHORT, long_options, &perf)) != -1) {
		result = parse_option(c, opts);
		if (result >= 0)
			return result;
	}
	if (!opts->fold.stacks.max_depth && !opts->fold.stacks.prefix_count)
		return pk_usage_error("--by=none --max-depth=0: nothing is left to print");
	if (opts->fold.base && opts->fold.live)
		return pk_usage_error("--diff and --live exclude each other");
	return -1;
}

int main(int argc, char **argv)
{
	struct opts opts = {.common.help = help,
			    .symbols = {.no_lines = true, .tried = pk_report_tried},
			    .fold.stacks = {.prefix = {PK_PATH_COMM},
					    .prefix_count = 1,
					    .max_depth = PK_PATH_NO_LIMIT}};
	struct pk_run run = {0};
	int result;

	pk_cli_init("pk-fold");
	result = parse(argc, argv, &opts);
	if (result < 0) {
		pk_common_apply(&opts.common, argc, argv, &run);
		pk_protect_inputs(run.files, run.files_count);
		if (opts.fold.base)
			pk_protect_input(opts.fold.base);
		result = pk_output_text(opts.common.output);
		opts.fold.symbols = &opts.symbols;
		if (!result)
			result = pk_finish(fold(&run, &opts.fold));
	}
	free(opts.fold.weigh.events);
	return pk_exit_status(result);
}
