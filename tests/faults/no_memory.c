// SPDX-License-Identifier: BSD-2-Clause
/* Preloaded: allocation number N fails, with PK_FAULT=memory=N; and all after it, with memory=N+.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);

/* What is asked for while the real functions are looked up comes from here, and stays. */
static _Alignas(16) char early[65536];
static size_t early_used;
static bool looking;

static bool is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

static void *early_alloc(size_t size)
{
	char *p = early + early_used;

	early_used += (size + 15) & ~(size_t)15;
	return early_used <= sizeof(early) ? p : NULL;
}

/* The next definition of name, NULL while it is being looked for. */
static void *next(void **slot, const char *name)
{
	if (!*slot && !looking) {
		looking = true;
		*slot = dlsym(RTLD_NEXT, name);
		looking = false;
	}
	return *slot;
}

static bool is_due(void)
{
	static unsigned long count;
	const char *fault = getenv("PK_FAULT");
	unsigned long n;
	char *end;

	if (looking || !fault || strncmp(fault, "memory=", 7))
		return false;
	n = strtoul(fault + 7, &end, 10);
	count++;
	if (count != n && !(*end == '+' && count > n))
		return false;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	static void *slot;
	void *(*real)(size_t) = (void *(*)(size_t))next(&slot, "malloc");

	if (is_due())
		return NULL;
	return real ? real(size) : early_alloc(size);
}

void *calloc(size_t count, size_t size)
{
	static void *slot;
	void *(*real)(size_t, size_t) = (void *(*)(size_t, size_t))next(&slot, "calloc");

	if (is_due())
		return NULL;
	return real ? real(count, size) : early_alloc(count * size);
}

void *realloc(void *old, size_t size)
{
	static void *slot;
	void *(*real)(void *, size_t) = (void *(*)(void *, size_t))next(&slot, "realloc");

	if (is_due())
		return NULL;
	return real ? real(is_early(old) ? NULL : old, size) : early_alloc(size);
}
