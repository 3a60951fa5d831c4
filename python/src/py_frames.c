// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include "frame_address.h"
#include "vector.h"

/* Limit for the frames in all cached stacks: a stream of some bytes can define deep stacks. */
#define STACKED_MAX ((size_t)4 << 20)

enum { F_IP, F_SYMBOL, F_OFFSET, F_DSO, F_DSOFF, F_INLINED, F_FILE, F_LINE, F_COUNT };

static PyStructSequence_Field frame_fields[] = {
	{"ip", "address in the callchain; None in a stack, whose frames are functions"},
	{"symbol", "function, or None"},
	{"offset", "bytes from the start of the symbol, or None"},
	{"dso", "path of the object, or None"},
	{"dsoff", "address in the object, or None"},
	{"inlined", "whether the function is inlined into that of the next frame"},
	{"file", "source file, or None"},
	{"line", "line in that file, or None"},
	{NULL, NULL},
};

bool py_frame_type_create(void)
{
	PyStructSequence_Desc description = {"pkstream.Frame", "A frame of a stack.", frame_fields,
					     F_COUNT};

	py_frame_type = PyStructSequence_NewType(&description);
	return py_frame_type;
}

/* A frame of a callchain: of is its image, or the id of its frame in the dictionary. */
struct py_address {
	uint64_t of, ip, address;
	PyObject *frame;
};

#define ADDRESSES_MAX ((size_t)1 << 20)

static void forget_addresses(struct py_reader *self)
{
	for (size_t i = 0; i < self->addresses_count; i++)
		Py_DECREF(self->addresses[i].frame);
	self->addresses_count = 0;
	pk_table_clear(&self->address_table);
}

void py_frames_forget(struct py_reader *self)
{
	forget_addresses(self);
	for (size_t i = 0; i < self->stacks_count; i++)
		Py_CLEAR(self->stacks[i]);
	for (size_t i = 0; i < self->frames_count; i++)
		Py_CLEAR(self->frames[i]);
	self->stacked = 0;
}

static PyObject *text_or_none(const char *text)
{
	return text ? py_text(text, strlen(text)) : py_none();
}

/* ---- One frame ---- */

struct parts {
	bool has_ip, has_offset, has_address, inlined;
	uint64_t ip, offset, address;
	const char *function, *dso, *file;
	size_t function_size;
	uint32_t line;
};

static PyObject *frame_object(const struct parts *parts)
{
	PyObject *frame = PyStructSequence_New(py_frame_type);
	PyObject *items[F_COUNT];

	if (!frame)
		return NULL;
	items[F_IP] = parts->has_ip ? PyLong_FromUnsignedLongLong(parts->ip) : py_none();
	items[F_SYMBOL] =
		parts->function ? py_text(parts->function, parts->function_size) : py_none();
	items[F_OFFSET] =
		parts->has_offset ? PyLong_FromUnsignedLongLong(parts->offset) : py_none();
	items[F_DSO] = text_or_none(parts->dso);
	items[F_DSOFF] =
		parts->has_address ? PyLong_FromUnsignedLongLong(parts->address) : py_none();
	items[F_INLINED] = PyBool_FromLong(parts->inlined);
	items[F_FILE] = text_or_none(parts->file);
	items[F_LINE] = parts->file ? PyLong_FromUnsignedLong(parts->line) : py_none();
	for (int i = 0; i < F_COUNT; i++)
		PyStructSequence_SetItem(frame, i, items[i]);
	if (!PyErr_Occurred())
		return frame;
	Py_DECREF(frame);
	return NULL;
}

/* ---- A cache of the frames of callchains ---- */

static uint64_t key_of(const struct py_address *address)
{
	const uint64_t secret = UINT64_C(0x9e3779b97f4a7c15); /* no factor is 0 */

	return pk_mix64(pk_mix64(address->of ^ secret, address->ip ^ ~secret) ^ secret,
			address->address ^ ~secret);
}

/* A new reference, or NULL: not in the cache. */
static PyObject *find_address(struct py_reader *reader, const struct py_address *wanted)
{
	const uint64_t index = pk_table_get_u64(&reader->address_table, key_of(wanted));
	const struct py_address *known = index ? &reader->addresses[index - 1] : NULL;

	if (!known || known->of != wanted->of || known->ip != wanted->ip ||
	    known->address != wanted->address)
		return NULL;
	Py_IncRef(known->frame);
	return known->frame;
}

/* Makes the frame, and adds it to the cache. NULL: an exception is set. */
static PyObject *add_address(struct py_reader *reader, struct py_address address,
			     const struct parts *parts)
{
	PyObject *frame = frame_object(parts);

	if (!frame)
		return NULL;
	if (reader->addresses_count > ADDRESSES_MAX)
		forget_addresses(reader);
	address.frame = frame;
	if (!pk_reserve(&reader->addresses, &reader->addresses_capacity, reader->addresses_count, 1,
			sizeof(address)) ||
	    !pk_table_set_u64(&reader->address_table, key_of(&address),
			      reader->addresses_count + 1))
		return frame; /* not cached */
	Py_IncRef(frame);
	reader->addresses[reader->addresses_count++] = address;
	return frame;
}

/* The name of the object of a resolved kernel address outside of all maps. */
static const char *kernel_beyond(uint32_t flags, const char *function)
{
	return flags == PK_FRAME_KERNEL && function ? "[kernel.kallsyms]" : NULL;
}

static struct parts parts_of_frame(const struct pk_dictionary *dictionary,
				   const struct pk_frame *frame)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(dictionary, frame->dso);
	struct parts parts = {.inlined = frame->flags & PK_FRAME_INLINED, .line = frame->line};

	parts.function =
		pk_dictionary_get_string(dictionary, frame->function, &parts.function_size);
	parts.dso = dso ? pk_dictionary_get_string(dictionary, dso->path, NULL)
			: kernel_beyond(frame->flags, parts.function);
	parts.file = pk_dictionary_get_string(dictionary, frame->file, NULL);
	if (frame->flags & PK_FRAME_FUNCTION)
		return parts;
	parts.has_offset = parts.function;
	parts.offset = frame->address - frame->symbol_start;
	parts.has_address = dso && dso->kind != PK_DSO_KERNEL;
	parts.address = frame->address;
	return parts;
}

/* The frame for an address of the callchain; ip UINT64_MAX: the chain has no more addresses. */
static PyObject *frame_at(struct py_reader *reader, uint32_t id, const struct pk_frame *frame,
			  uint64_t ip)
{
	const struct pk_context *context = &reader->profile.context;
	const struct pk_thread *thread = pk_view_thread(&reader->view);
	struct py_address address = {.of = id, .ip = ip, .address = UINT64_MAX};
	struct pk_location location;
	const struct pk_dso *dso;
	struct parts parts;
	PyObject *known;

	if (frame->flags & PK_FRAME_FUNCTION && ip != UINT64_MAX && thread) {
		location = pk_frame_locate(frame, context->session, thread, ip);
		if (pk_frame_has(frame, pk_source_dictionary(&context->stacks), &location))
			address.address = location.address;
	}
	known = find_address(reader, &address);
	if (known)
		return known;
	parts = parts_of_frame(pk_source_dictionary(&context->stacks), frame);
	parts.has_ip = true;
	parts.ip = ip == UINT64_MAX ? frame->address : ip;
	if (address.address != UINT64_MAX) {
		dso = pk_dictionary_get_dso(pk_source_dictionary(&context->stacks), frame->dso);
		parts.has_offset = parts.function;
		parts.offset = address.address - frame->symbol_start;
		parts.has_address = dso && dso->kind != PK_DSO_KERNEL;
		parts.address = address.address;
	}
	return add_address(reader, address, &parts);
}

/* ---- Stacks of functions, which are shared ---- */

/* The frame with this id of the dictionary, cached. A new reference. */
static PyObject *shared_frame(struct py_reader *reader, uint32_t id, const struct pk_frame *frame)
{
	const struct pk_dictionary *dictionary =
		pk_source_dictionary(&reader->profile.context.stacks);
	const size_t index = id - pk_dictionary_frames(dictionary).base - 1;
	struct parts parts;

	if (!pk_extend(&reader->frames, &reader->frames_count, index))
		return PyErr_NoMemory();
	if (!reader->frames[index]) {
		parts = parts_of_frame(dictionary, frame);
		reader->frames[index] = frame_object(&parts);
	}
	Py_XINCREF(reader->frames[index]);
	return reader->frames[index];
}

/* The next frame from *id on that is neither a comm nor a marker; advances *id to its caller. NULL:
 * none. */
static const struct pk_frame *next_frame(const struct pk_dictionary *dictionary, uint32_t *id,
					 uint32_t *frame_id)
{
	const struct pk_stack *stack;
	const struct pk_frame *frame;

	while ((stack = pk_dictionary_get_stack(dictionary, *id))) {
		frame = pk_dictionary_get_frame(dictionary, stack->frame);
		if (!frame || (frame->flags & PK_FRAME_COMM && !stack->parent))
			return NULL;
		*frame_id = stack->frame;
		*id = stack->parent;
		if (!(frame->flags & PK_FRAME_TRUNCATED))
			return frame;
	}
	return NULL;
}

/* Appends item, whose reference it takes. False: an exception is set. */
static bool append(PyObject *list, PyObject *item)
{
	const bool added = item && !PyList_Append(list, item);

	Py_XDECREF(item);
	return added;
}

/* The list as a tuple; drops the list. added false: an exception is set. */
static PyObject *tuple_of(PyObject *list, bool added)
{
	PyObject *tuple = added ? PyList_AsTuple(list) : NULL;

	Py_XDECREF(list);
	return tuple;
}

static PyObject *make_stack(struct py_reader *reader, uint32_t id)
{
	const struct pk_dictionary *dictionary =
		pk_source_dictionary(&reader->profile.context.stacks);
	const struct pk_frame *frame;
	PyObject *list = PyList_New(0);
	bool added = list;
	uint32_t frame_id;

	while (added && (frame = next_frame(dictionary, &id, &frame_id)))
		added = append(list, shared_frame(reader, frame_id, frame));
	return tuple_of(list, added);
}

PyObject *py_sample_stack(struct py_reader *reader)
{
	struct pk_context *context = &reader->profile.context;
	uint32_t index;
	PyObject *stack;

	if (!pk_source_symbolized(&context->stacks))
		return py_sample_callchain(reader);
	index = pk_view_stack(&reader->view);
	if (index == PK_NO_STACK)
		return context->failed ? PyErr_NoMemory() : PyTuple_New(0);
	if (reader->stacked > STACKED_MAX)
		py_frames_forget(reader);
	if (!pk_extend(&reader->stacks, &reader->stacks_count, index))
		return PyErr_NoMemory();
	stack = reader->stacks[index];
	if (!stack) {
		stack = make_stack(reader, pk_source_id(&context->stacks, index));
		reader->stacks[index] = stack;
		reader->stacked += stack ? (size_t)PyTuple_Size(stack) : 0;
	}
	Py_XINCREF(stack);
	return stack;
}

/* ---- The callchain of a sample ---- */

static PyObject *frame_of_address(struct py_reader *reader, const struct pk_thread *thread,
				  uint64_t ip, uint16_t mode)
{
	const struct pk_location location =
		pk_session_locate(reader->profile.context.session, thread, ip, mode);
	const struct pk_image *image = location.image;
	const struct py_address address = {
		.of = (uintptr_t)image, .ip = ip, .address = location.address};
	const struct parts parts = {.has_ip = true,
				    .ip = ip,
				    .dso = image ? image->name : NULL,
				    .has_address = image && image->kind != PK_DSO_KERNEL,
				    .address = location.address};
	PyObject *known = find_address(reader, &address);

	return known ? known : add_address(reader, address, &parts);
}

/* SPEC 5.3: appends the addresses of the chain, without context markers and the cookie of a
 * deferred half. False: an exception is set. */
static bool append_addresses(struct py_reader *reader, PyObject *list, const struct pk_u64s *chain,
			     bool is_callchain)
{
	const struct pk_thread *thread = pk_view_thread(&reader->view);
	uint16_t mode = reader->record.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool added = true;

	/* Not for a sample without a callchain, whose only address is its own. */
	if (mode == PERF_RECORD_MISC_CPUMODE_UNKNOWN && is_callchain)
		mode = PERF_RECORD_MISC_USER;
	for (uint64_t i = 0; added && i < chain->count; i++) {
		const uint64_t ip = pk_u64s_at(chain, i);

		if (ip == PERF_CONTEXT_USER_DEFERRED)
			i++;
		else if (ip >= PERF_CONTEXT_MAX)
			mode = pk_context_mode(ip, mode);
		else
			added = append(list, frame_of_address(reader, thread, ip, mode));
	}
	return added;
}

static PyObject *callchain_of_addresses(struct py_reader *reader, const struct pk_u64s *chain,
					bool is_callchain)
{
	PyObject *list = PyList_New(0);

	return tuple_of(list, list && append_addresses(reader, list, chain, is_callchain));
}

/* The rest of the callchain from entry i on, with the frames of the stack `id`. */
static bool append_stack(struct py_reader *reader, PyObject *list, uint32_t id,
			 const struct pk_u64s *chain, uint64_t i)
{
	const struct pk_dictionary *dictionary =
		pk_source_dictionary(&reader->profile.context.stacks);
	uint64_t ip = pk_chain_next_ip(chain, &i);
	const struct pk_frame *frame;
	bool added = true;
	uint32_t frame_id;

	while (added && (frame = next_frame(dictionary, &id, &frame_id))) {
		added = append(list, frame_at(reader, frame_id, frame, ip));
		if (!(frame->flags & PK_FRAME_INLINED))
			ip = pk_chain_next_ip(chain, &i);
	}
	return added;
}

/* The callchain starts elsewhere than the stack if the sample's own address does. */
static PyObject *callchain_of_stack(struct py_reader *reader, uint32_t id,
				    const struct pk_u64s *chain)
{
	const struct pk_dictionary *dictionary =
		pk_source_dictionary(&reader->profile.context.stacks);
	const struct pk_view *view = &reader->view;
	PyObject *list = PyList_New(0);
	struct pk_u64s inner = *chain;
	struct pk_addresses addresses;
	const struct pk_frame *frame;
	int64_t count = 0;
	uint64_t i = 0;
	uint32_t frame_id;
	bool added = list;

	if (!pk_sample_addresses(view->event, view->record, &addresses))
		count = pk_chain_inner(&addresses, dictionary, id);
	if (count < 0)
		while ((frame = next_frame(dictionary, &id, &frame_id)) &&
		       frame->flags & PK_FRAME_INLINED)
			;
	for (; count > 0; count--)
		pk_chain_next_ip(chain, &i);
	inner.count = i;
	added = added && append_addresses(reader, list, &inner, true) &&
		append_stack(reader, list, id, chain, i);
	return tuple_of(list, added);
}

PyObject *py_sample_callchain(struct py_reader *reader)
{
	struct pk_context *context = &reader->profile.context;
	const struct pk_sample *sample = pk_view_sample(&reader->view);
	struct pk_u64s alone, chain;
	uint64_t i = 0;
	uint32_t stack;
	bool bare;

	if (!sample)
		return NULL;
	bare = pk_chain_is_bare(&sample->callchain);
	alone = (struct pk_u64s){(const uint8_t *)&sample->ip, 1};
	chain = bare ? alone : sample->callchain;
	stack = pk_source_symbolized(&context->stacks)
			? pk_stack_trailer(reader->record.data, reader->record.size)
			: 0;
	if (!stack)
		return reader->view.event->attr.sample_type &
				       (PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN)
			       ? callchain_of_addresses(reader, &chain, !bare)
			       : NULL;
	/* Only the cookie of a half that is merged later */
	if (pk_chain_next_ip(&chain, &i) == PK_NO_ADDRESS)
		return PyTuple_New(0);
	return callchain_of_stack(reader, stack, &chain);
}
