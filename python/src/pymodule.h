/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PYMODULE_H
#define PYMODULE_H

/* The extension module pkstream._pkstream: what its files share. Include it first: Python.h asks
 * for that. The module uses Python's limited API of 3.9, so that one build works with all later
 * versions.
 */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03090000
#include <Python.h>

#include "pkprivate.h"
#include "pkutil.h"
#include "profile.h"

/* ---- Types and exceptions, created once (py_types.c) ---- */

extern PyTypeObject *py_sample_type, *py_record_type, *py_samples_type, *py_frame_type;
extern PyObject *py_error, *py_io_error, *py_damaged_error, *py_truncated_error,
	*py_unsupported_error, *py_stale_error, *py_warning;

/* The specifications of the types. */
extern PyType_Spec py_reader_spec, py_samples_spec, py_sample_spec, py_record_spec, py_writer_spec,
	py_counters_spec;
/* False: an exception is set. */
bool py_frame_type_create(void);

/* Sets the exception for a status, with the attribute offset; UINT64_MAX: None. */
void py_raise(enum pk_status status, const char *text, uint64_t offset);
/* Text of the input: bytes that are not UTF-8 become U+FFFD. */
static inline PyObject *py_text(const void *text, size_t size)
{
	return PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, "replace");
}
/* None: a new reference. */
static inline PyObject *py_none(void)
{
	return Py_BuildValue("");
}

/* dict[name] = value, whose reference the function takes. value NULL: an exception is set. False:
 * an exception is set. */
bool py_set(PyObject *dict, const char *name, PyObject *value);

/* ---- Descriptors (py_file.c) ---- */

struct py_file {
	int fd;
	bool owned;	  /* fd was opened here */
	bool raised;	  /* a signal's handler raised an exception */
	PyObject *source; /* the object that fd belongs to: it must not close it meanwhile */
};

/* Opens source: a path, a descriptor, or an object with fileno(). flags as for open(2). False: an
 * exception is set. */
bool py_file_open(struct py_file *file, PyObject *source, int flags);
void py_file_close(struct py_file *file);
/* Whether reading from it can block for long: it is not a regular file or directory. */
bool py_file_waits(const struct py_file *file);
/* For struct pk_reader_options and struct pk_writer_options; arg is the struct py_file. Other
 * threads of Python run meanwhile. */
ssize_t py_file_read(void *arg, void *buf, size_t size);
ssize_t py_file_write(void *arg, const void *buf, size_t size);

/* ---- Reader (py_reader.c) ---- */

struct py_reader {
	PyObject_HEAD struct py_file file;
	struct pk_reader *reader;
	struct pk_order *order; /* NULL: records come in the order of the input */
	struct pk_profile profile;
	bool profile_ready;
	struct pk_expression *where;
	bool skip_damaged;
	bool busy;  /* a call is running: another thread may not use the reader */
	bool began; /* a session has begun and not ended */
	bool ended; /* the input ended, or failed */
	bool held;  /* the current record was not returned yet */

	/* The current record. serial is another number for each record and sample that was
	 * returned; objects with another number are out of date. */
	struct pk_record record;
	uint64_t serial;
	uint64_t steps;	  /* number of records that were read */
	bool swapped;	  /* byte order of the session is not the host's */
	uint8_t *payload; /* of TRACING_DATA; NULL: not read */
	size_t payload_size;
	struct pk_session_info info;

	/* The events that the current SAMPLE counts for: several if it has the values of a group.
	 */
	struct py_count {
		const struct pk_event *event;
		uint64_t period;
	} * counts;
	size_t counts_count, counts_capacity, counts_done;
	struct pk_view view; /* the current sample */

	/* The first problem of the last step; text NULL: none. damaged: a record was skipped. */
	bool damaged;
	struct pk_warning problem;
	char problem_text[160];

	/* Names of samples' attributes: number of the column, or of a special one. */
	PyObject *names;
	struct pk_column **columns;
	size_t columns_count, columns_capacity;
	struct py_event { /* by index of the event, in this epoch */
		bool known;
		struct pk_tracepoint *tracepoint;
	} * events;
	size_t events_count;
	uint64_t events_epoch;

	/* Caches of this epoch (py_frames.c). */
	PyObject **stacks; /* tuples of frames by index of the stack */
	size_t stacks_count;
	PyObject **frames; /* by id of the frame minus base */
	size_t frames_count;
	size_t stacked;		       /* number of frames in the tuples of `stacks` */
	struct pk_table address_table; /* index + 1 in `addresses` */
	struct py_address *addresses;
	size_t addresses_count, addresses_capacity;
};

/* ---- Its steps (py_step.c) ---- */

/* Opens the stream and its profile. where: the condition of samples; NULL: none. False: an
 * exception is set. */
bool py_reader_set_up(struct py_reader *self, const char *where, bool ordered);
/* Reads the next record, and evaluates it. 1: it is self->record; 0: the input has ended; -1: an
 * exception is set. With samples_only, other records are skipped. A sample that counts for several
 * events is returned for each. */
int py_reader_advance(struct py_reader *self, bool samples_only);
/* Marks the reader as busy, which the caller clears. False: an exception is set. */
bool py_reader_enter(struct py_reader *self);
/* The number of the column for a field. Negative: -1 with an exception, else that of a special
 * attribute. */
Py_ssize_t py_reader_column(struct py_reader *self, PyObject *name);
struct py_event *py_reader_event(struct py_reader *self, const struct pk_event *event);

/* columns() of the module (py_columns.c). */
PyObject *py_reader_columns(PyObject *self, PyObject *args);
/* Frees what is cached about stacks. */
void py_frames_forget(struct py_reader *self);

/* ---- Samples and records ---- */

/* Both kinds of objects. */
struct py_current {
	PyObject_HEAD struct py_reader *reader;
	uint64_t serial;
	PyObject *fields; /* of a record: a dictionary, made on first use */
};

/* Adds the special attributes of samples to a dictionary, with negative numbers, from -2 on. */
bool py_sample_add_names(PyObject *names);
/* An object for the current record. NULL: an exception is set. */
PyObject *py_current_new(struct py_reader *reader, PyTypeObject *type);
/* False: the reader has advanced since, and an exception is set. */
bool py_current_check(const struct py_current *self);
void py_current_dealloc(PyObject *self);

/* The value of a column in the current sample; NULL without an exception: the sample does not have
 * it. */
PyObject *py_column_value(struct py_reader *reader, struct pk_column *column);
/* Tuples of frames of the current sample. */
PyObject *py_sample_stack(struct py_reader *reader);
PyObject *py_sample_callchain(struct py_reader *reader);
/* Values of tracepoint fields or arguments of the current sample; NULL without an exception: none.
 */
PyObject *py_sample_fields(struct py_reader *reader);

/* The content of a record: a dictionary (py_layout.c). */
PyObject *py_record_content(const struct pk_record *record);

#endif
