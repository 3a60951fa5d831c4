// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "fold.h"
#include "folded.h"
#include "groups.h"
#include "pkutil.h"
#include "weigh.h"

struct folder {
	struct pk_run *run;
	const struct fold_options *options;
	struct tree *tree;
	unsigned int column; /* of the tree that the input is added to */
	struct tally tally;
	struct groups *groups;
	struct weighing *weighing;
	struct pk_dictionary *dictionary; /* the session's */
	struct pk_session *session;
	struct pk_stacks *stacks_of; /* of a stream without stacks: what makes them */
	struct pk_periods *periods;
	bool symbolized;
	bool by_keys, by_time; /* of samples it matters by what, and when they come */
	uint64_t live;	       /* time of the session at which to print next; 0: no sample yet */
	bool printed;	       /* before, live */
	uint64_t lines_cut;    /* they were too long */
	struct pk_stacks_count told; /* of earlier sessions */
	/* For the summary: */
	struct unfolded unfolded;
	uint64_t skipped, lacking, raw, without_stack, undefined_stack;
	uint64_t bad; /* samples, as stacks_of counts them */
};

/* Puts what the session's stacks have gathered into the tree, before their ids are forgotten. */
static enum pk_status gather(struct folder *folder)
{
	size_t count;
	struct cell *cells = tally_take(&folder->tally, &count);
	struct unfold_options stacks = folder->options->stacks;
	bool done;

	stacks.names.addresses |= !folder->symbolized;
	done = cells && unfold(folder->tree, folder->column, folder->dictionary, folder->groups,
			       cells, count, &stacks, &folder->unfolded);
	free(cells);
	return done ? PK_OK : PK_NOMEM;
}

/* ---- Printing ---- */

/* False: out of memory. */
static bool print(struct folder *folder)
{
	uint64_t cut = 0;
	bool printed = tree_print(folder->tree, stdout, folder->options->by_weight, &cut);

	folder->lines_cut += cut;
	return printed;
}

/* Prints what there is since the last time, and begins anew. */
static enum pk_status print_live(struct folder *folder)
{
	struct tree *tree;
	enum pk_status status = gather(folder);

	if (status)
		return status;
	if (folder->printed)
		putchar('\n');
	folder->printed = true;
	tree = tree_new(1);
	if (!tree || !print(folder)) {
		tree_free(tree);
		return PK_NOMEM;
	}
	fflush(stdout);
	tree_free(folder->tree);
	folder->tree = tree;
	groups_forget(folder->groups);
	if (!folder->symbolized) { /* a stream's own stacks go when it says so */
		pk_dictionary_clear(folder->dictionary);
		pk_stacks_forget(folder->stacks_of);
	}
	return PK_OK;
}

/* By the time of the stream, which is that of the clock on the wall where it is live. */
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
	return status;
}

/* ---- Samples ---- */

/* A sample on its way into the weights, perhaps of several events. */
struct taking {
	struct folder *folder;
	const struct pk_record *record;
	bool found;	/* its stack has been looked for */
	uint32_t index; /* of the stack; UINT32_MAX: none that is defined */
};

/* Without a stack of its own: the sample was malformed, or memory is exhausted. */
static enum pk_status why_none(struct folder *folder)
{
	const uint64_t bad = folder->bad;
	struct pk_stacks_count count;

	pk_stacks_counted(folder->stacks_of, &count);
	folder->bad = count.samples_bad;
	return bad == count.samples_bad ? PK_NOMEM : PK_OK;
}

static enum pk_status find_stack(struct taking *taking)
{
	struct folder *folder = taking->folder;
	const struct pk_record *record = taking->record;
	struct pk_id_range known;
	uint32_t stack;

	taking->found = true;
	if (pk_likely(folder->symbolized)) {
		stack = pk_stack_trailer(record->data, record->size);
	} else {
		stack = pk_stacks_of(folder->stacks_of, folder->session, record->event, record);
		folder->raw++;
		if (!stack && why_none(folder))
			return PK_NOMEM;
	}
	known = pk_dictionary_stacks(folder->dictionary);
	taking->index = stack - known.base - 1;
	if (pk_likely(taking->index < known.count))
		return PK_OK;
	taking->index = UINT32_MAX;
	folder->without_stack += !stack && folder->symbolized;
	folder->undefined_stack += stack || !folder->symbolized;
	return PK_OK;
}

static enum pk_status take_period(void *arg, const struct pk_event *event, uint64_t period)
{
	struct taking *taking = arg;
	struct folder *folder = taking->folder;
	uint32_t group = 0;
	uint64_t weight;

	switch (weighing_weigh(folder->weighing, event, taking->record, period, &weight)) {
	case RULE_UNKNOWN: return PK_NOMEM;
	case RULE_SKIP: folder->skipped++; return PK_OK;
	case RULE_LACKING: folder->lacking++; return PK_OK;
	default: break;
	}
	if (!taking->found && find_stack(taking))
		return PK_NOMEM;
	if (taking->index == UINT32_MAX)
		return PK_OK;
	if (folder->by_keys) {
		group = groups_of(folder->groups, folder->tree, folder->session, event,
				  taking->record);
		if (group == UINT32_MAX)
			return PK_NOMEM;
	}
	return tally_add(&folder->tally, group, taking->index, weight) ? PK_OK : PK_NOMEM;
}

/* What depends on when samples come. */
static enum pk_status take_time(struct folder *folder, const struct pk_record *record)
{
	enum pk_status status = folder->options->live ? keep_time(folder, record) : PK_OK;

	if (!status && folder->options->weight == FOLD_LATENCY &&
	    !weighing_record(folder->weighing, record))
		return PK_NOMEM;
	return status;
}

static enum pk_status take_sample(struct folder *folder, const struct pk_record *record)
{
	struct taking taking = {.folder = folder, .record = record};
	enum pk_status status = folder->by_time ? take_time(folder, record) : PK_OK;

	if (pk_unlikely(status))
		return status;
	status = pk_periods_of(folder->periods, pk_reader_events(folder->run->reader),
			       record->event, record, take_period, &taking);
	if (pk_likely(status != PK_CORRUPT))
		return status;
	pk_run_complain(folder->run, record, "sample shorter than its fields; left out");
	return PK_OK;
}

/* ---- Records ---- */

static enum pk_status begin_session(struct folder *folder)
{
	pk_session_free(folder->session);
	folder->session = pk_session_new();
	pk_dictionary_clear(folder->dictionary);
	pk_stacks_forget(folder->stacks_of);
	pk_periods_forget(folder->periods);
	groups_forget(folder->groups);
	folder->symbolized = false;
	folder->live = 0;
	return weighing_forget(folder->weighing, pk_reader_events(folder->run->reader)) &&
			       folder->session
		       ? PK_OK
		       : PK_NOMEM;
}

static enum pk_status take_definition(struct folder *folder, const struct pk_record *record)
{
	struct pk_session_info info;
	enum pk_status status;

	if (pk_definition_of(record) == PK_SESSION && !pk_session_info_decode(record, &info))
		folder->symbolized = info.trailers & PK_TRAILER_STACK;
	if (!folder->symbolized) /* the dictionary is for the stacks that are made here */
		return PK_OK;
	switch (pk_definition_of(record)) {
	case PK_RESET:
		status = gather(folder);
		return status ? status : pk_dictionary_read(folder->dictionary, record);
	case PK_STRING:
	case PK_DSO:
	case PK_FRAME:
	case PK_STACK:
		status = pk_dictionary_read(folder->dictionary, record);
		if (status != PK_CORRUPT)
			return status;
		pk_run_lose(folder->run, PK_LOSS_DEFINITIONS_BAD, 1, 0);
		pk_run_complain(folder->run, record,
				"definition out of turn or of something undefined");
		return PK_OK;
	default: return PK_OK;
	}
}

/* Of a stream that has its stacks, tasks and maps are of no interest any more. */
static bool is_of_interest(const struct folder *folder, const struct pk_record *record)
{
	return !folder->symbolized || record->type == PERF_RECORD_HEADER_FEATURE ||
	       record->type == PERF_RECORD_CGROUP;
}

static enum pk_status take(struct pk_run *run, const struct pk_record *record)
{
	struct folder *folder = run->arg;
	enum pk_status status;

	if (pk_likely(record->type == PERF_RECORD_SAMPLE))
		return take_sample(folder, record);
	if (record->type == PK_RECORD_BEGIN)
		return begin_session(folder);
	if (record->type == PERF_RECORD_EVENT_UPDATE)
		return take_definition(folder, record);
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		return pk_run_load_tracepoints(run, weighing_tracepoints(folder->weighing), record);
	if (folder->options->weight == FOLD_LATENCY && !weighing_record(folder->weighing, record))
		return PK_NOMEM;
	if (!is_of_interest(folder, record))
		return PK_OK;
	status = pk_session_record(folder->session, record);
	if (status == PK_CORRUPT)
		pk_run_complain(run, record, "malformed; not used");
	return status == PK_NOMEM ? status : PK_OK;
}

static void end_session(struct pk_run *run)
{
	struct folder *folder = run->arg;
	struct pk_stacks_count count, *told = &folder->told;

	if (gather(folder))
		pk_run_complain(run, &(struct pk_record){0}, pk_status_text(PK_NOMEM));
	pk_stacks_counted(folder->stacks_of, &count);
	pk_run_lose(run, PK_LOSS_STACKS_TRUNCATED, count.stacks_truncated - told->stacks_truncated,
		    count.samples - told->samples);
	pk_run_lose(run, PK_LOSS_STACKS_UNMERGED, count.stacks_unmerged - told->stacks_unmerged,
		    count.samples - told->samples);
	folder->told = count;
}

/* ---- The summary ---- */

static void tell_events(const struct folder *folder)
{
	const struct fold_options *options = folder->options;
	char number[32];

	if (folder->skipped && !options->events_count)
		pk_warn("only samples of %s are folded; %s of other events left out (--event "
			"chooses)",
			weighing_default(folder->weighing), pk_number(number, folder->skipped));
	if (weighing_mixed(folder->weighing) && !fold_is_by(options, KEY_EVENT))
		pk_warn("weights of unlike events are added up (-v names them); --by event keeps "
			"them apart");
	if (folder->lacking && options->weight == FOLD_LATENCY)
		pk_warn("%s samples of tracepoints left out: they have no latency",
			pk_number(number, folder->lacking));
	else if (folder->lacking)
		pk_warn("%s samples of events without a number called %s left out",
			pk_number(number, folder->lacking), options->field);
}

static void tell_stacks(const struct folder *folder)
{
	const struct unfolded *unfolded = &folder->unfolded;
	double all = unfolded->all ? (double)unfolded->all / 100 : 1;
	char number[32];

	if (folder->raw)
		pk_warn("the input is not symbolized: objects and addresses are shown; "
			"put pk-symbolize before pk-fold");
	if (unfolded->outside && (folder->options->stacks.root || folder->options->stacks.leaf))
		pk_warn("%.1f%% of the weight is outside of --root and --leaf; left out",
			(double)unfolded->outside / all);
	if (unfolded->cut)
		pk_warn("%.1f%% of the weight is in stacks of over %d frames, which are cut there",
			(double)unfolded->cut / all, UNFOLD_DEPTH_MAX);
	if (folder->without_stack)
		pk_warn("%s samples have no stack; left out",
			pk_number(number, folder->without_stack));
}

/* What is left out, and what makes the exit status 1. */
static int tell(const struct folder *folder)
{
	const struct fold_options *options = folder->options;
	int result = PK_EXIT_OK;
	char number[32];

	tell_events(folder);
	tell_stacks(folder);
	if (folder->undefined_stack) {
		pk_error("%s samples have no stack that is defined; left out",
			 pk_number(number, folder->undefined_stack));
		result = PK_EXIT_FAILED;
	}
	if (options->events_count && !weighing_matched(folder->weighing)) {
		pk_error("no sample is of an event called %s", options->events[0]);
		result = PK_EXIT_FAILED;
	}
	if (options->weight == FOLD_FIELD && folder->lacking && !folder->unfolded.all) {
		pk_error("no sample has a number called %s", options->field);
		result = PK_EXIT_FAILED;
	}
	if (options->weight == FOLD_LATENCY && !weighing_switches(folder->weighing)) {
		pk_error("no context switches to tell latency by: record with --switch-events");
		result = PK_EXIT_FAILED;
	}
	return result;
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

/* What is to be compared with, folded or recorded, into the first column. */
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
	result = worse(result, tell(folder));
	if (folder->printed)
		putchar('\n');
	if (!print(folder)) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		result = PK_EXIT_FAILED;
	}
	if (folder->lines_cut)
		pk_warn("%s lines were too long; \"[...]\" is in place of frames in their middle",
			pk_number(number, folder->lines_cut));
	return result;
}

int fold(struct pk_run *run, const struct fold_options *options)
{
	struct folder folder = {.run = run, .options = options};
	int result = PK_EXIT_FAILED;

	run->ordered = true;
	run->record = take;
	run->session_end = end_session;
	run->arg = &folder;
	folder.tree = tree_new(options->base ? 2 : 1);
	folder.dictionary = pk_dictionary_new(NULL);
	folder.stacks_of = folder.dictionary ? pk_stacks_new(folder.dictionary, NULL, NULL) : NULL;
	folder.periods = pk_periods_new();
	folder.groups = groups_new(options);
	folder.weighing = weighing_new(options);
	folder.by_keys = options->by_count != fold_is_by(options, KEY_COMM);
	folder.by_time = options->live || options->weight == FOLD_LATENCY;
	if (folder.tree && folder.stacks_of && folder.periods && folder.groups && folder.weighing)
		result = fold_all(&folder);
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	weighing_free(folder.weighing);
	groups_free(folder.groups);
	tally_free(&folder.tally);
	tree_free(folder.tree);
	pk_stacks_free(folder.stacks_of);
	pk_periods_free(folder.periods);
	pk_dictionary_free(folder.dictionary);
	pk_session_free(folder.session);
	return result;
}
