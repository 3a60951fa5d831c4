// SPDX-License-Identifier: BSD-2-Clause
#include <fnmatch.h>
#include <stdlib.h>

#include "access_types.h"
#include "context_internal.h"
#include "field_table.h"
#include "pkutil.h"
#include "stream_symbols.h"
#include "vector.h"
#include "wait_kind.h"

/* The fields of stacks and of the sampled instruction. */

/* Returns true if names of threads are taken from the threads of the session instead of the stacks.
 * If this program makes the stacks itself, it would have to make a stack and look up its functions
 * only for this name. */
static bool has_threads(const struct pk_context *context)
{
	return !pk_source_symbolized(&context->stacks) || pk_source_makes(&context->stacks);
}

/* In stacks, the function of the root frame is the name of the thread. */
static bool comm_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_thread *thread;
	const struct pk_frame *frame = NULL;
	uint32_t index;

	if (has_threads(view->context)) {
		thread = pk_view_thread(view);
		*key = thread ? thread->comm : 0;
		return thread;
	}
	index = pk_source_dictionary(&view->context->stacks) ? pk_view_stack(view) : PK_NO_STACK;
	if (index != PK_NO_STACK && pk_source_task(&view->context->stacks, index, &frame) != PK_OK)
		view->context->failed = true;
	if (!frame)
		return false;
	*key = frame->function;
	return true;
}

static const char *comm_text(struct pk_context *context, uint64_t key, size_t *size)
{
	if (has_threads(context))
		return pk_with_size(pk_session_comm(context->state->session, (uint32_t)key), size);
	return pk_dictionary_get_string(pk_source_dictionary(&context->stacks), (uint32_t)key,
					size);
}

/* Replaces numbers by <N>, as perf's comm_nodigit does. A number in the name of a thread is often
 * the number of a worker. */
static bool comm_nodigit_key(struct pk_view *view, uint64_t *key)
{
	struct pk_context *context = view->context;
	struct buffer *text = &context->state->text;
	const char *comm;
	size_t size = 0;

	if (!comm_key(view, key))
		return false;
	comm = comm_text(context, *key, &size);
	text->size = 0;
	for (size_t i = 0; comm && i < size; i++)
		if (comm[i] < '0' || comm[i] > '9')
			buffer_char(text, comm[i]);
		else if (i + 1 == size || comm[i + 1] < '0' || comm[i + 1] > '9')
			buffer_text(text, "<N>");
	return comm && pk_built_key(context, key);
}

/* The name of a process is the current name of its first thread. */
static bool process_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_thread *thread = pk_view_thread(view), *first;

	if (!thread)
		return false;
	first = pk_session_known_thread(view->context->state->session, thread->process->pid);
	*key = first && first->process == thread->process ? first->comm : thread->comm;
	return true;
}

static const char *process_text(struct pk_context *context, uint64_t key, size_t *size)
{
	return pk_with_size(pk_session_comm(context->state->session, (uint32_t)key), size);
}

/* The key is a DSO of the dictionary in a symbolized stream, or else an image of the session. */
static bool dso_frame_key(const struct pk_frame *frame, uint64_t *key)
{
	*key = frame->dso;
	return frame->dso;
}

static bool dso_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_frame *frame;
	const struct pk_image *image;

	if (pk_source_symbolized(&view->context->stacks)) {
		frame = pk_view_frame(view);
		return frame && dso_frame_key(frame, key);
	}
	image = pk_view_location(view).image;
	*key = (uintptr_t)image;
	return image;
}

static const char *dso_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const struct pk_image *image = (const void *)(uintptr_t)key;
	const struct pk_dso *dso;

	if (!pk_source_symbolized(&context->stacks))
		return pk_with_size(image->name, size);
	dso = pk_dictionary_get_dso(pk_source_dictionary(&context->stacks), (uint32_t)key);
	return dso ? pk_dictionary_get_string(pk_source_dictionary(&context->stacks), dso->path,
					      size)
		   : NULL;
}

enum language {
	LANGUAGE_NATIVE,
	LANGUAGE_KERNEL,
	LANGUAGE_JIT,
	LANGUAGE_PYTHON,
	LANGUAGE_RUBY,
	LANGUAGE_PHP,
};

static enum language language_of(uint32_t kind, const char *path)
{
	switch (pk_interpreted_image(path)) {
	case PK_INTERPRETED_PYTHON: return LANGUAGE_PYTHON;
	case PK_INTERPRETED_RUBY: return LANGUAGE_RUBY;
	case PK_INTERPRETED_PHP: return LANGUAGE_PHP;
	default: break;
	}
	switch (kind) {
	case PK_DSO_KERNEL:
	case PK_DSO_MODULE:
	case PK_DSO_BPF: return LANGUAGE_KERNEL;
	case PK_DSO_JIT:
	case PK_DSO_ANON: return LANGUAGE_JIT;
	default: return LANGUAGE_NATIVE;
	}
}

static bool language_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_context *context = view->context;
	const struct pk_image *image;
	const struct pk_dso *dso;
	size_t size;

	if (!dso_key(view, key))
		return false;
	if (pk_source_symbolized(&context->stacks)) {
		dso = pk_dictionary_get_dso(pk_source_dictionary(&context->stacks), (uint32_t)*key);
		*key = language_of(dso ? dso->kind : PK_DSO_UNKNOWN,
				   dso_text(view->context, *key, &size));
		return true;
	}
	image = (const void *)(uintptr_t)*key;
	*key = language_of(image->kind, image->name);
	return true;
}

static const char *language_text(struct pk_context *context, uint64_t key, size_t *size)
{
	static const char *const names[] = {
		[LANGUAGE_NATIVE] = "native", [LANGUAGE_KERNEL] = "kernel", [LANGUAGE_JIT] = "jit",
		[LANGUAGE_PYTHON] = "python", [LANGUAGE_RUBY] = "ruby",	    [LANGUAGE_PHP] = "php"};

	(void)context;
	return pk_with_size(names[key], size);
}

static bool symbol_frame_key(const struct pk_frame *frame, uint64_t *key)
{
	*key = frame->function;
	return true;
}

static bool symbol_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_frame *frame = pk_view_frame(view);

	return frame && symbol_frame_key(frame, key);
}

/* The text of a frame without a function is empty. */
static const char *symbol_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const char *text = pk_dictionary_get_string(pk_source_dictionary(&context->stacks),
						    (uint32_t)key, size);

	if (!text)
		*size = 0;
	return text ? text : "";
}

/* The address of a sample without a function, within its object. Frames without a function have no
 * address of their own, because pk-symbolize merges them. */
static bool address_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_frame *frame = pk_view_frame(view);
	struct pk_location location;

	if (frame && frame->function)
		return false;
	location = pk_view_location(view);
	*key = location.image ? location.address : location.ip;
	return *key;
}

/* The key of the source line of the innermost frame consists of the id of the file and the line
 * number. */
static bool srcline_frame_key(const struct pk_frame *frame, uint64_t *key)
{
	*key = (uint64_t)frame->file << 32 | frame->line;
	return frame->file;
}

static bool srcline_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_frame *frame = pk_view_frame(view);

	return frame && srcline_frame_key(frame, key);
}

static const char *srcline_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const char *path = pk_dictionary_get_string(pk_source_dictionary(&context->stacks),
						    (uint32_t)(key >> 32), NULL);
	const char *slash = path ? strrchr(path, '/') : NULL;
	struct buffer *text = &context->state->text;

	if (!path)
		return NULL;
	text->size = 0;
	buffer_text(text, slash ? slash + 1 : path);
	buffer_char(text, ':');
	buffer_decimal(text, (uint32_t)key, 0);
	context->failed |= text->failed;
	*size = text->size;
	buffer_char(text, '\0');
	return text->failed ? NULL : text->data;
}

static bool srcfile_frame_key(const struct pk_frame *frame, uint64_t *key)
{
	*key = frame->file;
	return frame->file;
}

static bool srcfile_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_frame *frame = pk_view_frame(view);

	return frame && srcfile_frame_key(frame, key);
}

static const char *srcfile_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const char *path = pk_dictionary_get_string(pk_source_dictionary(&context->stacks),
						    (uint32_t)key, NULL);
	const char *slash = path ? strrchr(path, '/') : NULL;

	return pk_with_size(slash ? slash + 1 : path, size);
}

static void add_symbol_offset(struct pk_context *context, const struct pk_frame *frame,
			      uint64_t offset)
{
	struct buffer *text = &context->state->text;
	const char *name;
	size_t size;

	name = pk_dictionary_get_string(pk_source_dictionary(&context->stacks), frame->function,
					&size);
	text->size = 0;
	buffer_add(text, name, size);
	buffer_text(text, "+0x");
	buffer_hex(text, offset, 0);
}

static bool symoff_key(struct pk_view *view, uint64_t *key)
{
	struct pk_context *context = view->context;
	uint64_t address;
	const struct pk_frame *frame = pk_view_function(view, &address);

	if (!frame || !frame->function || address < frame->symbol_start)
		return false;
	add_symbol_offset(context, frame, address - frame->symbol_start);
	return pk_built_key(context, key);
}

static bool type_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_accessed *accessed = pk_view_accessed(view);

	if (accessed)
		*key = accessed->type;
	return accessed;
}

static bool typeoff_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_accessed *accessed = pk_view_accessed(view);

	if (accessed)
		*key = accessed->offset;
	return accessed;
}

static const char *type_text(struct pk_context *context, uint64_t key, size_t *size)
{
	return pk_access_types_text(context->state->access_types, (uint32_t)key, size);
}

#define typeoff_text type_text

static bool typecln_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_accessed *accessed = pk_view_accessed(view);

	if (accessed)
		*key = accessed->line;
	return accessed;
}

static bool depth_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (!sample)
		return false;
	*key = 0;
	for (uint64_t i = 0; i < sample->callchain.count; i++)
		*key += pk_u64s_at(&sample->callchain, i) < PERF_CONTEXT_MAX;
	return true;
}

/* The second address of the callchain. */
static bool caller_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);
	unsigned int addresses = 0;

	for (uint64_t i = 0; sample && i < sample->callchain.count; i++) {
		*key = pk_u64s_at(&sample->callchain, i);
		if (*key < PERF_CONTEXT_MAX && ++addresses == 2)
			return true;
	}
	return false;
}

/* ---- Waits ---- */

/* Looks at each stack only once. */
static bool wait_key(struct pk_view *view, uint64_t *key)
{
	struct pk_context *context = view->context;
	struct pk_stream_state *state = context->state;
	const uint32_t index = pk_view_stack(view);
	uint8_t *known;

	if (index == PK_NO_STACK)
		return false;
	if (pk_extend(&state->waits, &state->waits_count, index) != PK_OK) {
		context->failed = true;
		return false;
	}
	known = &state->waits[index];
	if (!*known)
		*known = (uint8_t)(pk_wait_of_sleeper(pk_source_dictionary(&context->stacks),
						      pk_source_id(&context->stacks, index)) +
				   1);
	*key = *known - 1u;
	return *key != PK_WAIT_UNKNOWN;
}

static const char *wait_text(struct pk_context *context, uint64_t key, size_t *size)
{
	(void)context;
	return pk_with_size(pk_wait_name((enum pk_wait_kind)key), size);
}

/* ---- The table ---- */

static const struct pk_field fields[] = {
	{"comm", NULL, TEXT(comm), .needs = PK_NEED_NAMES, .is_private = true, .of_stack = true,
	 .about = "name of the thread"},
	{"comm_nodigit", NULL, BUILT(comm_nodigit), .needs = PK_NEED_NAMES, .is_private = true,
	 .of_stack = true, .about = "name of the thread, with <N> in place of each number"},
	{"process", NULL, TEXT(process), .needs = PK_NEED_TASKS, .is_private = true,
	 .about = "name of the process, which is the name of its first thread"},
	{"dso", NULL, FRAME_TEXT(dso), .needs = PK_NEED_NAMES | PK_NEED_OBJECTS, .is_private = true,
	 .of_stack = true, .about = "path of the object of the innermost frame"},
	{"language", NULL, TEXT(language), .needs = PK_NEED_NAMES | PK_NEED_OBJECTS,
	 .about = "of the innermost frame: native, kernel, jit, python, ruby or php"},
	{"symbol", "sym", FRAME_TEXT(symbol), .needs = PK_NEED_STACKS, .is_private = true,
	 .of_stack = true, .about = "function of the innermost frame"},
	{"address", NULL, NUMBER(address, PK_VALUE_ADDRESS),
	 .needs = PK_NEED_STACKS | PK_NEED_TASKS,
	 .about = "address of the sample in its object, if the function is unknown"},
	{"symoff", NULL, BUILT(symoff), .needs = PK_NEED_STACKS | PK_NEED_TASKS, .is_private = true,
	 .about = "innermost function that is not inlined, and the offset in this function: "
		  "main+0x1c"},
	{"type", NULL, TEXT(type), .needs = PK_NEED_CODE, .is_private = true,
	 .about = "data type of the memory that the instruction accesses"},
	{"typeoff", NULL, TEXT(typeoff), .needs = PK_NEED_CODE, .is_private = true,
	 .about = "data type, offset and member that the instruction accesses: struct foo +0x10 "
		  "(list.next)"},
	{"typecln", NULL, NUMBER(typecln, PK_VALUE_NUMBER), .needs = PK_NEED_CODE,
	 .about = "number of the accessed cache line of 64 bytes within the data type, from 0"},
	{"stack", NULL, TEXT(symbol), .needs = PK_NEED_STACKS | PK_NEED_CALLERS, .is_private = true,
	 .of_stack = true, .about = "in conditions: the function of any frame"},
	{"srcline", NULL, FRAME_TEXT(srcline), .needs = PK_NEED_STACKS | PK_NEED_LINES,
	 .is_private = true, .about = "file and line of the innermost frame"},
	{"srcfile", NULL, FRAME_TEXT(srcfile), .needs = PK_NEED_STACKS | PK_NEED_LINES,
	 .is_private = true, .about = "source file of the innermost frame, without its folder"},
	{"wait", NULL, TEXT(wait), .needs = PK_NEED_STACKS | PK_NEED_CALLERS,
	 .about = "what a blocked thread waits for, by the kernel functions in its stack: futex, "
		  "timer, disk, network, pipe, child, fault, poll, io_uring, signal or work"},
	{"depth", NULL, NUMBER(depth, PK_VALUE_NUMBER), .sample_bits = PERF_SAMPLE_CALLCHAIN,
	 .about = "number of addresses in the callchain; 0 if it is empty"},
	{"caller", NULL, NUMBER(caller, PK_VALUE_ADDRESS), .sample_bits = PERF_SAMPLE_CALLCHAIN,
	 .about = "second address of the callchain, to which the function returns"},
};

const struct pk_fields pk_fields_of_stacks = FIELDS(fields);

/* ---- Parents ---- */

enum { DIFFERS = 1, MATCHES = 2 };

static bool matches(struct pk_context *context, uint32_t name)
{
	struct pk_parents *parents = context->parents;
	uint64_t verdict = pk_table_get_u64(&parents->verdicts, name);
	const char *text;

	if (verdict)
		return verdict == MATCHES;
	text = pk_dictionary_get_string(pk_source_dictionary(&context->stacks), name, NULL);
	verdict = text && !fnmatch(parents->pattern, text, 0) ? MATCHES : DIFFERS;
	context->failed |= pk_table_set_u64(&parents->verdicts, name, verdict) != PK_OK;
	return verdict == MATCHES;
}

/* Returns the id of the name for a stack. The name for the stack of its callers must be known. */
static uint32_t find_name(struct pk_context *context, uint32_t index)
{
	const uint32_t base = pk_source_id(&context->stacks, 0);
	const struct pk_stack *stack =
		pk_dictionary_get_stack(pk_source_dictionary(&context->stacks), base + index);
	const struct pk_frame *frame =
		stack ? pk_dictionary_get_frame(pk_source_dictionary(&context->stacks),
						stack->frame)
		      : NULL;
	const uint32_t outer =
		stack && stack->parent ? context->parents->names[stack->parent - base] : 0;

	if (outer)
		return outer;
	if (!stack || pk_frame_kind(stack, frame) != PK_FRAME_IS_CODE || !frame->function)
		return 0;
	return matches(context, frame->function) ? frame->function : 0;
}

/* The stack of the callers is always defined before a stack, and has a smaller index. So the names
 * are found in the order of the indexes. */
static bool parent_key(struct pk_view *view, uint64_t *key)
{
	struct pk_context *context = view->context;
	struct pk_parents *parents = context->parents;
	const uint32_t index =
		pk_source_symbolized(&context->stacks) ? pk_view_stack(view) : PK_NO_STACK;

	*key = 0;
	if (index == PK_NO_STACK)
		return true;
	if (parents->epoch != context->epoch) {
		parents->epoch = context->epoch;
		parents->count = 0;
		pk_table_clear(&parents->verdicts);
	}
	if (index >= parents->count &&
	    pk_reserve(&parents->names, &parents->capacity, parents->count,
		       index + (size_t)1 - parents->count, sizeof(*parents->names)) != PK_OK) {
		context->failed = true;
		return false;
	}
	for (; parents->count <= index; parents->count++)
		parents->names[parents->count] = find_name(context, (uint32_t)parents->count);
	*key = parents->names[index];
	return true;
}

static const char *parent_text(struct pk_context *context, uint64_t key, size_t *size)
{
	static const char other[] = "[other]";
	const char *text = key ? pk_dictionary_get_string(pk_source_dictionary(&context->stacks),
							  (uint32_t)key, size)
			       : NULL;

	if (!text)
		*size = sizeof(other) - 1;
	return text ? text : other;
}

const struct pk_field pk_parent_field = {
	.name = "parent",
	.kind = PK_VALUE_TEXT,
	.needs = PK_NEED_STACKS | PK_NEED_CALLERS,
	.key = parent_key,
	.text = parent_text,
	.of_stack = true,
	.is_private = true,
	.about = "outermost function that matches --parent",
};

void pk_parents_free(struct pk_parents *parents)
{
	free(parents->names);
	pk_table_free(&parents->verdicts);
}
