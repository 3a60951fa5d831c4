// SPDX-License-Identifier: BSD-2-Clause
/* An extension of Python. moment() stores the stack of Python functions that the interpreter itself
 * reports. It then calls python_moment(), which has a probe of the test: the test compares the
 * recorded stack with the stored stack. After start(), moment() writes the stored stacks to the
 * file $MOMENTS, and each call of moment() has a number. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <fcntl.h>
#include <frameobject.h>
#include <stdarg.h>
#include <stdint.h>
#include <unistd.h>

#if PY_VERSION_HEX < 0x030b0000
#define QUALIFIED "co_name"
#else
#define QUALIFIED "co_qualname"
#endif

struct text {
	char bytes[65536];
	size_t size;
};

/* `outer` is the stack of the interpreter that called the current interpreter in this thread. */
static _Thread_local struct text outer;
static _Thread_local struct text noted;
static uint64_t count;
static int fd = -1; /* descriptor of the file $MOMENTS; -1 before start() */

__attribute__((noinline, visibility("default"))) void python_moment(uint64_t number)
{
	__asm__ volatile("" : : "r"(number) : "memory");
}

static void add(struct text *text, const char *format, ...)
{
	va_list arguments;
	int size;

	va_start(arguments, format);
	size = vsnprintf(text->bytes + text->size, sizeof(text->bytes) - text->size, format,
			 arguments);
	va_end(arguments);
	if (size > 0 && (size_t)size < sizeof(text->bytes) - text->size)
		text->size += (size_t)size;
}

/* Adds the frames of the current interpreter. The innermost frame is the first. */
static void add_frames(struct text *text)
{
	PyFrameObject *frame = PyEval_GetFrame(), *back;

	Py_XINCREF(frame);
	for (; frame; frame = back) {
		PyCodeObject *code = PyFrame_GetCode(frame);
		PyObject *name = PyObject_GetAttrString((PyObject *)code, QUALIFIED);
		PyObject *file = PyObject_GetAttrString((PyObject *)code, "co_filename");

		add(text, "%s\t%s:%d\n", PyUnicode_AsUTF8(name), PyUnicode_AsUTF8(file),
		    PyFrame_GetLineNumber(frame));
		Py_XDECREF(name);
		Py_XDECREF(file);
		Py_DECREF(code);
		back = PyFrame_GetBack(frame);
		Py_DECREF(frame);
	}
}

static uint64_t next_number(void)
{
	return fd < 0 ? 0
		      : (uint64_t)getpid() << 32 | __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
}

static PyObject *start(PyObject *self, PyObject *ignored)
{
	(void)self;
	(void)ignored;
	fd = open(getenv("MOMENTS"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0)
		abort();
	Py_RETURN_NONE;
}

static PyObject *moment(PyObject *self, PyObject *ignored)
{
	const uint64_t number = next_number();

	(void)self;
	(void)ignored;
	noted.size = 0;
	add(&noted, "moment %llu\n", (unsigned long long)number);
	add_frames(&noted);
	memcpy(noted.bytes + noted.size, outer.bytes, outer.size);
	noted.size += outer.size;
	if (fd >= 0 && write(fd, noted.bytes, noted.size) != (ssize_t)noted.size)
		abort();
	python_moment(number);
	Py_RETURN_NONE;
}

/* Calls a function, which runs code in another interpreter. */
static PyObject *call_other(PyObject *self, PyObject *function)
{
	PyObject *result;

	(void)self;
	outer.size = 0;
	add_frames(&outer);
	result = PyObject_CallNoArgs(function);
	outer.size = 0;
	return result;
}

/* Runs in a thread for which Python has no thread state. */
static void *thread_without_state(void *arg)
{
	const uint64_t number = next_number();
	char text[64];
	const int size = snprintf(text, sizeof(text), "moment %llu\n", (unsigned long long)number);

	if (fd >= 0 && write(fd, text, (size_t)size) != size)
		abort();
	python_moment(number);
	return arg;
}

/* Runs in a thread that C code has started. Calls a function of Python. */
static void *thread_with_state(void *arg)
{
	const PyGILState_STATE state = PyGILState_Ensure();
	PyObject *result = PyObject_CallNoArgs(arg);

	Py_XDECREF(result);
	PyGILState_Release(state);
	return NULL;
}

static PyObject *run(void *(*start)(void *), void *arg)
{
	pthread_t thread;

	Py_BEGIN_ALLOW_THREADS;
	if (pthread_create(&thread, NULL, start, arg) != 0)
		abort();
	pthread_join(thread, NULL);
	Py_END_ALLOW_THREADS;
	Py_RETURN_NONE;
}

static PyObject *bare_thread(PyObject *self, PyObject *ignored)
{
	(void)self;
	(void)ignored;
	return run(thread_without_state, NULL);
}

static PyObject *own_thread(PyObject *self, PyObject *function)
{
	(void)self;
	return run(thread_with_state, function);
}

static PyMethodDef methods[] = {
	{"start", start, METH_NOARGS, NULL},	  {"moment", moment, METH_NOARGS, NULL},
	{"call_other", call_other, METH_O, NULL}, {"bare_thread", bare_thread, METH_NOARGS, NULL},
	{"own_thread", own_thread, METH_O, NULL}, {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
#ifdef Py_MOD_PER_INTERPRETER_GIL_SUPPORTED
	{Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
	{0, NULL},
};

static struct PyModuleDef module = {
	PyModuleDef_HEAD_INIT, "python_moments", NULL, 0, methods, slots, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_python_moments(void);
PyMODINIT_FUNC PyInit_python_moments(void)
{
	return PyModuleDef_Init(&module);
}
