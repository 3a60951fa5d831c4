// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "chain_hash.h"
#include "cut_stacks.h"
#include "frame_address.h"
#include "nameless_objects.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "resolve.h"
#include "session.h"
#include "stack_copy.h"
#include "stack_source.h"
#include "vector.h"

#define KNOWN_MAX ((size_t)1 << 18)

#define MODES (PK_FRAME_KERNEL | PK_FRAME_USER | PK_FRAME_GUEST | PK_FRAME_HYPERVISOR)

/* The exact stacks, which are copies of stacks of the stream. */
struct address_stacks {
	bool calls; /* true if PK_FRAMES_OF_CALLS is wanted, which changes the addresses of callers
		     */
	/* The copies of stacks in which each frame already has an address of its own. The callchain
	 * adds no information, so there is one copy for each stack of the stream. */
	struct pk_stack_copy exact;
	/* The copies of frames that stand for functions, and the copies of callers that are missing
	 * in a callchain. */
	struct pk_stack_copy copy;
	/* A cache of stacks in `to`. The key is a hash of the id of the stack in `from`, the maps
	 * of the process, and the callchain. */
	struct pk_table known;
	/* A cache of frames in `to`. The key is a hash of the frame, its address, and the maps of
	 * the process. */
	struct pk_table frames;
	struct pk_chain_seeds seeds;
	/* For each frame: 2 if its function interrupts code (see interrupts()), 1 if not, 0 if it
	 * is not known yet. The index is the index of the frame. */
	uint8_t *interrupts;
	size_t interrupts_count;
	uint32_t *way; /* the ids of the copied frames of the current stack, starting with the
			* innermost frame */
	size_t way_capacity;
	bool failed; /* true if memory was exhausted */
};

/* ---- Return addresses ---- */

/* Returns true if a frame of the stream is code that a processor enters when it interrupts a
 * function. Then the next address is not a return address. */
static bool interrupts(struct address_stacks *made, uint32_t id)
{
	const struct pk_dictionary *from = made->copy.from;
	const struct pk_frame *frame = pk_dictionary_get_frame(from, id);
	const uint32_t index = id - pk_dictionary_frames(from).base - 1;
	const char *function;

	if (!frame || pk_extend(&made->interrupts, &made->interrupts_count, index) != PK_OK) {
		made->failed |= frame != NULL;
		return false;
	}
	if (!made->interrupts[index]) {
		function = pk_dictionary_get_string(from, frame->function, NULL);
		made->interrupts[index] =
			1 + (function && pk_resolver_interrupts(function, frame->flags));
	}
	return made->interrupts[index] == 2;
}

/* The callback pk_stack_copy.calls. Code never calls code of another processor mode. An inlined
 * frame has the address of the frame into which it is inlined. */
static bool calls(void *arg, const struct pk_stack *stack, bool called)
{
	struct address_stacks *made = arg;
	const struct pk_dictionary *from = made->copy.from;
	const struct pk_frame *frame = pk_dictionary_get_frame(from, stack->frame), *caller;
	const struct pk_stack *parent = pk_dictionary_get_stack(from, stack->parent);

	if (!parent || pk_frame_kind(stack, frame) != PK_FRAME_IS_CODE ||
	    frame->flags & PK_FRAME_INLINED)
		return called;
	caller = pk_dictionary_get_frame(from, parent->frame);
	return caller && !((caller->flags ^ frame->flags) & MODES) &&
	       !interrupts(made, stack->frame);
}

/* ---- Creating and freeing ---- */

/* `from` has the definitions of the stream. `to` gets the new stacks. of_calls means
 * PK_FRAMES_OF_CALLS. Returns NULL if memory is exhausted. */
static struct address_stacks *address_stacks_new(const struct pk_dictionary *from,
						 struct pk_dictionary *to, bool of_calls)
{
	struct address_stacks *made = calloc(1, sizeof(*made));

	if (!made)
		return NULL;
	made->calls = of_calls;
	made->copy = made->exact = (struct pk_stack_copy){.from = from, .to = to};
	made->exact.calls = of_calls ? calls : NULL;
	made->exact.arg = made;
	made->exact.except = PK_FRAME_FUNCTION;
	pk_chain_seeds_draw(&made->seeds);
	return made;
}

/* Call this function after one of the dictionaries was reset or cleared. */
static void address_stacks_forget(struct address_stacks *made)
{
	pk_stack_copy_forget(&made->copy);
	pk_stack_copy_forget(&made->exact);
	pk_table_clear(&made->known);
	pk_table_clear(&made->frames);
	free(made->interrupts);
	made->interrupts = NULL;
	made->interrupts_count = 0;
}

static void address_stacks_free(struct address_stacks *made)
{
	if (!made)
		return;
	address_stacks_forget(made);
	pk_stack_copy_free(&made->copy);
	pk_stack_copy_free(&made->exact);
	pk_table_free(&made->known);
	pk_table_free(&made->frames);
	free(made->way);
	free(made);
}

/* ---- Stacks of functions ---- */

/* The highest number of successive frames without an address of their own, which is much more than
 * the inlined functions that compilers nest. It limits the time for one sample. */
enum { INLINED_MAX = 1024 };

/* The process and thread to which the addresses of a sample belong. */
struct space {
	const struct pk_session *session;
	const struct pk_thread *thread;
	uint64_t maps; /* the result of pk_chain_maps(), which changes when the maps of the process
			* change */
};

/* Copies a frame with its address, and returns the id of the copy. If the address is unknown,
 * copies the frame without changes. `called` means that the address is a return address. Returns 0
 * if memory is exhausted. */
static uint32_t make_frame(struct address_stacks *made, const struct space *space,
			   const struct pk_address_walk *at, bool called)
{
	const struct pk_frame *frame = at->at.frame;
	uint64_t address;
	bool failed = false;

	if (at->ip == PK_NO_ADDRESS || !pk_frame_address(frame, at->at.dictionary, space->session,
							 space->thread, at->ip, &address))
		return pk_stack_copy_frame(&made->copy, at->at.id, &failed);
	return pk_stack_copy_frame_at(&made->copy, at->at.id,
				      pk_call_address(address, frame->symbol_start, called));
}

/* Returns the result of make_frame(), from the cache if possible. */
static uint32_t frame_of(struct address_stacks *made, const struct space *space,
			 const struct pk_address_walk *at, bool called)
{
	const uint64_t key[] = {(uint64_t)at->at.id << 1 | called, at->ip, space->maps};
	const uint64_t hash = pk_hash(key, sizeof(key), pk_table_secret(&made->frames));
	uint32_t id = (uint32_t)pk_table_get_u64(&made->frames, hash);

	if (id)
		return id;
	id = make_frame(made, space, at, called);
	if (made->frames.count >= KNOWN_MAX)
		pk_table_clear(&made->frames);
	return id && pk_table_add(&made->frames, hash, id) == PK_OK ? id : 0;
}

/* Makes the copy of a stack. Frames get the addresses of the callchain until the callchain ends.
 * The other callers are copied without changes. Returns 0 if memory is exhausted. */
static uint32_t make(struct address_stacks *made, const struct space *space, uint32_t stack,
		     const struct pk_addresses *addresses)
{
	struct pk_address_walk walk = pk_address_walk(made->copy.from, stack, addresses);
	unsigned int without =
		0; /* how many frames without an address of their own came one after another */
	uint32_t callee = 0; /* the function that was copied last, which the function of the current
			      * frame has called */
	size_t length = 0;
	bool failed = false;

	for (; pk_address_next(&walk) && without <= INLINED_MAX &&
	       (walk.ip != PK_NO_ADDRESS || walk.at.kind != PK_FRAME_IS_CODE);
	     length++) {
		const bool called = made->calls && walk.follows && !interrupts(made, callee);

		if (pk_extend(&made->way, &made->way_capacity, length) != PK_OK)
			return 0;
		made->way[length] = frame_of(made, space, &walk, called);
		if (!made->way[length])
			return 0;
		without++;
		if (pk_is_function(&walk.at)) {
			callee = walk.at.id;
			without = 0;
		}
	}
	stack = pk_stack_copy(&made->copy, walk.at.stack, &failed);
	if (failed || made->failed ||
	    pk_dictionary_path(made->copy.to, stack, made->way, length) != PK_OK)
		return 0;
	return length ? made->way[0] : stack;
}

/* Returns the copy of a stack whose frames stand for functions. Their addresses are taken from the
 * callchain. */
static uint32_t stack_of_chain(struct address_stacks *made, struct pk_session *session,
			       const struct pk_record *record, uint32_t stack, bool *failed)
{
	const struct pk_layout *layout = &record->event->layout;
	struct perf_task task = {UINT32_MAX, UINT32_MAX};
	struct space space = {.session = session};
	struct pk_chain_key key = {.task = stack};
	struct pk_addresses addresses;
	struct pk_chain_hash hash;
	uint64_t id;

	if (pk_sample_addresses(record->event, record, &addresses) != PK_OK)
		return 0;
	if (layout->tid)
		task = *pk_record_task(record, layout->tid);
	space.thread = pk_session_thread(session, task.pid, task.tid);
	*failed |= !space.thread;
	if (!space.thread)
		return 0;
	key.maps = space.maps = pk_chain_maps(session, space.thread);
	key.ips = &addresses.chain;
	hash = pk_chain_hash(&made->seeds, &key);
	hash = pk_chain_hash_with(&made->seeds, &hash, addresses.own);
	id = pk_table_get_u64(&made->known, hash.low);
	if (id)
		return (uint32_t)id;
	id = make(made, &space, stack, &addresses);
	if (made->known.count >= KNOWN_MAX)
		pk_table_clear(&made->known);
	*failed |= !id || pk_table_set_u64(&made->known, hash.low, id) != PK_OK;
	return (uint32_t)id;
}

/* Copies the stack of the sample, and replaces the addresses of its frames by the addresses of the
 * callchain. Returns the id of the copy in `to`. A frame whose address is unknown is copied
 * unchanged. `stack` is the id of the stack in `from`. Without a callchain, the sample's ip is the
 * only address. Returns 0 if the sample has no stack or cannot be decoded. If memory is exhausted,
 * returns 0 and sets *failed. */
static uint32_t address_stacks_of(struct address_stacks *made, struct pk_session *session,
				  const struct pk_record *record, uint32_t stack, bool *failed)
{
	const uint32_t id = pk_stack_copy(&made->exact, stack, failed);

	*failed |= made->failed;
	return id || *failed || !stack ? id : stack_of_chain(made, session, record, stack, failed);
}

#define MADE_MAX ((size_t)256 << 20) /* bytes; the limit for the dictionary of made stacks */

static enum pk_status start_made(struct pk_stack_source *source)
{
	const struct pk_code_options *code = &source->request.code;
	struct pk_symbols_options names;

	source->stacks = pk_stacks_new(source->dictionary, PK_FRAMES_OF_ADDRESSES, NULL, NULL);
	if (!source->stacks || !code->symbols)
		return source->stacks ? PK_OK : PK_NOMEM;
	names = *code->names;
	if (source->request.lines)
		names.no_lines = false;
	source->resolver = pk_resolver_new(code->symbols, &names, code->messages);
	source->cut = pk_cut_stacks_new(source->dictionary);
	source->nameless = pk_nameless_objects_new(source->dictionary);
	return source->resolver && source->cut && source->nameless ? PK_OK : PK_NOMEM;
}

static enum pk_status start_exact(struct pk_stack_source *source)
{
	source->stream = pk_dictionary_new(NULL);
	if (source->stream)
		source->address_stacks = address_stacks_new(source->stream, source->dictionary,
							    source->request.calls);
	return source->address_stacks ? PK_OK : PK_NOMEM;
}

enum pk_status pk_source_init(struct pk_stack_source *source,
			      const struct pk_stack_request *request)
{
	source->request = *request;
	source->exact = request->exact;
	if (!request->definitions && !request->made && !request->exact)
		return PK_OK;
	source->dictionary = pk_dictionary_new(NULL);
	source->stream = source->dictionary;
	if (!source->dictionary)
		return PK_NOMEM;
	if ((request->made || request->exact))
		PK_TRY(start_made(source));
	return request->exact ? start_exact(source) : PK_OK;
}

void pk_source_free(struct pk_stack_source *source)
{
	free(source->tasks);
	pk_stacks_free(source->stacks);
	pk_cut_stacks_free(source->cut);
	pk_nameless_objects_free(source->nameless);
	pk_nameless_jit_free(&source->jit);
	pk_resolver_free(source->resolver);
	address_stacks_free(source->address_stacks);
	if (source->stream != source->dictionary)
		pk_dictionary_free(source->stream);
	pk_dictionary_free(source->dictionary);
	*source = (struct pk_stack_source){0};
}

/* ---- Records ---- */

/* Notes whether the samples of the stream refer to stacks that the stream defines. */
static void set_symbolized(struct pk_stack_source *source, bool symbolized)
{
	source->made = source->stacks && !symbolized;
	source->symbolized = symbolized || (source->made && source->look_up);
}

/* Returns true if the stacks of the session are made and their functions are looked up. */
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
		address_stacks_forget(source->address_stacks);
}

void pk_source_renew(struct pk_stack_source *source)
{
	if (!source->made && !source->exact)
		return;
	if (source->cut) {
		pk_cut_stacks_forget(source->cut, source->resolver);
		pk_nameless_objects_forget(source->nameless);
	}
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

/* Reports frames without names. Frames that are not addresses of code are reported with another
 * cause. */
static void lose_frames(struct pk_stack_source *source, const struct pk_stacks_count *count,
			pk_lose_fn *lose, void *arg)
{
	const struct pk_stacks_count *before = &source->counted;
	const struct pk_cut_sums cut =
		pk_cut_stacks_sums(source->cut, source->resolver, source->request.code.messages);

	pk_nameless_objects_report(source->nameless, source->resolver,
				   source->request.code.messages);
	lose(arg, PK_LOSS_FRAMES_UNRESOLVED,
	     count->frames_unresolved - before->frames_unresolved - cut.frames,
	     count->frames - before->frames);
	lose(arg, PK_LOSS_STACKS_CUT, cut.cut, count->samples - before->samples);
	pk_nameless_jit_report(&source->jit, count->samples - before->samples,
			       source->request.code.messages);
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
	lose(arg, PK_LOSS_STACKS_TORN, count.stacks_torn - before->stacks_torn,
	     count.samples - before->samples);
	if (looks_up(source) && !source->request.code.names->no_files)
		lose_frames(source, &count, lose, arg);
	*before = count;
}

/* ---- Stacks ---- */

/* Updates the number of stacks. The memory is checked only after a new stack, because nothing else
 * needs memory. */
static void note_defined(struct pk_stack_source *source)
{
	const struct pk_id_range defined = pk_dictionary_stacks(source->dictionary);

	if (defined.count != source->defined.count)
		source->full = pk_dictionary_memory(source->dictionary) > MADE_MAX;
	source->defined = defined;
}

/* Makes the stack of a sample. If the sample is malformed, *stack is 0 and PK_OK is returned. If
 * memory is exhausted, *stack is 0 and PK_NOMEM is returned. */
static enum pk_status make_stack(struct pk_stack_source *source, struct pk_session *session,
				 const struct pk_record *record, uint32_t *stack)
{
	const uint64_t bad = source->bad;
	struct pk_stacks_count count;

	*stack = pk_stacks_of(source->stacks, session, record->event, record);
	source->addresses += !source->symbolized;
	note_defined(source);
	if (*stack && looks_up(source) && pk_unlikely(pk_stacks_nameless_jit(source->stacks)))
		PK_TRY(pk_nameless_jit_count(&source->jit, session, record));
	if (*stack && looks_up(source))
		PK_TRY(pk_nameless_objects_count(source->nameless, *stack));
	if (*stack && looks_up(source) && !pk_stacks_truncated(source->stacks))
		PK_TRY(pk_cut_stacks_count(source->cut, record->event, *stack));
	if (*stack)
		return PK_OK;
	pk_stacks_counted(source->stacks, &count);
	source->bad = count.samples_bad;
	return bad == count.samples_bad ? PK_NOMEM : PK_OK;
}

/* Replaces the stack of the stream by a copy that has a frame for each address. */
static enum pk_status make_exact(struct pk_stack_source *source, struct pk_session *session,
				 const struct pk_record *record, uint32_t *stack)
{
	bool failed = false;

	if (!pk_dictionary_get_stack(source->stream, *stack)) {
		*stack = *stack ? UINT32_MAX
				: 0; /* UINT32_MAX is an undefined id, so the sample is still
					counted as a sample with an undefined stack */
		return PK_OK;
	}
	*stack = address_stacks_of(source->address_stacks, session, record, *stack, &failed);
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

/* Returns the frame of the root of a stack if it is the name of the thread, otherwise 0. */
static uint32_t task_of_root(const struct pk_dictionary *dictionary, const struct pk_stack *root)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(dictionary, root->frame);

	return pk_frame_kind(root, frame) == PK_FRAME_IS_TASK ? root->frame : 0;
}

/* Callers are always defined before their callees. So one pass over all stacks finds the threads of
 * all stacks. */
enum pk_status pk_source_task(struct pk_stack_source *source, uint32_t index,
			      const struct pk_frame **frame)
{
	const struct pk_dictionary *dictionary = source->dictionary;
	const uint32_t base = source->defined.base + 1;
	const struct pk_stack *stack;

	if (index >= source->tasks_count)
		PK_TRY(pk_reserve(&source->tasks, &source->tasks_capacity, source->tasks_count,
				  index + 1 - source->tasks_count, sizeof(*source->tasks)));
	for (; source->tasks_count <= index; source->tasks_count++) {
		stack = pk_dictionary_get_stack(dictionary, base + (uint32_t)source->tasks_count);
		source->tasks[source->tasks_count] = stack->parent
							     ? source->tasks[stack->parent - base]
							     : task_of_root(dictionary, stack);
	}
	*frame = pk_dictionary_get_frame(dictionary, source->tasks[index]);
	return PK_OK;
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
