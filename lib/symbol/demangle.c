/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"

enum {
	TEXT_MAX = 32 << 10,
	RUST_WORK_MAX = TEXT_MAX,
	CPP_NAME_MAX = 1024, /* libiberty's limit, unless DMGL_NO_RECURSE_LIMIT lifts it */
	CONVERSIONS_MAX = 6,
	PACK_WORK_MAX = 512,
	WORK_MIN = 32,
	FAILURE = 256, /* the work of a name that is not demangled */
};
#define CPP_OPTIONS (DMGL_PARAMS | DMGL_TYPES | DMGL_ANSI)

/*
 * A mangled name of some 200 bytes can stand for gigabytes of text. libiberty hands it out piece
 * by piece, and only there can that be stopped.
 */
struct output {
	size_t used;
	bool too_long;
	jmp_buf stop;
	char text[TEXT_MAX];
};

static void put(const char *s, size_t n, void *arg)
{
	struct output *o = arg;

	if (o->too_long || n >= sizeof(o->text) - o->used) {
		o->too_long = true;
		return;
	}
	memcpy(o->text + o->used, s, n);
	o->used += n;
}

static void put_or_stop(const char *s, size_t n, void *arg)
{
	struct output *o = arg;

	put(s, n, arg);
	if (o->too_long)
		longjmp(o->stop, 1); /* the demangler of C++ keeps everything on its stack */
}

/* ---- C++: work without text ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Steps over an identifier, or over one character that is part of none. Where it is not clear
 * whether digits are the length of an identifier (literals, sequence numbers, discriminators), they
 * are not.
 */
static const char *step(const char *name, const char *p, const char *end)
{
	size_t size = 0;

	if (!is_digit(*p) || (p > name && strchr("SL_", p[-1])))
		return p + 1;
	while (p < end && is_digit(*p) && size < CPP_NAME_MAX)
		size = size * 10 + (size_t)(*p++ - '0');
	if (p == end || *p == '_' || *p == 'E' || size > (size_t)(end - p))
		return p;
	return p + size;
}

static unsigned count_operators(const char *name, const char *operators)
{
	const char *end = name + strlen(name);
	unsigned count = 0;

	for (const char *p = name; p < end; p = step(name, p, end))
		for (const char *op = operators; *op; op += 2)
			count += p[0] == op[0] && p[1] == op[1];
	return count;
}

/* The tree of a name; parts that are referred to have several parents. */
struct tree {
	const struct demangle_component *base;
	size_t count;
	bool heavy;
	uint32_t sizes[2 * CPP_NAME_MAX]; /* of parts, with all that they refer to; 0: unknown */
};

static bool is_leaf(const struct demangle_component *c)
{
	switch (c->type) {
	case DEMANGLE_COMPONENT_NAME:
	case DEMANGLE_COMPONENT_OPERATOR:
	case DEMANGLE_COMPONENT_BUILTIN_TYPE:
	case DEMANGLE_COMPONENT_SUB_STD:
	case DEMANGLE_COMPONENT_CHARACTER:
	case DEMANGLE_COMPONENT_TEMPLATE_PARAM:
	case DEMANGLE_COMPONENT_FUNCTION_PARAM:
	case DEMANGLE_COMPONENT_UNNAMED_TYPE:
	case DEMANGLE_COMPONENT_LAMBDA:
	case DEMANGLE_COMPONENT_DEFAULT_ARG:
	case DEMANGLE_COMPONENT_NUMBER: return true;
	default: return false;
	}
}

/* Of one child, the limit at most. Pointers are compared since newer versions have other leaves. */
static uint32_t measure(struct tree *t, const struct demangle_component *c)
{
	const struct demangle_component *left = NULL, *right = NULL;
	uint32_t *size, sum;

	if (!c || c < t->base || c >= t->base + t->count)
		return 0;
	size = &t->sizes[c - t->base];
	if (*size)
		return *size;
	*size = PACK_WORK_MAX; /* should it contain itself */
	switch (c->type) {
	case DEMANGLE_COMPONENT_CTOR: left = c->u.s_ctor.name; break;
	case DEMANGLE_COMPONENT_DTOR: left = c->u.s_dtor.name; break;
	case DEMANGLE_COMPONENT_EXTENDED_OPERATOR: left = c->u.s_extended_operator.name; break;
	default:
		left = is_leaf(c) ? NULL : c->u.s_binary.left;
		right = is_leaf(c) ? NULL : c->u.s_binary.right;
	}
	sum = 1 + measure(t, left) + measure(t, right);
	*size = sum < PACK_WORK_MAX ? sum : PACK_WORK_MAX;
	t->heavy |= *size == PACK_WORK_MAX && (c->type == DEMANGLE_COMPONENT_PACK_EXPANSION ||
					       c->type == DEMANGLE_COMPONENT_UNARY);
	return *size;
}

/* The demangler searches all that is expanded for a pack, common parts again and again. */
static bool has_heavy_pack(const char *name)
{
	struct tree t = {.count = 2 * strlen(name)};
	const struct demangle_component *root;
	void *memory = NULL;

	root = cplus_demangle_v3_components(name, CPP_OPTIONS, &memory);
	t.base = memory;
	if (root)
		measure(&t, root);
	free(memory);
	return t.heavy || (!root && errno == ENOMEM);
}

/*
 * What a short name can waste exponential time with: the types of conversion operators are parsed
 * twice at each level, and packs see above. Everything else is bounded by its text.
 */
static bool is_cheap(const char *name)
{
	if (strlen(name) > CPP_NAME_MAX || count_operators(name, "cv") > CONVERSIONS_MAX)
		return false;
	/* _GLOBAL__I_ and the like stand before a name, which is parsed alone. */
	if (*name == '_' && name[1] == 'G')
		name += strlen(name) > 11 ? 11 : 0;
	return !count_operators(name, "DpsPsZ") || !has_heavy_pack(name);
}

static bool demangle(const char *name, struct output *o)
{
	if (setjmp(o->stop))
		return false;
	return cplus_demangle_v3_callback(name, CPP_OPTIONS, put_or_stop, o);
}

/* ---- Both ---- */

/* Before its version 0 Rust borrowed the names of C++, with a hash at the end:
 * 17h0123456789abcdefE.
 */
static bool is_old_rust(const char *name)
{
	const size_t size = strlen(name), hash = 20;

	return size > hash && !strncmp(name, "_ZN", 3) && !strncmp(name + size - hash, "17h", 3) &&
	       name[size - 1] == 'E';
}

/* Nothing jumps out of Rust's demangler, which allocates: its work is known before. */
static bool demangle_rust(const char *name, struct output *o, uint64_t *work)
{
	const uint64_t found = is_old_rust(name) ? strlen(name) : pk_rust_work(name, RUST_WORK_MAX);

	*work = found == UINT64_MAX ? RUST_WORK_MAX : found;
	return found != UINT64_MAX && rust_demangle_callback(name, 0, put, o) && !o->too_long;
}

char *pk_demangle(const char *name, uint64_t *budget)
{
	const bool cpp = !strncmp(name, "_Z", 2) || !strncmp(name, "_GLOBAL_", 8);
	uint64_t work = 0;
	struct output o;
	bool ok = false;

	errno = 0; /* malloc() sets it, libiberty's too */
	if (!*budget || (!cpp && strncmp(name, "_R", 2)))
		return NULL;
	o.used = 0;
	o.too_long = false;
	if (!cpp || is_old_rust(name))
		ok = demangle_rust(name, &o, &work);
	if (!ok && cpp) {
		o.used = 0;
		o.too_long = false;
		ok = is_cheap(name) && demangle(name, &o);
	}
	ok &= o.used > 0;
	work += o.used + (ok ? WORK_MIN : FAILURE);
	*budget -= work < *budget ? work : *budget;
	return ok ? strndup(o.text, o.used) : NULL;
}
