// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

/* Adds an object to the module. The caller keeps its own reference. */
static bool add_object(PyObject *module, const char *name, PyObject *object)
{
	Py_IncRef(object);
	/* PyModule_AddObject() takes over a reference only if it succeeds. */
	if (!PyModule_AddObject(module, name, object))
		return true;
	Py_DECREF(object);
	return false;
}

/* Creates the exception pkstream.NAME. If base is NULL, its base is Exception. */
static PyObject *add_exception(PyObject *module, const char *name, const char *about,
			       PyObject *base)
{
	char full[64];
	PyObject *type;

	snprintf(full, sizeof(full), "pkstream.%s", name);
	type = PyErr_NewExceptionWithDoc(full, about, base, NULL);
	if (type && !add_object(module, name, type))
		Py_CLEAR(type);
	return type;
}

static bool add_exceptions(PyObject *module)
{
	PyObject *io_bases;

	py_error = add_exception(module, "Error",
				 "Reading or writing a stream failed. The attribute offset is the "
				 "position in the input in bytes, or None.",
				 NULL);
	if (!py_error || PyObject_SetAttrString(py_error, "offset", Py_None))
		return false;
	py_damaged_error = add_exception(module, "DamagedError",
					 "The input has invalid bytes at the offset.", py_error);
	py_truncated_error = add_exception(module, "TruncatedError",
					   "The input is cut at the offset.", py_error);
	py_unsupported_error =
		add_exception(module, "UnsupportedError",
			      "The input is of a format that cannot be read.", py_error);
	io_bases = PyTuple_Pack(2, py_error, PyExc_OSError);
	py_io_error = io_bases ? add_exception(module, "IOError",
					       "The system failed to read or write.", io_bases)
			       : NULL;
	Py_XDECREF(io_bases);
	py_stale_error = add_exception(
		module, "StaleError",
		"The reader has advanced: the record or sample is no longer in memory.", py_error);
	py_warning = add_exception(module, "StreamWarning",
				   "A part of the input was skipped, or could not be used.",
				   PyExc_UserWarning);
	return py_damaged_error && py_truncated_error && py_unsupported_error && py_io_error &&
	       py_stale_error && py_warning;
}

/* Adds a type to the module. The last component of the type's full name becomes the name in the
 * module. Returns a new reference. */
static PyTypeObject *add_type(PyObject *module, PyType_Spec *spec)
{
	PyObject *type = PyType_FromSpec(spec);

	if (type && !add_object(module, strrchr(spec->name, '.') + 1, type))
		Py_CLEAR(type);
	return (PyTypeObject *)type;
}

static bool add_types(PyObject *module)
{
	PyTypeObject *reader, *writer, *counters;

	py_sample_type = add_type(module, &py_sample_spec);
	py_record_type = add_type(module, &py_record_spec);
	py_samples_type = add_type(module, &py_samples_spec);
	reader = add_type(module, &py_reader_spec);
	writer = add_type(module, &py_writer_spec);
	counters = add_type(module, &py_counters_spec);
	Py_XDECREF(reader);
	Py_XDECREF(writer);
	Py_XDECREF(counters);
	if (!py_sample_type || !py_record_type || !py_samples_type || !reader || !writer ||
	    !counters || !py_frame_type_create())
		return false;
	return add_object(module, "Frame", (PyObject *)py_frame_type);
}

/* Returns the names of all fields of samples, and a description of each field. */
static PyObject *field_names(PyObject *module, PyObject *unused)
{
	PyObject *dict = PyDict_New();
	const struct pk_field *field;

	(void)module;
	(void)unused;
	for (size_t i = 0; dict && (field = pk_field_at(i)); i++) {
		if (field->needs & PK_NEED_CODE ||
		    py_set(dict, field->name, PyUnicode_FromString(field->about)))
			continue;
		Py_DECREF(dict);
		return NULL;
	}
	return dict;
}

static PyMethodDef functions[] = {
	{"field_names", field_names, METH_NOARGS,
	 "field_names()\n--\n\nThe fields of samples: a dictionary from names to descriptions."},
	{NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "pkstream._pkstream",
	.m_doc = "The part of pkstream that is written in C.",
	.m_size = -1,
	.m_methods = functions,
};

PyMODINIT_FUNC PyInit__pkstream(void);
PyMODINIT_FUNC PyInit__pkstream(void)
{
	PyObject *module = PyModule_Create(&definition);

	if (module && add_exceptions(module) && add_types(module) &&
	    !PyModule_AddStringConstant(module, "version", pk_version()))
		return module;
	Py_XDECREF(module);
	return NULL;
}
