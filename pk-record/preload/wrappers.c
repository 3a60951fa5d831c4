// SPDX-License-Identifier: BSD-2-Clause
/* The functions of the allocator that libpkheap.so replaces. Each calls the next one of its name,
 * which is that of libc or of another allocator. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- The next functions ---- */

static struct {
	void *(*malloc)(size_t size);
	void *(*calloc)(size_t count, size_t size);
	void *(*realloc)(void *old, size_t size);
	void *(*reallocarray)(void *old, size_t count, size_t size);
	void *(*memalign)(size_t alignment, size_t size);
	void *(*aligned_alloc)(size_t alignment, size_t size);
	int (*posix_memalign)(void **p, size_t alignment, size_t size);
	void *(*valloc)(size_t size);
	void *(*pvalloc)(size_t size);
	void (*free)(void *p);
} next;

static void find_function(void *slot, const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	memcpy(slot, &function, sizeof(function));
}

static void find_functions(void)
{
	find_function(&next.calloc, "calloc");
	find_function(&next.realloc, "realloc");
	find_function(&next.reallocarray, "reallocarray");
	find_function(&next.memalign, "memalign");
	find_function(&next.aligned_alloc, "aligned_alloc");
	find_function(&next.posix_memalign, "posix_memalign");
	find_function(&next.valloc, "valloc");
	find_function(&next.pvalloc, "pvalloc");
	find_function(&next.free, "free");
	find_function(&next.malloc, "malloc");
}

/* ---- Before the next functions are known ---- */

/* Memory for dlsym(), which can allocate memory. It is never released. */
static _Alignas(16) char early[65536];
static _Atomic(size_t) early_used;

static bool is_early(const void *p)
{
	return (uintptr_t)p - (uintptr_t)early < sizeof(early);
}

static void *early_malloc(size_t size)
{
	size_t at;

	if (size > sizeof(early)) {
		errno = ENOMEM;
		return NULL;
	}
	at = atomic_fetch_add(&early_used, (size + 31) & ~(size_t)15);
	if (at + size > sizeof(early)) {
		errno = ENOMEM;
		return NULL;
	}
	return early + at;
}

/* Returns true if the next functions are known. */
static bool is_ready(void)
{
	static _Thread_local bool finding __attribute__((tls_model("initial-exec")));

	if (next.malloc)
		return true;
	if (finding)
		return false;
	finding = true;
	find_functions();
	finding = false;
	return next.malloc;
}

/* ---- Functions of C ---- */

/* If the allocation of `size` bytes at `p` is due, takes a sample. It is a macro, because the
 * registers must be those of the function that the program has called. */
#define COUNT(p, size)                                                                             \
	do {                                                                                       \
		if ((p) && heap_is_due(size)) {                                                    \
			struct heap_registers registers;                                           \
                                                                                                   \
			CAPTURE(&registers);                                                       \
			heap_allocated(&registers, p, size);                                       \
		}                                                                                  \
	} while (0)

EXPORT void *malloc(size_t size)
{
	void *p;

	if (heap_unlikely(!next.malloc) && !is_ready())
		return early_malloc(size);
	p = next.malloc(size);
	COUNT(p, size);
	return p;
}

EXPORT void *calloc(size_t count, size_t size)
{
	void *p;

	if (heap_unlikely(!next.malloc) && !is_ready())
		return early_malloc(count * size);
	p = next.calloc(count, size);
	COUNT(p, count * size);
	return p;
}

EXPORT void free(void *p)
{
	if (heap_unlikely(!next.free || is_early(p)))
		return;
	if (heap_unlikely(heap_forget(p)))
		heap_freed(p, heap_now());
	next.free(p);
}

/* Memory that is_early() becomes memory of the next allocator. */
static void *move_early(const void *old, size_t size)
{
	const size_t rest = (size_t)(early + sizeof(early) - (const char *)old);
	void *p = malloc(size);

	if (p)
		memcpy(p, old, size < rest ? size : rest);
	return p;
}

EXPORT void *realloc(void *old, size_t size)
{
	bool known;
	uint64_t time;
	void *p;

	if (heap_unlikely(is_early(old) || (!next.malloc && !is_ready())))
		return old ? move_early(old, size) : malloc(size);
	known = heap_forget(old);
	time = known ? heap_now() : 0;
	p = next.realloc(old, size);
	if (heap_unlikely(known)) {
		if (p || !size)
			heap_freed(old, time);
		else
			heap_remember(old);
	}
	COUNT(p, size);
	return p;
}

EXPORT void *reallocarray(void *old, size_t count, size_t size)
{
	bool known;
	uint64_t time;
	void *p;

	if (heap_unlikely(!is_ready() || is_early(old) || !next.reallocarray)) {
		errno = ENOMEM;
		return NULL;
	}
	known = heap_forget(old);
	time = known ? heap_now() : 0;
	p = next.reallocarray(old, count, size);
	if (heap_unlikely(known)) {
		if (p || !count || !size)
			heap_freed(old, time);
		else
			heap_remember(old);
	}
	COUNT(p, count * size);
	return p;
}

/* Defines a function that allocates memory. `known` is the function of `next` that it calls. */
#define ALLOCATE(name, parameters, arguments, size)                                                \
	EXPORT void *name parameters                                                               \
	{                                                                                          \
		void *p;                                                                           \
                                                                                                   \
		if (heap_unlikely(!is_ready() || !next.name)) {                                    \
			errno = ENOMEM;                                                            \
			return NULL;                                                               \
		}                                                                                  \
		p = next.name arguments;                                                           \
		COUNT(p, size);                                                                    \
		return p;                                                                          \
	}

EXPORT void *memalign(size_t alignment, size_t size);
EXPORT void *pvalloc(size_t size);

ALLOCATE(memalign, (size_t alignment, size_t size), (alignment, size), size)
ALLOCATE(aligned_alloc, (size_t alignment, size_t size), (alignment, size), size)
ALLOCATE(valloc, (size_t size), (size), size)
ALLOCATE(pvalloc, (size_t size), (size), size)

EXPORT int posix_memalign(void **result, size_t alignment, size_t size)
{
	int error;

	if (heap_unlikely(!is_ready() || !next.posix_memalign))
		return ENOMEM;
	error = next.posix_memalign(result, alignment, size);
	if (!error)
		COUNT(*result, size);
	return error;
}

/* ---- Operators of C++ ---- */

/* The next operator of a name. */
struct next_operator {
	void *function;
	/* The operator is that of libstdc++ or libc++. It calls malloc() or free(), which count. */
	bool plain;
};

static void find_operator(struct next_operator *operator, const char * name)
{
	Dl_info info = {0};
	void *function = dlsym(RTLD_NEXT, name);

	if (!function)
		abort(); /* a program that calls an operator has a library with it */
	if (dladdr(function, &info) && info.dli_fname)
		operator->plain = strstr(info.dli_fname, "/libstdc++.") ||
			strstr(info.dli_fname, "/libc++.");
	__atomic_store_n(&operator->function, function, __ATOMIC_RELEASE);
}

/* Whether malloc() has counted the allocation of an operator, is seen by the state of the thread.
 */
static bool has_counted(const struct heap_thread *before)
{
	return heap_thread.left != before->left || heap_thread.taken != before->taken;
}

#define NEXT(name)                                                                                 \
	static struct next_operator operator;                                                      \
                                                                                                   \
	if (heap_unlikely(!__atomic_load_n(&operator.function, __ATOMIC_ACQUIRE)))                 \
	find_operator(&operator, name)

#define NEW(symbol, type, parameters, arguments)                                                   \
	EXPORT void *symbol parameters;                                                            \
	EXPORT void *symbol parameters                                                             \
	{                                                                                          \
		struct heap_thread before;                                                         \
		void *p;                                                                           \
		NEXT(#symbol);                                                                     \
                                                                                                   \
		if (operator.plain)                                                                \
			return ((type) operator.function)arguments;                                \
		before = heap_thread;                                                              \
		p = ((type) operator.function)arguments;                                           \
		if (!has_counted(&before))                                                         \
			COUNT(p, size);                                                            \
		return p;                                                                          \
	}

#define DELETE(symbol, type, parameters, arguments)                                                \
	EXPORT void symbol parameters;                                                             \
	EXPORT void symbol parameters                                                              \
	{                                                                                          \
		const bool inside = heap_thread.inside;                                            \
		NEXT(#symbol);                                                                     \
                                                                                                   \
		if (operator.plain) {                                                              \
			((type) operator.function) arguments;                                      \
			return;                                                                    \
		}                                                                                  \
		if (heap_unlikely(heap_forget(p)))                                                 \
			heap_freed(p, heap_now());                                                 \
		heap_thread.inside = true; /* free() does not record it again */                   \
		((type) operator.function) arguments;                                              \
		heap_thread.inside = inside;                                                       \
	}

/* The parameters of the operators: an alignment, and a pointer to std::nothrow. */
typedef void *(*new_plain)(size_t);
typedef void *(*new_nothrow)(size_t, const void *);
typedef void *(*new_aligned)(size_t, size_t);
typedef void *(*new_aligned_nothrow)(size_t, size_t, const void *);
typedef void (*delete_plain)(void *);
typedef void (*delete_second)(void *, size_t);
typedef void (*delete_nothrow)(void *, const void *);
typedef void (*delete_third)(void *, size_t, size_t);
typedef void (*delete_aligned_nothrow)(void *, size_t, const void *);

NEW(_Znwm, new_plain, (size_t size), (size))
NEW(_Znam, new_plain, (size_t size), (size))
NEW(_ZnwmRKSt9nothrow_t, new_nothrow, (size_t size, const void *tag), (size, tag))
NEW(_ZnamRKSt9nothrow_t, new_nothrow, (size_t size, const void *tag), (size, tag))
NEW(_ZnwmSt11align_val_t, new_aligned, (size_t size, size_t align), (size, align))
NEW(_ZnamSt11align_val_t, new_aligned, (size_t size, size_t align), (size, align))
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, new_aligned_nothrow,
    (size_t size, size_t align, const void *tag), (size, align, tag))
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, new_aligned_nothrow,
    (size_t size, size_t align, const void *tag), (size, align, tag))

DELETE(_ZdlPv, delete_plain, (void *p), (p))
DELETE(_ZdaPv, delete_plain, (void *p), (p))
DELETE(_ZdlPvm, delete_second, (void *p, size_t size), (p, size))
DELETE(_ZdaPvm, delete_second, (void *p, size_t size), (p, size))
DELETE(_ZdlPvRKSt9nothrow_t, delete_nothrow, (void *p, const void *tag), (p, tag))
DELETE(_ZdaPvRKSt9nothrow_t, delete_nothrow, (void *p, const void *tag), (p, tag))
DELETE(_ZdlPvSt11align_val_t, delete_second, (void *p, size_t align), (p, align))
DELETE(_ZdaPvSt11align_val_t, delete_second, (void *p, size_t align), (p, align))
DELETE(_ZdlPvmSt11align_val_t, delete_third, (void *p, size_t size, size_t align), (p, size, align))
DELETE(_ZdaPvmSt11align_val_t, delete_third, (void *p, size_t size, size_t align), (p, size, align))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, delete_aligned_nothrow,
       (void *p, size_t align, const void *tag), (p, align, tag))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, delete_aligned_nothrow,
       (void *p, size_t align, const void *tag), (p, align, tag))
