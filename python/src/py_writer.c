// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include <fcntl.h>

struct writer {
	PyObject_HEAD struct py_file file;
	struct pk_writer *writer;
	struct pk_stage *stage; /* NULL if records are only copied, and nothing is added */
	char *name;		/* name of the stage */
	char *argv[1];
	bool began, ordered, chosen;
	uint64_t last; /* value of last_reader->steps at the last record that was written */
	const void *last_reader;
};

/* Raises an exception for the error of the writer. Returns NULL. */
static PyObject *raise_error(struct writer *self)
{
	const enum pk_status status = pk_writer_status(self->writer);

	py_raise(status, pk_writer_error(self->writer), UINT64_MAX);
	return NULL;
}

static PyObject *done(struct writer *self)
{
	if (PyErr_Occurred())
		return NULL;
	return pk_writer_status(self->writer) != PK_OK ? raise_error(self) : py_none();
}

static bool is_open(const struct writer *self)
{
	if (!self->writer)
		PyErr_SetString(PyExc_ValueError, "the writer is closed");
	return self->writer;
}

/* ---- Records ---- */

static void end_session(struct writer *self, bool complete)
{
	if (self->stage && self->began)
		pk_stage_end(self->stage, complete);
	self->began = false;
}

/* Writes the record that the reader returned last, with its payload. */
static void copy_record(struct writer *self, struct py_reader *reader)
{
	const struct pk_record *record = &reader->record;
	enum pk_status status;

	if (reader->payload) {
		pk_writer_record(self->writer, record->data, record->size);
		pk_writer_bytes(self->writer, reader->payload, reader->payload_size, 0, 0);
		return;
	}
	status = pk_writer_copy(self->writer, reader->reader, record);
	if (status && pk_writer_status(self->writer) == PK_OK)
		py_raise(status, pk_reader_error(reader->reader),
			 pk_reader_failed_at(reader->reader));
}

/* Declares the order of the stage's output, which is the order of the reader. Returns false if an
 * exception is set. */
static bool check_order(struct writer *self, const struct py_reader *reader)
{
	if (reader->order && !self->stage) {
		PyErr_SetString(PyExc_ValueError,
				"a writer without a stage needs a reader with ordered=False: other "
				"readers must find the marks for sorting");
		return false;
	}
	if (self->stage && (!self->chosen || self->ordered != (reader->order != NULL)))
		pk_stage_change(self->stage, reader->order ? PK_ORDER_PROCESSING : PK_ORDER_NONE,
				0);
	self->ordered = reader->order;
	self->chosen = true;
	return true;
}

static PyObject *writer_write(PyObject *object, PyObject *item)
{
	struct writer *self = (struct writer *)object;
	struct py_current *current = (struct py_current *)item;
	const struct pk_record *record;

	if (!is_open(self))
		return NULL;
	if (Py_TYPE(item) != py_sample_type && Py_TYPE(item) != py_record_type) {
		PyErr_SetString(PyExc_TypeError, "write() needs a Record or a Sample");
		return NULL;
	}
	if (!py_current_check(current) || !check_order(self, current->reader))
		return NULL;
	/* A sample with the values of a group is returned once for each event. It is written only
	 * once. */
	if (self->last_reader == current->reader && self->last == current->reader->steps)
		return py_none();
	self->last_reader = current->reader;
	self->last = current->reader->steps;
	record = &current->reader->record;
	if (record->type == PK_RECORD_BEGIN) {
		end_session(self, true);
		self->began = true;
	}
	if (self->stage && pk_stage_record(self->stage, record, current->reader->swapped))
		return done(self);
	if (record->type == PK_RECORD_BEGIN)
		pk_writer_header(self->writer);
	else
		copy_record(self, current->reader);
	return done(self);
}

static PyObject *writer_header(PyObject *object, PyObject *unused)
{
	struct writer *self = (struct writer *)object;

	(void)unused;
	if (!is_open(self))
		return NULL;
	pk_writer_header(self->writer);
	return done(self);
}

static PyObject *writer_write_record(PyObject *object, PyObject *args)
{
	struct writer *self = (struct writer *)object;
	unsigned int type, misc;
	Py_ssize_t size, whole;
	const char *body;
	uint8_t *at;

	if (!is_open(self) ||
	    !PyArg_ParseTuple(args, "IIy#:write_record", &type, &misc, &body, &size))
		return NULL;
	whole = size + (Py_ssize_t)sizeof(struct perf_header);
	if (size % 8 || whole > PERF_RECORD_SIZE_MAX || misc > UINT16_MAX || !type) {
		PyErr_SetString(PyExc_ValueError,
				"a record has a type, 16 bits in misc, and a body whose size is a "
				"multiple of 8 and at most 65520 bytes");
		return NULL;
	}
	at = pk_writer_append(self->writer, type, (uint16_t)misc, (size_t)whole);
	if (at)
		memcpy(at + sizeof(struct perf_header), body, (size_t)size);
	return done(self);
}

static PyObject *writer_flush(PyObject *object, PyObject *unused)
{
	struct writer *self = (struct writer *)object;

	(void)unused;
	if (!is_open(self))
		return NULL;
	pk_writer_flush(self->writer);
	return done(self);
}

/* ---- The object ---- */

static void free_writer(struct writer *self)
{
	pk_stage_free(self->stage);
	pk_writer_free(self->writer);
	free(self->name);
	self->stage = NULL;
	self->writer = NULL;
	self->name = NULL;
	py_file_close(&self->file);
}

static PyObject *writer_close(PyObject *object, PyObject *args)
{
	struct writer *self = (struct writer *)object;
	int complete = true;
	PyObject *result;

	if (!PyArg_ParseTuple(args, "|p:close", &complete))
		return NULL;
	if (!self->writer)
		return py_none();
	end_session(self, complete);
	pk_writer_flush(self->writer);
	result = done(self);
	free_writer(self);
	return result;
}

static PyObject *writer_enter(PyObject *object, PyObject *unused)
{
	(void)unused;
	Py_IncRef(object);
	return object;
}

static PyObject *writer_exit(PyObject *object, PyObject *args)
{
	PyObject *type, *value, *traceback;

	if (!PyArg_ParseTuple(args, "OOO:__exit__", &type, &value, &traceback))
		return NULL;
	return PyObject_CallMethod(object, "close", "i", type == Py_None);
}

/* Returns false if an exception is set. */
static bool set_up_stage(struct writer *self, const char *name)
{
	struct pk_stage_options options = {.argc = 1, .argv = self->argv};

	if (!name)
		return true;
	self->name = strdup(name);
	self->argv[0] = self->name;
	options.program = self->name;
	if (self->name && pk_stage_new(self->writer, &options, &self->stage) == PK_OK)
		return true;
	PyErr_NoMemory();
	return false;
}

static int writer_init(PyObject *object, PyObject *args, PyObject *keywords)
{
	static char *names[] = {"target", "stage", NULL};
	struct writer *self = (struct writer *)object;
	struct pk_writer_options options = {.write = py_file_write, .arg = &self->file};
	const char *stage = NULL;
	PyObject *target;

	if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$z:Writer", names, &target, &stage))
		return -1;
	if (self->writer) {
		PyErr_SetString(PyExc_RuntimeError, "the writer is open already");
		return -1;
	}
	if (!py_file_open(&self->file, target, O_WRONLY | O_CREAT | O_TRUNC))
		return -1;
	if (pk_writer_new(&options, &self->writer) == PK_OK)
		return set_up_stage(self, stage) ? 0 : -1;
	PyErr_NoMemory();
	return -1;
}

static PyObject *writer_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
	struct writer *self = (struct writer *)PyType_GenericNew(type, args, keywords);

	if (self)
		self->file.fd = -1;
	return (PyObject *)self;
}

static void writer_dealloc(PyObject *object)
{
	PyTypeObject *type = Py_TYPE(object);

	free_writer((struct writer *)object);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
	Py_DECREF(type);
}

static PyMethodDef writer_methods[] = {
	{"write", writer_write, METH_O,
	 "write(record)\n--\n\nWrites the reader's current record or sample."},
	{"header", writer_header, METH_NOARGS,
	 "header()\n--\n\nStarts a stream of new records. write() does this at a BEGIN."},
	{"write_record", writer_write_record, METH_VARARGS,
	 "write_record(type, misc, body)\n--\n\nWrites a new record: numbers, and bytes in the "
	 "byte "
	 "order of this machine."},
	{"flush", writer_flush, METH_NOARGS, "flush()\n--\n\nWrites all buffered bytes."},
	{"close", writer_close, METH_VARARGS,
	 "close(complete=True)\n--\n\nEnds the session, writes all bytes, and closes the file if "
	 "the writer has opened it. complete: the stage writes END."},
	{"__enter__", writer_enter, METH_NOARGS, NULL},
	{"__exit__", writer_exit, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot writer_slots[] = {
	{Py_tp_new, writer_new},
	{Py_tp_init, writer_init},
	{Py_tp_dealloc, writer_dealloc},
	{Py_tp_methods, writer_methods},
	{Py_tp_doc, "Writer(target, *, stage=None)\n--\n\nWrites a stream to a path, a descriptor, "
		    "or an object with fileno()."},
	{0, NULL},
};

PyType_Spec py_writer_spec = {
	.name = "pkstream._pkstream.Writer",
	.basicsize = sizeof(struct writer),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
	.slots = writer_slots,
};
