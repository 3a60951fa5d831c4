// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "characters.h"
#include "demangle.h"

/* ---- Rust: the cost of a name ---- */

/* Calculates how many steps demangling a Rust name (version 0, RFC 2603) takes. A name can refer
 * back to its own components. So 100 bytes can stand for 2^40 components, and these can be empty.
 * Therefore a limit on the length of the text does not limit the time. These functions parse a name
 * as libiberty does and count steps, but build no text. */

#define DEPTH_MAX 1024 /* libiberty's limit */

/* The state of parsing a Rust name. */
struct walk {
	const char *name; /* the name after "_R" */
	size_t size, at;
	uint64_t work, limit;
	unsigned depth;
	bool failed;
	bool skip; /* nothing is printed, so libiberty does not follow references */
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

/* Returns false if the name is invalid or too deep. */
static bool enter(struct walk *w)
{
	w->failed |= w->depth == DEPTH_MAX;
	w->depth += !w->failed;
	return !w->failed;
}

/* Reads a number in base 62. "_" is 0, and "0_" is 1. */
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
		value = value * 62 + digit; /* modulo 2^64, as in libiberty */
	}
	return value + 1;
}

static void disambiguator(struct walk *w)
{
	if (eat(w, 's'))
		base62(w);
}

/* Counts the lifetimes of a binder. libiberty prints each lifetime, and a name can have 2^64 of
 * them. */
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
	spend(w, punycode ? size + size * size / 16
			  : size); /* decoding Punycode moves characters, so it takes longer */
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
	next(w); /* skips the letter of the namespace */
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

/* Estimates how many steps it takes to demangle a Rust name of version 0 (_R...). Returns
 * UINT64_MAX if there are more than `limit` steps, or if the name is malformed. */
static uint64_t pk_rust_work(const char *name, uint64_t limit)
{
	struct walk w = {.name = name + 2, .limit = limit};

	if (strncmp(name, "_R", 2))
		return UINT64_MAX;
	w.size = strcspn(w.name, "."); /* the suffix after a dot is not demangled */
	path(&w);
	if (!w.failed && w.at < w.size) { /* the path of the instantiating crate follows */
		w.skip = true;
		path(&w);
	}
	return w.failed ? UINT64_MAX : w.work;
}

/* ---- C++ ---- */

enum {
	TEXT_MAX = 32 << 10,
	RUST_WORK_MAX = TEXT_MAX,
	CPP_NAME_MAX = 1024, /* libiberty's limit, if DMGL_NO_RECURSE_LIMIT is not set */
	CONVERSIONS_MAX = 6,
	PACK_WORK_MAX = 512,
	WORK_MIN = 32,
	FAILURE = 256, /* the cost of a name that is not demangled */
};

#define CPP_OPTIONS (DMGL_PARAMS | DMGL_TYPES | DMGL_ANSI)

/* The text of a demangled name. A mangled name of about 200 bytes can stand for gigabytes of text.
 * libiberty passes the text in small pieces to a callback. The callback is the only place where
 * libiberty can be stopped. */
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
	if (n) /* libiberty passes NULL for an empty piece */
		memcpy(o->text + o->used, s, n);
	o->used += n;
}

static void put_or_stop(const char *s, size_t n, void *arg)
{
	struct output *o = arg;

	put(s, n, arg);
	if (o->too_long)
		longjmp(o->stop,
			1); /* nothing leaks: the C++ demangler keeps all its state on the stack */
}

/* ---- C++: the cost of a name ---- */

/* Skips an identifier, or one character if there is no identifier at p. Digits can also belong to
 * literals, sequence numbers and discriminators. Digits that are not clearly the length of an
 * identifier are not treated as a length. */
static const char *step(const char *name, const char *p, const char *end)
{
	size_t size = 0;

	if (!pk_is_digit(*p) || (p > name && strchr("SL_", p[-1])))
		return p + 1;
	while (p < end && pk_is_digit(*p) && size < CPP_NAME_MAX)
		size = size * 10 + (size_t)(*p++ - '0');
	if (p == end || *p == '_' || *p == 'E' || size > (size_t)(end - p))
		return p;
	return p + size;
}

bool pk_cpp_variants(const char *a, const char *b)
{
	const char *end = a + strlen(a), *p = a;
	size_t next;

	if (strncmp(a, "_Z", 2) != 0 || strlen(b) != (size_t)(end - a))
		return false;
	for (; p < end; p += next) {
		const char *other = b + (p - a);

		next = (size_t)(step(a, p, end) - p);
		if ((*p == 'C' || *p == 'D') && *other == *p && pk_is_digit(p[1]) &&
		    pk_is_digit(other[1]))
			next = 2;
		else if (memcmp(p, other, next) != 0)
			return false;
	}
	return true;
}

/* Returns whether the name contains at least one of the operators. Each operator has two letters.
 */
static bool may_have(const char *name, const char *operators)
{
	for (; *operators; operators += 2)
		if (strstr(name, (const char[]){operators[0], operators[1], '\0'}))
			return true;
	return false;
}

static unsigned count_operators(const char *name, const char *operators)
{
	const char *end = name + strlen(name);
	unsigned count = 0;

	if (!may_have(name, operators))
		return 0;
	for (const char *p = name; p < end; p = step(name, p, end))
		for (const char *op = operators; *op; op += 2)
			count += p[0] == op[0] && p[1] == op[1];
	return count;
}

/* The components of a name, as a tree. A component that others refer to has several parents. */
struct tree {
	const struct demangle_component *base;
	size_t count;
	bool heavy;
	uint32_t sizes[2 * CPP_NAME_MAX]; /* Size of each component, with all components that it
					   * refers to. 0 if it is not calculated yet. */
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

/* Returns the size of a component, at most PACK_WORK_MAX. Newer versions of libiberty have other
 * kinds of leaves, so their members may not be pointers to components. Such pointers are outside of
 * the array and are ignored. */
static uint32_t measure(struct tree *t, const struct demangle_component *c)
{
	const struct demangle_component *left = NULL, *right = NULL;
	uint32_t *size, sum;

	if (!c || c < t->base || c >= t->base + t->count)
		return 0;
	size = &t->sizes[c - t->base];
	if (*size)
		return *size;
	*size = PACK_WORK_MAX; /* used if the component contains itself */
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

/* Returns whether demangling a pack of the name is expensive. For each pack, the demangler searches
 * the whole expansion, and it searches shared components repeatedly. */
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

/* Returns whether demangling the name is known not to take exponential time. Two things can take
 * exponential time: the types of conversion operators, which are parsed twice at each level, and
 * packs (see has_heavy_pack()). Everything else is limited by the length of its text. */
static bool is_cheap(const char *name)
{
	if (strlen(name) > CPP_NAME_MAX || count_operators(name, "cv") > CONVERSIONS_MAX)
		return false;
	/* A prefix such as _GLOBAL__I_ comes before another name, which is parsed separately. */
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

/* ---- All languages ---- */

/* Before version 0, Rust used mangled names of C++ with a hash at the end: 17h0123456789abcdefE.
 * Compilers add suffixes such as ".llvm.123", ".cold" and ".13". Returns the size of the name
 * without suffixes, or 0 if the name has no such hash. */
static size_t old_rust_size(const char *name)
{
	const size_t hash = 20, size = strcspn(name, ".");

	if (strncmp(name, "_ZN", 3) != 0)
		return 0;
	/* The name can contain dots. So the search starts at the end, and the last text that looks
	 * like a hash is used. */
	for (size_t end = strlen(name); end >= size && end > hash; end--)
		if (name[end - 1] == 'E' && !strncmp(name + end - hash, "17h", 3) &&
		    (!name[end] || name[end] == '.'))
			return end;
	return 0;
}

/* Appends the suffix. The suffix ".llvm." with the name of a unit is left out. */
static void put_suffix(const char *suffix, struct output *o)
{
	if (strncmp(suffix, ".llvm.", 6) != 0)
		put(suffix, strlen(suffix), o);
}

/* Demangles a Rust name. Rust's demangler allocates memory, so its callback must not call
 * longjmp(). Therefore the cost is calculated before. */
static bool demangle_rust(const char *name, struct output *o, uint64_t *work)
{
	const size_t old = old_rust_size(name);
	const uint64_t found = old ? strlen(name) : pk_rust_work(name, RUST_WORK_MAX);
	char *core = old ? strndup(name, old) : NULL;
	bool ok = !old == !core;

	*work = found == UINT64_MAX ? RUST_WORK_MAX : found;
	ok = ok && found != UINT64_MAX && rust_demangle_callback(old ? core : name, 0, put, o) &&
	     !o->too_long;
	if (ok && old)
		put_suffix(name + old, o);
	free(core);
	return ok && !o->too_long;
}

static unsigned int hex_digit(char c)
{
	return c >= '0' && c <= '9'   ? (unsigned int)(c - '0')
	       : c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a' + 10)
				      : 16;
}

/* Returns whether the name is mangled by OCaml. As in perf, camlStdlib__List__map_123 means
 * Stdlib.List.map_123, and "$2e" is the byte 0x2e. */
static bool is_ocaml(const char *name)
{
	return !strncmp(name, "caml", 4) && name[4] >= 'A' && name[4] <= 'Z';
}

static bool demangle_ocaml(const char *name, struct output *o)
{
	char c;

	for (name += 4; *name && !o->too_long; name++) {
		c = *name;
		if (c == '_' && name[1] == '_') {
			c = '.';
			name++;
		} else if (c == '$' && hex_digit(name[1]) < 16 && hex_digit(name[2]) < 16) {
			c = (char)(hex_digit(name[1]) << 4 | hex_digit(name[2]));
			name += 2;
		}
		if (c)
			put(&c, 1, o);
	}
	return !o->too_long;
}

char *pk_demangle(const char *name, uint64_t *budget)
{
	const bool cpp = !strncmp(name, "_Z", 2) || !strncmp(name, "_GLOBAL_", 8);
	uint64_t work = 0;
	struct output o;
	bool ok = false;

	errno = 0; /* only malloc(), also in libiberty, sets errno after this */
	if (!*budget || (!cpp && strncmp(name, "_R", 2) != 0 && !is_ocaml(name)))
		return NULL;
	o.used = 0;
	o.too_long = false;
	if (is_ocaml(name))
		ok = demangle_ocaml(name, &o);
	else if (!cpp || old_rust_size(name))
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

/* ---- Names within a budget ---- */

enum { SHORT_MAX = 64 }; /* longest name in bytes that is printed when the budget is used up */

static uint64_t left_of(const struct pk_name_budget *budget)
{
	const uint64_t all = (UINT64_C(16) << 20) + 16 * budget->paid;

	return all > budget->spent ? all - budget->spent : 0;
}

bool pk_name_spend(struct pk_name_budget *budget, uint64_t bytes)
{
	const uint64_t left = left_of(budget);

	budget->spent += bytes < left ? bytes : left;
	return bytes <= left;
}

char *pk_name_demangle(struct pk_name_budget *budget, const char *name)
{
	const uint64_t before = left_of(budget);
	uint64_t left = before;
	char *text = pk_demangle(name, &left);

	if (!text && errno == ENOMEM)
		pk_failed(budget->failures, NULL, ENOMEM);
	budget->spent += before - left;
	return text;
}

char *pk_name_cut(struct pk_name_budget *budget, const char *name)
{
	const size_t size = strnlen(name, PK_SYMBOL_NAME_MAX + 1);
	const int keep = pk_name_spend(budget, size) ? PK_SYMBOL_NAME_MAX : SHORT_MAX;

	if (size <= (size_t)keep)
		return NULL;
	budget->cut++;
	return pk_need_text(budget->failures, "%.*s...", keep, name);
}
