// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "cli.h"
#include "fold_rows.h"
#include "where.h"

/* Sets the fields of --by. The name of the thread is stored in prefix, and not in tail->by. */
static int set_by(const struct pk_option *option, void *at, const char *text)
{
	struct pk_fold_options *fold = at;
	struct pk_path_options *stacks = &fold->stacks;
	struct pk_tail_options *tail = &fold->tail;
	const int result = pk_tail_by(tail, text, PK_GROUP_COLUMNS + 1);
	const unsigned int count = tail->by_count;

	tail->weigh.each_event = pk_tail_is_by(tail, "event");
	if (count > PK_GROUP_COLUMNS && !pk_tail_is_by(tail, "comm"))
		return pk_option_error(option, text, "too many fields");
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

static int set_suffixes(const struct pk_option *option, void *at, const char *text)
{
	struct pk_frame_options *names = at;

	if (text[strspn(text, "kji")])
		return pk_option_wrong(option, text);
	names->mark_kernel |= strchr(text, 'k') != NULL;
	names->mark_jit |= strchr(text, 'j') != NULL;
	names->mark_inlines |= strchr(text, 'i') != NULL;
	return PK_CONTINUE;
}

/* Stores the name of an option that is not possible for folded text. */
static int note_option(const struct pk_option *option, void *fold, const char *text)
{
	(void)text;
	((struct pk_fold_options *)fold)->sample_option = option->name;
	return PK_CONTINUE;
}

#define AT(member) PK_AT(struct pk_fold_options, member)

static const struct pk_option sample_rows[] = {
	PK_TITLE("What is summed up"),
	{.kind = PK_ROWS, .rows = pk_weight_row, AT(tail)},
	{0, "event", "GLOB", PK_CALL,
	 "samples of these events (default: spans, or the first event, and all tracepoints)",
	 AT(tail.weigh), .parse = pk_add_event},
	{.kind = PK_ROWS, .rows = pk_where_row, AT(tail)},
	{0, "by", "FIELD,...", PK_CALL,
	 "fields before the frames: comm (default), pid, cpu, type ...; none", .parse = set_by},
	PK_TITLE("Stacks"),
	{0, "root", "GLOB", PK_TEXT, "start stacks at the outermost frame with this name",
	 AT(stacks.root)},
	{0, "leaf", "GLOB", PK_TEXT, "end stacks at the innermost frame with this name",
	 AT(stacks.leaf)},
	{0, "collapse-recursion", NULL, PK_FLAG, "join adjacent frames with the same name",
	 AT(stacks.collapse_recursion)},
	{0, "max-depth", "N", PK_NUMBER, "at most N frames, from the start of the stack",
	 AT(stacks.max_depth), .most = PK_PATH_NO_LIMIT - 1, .wants = "a number of frames"},
	{0, "addresses", NULL, PK_FLAG, "unresolved frames get their address",
	 AT(stacks.names.addresses)},
	{0, "modules", NULL, PK_FLAG, "add the object to names: object`function",
	 AT(stacks.names.modules)},
	{0, "lines", NULL, PK_FLAG, "add the source line to names", AT(stacks.names.lines)},
	{0, "full-names", NULL, PK_FLAG, "keep the parameters of functions", AT(stacks.names.full)},
	{0, "inlines", "[yes|no]", PK_WORD, "inlined functions have frames (yes)",
	 AT(stacks.names.hide_inlines), .without = "yes"},
	{0, "suffixes", "[kji]", PK_CALL,
	 "add _[k] to names of the kernel, _[j] to those of a JIT, _[i] to inlined ones",
	 AT(stacks.names), .parse = set_suffixes, .without = "kji",
	 .wants = "letters of k (kernel), j (JIT), i (inlined)"},
	PK_OPTIONS_END,
};

static const struct pk_option stack_rows[] = {
	{0, "reverse", NULL, PK_FLAG, "the leaf first", AT(stacks.reverse)},
	{0, "diff", "BASE", PK_TEXT, "two weights: of BASE, and of the other inputs", AT(base)},
	PK_OPTIONS_END,
};

const struct pk_option pk_fold_rows[] = {
	{.kind = PK_ROWS, .rows = sample_rows, .parse = note_option},
	{.kind = PK_ROWS, .rows = stack_rows},
	{.kind = PK_ROWS, .rows = pk_function_rows, .parse = note_option, AT(tail.symbols)},
	PK_OPTIONS_END,
};
