// SPDX-License-Identifier: BSD-2-Clause
/* The only file that uses libdebuginfod (https://sourceware.org/elfutils/Debuginfod.html). The
 * library is loaded on first use, because it depends on a whole HTTP client. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "debuginfod.h"
#include "debuginfod_messages.h"
#include "glibc_macros.h"

#define LIBRARY "libdebuginfod.so.1"

static struct {
	void *library, *client;
	int requests, answers;
	unsigned seconds;
	uint64_t size_max;
	/* of the current request */
	time_t started, reported;
	int stopped; /* an errno: why progress() ended it */
} helper;

/* A function of the library; the real types differ only in their results. */
typedef void *(*function)(void *);

static function function_of(const char *name)
{
	function f;
	void *symbol = dlsym(helper.library, name);

	memcpy(&f, &symbol, sizeof(f)); /* ISO C has no conversion between the two */
	return f;
}

static bool put(const void *bytes, size_t size)
{
	return TEMP_FAILURE_RETRY(write(helper.answers, bytes, size)) == (ssize_t)size;
}

/* Called regularly while the library waits; a result other than 0 stops it. */
static int progress(void *client, long done, long all)
{
	const time_t now = time(NULL);
	struct debuginfod_answer answer = {.is_progress = 1, .done = done, .all = all};

	(void)client;
	if (now - helper.started >= (time_t)helper.seconds)
		helper.stopped = ETIMEDOUT;
	else if ((done > 0 && (uint64_t)done > helper.size_max) ||
		 (all > 0 && (uint64_t)all > helper.size_max))
		helper.stopped = EFBIG;
	else if (now != helper.reported) {
		helper.reported = now;
		put(&answer, sizeof(answer));
	}
	return helper.stopped;
}

static void load_library(void)
{
	void (*set_progress)(void *, int (*)(void *, long, long));
	void *symbol;
	function start;

	helper.library = dlopen(LIBRARY, RTLD_LAZY);
	if (!helper.library)
		return;
	start = function_of("debuginfod_begin");
	helper.client = start ? start(NULL) : NULL;
	symbol = dlsym(helper.library, "debuginfod_set_progressfn");
	if (!helper.client || !symbol)
		return;
	memcpy(&set_progress, &symbol, sizeof(set_progress));
	set_progress(helper.client, progress);
}

/* Returns an errno, or 0 and the path, for free(). */
static int find(const struct debuginfod_request *r, char **path)
{
	int (*find_file)(void *, const unsigned char *, int, char **);
	void *symbol = helper.client
			       ? dlsym(helper.library, r->executable ? "debuginfod_find_executable"
								     : "debuginfod_find_debuginfo")
			       : NULL;
	int result;

	if (!symbol)
		return ENOSYS;
	memcpy(&find_file, &symbol, sizeof(find_file));
	helper.started = helper.reported = time(NULL);
	helper.stopped = 0;
	result = find_file(helper.client, r->id.bytes, r->id.size, path);
	if (result < 0)
		return helper.stopped ? helper.stopped : -result;
	close(result);
	return *path && strlen(*path) < PATH_MAX ? 0 : ENAMETOOLONG;
}

static bool answer_request(const struct debuginfod_request *r)
{
	struct debuginfod_answer answer = {0};
	char *path = NULL;
	bool ok;

	answer.error = find(r, &path);
	answer.path_length = answer.error ? 0 : (uint32_t)strlen(path);
	ok = put(&answer, sizeof(answer)) && (answer.error || put(path, answer.path_length));
	free(path);
	return ok;
}

void pk_debuginfod_serve(int requests, int answers, unsigned seconds, uint64_t size_max)
{
	struct debuginfod_request r;

	helper.requests = requests;
	helper.answers = answers;
	helper.seconds = seconds;
	helper.size_max = size_max;
	/* A request is smaller than PIPE_BUF: it arrives in one piece. */
	while (TEMP_FAILURE_RETRY(read(requests, &r, sizeof(r))) == sizeof(r) &&
	       r.id.size <= sizeof(r.id.bytes)) {
		if (!helper.library)
			load_library();
		if (!answer_request(&r))
			return;
	}
}
