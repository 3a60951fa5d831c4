// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "access_types.h"
#include "fold.h"
#include "folded.h"
#include "lookups.h"
#include "pkutil.h"
#include "profile.h"
#include "symbol_options.h"
#include "unknown_field.h"
#include "wall_clock.h"

#define NS_PER_S UINT64_C(1000000000)

struct folder {
	struct pk_run *run;
	const struct fold_options *options;
	struct pk_profile profile;
	struct pk_symbols *symbols; /* NULL: not needed */
	struct pk_groups groups;
	struct pk_tally tally;
	struct pk_tree *tree;
	unsigned int column; /* column of the tree for the input */
	uint64_t live;	     /* stream time of the next output; 0: no sample yet */
	struct pk_wall_clock wall;
	char heading[64];   /* of the next round, live */
	bool printed;	    /* a round was printed, live */
	bool checked;	    /* the names of fields were checked */
	uint64_t lines_cut; /* number of lines that were too long */
	struct pk_path_count paths;
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
	stacks.names.addresses |= !folder->profile.context.symbolized;
	done = cells && pk_paths_add(folder->tree, folder->column, &folder->groups, cells, count,
				     &stacks, &folder->paths);
	free(cells);
	pk_groups_forget(&folder->groups);
	return done ? PK_OK : PK_NOMEM;
}

/* ---- Printing ---- */

/* False: out of memory. */
static bool print(struct folder *folder)
{
	const struct folded_options options = {.columns = folder->options->base ? 2 : 1,
					       .by_weight = folder->options->by_weight};
	uint64_t cut = 0;
	bool printed = folded_print(folder->tree, stdout, &options, &cut);

	folder->lines_cut += cut;
	return printed;
}

/* Prints the tree. With --live, an empty line and a line with the time separate the outputs. False:
 * out of memory. */
static bool print_round(struct folder *folder)
{
	if (folder->printed)
		putchar('\n');
	if (folder->heading[0])
		puts(folder->heading);
	folder->printed = true;
	folder->heading[0] = '\0';
	return print(folder);
}

/* Prints the stacks since the last output, and clears them. */
static enum pk_status print_live(struct folder *folder)
{
	struct pk_tree *tree;
	enum pk_status status = gather(folder);

	if (status)
		return status;
	tree = pk_tree_new();
	if (!tree || !print_round(folder)) {
		pk_tree_free(tree);
		return PK_NOMEM;
	}
	fflush(stdout);
	pk_tree_free(folder->tree);
	folder->tree = tree;
	pk_context_forget_stacks(&folder->profile.context);
	return PK_OK;
}

/* "# 12:34:56", with enough decimals for the interval. flamegraph.pl reads a line that ends with a
 * blank and a number as a stack; the time contains colons, so it is not read so. */
static void set_heading(struct folder *folder, uint64_t time)
{
	const uint64_t step = folder->options->live;
	const int decimals = !(step % NS_PER_S)	 ? 0
			     : !(step % 1000000) ? 3
			     : !(step % 1000)	 ? 6
						 : 9;
	uint32_t ns = (uint32_t)(time % NS_PER_S);
	uint64_t seconds = time / NS_PER_S;
	struct tm tm;
	bool known = pk_wall_clock_at(&folder->wall, time, &tm, &ns);
	int size;

	if (known)
		seconds = (uint64_t)(tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec);
	size = snprintf(folder->heading, sizeof(folder->heading),
			"# %02" PRIu64 ":%02u:%02u.%09" PRIu32, seconds / 3600,
			(unsigned int)(seconds / 60 % 60), (unsigned int)(seconds % 60), ns);
	size -= decimals ? 9 - decimals : 10;
	snprintf(folder->heading + size, sizeof(folder->heading) - (size_t)size, "%s",
		 known ? "" : " of the stream's clock");
}

/* Prints if the time of the sample has reached the next output. In a live stream, the times of
 * samples advance like the wall clock. */
static enum pk_status keep_time(struct folder *folder, const struct pk_record *record)
{
	uint16_t at = record->event ? record->event->layout.time : 0;
	uint64_t time, step = folder->options->live;
	enum pk_status status;

	if (!at || at + 8u > record->size)
		return PK_OK;
	time = pk_load_u64(record->data + at);
	if (folder->live && time < folder->live)
		return PK_OK;
	status = folder->live ? print_live(folder) : PK_OK;
	folder->live = time > UINT64_MAX - step ? UINT64_MAX : time + step;
	if (!folder->heading[0])
		set_heading(folder, time);
	return status;
}

/* ---- Records ---- */

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

/* Checks the fields of --by and --weight. With --diff, the other recording can have them. False:
 * out of memory. */
static bool check_fields(struct folder *folder)
{
	const struct pk_weight_options *weigh = &folder->options->weigh;
	const struct pk_context *context = &folder->profile.context;
	struct pk_reference reference;

	folder->checked = true;
	if (folder->options->base)
		return true;
	for (unsigned int i = 0; i < folder->groups.columns_count; i++)
		pk_exit_if_unknown(context, &folder->groups.columns[i].reference, NULL, "--by");
	if (weigh->kind != PK_WEIGHT_FIELD)
		return true;
	if (!pk_reference_parse(&reference, weigh->field, strlen(weigh->field)))
		return false;
	pk_exit_if_unknown(context, &reference, NULL, "--weight");
	pk_reference_free(&reference);
	return true;
}

static enum pk_status read_record(struct pk_run *run, const struct pk_record *record)
{
	struct folder *folder = run->arg;
	enum pk_status status = PK_OK;

	if (pk_unlikely(!folder->checked) && pk_fields_are_due(run, record) &&
	    !check_fields(folder))
		return PK_NOMEM;
	if (record->type == PK_RECORD_BEGIN) {
		folder->live = 0;
		folder->wall = (struct pk_wall_clock){0};
	} else if (folder->options->live && record->type == PERF_RECORD_SAMPLE) {
		status = keep_time(folder, record);
	} else {
		pk_wall_clock_record(&folder->wall, run->reader, record);
	}
	return status ? status : pk_profile_record(&folder->profile, run->reader, record);
}

static void end_session(struct pk_run *run)
{
	struct folder *folder = run->arg;

	if (pk_profile_end(&folder->profile))
		pk_run_complain(run, &(struct pk_record){0}, pk_status_text(PK_NOMEM));
	pk_print_messages(&folder->profile.messages);
}

static void complain(void *arg, const struct pk_record *record, const char *text)
{
	pk_run_complain(((struct folder *)arg)->run, record, text);
}

static void lose(void *arg, enum pk_loss_cause cause, uint64_t count, uint64_t total)
{
	pk_run_lose(((struct folder *)arg)->run, cause, count, total);
}

/* ---- The summary ---- */

static void report_events(const struct folder *folder)
{
	const struct pk_weight_options *weigh = &folder->options->weigh;
	const struct pk_profile *profile = &folder->profile;
	char number[32];

	pk_report_no_samples(folder->run);

	if (profile->skipped && !weigh->events_count)
		pk_warn("only samples of %s are folded; %s samples of other events skipped "
			"(--event selects events)",
			pk_weights_default(profile->weights), pk_number(number, profile->skipped));
	if (pk_weights_mixed(profile->weights) && !weigh->each_event)
		pk_warn("weights of different units are summed up (-v prints them); --by event "
			"separates them");
	if (profile->lacking && weigh->kind == PK_WEIGHT_LATENCY)
		pk_warn("%s samples of tracepoints have no latency, skipped",
			pk_number(number, profile->lacking));
	else if (profile->lacking)
		pk_warn("%s samples have no number called %s, skipped",
			pk_number(number, profile->lacking), weigh->field);
}

static void report_stacks(const struct folder *folder)
{
	const struct pk_context *context = &folder->profile.context;
	const struct pk_path_count *paths = &folder->paths;
	double all = paths->all ? (double)paths->all / 100 : 1;
	char number[32];

	if (context->stacks_made && folder->options->stacks.max_depth)
		pk_warn("the input is not symbolized: objects and addresses are shown; run "
			"pk-symbolize before pk-fold");
	if (folder->options->stacks.max_depth)
		pk_report_missing_stages(&context->counted.partial,
					 context->counted.stacks_unmerged);
	if (paths->outside && (folder->options->stacks.root || folder->options->stacks.leaf))
		pk_warn("%.1f%% of the weight is outside of --root and --leaf, skipped",
			(double)paths->outside / all);
	if (paths->cut)
		pk_warn("%.1f%% of the weight is in stacks of over %d frames, which are cut",
			(double)paths->cut / all, PK_PATH_DEPTH_MAX);
	if (paths->without_address)
		pk_warn("--addresses: the input has frames of functions, without addresses; run "
			"pk-symbolize --addresses before pk-fold");
	if (context->without_stack)
		pk_warn("%s samples have no stack, skipped",
			pk_number(number, context->without_stack));
}

/* Reports what was skipped. Returns the exit status. */
static int report(const struct folder *folder)
{
	const struct pk_weight_options *weigh = &folder->options->weigh;
	const struct pk_profile *profile = &folder->profile;
	int result = PK_EXIT_OK;
	char number[32];

	report_events(folder);
	report_stacks(folder);
	if (profile->context.undefined_stack) {
		pk_error("%s samples have an undefined stack, skipped",
			 pk_number(number, profile->context.undefined_stack));
		result = PK_EXIT_FAILED;
	}
	if (weigh->events_count && !pk_weights_matched(profile->weights)) {
		pk_error("no sample is of event %s", weigh->events[0]);
		result = PK_EXIT_FAILED;
	}
	for (unsigned int i = 0; i < folder->groups.columns_count; i++) {
		const struct pk_column *column = &folder->groups.columns[i];

		if (column->found || !column->reference.name || !profile->counted)
			continue;
		pk_error("--by: no event has a field called %s", column->reference.name);
		result = PK_EXIT_FAILED;
	}
	if (weigh->kind == PK_WEIGHT_FIELD && profile->lacking && !folder->paths.all) {
		pk_error("no sample has a number called %s", weigh->field);
		result = PK_EXIT_FAILED;
	}
	if (weigh->kind == PK_WEIGHT_LATENCY && !profile->context.parallelism.seen) {
		pk_error("latency needs context switches: record with --switch-events");
		result = PK_EXIT_FAILED;
	}
	return result;
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

/* Adds the base of --diff, folded or recorded, to the first column. */
static int read_base(struct folder *folder)
{
	char *files[] = {(char *)folder->options->base};
	struct pk_run *run = folder->run, base = *run;
	int result;

	if (folded_is(files[0]))
		return folded_read(folder->tree, 0, files[0]);
	base.files = files;
	base.files_count = 1;
	folder->run = &base;
	result = pk_run(&base);
	folder->run = run;
	return result;
}

static int fold_all(struct folder *folder)
{
	int result = folder->options->base ? read_base(folder) : PK_EXIT_OK;
	char number[32];

	folder->column = folder->options->base ? 1 : 0;
	result = worse(result, pk_run(folder->run));
	result = worse(result, report(folder));
	if (!print_round(folder)) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		result = PK_EXIT_FAILED;
	}
	if (folder->lines_cut)
		pk_warn("%s lines were too long; \"[...]\" replaces frames in their middle",
			pk_number(number, folder->lines_cut));
	return result;
}

/* False: out of memory. */
static bool set_up(struct folder *folder)
{
	const struct fold_options *options = folder->options;
	struct pk_run *run = folder->run;
	struct pk_profile *profile = &folder->profile;

	run->ordered = true;
	run->record = read_record;
	run->session_end = end_session;
	run->arg = folder;
	profile->weigh = options->weigh;
	profile->sample = count_sample;
	profile->arg = folder;
	profile->context.needs =
		options->stacks.names.addresses ? PK_NEED_ADDRESSES : PK_NEED_ANY_STACKS;
	profile->context.forget = gather;
	profile->context.complain = complain;
	profile->context.lose = lose;
	profile->context.arg = folder;
	folder->groups.context = &profile->context;
	folder->groups.columns_count = options->by_count;
	for (unsigned int i = 0; i < options->by_count; i++) {
		folder->groups.columns[i].reference = options->by[i];
		profile->context.needs |= pk_reference_needs(&options->by[i]);
	}
	if (!pk_profile_add_needs(profile) ||
	    !pk_symbols_for_code(&profile->context, options->symbols, &profile->messages,
				 &folder->symbols))
		return false;
	folder->tree = pk_tree_new();
	return folder->tree && pk_profile_init(profile);
}

int fold(struct pk_run *run, const struct fold_options *options)
{
	struct folder folder = {.run = run, .options = options};
	int result = PK_EXIT_FAILED;

	if (set_up(&folder))
		result = fold_all(&folder);
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	pk_groups_free(&folder.groups);
	pk_tally_free(&folder.tally);
	pk_tree_free(folder.tree);
	pk_profile_free(&folder.profile);
	return pk_symbols_finish(folder.symbols, result);
}
