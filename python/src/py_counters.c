// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include "event.h"
#include "perf_syscall.h"

/* Live counters. They are descriptors that lib/event opens. */

struct counters {
	PyObject_HEAD struct event_list events;
	struct targets targets;
	bool open;
};

/* Raises the errors in messages as exceptions, and issues warnings for other messages. Returns
 * false if an exception is set. */
static bool report(struct pk_messages *messages, enum pk_status status)
{
	enum pk_severity severity;
	const char *text;
	size_t at = 0;

	while (!PyErr_Occurred() && (text = pk_messages_next(messages, &at, &severity))) {
		if (severity == PK_SEVERITY_ERROR)
			PyErr_SetString(py_error, text);
		else
			PyErr_WarnEx(py_warning, text, 1);
	}
	if (status != PK_OK && !PyErr_Occurred())
		PyErr_NoMemory();
	pk_messages_clear(messages);
	return !PyErr_Occurred();
}

static void set_attrs(struct counters *self, bool inherit)
{
	for (size_t i = 0; i < self->events.count; i++) {
		struct perf_attr *attr = &self->events.items[i].attr;

		attr->size = PERF_ATTR_SIZE_VER9;
		attr->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
		attr->sample_period = 0;
		if (inherit)
			attr->flags |= PERF_ATTR_INHERIT;
		if (self->events.items[i].leader == i)
			attr->flags |= PERF_ATTR_DISABLED;
	}
}

static int counters_init(PyObject *object, PyObject *args, PyObject *keywords)
{
	static char *names[] = {"events", "pids", "tids", "cpus", "system_wide", "inherit", NULL};
	struct counters *self = (struct counters *)object;
	struct pk_messages *messages = &self->events.messages;
	struct target_spec spec = {.per_task = true};
	int system_wide = false, inherit = true;
	const char *events;

	if (!PyArg_ParseTupleAndKeywords(args, keywords, "s|zzzpp:Counters", names, &events,
					 &spec.pids, &spec.tids, &spec.cpus, &system_wide,
					 &inherit))
		return -1;
	if (self->open || self->events.count) {
		PyErr_SetString(PyExc_RuntimeError, "the counters are open already");
		return -1;
	}
	spec.system_wide = system_wide;
	if (!report(messages, pk_event_list_parse(&self->events, events)) ||
	    !report(messages, pk_targets_init(&self->targets, &spec, getpid(), messages)))
		return -1;
	set_attrs(self, inherit);
	self->open = true;
	return report(messages,
		      pk_event_list_open(&self->events, &self->targets, &(struct open_options){0}))
		       ? 0
		       : -1;
}

static void close_counters(struct counters *self)
{
	if (self->open)
		pk_event_list_close(&self->events, &self->targets);
	self->open = false;
	pk_event_list_free(&self->events);
	pk_targets_free(&self->targets);
	self->events = (struct event_list){0};
	self->targets = (struct targets){0};
}

static void counters_dealloc(PyObject *object)
{
	PyTypeObject *type = Py_TYPE(object);

	close_counters((struct counters *)object);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
	Py_DECREF(type);
}

/* ---- Methods ---- */

static PyObject *request(PyObject *object, unsigned long number)
{
	const struct counters *self = (const struct counters *)object;

	if (!self->open) {
		PyErr_SetString(PyExc_ValueError, "the counters are closed");
		return NULL;
	}
	pk_event_list_ioctl(&self->events, &self->targets, number);
	return py_none();
}

static PyObject *counters_enable(PyObject *object, PyObject *unused)
{
	(void)unused;
	return request(object, PERF_EVENT_IOC_ENABLE);
}

static PyObject *counters_disable(PyObject *object, PyObject *unused)
{
	(void)unused;
	return request(object, PERF_EVENT_IOC_DISABLE);
}

static PyObject *counters_reset(PyObject *object, PyObject *unused)
{
	(void)unused;
	return request(object, PERF_EVENT_IOC_RESET);
}

static PyObject *counters_close(PyObject *object, PyObject *unused)
{
	(void)unused;
	close_counters((struct counters *)object);
	return py_none();
}

/* Appends (name, cpu, tid, value, enabled, running) of a counter. Returns false if an exception is
 * set. */
static bool append_count(PyObject *list, const struct event *event, int fd, int cpu, pid_t tid)
{
	uint64_t values[3];
	PyObject *count;
	bool appended;

	if (read(fd, values, sizeof(values)) != sizeof(values)) {
		PyErr_SetFromErrno(PyExc_OSError);
		return false;
	}
	count = Py_BuildValue("siiKKK", event->name, cpu, (int)tid, (unsigned long long)values[0],
			      (unsigned long long)values[1], (unsigned long long)values[2]);
	appended = count && !PyList_Append(list, count);
	Py_XDECREF(count);
	return appended;
}

static bool append_event(const struct counters *self, PyObject *list, const struct event *event)
{
	const struct targets *targets = &self->targets;

	for (size_t cpu = 0; event->opened.fds && cpu < targets->cpus_count; cpu++) {
		for (size_t task = 0; task < targets->tids_count; task++) {
			const int fd = event->opened.fds[event_slot(targets, cpu, task)];

			if (fd >= 0 &&
			    !append_count(list, event, fd, targets->cpus[cpu], targets->tids[task]))
				return false;
		}
	}
	return true;
}

static PyObject *counters_read_all(PyObject *object, PyObject *unused)
{
	const struct counters *self = (const struct counters *)object;
	PyObject *list;

	(void)unused;
	if (!self->open) {
		PyErr_SetString(PyExc_ValueError, "the counters are closed");
		return NULL;
	}
	list = PyList_New(0);
	for (size_t i = 0; list && i < self->events.count; i++)
		if (!append_event(self, list, &self->events.items[i]))
			Py_CLEAR(list);
	return list;
}

/* ---- Properties ---- */

/* Appends a number. Returns false if an exception is set. */
static bool append_number(PyObject *list, long value)
{
	PyObject *number = PyLong_FromLong(value);
	const bool appended = number && !PyList_Append(list, number);

	Py_XDECREF(number);
	return appended;
}

static PyObject *tuple_of(PyObject *list)
{
	PyObject *tuple = list ? PyList_AsTuple(list) : NULL;

	Py_XDECREF(list);
	return tuple;
}

static PyObject *get_cpus(PyObject *object, void *closure)
{
	const struct targets *targets = &((const struct counters *)object)->targets;
	PyObject *list = PyList_New(0);

	(void)closure;
	for (size_t i = 0; list && i < targets->cpus_count; i++)
		if (targets->chosen[i] && !append_number(list, targets->cpus[i]))
			Py_CLEAR(list);
	return tuple_of(list);
}

static PyObject *get_tids(PyObject *object, void *closure)
{
	const struct targets *targets = &((const struct counters *)object)->targets;
	PyObject *list = PyList_New(0);

	(void)closure;
	for (size_t i = 0; list && i < targets->tids_count; i++)
		if (!append_number(list, targets->tids[i]))
			Py_CLEAR(list);
	return tuple_of(list);
}

static PyObject *get_events(PyObject *object, void *closure)
{
	const struct counters *self = (const struct counters *)object;
	PyObject *tuple = PyTuple_New((Py_ssize_t)self->events.count), *name;

	(void)closure;
	for (size_t i = 0; tuple && i < self->events.count; i++) {
		name = PyUnicode_FromString(self->events.items[i].name);
		if (!name || PyTuple_SetItem(tuple, (Py_ssize_t)i, name)) {
			Py_DECREF(tuple);
			return NULL;
		}
	}
	return tuple;
}

static PyMethodDef counters_methods[] = {
	{"enable", counters_enable, METH_NOARGS, "enable()\n--\n\nStarts to count."},
	{"disable", counters_disable, METH_NOARGS, "disable()\n--\n\nStops to count."},
	{"reset", counters_reset, METH_NOARGS, "reset()\n--\n\nSets all counts to 0."},
	{"read_all", counters_read_all, METH_NOARGS,
	 "read_all()\n--\n\nAll counters: a list of (event, cpu, tid, value, enabled, running). "
	 "cpu "
	 "-1: any; tid -1: all tasks."},
	{"close", counters_close, METH_NOARGS, "close()\n--\n\nCloses the counters."},
	{NULL, NULL, 0, NULL},
};

static PyGetSetDef counters_properties[] = {
	{"events", get_events, NULL, "The names of the events: a tuple.", NULL},
	{"cpus", get_cpus, NULL, "The processors: a tuple; (-1,): any.", NULL},
	{"tids", get_tids, NULL, "The threads: a tuple; (-1,): all.", NULL},
	{NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot counters_slots[] = {
	{Py_tp_init, counters_init},
	{Py_tp_dealloc, counters_dealloc},
	{Py_tp_methods, counters_methods},
	{Py_tp_getset, counters_properties},
	{0, NULL},
};

PyType_Spec py_counters_spec = {
	.name = "pkstream._pkstream.Counters",
	.basicsize = sizeof(struct counters),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
	.slots = counters_slots,
};
