// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include "unknown_reference.h"
#include "pkutil.h"
#include "vector.h"

/* The function columns(). It returns the values of many samples at once, in one buffer for each
 * field. */

/* Signals are checked after this number of samples. */
#define SIGNALS_EVERY 65536

struct bulk {
	struct pk_column *column; /* NULL for stacks and for periods */
	enum pk_value_kind kind;  /* NONE as long as no sample had a value */
	uint8_t *numbers; /* 8 bytes for each sample. For texts, 4 bytes for each sample: the index
			   * in `list`, or -1. */
	size_t capacity;  /* number of samples that fit into `numbers` */
	uint8_t *present; /* one byte for each sample; NULL if all samples have the value */
	size_t present_capacity;
	PyObject *list;	      /* the different texts or stacks */
	PyObject *indexes;    /* dict with the index in `list` of each text or stack */
	struct pk_table keys; /* index in `list` + 1, by key of the text; valid for one epoch */
	uint64_t epoch;
	uint64_t last_key; /* key of the previous sample; last_index is 0 if there is none */
	uint64_t last_index;
};

static bool is_text(const struct bulk *bulk)
{
	return bulk->kind == PK_VALUE_TEXT;
}

static void free_bulk(struct bulk *bulk)
{
	free(bulk->numbers);
	free(bulk->present);
	pk_table_free(&bulk->keys);
	Py_XDECREF(bulk->list);
	Py_XDECREF(bulk->indexes);
}

/* ---- Values ---- */

/* Returns the index of a text or stack in `list`, and adds it if it is new. Releases the reference
 * to value. Returns -1 if an exception is set. */
static Py_ssize_t index_of(struct bulk *bulk, PyObject *value)
{
	PyObject *index = value ? PyDict_GetItemWithError(bulk->indexes, value) : NULL;
	Py_ssize_t result = -1;

	if (index) {
		result = PyLong_AsSsize_t(index);
	} else if (value && !PyErr_Occurred()) {
		result = PyList_Size(bulk->list);
		index = PyLong_FromSsize_t(result);
		if (!index || PyDict_SetItem(bulk->indexes, value, index) ||
		    PyList_Append(bulk->list, value))
			result = -1;
		Py_XDECREF(index);
	}
	Py_XDECREF(value);
	return result;
}

static PyObject *text_of(struct py_reader *reader, const struct pk_binding *binding, uint64_t key)
{
	size_t size;
	const char *text = pk_key_text(&reader->profile.context, binding, key, &size);

	return text ? py_text(text, size) : NULL;
}

/* Returns the index of the text or stack with this key. Returns -1 if there is none, or if an
 * exception is set. */
static Py_ssize_t index_of_key(struct py_reader *reader, struct bulk *bulk,
			       const struct pk_binding *binding, uint64_t key)
{
	const uint64_t known = bulk->last_index && key == bulk->last_key
				       ? bulk->last_index
				       : pk_table_get_u64(&bulk->keys, key);
	Py_ssize_t index;

	bulk->last_key = key;
	bulk->last_index = known;
	if (pk_likely(known))
		return (Py_ssize_t)known - 1;
	index = index_of(bulk, binding ? text_of(reader, binding, key) : py_sample_stack(reader));
	if (index >= 0 && pk_table_set_u64(&bulk->keys, key, (uint64_t)index + 1) != PK_OK)
		PyErr_NoMemory();
	return index;
}

static bool set_present(struct bulk *bulk, size_t n, bool present)
{
	const size_t before = bulk->present_capacity;

	if (!bulk->present && present)
		return true;
	if (pk_reserve(&bulk->present, &bulk->present_capacity, n, 1, 1) != PK_OK)
		return false;
	if (!before && n)
		memset(bulk->present, 1, n);
	bulk->present[n] = present;
	return true;
}

static bool reserve(struct bulk *bulk, size_t n)
{
	return pk_reserve(&bulk->numbers, &bulk->capacity, n, 1, sizeof(uint64_t)) == PK_OK;
}

/* Stores the number of sample n. */
static bool set_number(struct bulk *bulk, size_t n, uint64_t number, bool present)
{
	if (!reserve(bulk, n) || !set_present(bulk, n, present))
		return false;
	pk_store_u64(bulk->numbers + 8 * n, number);
	return true;
}

/* Stores the index of sample n. */
static bool set_index(struct bulk *bulk, size_t n, Py_ssize_t index)
{
	if (!reserve(bulk, n))
		return false;
	pk_store_u32(bulk->numbers + 4 * n, (uint32_t)index);
	return true;
}

/* Sets the kind of the column. The first sample with a value determines it. The n samples before
 * have no value. */
static void set_kind(struct bulk *bulk, size_t n, enum pk_value_kind kind)
{
	bulk->kind = kind;
	if (is_text(bulk) && n)
		memset(bulk->numbers, 0xff, 4 * n);
}

static bool add_stack(struct py_reader *reader, struct bulk *bulk, size_t n)
{
	const bool symbolized = pk_source_symbolized(&reader->profile.context.stacks);
	const uint32_t stack = symbolized ? pk_view_stack(&reader->view) : 0;
	PyObject *callchain;
	Py_ssize_t index = -1;

	if (symbolized && stack != PK_NO_STACK) {
		index = index_of_key(reader, bulk, NULL, stack);
	} else if (!symbolized) {
		callchain = py_sample_callchain(reader);
		index = callchain ? index_of(bulk, callchain) : -1;
	}
	return !PyErr_Occurred() && set_index(bulk, n, index);
}

/* Returns false if an exception is set, or if memory is exhausted. */
static bool add_value(struct py_reader *reader, struct bulk *bulk, size_t n)
{
	const struct pk_binding *binding =
		pk_column_bind(bulk->column, &reader->profile.context, reader->view.event);
	bool present;
	uint64_t key = 0;

	if (!binding)
		return false;
	present = binding->kind != PK_VALUE_NONE && pk_view_key(&reader->view, binding, &key);
	if (present && bulk->kind != binding->kind) {
		if (bulk->kind != PK_VALUE_NONE &&
		    (is_text(bulk) || binding->kind == PK_VALUE_TEXT)) {
			PyErr_SetString(PyExc_ValueError,
					"a field is a number in one event and a text in another: "
					"name it as EVENT.FIELD");
			return false;
		}
		if (bulk->kind == PK_VALUE_NONE)
			set_kind(bulk, n, binding->kind);
	}
	if (!is_text(bulk))
		return set_number(bulk, n, present ? key : 0, present);
	return set_index(bulk, n, present ? index_of_key(reader, bulk, binding, key) : -1) &&
	       !PyErr_Occurred();
}

/* ---- All columns ---- */

static bool add_sample(struct py_reader *reader, struct bulk *bulks, size_t count, size_t n)
{
	const uint64_t epoch = reader->profile.context.epoch;

	for (size_t i = 0; i < count; i++) {
		struct bulk *bulk = &bulks[i];

		if (!bulk->column && !is_text(bulk)) {
			if (!set_number(bulk, n, reader->view.period, true))
				return false;
			continue;
		}
		if (pk_unlikely(bulk->epoch != epoch)) {
			pk_table_clear(&bulk->keys);
			bulk->last_index = 0;
			bulk->epoch = epoch;
		}
		if (!(bulk->column ? add_value(reader, bulk, n) : add_stack(reader, bulk, n)))
			return false;
	}
	return !reader->profile.context.failed;
}

/* Reads at most limit samples. Returns the number of samples. Returns -1 if an exception is set. */
static Py_ssize_t fill(struct py_reader *reader, struct bulk *bulks, size_t count, size_t limit)
{
	size_t n = 0;
	int found;

	while (n < limit) {
		found = py_reader_advance(reader, true);
		if (found <= 0)
			return found < 0 ? -1 : (Py_ssize_t)n;
		if (!add_sample(reader, bulks, count, n)) {
			if (!PyErr_Occurred())
				PyErr_NoMemory();
			return -1;
		}
		n++;
		if (n % SIGNALS_EVERY == 0 && PyErr_CheckSignals())
			return -1;
	}
	return (Py_ssize_t)n;
}

/* Raises an exception if no event so far has the field, because otherwise all values would be 0.
 * Returns false if an exception is set. */
static bool check_field(struct py_reader *reader, struct pk_column *column)
{
	const struct pk_context *context = &reader->profile.context;
	char text[PK_MISSING_SIZE];

	if (reader->began && pk_column_end_session(column, context) != PK_OK) {
		PyErr_NoMemory();
		return false;
	}
	if (column->found || column->reference.field)
		return true;
	if (!pk_unknown_field(context, &column->reference, NULL, text, sizeof(text)))
		pk_reference_missing(&column->reference, text);
	PyErr_SetString(PyExc_ValueError, text);
	return false;
}

static bool start_bulk(struct py_reader *reader, struct bulk *bulk, PyObject *name)
{
	Py_ssize_t number;

	if (!PyUnicode_Check(name)) {
		PyErr_SetString(PyExc_TypeError, "the name of a field is a str");
		return false;
	}
	bulk->list = PyList_New(0);
	bulk->indexes = PyDict_New();
	if (!bulk->list || !bulk->indexes)
		return false;
	if (!PyUnicode_CompareWithASCIIString(name, "stack")) {
		bulk->kind = PK_VALUE_TEXT;
		return true;
	}
	bulk->kind = PK_VALUE_NUMBER;
	if (!PyUnicode_CompareWithASCIIString(name, "period"))
		return true;
	bulk->kind = PK_VALUE_NONE;
	number = py_reader_column(reader, name);
	if (number < -1)
		PyErr_Format(PyExc_ValueError, "%U has no column", name);
	if (number < 0)
		return false;
	bulk->column = reader->columns[number];
	return true;
}

/* Returns the tuple (format of struct, values, presence or None, texts or None). */
static PyObject *bulk_object(const struct bulk *bulk, Py_ssize_t n)
{
	const bool text = is_text(bulk);
	const char *format = pk_kind_is_signed(bulk->kind) ? "q" : "Q";

	return Py_BuildValue(
		"sNNN", text ? "i" : format,
		PyByteArray_FromStringAndSize((const char *)bulk->numbers, n * (text ? 4 : 8)),
		bulk->present && !text
			? PyByteArray_FromStringAndSize((const char *)bulk->present, n)
			: py_none(),
		text ? PyList_AsTuple(bulk->list) : py_none());
}

static PyObject *bulk_objects(const struct bulk *bulks, size_t count, Py_ssize_t n)
{
	PyObject *list = PyList_New((Py_ssize_t)count), *item;

	for (size_t i = 0; list && i < count; i++) {
		item = bulk_object(&bulks[i], n);
		if (!item || PyList_SetItem(list, (Py_ssize_t)i, item)) {
			Py_DECREF(list);
			return NULL;
		}
	}
	return list ? Py_BuildValue("nN", n, list) : NULL;
}

static PyObject *read_bulks(struct py_reader *reader, PyObject *names, size_t limit)
{
	const size_t count = (size_t)PyTuple_Size(names);
	struct bulk *bulks = calloc(count + 1, sizeof(*bulks));
	PyObject *result = NULL;
	bool started = bulks;
	Py_ssize_t n;

	if (!bulks)
		return PyErr_NoMemory();
	for (size_t i = 0; started && i < count; i++)
		started = start_bulk(reader, &bulks[i], PyTuple_GetItem(names, (Py_ssize_t)i));
	n = started ? fill(reader, bulks, count, limit) : -1;
	for (size_t i = 0; n >= 0 && i < count; i++)
		if (bulks[i].column && !check_field(reader, bulks[i].column))
			n = -1;
	if (n >= 0)
		result = bulk_objects(bulks, count, n);
	for (size_t i = 0; i < count; i++)
		free_bulk(&bulks[i]);
	free(bulks);
	return result;
}

PyObject *py_reader_columns(PyObject *self, PyObject *args)
{
	struct py_reader *reader = (struct py_reader *)self;
	PyObject *names, *result;
	Py_ssize_t limit;

	if (!PyArg_ParseTuple(args, "On:_columns", &names, &limit))
		return NULL;
	if (!PyTuple_Check(names)) {
		PyErr_SetString(PyExc_TypeError, "names is a tuple");
		return NULL;
	}
	if (!py_reader_enter(reader))
		return NULL;
	result = read_bulks(reader, names, limit < 0 ? SIZE_MAX : (size_t)limit);
	reader->busy = false;
	return result;
}
