// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <fnmatch.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "access_types.h"
#include "buffer.h"
#include "digits.h"
#include "field.h"
#include "frame_address.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "vector.h"

/* ---- Samples ---- */

const struct pk_sample *pk_view_sample(struct pk_view *view)
{
	if (view->decoded)
		return &view->sample;
	if (view->damaged || pk_sample_decode(view->event, view->record, &view->sample)) {
		view->damaged = true;
		return NULL;
	}
	view->decoded = true;
	return &view->sample;
}

uint32_t pk_view_stack(struct pk_view *view)
{
	struct pk_context *context = view->context;
	uint64_t without, undefined;

	if (view->has_stack)
		return view->stack;
	view->has_stack = true;
	without = context->without_stack;
	undefined = context->undefined_stack;
	if (pk_unlikely(pk_context_stack(context, view->record, &view->stack))) {
		view->stack = PK_NO_STACK;
		context->failed = true;
	}
	if (pk_unlikely(view->again)) {
		context->without_stack = without;
		context->undefined_stack = undefined;
	}
	return view->stack;
}

static const struct pk_thread *thread_of(struct pk_view *view)
{
	const uint16_t at = view->event->layout.tid;
	const struct perf_task *task = pk_record_task(view->record, at);

	if (!view->thread)
		view->thread =
			at ? pk_session_thread(view->context->session, task->pid, task->tid)
			   : pk_session_thread(view->context->session, UINT32_MAX, UINT32_MAX);
	view->context->failed |= !view->thread;
	return view->thread;
}

/* The definition of the sample's stack; NULL: the stream is not symbolized, or the sample has no
 * stack. */
static const struct pk_stack *stack_of(struct pk_view *view)
{
	const struct pk_dictionary *dictionary = view->context->dictionary;
	uint32_t index;

	if (!view->context->symbolized || !dictionary)
		return NULL;
	index = pk_view_stack(view);
	if (index == PK_NO_STACK)
		return NULL;
	return pk_dictionary_get_stack(dictionary,
				       pk_dictionary_stacks(dictionary).base + 1 + index);
}

/* The innermost frame of the stack. */
static const struct pk_frame *frame_of(struct pk_view *view)
{
	const struct pk_stack *stack = stack_of(view);

	return stack ? pk_dictionary_get_frame(view->context->dictionary, stack->frame) : NULL;
}

struct pk_location pk_view_location(struct pk_view *view)
{
	const struct pk_thread *thread = thread_of(view);
	const uint16_t at = view->event->layout.ip;

	if (!thread || !at)
		return (struct pk_location){0};
	return pk_session_locate(view->context->session, thread,
				 pk_load_u64(view->record->data + at),
				 view->record->misc & PERF_RECORD_MISC_CPUMODE_MASK);
}

/* Limit for nested inlined functions, far more than compilers nest. It limits the time of this
 * search, which is done for each stack. */
enum { INLINED_MAX = 1024 };

const struct pk_frame *pk_leaf_function(const struct pk_dictionary *dictionary, uint32_t id)
{
	const struct pk_stack *stack = pk_dictionary_get_stack(dictionary, id);
	const struct pk_frame *frame =
		stack ? pk_dictionary_get_frame(dictionary, stack->frame) : NULL;
	const uint64_t address = frame ? frame->address : 0;
	unsigned int hops = 0;

	while (frame && frame->flags & PK_FRAME_INLINED && frame->address == address &&
	       hops++ < INLINED_MAX) {
		stack = stack->parent ? pk_dictionary_get_stack(dictionary, stack->parent) : NULL;
		frame = stack ? pk_dictionary_get_frame(dictionary, stack->frame) : NULL;
	}
	if (!frame || frame->flags & (PK_FRAME_INLINED | PK_FRAME_COMM | PK_FRAME_TRUNCATED) ||
	    frame->address != address)
		return NULL;
	return frame;
}

/* The sample's own address; 0: the event has none. */
static uint64_t ip_of(const struct pk_view *view)
{
	const uint16_t at = view->event->layout.ip;

	return at ? pk_load_u64(view->record->data + at) : 0;
}

/* True if the callchain starts with the sample's own address, or if there is no callchain or it is
 * empty. */
static bool begins_at_ip(const struct pk_view *view)
{
	struct pk_u64s chain = {0};
	uint64_t i = 0, ip;

	if (pk_sample_callchain(view->event, view->record, &chain) < 0)
		return false;
	ip = pk_chain_next_ip(&chain, &i);
	return ip == UINT64_MAX || ip == ip_of(view);
}

/* True if the frame's address can be that of the sample. Fast path without the maps: maps consist
 * of pages, so the low 12 bits of both addresses must be equal. Generated code is not checked,
 * because jitdumps move code. */
static bool is_at(const struct pk_view *view, const struct pk_frame *frame)
{
	const uint16_t mode = view->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	const bool kernel =
		mode == PERF_RECORD_MISC_KERNEL || mode == PERF_RECORD_MISC_GUEST_KERNEL;

	if (!view->event->layout.ip || frame->flags & PK_FRAME_JIT)
		return true;
	return kernel == !!(frame->flags & PK_FRAME_KERNEL) &&
	       !((ip_of(view) ^ frame->address) & 0xfff);
}

const struct pk_frame *pk_view_function(struct pk_view *view, uint64_t *address)
{
	const struct pk_context *context = view->context;
	const uint32_t index = context->symbolized ? pk_view_stack(view) : PK_NO_STACK;
	const struct pk_frame *frame;
	struct pk_location location;

	if (index == PK_NO_STACK)
		return NULL;
	frame = pk_leaf_function(context->dictionary, context->defined.base + 1 + index);
	if (!frame || !begins_at_ip(view))
		return NULL;
	*address = frame->address;
	if (!(frame->flags & PK_FRAME_FUNCTION))
		return is_at(view, frame) ? frame : NULL;
	location = pk_view_location(view);
	*address = location.address;
	return location.address >= frame->symbol_start &&
			       pk_frame_has(frame, context->dictionary, &location)
		       ? frame
		       : NULL;
}

/* ---- Texts ---- */

static const char *with_size(const char *text, size_t *size)
{
	if (text)
		*size = strlen(text);
	return text;
}

/* The root of a stack has the thread's name. */
static bool comm_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_thread *thread;
	const struct pk_frame *frame;
	uint32_t index;

	if (!view->context->symbolized) {
		thread = thread_of(view);
		*key = thread ? thread->comm : 0;
		return thread;
	}
	index = view->context->dictionary ? pk_view_stack(view) : PK_NO_STACK;
	frame = index == PK_NO_STACK ? NULL : pk_context_root(view->context, index);
	if (!frame || !(frame->flags & PK_FRAME_COMM))
		return false;
	*key = frame->function;
	return true;
}

static const char *comm_text(struct pk_context *context, uint64_t key, size_t *size)
{
	if (context->symbolized)
		return pk_dictionary_get_string(context->dictionary, (uint32_t)key, size);
	return with_size(pk_session_comm(context->session, (uint32_t)key), size);
}

static bool event_key(struct pk_view *view, uint64_t *key)
{
	*key = view->counted->index;
	return true;
}

static const char *event_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const struct pk_event *event = pk_events_at(pk_reader_events(context->reader), key);

	return with_size(event ? event->name : NULL, size);
}

static bool mode_key(struct pk_view *view, uint64_t *key)
{
	*key = view->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	return true;
}

const char *pk_mode_name(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL: return "kernel";
	case PERF_RECORD_MISC_USER: return "user";
	case PERF_RECORD_MISC_HYPERVISOR: return "hypervisor";
	case PERF_RECORD_MISC_GUEST_KERNEL: return "guest_kernel";
	case PERF_RECORD_MISC_GUEST_USER: return "guest_user";
	default: return "unknown";
	}
}

static const char *mode_text(struct pk_context *context, uint64_t key, size_t *size)
{
	(void)context;
	return with_size(pk_mode_name((uint16_t)key), size);
}

static bool cgroup_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = sample->cgroup;
	return sample;
}

static const char *cgroup_text(struct pk_context *context, uint64_t key, size_t *size)
{
	return with_size(pk_session_cgroup(context->session, key), size);
}

static bool host_key(struct pk_view *view, uint64_t *key)
{
	*key = 0;
	return *pk_session_machine(view->context->session)->host;
}

static const char *host_text(struct pk_context *context, uint64_t key, size_t *size)
{
	(void)key;
	return with_size(pk_session_machine(context->session)->host, size);
}

/* A DSO of the dictionary, or an image of the session. */
static bool dso_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_frame *frame;
	const struct pk_image *image;

	if (view->context->symbolized) {
		frame = frame_of(view);
		*key = frame ? frame->dso : 0;
		return *key;
	}
	image = pk_view_location(view).image;
	*key = (uintptr_t)image;
	return image;
}

static const char *dso_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const struct pk_image *image = (const void *)(uintptr_t)key;
	const struct pk_dso *dso;

	if (!context->symbolized)
		return with_size(image->name, size);
	dso = pk_dictionary_get_dso(context->dictionary, (uint32_t)key);
	return dso ? pk_dictionary_get_string(context->dictionary, dso->path, size) : NULL;
}

static bool symbol_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_frame *frame = frame_of(view);

	if (frame)
		*key = frame->function;
	return frame;
}

/* A frame without a function has an empty name. */
static const char *symbol_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const char *text = pk_dictionary_get_string(context->dictionary, (uint32_t)key, size);

	if (!text)
		*size = 0;
	return text ? text : "";
}

/* The key of the source line of the innermost frame: the id of the file, and the line number. */
static bool srcline_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_frame *frame = frame_of(view);

	if (!frame || !frame->file)
		return false;
	*key = (uint64_t)frame->file << 32 | frame->line;
	return true;
}

static const char *srcline_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const char *path =
		pk_dictionary_get_string(context->dictionary, (uint32_t)(key >> 32), NULL);
	const char *slash = path ? strrchr(path, '/') : NULL;
	struct buffer *text = &context->text;

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

/* ---- Texts that are built ---- */

/* 0: out of memory. */
static uint32_t make_symbol_offset(struct pk_context *context, const struct pk_frame *frame,
				   uint64_t offset)
{
	struct buffer *text = &context->text;
	const char *name;
	size_t size;

	name = pk_dictionary_get_string(context->dictionary, frame->function, &size);
	text->size = 0;
	buffer_add(text, name, size);
	buffer_text(text, "+0x");
	buffer_hex(text, offset, 0);
	return text->failed ? 0 : pk_texts_add(&context->texts, text->data, text->size);
}

static bool symoff_key(struct pk_view *view, uint64_t *key)
{
	struct pk_context *context = view->context;
	uint64_t address;
	const struct pk_frame *frame = pk_view_function(view, &address);

	if (!frame || !frame->function || address < frame->symbol_start)
		return false;
	*key = make_symbol_offset(context, frame, address - frame->symbol_start);
	context->failed |= !*key;
	return *key;
}

static const char *symoff_text(struct pk_context *context, uint64_t key, size_t *size)
{
	return pk_texts_get(&context->texts, (uint32_t)key, size);
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
	return pk_access_types_text(context->access_types, (uint32_t)key, size);
}

#define typeoff_text type_text

/* ---- Numbers without a fixed offset ---- */

static bool cgroup_id_key(struct pk_view *view, uint64_t *key)
{
	return cgroup_key(view, key);
}

static bool parallelism_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_context *context = view->context;
	const uint16_t at = view->event->layout.tid;

	if (!at || !context->parallelism.seen)
		return false;
	*key = pk_parallelism_of(&context->parallelism, pk_record_task(view->record, at)->pid);
	return true;
}

/* The start of a span: the time of the sample minus the event's field "duration". */
static bool start_key(struct pk_view *view, uint64_t *key)
{
	struct pk_context *context = view->context;
	const struct pk_binding *duration = pk_column_bind(context->duration, context, view->event);
	const uint16_t at = view->event->layout.time;
	__int128 number;

	context->failed |= !duration;
	if (!at || !duration || !pk_view_number(view, duration, &number))
		return false;
	*key = pk_load_u64(view->record->data + at) - (uint64_t)number;
	return true;
}

static bool id_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_layout *layout = &view->event->layout;
	const uint16_t at = layout->identifier ? layout->identifier : layout->id;

	if (at)
		*key = pk_load_u64(view->record->data + at);
	return at;
}

/* Without PERF_SAMPLE_PERIOD: events with a fixed period have it in the attr. */
static bool period_key(struct pk_view *view, uint64_t *key)
{
	*key = view->event->attr.sample_period;
	return !(view->event->attr.flags & PERF_ATTR_FREQ);
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

static bool weight_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = view->event->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT
			       ? (uint32_t)sample->weight
			       : sample->weight;
	return sample;
}

static bool ins_lat_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = sample->weight >> 32 & 0xffff;
	return sample;
}

static bool retire_lat_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = sample->weight >> 48;
	return sample;
}

static bool typecln_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_accessed *accessed = pk_view_accessed(view);

	if (accessed)
		*key = accessed->line;
	return accessed;
}

#define DECODED(field)                                                                             \
	static bool field##_key(struct pk_view *view, uint64_t *key)                               \
	{                                                                                          \
		const struct pk_sample *sample = pk_view_sample(view);                             \
                                                                                                   \
		if (sample)                                                                        \
			*key = sample->field;                                                      \
		return sample;                                                                     \
	}

DECODED(phys_addr)
DECODED(data_src)
DECODED(data_page_size)
DECODED(code_page_size)
DECODED(transaction)

/* ---- The table ---- */

#define PLACED(member, after, bytes)                                                               \
	.layout = offsetof(struct pk_layout, member), .offset = (after), .size = (bytes)
#define TEXT(name)	    .kind = PK_VALUE_TEXT, .key = name##_key, .text = name##_text
#define NUMBER(name, shown) .kind = (shown), .key = name##_key

static const struct pk_field fields[] = {
	{"pid", NULL, PK_VALUE_INT, PLACED(tid, 0, 4), .about = "process"},
	{"tid", NULL, PK_VALUE_INT, PLACED(tid, 4, 4), .about = "thread"},
	{"comm", NULL, TEXT(comm), .needs = PK_NEED_NAMES, .is_private = true, .of_stack = true,
	 .about = "name of the thread"},
	{"cpu", NULL, PK_VALUE_INT, PLACED(cpu, 0, 4), .about = "processor"},
	{"time", NULL, PK_VALUE_TIME, PLACED(time, 0, 8),
	 .about = "nanoseconds of the recording's clock"},
	{"event", NULL, TEXT(event), .needs = PK_NEED_FORMATS, .is_private = true,
	 .about = "name of the event"},
	{"period", NULL, NUMBER(period, PK_VALUE_NUMBER), PLACED(period, 0, 8),
	 .about = "number of events that the sample stands for"},
	{"mode", NULL, TEXT(mode),
	 .about = "user, kernel, hypervisor, guest_user, guest_kernel or unknown"},
	{"dso", NULL, TEXT(dso), .needs = PK_NEED_NAMES, .is_private = true, .of_stack = true,
	 .about = "object of the innermost frame: its path"},
	{"symbol", "sym", TEXT(symbol), .needs = PK_NEED_STACKS, .is_private = true,
	 .of_stack = true, .about = "function of the innermost frame"},
	{"symoff", NULL, TEXT(symoff), .needs = PK_NEED_STACKS | PK_NEED_TASKS, .is_private = true,
	 .about = "innermost function that is not inlined, and the offset in it: main+0x1c"},
	{"type", NULL, TEXT(type), .needs = PK_NEED_CODE, .is_private = true,
	 .about = "data type of the memory that the instruction accesses"},
	{"typeoff", NULL, TEXT(typeoff), .needs = PK_NEED_CODE, .is_private = true,
	 .about = "that type, the offset in it, and the member: struct foo +0x10 (list.next)"},
	{"typecln", NULL, NUMBER(typecln, PK_VALUE_NUMBER), .needs = PK_NEED_CODE,
	 .about = "cache line of 64 bytes, counted from 0, within that type"},
	{"stack", NULL, TEXT(symbol), .needs = PK_NEED_STACKS, .is_private = true, .of_stack = true,
	 .about = "in conditions: the function of any frame"},
	{"srcline", NULL, TEXT(srcline), .needs = PK_NEED_STACKS, .is_private = true,
	 .about = "file and line of the innermost frame"},
	{"cgroup_id", NULL, NUMBER(cgroup_id, PK_VALUE_NUMBER), .sample_bits = PERF_SAMPLE_CGROUP,
	 .about = "number of the control group"},
	{"parallelism", NULL, NUMBER(parallelism, PK_VALUE_NUMBER), .needs = PK_NEED_PARALLELISM,
	 .about =
		 "running threads of the process, the sampled one included, from context switches"},
	{"start", NULL, NUMBER(start, PK_VALUE_TIME), .needs = PK_NEED_FORMATS,
	 .about = "start of a span in nanoseconds: its time minus its duration"},
	{"cgroup", NULL, TEXT(cgroup), .sample_bits = PERF_SAMPLE_CGROUP, .is_private = true,
	 .about = "path of the control group"},
	{"host", NULL, TEXT(host), .is_private = true, .about = "name of the recorded machine"},
	{"ip", NULL, PK_VALUE_HEX, PLACED(ip, 0, 8), .is_private = true,
	 .about = "address of the instruction"},
	{"addr", NULL, PK_VALUE_HEX, PLACED(addr, 0, 8), .is_private = true,
	 .about = "address of the data"},
	{"phys_addr", NULL, NUMBER(phys_addr, PK_VALUE_HEX), .sample_bits = PERF_SAMPLE_PHYS_ADDR,
	 .is_private = true, .about = "physical address of the data"},
	{"data_src", NULL, NUMBER(data_src, PK_VALUE_HEX), .sample_bits = PERF_SAMPLE_DATA_SRC,
	 .about = "where the data came from, as bits of perf_mem_data_src"},
	{"data_page_size", NULL, NUMBER(data_page_size, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_DATA_PAGE_SIZE, .about = "size of the data's page in bytes"},
	{"code_page_size", NULL, NUMBER(code_page_size, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_CODE_PAGE_SIZE, .about = "size of the code's page in bytes"},
	{"weight", "local_weight", NUMBER(weight, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT,
	 .about = "weight of a memory access, given by the processor: usually cycles"},
	{"ins_lat", "local_ins_lat", NUMBER(ins_lat, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_WEIGHT_STRUCT, .about = "cycles of the instruction"},
	{"retire_lat", "local_retire_lat", NUMBER(retire_lat, PK_VALUE_NUMBER),
	 .sample_bits = PERF_SAMPLE_WEIGHT_STRUCT, .about = "cycles until the instruction retired"},
	{"transaction", NULL, NUMBER(transaction, PK_VALUE_HEX),
	 .sample_bits = PERF_SAMPLE_TRANSACTION, .about = "bits of a hardware transaction"},
	{"id", NULL, NUMBER(id, PK_VALUE_NUMBER), .about = "number of the counter"},
	{"depth", NULL, NUMBER(depth, PK_VALUE_NUMBER), .sample_bits = PERF_SAMPLE_CALLCHAIN,
	 .about = "number of addresses in the callchain; 0 if it is empty"},
};

const struct pk_field *pk_field_at(size_t index)
{
	return index < sizeof(fields) / sizeof(fields[0]) ? &fields[index] : NULL;
}

static bool is_called(const char *name, const char *text, size_t size)
{
	return name && strlen(name) == size && !memcmp(name, text, size);
}

const struct pk_field *pk_field_find(const char *name, size_t size)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (is_called(fields[i].name, name, size) || is_called(fields[i].alias, name, size))
			return &fields[i];
	return NULL;
}

/* ---- References ---- */

bool pk_reference_parse(struct pk_reference *reference, const char *text, size_t size)
{
	const char *dot = memrchr(text, '.', size);
	size_t before = dot ? (size_t)(dot - text) : 0;

	*reference = (struct pk_reference){.field = pk_field_find(text, size)};
	if (reference->field)
		return true;
	if (dot && !(before == 5 && !memcmp(text, "trace", 5))) {
		reference->event = strndup(text, before);
		if (!reference->event)
			return false;
	}
	if (dot) {
		size -= before + 1;
		text = dot + 1;
	}
	reference->name = strndup(text, size);
	if (!reference->name)
		pk_reference_free(reference);
	return reference->name;
}

void pk_reference_free(struct pk_reference *reference)
{
	free(reference->event);
	free(reference->name);
	*reference = (struct pk_reference){0};
}

unsigned int pk_reference_needs(const struct pk_reference *reference)
{
	return reference->field ? reference->field->needs : PK_NEED_FORMATS;
}

static bool fits(const char *pattern, const char *name)
{
	return !strcmp(pattern, name) || !fnmatch(pattern, name, 0);
}

bool pk_event_is_called(const struct pk_event *event, const char *pattern)
{
	const char *colon = strchr(event->name, ':');

	if (fits(pattern, event->name))
		return true;
	return event->attr.type == PERF_TYPE_TRACEPOINT && colon && !strchr(pattern, ':') &&
	       fits(pattern, colon + 1);
}

/* ---- Bindings ---- */

enum pk_value_kind pk_trace_field_kind(const struct pk_tracepoint_field *field)
{
	if (field->is_string)
		return PK_VALUE_TEXT;
	if (field->is_array)
		return PK_VALUE_NONE;
	if (field->is_pointer)
		return PK_VALUE_HEX;
	return field->is_signed ? PK_VALUE_SIGNED : PK_VALUE_NUMBER;
}

static struct pk_binding bind_in_event(const struct pk_context *context,
				       const struct pk_reference *reference,
				       const struct pk_event *event)
{
	struct pk_binding binding = {.kind = PK_VALUE_NONE};

	if (reference->event && !pk_event_is_called(event, reference->event))
		return binding;
	if (event->attr.type == PERF_TYPE_TRACEPOINT && context->tracepoints)
		binding.tracepoint = pk_tracepoints_find(context->tracepoints, event->attr.config);
	if (binding.tracepoint)
		binding.trace = pk_tracepoint_find_field(binding.tracepoint, reference->name);
	if (binding.trace) {
		binding.kind = pk_trace_field_kind(binding.trace);
		return binding;
	}
	binding.argument = pk_argument_find(event, reference->name);
	if (binding.argument)
		binding.kind = binding.argument->flags & PK_ARGUMENT_SIGNED ? PK_VALUE_SIGNED
									    : PK_VALUE_NUMBER;
	return binding;
}

struct pk_binding pk_bind(const struct pk_context *context, const struct pk_reference *reference,
			  const struct pk_event *event)
{
	const struct pk_field *field = reference->field;
	struct pk_binding binding = {.field = field};

	if (!field)
		return bind_in_event(context, reference, event);
	if (field->sample_bits && !(event->attr.sample_type & field->sample_bits))
		return binding;
	if (field->needs & PK_NEED_CODE && !context->access_types)
		return binding;
	if (field->size) {
		memcpy(&binding.at, (const uint8_t *)&event->layout + field->layout,
		       sizeof(binding.at));
		if (binding.at)
			binding.at = (uint16_t)(binding.at + field->offset);
	}
	if (binding.at || field->key)
		binding.kind = field->kind;
	return binding;
}

/* ---- Values ---- */

static bool trace_number(struct pk_view *view, const struct pk_binding *binding, uint64_t *value)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (!sample)
		return false;
	if (binding->argument)
		return pk_argument_get(view->event, binding->argument, sample, value);
	return pk_tracepoint_number(binding->tracepoint, binding->trace, &sample->raw, value);
}

static bool trace_text(struct pk_view *view, const struct pk_binding *binding,
		       struct pk_bytes *text)
{
	const struct pk_sample *sample = pk_view_sample(view);

	return sample &&
	       pk_tracepoint_bytes(binding->tracepoint, binding->trace, &sample->raw, text);
}

static bool number_key(struct pk_view *view, const struct pk_binding *binding, uint64_t *key)
{
	if (pk_likely(binding->at)) {
		const uint8_t *at = view->record->data + binding->at;

		*key = binding->field->size == 4 ? (uint64_t)(int32_t)pk_load_u32(at)
						 : pk_load_u64(at);
		return true;
	}
	if (binding->field)
		return binding->field->key(view, key);
	return trace_number(view, binding, key);
}

bool pk_view_key(struct pk_view *view, const struct pk_binding *binding, uint64_t *key)
{
	struct pk_bytes text;

	if (binding->kind == PK_VALUE_NONE)
		return false;
	if (binding->kind != PK_VALUE_TEXT || binding->field)
		return number_key(view, binding, key);
	if (!trace_text(view, binding, &text))
		return false;
	*key = pk_texts_add(&view->context->texts, (const char *)text.data, text.size);
	view->context->failed |= !*key;
	return *key;
}

bool pk_view_number(struct pk_view *view, const struct pk_binding *binding, __int128 *number)
{
	uint64_t key;

	if (binding->kind == PK_VALUE_NONE || binding->kind == PK_VALUE_TEXT ||
	    !number_key(view, binding, &key))
		return false;
	if (binding->kind == PK_VALUE_SIGNED || binding->kind == PK_VALUE_INT)
		*number = (int64_t)key;
	else
		*number = key;
	return true;
}

const char *pk_key_text(struct pk_context *context, const struct pk_binding *binding, uint64_t key,
			size_t *size)
{
	if (binding->field)
		return binding->field->text(context, key, size);
	return pk_texts_get(&context->texts, (uint32_t)key, size);
}

bool pk_view_text(struct pk_view *view, const struct pk_binding *binding, struct pk_bytes *text)
{
	const char *found;
	uint64_t key;
	size_t size;

	if (binding->kind != PK_VALUE_TEXT)
		return false;
	if (!binding->field)
		return trace_text(view, binding, text);
	if (!binding->field->key(view, &key))
		return false;
	found = binding->field->text(view->context, key, &size);
	if (found)
		*text = (struct pk_bytes){(const uint8_t *)found, size};
	return found;
}

size_t pk_number_text(enum pk_value_kind kind, uint64_t key, char text[PK_VALUE_SIZE])
{
	char *end;

	switch (kind) {
	case PK_VALUE_HEX:
		memcpy(text, "0x", 2);
		end = digits_hex(text + 2, key, 0);
		break;
	case PK_VALUE_SIGNED:
	case PK_VALUE_INT: end = digits_signed(text, (int64_t)key, 0); break;
	default: end = digits_decimal(text, key, 0);
	}
	return (size_t)(end - text);
}

/* ---- Columns ---- */

static void forget(struct pk_column *column)
{
	free(column->bindings);
	free(column->bound);
	column->bindings = NULL;
	column->bound = NULL;
	column->bindings_count = column->bound_count = 0;
}

const struct pk_binding *pk_column_bind(struct pk_column *column, const struct pk_context *context,
					const struct pk_event *event)
{
	if (pk_unlikely(column->epoch != context->epoch)) {
		forget(column);
		column->epoch = context->epoch;
	}
	if (!pk_extend(&column->bindings, &column->bindings_count, event->index) ||
	    !pk_extend(&column->bound, &column->bound_count, event->index))
		return NULL;
	if (pk_unlikely(!column->bound[event->index])) {
		column->bindings[event->index] = pk_bind(context, &column->reference, event);
		column->bound[event->index] = true;
		column->found |= column->bindings[event->index].kind != PK_VALUE_NONE;
	}
	return &column->bindings[event->index];
}

void pk_column_free(struct pk_column *column)
{
	forget(column);
	pk_reference_free(&column->reference);
}
