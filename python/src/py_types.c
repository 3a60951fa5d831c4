// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

PyTypeObject *py_sample_type, *py_record_type, *py_samples_type, *py_frame_type;
PyObject *py_error, *py_io_error, *py_damaged_error, *py_truncated_error, *py_unsupported_error,
	*py_stale_error, *py_warning;

bool py_set(PyObject *dict, const char *name, PyObject *value)
{
	const bool set = value && !PyDict_SetItemString(dict, name, value);

	Py_XDECREF(value);
	return set;
}

static PyObject *exception_of(enum pk_status status)
{
	switch (status) {
	case PK_TRUNCATED: return py_truncated_error;
	case PK_CORRUPT: return py_damaged_error;
	case PK_UNSUPPORTED: return py_unsupported_error;
	case PK_IO: return py_io_error;
	default: return py_error;
	}
}

void py_raise(enum pk_status status, const char *text, uint64_t offset)
{
	PyObject *type = exception_of(status), *exception, *number;

	if (PyErr_Occurred())
		return;
	if (status == PK_NOMEM) {
		PyErr_NoMemory();
		return;
	}
	exception = PyObject_CallFunction(type, "s", text);
	number = offset == UINT64_MAX ? py_none() : PyLong_FromUnsignedLongLong(offset);
	if (exception && number && !PyObject_SetAttrString(exception, "offset", number))
		PyErr_SetObject(type, exception);
	Py_XDECREF(exception);
	Py_XDECREF(number);
}
