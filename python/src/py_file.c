// SPDX-License-Identifier: BSD-2-Clause
#include "pymodule.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool open_path(struct py_file *file, PyObject *source, int flags)
{
	PyObject *path = NULL;
	char *bytes;

	if (!PyUnicode_FSConverter(source, &path))
		return false;
	bytes = PyBytes_AsString(path);
	if (bytes)
		file->fd = open(bytes, flags | O_CLOEXEC, 0666);
	Py_DecRef(path);
	if (file->fd < 0 && bytes)
		PyErr_SetFromErrnoWithFilenameObject(PyExc_OSError, source);
	file->owned = file->fd >= 0;
	return file->owned;
}

bool py_file_open(struct py_file *file, PyObject *source, int flags)
{
	*file = (struct py_file){.fd = -1};
	if (!PyLong_Check(source) && !PyObject_HasAttrString(source, "fileno"))
		return open_path(file, source, flags);
	file->fd = PyObject_AsFileDescriptor(source);
	if (file->fd < 0)
		return false;
	Py_IncRef(source);
	file->source = source;
	return true;
}

void py_file_close(struct py_file *file)
{
	if (file->owned)
		close(file->fd);
	file->owned = false;
	file->fd = -1;
	Py_CLEAR(file->source);
}

bool py_file_waits(const struct py_file *file)
{
	struct stat about;

	return fstat(file->fd, &about) || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode));
}

/* Call it after a system call has failed. If a signal interrupted the system call, runs the
 * handlers of signals. Returns the errno for the caller. The caller repeats the system call only if
 * it is EINTR. */
static int after_failure(struct py_file *file, int error)
{
	if (error != EINTR)
		return error;
	file->raised = PyErr_CheckSignals() < 0;
	return file->raised ? ECANCELED : EINTR;
}

ssize_t py_file_read(void *arg, void *buf, size_t size)
{
	struct py_file *file = arg;
	ssize_t count;
	int error;

	do {
		Py_BEGIN_ALLOW_THREADS count = read(file->fd, buf, size);
		error = errno;
		Py_END_ALLOW_THREADS if (count < 0) error = after_failure(file, error);
	} while (count < 0 && error == EINTR);
	errno = error;
	return count;
}

ssize_t py_file_write(void *arg, const void *buf, size_t size)
{
	struct py_file *file = arg;
	ssize_t count;
	int error;

	do {
		Py_BEGIN_ALLOW_THREADS count = write(file->fd, buf, size);
		error = errno;
		Py_END_ALLOW_THREADS if (count < 0) error = after_failure(file, error);
	} while (count < 0 && error == EINTR);
	errno = error;
	return count;
}
