// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include "vector.h"

/* The needs of a context (PK_NEED_*) that do not require files of this machine. */
#define NEEDS                                                                                      \
	(PK_NEED_FORMATS | PK_NEED_STACKS | PK_NEED_TASKS | PK_NEED_NAMES | PK_NEED_PARALLELISM |  \
	 PK_NEED_BRANCHES | PK_NEED_OBJECTS | PK_NEED_LINES | PK_NEED_CALLERS)

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

/* ---- Damage ---- */

/* Stores the first problem of a step. `damaged` is set if a record was skipped. */
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

/* Raises an exception or issues a warning for the problem of this step. Returns false if an
 * exception is set. */
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
	PK_TRY(pk_reserve(&self->counts, &self->counts_capacity, self->counts_count, 1,
			  sizeof(*self->counts)));
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
		PK_TRY(pk_column_end_session(self->columns[i], &self->profile.context));
	return pk_profile_end(&self->profile);
}

static enum pk_status begin_session(struct py_reader *self)
{
	enum pk_status status = end_session(self);

	self->began = true;
	self->info = (struct pk_session_info){0};
	return status;
}

/* Reads the formats of tracepoints into self->payload. Two users need them: the context, and the
 * copy of the record that the Python program writes. */
static enum pk_status read_formats(struct py_reader *self)
{
	enum pk_status status = pk_read_payload(self->reader, &self->payload, &self->payload_size);

	if (status == PK_UNSUPPORTED) {
		complained(self, &self->record, "the formats of tracepoints are too large");
		return PK_OK;
	}
	return status
		       ?: pk_context_read_formats(&self->profile.context, self->reader,
						  &self->record, self->payload, self->payload_size);
}

static enum pk_status evaluate(struct py_reader *self)
{
	struct pk_record *record = &self->record;
	enum pk_status status = PK_OK;

	if (record->type == PK_RECORD_BEGIN)
		status = begin_session(self);
	if (record->type == PERF_RECORD_HEADER_TRACING_DATA)
		return read_formats(self);
	if (pk_definition_of(record) == PK_SESSION &&
	    pk_session_info_decode(record, &self->info) != PK_OK)
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

/* Reads the next record in the order of the input. Without the ordered reader, its event and time
 * must be set here. */
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

/* Raises an exception for the first field of `where` that no event had. */
static void raise_missing(void *arg, size_t at, const char *text)
{
	(void)arg;
	if (!PyErr_Occurred())
		PyErr_Format(PyExc_ValueError, "where: %s (at character %zu)", text, at + 1);
}

/* Called after the end or an error of the input. Returns 0, or -1 if an exception is set. */
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

/* A SAMPLE with the values of a group is returned once for each event of the group. Makes the next
 * of these events the current one. */
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
		/* If this raises an exception, the next call returns the record. */
		if (pk_unlikely(self->problem.text != NULL) && !report_problem(self))
			return -1;
	}
}

/* ---- Columns and events ---- */

/* Adds a column for a reference to a field. */
static Py_ssize_t add_column(struct py_reader *self, PyObject *name, const char *text, size_t size)
{
	struct pk_column *column = calloc(1, sizeof(*column));

	if (!column || pk_reference_parse(&column->reference, text, size) != PK_OK ||
	    pk_reserve(&self->columns, &self->columns_capacity, self->columns_count, 1,
		       sizeof(struct pk_column *)) != PK_OK) {
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
	if (pk_extend(&self->events, &self->events_count, event->index) != PK_OK) {
		PyErr_NoMemory();
		return NULL;
	}
	known = &self->events[event->index];
	if (!known->known && event->attr.type == PERF_TYPE_TRACEPOINT)
		known->tracepoint =
			pk_tracepoints_find(pk_context_tracepoints(context), event->attr.config);
	known->known = true;
	return known;
}

/* ---- Set-up ---- */

/* Returns false if an exception is set. */
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
	profile->weigh.each_event = true;
	profile->where = self->where;
	profile->sample = count_sample;
	profile->arg = self;
	self->profile_ready = pk_profile_init(profile) == PK_OK;
	if (!self->profile_ready)
		PyErr_NoMemory();
	return self->profile_ready;
}

static bool set_up_reader(struct py_reader *self, bool ordered)
{
	struct pk_reader_options options = {.fd = self->file.fd, .warn = warned, .arg = self};

	if (py_file_waits(&self->file))
		options.read = read_file;
	if (pk_reader_new(&options, &self->reader) != PK_OK ||
	    (ordered && pk_order_new(self->reader, &self->order) != PK_OK)) {
		PyErr_NoMemory();
		return false;
	}
	return true;
}

bool py_reader_set_up(struct py_reader *self, const char *where, bool ordered)
{
	return set_up_profile(self, where) && set_up_reader(self, ordered);
}
