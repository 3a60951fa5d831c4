// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "folded.h"
#include "intervals.h"
#include "lookups.h"
#include "node_changes.h"
#include "pkutil.h"

/* The state of pk_fold(). */
struct folder {
	struct pk_fold_options *options;
	struct pk_tail tail;
	struct pk_tally tally;
	struct pk_tree *tree;
	struct thin_tree thin; /* the stacks of folded text before they are added to the tree */
	unsigned int column; /* the column of the tree to which the weights of the current input are
			      * added */
	struct node_changes changes; /* used with the option compare */
	struct pk_intervals live;
	pk_fold_print *print;
	void *arg;
	bool samples; /* true if an input has samples */
	struct pk_counted_samples folded;
	struct pk_path_count paths;
	struct pk_allowance output; /* limits the size of the output */
	uint64_t text_bytes;	    /* the size in bytes of all folded text that was read */
	unsigned int weights;	    /* how many weights each line of folded text has (see
				     * folded_input.weights) */
};

/* The callback pk_tail.forget. Adds the weights counted so far to the tree, and clears the counts.
 */
static enum pk_status gather(void *arg)
{
	struct folder *folder = arg;
	const struct pk_context *context = &folder->tail.profile.context;
	struct pk_path_options stacks = folder->options->stacks;
	struct pk_cell *cells;
	size_t count;
	bool done;

	pk_counted_samples_end_session(&folder->folded);
	cells = pk_tally_cells(&folder->tally, &count);
	pk_allowance_pay(&folder->paths.allowance, folder->tail.profile.bytes);
	stacks.names.addresses |= !pk_source_symbolized(&context->stacks);
	done = cells && pk_paths_add(folder->tree, folder->column, &folder->tail.groups, cells,
				     count, &stacks, &folder->paths) == PK_OK;
	free(cells);
	return done ? PK_OK : PK_NOMEM;
}

/* The callback pk_tail.session_end with the option compare. Ends a recording of a side. */
static enum pk_status end_recording(void *arg)
{
	struct folder *folder = arg;

	PK_TRY(gather(folder));
	return pk_node_changes_end(&folder->changes, folder->tree, folder->column);
}

/* Counts a sample in a block of time of the comparison. */
static enum pk_status count_in_block(struct folder *folder, const struct pk_view *view,
				     uint64_t weight)
{
	const uint16_t at = view->event->layout.time;
	uint64_t time = 0;

	if (at && at + 8u <= view->record->size)
		time = pk_load_u64(view->record->data + at);
	while (node_changes_over(&folder->changes, time)) {
		PK_TRY(gather(folder));
		PK_TRY(pk_node_changes_end_block(&folder->changes, folder->tree, folder->column));
	}
	pk_node_changes_count(&folder->changes, time, weight);
	return PK_OK;
}

/* ---- Output ---- */

static enum pk_status put_out(struct folder *folder)
{
	const struct pk_profile *profile = &folder->tail.profile;
	struct pk_fold_result result = {.samples = &folder->folded,
					.tree = folder->tree,
					.pairs = folder->options->base || folder->weights == 2,
					.heading = folder->live.heading,
					.thin = folder->thin.dropped,
					.allowance = &folder->output,
					.unit = pk_weights_unit(profile->weights)};
	struct difference *changes = NULL;
	enum pk_status status;

	pk_allowance_pay(&folder->output, profile->bytes + folder->text_bytes);
	if (folder->options->compare && folder->options->base && !folder->text_bytes) {
		changes = pk_node_changes_make(&folder->changes, folder->tree->count);
		if (!changes)
			return PK_NOMEM;
	}
	result.changes = changes;
	status = folder->print(folder->arg, &result);
	free(changes);
	folder->live.heading[0] = '\0';
	return status;
}

/* Prints the stacks of the samples since the last output, and then removes them. */
static enum pk_status put_out_live(struct folder *folder)
{
	struct pk_tree *tree;

	PK_TRY(pk_context_renew(&folder->tail.profile.context));
	PK_TRY(put_out(folder));
	tree = pk_tree_new();
	if (!tree)
		return PK_NOMEM;
	pk_tree_free(folder->tree);
	folder->tree = tree;
	return PK_OK;
}

/* Prints the stacks if the time of the sample has reached the end of the interval. */
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

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct folder *folder = arg;
	uint32_t group = 0, stack = pk_view_stack(view);

	if (pk_unlikely(stack == PK_NO_STACK))
		return view->context->failed ? PK_NOMEM : PK_OK;
	if (!folder->options->base || folder->column)
		pk_counted_samples_add(&folder->folded, view);
	if (folder->tail.groups.columns_count) {
		group = pk_groups_of(&folder->tail.groups, view);
		if (!group)
			return PK_NOMEM;
	}
	if (folder->options->compare && folder->options->base)
		PK_TRY(count_in_block(folder, view, weight));
	return pk_tally_add(&folder->tally, group, stack, weight);
}

/* The callback pk_tail.record with the option live. */
static enum pk_status read_live(void *arg, const struct pk_record *record)
{
	struct folder *folder = arg;
	enum pk_status status = PK_OK;

	if (record->type == PERF_RECORD_SAMPLE)
		status = keep_time(folder, record);
	else
		pk_intervals_record(&folder->live, folder->tail.run->reader, record);
	return status ?: pk_tail_evaluate(&folder->tail, record);
}

/* The callback pk_tail.record with the option note. */
static enum pk_status read_noted(void *arg, const struct pk_record *record)
{
	struct folder *folder = arg;

	if (record->type != PERF_RECORD_SAMPLE && (!folder->options->base || folder->column))
		PK_TRY(folder->options->note(folder->arg, folder->tail.run->reader, record));
	return pk_tail_evaluate(&folder->tail, record);
}

/* ---- The summary ---- */

static void report_events(const struct folder *folder)
{
	struct pk_weights *weights = folder->tail.profile.weights;
	const char *kinds;

	pk_tail_report_samples(&folder->tail);
	if (pk_weights_mixed(weights) && !folder->options->tail.weigh.each_event)
		pk_warn("weights of different units are summed up (-v prints them); --by event "
			"separates them");
	kinds = pk_weights_kinds(weights);
	if (kinds)
		pk_warn("times of different kinds of spans are summed up: %s (--by event separates "
			"them, --event selects one)",
			kinds);
	pk_tail_report_lacking(&folder->tail);
}

static void report_stacks(const struct folder *folder)
{
	const struct pk_stack_source *source = &folder->tail.profile.context.stacks;
	const struct pk_path_count *paths = &folder->paths;
	double all = paths->all ? (double)paths->all / 100 : 1;
	char number[32];

	if (pk_source_addresses(source) && folder->options->stacks.max_depth)
		pk_warn("the input is not symbolized: objects and addresses are shown; run "
			"pk-symbolize before pk-fold");
	if (folder->options->stacks.max_depth)
		pk_tail_report_stages(&folder->tail);
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
	if (pk_source_missing(source).without)
		pk_warn("%s samples have no stack, skipped",
			pk_number(number, pk_source_missing(source).without));
}

/* Reports what was skipped. Returns the exit status. */
static int report(const struct folder *folder)
{
	report_events(folder);
	report_stacks(folder);
	return pk_tail_report_selection(&folder->tail);
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

/* Before samples are added, makes nodes of all tails (thin_tree.h). Returns PK_NOMEM after a
 * message if memory is exhausted. */
static enum pk_status finish_text(struct folder *folder)
{
	if (pk_thin_tree_finish(&folder->thin, 0) == PK_OK)
		return PK_OK;
	pk_no_memory();
	return PK_NOMEM;
}

/* Reads an input if it is folded text. Returns false if it is a recording. */
static bool read_text(struct pk_run *run, const struct pk_input_head *head, bool *failed)
{
	struct folder *folder = ((struct pk_tail *)run->arg)->arg;
	struct folded_input input = {.fd = run->input.fd,
				     .name = run->input.name,
				     .head = head->data,
				     .head_size = head->size,
				     .column = folder->column,
				     .bytes = &folder->text_bytes,
				     .weights = folder->options->base ? NULL : &folder->weights,
				     .reverse = folder->options->stacks.reverse,
				     .in_order = folder->options->in_order};
	const bool is_text = pk_folded_is_text(head->data, head->size);

	/* The base of --diff can be text even if the other inputs are recordings. */
	if (is_text && head->size && folder->options->sample_option &&
	    (!folder->options->base || folder->column)) {
		pk_usage_error("%s: folded text has no samples: --%s is for recordings",
			       run->input.name, folder->options->sample_option);
		pk_run_refuse(run);
		return true;
	}
	if (!is_text && folder->options->in_order) {
		pk_usage_error("%s: --flamechart is for folded text; pk-plot chart draws "
			       "recordings over time",
			       run->input.name);
		pk_run_refuse(run);
		return true;
	}
	if (!is_text) {
		folder->samples = true;
		*failed = finish_text(folder) != PK_OK;
		return *failed;
	}
	folder->tail.has_others = true;
	folder->thin.tree = folder->tree;
	folder->thin.share = folder->options->base ? 0 : folder->options->thin_share;
	*failed = pk_folded_read(&folder->thin, &input) != PK_EXIT_OK;
	*failed |= folder->samples && finish_text(folder) != PK_OK;
	return true;
}

/* Adds the base of --diff, which is folded text or a recording, to the first column. */
static int read_base(struct folder *folder)
{
	struct pk_run *run = folder->tail.run;
	int result;

	run->text = read_text;
	result = pk_tail_read_base(&folder->tail, folder->options->base);
	folder->column = 1;
	return result;
}

static int fold_all(struct folder *folder)
{
	struct pk_run *run = folder->tail.run;
	int result = folder->options->base ? read_base(folder) : PK_EXIT_OK;

	run->text = folder->options->text ? read_text : NULL;
	if (!run->refused)
		result = worse(result, pk_run(run));
	if (run->nothing)
		return result;
	result = worse(result, report(folder));
	if (pk_thin_tree_finish(&folder->thin, folder->thin.share) != PK_OK ||
	    put_out(folder) != PK_OK) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		result = PK_EXIT_FAILED;
	}
	return result;
}

static unsigned int needs(const struct pk_path_options *stacks)
{
	return PK_NEED_ANY_STACKS | (stacks->names.addresses ? PK_NEED_ADDRESSES : 0) |
	       (stacks->names.lines ? PK_NEED_LINES : 0);
}

int pk_fold(struct pk_run *run, struct pk_fold_options *options, pk_fold_print *print, void *arg)
{
	struct folder folder = {.options = options,
				.tree = pk_tree_new(),
				.live.step = options->live,
				.print = print,
				.arg = arg};
	int result = PK_EXIT_FAILED;

	folder.tail = (struct pk_tail){
		.options = &options->tail,
		.needs = needs(&options->stacks),
		.arg = &folder,
		.sample = count_sample,
		.record = options->live	  ? read_live
			  : options->note ? read_noted
					  : NULL,
		.forget = gather,
		.session_end = options->compare && options->base ? end_recording : NULL,
		.done = "folded",
		.checked = options->base};
	if (pk_tail_start(&folder.tail, run) == PK_OK && folder.tree)
		result = fold_all(&folder);
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	pk_tally_free(&folder.tally);
	pk_node_changes_free(&folder.changes);
	pk_thin_tree_free(&folder.thin);
	pk_tree_free(folder.tree);
	pk_counted_samples_free(&folder.folded);
	return pk_tail_free(&folder.tail, result);
}
