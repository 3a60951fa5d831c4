// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "options.h"
#include "vector.h"

struct opts {
	struct pk_common common;
	struct fold_options fold;
};

static void help(void)
{
	puts("Usage: pk-fold [OPTION...] [FILE...]\n"
	     "\n"
	     "Adds up samples by their stacks: thread;caller;...;leaf WEIGHT, as flamegraph.pl "
	     "wants it.\n"
	     "\n"
	     "      --weight=WHAT     period (default; of tracepoints 1), samples, latency, "
	     "FIELD\n"
	     "      --event=GLOB      fold these events (default: that of the first sample)\n"
	     "      --by=KEY,...      in front of the frames: comm (default), pid, tid, cpu, "
	     "event,\n"
	     "                        cgroup, host; none\n"
	     "      --root=GLOB, --leaf=GLOB   begin, end stacks at frames of this name\n"
	     "      --reverse         the leaf first\n"
	     "      --max-depth=N     so many frames      --collapse-recursion\n"
	     "      --addresses --modules --lines --inlines[=no] --suffixes[=kji]  how to name "
	     "frames\n"
	     "      --diff=BASE       two weights: that of BASE, and that of the other inputs\n"
	     "      --live=TIME       print and begin anew each TIME\n"
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
	PK_COMMON_LONG,
};

static void parse_weight(const char *text, struct fold_options *fold)
{
	fold->field = NULL;
	if (!strcmp(text, "period"))
		fold->weight = FOLD_PERIOD;
	else if (!strcmp(text, "samples"))
		fold->weight = FOLD_SAMPLES;
	else if (!strcmp(text, "latency"))
		fold->weight = FOLD_LATENCY;
	else {
		fold->weight = FOLD_FIELD;
		fold->field = text;
	}
}

static bool add_key(const char *name, size_t size, struct fold_options *fold)
{
	static const char *const names[FOLD_KEYS] = {"comm",  "pid",	"tid", "cpu",
						     "event", "cgroup", "host"};

	for (enum fold_key key = 0; key < FOLD_KEYS; key++) {
		if (strlen(names[key]) != size || memcmp(names[key], name, size))
			continue;
		if (!fold_is_by(fold, key))
			fold->by[fold->by_count++] = key;
		return true;
	}
	return false;
}

static bool parse_by(const char *text, struct fold_options *fold)
{
	fold->by_count = 0;
	if (!strcmp(text, "none"))
		return true;
	for (;; text++) {
		size_t size = strcspn(text, ",");

		if (!add_key(text, size, fold))
			return false;
		text += size;
		if (!*text)
			return true;
	}
}

static bool parse_suffixes(const char *text, struct tidy_options *names)
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

static bool parse_inlines(const char *text, struct tidy_options *names)
{
	names->hide_inlines = text && !strcmp(text, "no");
	return !text || names->hide_inlines || !strcmp(text, "yes");
}

static bool parse_depth(const char *text, uint32_t *depth)
{
	uint64_t value;

	if (!pk_parse_u64(text, &value) || value >= UNFOLD_NO_LIMIT)
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
	size_t capacity = (size_t)fold->events_count;

	if (!pk_reserve(&fold->events, &capacity, capacity, 1, sizeof(*fold->events))) {
		pk_error("out of memory");
		return false;
	}
	fold->events[fold->events_count++] = glob;
	return true;
}

/* An option that says how frames are named or which are shown. -1: it is none of these. */
static int parse_stacks(int c, struct unfold_options *stacks)
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
			return pk_usage_error("--inlines=%s: yes or no", optarg);
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

	if (result >= 0)
		return result ? result : -1;
	switch (c) {
	case OPT_WEIGHT: parse_weight(optarg, &opts->fold); return -1;
	case OPT_EVENT: return add_event(optarg, &opts->fold) ? -1 : PK_EXIT_FAILED;
	case OPT_BY:
		if (parse_by(optarg, &opts->fold))
			return -1;
		return pk_usage_error(
			"--by=%s: of comm, pid, tid, cpu, event, cgroup, host; or none", optarg);
	case OPT_DIFF: opts->fold.base = optarg; return -1;
	case OPT_LIVE:
		if (pk_parse_time(optarg, &opts->fold.live) && opts->fold.live)
			return -1;
		return pk_usage_error("--live=%s: not a time", optarg);
	case OPT_SORT:
		if (parse_sort(optarg, &opts->fold.by_weight))
			return -1;
		return pk_usage_error("--sort=%s: name or weight", optarg);
	default: return pk_common_option(&opts->common, c);
	}
}

/* -1: go on. Else the exit status. */
static int parse(int argc, char **argv, struct opts *opts)
{
	int c, result;

	while ((c = getopt_long(argc, argv, PK_COMMON_SHORT, long_options, NULL)) != -1) {
		result = parse_option(c, opts);
		if (result >= 0)
			return result;
	}
	if (!opts->fold.stacks.max_depth && !opts->fold.by_count)
		return pk_usage_error("--by=none --max-depth=0: nothing is left to be printed");
	if (opts->fold.base && opts->fold.live)
		return pk_usage_error("--diff compares at the end, --live prints before it");
	return -1;
}

int main(int argc, char **argv)
{
	struct opts opts = {
		.common.help = help,
		.fold = {.by = {KEY_COMM}, .by_count = 1, .stacks.max_depth = UNFOLD_NO_LIMIT}};
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
		if (!result)
			result = pk_finish(fold(&run, &opts.fold));
	}
	free(opts.fold.events);
	return result;
}
