/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PYMODULE_H
#define PYMODULE_H

/* The declarations that the files of the extension module pkstream._pkstream share. Include this
 * file first, as Python.h requires. The module uses Python's limited API of version 3.9. So one
 * build works with all later versions of Python. */

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
/* Returns false if an exception is set. */
bool py_frame_type_create(void);

/* Sets the exception for a status. Its attribute `offset` is offset, or None if offset is
 * UINT64_MAX. */
void py_raise(enum pk_status status, const char *text, uint64_t offset);
/* Returns a text of the input. Bytes that are not UTF-8 become U+FFFD. */
static inline PyObject *py_text(const void *text, size_t size)
{
	return PyUnicode_DecodeUTF8(text, (Py_ssize_t)size, "replace");
}
/* Returns a new reference to None. */
static inline PyObject *py_none(void)
{
	return Py_BuildValue("");
}

/* Sets dict[name] to value, and takes over the reference to value. If value is NULL, an exception
 * must be set. Returns false if an exception is set. */
bool py_set(PyObject *dict, const char *name, PyObject *value);

/* ---- Descriptors (py_file.c) ---- */

/* A file that is read or written. */
struct py_file {
	int fd;
	bool owned;  /* true if py_file_open() has opened the descriptor, so that py_file_close()
		      * must close it */
	bool raised; /* a signal handler of Python has raised an exception during a read or write */
	PyObject *source; /* The Python object to which fd belongs. The reference keeps the object
			   * alive, because it would close fd otherwise. */
};

/* Opens source, which is a path, a descriptor, or an object with fileno(). flags are those of
 * open(2). Returns false if an exception is set. */
bool py_file_open(struct py_file *file, PyObject *source, int flags);
void py_file_close(struct py_file *file);
/* Returns true if reading from the file can block for a long time, because it is not a regular file
 * or a directory. */
bool py_file_waits(const struct py_file *file);
/* Callbacks for struct pk_reader_options and struct pk_writer_options. arg is the struct py_file.
 * Other threads of Python can run during these calls. */
ssize_t py_file_read(void *arg, void *buf, size_t size);
ssize_t py_file_write(void *arg, const void *buf, size_t size);

/* ---- Reader (py_reader.c) ---- */

/* The Python object Reader. */
struct py_reader {
	PyObject_HEAD struct py_file file;
	struct pk_reader *reader;
	struct pk_order *order; /* sorts the records by time; NULL if they are returned in the order
				 * of the input */
	struct pk_profile profile;
	bool profile_ready;
	struct pk_expression *where;
	bool skip_damaged;
	bool busy;  /* a call of a method is running, so that other threads must not use the reader
		     */
	bool began; /* a session has begun and has not ended */
	bool ended; /* the end of the input was reached, or reading has failed */
	bool held;  /* the current record was read, but not returned to the program yet */

	/* The current record. `serial` changes for each record or sample that is returned. A Python
	 * object that has another serial is out of date. */
	struct pk_record record;
	uint64_t serial;
	uint64_t steps;	  /* number of records that were read */
	bool swapped;	  /* the byte order of the session differs from that of this machine */
	uint8_t *payload; /* the payload of the current TRACING_DATA record; NULL if it was not read
			   */
	size_t payload_size;
	struct pk_session_info info;

	/* The events for which the current SAMPLE is counted. There are several events if the
	 * SAMPLE has the values of a group. */
	struct py_count {
		const struct pk_event *event;
		uint64_t period;
	} * counts;
	size_t counts_count, counts_capacity, counts_done;
	struct pk_view view; /* the current sample */

	/* The first problem of the last step. problem.text is NULL if there was none. `damaged` is
	 * set if a record was skipped. */
	bool damaged;
	struct pk_warning problem;
	char problem_text[160];

	/* A dict with the names of samples' attributes. Each value is the number of a column, or
	 * the number of a special attribute. */
	PyObject *names;
	struct pk_column **columns;
	size_t columns_count, columns_capacity;
	struct py_event { /* data about each event; the index is the index of the event; valid for
			   * one epoch */
		bool known;
		struct pk_tracepoint *tracepoint;
	} * events;
	size_t events_count;
	uint64_t events_epoch;

	/* Caches that are valid for one epoch (py_frames.c). */
	PyObject **
		stacks; /* the tuple of frames of each stack; the index is the index of the stack */
	size_t stacks_count;
	PyObject **frames; /* the Python object of each frame; the index is the id of the frame
			    * minus the first id */
	size_t frames_count;
	size_t stacked; /* total number of frames in the tuples of `stacks`; it limits the cache */
	struct pk_table address_table; /* finds the index of an address in `addresses`, plus 1 */
	struct py_address *addresses;
	size_t addresses_count, addresses_capacity;
};

/* ---- Its steps (py_step.c) ---- */

/* Opens the stream and its profile. `where` is the condition of samples, or NULL. Returns false if
 * an exception is set. */
bool py_reader_set_up(struct py_reader *self, const char *where, bool ordered);
/* Reads the next record into self->record, and evaluates it. Returns 1 if there is a record, 0 if
 * the input has ended, and -1 if an exception is set. With samples_only, skips records that are not
 * samples. A sample with the values of a group is returned once for each event of the group. */
int py_reader_advance(struct py_reader *self, bool samples_only);
/* Marks the reader as busy. The caller clears the mark. Returns false if an exception is set. */
bool py_reader_enter(struct py_reader *self);
/* Returns the number of the column for a field. Returns -1 if an exception is set. Returns another
 * negative number for a special attribute. */
Py_ssize_t py_reader_column(struct py_reader *self, PyObject *name);
struct py_event *py_reader_event(struct py_reader *self, const struct pk_event *event);

/* The function columns() of the module (py_columns.c). */
PyObject *py_reader_columns(PyObject *self, PyObject *args);
/* Frees the cached frames and stacks. */
void py_frames_forget(struct py_reader *self);

/* ---- Samples and records ---- */

/* The struct of both samples and records. */
struct py_current {
	PyObject_HEAD struct py_reader *reader;
	uint64_t serial;
	PyObject *fields; /* for a record: the dictionary of its content, which is created when it
			   * is first used */
};

/* Adds the special attributes of samples to a dictionary. Their numbers are negative and start at
 * -2. */
bool py_sample_add_names(PyObject *names);
/* Returns an object for the current record. Returns NULL if an exception is set. */
PyObject *py_current_new(struct py_reader *reader, PyTypeObject *type);
/* Returns false, and sets an exception, if the reader has read another record since the object was
 * created. */
bool py_current_check(const struct py_current *self);
/* Returns the text of repr(), such as Sample(event='cycles', pid=5). `names` are the names of
 * attributes, up to NULL. Attributes that are missing or None are left out. Returns NULL if an
 * exception is set. */
PyObject *py_current_repr(PyObject *object, const char *type, const char *const *names);
void py_current_dealloc(PyObject *self);

/* Returns the value of a column in the current sample. Returns NULL without an exception if the
 * sample does not have the value. */
PyObject *py_column_value(struct py_reader *reader, struct pk_column *column);
/* These functions return a tuple of the frames of the current sample. */
PyObject *py_sample_stack(struct py_reader *reader);
PyObject *py_sample_callchain(struct py_reader *reader);
/* Returns the values of tracepoint fields or arguments of the current sample. Returns NULL without
 * an exception if there are none. */
PyObject *py_sample_fields(struct py_reader *reader);

/* Returns the content of a record as a dictionary (py_layout.c). */
PyObject *py_record_content(const struct pk_record *record);

#endif
