// SPDX-License-Identifier: BSD-2-Clause
/* The only file that uses libdebuginfod (https://sourceware.org/elfutils/Debuginfod.html). The
 * library is loaded on first use, because it depends on a whole HTTP client. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "debuginfod.h"

#define LIBRARY "libdebuginfod.so.1"

struct pk_debuginfod {
	void *library, *client;
	bool given_up;
	/* options of the current request */
	const struct pk_symbols_options *options;
	char hex[PK_BUILD_ID_HEX];
	time_t begun, told;
};

/* A function of the library; the real types differ only in their results. */
typedef void *(*function)(void *);

static function function_of(void *library, const char *name)
{
	function f;
	void *symbol = dlsym(library, name);

	memcpy(&f, &symbol, sizeof(f)); /* ISO C has no conversion between the two */
	return f;
}

/* The callback gets only the client; libdebuginfod stores its owner. */
static struct pk_debuginfod *owner_of(void *client)
{
	void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
	function get = library ? function_of(library, "debuginfod_get_user_data") : NULL;
	struct pk_debuginfod *d = get ? get(client) : NULL;

	if (library)
		dlclose(library);
	return d;
}

/* Called regularly while the library waits; a result other than 0 stops it. */
static int progress(void *client, long done, long all)
{
	struct pk_debuginfod *d = owner_of(client);
	const time_t now = time(NULL);
	char text[64];

	if (!d)
		return 0;
	if (now - d->begun >= (time_t)d->options->debuginfod_seconds) {
		d->given_up = true;
		return 1;
	}
	if (now != d->told && d->options->tried) {
		d->told = now;
		snprintf(text, sizeof(text), "debuginfod: %ld of %ld so far", done, all);
		d->options->tried(d->options->arg, d->hex, text);
	}
	return 0;
}

static void set_up(struct pk_debuginfod *d)
{
	void (*set_data)(void *, void *);
	void (*set_progress)(void *, int (*)(void *, long, long));
	void *symbol;
	function begin;

	d->library = dlopen(LIBRARY, RTLD_LAZY);
	if (!d->library)
		return;
	begin = function_of(d->library, "debuginfod_begin");
	d->client = begin ? begin(NULL) : NULL;
	if (!d->client)
		return;
	symbol = dlsym(d->library, "debuginfod_set_user_data");
	memcpy(&set_data, &symbol, sizeof(set_data));
	symbol = dlsym(d->library, "debuginfod_set_progressfn");
	memcpy(&set_progress, &symbol, sizeof(set_progress));
	if (set_data && set_progress) {
		set_data(d->client, d);
		set_progress(d->client, progress);
	}
}

static int find(struct pk_debuginfod *d, const struct pk_build_id *id, bool executable, int *fd,
		char **path)
{
	int (*find_file)(void *, const unsigned char *, int, char **);
	void *symbol = dlsym(d->library, executable ? "debuginfod_find_executable"
						    : "debuginfod_find_debuginfo");
	int result;

	if (!symbol)
		return ENOSYS;
	memcpy(&find_file, &symbol, sizeof(find_file));
	d->begun = d->told = time(NULL);
	pk_build_id_format(id, d->hex);
	result = find_file(d->client, id->bytes, id->size, path);
	if (result < 0)
		return -result;
	*fd = result;
	return 0;
}

int pk_debuginfod_find(struct pk_debuginfod **client, const struct pk_symbols_options *options,
		       const struct pk_build_id *id, bool executable, int *fd, char **path)
{
	struct pk_debuginfod *d = *client;
	int error;

	if (!d) {
		d = *client = calloc(1, sizeof(*d));
		if (!d)
			return ENOMEM;
		set_up(d);
	}
	if (!d->client)
		return ENOSYS;
	if (d->given_up)
		return ETIMEDOUT;
	d->options = options;
	error = find(d, id, executable, fd, path);
	/* Else every file would wait for a server that does not answer. */
	d->given_up |= error == ETIME || error == ETIMEDOUT || error == ECONNREFUSED ||
		       error == EHOSTUNREACH;
	return error;
}

void pk_debuginfod_free(struct pk_debuginfod *d)
{
	function end;

	if (!d)
		return;
	end = d->client ? function_of(d->library, "debuginfod_end") : NULL;
	if (end)
		end(d->client);
	if (d->library)
		dlclose(d->library);
	free(d);
}
