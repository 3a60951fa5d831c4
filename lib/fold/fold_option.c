// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "cli.h"
#include "fold_option.h"

/* The name of the thread has its own place in the stacks. -1, or an exit status after a message. */
static int parse_by(struct pk_fold_options *fold, const char *text)
{
	struct pk_path_options *stacks = &fold->stacks;
	struct pk_tail_options *tail = &fold->tail;
	const int result = pk_tail_by(tail, text, PK_GROUP_COLUMNS + 1);
	const unsigned int count = tail->by_count;

	tail->weigh.each_event = pk_tail_is_by(tail, "event");
	if (count > PK_GROUP_COLUMNS && !pk_tail_is_by(tail, "comm"))
		return pk_usage_error("--by=%s: too many fields", text);
	stacks->prefix_count = tail->by_count = 0;
	for (unsigned int i = 0; i < count; i++) {
		const struct pk_field *field = tail->by[i].field;
		const bool is_comm = field && !strcmp(field->name, "comm");

		stacks->prefix[stacks->prefix_count++] =
			is_comm ? PK_PATH_COMM : (int)tail->by_count;
		if (!is_comm)
			tail->by[tail->by_count++] = tail->by[i];
	}
	return result;
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

/* Options for the names and the selection of frames. -1: not such an option. */
static int parse_stacks(int c, struct pk_path_options *stacks)
{
	switch (c) {
	case PK_OPT_FOLD_ROOT: stacks->root = optarg; break;
	case PK_OPT_FOLD_LEAF: stacks->leaf = optarg; break;
	case PK_OPT_FOLD_REVERSE: stacks->reverse = true; break;
	case PK_OPT_FOLD_RECURSION: stacks->collapse_recursion = true; break;
	case PK_OPT_FOLD_DEPTH:
		if (!parse_depth(optarg, &stacks->max_depth))
			return pk_usage_error("--max-depth=%s: not a number of frames", optarg);
		break;
	case PK_OPT_FOLD_ADDRESSES: stacks->names.addresses = true; break;
	case PK_OPT_FOLD_MODULES: stacks->names.modules = true; break;
	case PK_OPT_FOLD_LINES: stacks->names.lines = true; break;
	case PK_OPT_FOLD_FULL_NAMES: stacks->names.full = true; break;
	case PK_OPT_FOLD_INLINES:
		if (!parse_inlines(optarg, &stacks->names))
			return pk_usage_error("--inlines=%s: must be yes or no", optarg);
		break;
	case PK_OPT_FOLD_SUFFIXES:
		if (!parse_suffixes(optarg, &stacks->names))
			return pk_usage_error("--suffixes=%s: of k (kernel), j (JIT), i (inlined)",
					      optarg);
		break;
	default: return -1;
	}
	return PK_EXIT_OK;
}

/* Notes an option that folded text cannot have. */
static void note_option(struct pk_fold_options *fold, int c)
{
	static const struct option options[] = {PK_FOLD_LONG, {NULL, 0, NULL, 0}};

	if (c == PK_OPT_FOLD_REVERSE || c == PK_OPT_FOLD_DIFF)
		return;
	for (const struct option *option = options; option->name; option++)
		if (option->val == c)
			fold->sample_option = option->name;
}

int pk_fold_option(struct pk_fold_options *fold, int c)
{
	int result = parse_stacks(c, &fold->stacks);

	note_option(fold, c);
	if (result >= 0)
		return result ? result : -1;
	switch (c) {
	case PK_OPT_BY: return parse_by(fold, optarg);
	case PK_OPT_FOLD_DIFF: fold->base = optarg; return -1;
	default: return pk_tail_option(&fold->tail, c);
	}
}
