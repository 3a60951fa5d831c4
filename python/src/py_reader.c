// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include <fcntl.h>

/* Creates the table of attribute names. It does not have the attributes that Python itself adds. */
static bool set_up_names(struct py_reader *self)
{
	self->names = PyDict_New();
	return self->names && py_sample_add_names(self->names);
}

/* ---- Events ---- */

static PyObject *names_of_format(const struct pk_tracepoint *tracepoint)
{
	const struct pk_tracepoint_field *field;
	PyObject *list = PyList_New(0), *name;

	for (size_t i = 0; list && (field = pk_tracepoint_field_at(tracepoint, i)); i++) {
		if (!strncmp(field->name, "common_", 7))
			continue;
		name = PyUnicode_FromString(field->name);
		if (!name || PyList_Append(list, name)) {
			Py_XDECREF(name);
			Py_DECREF(list);
			return NULL;
		}
		Py_DECREF(name);
	}
	return list;
}

static PyObject *names_of_arguments(const struct pk_arguments *arguments)
{
	PyObject *list = PyList_New((Py_ssize_t)arguments->count), *name;

	for (size_t i = 0; list && i < arguments->count; i++) {
		name = PyUnicode_FromString(arguments->items[i].name);
		if (!name || PyList_SetItem(list, (Py_ssize_t)i, name)) {
			Py_DECREF(list);
			return NULL;
		}
	}
	return list;
}

static PyObject *event_object(struct py_reader *self, const struct pk_event *event)
{
	const struct py_event *known = py_reader_event(self, event);
	PyObject *fields;

	if (!known)
		return NULL;
	if (event->arguments)
		fields = names_of_arguments(event->arguments);
	else
		fields = known->tracepoint ? names_of_format(known->tracepoint) : PyList_New(0);
	if (!fields)
		return NULL;
	return Py_BuildValue("{s:N,s:I,s:K,s:K,s:N}", "name",
			     py_text(event->name, strlen(event->name)), "type", event->attr.type,
			     "config", (unsigned long long)event->attr.config, "sample_type",
			     (unsigned long long)event->attr.sample_type, "fields", fields);
}

static PyObject *get_events(PyObject *object, void *closure)
{
	struct py_reader *self = (struct py_reader *)object;
	const struct pk_events *events = self->reader ? pk_reader_events(self->reader) : NULL;
	const size_t count = events ? pk_events_count(events) : 0;
	PyObject *list = PyList_New((Py_ssize_t)count), *event;

	(void)closure;
	for (size_t i = 0; list && i < count; i++) {
		event = event_object(self, pk_events_at(events, i));
		if (!event || PyList_SetItem(list, (Py_ssize_t)i, event)) {
			Py_DECREF(list);
			return NULL;
		}
	}
	return list;
}

/* ---- The object ---- */

static int reader_init(PyObject *object, PyObject *args, PyObject *keywords)
{
	static char *names[] = {"source", "ordered", "where", "skip_damaged", NULL};
	struct py_reader *self = (struct py_reader *)object;
	int ordered = true, skip_damaged = false;
	const char *where = NULL;
	PyObject *source;

	if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$pzp:Reader", names, &source, &ordered,
					 &where, &skip_damaged))
		return -1;
	if (self->reader) {
		PyErr_SetString(PyExc_RuntimeError, "the reader is open already");
		return -1;
	}
	self->skip_damaged = skip_damaged;
	if (!py_file_open(&self->file, source, O_RDONLY))
		return -1;
	return set_up_names(self) && py_reader_set_up(self, where, ordered) ? 0 : -1;
}

static PyObject *reader_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
	struct py_reader *self = (struct py_reader *)PyType_GenericNew(type, args, keywords);

	if (self)
		self->file.fd = -1;
	return (PyObject *)self;
}

static void close_reader(struct py_reader *self)
{
	self->ended = true;
	self->held = false;
	self->counts_done = self->counts_count = 0;
	self->serial++;
	py_frames_forget(self);
	for (size_t i = 0; i < self->columns_count; i++) {
		pk_column_free(self->columns[i]);
		free(self->columns[i]);
	}
	self->columns_count = 0;
	if (self->profile_ready)
		pk_profile_free(&self->profile);
	self->profile_ready = false;
	pk_order_free(self->order);
	pk_reader_free(self->reader);
	self->order = NULL;
	self->reader = NULL;
	py_file_close(&self->file);
}

static void reader_dealloc(PyObject *object)
{
	struct py_reader *self = (struct py_reader *)object;
	PyTypeObject *type = Py_TYPE(object);

	close_reader(self);
	pk_expression_free(self->where);
	free(self->columns);
	free(self->counts);
	free(self->events);
	free(self->payload);
	free(self->stacks);
	free(self->frames);
	free(self->addresses);
	pk_table_free(&self->address_table);
	Py_XDECREF(self->names);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
	Py_DECREF(type);
}

static PyObject *next_of(struct py_reader *self, bool samples_only)
{
	int found;

	if (!py_reader_enter(self))
		return NULL;
	found = py_reader_advance(self, samples_only);
	self->busy = false;
	if (found <= 0)
		return NULL;
	return py_current_new(self, self->record.type == PERF_RECORD_SAMPLE ? py_sample_type
									    : py_record_type);
}

static PyObject *reader_next(PyObject *object)
{
	return next_of((struct py_reader *)object, false);
}

/* The type of the iterator over samples. */
struct samples {
	PyObject_HEAD PyObject *reader;
};

static PyObject *samples_next(PyObject *object)
{
	return next_of((struct py_reader *)((struct samples *)object)->reader, true);
}

static void samples_dealloc(PyObject *object)
{
	PyTypeObject *type = Py_TYPE(object);

	Py_DECREF(((struct samples *)object)->reader);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
	Py_DECREF(type);
}

static PyType_Slot samples_slots[] = {
	{Py_tp_dealloc, samples_dealloc},
	{Py_tp_iter, PyObject_SelfIter},
	{Py_tp_iternext, samples_next},
	{0, NULL},
};

PyType_Spec py_samples_spec = {
	.name = "pkstream._pkstream.Samples",
	.basicsize = sizeof(struct samples),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = samples_slots,
};

static PyObject *reader_samples(PyObject *object, PyObject *unused)
{
	struct samples *samples = (struct samples *)PyType_GenericAlloc(py_samples_type, 0);

	(void)unused;
	if (!samples)
		return NULL;
	Py_IncRef(object);
	samples->reader = object;
	return (PyObject *)samples;
}

static PyObject *reader_close(PyObject *object, PyObject *unused)
{
	struct py_reader *self = (struct py_reader *)object;

	(void)unused;
	if (self->reader && !py_reader_enter(self))
		return NULL;
	self->busy = false;
	close_reader(self);
	return py_none();
}

/* ---- Properties ---- */

static PyObject *get_bad_records(PyObject *object, void *closure)
{
	struct py_reader *self = (struct py_reader *)object;

	(void)closure;
	return PyLong_FromUnsignedLongLong(self->reader ? pk_reader_bad_records(self->reader) : 0);
}

static PyObject *get_late_records(PyObject *object, void *closure)
{
	struct py_reader *self = (struct py_reader *)object;
	struct pk_order_stats stats = {0};

	(void)closure;
	if (self->order)
		pk_order_stats(self->order, &stats);
	return PyLong_FromUnsignedLongLong(stats.late);
}

static PyObject *get_session(PyObject *object, void *closure)
{
	struct py_reader *self = (struct py_reader *)object;
	const struct pk_session *session =
		self->reader ? pk_context_session(&self->profile.context) : NULL;
	const struct pk_machine_names *machine = session ? pk_session_machine(session) : NULL;
	const bool big = PK_HOST_IS_BIG != self->swapped;

	(void)closure;
	return Py_BuildValue("{s:I,s:s,s:I,s:N,s:I,s:s,s:s,s:s}", "version",
			     (unsigned int)self->info.version, "byte_order", big ? "big" : "little",
			     "word_size", (unsigned int)self->info.word_size, "symbolized",
			     PyBool_FromLong(self->info.trailers & PK_TRAILER_STACK), "e_machine",
			     self->reader ? pk_context_machine(&self->profile.context) : 0, "host",
			     machine ? machine->host : "", "release",
			     machine ? machine->release : "", "machine",
			     machine ? machine->machine : "");
}

static PyMethodDef reader_methods[] = {
	{"samples", reader_samples, METH_NOARGS,
	 "samples()\n--\n\nAn iterator over the samples that have not been read yet."},
	{"_columns", py_reader_columns, METH_VARARGS, NULL},
	{"close", reader_close, METH_NOARGS,
	 "close()\n--\n\nFrees the memory, and closes the file if the reader has opened it."},
	{NULL, NULL, 0, NULL},
};

static PyGetSetDef reader_properties[] = {
	{"bad_records", get_bad_records, NULL,
	 "Number of malformed records, and other damaged parts, that were skipped.", NULL},
	{"late_records", get_late_records, NULL,
	 "Number of records that came too late to be sorted by time.", NULL},
	{"session", get_session, NULL,
	 "What is known of the current session and its machine: a dictionary.", NULL},
	{"events", get_events, NULL, "The events of the current session: a list of dictionaries.",
	 NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot reader_slots[] = {
	{Py_tp_new, reader_new},	   {Py_tp_init, reader_init},
	{Py_tp_dealloc, reader_dealloc},   {Py_tp_iter, PyObject_SelfIter},
	{Py_tp_iternext, reader_next},	   {Py_tp_methods, reader_methods},
	{Py_tp_getset, reader_properties}, {0, NULL},
};

PyType_Spec py_reader_spec = {
	.name = "pkstream._pkstream.Reader",
	.basicsize = sizeof(struct py_reader),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
	.slots = reader_slots,
};
