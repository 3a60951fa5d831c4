// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include "pkutil.h"

/* Reads the content of records that are not samples. libpkstream describes their layouts. */

struct walk {
	const uint8_t *at, *start, *end;
	bool damaged; /* the record is too short for its fields */
};

static size_t left(const struct walk *walk)
{
	return (size_t)(walk->end - walk->at);
}

/* Returns the next size bytes. If there are fewer bytes, sets walk->damaged and returns NULL. */
static const uint8_t *take_bytes(struct walk *walk, uint64_t size)
{
	const uint8_t *at = walk->at;

	if (size > left(walk)) {
		walk->damaged = true;
		walk->at = walk->end;
		return NULL;
	}
	walk->at += size;
	return at;
}

static uint64_t read_number(struct walk *walk, size_t width)
{
	const uint8_t *at = take_bytes(walk, width);

	if (!at)
		return 0;
	switch (width) {
	case 1: return *at;
	case 2: return pk_load_u16(at);
	case 4: return pk_load_u32(at);
	default: return pk_load_u64(at);
	}
}

/* Reads a text that is padded to a multiple of 8 bytes. */
static PyObject *padded_text(struct walk *walk)
{
	const char *text = (const char *)walk->at;
	const size_t size = strnlen(text, left(walk));
	const size_t next = PK_ALIGN8((size_t)(walk->at - walk->start) + size + 1);

	walk->damaged |= size == left(walk);
	walk->at = next < (size_t)(walk->end - walk->start) ? walk->start + next : walk->end;
	return py_text(text, size);
}

static PyObject *bytes_field(struct walk *walk, char letter, uint64_t number)
{
	size_t size = pk_letter_size(letter);
	const uint8_t *bytes = take_bytes(walk, size);

	if (!bytes)
		return NULL;
	if (letter == 'z')
		return py_text(bytes, strnlen((const char *)bytes, size));
	if (letter == 'x' && number <= PK_BUILD_ID_MAX)
		size = number;
	return PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)size);
}

static PyObject *sized_text(struct walk *walk)
{
	const uint64_t size = read_number(walk, 4);
	const uint8_t *text = take_bytes(walk, size);

	return text ? py_text(text, strnlen((const char *)text, size)) : NULL;
}

/* Reads a field. *number is the last number that was read. For a build-id, it is the size. Returns
 * NULL if an exception is set, or if walk->damaged is set. */
static PyObject *read_field(struct walk *walk, char letter, uint64_t *number)
{
	switch (letter) {
	case 's': return padded_text(walk);
	case 't': return sized_text(walk);
	case 'x':
	case 'y':
	case 'z': return bytes_field(walk, letter, *number);
	default: break;
	}
	*number = read_number(walk, pk_letter_size(letter));
	if (walk->damaged)
		return NULL;
	if (letter == 'i')
		return PyLong_FromLong((int32_t)*number);
	return letter == 'j' ? PyLong_FromLongLong((int64_t)*number)
			     : PyLong_FromUnsignedLongLong(*number);
}

/* Copies the first word of names to name. Returns the names after this word. */
static const char *next_name(const char *names, char *name, size_t size)
{
	const size_t length = strcspn(names, " ");

	snprintf(name, size, "%.*s", (int)length, names);
	return names + length + (names[length] == ' ');
}

/* Skips the names of the fields of a group. */
static const char *skip_names(const char *letters, const char *close, const char *names)
{
	char name[64];

	for (; letters < close; letters++)
		if (*letters != '.')
			names = next_name(names, name, sizeof(name));
	return names;
}

static bool read_fields(struct walk *walk, PyObject *dict, const char *letters, const char *end,
			const char *names);

/* Reads an item of a group. Returns a dictionary. If the group has only one field, and this field
 * has no name, returns the value of the field. */
static PyObject *read_item(struct walk *walk, const char *letters, const char *close,
			   const char *names)
{
	uint64_t number = 0;
	PyObject *dict;

	if (*names == '.')
		return read_field(walk, *letters, &number);
	dict = PyDict_New();
	if (dict && read_fields(walk, dict, letters, close, names))
		return dict;
	Py_XDECREF(dict);
	return NULL;
}

static size_t least_size(const char *letters, const char *close)
{
	size_t least = 0;

	for (; letters < close; letters++)
		least += *letters == 't' ? 4 : pk_letter_size(*letters);
	return least;
}

/* Reads the items of the group whose letters end at close. */
static PyObject *read_group(struct walk *walk, const char *letters, const char *close,
			    const char *names, uint64_t count)
{
	const size_t least = least_size(letters, close);
	PyObject *list, *item;

	if (*close == '}')
		count = left(walk) / least;
	if (count > left(walk) / least) {
		walk->damaged = true;
		return NULL;
	}
	list = PyList_New(0);
	for (uint64_t i = 0; list && i < count && !walk->damaged; i++) {
		item = read_item(walk, letters, close, names);
		if (item && !PyList_Append(list, item)) {
			Py_DECREF(item);
			continue;
		}
		Py_XDECREF(item);
		if (PyErr_Occurred())
			Py_CLEAR(list);
	}
	return list;
}

/* Sets a member. Returns false if an exception is set, or if the record is damaged. */
static bool set_member(struct walk *walk, PyObject *dict, const char *name, PyObject *value)
{
	if (!value && walk->damaged && !PyErr_Occurred())
		return false;
	return py_set(dict, name, value);
}

static bool read_fields(struct walk *walk, PyObject *dict, const char *letters, const char *end,
			const char *names)
{
	uint64_t number = 0;
	const char *close;
	char name[64];

	for (; letters < end && *letters != '|' && *letters != '-' && *letters != '*'; letters++) {
		switch (*letters) {
		case '.': take_bytes(walk, 1); continue;
		case '?':
			if (!left(walk))
				return true;
			continue;
		case 'n':
		case 'm': number = read_number(walk, pk_letter_size(*letters)); continue;
		case '(':
		case '{':
			names = next_name(names, name, sizeof(name));
			close = strpbrk(letters, ")}");
			if (!set_member(walk, dict, name,
					read_group(walk, letters + 1, close, names, number)))
				return false;
			names = skip_names(letters + 1, close, names);
			letters = close;
			continue;
		default: break;
		}
		names = next_name(names, name, sizeof(name));
		if (!set_member(walk, dict, name, read_field(walk, *letters, &number)))
			return false;
	}
	return !walk->damaged;
}

/* Reads the fields of a layout. Returns false if an exception is set. */
static bool read_layout(struct walk *walk, PyObject *dict, const struct pk_record_layout *layout)
{
	if (!layout || read_fields(walk, dict, layout->letters,
				   layout->letters + strlen(layout->letters), layout->fields))
		return true;
	return !PyErr_Occurred() && walk->damaged &&
	       !PyDict_SetItemString(dict, "malformed", Py_True);
}

/* ---- Parts that other layouts describe ---- */

static bool read_definition(struct walk *walk, PyObject *dict, const struct pk_record *record)
{
	const struct pk_record_layout *layout = pk_definition_layout(pk_definition_of(record));

	if (!layout)
		return true;
	return py_set(dict, "definition", PyUnicode_FromString(layout->name)) &&
	       read_layout(walk, dict, layout);
}

static bool read_feature(struct walk *walk, PyObject *dict, const struct pk_record *record)
{
	const uint32_t id = pk_feature_id(record);
	const struct pk_record_layout *layout = pk_feature_layout(id);

	take_bytes(walk, 8);
	return py_set(dict, "feature",
		      layout ? PyUnicode_FromString(layout->name) : PyLong_FromUnsignedLong(id)) &&
	       (walk->at == walk->end || read_layout(walk, dict, layout));
}

/* Reads the identifiers at the end of a kernel record. */
static bool read_trailer(PyObject *dict, const struct pk_record *record)
{
	const struct pk_layout *layout = &record->event->layout;
	struct pk_sample_id id;
	PyObject *trailer = PyDict_New();
	bool set = trailer;

	pk_sample_id_decode(record->event, record, &id);
	if (set && layout->trailer.tid)
		set = py_set(trailer, "pid", PyLong_FromLong((int32_t)id.pid)) &&
		      py_set(trailer, "tid", PyLong_FromLong((int32_t)id.tid));
	if (set && layout->trailer.time)
		set = py_set(trailer, "time", PyLong_FromUnsignedLongLong(id.time));
	if (set && (layout->trailer.id || layout->trailer.identifier))
		set = py_set(trailer, "id", PyLong_FromUnsignedLongLong(id.id));
	if (set && layout->trailer.stream_id)
		set = py_set(trailer, "stream_id", PyLong_FromUnsignedLongLong(id.stream_id));
	if (set && layout->trailer.cpu)
		set = py_set(trailer, "cpu", PyLong_FromLong((int32_t)id.cpu));
	set = set && !PyDict_SetItemString(dict, "trailer", trailer);
	Py_XDECREF(trailer);
	return set;
}

static bool read_body(struct walk *walk, PyObject *dict, const struct pk_record *record)
{
	if (!read_layout(walk, dict, pk_layout_of_record(record)))
		return false;
	if (record->type == PERF_RECORD_EVENT_UPDATE)
		return read_definition(walk, dict, record);
	return record->type != PERF_RECORD_HEADER_FEATURE || read_feature(walk, dict, record);
}

PyObject *py_record_content(const struct pk_record *record)
{
	struct walk walk = {record->data + sizeof(struct perf_header), record->data,
			    record->data + record->size, false};
	PyObject *dict = PyDict_New();
	size_t trailer;

	if (!dict || record->type == PK_RECORD_BEGIN)
		return dict;
	trailer = record->event ? record->event->layout.trailer.size : 0;
	if (record->type >= PERF_RECORD_USER_START || trailer > left(&walk))
		trailer = 0;
	walk.end -= trailer;
	if (read_body(&walk, dict, record) && (!trailer || read_trailer(dict, record)))
		return dict;
	Py_DECREF(dict);
	return NULL;
}
