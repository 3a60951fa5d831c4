// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

/* ---- Samples and records are views of the reader's current record ---- */

PyObject *py_current_new(struct py_reader *reader, PyTypeObject *type)
{
	struct py_current *self = (struct py_current *)PyType_GenericAlloc(type, 0);

	if (!self)
		return NULL;
	Py_IncRef((PyObject *)reader);
	self->reader = reader;
	self->serial = reader->serial;
	return (PyObject *)self;
}

void py_current_dealloc(PyObject *object)
{
	struct py_current *self = (struct py_current *)object;
	PyTypeObject *type = Py_TYPE(object);

	Py_XDECREF(self->fields);
	Py_DECREF((PyObject *)self->reader);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
	Py_DECREF(type);
}

bool py_current_check(const struct py_current *self)
{
	if (pk_likely(self->serial == self->reader->serial))
		return true;
	PyErr_SetString(py_stale_error,
			"the reader has advanced: read the values of a sample or record before, "
			"or keep its asdict()");
	return false;
}

/* Adds ", NAME=VALUE" to *text, unless the object has no such value. Returns false if an exception
 * is set. */
static bool add_to_repr(PyObject **text, PyObject *object, const char *name, bool first)
{
	PyObject *value = PyObject_GetAttrString(object, name), *longer;

	if (!value && PyErr_ExceptionMatches(PyExc_AttributeError)) {
		PyErr_Clear();
		return true;
	}
	if (!value || value == Py_None) {
		Py_XDECREF(value);
		return !PyErr_Occurred();
	}
	longer = PyUnicode_FromFormat("%U%s%s=%R", *text, first ? "" : ", ", name, value);
	Py_DECREF(value);
	if (!longer)
		return false;
	Py_DECREF(*text);
	*text = longer;
	return true;
}

PyObject *py_current_repr(PyObject *object, const char *type, const char *const *names)
{
	const struct py_current *self = (const struct py_current *)object;
	PyObject *text, *all = NULL;
	bool good = true;

	if (self->serial != self->reader->serial)
		return PyUnicode_FromFormat("<%s: the reader has advanced>", type);
	text = PyUnicode_FromFormat("%s(", type);
	for (size_t i = 0; text && good && names[i]; i++)
		good = add_to_repr(&text, object, names[i], !i);
	if (text && good)
		all = PyUnicode_FromFormat("%U)", text);
	Py_XDECREF(text);
	return all;
}

/* ---- Values ---- */

static PyObject *number_object(enum pk_value_kind kind, uint64_t number)
{
	if (pk_kind_is_signed(kind))
		return PyLong_FromLongLong((int64_t)number);
	return PyLong_FromUnsignedLongLong(number);
}

PyObject *py_column_value(struct py_reader *reader, struct pk_column *column)
{
	struct pk_view *view = &reader->view;
	const struct pk_binding *binding =
		pk_column_bind(column, &reader->profile.context, view->event);
	struct pk_bytes text;
	uint64_t key;

	if (!binding)
		return PyErr_NoMemory();
	if (binding->kind == PK_VALUE_NONE)
		return NULL;
	if (binding->kind == PK_VALUE_TEXT)
		return pk_view_text(view, binding, &text) ? py_text(text.data, text.size) : NULL;
	return pk_view_key(view, binding, &key) ? number_object(binding->kind, key) : NULL;
}

/* ---- Fields of tracepoints and probes ---- */

static PyObject *trace_value(const struct pk_tracepoint *tracepoint,
			     const struct pk_tracepoint_field *field, const struct pk_bytes *raw)
{
	struct pk_bytes bytes;
	uint64_t value;

	if (field->is_string && pk_tracepoint_bytes(tracepoint, field, raw, &bytes))
		return py_text(bytes.data, bytes.size);
	if (!field->is_string && !field->is_array &&
	    pk_tracepoint_number(tracepoint, field, raw, &value))
		return number_object(field->kind, value);
	return py_none();
}

static PyObject *trace_fields(const struct pk_tracepoint *tracepoint, const struct pk_bytes *raw)
{
	const struct pk_tracepoint_field *field;
	PyObject *dict = PyDict_New();

	for (size_t i = 0; dict && (field = pk_tracepoint_field_at(tracepoint, i)); i++) {
		if (!strncmp(field->name, "common_", 7))
			continue;
		if (!py_set(dict, field->name, trace_value(tracepoint, field, raw))) {
			Py_DECREF(dict);
			return NULL;
		}
	}
	return dict;
}

static PyObject *argument_fields(const struct pk_event *event, const struct pk_sample *sample)
{
	PyObject *dict = PyDict_New();
	uint64_t value;

	for (size_t i = 0; dict && i < event->arguments->count; i++) {
		const struct pk_argument *argument = &event->arguments->items[i];
		const bool is_signed = argument->flags & PK_ARGUMENT_SIGNED;
		PyObject *object =
			pk_argument_get(event, argument, sample, &value)
				? number_object(is_signed ? PK_VALUE_SIGNED : PK_VALUE_NUMBER,
						value)
				: py_none();

		if (!py_set(dict, argument->name, object)) {
			Py_DECREF(dict);
			return NULL;
		}
	}
	return dict;
}

/* ---- Special attributes: if a function returns NULL without an exception, the value is None ----
 */

PyObject *py_sample_fields(struct py_reader *reader)
{
	const struct pk_event *counted = reader->view.counted;
	const struct pk_sample *sample = pk_view_sample(&reader->view);
	const struct py_event *event = py_reader_event(reader, counted);

	if (!sample || !event)
		return NULL;
	if (counted->arguments)
		return argument_fields(counted, sample);
	return event->tracepoint ? trace_fields(event->tracepoint, &sample->raw) : NULL;
}

static PyObject *get_trace(struct py_reader *reader)
{
	const struct pk_sample *sample = pk_view_sample(&reader->view);
	const struct py_event *event = py_reader_event(reader, reader->view.counted);
	const char *text;
	size_t size;

	if (!sample || !event || !event->tracepoint)
		return NULL;
	text = pk_tracepoint_text(event->tracepoint, &sample->raw, &size);
	return text ? py_text(text, size) : NULL;
}

/* Returns the period. If the sample has the values of a group, returns the value of the event for
 * which the sample is currently counted. */
static PyObject *get_period(struct py_reader *reader)
{
	return PyLong_FromUnsignedLongLong(reader->view.period);
}

static PyObject *get_type(struct py_reader *reader)
{
	(void)reader;
	return PyUnicode_FromString("SAMPLE");
}

static PyObject *get_offset(struct py_reader *reader)
{
	return PyLong_FromUnsignedLongLong(reader->record.offset);
}

static PyObject *get_misc(struct py_reader *reader)
{
	return PyLong_FromLong(reader->record.misc);
}

static PyObject *get_data(struct py_reader *reader)
{
	return PyBytes_FromStringAndSize((const char *)reader->record.data, reader->record.size);
}

static PyObject *get_raw(struct py_reader *reader)
{
	const struct pk_sample *sample = pk_view_sample(&reader->view);

	if (!sample || !(reader->view.event->attr.sample_type & PERF_SAMPLE_RAW))
		return NULL;
	return PyBytes_FromStringAndSize((const char *)sample->raw.data,
					 (Py_ssize_t)sample->raw.size);
}

static PyObject *get_user_stack(struct py_reader *reader)
{
	const struct pk_sample *sample = pk_view_sample(&reader->view);

	if (!sample || !(reader->view.event->attr.sample_type & PERF_SAMPLE_STACK_USER))
		return NULL;
	return PyBytes_FromStringAndSize((const char *)sample->user_stack.data,
					 (Py_ssize_t)sample->user_stack.size);
}

static PyObject *numbers(const struct pk_u64s *array)
{
	PyObject *tuple = PyTuple_New((Py_ssize_t)array->count), *number;

	for (uint64_t i = 0; tuple && i < array->count; i++) {
		number = PyLong_FromUnsignedLongLong(pk_u64s_at(array, i));
		if (!number || PyTuple_SetItem(tuple, (Py_ssize_t)i, number)) {
			Py_DECREF(tuple);
			return NULL;
		}
	}
	return tuple;
}

static PyObject *get_ips(struct py_reader *reader)
{
	const struct pk_sample *sample = pk_view_sample(&reader->view);

	if (!sample || !(reader->view.event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		return NULL;
	return numbers(&sample->callchain);
}

static PyObject *get_iregs(struct py_reader *reader)
{
	const struct pk_sample *sample = pk_view_sample(&reader->view);

	if (!sample || !(reader->view.event->attr.sample_type & PERF_SAMPLE_REGS_INTR))
		return NULL;
	return numbers(&sample->interrupt_registers.values);
}

static PyObject *get_uregs(struct py_reader *reader)
{
	const struct pk_sample *sample = pk_view_sample(&reader->view);

	if (!sample || !(reader->view.event->attr.sample_type & PERF_SAMPLE_REGS_USER))
		return NULL;
	return numbers(&sample->user_registers.values);
}

static PyObject *get_brstack(struct py_reader *reader)
{
	const struct pk_sample *sample = pk_view_sample(&reader->view);
	struct pk_u64s entry;
	PyObject *tuple, *item;

	if (!sample || !(reader->view.event->attr.sample_type & PERF_SAMPLE_BRANCH_STACK))
		return NULL;
	tuple = PyTuple_New((Py_ssize_t)sample->branches.count);
	for (uint64_t i = 0; tuple && i < sample->branches.count; i++) {
		entry = (struct pk_u64s){sample->branches.data + 24 * i, 3};
		item = numbers(&entry);
		if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item)) {
			Py_DECREF(tuple);
			return NULL;
		}
	}
	return tuple;
}

static const struct {
	const char *name;
	PyObject *(*get)(struct py_reader *reader);
	bool bare; /* Leave it out in asdict(), because it is a part of the record or of another
		    * attribute. */
} specials[] = {
	{"period", get_period, false},
	{"fields", py_sample_fields, false},
	{"trace", get_trace, false},
	{"stack", py_sample_stack, false},
	{"callchain", py_sample_callchain, false},
	{"iregs", get_iregs, false},
	{"uregs", get_uregs, false},
	{"brstack", get_brstack, false},
	{"raw", get_raw, true},
	{"user_stack", get_user_stack, true},
	{"ips", get_ips, true},
	{"type", get_type, true},
	{"offset", get_offset, true},
	{"misc", get_misc, true},
	{"data", get_data, true},
};

#define SPECIALS (sizeof(specials) / sizeof(specials[0]))

bool py_sample_add_names(PyObject *names)
{
	for (size_t i = 0; i < SPECIALS; i++)
		if (!py_set(names, specials[i].name, PyLong_FromSsize_t(-2 - (Py_ssize_t)i)))
			return false;
	return true;
}

/* ---- Access ---- */

/* Returns the value of the attribute with this number. Returns None if it is a field of
 * docs/fields.md that the sample does not have. Returns NULL without an exception if it is another
 * field that the sample does not have. */
static PyObject *value_of(struct py_reader *reader, Py_ssize_t number)
{
	PyObject *value = number < 0 ? specials[-2 - number].get(reader)
				     : py_column_value(reader, reader->columns[number]);

	if (reader->profile.context.failed && !PyErr_Occurred())
		PyErr_NoMemory();
	if (PyErr_Occurred()) {
		Py_XDECREF(value);
		return NULL;
	}
	if (value || (number >= 0 && !reader->columns[number]->reference.field))
		return value;
	return py_none();
}

static PyObject *missing(PyObject *type, PyObject *name)
{
	if (!PyErr_Occurred())
		PyErr_Format(type, "samples of this event have no field %U", name);
	return NULL;
}

static PyObject *lookup(struct py_current *self, PyObject *name, PyObject *exception)
{
	Py_ssize_t number;
	PyObject *value;

	if (!py_current_check(self))
		return NULL;
	number = py_reader_column(self->reader, name);
	value = number == -1 ? NULL : value_of(self->reader, number);
	return value ? value : missing(exception, name);
}

static PyObject *sample_getattr(PyObject *object, PyObject *name)
{
	struct py_current *self = (struct py_current *)object;
	PyObject *value;

	if (!PyDict_GetItemWithError(self->reader->names, name)) {
		value = PyObject_GenericGetAttr(object, name);
		if (value || !PyErr_ExceptionMatches(PyExc_AttributeError))
			return value;
		PyErr_Clear();
	}
	return lookup(self, name, PyExc_AttributeError);
}

static PyObject *sample_subscript(PyObject *object, PyObject *name)
{
	if (PyUnicode_Check(name))
		return lookup((struct py_current *)object, name, PyExc_KeyError);
	PyErr_SetString(PyExc_TypeError, "the name of a field is a str");
	return NULL;
}

/* Adds a value unless it is None or missing. Returns false if an exception is set. */
static bool add_value(PyObject *dict, PyObject *name, PyObject *value)
{
	bool added;

	if (!value)
		return !PyErr_Occurred();
	added = value == Py_None || !PyDict_SetItem(dict, name, value);
	Py_DECREF(value);
	return added;
}

static bool add_specials(struct py_reader *reader, PyObject *dict)
{
	bool added = true;

	for (size_t i = 0; added && i < SPECIALS; i++) {
		PyObject *name;

		if (specials[i].bare)
			continue;
		name = PyUnicode_FromString(specials[i].name);
		added = name && add_value(dict, name, value_of(reader, -2 - (Py_ssize_t)i));
		Py_XDECREF(name);
	}
	return added;
}

/* Adds all fields of docs/fields.md that the sample has. */
static bool add_fields(struct py_reader *reader, PyObject *dict)
{
	const struct pk_field *field;
	bool added = true;

	for (size_t i = 0; added && (field = pk_field_at(i)); i++) {
		PyObject *name;
		Py_ssize_t number;

		if (field->needs & PK_NEED_CODE)
			continue;
		name = PyUnicode_FromString(field->name);
		number = name ? py_reader_column(reader, name) : -1;
		added = number < -1 || number >= 0; /* special attributes are added later */
		if (number >= 0)
			added = add_value(dict, name, value_of(reader, number));
		Py_XDECREF(name);
	}
	return added;
}

static PyObject *sample_asdict(PyObject *object, PyObject *args)
{
	struct py_current *self = (struct py_current *)object;
	PyObject *dict, *name;
	bool added = true;

	if (!py_current_check(self))
		return NULL;
	dict = PyDict_New();
	if (dict && !PyTuple_Size(args))
		added = add_fields(self->reader, dict) && add_specials(self->reader, dict);
	for (Py_ssize_t i = 0; dict && added && i < PyTuple_Size(args); i++) {
		Py_ssize_t number;

		name = PyTuple_GetItem(args, i);
		if (!PyUnicode_Check(name))
			PyErr_SetString(PyExc_TypeError, "the name of a field is a str");
		number = PyErr_Occurred() ? -1 : py_reader_column(self->reader, name);
		added = number != -1 && add_value(dict, name, value_of(self->reader, number));
	}
	if (added)
		return dict;
	Py_XDECREF(dict);
	return NULL;
}

static PyObject *sample_repr(PyObject *object)
{
	static const char *const names[] = {"event", "comm",   "pid",	 "tid", "cpu",
					    "time",  "period", "symbol", NULL};

	return py_current_repr(object, "Sample", names);
}

static PyMethodDef sample_methods[] = {
	{"asdict", sample_asdict, METH_VARARGS,
	 "asdict(*names)\n--\n\nThe values of the named fields that the sample has, as a "
	 "dictionary. Without names, all."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot sample_slots[] = {
	{Py_tp_dealloc, py_current_dealloc},
	{Py_tp_repr, sample_repr},
	{Py_tp_getattro, sample_getattr},
	{Py_mp_subscript, sample_subscript},
	{Py_tp_methods, sample_methods},
	{Py_tp_doc, "A sample, as long as it is the reader's current record. Its attributes are "
		    "the fields of docs/fields.md and of its tracepoint or probe. A field that the "
		    "sample does not have is None."},
	{0, NULL},
};

PyType_Spec py_sample_spec = {
	.name = "pkstream._pkstream.Sample",
	.basicsize = sizeof(struct py_current),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = sample_slots,
};
