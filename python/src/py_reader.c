// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include <fcntl.h>

#include "pkutil.h"
#include "vector.h"

/* Everything that needs no files of this machine. */
#define NEEDS                                                                                      \
	(PK_NEED_FORMATS | PK_NEED_STACKS | PK_NEED_TASKS | PK_NEED_NAMES | PK_NEED_PARALLELISM |  \
	 PK_NEED_BRANCHES | PK_NEED_OBJECTS | PK_NEED_LINES | PK_NEED_CALLERS)

/* ---- Damage ---- */

/* Stores the first problem of a step. damaged: a record was skipped. */
static void note_problem(struct py_reader *self, const struct pk_warning *problem, bool damaged)
{
	if (self->problem.text && (self->damaged || !damaged))
		return;
	self->damaged = damaged;
	self->problem = *problem;
	snprintf(self->problem_text, sizeof(self->problem_text), "%s", problem->text);
	self->problem.text = self->problem_text;
}

static void warned(void *arg, const struct pk_warning *warning)
{
	note_problem(arg, warning, false);
}

static void complained(void *arg, const struct pk_record *record, const char *text)
{
	note_problem(arg, &(struct pk_warning){record->offset, record->type, text}, true);
}

/* Raises or warns about the problem of this step. False: an exception is set. */
static bool report_problem(struct py_reader *self)
{
	const struct pk_warning problem = self->problem;
	char text[256];

	self->problem.text = NULL;
	snprintf(text, sizeof(text), "offset %llu, record type %u: %s",
		 (unsigned long long)problem.offset, problem.type, problem.text);
	if (self->damaged && !self->skip_damaged) {
		py_raise(PK_CORRUPT, text, problem.offset);
		return false;
	}
	return !PyErr_WarnEx(py_warning, text, 1);
}

/* ---- Records ---- */

static enum pk_status count_sample(void *arg, struct pk_view *view, uint64_t weight)
{
	struct py_reader *self = arg;

	(void)weight;
	if (!pk_reserve(&self->counts, &self->counts_capacity, self->counts_count, 1,
			sizeof(*self->counts)))
		return PK_NOMEM;
	self->counts[self->counts_count++] = (struct py_count){view->counted, view->period};
	return PK_OK;
}

static enum pk_status forget(void *arg)
{
	py_frames_forget(arg);
	return PK_OK;
}

static enum pk_status end_session(struct py_reader *self)
{
	if (!self->began)
		return PK_OK;
	self->began = false;
	for (size_t i = 0; i < self->columns_count; i++)
		if (!pk_column_end_session(self->columns[i], &self->profile.context))
			return PK_NOMEM;
	return pk_profile_end(&self->profile);
}

static enum pk_status begin_session(struct py_reader *self)
{
	enum pk_status status = end_session(self);

	self->began = true;
	self->info = (struct pk_session_info){0};
	return status;
}

/* Reads the formats of tracepoints into self->payload, because the context and the program's own
 * copy of the record need them. */
static enum pk_status read_formats(struct py_reader *self)
{
	enum pk_status status = pk_read_payload(self->reader, &self->payload, &self->payload_size);

	if (status == PK_UNSUPPORTED) {
		complained(self, &self->record, "the formats of tracepoints are too large");
		return PK_OK;
	}
	return status ? status
		      : pk_context_formats(&self->profile.context, self->reader, &self->record,
					   self->payload, self->payload_size);
}

static enum pk_status evaluate(struct py_reader *self)
{
	struct pk_record *record = &self->record;
	enum pk_status status = PK_OK;

	if (record->type == PK_RECORD_BEGIN)
		status = begin_session(self);
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		return read_formats(self);
	if (pk_definition_of(record) == PK_SESSION && pk_session_info_decode(record, &self->info))
		self->info = (struct pk_session_info){0};
	if (!status)
		status = pk_profile_record(&self->profile, self->reader, record);
	return !status && self->profile.context.failed ? PK_NOMEM : status;
}

static ssize_t read_file(void *arg, void *buf, size_t size)
{
	struct py_reader *self = arg;

	return py_file_read(&self->file, buf, size);
}

/* Without the ordered reader, the record lacks its event and time. */
static enum pk_status next_unordered(struct py_reader *self)
{
	struct pk_record *record = &self->record;
	const enum pk_status status = pk_reader_next(self->reader, record);
	struct pk_sample_id id;

	if (status)
		return status;
	record->event = NULL;
	record->time = PK_NO_TIME;
	if (record->type != PK_RECORD_BEGIN)
		record->event = pk_reader_event_of(self->reader, record);
	if (!record->event)
		return PK_OK;
	if (record->type != PERF_RECORD_SAMPLE) {
		pk_sample_id_decode(record->event, record, &id);
		record->time = id.time;
	} else if (record->event->layout.time && record->size >= record->event->layout.fixed_size) {
		record->time = pk_load_u64(record->data + record->event->layout.time);
	}
	return PK_OK;
}

static enum pk_status step(struct py_reader *self)
{
	const uint64_t bad = pk_reader_bad_records(self->reader);
	enum pk_status status;

	free(self->payload);
	self->payload = NULL;
	self->damaged = false;
	self->steps++;
	self->counts_count = self->counts_done = 0;
	status = self->order ? pk_order_next(self->order, &self->record) : next_unordered(self);
	self->damaged |= pk_reader_bad_records(self->reader) != bad;
	if (status)
		return status;
	if (self->record.type == PK_RECORD_BEGIN)
		self->swapped = pk_reader_swapped(self->reader);
	return evaluate(self);
}

/* Raises an exception for the first field of `where` that no event has had. */
static void raise_missing(void *arg, size_t at, const char *text)
{
	(void)arg;
	if (!PyErr_Occurred())
		PyErr_Format(PyExc_ValueError, "where: %s (at character %zu)", text, at + 1);
}

/* After the end or an error of the input. Returns 0 or -1. */
static int finish(struct py_reader *self, enum pk_status status)
{
	const char *text = pk_reader_error(self->reader);

	self->ended = true;
	if (end_session(self) == PK_NOMEM)
		status = PK_NOMEM;
	if (self->problem.text && !report_problem(self))
		return -1;
	if (status == PK_END && self->profile.condition)
		pk_condition_problems(self->profile.condition, raise_missing, NULL);
	if (status == PK_END)
		return PyErr_Occurred() ? -1 : 0;
	py_raise(status, *text ? text : pk_status_text(status),
		 *text ? pk_reader_failed_at(self->reader) : UINT64_MAX);
	return -1;
}

/* Makes the next event that the current SAMPLE counts for the current one. */
static int show_sample(struct py_reader *self)
{
	const struct py_count *count = &self->counts[self->counts_done];

	pk_view_begin(&self->view, &self->profile.context, &self->record);
	self->view.again = self->counts_done > 0;
	self->view.counted = count->event;
	self->view.period = count->period;
	self->counts_done++;
	return 1;
}

int py_reader_advance(struct py_reader *self, bool samples_only)
{
	enum pk_status status;

	self->serial++;
	for (;;) {
		if (self->counts_done < self->counts_count)
			return show_sample(self);
		if (self->held && self->record.type != PERF_RECORD_SAMPLE && !samples_only) {
			self->held = false;
			return 1;
		}
		if (self->ended)
			return 0;
		status = step(self);
		if (pk_unlikely(status))
			return finish(self, status);
		self->held = true;
		/* After an exception, the next call returns the record. */
		if (pk_unlikely(self->problem.text != NULL) && !report_problem(self))
			return -1;
	}
}

/* ---- Columns and events ---- */

/* Adds a column for a reference. */
static Py_ssize_t add_column(struct py_reader *self, PyObject *name, const char *text, size_t size)
{
	struct pk_column *column = calloc(1, sizeof(*column));

	if (!column || !pk_reference_parse(&column->reference, text, size) ||
	    !pk_reserve(&self->columns, &self->columns_capacity, self->columns_count, 1,
			sizeof(struct pk_column *))) {
		if (column)
			pk_column_free(column);
		free(column);
		PyErr_NoMemory();
		return -1;
	}
	if (pk_reference_needs(&column->reference) & PK_NEED_CODE) {
		PyErr_Format(PyExc_AttributeError,
			     "the field %U needs files of the recorded programs, which only "
			     "the programs of pk look up",
			     name);
		pk_column_free(column);
		free(column);
		return -1;
	}
	self->columns[self->columns_count] = column;
	return (Py_ssize_t)self->columns_count++;
}

Py_ssize_t py_reader_column(struct py_reader *self, PyObject *name)
{
	PyObject *number = PyDict_GetItemWithError(self->names, name), *bytes;
	Py_ssize_t index;

	if (number)
		return PyLong_AsSsize_t(number);
	if (PyErr_Occurred())
		return -1;
	bytes = PyUnicode_AsUTF8String(name);
	if (!bytes)
		return -1;
	index = add_column(self, name, PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
	Py_DECREF(bytes);
	number = index < 0 ? NULL : PyLong_FromSsize_t(index);
	if (!number || PyDict_SetItem(self->names, name, number))
		index = -1;
	Py_XDECREF(number);
	return index;
}

struct py_event *py_reader_event(struct py_reader *self, const struct pk_event *event)
{
	struct pk_context *context = &self->profile.context;
	struct py_event *known;

	if (self->events_epoch != context->epoch && self->events)
		memset(self->events, 0, self->events_count * sizeof(*self->events));
	self->events_epoch = context->epoch;
	if (!pk_extend(&self->events, &self->events_count, event->index)) {
		PyErr_NoMemory();
		return NULL;
	}
	known = &self->events[event->index];
	if (!known->known && event->attr.type == PERF_TYPE_TRACEPOINT)
		known->tracepoint = pk_tracepoints_find(context->tracepoints, event->attr.config);
	known->known = true;
	return known;
}

/* ---- Set-up ---- */

/* False: an exception is set. */
static bool set_up_profile(struct py_reader *self, const char *where)
{
	struct pk_profile *profile = &self->profile;
	struct pk_expression_error error;

	if (where) {
		self->where = pk_expression_parse(where, &error);
		if (!self->where) {
			PyErr_Format(PyExc_ValueError, "where: %s (at character %zu)", error.text,
				     error.at + 1);
			return false;
		}
		if (pk_expression_needs(self->where) & PK_NEED_CODE) {
			PyErr_SetString(PyExc_ValueError,
					"where: a field needs files of the recorded programs");
			return false;
		}
	}
	profile->context.needs = NEEDS;
	profile->context.forget = forget;
	profile->context.arg = self;
	profile->context.complain = complained;
	profile->context.report_arg = self;
	profile->weigh.each_event = true;
	profile->where = self->where;
	profile->sample = count_sample;
	profile->arg = self;
	self->profile_ready = pk_profile_init(profile);
	if (!self->profile_ready)
		PyErr_NoMemory();
	return self->profile_ready;
}

static bool set_up_reader(struct py_reader *self, bool ordered)
{
	struct pk_reader_options options = {.fd = self->file.fd, .warn = warned, .arg = self};

	if (py_file_waits(&self->file))
		options.read = read_file;
	if (pk_reader_new(&options, &self->reader) ||
	    (ordered && pk_order_new(self->reader, &self->order))) {
		PyErr_NoMemory();
		return false;
	}
	return true;
}

/* The objects for names: those of Python's own attributes are not here. */
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
	return set_up_names(self) && set_up_profile(self, where) && set_up_reader(self, ordered)
		       ? 0
		       : -1;
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

bool py_reader_enter(struct py_reader *self)
{
	if (!self->reader) {
		PyErr_SetString(PyExc_ValueError, "the reader is closed");
		return false;
	}
	if (self->busy) {
		PyErr_SetString(PyExc_RuntimeError, "another thread uses the reader");
		return false;
	}
	self->busy = true;
	return true;
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

/* The iterator over samples. */
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
	const struct pk_session *session = self->reader ? self->profile.context.session : NULL;
	const struct pk_machine_names *machine = session ? pk_session_machine(session) : NULL;
	const bool big = PK_HOST_IS_BIG != self->swapped;

	(void)closure;
	return Py_BuildValue("{s:I,s:s,s:I,s:N,s:I,s:s,s:s,s:s}", "version",
			     (unsigned int)self->info.version, "byte_order", big ? "big" : "little",
			     "word_size", (unsigned int)self->info.word_size, "symbolized",
			     PyBool_FromLong(self->info.trailers & PK_TRAILER_STACK), "e_machine",
			     self->reader ? self->profile.context.e_machine : 0, "host",
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
