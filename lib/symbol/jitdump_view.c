// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "jitdump_view.h"

enum { WINDOW = 256 << 10, MOST = 64 << 10 };

struct pk_jit_view {
	int fd;
	const char *path;
	struct pk_failures *failures;
	uint64_t size, base, end; /* base to end is in bytes */
	uint8_t bytes[WINDOW];
};

struct pk_jit_view *pk_jit_view_new(int fd, uint64_t size, const char *path,
				    struct pk_failures *failures)
{
	struct pk_jit_view *view = pk_need(failures, malloc(sizeof(*view)));

	if (!view)
		return NULL;
	view->fd = fd;
	view->path = path;
	view->failures = failures;
	view->size = size;
	view->base = view->end = 0;
	return view;
}

void pk_jit_view_free(struct pk_jit_view *view)
{
	free(view);
}

const uint8_t *pk_jit_view_at(struct pk_jit_view *view, uint64_t offset, uint64_t n)
{
	ssize_t got;

	assert(n <= MOST);
	if (offset > view->size || n > view->size - offset)
		return NULL;
	if (offset >= view->base && offset + n <= view->end)
		return view->bytes + (offset - view->base);
	view->base = view->end = offset;
	while (view->end - offset < n) {
		got = pread(view->fd, view->bytes + (view->end - offset),
			    WINDOW - (view->end - offset), (off_t)view->end);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			pk_failed(view->failures, view->path, got ? errno : 0);
			return NULL;
		}
		view->end += (uint64_t)got;
	}
	return view->bytes;
}
