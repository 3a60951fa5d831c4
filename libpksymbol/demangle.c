/* SPDX-License-Identifier: BSD-2-Clause */
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"

/*
 * libstdc++'s demangler, the one inside __cxa_demangle(), through the entry that hands out the
 * text piece by piece. A mangled name of some 200 bytes can stand for gigabytes of text, and only
 * here can that be stopped. The static library alone has this symbol.
 */
extern int __gcclibcxx_demangle_callback(const char *mangled,
					 void (*put)(const char *, size_t, void *), void *arg);

#define MAX_DEMANGLED (32u << 10)

struct output {
	size_t used;
	jmp_buf too_long;
	char text[MAX_DEMANGLED];
};

static void put(const char *s, size_t n, void *arg)
{
	struct output *o = arg;

	if (n >= sizeof(o->text) - o->used)
		longjmp(o->too_long, 1); /* the demangler keeps everything on its stack */
	memcpy(o->text + o->used, s, n);
	o->used += n;
}

static char *demangle(const char *name, struct output *o)
{
	if (setjmp(o->too_long) || __gcclibcxx_demangle_callback(name, put, o) || !o->used)
		return NULL;
	return strndup(o->text, o->used);
}

/* libiberty's. A name in Punycode that is cut by the jump leaks its few bytes. */
static char *demangle_rust(const char *name, struct output *o)
{
	if (setjmp(o->too_long) || !rust_demangle_callback(name, 0, put, o) || !o->used)
		return NULL;
	return strndup(o->text, o->used);
}

/* Before its version 0 Rust borrowed the names of C++, with a hash at the end:
 * 17h0123456789abcdefE.
 */
static bool is_rust(const char *name)
{
	const size_t size = strlen(name), hash = 20;

	if (!strncmp(name, "_R", 2))
		return true;
	return size > hash && !strncmp(name, "_ZN", 3) && !strncmp(name + size - hash, "17h", 3) &&
	       name[size - 1] == 'E';
}

char *pk_demangle(const char *name)
{
	struct output o;
	char *text;

	o.used = 0;
	if (is_rust(name)) {
		text = demangle_rust(name, &o);
		if (text)
			return text;
	}
	if (strncmp(name, "_Z", 2) && strncmp(name, "_GLOBAL_", 8))
		return NULL;
	o.used = 0;
	return demangle(name, &o);
}
