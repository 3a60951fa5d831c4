// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pairing.h"
#include "user_half.h"
#include "vector.h"

/* ---- Losses ---- */

static void loss_marks_clear(struct pk_loss_marks *marks)
{
	pk_table_free(&marks->on_cpu);
	pk_table_free(&marks->of_task);
	marks->last = marks->anywhere = 0;
}

/* Notes the loss that a record reports. The record has the trailer of `event`, which is NULL if the
 * event is unknown. The kernel has one buffer for each cpu, or one for each task. The trailer
 * contains the cpu or the task of the buffer. If the buffer belongs to a cpu, the trailer can also
 * contain the task that ran when the buffer was full. */
static enum pk_status loss_marks_add(struct pk_loss_marks *marks, const struct pk_event *event,
				     const struct pk_record *record)
{
	struct pk_sample_id id = {0};
	bool has_cpu, has_task;

	if (event)
		pk_sample_id_decode(event, record, &id);
	has_cpu = event && event->layout.trailer.cpu;
	has_task = event && event->layout.trailer.tid;
	marks->last++;
	if (!has_cpu && !has_task)
		marks->anywhere = marks->last;
	if (has_cpu)
		PK_TRY(pk_table_set_u64(&marks->on_cpu, id.cpu, marks->last));
	return has_task ? pk_table_set_u64(&marks->of_task, id.tid, marks->last) : PK_OK;
}

/* ---- Pairs ---- */

/* The data that is stored for a start. In memory, the carried values follow this struct, and the
 * callchain follows the carried values. */
struct start {
	struct pk_span_place place; /* the pointers of this struct are not valid, because they
				     * pointed into the record of the start */
	uint64_t loss;		    /* number of the last loss before the start */
	uint64_t resets;
	uint64_t names;		/* the number of COMM records before the start */
	uint64_t level, number; /* `number` is the number of starts so far, including this start */
	uint64_t cookie; /* cookie of the callchain, or 0 if the chain has none or is not kept */
	uint32_t carried_size;
	uint32_t on_cpu;	 /* the key contains the cpu, so start and end are on one cpu */
	uint32_t task, reserved; /* `task` is the value of pk_pairing_set_task(), or 0 */
};

/* ---- Options ---- */

enum pk_status pk_pairing_add_rule(struct pk_pairing *pairing, enum pk_span_role role,
				   const char *event)
{
	return pk_span_rules_add(&pairing->plans.rules[role], event);
}

/* Adds a column. It is freed with the pairing, even if parsing its text fails later. */
static struct pk_span_column *add_column(struct pk_pairing *pairing)
{
	struct pk_span_columns *columns = &pairing->plans.columns;

	return pk_vector_reserve(columns, 1) == PK_OK ? &columns->items[columns->count++] : NULL;
}

enum pk_status pk_pairing_add_key(struct pk_pairing *pairing, const char *text, size_t size)
{
	struct pk_span_column *column = add_column(pairing);

	if (!column)
		return PK_NOMEM;
	return pk_span_column_key(column, text, size);
}

enum pk_status pk_pairing_add_carried(struct pk_pairing *pairing, const char *text, size_t size)
{
	struct pk_span_column *column = add_column(pairing);

	if (!column)
		return PK_NOMEM;
	return pk_span_column_carried(column, text, size);
}

enum pk_status pk_pairing_set_task(struct pk_pairing *pairing, const char *text, size_t size)
{
	struct pk_span_column *column = add_column(pairing);

	if (!column)
		return PK_NOMEM;
	PK_TRY(pk_span_column_carried(column, text, size));
	column->hidden = true;
	return PK_OK;
}

enum pk_status pk_pairing_set_level(struct pk_pairing *pairing, const char *text, size_t size)
{
	struct pk_span_column *column;

	pairing->fields.has_level = true;
	if (size == 1 && *text == '1')
		return PK_OK;
	column = add_column(pairing);
	if (!column)
		return PK_NOMEM;
	PK_TRY(pk_span_column_carried(column, text, size));
	column->on[PK_SPAN_END] = false;
	column->hidden = column->is_level = true;
	return PK_OK;
}

unsigned int pk_pairing_needs(const struct pk_pairing *pairing)
{
	const struct pk_span_columns *columns = &pairing->plans.columns;
	unsigned int needs = PK_NEED_FORMATS | (pairing->both ? PK_NEED_STACKS : 0);

	for (size_t i = 0; i < columns->count; i++)
		needs |= pk_span_column_needs(&columns->items[i]) |
			 (columns->items[i].hidden && !columns->items[i].is_level ? PK_NEED_TASKS
										  : 0);
	for (int role = 0; role < PK_SPAN_RULES; role++)
		needs |= pk_span_rules_needs(&pairing->plans.rules[role]);
	return needs;
}

static bool has_column(const struct pk_pairing *pairing, const char *name)
{
	const struct pk_span_columns *columns = &pairing->plans.columns;

	for (size_t i = 0; i < columns->count; i++)
		if (!columns->items[i].hidden && !strcmp(columns->items[i].name, name))
			return true;
	return false;
}

/* Carries a field of the end event if an end event has it. Does nothing if the user has named this
 * field. */
static enum pk_status add_result(struct pk_pairing *pairing, const char *name, const char *text)
{
	if (has_column(pairing, name))
		return PK_OK;
	PK_TRY(pk_pairing_add_carried(pairing, text, strlen(text)));
	pairing->plans.columns.items[pairing->plans.columns.count - 1].optional = true;
	return PK_OK;
}

static void close_start(void *arg, const struct pk_open_span *open)
{
	const struct start *start = (const struct start *)(const void *)pk_open_span_data(open);

	if (start->cookie)
		pk_user_halves_close(arg, start->cookie);
}

enum pk_status pk_pairing_init(struct pk_pairing *pairing, struct pk_context *context)
{
	if (pairing->halves) {
		pairing->open.pool->closed = close_start;
		pairing->open.pool->closed_arg = pairing->halves;
	}
	pairing->plans.context = context;
	pairing->fields.plans = &pairing->plans;
	pairing->values.fields = &pairing->fields;
	PK_TRY(add_result(pairing, "ret", "end.ret"));
	PK_TRY(add_result(pairing, "error", "end.error"));
	for (int role = 0; role < PK_SPAN_RULES; role++)
		PK_TRY(pk_span_rules_init(&pairing->plans.rules[role], context));
	return PK_OK;
}

void pk_pairing_prepare(struct pk_pairing *pairing, struct pk_span_format *format,
			void (*complain)(void *arg, const char *text), void *arg)
{
	pairing->fields.has_age = pairing->every;
	pk_span_fields_prepare(&pairing->fields, format, complain, arg);
	pairing->prepared = true;
}

/* ---- Starts and ends ---- */

/* Returns whether records can be missing between start and end. If the cpu is not part of the key,
 * the task can have run on any cpu, so a loss on any cpu is a gap. */
static bool has_gap(const struct pk_pairing *pairing, const struct start *start,
		    const struct pk_span_place *end)
{
	const struct pk_span_place *place = &start->place;

	if (!start->on_cpu)
		return pairing->losses.last > start->loss;
	return pk_loss_marks_after(&pairing->losses, start->loss, place->cpu, place->tid) ||
	       (end && pk_loss_marks_after(&pairing->losses, start->loss, end->cpu, end->tid));
}

/* Sets the pid and the tid of the span. */
static void set_task(const struct pk_pairing *pairing, struct pk_span *span, uint32_t tid)
{
	const struct pk_thread *thread;

	span->pid = span->place->pid;
	span->tid = span->place->tid;
	if (pk_likely(!tid || tid == span->tid))
		return;
	thread = pk_session_known_thread(pk_context_session(pairing->plans.context), tid);
	span->pid = thread ? thread->process->pid : tid;
	span->tid = tid;
}

/* Adds the user stack to the callchain in *place if it was deferred. The caller passes a copy of
 * the place. */
static enum pk_status complete_chain(struct pk_pairing *pairing, struct pk_span_place *place)
{
	if (pk_likely(!pairing->halves || !pk_chain_cookie(&place->callchain)))
		return PK_OK;
	if (pk_user_halves_join(pairing->halves, place->pid, place->time, &place->callchain,
				&pairing->chain) == PK_HALF_GONE)
		place->chain_flags |= PK_CHAIN_USER_MISSING;
	return pairing->chain.failed ? PK_NOMEM : PK_OK;
}

/* Returns true if the task of the start has a new name at the end, because it has executed another
 * program or has renamed itself. */
static bool is_renamed(const struct pk_pairing *pairing, const struct start *start,
		       const struct pk_span_place *end)
{
	const uint32_t tid = start->place.tid;

	return pairing->names > start->names && end->tid == tid &&
	       pk_table_get_u64(&pairing->named, tid) > start->names;
}

/* Returns the place of a span. If `end` is NULL, the span has no end. A later program looks up the
 * name and the addresses of the span at the time of its end. If the task has executed another
 * program, the stack of the start is not a stack of this program. So the span has the stack of the
 * end, and the cpu of the start. */
static struct pk_span_place place_of(const struct pk_pairing *pairing, const struct start *start,
				     const struct pk_span_place *end)
{
	struct pk_span_place place;

	if (!end || (pairing->place_of != PK_SPAN_END && !is_renamed(pairing, start, end)))
		return start->place;
	place = *end;
	if (pairing->place_of != PK_SPAN_END)
		place.cpu = start->place.cpu;
	return place;
}

/* Emits a span. If `end` is NULL, the span has not ended, but it lasted until the time `until`. */
static enum pk_status emit(struct pk_pairing *pairing, struct pk_open_span *open,
			   const struct pk_span_place *end, uint64_t until, enum pk_span_end how)
{
	struct pk_span span = {.end = end		      ? end->time
				      : until > pairing->last ? until
							      : pairing->last};
	struct start *start = (struct start *)pk_open_span_data(open);
	const uint8_t *carried = (const uint8_t *)(start + 1);
	struct pk_span_place place;

	if (pairing->every && how != PK_SPAN_OPEN)
		return PK_OK;
	start->place.callchain.data = carried + start->carried_size;
	if (start->resets != pairing->resets)
		start->place.stack = 0;
	if (until > start->place.time)
		span.duration = until - start->place.time;
	if (span.duration < pairing->shortest) {
		pairing->counts.shorter++;
		return PK_OK;
	}
	span.period = !pairing->every		  ? span.duration
		      : pairing->fields.has_level ? open->amount
						  : 1;
	place = place_of(pairing, start, end);
	if (pairing->chainless)
		place.callchain.count = 0;
	PK_TRY(complete_chain(pairing, &place));
	span.place = &place;
	span.inner = pairing->both && !(end && is_renamed(pairing, start, end)) ? end : NULL;
	set_task(pairing, &span, start->task ? start->task : end ? pairing->end_task : 0);
	span.gap = has_gap(pairing, start, end);
	pairing->counts.gaps += span.gap;
	span.values = pk_span_values_join(
		&pairing->values,
		&(struct pk_span_parts){.start = start->place.time,
					.duration = span.duration,
					.key = open->bytes,
					.carried = carried,
					.moved = end && end->cpu != start->place.cpu,
					.gap = span.gap,
					.level = start->level,
					.others = pairing->open.starts - start->number,
					.end = how});
	return pairing->emit(pairing->arg, &span);
}

/* Reads the key of the sample. Returns false if the sample lacks a field of the key. */
static bool read_key(struct pk_pairing *pairing, const struct pk_span_sample *sample)
{
	const bool has = pk_span_values_key(&pairing->values, sample);

	pairing->counts.keyless += !has;
	return has;
}

static enum pk_status end_span(struct pk_pairing *pairing, const struct pk_span_sample *sample,
			       bool *paired)
{
	struct pk_open_span *open;
	enum pk_status status;

	if (!read_key(pairing, sample))
		return PK_OK;
	open = pk_open_spans_end(&pairing->open, pairing->values.key.data,
				 (uint32_t)pairing->values.key.size);
	if (!open)
		return PK_OK;
	*paired = true;
	pk_span_values_carried(&pairing->values, sample, PK_SPAN_END);
	pairing->end_task = pk_span_values_task(&pairing->values, sample, PK_SPAN_END);
	status = emit(pairing, open, &pairing->place, pairing->place.time, PK_SPAN_ENDED);
	pk_open_spans_release(&pairing->open, open);
	return status;
}

static void cancel_span(struct pk_pairing *pairing, const struct pk_span_sample *sample,
			bool *paired)
{
	struct pk_open_span *open = NULL;

	if (read_key(pairing, sample))
		open = pk_open_spans_cancel(&pairing->open, pairing->values.key.data,
					    (uint32_t)pairing->values.key.size);
	if (!open)
		return;
	*paired = true;
	pk_open_spans_release(&pairing->open, open);
}

/* Emits the open span that has the current key, because a start replaces it. */
static enum pk_status emit_replaced(struct pk_pairing *pairing)
{
	const struct buffer *key = &pairing->values.key;
	struct pk_open_span *open =
		pk_open_spans_replace(&pairing->open, key->data, (uint32_t)key->size);
	enum pk_status status;

	if (!open)
		return PK_OK;
	status = emit(pairing, open, NULL, pairing->place.time, PK_SPAN_REPLACED);
	pk_open_spans_release(&pairing->open, open);
	return status;
}

static enum pk_status start_span(struct pk_pairing *pairing, const struct pk_span_sample *sample,
				 bool *paired)
{
	const struct buffer *carried = &pairing->values.carried[PK_SPAN_START];
	const struct pk_u64s *callchain = &pairing->place.callchain;
	const size_t chain = pairing->place_of == PK_SPAN_END || pairing->chainless
				     ? 0
				     : 8 * (size_t)callchain->count;
	struct pk_open_span *open;
	enum pk_status status = PK_OK;
	struct start *start;
	uint8_t *at;

	if (!read_key(pairing, sample))
		return PK_OK;
	if (pk_unlikely(pairing->unfinished))
		status = emit_replaced(pairing);
	if (status)
		return status;
	pk_span_values_carried(&pairing->values, sample, PK_SPAN_START);
	PK_TRY(pk_open_spans_start(&pairing->open, pairing->values.key.data,
				   (uint32_t)pairing->values.key.size,
				   pk_span_values_task_of_key(&pairing->values),
				   (uint32_t)(sizeof(*start) + carried->size + chain), &open));
	*paired = true;
	if (!open)
		return PK_OK;
	start = (struct start *)pk_open_span_data(open);
	start->place = pairing->place;
	start->place.callchain.count = chain / 8;
	start->loss = pairing->losses.last;
	start->resets = pairing->resets;
	start->names = pairing->names;
	start->carried_size = (uint32_t)carried->size;
	start->on_cpu = sample->plan->on_cpu;
	if (pairing->fields.has_level)
		pk_open_spans_weigh(&pairing->open, open,
				    pk_span_values_amount(&pairing->values, sample));
	start->level = pairing->open.amount;
	start->number = pairing->open.starts;
	start->task = pk_span_values_task(&pairing->values, sample, PK_SPAN_START);
	start->cookie = chain && pairing->halves ? pk_chain_cookie(callchain) : 0;
	at = (uint8_t *)(start + 1);
	if (carried->size)
		memcpy(at, carried->data, carried->size);
	if (chain)
		memcpy(at + carried->size, callchain->data, chain);
	if (pk_likely(!start->cookie) ||
	    pk_user_halves_open(pairing->halves, start->cookie) == PK_OK)
		return PK_OK;
	start->cookie = 0;
	return PK_NOMEM;
}

/* Emits all spans that are open, as spans that last until this time. */
static enum pk_status emit_open(struct pk_pairing *pairing, uint64_t time)
{
	enum pk_status status = PK_OK;
	struct pk_open_span *open = pairing->open.pool->oldest;

	for (; open && !status; open = open->newer)
		if (open->set == &pairing->open)
			status = emit(pairing, open, NULL, time, PK_SPAN_OPEN);
	return status;
}

/* Emits the open spans at each multiple of `every` after the last record, up to this time. In a
 * long time without records, only the last multiples are used. */
static enum pk_status emit_often(struct pk_pairing *pairing, uint64_t time)
{
	enum { MOST = 1000 };
	const uint64_t now = time / pairing->every;
	uint64_t i = pairing->last / pairing->every;
	enum pk_status status = PK_OK;

	if (now - i > MOST)
		i = now - MOST;
	while (i < now && !status)
		status = emit_open(pairing, ++i * pairing->every);
	return status;
}

static enum pk_status note_time(struct pk_pairing *pairing, const struct pk_record *record)
{
	enum pk_status status = PK_OK;

	if (record->time == PK_NO_TIME || record->time <= pairing->last)
		return PK_OK;
	if (pk_unlikely(pairing->every) && pairing->prepared)
		status = emit_often(pairing, record->time);
	pairing->last = record->time;
	return status;
}

/* Handles a sample according to the plan of its event. */
static enum pk_status use_sample(struct pk_pairing *pairing, const struct pk_span_plan *plan,
				 const bool has_role[PK_SPAN_RULES], bool *paired)
{
	struct pk_span_sample sample = {.view = &pairing->view, .raw = &pairing->place.raw};
	enum pk_status status = PK_OK;

	if (has_role[PK_SPAN_ENDS]) {
		sample.plan = &plan->roles[PK_SPAN_ENDS];
		status = end_span(pairing, &sample, paired);
	}
	if (has_role[PK_SPAN_CANCELS]) {
		sample.plan = &plan->roles[PK_SPAN_CANCELS];
		cancel_span(pairing, &sample, paired);
	}
	if (has_role[PK_SPAN_STARTS] && !status) {
		sample.plan = &plan->roles[PK_SPAN_STARTS];
		status = start_span(pairing, &sample, paired);
	}
	if (pk_span_values_failed(&pairing->values) || pairing->plans.context->failed)
		return PK_NOMEM;
	return status;
}

enum pk_status pk_pairing_sample(struct pk_pairing *pairing, const struct pk_record *record,
				 bool *paired)
{
	const struct pk_context *context = pairing->plans.context;
	const struct pk_span_plan *plan = pk_span_plans_of(&pairing->plans, record->event);
	bool has_role[PK_SPAN_RULES], any = false;

	*paired = false;
	if (!plan)
		return PK_NOMEM;
	PK_TRY(note_time(pairing, record));
	if (pk_unlikely(record->size < record->event->layout.fixed_size) || !plan->is_used)
		return PK_OK;
	for (int role = 0; role < PK_SPAN_RULES; role++) {
		has_role[role] = pk_span_selects(&plan->roles[role].selector, record);
		any |= has_role[role];
	}
	if (!any)
		return PK_OK;
	pk_view_begin(&pairing->view, pairing->plans.context, record);
	if (pk_unlikely(!pk_span_place_read(&pairing->place, record,
					    pk_source_symbolized(&context->stacks),
					    &pairing->view)))
		return PK_OK;
	return use_sample(pairing, plan, has_role, paired);
}

/* ---- Other records ---- */

/* Returns whether the record says that samples were lost that could start or end spans. */
static bool is_loss(struct pk_pairing *pairing, const struct pk_record *record)
{
	const struct pk_span_plan *plan;

	switch (record->type) {
	case PERF_RECORD_LOST: return true;
	case PERF_RECORD_LOST_SAMPLES: /* without a time, the record has the sum of all losses of
					* the recording */
		return record->time != PK_NO_TIME &&
		       !(record->misc & PERF_RECORD_MISC_LOST_SAMPLES_BPF);
	case PERF_RECORD_THROTTLE:
		plan = record->event ? pk_span_plans_of(&pairing->plans, record->event) : NULL;
		return plan && (plan->roles[PK_SPAN_STARTS].selector.active ||
				plan->roles[PK_SPAN_ENDS].selector.active);
	default: return false;
	}
}

enum pk_status pk_pairing_record(struct pk_pairing *pairing, const struct pk_record *record)
{
	const struct perf_record_comm *comm = (const void *)record->data;

	PK_TRY(note_time(pairing, record));
	if (record->type == PERF_RECORD_COMM)
		return pk_table_set_u64(&pairing->named, comm->tid, ++pairing->names);
	if (pk_definition_of(record) == PK_RESET)
		pairing->resets++;
	return is_loss(pairing, record) ? loss_marks_add(&pairing->losses, record->event, record)
					: PK_OK;
}

/* ---- Sessions ---- */

void pk_pairing_start_session(struct pk_pairing *pairing)
{
	pk_open_spans_clear(&pairing->open);
	pk_span_plans_free(&pairing->plans); /* the new session can have other events */
	loss_marks_clear(&pairing->losses);
	pairing->counts = (struct pk_span_counts){0};
	pairing->prepared = false;
	pk_table_clear(&pairing->named);
	pairing->last = pairing->resets = pairing->names = 0;
}

/* Removes one open span of the task and returns it. Returns NULL if there is none. */
static struct pk_open_span *open_of_task(struct pk_pairing *pairing, uint32_t tid)
{
	const uint64_t key = tid;

	if (pairing->fields.keys.count > 1)
		return pk_open_spans_end_task(&pairing->open, tid);
	return pk_open_spans_end_task_key(&pairing->open, &key, sizeof(key));
}

/* Removes all open spans of the task. If `emits` is set, also emits them. */
static enum pk_status close_task(struct pk_pairing *pairing, uint32_t tid, uint64_t time,
				 bool emits, enum pk_span_end how)
{
	enum pk_status status = PK_OK;
	struct pk_open_span *open;

	if (!pairing->prepared || pairing->fields.task_key == SIZE_MAX || !tid)
		return PK_OK;
	while (!status && (open = open_of_task(pairing, tid))) {
		if (emits)
			status = emit(pairing, open, NULL, time, how);
		pairing->counts.exited += how == PK_SPAN_EXITED;
		pk_open_spans_release(&pairing->open, open);
	}
	return status;
}

enum pk_status pk_pairing_exit(struct pk_pairing *pairing, uint32_t tid, uint64_t time)
{
	return pairing->task_ends ? close_task(pairing, tid, time, true, PK_SPAN_EXITED) : PK_OK;
}

enum pk_status pk_pairing_end_task(struct pk_pairing *pairing, uint32_t tid, uint64_t time)
{
	return close_task(pairing, tid, time, pairing->unfinished && !pairing->every, PK_SPAN_OPEN);
}

bool pk_pairing_has_starts(const struct pk_pairing *pairing)
{
	return pk_span_plans_have(&pairing->plans, PK_SPAN_STARTS);
}

enum pk_status pk_pairing_end(struct pk_pairing *pairing)
{
	const struct pk_open_spans *open = &pairing->open;
	struct pk_span_counts *counts = &pairing->counts;

	counts->starts = open->starts;
	counts->spans = open->ended + counts->exited;
	counts->unended = open->replaced;
	counts->open = open->count;
	counts->unused = open->unused;
	counts->cancelled = open->cancelled;
	counts->task_ended = open->task_ended - counts->exited;
	counts->dropped = open->dropped;
	counts->unstarted = open->unmatched;
	for (int role = 0; role < PK_SPAN_RULES; role++)
		pk_span_rules_end_session(&pairing->plans.rules[role]);
	return pairing->unfinished && pairing->prepared ? emit_open(pairing, pairing->last) : PK_OK;
}

void pk_pairing_free(struct pk_pairing *pairing)
{
	struct pk_span_columns *columns = &pairing->plans.columns;

	for (int role = 0; role < PK_SPAN_RULES; role++)
		pk_span_rules_free(&pairing->plans.rules[role]);
	for (size_t i = 0; i < columns->count; i++)
		pk_span_column_free(&columns->items[i]);
	free(columns->items);
	free(pairing->chain.data);
	pk_span_values_free(&pairing->values);
	pk_span_plans_free(&pairing->plans);
	pk_open_spans_free(&pairing->open);
	pk_table_free(&pairing->named);
	loss_marks_clear(&pairing->losses);
}
