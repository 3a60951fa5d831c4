/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much work a Rust name (version 0, RFC 2603) is. A name refers back to its parts, so that 100
 * bytes can stand for 2^40 parts, and parts can be empty: a limit on the text does not bound the
 * work. This walks a name the way that libiberty does, without any text, and counts.
 */
#include <stdbool.h>
#include <string.h>

#include "demangle.h"

#define DEPTH_MAX 1024 /* libiberty's */

struct walk {
	const char *name; /* behind the _R */
	size_t size, at;
	uint64_t work, limit;
	unsigned depth;
	bool failed;
	bool skip; /* libiberty does not follow references where it does not print */
};

static void type(struct walk *w);
static void path(struct walk *w);

static void spend(struct walk *w, uint64_t amount)
{
	if (amount > w->limit - w->work)
		w->failed = true;
	else
		w->work += amount;
}

static char peek(const struct walk *w)
{
	return !w->failed && w->at < w->size ? w->name[w->at] : '\0';
}

static char next(struct walk *w)
{
	char c = peek(w);

	if (!c)
		w->failed = true;
	else
		w->at++;
	spend(w, 1);
	return c;
}

static bool eat(struct walk *w, char c)
{
	if (peek(w) != c)
		return false;
	next(w);
	return true;
}

static bool enter(struct walk *w)
{
	if (w->depth == DEPTH_MAX)
		w->failed = true;
	if (w->failed)
		return false;
	w->depth++;
	return true;
}

/* _ is 0, 0_ is 1. */
static uint64_t base62(struct walk *w)
{
	uint64_t value = 0;

	if (eat(w, '_'))
		return 0;
	while (!w->failed && !eat(w, '_')) {
		const char c = next(w);
		const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
				       : c >= 'a' && c <= 'z' ? (unsigned)(c - 'a') + 10
				       : c >= 'A' && c <= 'Z' ? (unsigned)(c - 'A') + 36
							      : 62;

		w->failed |= digit == 62;
		value = value * 62 + digit; /* modulo 2^64, as libiberty has it */
	}
	return value + 1;
}

static void disambiguator(struct walk *w)
{
	if (eat(w, 's'))
		base62(w);
}

/* Lifetimes are written one by one, and there can be 2^64 of them. */
static void binder(struct walk *w)
{
	if (!eat(w, 'G'))
		return;
	spend(w, base62(w));
	spend(w, 1);
}

static void identifier(struct walk *w)
{
	const bool punycode = eat(w, 'u');
	uint64_t size = 0;
	char c = next(w);

	if (c < '0' || c > '9') {
		w->failed = true;
		return;
	}
	size = (uint64_t)(c - '0');
	while (size && peek(w) >= '0' && peek(w) <= '9' && size <= w->size)
		size = size * 10 + (uint64_t)(next(w) - '0');
	eat(w, '_');
	if (size > w->size - w->at) {
		w->failed = true;
		return;
	}
	w->at += size;
	spend(w, punycode ? size + size * size / 16 : size); /* Punycode inserts */
}

static void refer(struct walk *w, void (*to)(struct walk *))
{
	const size_t at = w->at;
	const uint64_t target = base62(w);
	const size_t back = w->at;

	if (target >= at)
		w->failed = true;
	if (w->failed || w->skip)
		return;
	w->at = (size_t)target;
	to(w);
	w->at = back;
}

static void constant(struct walk *w)
{
	if (!enter(w))
		return;
	switch (next(w)) {
	case 'B': refer(w, constant); break;
	case 'p': break;
	default:
		while (!w->failed && !eat(w, '_'))
			next(w);
	}
	w->depth--;
}

static void generic_args(struct walk *w)
{
	while (!w->failed && !eat(w, 'E')) {
		if (eat(w, 'L'))
			base62(w);
		else if (eat(w, 'K'))
			constant(w);
		else
			type(w);
	}
}

static void skipped_path(struct walk *w)
{
	const bool skip = w->skip;

	disambiguator(w);
	w->skip = true;
	path(w);
	w->skip = skip;
}

static void nested_path(struct walk *w)
{
	next(w); /* the namespace */
	path(w);
	disambiguator(w);
	identifier(w);
}

static void path(struct walk *w)
{
	if (!enter(w))
		return;
	switch (next(w)) {
	case 'C':
		disambiguator(w);
		identifier(w);
		break;
	case 'N': nested_path(w); break;
	case 'M':
		skipped_path(w);
		type(w);
		break;
	case 'X':
		skipped_path(w);
		type(w);
		path(w);
		break;
	case 'Y':
		type(w);
		path(w);
		break;
	case 'I':
		path(w);
		generic_args(w);
		break;
	case 'B': refer(w, path); break;
	default: w->failed = true;
	}
	w->depth--;
}

static void types(struct walk *w)
{
	while (!w->failed && !eat(w, 'E'))
		type(w);
}

static void function_type(struct walk *w)
{
	binder(w);
	eat(w, 'U');
	if (eat(w, 'K') && !eat(w, 'C'))
		identifier(w);
	types(w);
	type(w);
}

static void dyn_type(struct walk *w)
{
	binder(w);
	while (!w->failed && !eat(w, 'E')) {
		path(w);
		while (eat(w, 'p')) {
			identifier(w);
			type(w);
		}
	}
	if (eat(w, 'L'))
		base62(w);
	else
		w->failed = true;
}

static void type(struct walk *w)
{
	char c;

	if (!enter(w))
		return;
	c = next(w);
	switch (c) {
	case 'R':
	case 'Q':
		if (eat(w, 'L'))
			base62(w);
		type(w);
		break;
	case 'P':
	case 'O':
	case 'S': type(w); break;
	case 'A':
		type(w);
		constant(w);
		break;
	case 'T': types(w); break;
	case 'F': function_type(w); break;
	case 'D': dyn_type(w); break;
	case 'B': refer(w, type); break;
	default:
		if (c >= 'a' && c <= 'z')
			break;
		w->at -= !w->failed;
		path(w);
	}
	w->depth--;
}

uint64_t pk_rust_work(const char *name, uint64_t limit)
{
	struct walk w = {.name = name + 2, .limit = limit};

	if (strncmp(name, "_R", 2))
		return UINT64_MAX;
	w.size = strcspn(w.name, "."); /* what stands behind a dot is not demangled */
	path(&w);
	if (!w.failed && w.at < w.size) { /* the crate that has the instance */
		w.skip = true;
		path(&w);
	}
	return w.failed ? UINT64_MAX : w.work;
}
