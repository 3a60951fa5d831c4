// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "build_id.h"
#include "debuginfod.h"
#include "glibc_macros.h"

/* ---- Messages ---- */

/* A request to the helper. */
struct debuginfod_request {
	struct pk_build_id id;
	uint8_t executable;
};

/* A message from the helper. Each request gets one answer. Before the answer, the helper can send
 * any number of messages of progress. */
struct debuginfod_answer {
	int64_t done, all; /* in a message of progress: numbers of bytes */
	int32_t is_progress;
	int32_t error;	      /* in an answer: an errno, or 0 */
	uint32_t path_length; /* in an answer: number of bytes of the path, which follow */
};

/* ---- The caller ---- */

/* The helper ends a request after its time limit. If no answer has come this many seconds after the
 * limit, this process stops waiting. */
enum { GRACE_SECONDS = 10 };

/* The pipes to the helper. */
struct pk_debuginfod {
	int requests, answers;
	unsigned seconds;
	bool given_up;
};

struct pk_debuginfod *pk_debuginfod_new(int requests, int answers, unsigned seconds)
{
	struct pk_debuginfod *d = malloc(sizeof(*d));

	if (d)
		*d = (struct pk_debuginfod){requests, answers, seconds, false};
	return d;
}

void pk_debuginfod_free(struct pk_debuginfod *d)
{
	if (!d)
		return;
	close(d->requests);
	close(d->answers);
	free(d);
}

/* Reads `size` bytes before the deadline. Returns 0 or an errno. */
static int receive(const struct pk_debuginfod *d, time_t deadline, void *bytes, size_t size)
{
	struct pollfd ready = {.fd = d->answers, .events = POLLIN};
	size_t got = 0;

	while (got < size) {
		const time_t now = time(NULL);
		int n;
		ssize_t part;

		if (now >= deadline)
			return ETIMEDOUT;
		n = poll(&ready, 1, 1000);
		if (n < 0 && errno != EINTR)
			return errno;
		if (n <= 0)
			continue;
		part = TEMP_FAILURE_RETRY(read(d->answers, (char *)bytes + got, size - got));
		if (part <= 0)
			return part ? errno : ECONNABORTED;
		got += (size_t)part;
	}
	return 0;
}

static int receive_path(const struct pk_debuginfod *d, time_t deadline, uint32_t length,
			char **path)
{
	int error;

	if (!length || length >= PATH_MAX)
		return EBADMSG;
	*path = calloc(1, (size_t)length + 1);
	if (!*path)
		return ENOMEM;
	error = receive(d, deadline, *path, length);
	if (error) {
		free(*path);
		*path = NULL;
	}
	return error;
}

static void report_progress(const struct pk_symbols_options *options, const struct pk_build_id *id,
			    const struct debuginfod_answer *answer)
{
	char hex[PK_BUILD_ID_HEX], text[96];

	if (!options->tried)
		return;
	pk_build_id_format(id, hex);
	snprintf(text, sizeof(text), "debuginfod: %lld of %lld so far", (long long)answer->done,
		 (long long)answer->all);
	options->tried(options->arg, hex, text);
}

static int request(const struct pk_debuginfod *d, const struct pk_symbols_options *options,
		   const struct debuginfod_request *r, char **path)
{
	const time_t deadline = time(NULL) + (time_t)d->seconds + GRACE_SECONDS;
	struct debuginfod_answer answer;
	int error;

	if (TEMP_FAILURE_RETRY(write(d->requests, r, sizeof(*r))) != sizeof(*r))
		return ECONNABORTED;
	for (;;) {
		error = receive(d, deadline, &answer, sizeof(answer));
		if (error)
			return error;
		if (!answer.is_progress)
			break;
		report_progress(options, &r->id, &answer);
	}
	return answer.error ? answer.error : receive_path(d, deadline, answer.path_length, path);
}

/* Returns whether all further requests would fail, too. In that case, no more requests are made,
 * because each file would wait for a server that does not answer, or for a helper that has ended.
 */
static bool is_final(int error)
{
	return error == ETIME || error == ETIMEDOUT || error == ECONNREFUSED ||
	       error == EHOSTUNREACH || error == ECONNABORTED || error == EBADMSG;
}

int pk_debuginfod_find(struct pk_debuginfod *d, const struct pk_symbols_options *options,
		       const struct pk_build_id *id, bool executable, char **path)
{
	struct debuginfod_request r;
	int error;

	*path = NULL;
	if (d->given_up)
		return ETIMEDOUT;
	memset(&r, 0, sizeof(r));
	r.id = *id;
	r.executable = executable;
	error = request(d, options, &r, path);
	d->given_up = is_final(error);
	return error;
}

/* ---- The helper ---- */

/* This is the only file that uses libdebuginfod (https://sourceware.org/elfutils/Debuginfod.html).
 * The library is loaded when it is first used, because it depends on a large HTTP client. */

#define LIBRARY "libdebuginfod.so.1"

static struct {
	void *library, *client;
	int requests, answers;
	unsigned seconds;
	uint64_t size_max;
	/* About the current request: */
	time_t started, reported;
	int stopped; /* 0, or the errno with which progress() stopped the request */
} helper;

/* A pointer to a function of the library. The real types differ from it only in their results. */
typedef void *(*function)(void *);

static function function_of(const char *name)
{
	function f;
	void *symbol = dlsym(helper.library, name);

	memcpy(&f, &symbol,
	       sizeof(f)); /* ISO C cannot convert a data pointer to a function pointer */
	return f;
}

static bool put(const void *bytes, size_t size)
{
	return TEMP_FAILURE_RETRY(write(helper.answers, bytes, size)) == (ssize_t)size;
}

/* The library calls this regularly while it waits. A result other than 0 stops the request. */
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

/* Returns 0 and sets *path, which the caller frees, or returns an errno. */
static int find_debuginfo(const struct debuginfod_request *r, char **path)
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

	answer.error = find_debuginfo(r, &path);
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
	/* A request is smaller than PIPE_BUF, so one read gets the complete request. */
	while (TEMP_FAILURE_RETRY(read(requests, &r, sizeof(r))) == sizeof(r) &&
	       r.id.size <= sizeof(r.id.bytes)) {
		if (!helper.library)
			load_library();
		if (!answer_request(&r))
			return;
	}
}
