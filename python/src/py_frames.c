// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include "frame_address.h"
#include "vector.h"

/* Limit for the number of frames in all cached stacks. It is needed because a few bytes of a stream
 * can define deep stacks. */
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

/* A frame of a callchain. `of` is its image, or the id of its frame in the dictionary. */
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

static PyObject *number_or_none(bool known, uint64_t number)
{
	return known ? PyLong_FromUnsignedLongLong(number) : py_none();
}

/* ---- One frame ---- */

struct parts {
	struct pk_frame_info info;
	bool has_ip, has_address;
	uint64_t ip, address, start; /* start is the start of the function, in the same address
				      * space as `address` */
};

static PyObject *frame_object(const struct parts *parts)
{
	const struct pk_frame_info *info = &parts->info;
	PyObject *frame = PyStructSequence_New(py_frame_type);
	PyObject *items[F_COUNT];

	if (!frame)
		return NULL;
	items[F_IP] = number_or_none(parts->has_ip, parts->ip);
	items[F_SYMBOL] = info->function ? py_text(info->function, info->function_size) : py_none();
	items[F_OFFSET] =
		number_or_none(parts->has_address && info->function, parts->address - parts->start);
	items[F_DSO] = text_or_none(info->dso);
	items[F_DSOFF] = number_or_none(parts->has_address && info->in_file, parts->address);
	items[F_INLINED] = PyBool_FromLong(info->inlined);
	items[F_FILE] = text_or_none(info->file);
	items[F_LINE] = number_or_none(info->file, info->line);
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
	const uint64_t secret = UINT64_C(0x9e3779b97f4a7c15); /* so that no factor is 0 */

	return pk_mix64(pk_mix64(address->of ^ secret, address->ip ^ ~secret) ^ secret,
			address->address ^ ~secret);
}

/* Returns a new reference, or NULL if the frame is not in the cache. */
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

/* Makes the frame, and adds it to the cache. Returns NULL if an exception is set. */
static PyObject *add_address(struct py_reader *reader, struct py_address address,
			     const struct parts *parts)
{
	PyObject *frame = frame_object(parts);

	if (!frame)
		return NULL;
	if (reader->addresses_count > ADDRESSES_MAX)
		forget_addresses(reader);
	address.frame = frame;
	if (pk_reserve(&reader->addresses, &reader->addresses_capacity, reader->addresses_count, 1,
		       sizeof(address)) != PK_OK ||
	    pk_table_set_u64(&reader->address_table, key_of(&address),
			     reader->addresses_count + 1) != PK_OK)
		return frame; /* the frame is not cached */
	Py_IncRef(frame);
	reader->addresses[reader->addresses_count++] = address;
	return frame;
}

/* Returns a frame of a stack, with its address in the callchain. */
static PyObject *frame_at(struct py_reader *reader, const struct pk_address_walk *at)
{
	const struct pk_context *context = &reader->profile.context;
	const struct pk_thread *thread = pk_view_thread(&reader->view);
	const struct pk_frame *frame = at->at.frame;
	struct py_address address = {.of = at->at.id, .ip = at->ip};
	struct parts parts = {.has_ip = true, .start = frame->symbol_start};
	PyObject *known;

	parts.has_address =
		thread && pk_frame_address(frame, at->at.dictionary, pk_context_session(context),
					   thread, at->ip, &parts.address);
	address.address = parts.has_address ? parts.address : UINT64_MAX;
	known = find_address(reader, &address);
	if (known)
		return known;
	parts.info = pk_frame_info(at->at.dictionary, frame);
	parts.ip = at->ip == PK_NO_ADDRESS ? frame->address : at->ip;
	return add_address(reader, address, &parts);
}

/* ---- Stacks of functions, which are shared ---- */

/* Returns a new reference to a frame of the dictionary. The frame is cached. */
static PyObject *shared_frame(struct py_reader *reader, const struct pk_stack_walk *at)
{
	const size_t index = at->id - pk_dictionary_frames(at->dictionary).base - 1;
	struct parts parts = {.has_address = !(at->frame->flags & PK_FRAME_FUNCTION),
			      .address = at->frame->address,
			      .start = at->frame->symbol_start};

	if (pk_extend(&reader->frames, &reader->frames_count, index) != PK_OK)
		return PyErr_NoMemory();
	if (!reader->frames[index]) {
		parts.info = pk_frame_info(at->dictionary, at->frame);
		reader->frames[index] = frame_object(&parts);
	}
	Py_XINCREF(reader->frames[index]);
	return reader->frames[index];
}

/* Appends item, and takes over its reference. Returns false if an exception is set. */
static bool append(PyObject *list, PyObject *item)
{
	const bool added = item && !PyList_Append(list, item);

	Py_XDECREF(item);
	return added;
}

/* Returns the list as a tuple, and releases the list. If `added` is false, an exception is set, and
 * the result is NULL. */
static PyObject *tuple_of(PyObject *list, bool added)
{
	PyObject *tuple = added ? PyList_AsTuple(list) : NULL;

	Py_XDECREF(list);
	return tuple;
}

static PyObject *make_stack(struct py_reader *reader, struct pk_stack_walk walk)
{
	PyObject *list = PyList_New(0);
	bool added = list;

	while (added && pk_stack_next(&walk))
		if (walk.kind != PK_FRAME_IS_CUT)
			added = append(list, shared_frame(reader, &walk));
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
	if (pk_extend(&reader->stacks, &reader->stacks_count, index) != PK_OK)
		return PyErr_NoMemory();
	stack = reader->stacks[index];
	if (!stack) {
		stack = make_stack(reader, pk_source_frames(&context->stacks, index));
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
		pk_session_locate(pk_context_session(&reader->profile.context), thread, ip, mode);
	const struct pk_image *image = location.image;
	const struct py_address address = {
		.of = (uintptr_t)image, .ip = ip, .address = location.address};
	const struct parts parts = {
		.info = {.dso = image ? image->name : NULL,
			 .in_file = image && image->kind != PK_DSO_KERNEL},
		.has_ip = true,
		.has_address = true,
		.ip = ip,
		.address = location.address,
	};
	PyObject *known = find_address(reader, &address);

	return known ? known : add_address(reader, address, &parts);
}

/* SPEC 5.3. Appends the frames of the chain's addresses. Leaves out context markers and the cookie
 * of a deferred callchain. Returns false if an exception is set. */
static bool append_addresses(struct py_reader *reader, PyObject *list, const struct pk_u64s *chain,
			     bool is_callchain)
{
	const struct pk_thread *thread = pk_view_thread(&reader->view);
	uint16_t mode = reader->record.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	bool added = true;

	/* A sample without a callchain keeps the unknown mode. Its own address is its only address.
	 */
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

/* Returns the frames of the callchain from the sample's stack. The first addresses of the callchain
 * can be missing in the stack. Frames for these addresses come first. */
static PyObject *callchain_of_stack(struct py_reader *reader, uint32_t id,
				    const struct pk_u64s *chain)
{
	struct pk_u64s inner;
	struct pk_address_walk walk =
		pk_callchain_walk(pk_source_dictionary(&reader->profile.context.stacks), id,
				  reader->view.record, chain, &inner);
	PyObject *list = PyList_New(0);
	bool added = list && append_addresses(reader, list, &inner, true);

	while (added && pk_address_next(&walk))
		if (walk.at.kind != PK_FRAME_IS_CUT)
			added = append(list, frame_at(reader, &walk));
	return tuple_of(list, added);
}

PyObject *py_sample_callchain(struct py_reader *reader)
{
	struct pk_context *context = &reader->profile.context;
	const struct pk_sample *sample = pk_view_sample(&reader->view);
	struct pk_u64s alone, chain;
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
	/* The chain has only the cookie of a user callchain that will be merged later. */
	if (!pk_chain_has_address(&chain))
		return PyTuple_New(0);
	return callchain_of_stack(reader, stack, &chain);
}
