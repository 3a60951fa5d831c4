// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "debuginfod.h"
#include "debuginfod_messages.h"
#include "glibc_macros.h"

/* The helper ends a request in time; this is for a helper that does not. */
enum { GRACE_SECONDS = 10 };

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

/* Reads so many bytes before the deadline. 0, or an errno. */
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

/* Whether no further request will have a result: every file would wait for a server that does not
 * answer, or for a helper that has ended. */
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
