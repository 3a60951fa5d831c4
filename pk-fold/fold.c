// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "fold.h"
#include "pkutil.h"
#include "tree.h"
#include "unfold.h"

/* What is added for a sample of an event. */
enum rule { RULE_UNKNOWN, RULE_PERIOD, RULE_ONE, RULE_SKIP };

struct folder {
	struct pk_run *run;
	struct fold_options options;
	struct tree *tree;
	char *filter; /* name of the event that is folded; NULL: none seen yet */
	/* The session's: */
	struct pk_dictionary *dictionary;
	uint64_t *weights; /* by stack, from the dictionary's base on */
	uint32_t weights_capacity;
	uint8_t *rules; /* enum rule, by event */
	size_t rules_count;
	bool symbolized;
	bool began;
	struct pk_session *session; /* of a stream without stacks, and what makes them */
	struct pk_stacks *stacks;
	struct pk_periods *periods;
	bool matched;		     /* a sample is of the event that was asked for */
	struct pk_stacks_count told; /* of earlier sessions */
	/* For the summary: */
	uint64_t skipped, raw, without_stack;
};

/* Puts what the session's stacks have gathered into the tree, before their ids are forgotten. */
static enum pk_status gather(struct folder *folder)
{
	bool done = unfold(folder->tree, folder->dictionary, folder->weights,
			   folder->weights_capacity, !folder->symbolized);

	if (folder->weights)
		memset(folder->weights, 0, folder->weights_capacity * sizeof(*folder->weights));
	return done ? PK_OK : PK_NOMEM;
}

/* ---- Samples ---- */

static bool add_weight(struct folder *folder, uint32_t index, uint64_t weight)
{
	if (pk_unlikely(index >= folder->weights_capacity)) {
		uint32_t capacity = 2 * pk_dictionary_stacks(folder->dictionary).count + 1024;
		uint64_t *weights = realloc(folder->weights, capacity * sizeof(*weights));

		if (!weights)
			return false;
		memset(weights + folder->weights_capacity, 0,
		       (capacity - folder->weights_capacity) * sizeof(*weights));
		folder->weights = weights;
		folder->weights_capacity = capacity;
	}
	folder->weights[index] += weight;
	return true;
}

/* Periods of unlike events do not add up: the first one that is met is folded, and tracepoints
 * count one each. RULE_UNKNOWN: out of memory. */
static enum rule choose_rule(struct folder *folder, const struct pk_event *event)
{
	bool tracepoint = event->attr.type == PERF_TYPE_TRACEPOINT;

	if (folder->options.event) {
		if (strcmp(event->name, folder->options.event))
			return RULE_SKIP;
		folder->matched = true;
	} else if (!tracepoint) {
		if (!folder->filter)
			folder->filter = strdup(event->name);
		if (!folder->filter)
			return RULE_UNKNOWN;
		if (strcmp(event->name, folder->filter))
			return RULE_SKIP;
	}
	return tracepoint || folder->options.weight == FOLD_SAMPLES ? RULE_ONE : RULE_PERIOD;
}

static enum rule rule_of(struct folder *folder, const struct pk_event *event)
{
	if (pk_unlikely(event->index >= folder->rules_count)) {
		size_t count = 2 * ((size_t)event->index + 1);
		uint8_t *rules = realloc(folder->rules, count);

		if (!rules)
			return RULE_UNKNOWN;
		memset(rules + folder->rules_count, RULE_UNKNOWN, count - folder->rules_count);
		folder->rules = rules;
		folder->rules_count = count;
	}
	if (pk_unlikely(folder->rules[event->index] == RULE_UNKNOWN))
		folder->rules[event->index] = (uint8_t)choose_rule(folder, event);
	return folder->rules[event->index];
}

/* A sample on its way into the weights, perhaps of several events. */
struct taking {
	struct folder *folder;
	const struct pk_record *record;
	bool found;	/* its stack has been looked for */
	uint32_t index; /* of the stack; UINT32_MAX: none that is defined */
};

static void find_stack(struct taking *taking)
{
	struct folder *folder = taking->folder;
	const struct pk_record *record = taking->record;
	struct pk_id_range known;
	uint32_t stack;

	taking->found = true;
	if (pk_likely(folder->symbolized)) {
		stack = pk_stack_trailer(record->data, record->size);
	} else {
		stack = pk_stacks_of(folder->stacks, folder->session, record->event, record);
		folder->raw++;
	}
	known = pk_dictionary_stacks(folder->dictionary);
	taking->index = stack - known.base - 1;
	if (pk_likely(taking->index < known.count))
		return;
	taking->index = UINT32_MAX;
	folder->without_stack++;
}

static enum pk_status take_period(void *arg, const struct pk_event *event, uint64_t period)
{
	struct taking *taking = arg;
	enum rule rule = rule_of(taking->folder, event);

	if (pk_unlikely(rule == RULE_UNKNOWN))
		return PK_NOMEM;
	if (rule == RULE_SKIP) {
		taking->folder->skipped++;
		return PK_OK;
	}
	if (!taking->found)
		find_stack(taking);
	if (taking->index == UINT32_MAX)
		return PK_OK;
	if (rule == RULE_ONE || !period)
		period = 1;
	return add_weight(taking->folder, taking->index, period) ? PK_OK : PK_NOMEM;
}

static enum pk_status take_sample(struct folder *folder, const struct pk_record *record)
{
	struct taking taking = {.folder = folder, .record = record};
	enum pk_status status =
		pk_periods_of(folder->periods, pk_reader_events(folder->run->reader), record->event,
			      record, take_period, &taking);

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
	pk_stacks_forget(folder->stacks);
	pk_periods_forget(folder->periods);
	free(folder->rules);
	folder->rules = NULL;
	folder->rules_count = 0;
	folder->symbolized = false;
	return folder->session ? PK_OK : PK_NOMEM;
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
	if (folder->symbolized)
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
	pk_stacks_counted(folder->stacks, &count);
	pk_run_lose(run, PK_LOSS_STACKS_TRUNCATED, count.stacks_truncated - told->stacks_truncated,
		    count.samples - told->samples);
	pk_run_lose(run, PK_LOSS_STACKS_UNMERGED, count.stacks_unmerged - told->stacks_unmerged,
		    count.samples - told->samples);
	folder->told = count;
}

static void tell(const struct folder *folder)
{
	char number[32];

	if (folder->options.event && !folder->matched)
		pk_error("no sample is of an event called %s", folder->options.event);
	if (folder->skipped && !folder->options.event)
		pk_warn("only samples of %s are folded; %s of other events left out (--event "
			"chooses)",
			folder->filter, pk_number(number, folder->skipped));
	if (folder->raw)
		pk_warn("the input is not symbolized: objects and addresses are shown; "
			"put pk-symbolize before pk-fold");
	if (folder->without_stack)
		pk_error("%s samples have no stack that is defined; left out",
			 pk_number(number, folder->without_stack));
}

static int fold_all(struct folder *folder)
{
	int result = pk_run(folder->run);

	tell(folder);
	if (!tree_print(folder->tree, stdout)) {
		pk_error("%s", pk_status_text(PK_NOMEM));
		result = PK_EXIT_FAILED;
	}
	if (folder->without_stack || (folder->options.event && !folder->matched))
		return PK_EXIT_FAILED;
	return result;
}

int fold(struct pk_run *run, const struct fold_options *options)
{
	struct folder folder = {.run = run, .options = *options};
	int result = PK_EXIT_FAILED;

	run->ordered = true;
	run->record = take;
	run->session_end = end_session;
	run->arg = &folder;
	folder.tree = tree_new();
	folder.dictionary = pk_dictionary_new(NULL);
	folder.stacks = folder.dictionary ? pk_stacks_new(folder.dictionary, NULL, NULL) : NULL;
	folder.periods = pk_periods_new();
	if (folder.tree && folder.stacks && folder.periods)
		result = fold_all(&folder);
	else
		pk_error("%s", pk_status_text(PK_NOMEM));
	tree_free(folder.tree);
	pk_stacks_free(folder.stacks);
	pk_periods_free(folder.periods);
	pk_dictionary_free(folder.dictionary);
	pk_session_free(folder.session);
	free(folder.weights);
	free(folder.rules);
	free(folder.filter);
	return result;
}
