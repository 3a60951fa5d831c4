// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "fold.h"
#include "folded.h"
#include "intervals.h"
#include "lookups.h"
#include "pkutil.h"
#include "profile_run.h"
#include "selection.h"
#include "symbol_options.h"
#include "unknown_field.h"

struct folder {
	struct pk_run *run;
	struct pk_fold_options *options;
	struct pk_profile profile;
	struct pk_symbols *symbols; /* NULL: not needed */
	struct pk_groups groups;
	struct pk_tally tally;
	struct pk_tree *tree;
	struct thin_tree thin; /* stacks of text, on their way to the tree */
	unsigned int column;   /* column of the tree for the input */
	struct pk_intervals live;
	pk_fold_print *print;
	void *arg;
	bool samples; /* an input has samples */
	bool checked; /* the names of fields were checked */
	struct pk_path_count paths;
	struct pk_allowance output;  /* for the output of the stacks */
	uint64_t text_bytes;	     /* of folded text */
	struct pk_expression *where; /* NULL: none */
	unsigned int weights;	     /* of the lines of text: see struct folded_input */
	uint64_t texts;		     /* number of inputs that were text */
};

/* Adds the weights counted so far to the tree, and clears the counts and groups. Also
 * pk_context.forget. */
static enum pk_status gather(void *arg)
{
	struct folder *folder = arg;
	struct pk_path_options stacks = folder->options->stacks;
	struct pk_cell *cells;
	size_t count;
	bool done;

	cells = pk_tally_cells(&folder->tally, &count);
	pk_allowance_pay(&folder->paths.allowance, folder->profile.context.bytes);
	stacks.names.addresses |= !pk_source_symbolized(&folder->profile.context.stacks);
	done = cells && pk_paths_add(folder->tree, folder->column, &folder->groups, cells, count,
				     &stacks, &folder->paths);
	free(cells);
	pk_groups_forget(&folder->groups);
	return done ? PK_OK : PK_NOMEM;
}

/* ---- Output ---- */

/* False: out of memory. */
static bool put_out(struct folder *folder)
{
	const struct pk_fold_result result = {.tree = folder->tree,
					      .pairs =
						      folder->options->base || folder->weights == 2,
					      .heading = folder->live.heading,
					      .thin = folder->thin.dropped,
					      .allowance = &folder->output,
					      .unit = pk_weights_unit(folder->profile.weights)};
	bool done;

	pk_allowance_pay(&folder->output, folder->profile.context.bytes + folder->text_bytes);
	done = folder->print(folder->arg, &result);

	folder->live.heading[0] = '\0';
	return done;
}

/* Prints the stacks since the last output, and clears them. */
static enum pk_status put_out_live(struct folder *folder)
{
	struct pk_tree *tree;
	enum pk_status status = pk_context_renew(&folder->profile.context);

	if (status)
		return status;
	tree = pk_tree_new();
	if (!tree || !put_out(folder)) {
		pk_tree_free(tree);
		return PK_NOMEM;
	}
	pk_tree_free(folder->tree);
	folder->tree = tree;
	return PK_OK;
}

/* Prints if the time of the sample has reached the next output. */
static enum pk_status keep_time(struct folder *folder, const struct pk_record *record)
{
	enum pk_status status = PK_OK;
	uint64_t time;

	if (!pk_intervals_over(&folder->live, record, &time))
		return PK_OK;
	if (folder->live.next)
		status = put_out_live(folder);
	pk_intervals_start(&folder->live, time);
	return status;
}

/* ---- Records ---- */

static struct pk_selection selection_of(const struct folder *folder)
{
	return (struct pk_selection){.profile = &folder->profile,
				     .groups = &folder->groups,
				     .where = folder->where,
				     .where_text = folder->options->conditions.where};
}

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct folder *folder = arg;
	uint32_t group = 0, stack = pk_view_stack(view);

	if (pk_unlikely(stack == PK_NO_STACK))
		return view->context->failed ? PK_NOMEM : PK_OK;
	if (folder->groups.columns_count) {
		group = pk_groups_of(&folder->groups, view);
		if (!group)
			return PK_NOMEM;
	}
	return pk_tally_add(&folder->tally, group, stack, weight) ? PK_OK : PK_NOMEM;
}

/* Checks the names of fields. With --diff, the other recording can have them. False: out of memory.
 */
static bool check_fields(struct folder *folder)
{
	const struct pk_selection selection = selection_of(folder);

	folder->checked = true;
	return folder->options->base || pk_selection_check(&selection);
}

static enum pk_status read_record(struct pk_run *run, const struct pk_record *record)
{
	struct folder *folder = run->arg;
	enum pk_status status = PK_OK;

	if (pk_unlikely(!folder->checked) && pk_fields_are_due(run, record) &&
	    !check_fields(folder))
		return PK_NOMEM;
	if (record->type == PK_RECORD_BEGIN)
		folder->profile.context.look_up = !run->piped;
	if (record->type != PERF_RECORD_SAMPLE)
		pk_intervals_record(&folder->live, run->reader, record);
	else if (folder->options->live)
		status = keep_time(folder, record);
	return status ? status : pk_profile_record(&folder->profile, run->reader, record);
}

static void end_session(struct pk_run *run)
{
	struct folder *folder = run->arg;

	if (!pk_groups_end_session(&folder->groups))
		pk_run_complain(run, &(struct pk_record){0}, pk_status_text(PK_NOMEM));
	pk_run_end_profile(run, &folder->profile);
}

/* ---- The summary ---- */

static void report_events(const struct folder *folder)
{
	const struct pk_weight_options *weigh = &folder->options->weigh;
	const struct pk_profile *profile = &folder->profile;
	const char *kinds;
	char number[32];

	if (!folder->texts)
		pk_report_no_samples(folder->run);

	if (profile->skipped && !weigh->events_count)
		pk_warn("only samples of %s are folded; %s samples of other events skipped "
			"(--event selects events)",
			pk_weights_default(profile->weights), pk_number(number, profile->skipped));
	if (pk_weights_mixed(profile->weights) && !weigh->each_event)
		pk_warn("weights of different units are summed up (-v prints them); --by event "
			"separates them");
	kinds = pk_weights_kinds(profile->weights);
	if (kinds)
		pk_warn("times of different kinds of spans are summed up: %s (--by event separates "
			"them, --event selects one)",
			kinds);
	pk_report_lacking(profile);
}

static void report_stacks(const struct folder *folder)
{
	const struct pk_context *context = &folder->profile.context;
	const struct pk_path_count *paths = &folder->paths;
	double all = paths->all ? (double)paths->all / 100 : 1;
	char number[32];

	if (pk_source_addresses(&context->stacks) && folder->options->stacks.max_depth)
		pk_warn("the input is not symbolized: objects and addresses are shown; run "
			"pk-symbolize before pk-fold");
	if (folder->options->stacks.max_depth)
		pk_report_missing_stages(&pk_source_counted(&context->stacks)->partial,
					 pk_source_counted(&context->stacks)->stacks_unmerged);
	if (paths->outside && (folder->options->stacks.root || folder->options->stacks.leaf))
		pk_warn("%.1f%% of the weight is outside of --root and --leaf, skipped",
			(double)paths->outside / all);
	if (paths->cut)
		pk_warn("%.1f%% of the weight is in stacks of over %d frames, which are cut",
			(double)paths->cut / all, PK_PATH_DEPTH_MAX);
	if (paths->shortened)
		pk_warn("%.1f%% of the weight is in stacks that are cut to %d frames: together, "
			"the "
			"stacks are too large for so small an input; --max-depth limits all alike",
			(double)paths->shortened / all, PK_STACK_SHORT);
	if (paths->without_address)
		pk_warn("--addresses: the input has frames of functions, without addresses; run "
			"pk-symbolize --addresses before pk-fold");
	if (pk_source_missing(&context->stacks).without)
		pk_warn("%s samples have no stack, skipped",
			pk_number(number, pk_source_missing(&context->stacks).without));
}

/* Reports what was skipped. Returns the exit status. */
static int report(const struct folder *folder)
{
	const struct pk_selection selection = selection_of(folder);

	report_events(folder);
	report_stacks(folder);
	return pk_selection_report(&selection);
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

/* Samples need a tree without tails. False after a message. */
static bool finish_text(struct folder *folder)
{
	if (pk_thin_tree_finish(&folder->thin, 0))
		return true;
	pk_no_memory();
	return false;
}

/* Folded text. */
static bool read_text(struct pk_run *run, const struct pk_input_head *head, bool *failed)
{
	struct folder *folder = run->arg;
	struct folded_input input = {.fd = run->fd,
				     .name = run->name,
				     .head = head->data,
				     .head_size = head->size,
				     .column = folder->column,
				     .bytes = &folder->text_bytes,
				     .weights = folder->options->base ? NULL : &folder->weights,
				     .reverse = folder->options->stacks.reverse,
				     .in_order = folder->options->in_order};
	const bool is_text = pk_folded_is_text(head->data, head->size);

	/* The base of --diff can be text although the inputs are recordings. */
	if (is_text && head->size && folder->options->sample_option &&
	    (!folder->options->base || folder->column))
		pk_exit_usage("%s: folded text has no samples: --%s is for recordings", run->name,
			      folder->options->sample_option);
	if (!is_text && folder->options->in_order)
		pk_exit_usage("%s: --flamechart is for folded text; pk-plot chart draws recordings "
			      "over time",
			      run->name);
	if (!is_text) {
		folder->samples = true;
		*failed = !finish_text(folder);
		return *failed;
	}
	folder->texts++;
	folder->thin.tree = folder->tree;
	folder->thin.share = folder->options->base ? 0 : folder->options->thin_share;
	*failed = pk_folded_read(&folder->thin, &input) != PK_EXIT_OK;
	*failed |= folder->samples && !finish_text(folder);
	return true;
}

/* Adds the base of --diff, folded or recorded, to the first column. */
static int read_base(struct folder *folder)
{
	char *files[] = {(char *)folder->options->base};
	struct pk_run *run = folder->run, base = *run;
	int result;

	base.files = files;
	base.files_count = 1;
	base.text = read_text;
	pk_run_connect(&base, &folder->profile.context);
	result = pk_run(&base);
	pk_run_connect(run, &folder->profile.context);
	return result;
}

static int fold_all(struct folder *folder)
{
	int result = folder->options->base ? read_base(folder) : PK_EXIT_OK;

	folder->column = folder->options->base ? 1 : 0;
	result = worse(result, pk_run(folder->run));
	result = worse(result, report(folder));
	if (!pk_thin_tree_finish(&folder->thin, folder->thin.share) || !put_out(folder)) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		result = PK_EXIT_FAILED;
	}
	return result;
}

/* False: out of memory. */
static bool set_up(struct folder *folder)
{
	const struct pk_fold_options *options = folder->options;
	struct pk_run *run = folder->run;
	struct pk_profile *profile = &folder->profile;

	run->ordered = true;
	run->record = read_record;
	run->session_end = end_session;
	run->arg = folder;
	if (options->text)
		run->text = read_text;
	folder->live.step = options->live;
	profile->weigh = options->weigh;
	profile->sample = count_sample;
	profile->arg = folder;
	profile->context.needs = PK_NEED_ANY_STACKS;
	if (options->stacks.names.addresses)
		profile->context.needs |= PK_NEED_ADDRESSES;
	if (options->stacks.names.lines)
		profile->context.needs |= PK_NEED_LINES;
	if (!pk_conditions_combine(&folder->options->conditions, &folder->where))
		return false;
	profile->where = folder->where;
	profile->context.forget = gather;
	profile->context.arg = folder;
	pk_run_connect(run, &profile->context);
	folder->groups.context = &profile->context;
	folder->groups.columns_count = options->by_count;
	for (unsigned int i = 0; i < options->by_count; i++) {
		folder->groups.columns[i].reference = options->by[i];
		profile->context.needs |= pk_reference_needs(&options->by[i]);
	}
	if (!pk_profile_add_needs(profile) ||
	    !pk_symbols_for_stacks(&profile->context, &options->symbols, &run->messages,
				   &folder->symbols))
		return false;
	folder->tree = pk_tree_new();
	return folder->tree && pk_profile_init(profile);
}

int pk_fold(struct pk_run *run, struct pk_fold_options *options, pk_fold_print *print, void *arg)
{
	struct folder folder = {.run = run, .options = options, .print = print, .arg = arg};
	int result = PK_EXIT_FAILED;

	if (set_up(&folder))
		result = fold_all(&folder);
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	pk_groups_free(&folder.groups);
	pk_tally_free(&folder.tally);
	pk_thin_tree_free(&folder.thin);
	pk_tree_free(folder.tree);
	pk_profile_free(&folder.profile);
	pk_expression_free(folder.where);
	return pk_symbols_finish(folder.symbols, result);
}
