// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

static const char *type_name(uint32_t type)
{
	const struct pk_record_layout *layout = pk_record_layout(type, 0);

	if (type == PK_RECORD_BEGIN)
		return "BEGIN";
	return layout ? layout->name : "UNKNOWN";
}

/* Returns the record of the object. Returns NULL if an exception is set. */
static const struct pk_record *record_of(PyObject *object)
{
	const struct py_current *self = (const struct py_current *)object;

	return py_current_check(self) ? &self->reader->record : NULL;
}

/* Returns the content as a dictionary, which the object stores. The result is a borrowed reference.
 * Returns NULL if an exception is set. */
static PyObject *content_of(PyObject *object)
{
	struct py_current *self = (struct py_current *)object;
	const struct pk_record *record;

	if (self->fields)
		return self->fields;
	record = record_of(object);
	if (record)
		self->fields = py_record_content(record);
	return self->fields;
}

static PyObject *record_getattr(PyObject *object, PyObject *name)
{
	PyObject *value = PyObject_GenericGetAttr(object, name), *content;

	if (value || !PyErr_ExceptionMatches(PyExc_AttributeError))
		return value;
	PyErr_Clear();
	content = content_of(object);
	value = content ? PyDict_GetItemWithError(content, name) : NULL;
	if (!value && !PyErr_Occurred())
		PyErr_Format(PyExc_AttributeError, "the record has no field %U", name);
	Py_XINCREF(value);
	return value;
}

static PyObject *record_asdict(PyObject *object, PyObject *unused)
{
	PyObject *content = content_of(object);

	(void)unused;
	return content ? PyDict_Copy(content) : NULL;
}

static PyObject *get_type(PyObject *object, void *closure)
{
	const struct pk_record *record = record_of(object);

	(void)closure;
	return record ? PyUnicode_FromString(type_name(record->type)) : NULL;
}

static PyObject *get_type_number(PyObject *object, void *closure)
{
	const struct pk_record *record = record_of(object);

	(void)closure;
	return record ? PyLong_FromUnsignedLong(record->type) : NULL;
}

static PyObject *get_misc(PyObject *object, void *closure)
{
	const struct pk_record *record = record_of(object);

	(void)closure;
	return record ? PyLong_FromLong(record->misc) : NULL;
}

static PyObject *get_offset(PyObject *object, void *closure)
{
	const struct pk_record *record = record_of(object);

	(void)closure;
	return record ? PyLong_FromUnsignedLongLong(record->offset) : NULL;
}

static PyObject *get_time(PyObject *object, void *closure)
{
	const struct pk_record *record = record_of(object);

	(void)closure;
	if (!record)
		return NULL;
	return record->time == PK_NO_TIME || record->type == PK_RECORD_BEGIN
		       ? py_none()
		       : PyLong_FromUnsignedLongLong(record->time);
}

/* Returns the event of a record, or NULL. In a count, the event is known only by its id. */
static const struct pk_event *event_of(const struct py_reader *reader)
{
	const struct pk_record *record = &reader->record;
	struct perf_record_stat stat;

	if (record->type != PERF_RECORD_STAT || record->size < sizeof(stat))
		return record->event;
	memcpy(&stat, record->data, sizeof(stat));
	return pk_events_by_id(pk_reader_events(reader->reader), stat.id);
}

static PyObject *get_event(PyObject *object, void *closure)
{
	const struct py_current *self = (const struct py_current *)object;
	const struct pk_event *event;

	(void)closure;
	if (!record_of(object))
		return NULL;
	event = event_of(self->reader);
	return event ? py_text(event->name, strlen(event->name)) : py_none();
}

static PyObject *get_data(PyObject *object, void *closure)
{
	const struct pk_record *record = record_of(object);

	(void)closure;
	return record ? PyBytes_FromStringAndSize((const char *)record->data, record->size) : NULL;
}

static PyObject *record_repr(PyObject *object)
{
	static const char *const names[] = {"type", "offset", "time",	  "event", "pid",
					    "tid",  "comm",   "filename", NULL};

	return py_current_repr(object, "Record", names);
}

static PyMethodDef record_methods[] = {
	{"asdict", record_asdict, METH_NOARGS,
	 "asdict()\n--\n\nThe fields of the record as a dictionary."},
	{NULL, NULL, 0, NULL},
};

static PyGetSetDef record_properties[] = {
	{"type", get_type, NULL, "Name of the type: COMM, MMAP2 ...; BEGIN: a session starts.",
	 NULL},
	{"type_number", get_type_number, NULL, "Number of the type.", NULL},
	{"misc", get_misc, NULL, "The flags in the header of the record.", NULL},
	{"offset", get_offset, NULL, "Offset of the record in the input in bytes.", NULL},
	{"time", get_time, NULL, "Nanoseconds, or None.", NULL},
	{"event", get_event, NULL, "Name of the record's event, or None.", NULL},
	{"data", get_data, NULL, "All bytes of the record, in the byte order of this machine.",
	 NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot record_slots[] = {
	{Py_tp_dealloc, py_current_dealloc},
	{Py_tp_repr, record_repr},
	{Py_tp_getattro, record_getattr},
	{Py_tp_methods, record_methods},
	{Py_tp_getset, record_properties},
	{Py_tp_doc, "A record that is not a sample, as long as it is the reader's current record. "
		    "Its attributes are the fields that pk-script --dump prints."},
	{0, NULL},
};

PyType_Spec py_record_spec = {
	.name = "pkstream._pkstream.Record",
	.basicsize = sizeof(struct py_current),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = record_slots,
};
