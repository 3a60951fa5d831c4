// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "types_internal.h"

/* What C++ calls its templates may be long; nobody reads on. */
enum { NAME_MAX_BYTES = 1024, SUFFIX_MAX = 24 };

struct name {
	char text[NAME_MAX_BYTES];
	size_t size;
};

static void append(struct name *n, const char *text)
{
	const size_t left = sizeof(n->text) - 1 - n->size;
	const size_t length = strlen(text), size = length < left ? length : left;

	memcpy(n->text + n->size, text, size);
	n->size += size;
	n->text[n->size] = 0;
}

static const char *word_of(const struct pk_type_slot *s)
{
	switch (s->type.kind) {
	case PK_KIND_OF_STRUCT: return s->is_c || !s->plain ? "struct " : "";
	case PK_KIND_OF_UNION: return s->is_c || !s->plain ? "union " : "";
	case PK_KIND_OF_ENUM: return s->is_c || !s->plain ? "enum " : "";
	default: return "";
	}
}

/* Of C++: the namespaces and classes, the outermost first. */
static void append_enclosing(struct name *n, const struct pk_type_slot *s)
{
	const char *names[16];
	size_t count = pk_enclosing_names(s->unit, s->die, names, sizeof(names) / sizeof(names[0]));

	while (count--) {
		append(n, names[count] ? names[count] : "(anonymous)");
		append(n, "::");
	}
}

static void append_plain(struct name *n, const struct pk_type_slot *s)
{
	if (s->type.kind == PK_KIND_OF_FUNCTION) {
		append(n, "(function_type)");
		return;
	}
	append(n, word_of(s));
	if (!s->is_c && s->plain && s->unit)
		append_enclosing(n, s);
	append(n, s->plain ? s->plain : "(anonymous)");
}

/* What stands behind the name of the type that this one is made of; arrays of one another in C's
 * order. */
static void append_suffixes(struct name *n, const struct pk_type *chain, unsigned count)
{
	while (count) {
		unsigned first = count - 1;
		char text[SUFFIX_MAX];

		if (chain[first].kind != PK_KIND_OF_ARRAY) {
			append(n, chain[first].kind == PK_KIND_OF_POINTER ? "*" : "&");
			count--;
			continue;
		}
		while (first && chain[first - 1].kind == PK_KIND_OF_ARRAY)
			first--;
		for (unsigned i = first; i < count; i++) {
			if (chain[i].count)
				snprintf(text, sizeof(text), "[%" PRIu64 "]", chain[i].count);
			append(n, chain[i].count ? text : "[]");
		}
		count = first;
	}
}

static void make_name(struct pk_types *t, pk_type_id id, struct name *n)
{
	struct pk_type chain[PK_TYPE_HOPS];
	const struct pk_type_slot *s = NULL;
	unsigned count = 0;

	for (int i = 0; i < PK_TYPE_HOPS; i++) {
		s = pk_type_slot(t, id);
		if (!s)
			break;
		if (s->type.kind == PK_KIND_OF_ARRAY || pk_type_is_address(s->type.kind))
			chain[count++] = s->type;
		else if (s->type.kind != PK_KIND_OF_QUALIFIED)
			break;
		id = s->type.target;
	}
	if (s)
		append_plain(n, s);
	else
		append(n, "(unknown)");
	append_suffixes(n, chain, count);
}

const char *pk_type_name(struct pk_types *t, pk_type_id id)
{
	struct name n = {.size = 0};

	if (!pk_type_slot(t, id))
		return "";
	if (!t->slots[id].name && pk_dwarf_spend(t->dwarf, 64)) {
		make_name(t, id, &n);
		t->slots[id].name = pk_need(t->dwarf->failures, strdup(n.text));
	}
	return t->slots[id].name ? t->slots[id].name : "";
}
