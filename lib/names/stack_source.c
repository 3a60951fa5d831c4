// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "address_stacks.h"
#include "cut_stacks.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "resolve.h"
#include "stack_source.h"
#include "vector.h"

#define MADE_MAX ((size_t)256 << 20) /* bytes of the dictionary with stacks that were made */

/* False: out of memory. */
static bool start_made(struct pk_stack_source *source)
{
	const struct pk_code_options *code = &source->request.code;
	struct pk_symbols_options names;

	source->stacks = pk_stacks_new(source->dictionary, PK_FRAMES_OF_ADDRESSES, NULL, NULL);
	if (!source->stacks || !code->symbols)
		return source->stacks;
	names = *code->names;
	if (source->request.lines)
		names.no_lines = false;
	source->resolver = pk_resolver_new(code->symbols, &names, code->messages);
	source->cut = pk_cut_stacks_new(source->dictionary);
	return source->resolver && source->cut;
}

/* False: out of memory. */
static bool start_exact(struct pk_stack_source *source)
{
	source->stream = pk_dictionary_new(NULL);
	if (source->stream)
		source->address_stacks = pk_address_stacks_new(source->stream, source->dictionary,
							       source->request.calls);
	return source->address_stacks;
}

bool pk_source_init(struct pk_stack_source *source, const struct pk_stack_request *request)
{
	source->request = *request;
	source->exact = request->exact;
	if (!request->definitions && !request->made && !request->exact)
		return true;
	source->dictionary = pk_dictionary_new(NULL);
	source->stream = source->dictionary;
	return source->dictionary && (!(request->made || request->exact) || start_made(source)) &&
	       (!request->exact || start_exact(source));
}

void pk_source_free(struct pk_stack_source *source)
{
	free(source->tasks);
	pk_stacks_free(source->stacks);
	pk_cut_stacks_free(source->cut);
	pk_resolver_free(source->resolver);
	pk_address_stacks_free(source->address_stacks);
	if (source->stream != source->dictionary)
		pk_dictionary_free(source->stream);
	pk_dictionary_free(source->dictionary);
	*source = (struct pk_stack_source){0};
}

/* ---- Records ---- */

/* Sets whether the samples of the stream refer to its own stacks. */
static void set_symbolized(struct pk_stack_source *source, bool symbolized)
{
	source->made = source->stacks && !symbolized;
	source->symbolized = symbolized || (source->made && source->look_up);
}

/* True if the stacks of the session are made, and their functions are looked up. */
static bool looks_up(const struct pk_stack_source *source)
{
	return source->made && source->symbolized;
}

void pk_source_start(struct pk_stack_source *source, struct pk_session *session, bool look_up)
{
	const struct pk_stack_request *request = &source->request;
	const enum pk_frames_of addresses =
		request->calls ? PK_FRAMES_OF_CALLS : PK_FRAMES_OF_ADDRESSES;

	source->look_up = look_up && source->resolver;
	set_symbolized(source, false);
	source->defined = (struct pk_id_range){0};
	source->full = false;
	source->tasks_count = 0;
	if (source->dictionary)
		pk_dictionary_clear(source->dictionary);
	if (source->stream != source->dictionary)
		pk_dictionary_clear(source->stream);
	if (!source->stacks)
		return;
	if (looks_up(source))
		pk_stacks_frames(source->stacks, source->exact ? addresses : PK_FRAMES_OF_FUNCTIONS,
				 pk_resolver_resolve, source->resolver);
	else
		pk_stacks_frames(source->stacks, addresses, NULL, NULL);
	pk_stacks_leaves(source->stacks, !request->callers && !request->exact);
	pk_stacks_trailers(source->stacks, false, false);
	pk_stacks_forget(source->stacks);
	if (source->resolver)
		pk_resolver_start_session(source->resolver, session);
}

void pk_source_describe(struct pk_stack_source *source, const struct pk_session_info *info)
{
	set_symbolized(source, info->trailers & PK_TRAILER_STACK);
	if (source->stacks)
		pk_stacks_trailers(source->stacks, info->trailers & PK_TRAILER_CHAIN, false);
}

enum pk_status pk_source_define(struct pk_stack_source *source, const struct pk_record *record,
				unsigned int kind)
{
	enum pk_status status;

	if (!source->stream || source->made)
		return PK_OK;
	if (kind == PK_RESET)
		source->tasks_count = 0;
	if (kind == PK_RESET && source->exact)
		pk_dictionary_clear(source->dictionary);
	status = pk_dictionary_read(source->stream, record);
	if (kind == PK_STACK || kind == PK_RESET)
		source->defined = pk_dictionary_stacks(source->dictionary);
	return status;
}

enum pk_status pk_source_record(struct pk_stack_source *source, struct pk_session *session,
				const struct pk_record *record)
{
	return looks_up(source) ? pk_resolver_record(source->resolver, session, record) : PK_OK;
}

void pk_source_forget(struct pk_stack_source *source)
{
	if (source->address_stacks)
		pk_address_stacks_forget(source->address_stacks);
}

void pk_source_renew(struct pk_stack_source *source)
{
	if (!source->made && !source->exact)
		return;
	if (source->cut)
		pk_cut_stacks_forget(source->cut, source->resolver);
	pk_dictionary_clear(source->dictionary);
	pk_stacks_forget(source->stacks);
	source->defined = (struct pk_id_range){0};
	source->full = false;
	source->tasks_count = 0;
}

bool pk_source_is_full(const struct pk_stack_source *source)
{
	return source->full;
}

/* Frames without names; those that are no addresses of code have another cause. */
static void lose_frames(struct pk_stack_source *source, const struct pk_stacks_count *count,
			pk_lose_fn *lose, void *arg)
{
	const struct pk_stacks_count *before = &source->counted;
	const struct pk_cut_sums cut =
		pk_cut_stacks_sums(source->cut, source->resolver, source->request.code.messages);

	lose(arg, PK_LOSS_FRAMES_UNRESOLVED,
	     count->frames_unresolved - before->frames_unresolved - cut.frames,
	     count->frames - before->frames);
	lose(arg, PK_LOSS_STACKS_CUT, cut.cut, count->samples - before->samples);
}

void pk_source_end(struct pk_stack_source *source, pk_lose_fn *lose, void *arg)
{
	struct pk_stacks_count count, *before = &source->counted;

	if (!source->stacks)
		return;
	pk_stacks_counted(source->stacks, &count);
	lose(arg, PK_LOSS_STACKS_TRUNCATED, count.stacks_truncated - before->stacks_truncated,
	     count.samples - before->samples);
	lose(arg, PK_LOSS_STACKS_UNMERGED, count.stacks_unmerged - before->stacks_unmerged,
	     count.samples - before->samples);
	if (looks_up(source) && !source->request.code.names->no_files)
		lose_frames(source, &count, lose, arg);
	*before = count;
}

/* ---- Stacks ---- */

/* Only a new stack needs memory. */
static void note_defined(struct pk_stack_source *source)
{
	const struct pk_id_range defined = pk_dictionary_stacks(source->dictionary);

	if (defined.count != source->defined.count)
		source->full = pk_dictionary_memory(source->dictionary) > MADE_MAX;
	source->defined = defined;
}

/* *stack is 0 if the sample is malformed (PK_OK) or memory is exhausted (PK_NOMEM). */
static enum pk_status make_stack(struct pk_stack_source *source, struct pk_session *session,
				 const struct pk_record *record, uint32_t *stack)
{
	const uint64_t bad = source->bad;
	struct pk_stacks_count count;

	*stack = pk_stacks_of(source->stacks, session, record->event, record);
	source->addresses += !source->symbolized;
	note_defined(source);
	if (*stack && looks_up(source) && !pk_stacks_truncated(source->stacks) &&
	    !pk_cut_stacks_count(source->cut, record->event, *stack))
		return PK_NOMEM;
	if (*stack)
		return PK_OK;
	pk_stacks_counted(source->stacks, &count);
	source->bad = count.samples_bad;
	return bad == count.samples_bad ? PK_NOMEM : PK_OK;
}

/* Replaces the stack of the stream by one with a frame for each address. */
static enum pk_status make_exact(struct pk_stack_source *source, struct pk_session *session,
				 const struct pk_record *record, uint32_t *stack)
{
	bool failed = false;

	if (!pk_dictionary_get_stack(source->stream, *stack)) {
		*stack = *stack ? UINT32_MAX : 0; /* an undefined id stays undefined */
		return PK_OK;
	}
	*stack = pk_address_stacks_of(source->address_stacks, session, record, *stack, &failed);
	source->defined = pk_dictionary_stacks(source->dictionary);
	return failed ? PK_NOMEM : PK_OK;
}

enum pk_status pk_source_of(struct pk_stack_source *source, struct pk_session *session,
			    const struct pk_record *record, uint32_t *index)
{
	enum pk_status status = PK_OK;
	uint32_t stack = 0;

	*index = PK_NO_STACK;
	if (source->made)
		status = make_stack(source, session, record, &stack);
	else if (pk_likely(source->symbolized))
		stack = pk_stack_trailer(record->data, record->size);
	if (pk_unlikely(source->exact) && !source->made)
		status = make_exact(source, session, record, &stack);
	if (pk_unlikely(status || !source->dictionary))
		return status;
	if (pk_likely(stack - source->defined.base - 1 < source->defined.count))
		*index = stack - source->defined.base - 1;
	else if (stack || source->made || !source->symbolized)
		source->missing.undefined++;
	else
		source->missing.without++;
	return PK_OK;
}

/* The id of the frame of a root, if it is the name of the thread; else 0. */
static uint32_t task_of_root(const struct pk_dictionary *dictionary, const struct pk_stack *root)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(dictionary, root->frame);

	return pk_frame_kind(root, frame) == PK_FRAME_IS_TASK ? root->frame : 0;
}

/* Parents are defined before their children: one pass finds the tasks of all stacks. */
bool pk_source_task(struct pk_stack_source *source, uint32_t index, const struct pk_frame **frame)
{
	const struct pk_dictionary *dictionary = source->dictionary;
	const uint32_t base = source->defined.base + 1;
	const struct pk_stack *stack;

	if (index >= source->tasks_count &&
	    !pk_reserve(&source->tasks, &source->tasks_capacity, source->tasks_count,
			index + 1 - source->tasks_count, sizeof(*source->tasks)))
		return false;
	for (; source->tasks_count <= index; source->tasks_count++) {
		stack = pk_dictionary_get_stack(dictionary, base + (uint32_t)source->tasks_count);
		source->tasks[source->tasks_count] = stack->parent
							     ? source->tasks[stack->parent - base]
							     : task_of_root(dictionary, stack);
	}
	*frame = pk_dictionary_get_frame(dictionary, source->tasks[index]);
	return true;
}

static void limit_increase(uint64_t *number, uint64_t before, uint64_t most)
{
	if (*number - before > most)
		*number = before + most;
}

void pk_source_missing_once(struct pk_stack_source *source, const struct pk_missing_stacks *before,
			    uint64_t most)
{
	limit_increase(&source->missing.without, before->without, most);
	limit_increase(&source->missing.undefined, before->undefined, most);
}
