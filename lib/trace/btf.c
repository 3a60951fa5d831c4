// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "btf.h"
#include "pkprivate.h"
#include "pkutil.h"
#include "vector.h"

#define MAGIC 0xeb9fu

struct header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t header_size;
	uint32_t types, types_size, strings, strings_size; /* offsets after the header */
};

/* A type; data that depends on its kind follows. */
struct type {
	uint32_t name; /* offset in the strings */
	uint32_t info;
	uint32_t size; /* or the type that it refers to */
};

struct member {
	uint32_t name, type, offset;
};

struct array {
	uint32_t type, index_type, count;
};

struct section_entry {
	uint32_t type, offset, size;
};

enum kind {
	KIND_NONE,
	KIND_INT,
	KIND_POINTER,
	KIND_ARRAY,
	KIND_STRUCT,
	KIND_UNION,
	KIND_ENUM,
	KIND_FORWARD,
	KIND_TYPEDEF,
	KIND_VOLATILE,
	KIND_CONST,
	KIND_RESTRICT,
	KIND_FUNCTION,
	KIND_PROTOTYPE,
	KIND_VARIABLE,
	KIND_SECTION,
	KIND_FLOAT,
	KIND_DECLARATION_TAG,
	KIND_TYPE_TAG,
	KIND_ENUM64,
};

#define DEPTH_MAX      16 /* of structs in structs */
#define REFERENCES_MAX 32 /* typedefs of typedefs and the like */

struct pk_btf {
	const uint8_t *data; /* of the types */
	const char *strings;
	uint32_t strings_size;
	uint32_t *at; /* offset of each type; type 0, void, has none */
	size_t count, capacity;
};

static enum kind kind_of(const struct type *type)
{
	return (type->info >> 24) & 0x1f;
}

static uint32_t length_of(const struct type *type)
{
	return type->info & 0xffff;
}

/* Whether offsets of members also contain the size of bit-fields, or an enum is signed. */
static bool has_flag(const struct type *type)
{
	return type->info >> 31;
}

/* The size of the data after the type; -1: unknown kind. */
static int64_t size_after(const struct type *type)
{
	switch (kind_of(type)) {
	case KIND_INT: return sizeof(uint32_t);
	case KIND_ARRAY: return sizeof(struct array);
	case KIND_STRUCT:
	case KIND_UNION: return (int64_t)(length_of(type) * sizeof(struct member));
	case KIND_ENUM:
	case KIND_PROTOTYPE: return (int64_t)(length_of(type) * 2 * sizeof(uint32_t));
	case KIND_VARIABLE:
	case KIND_DECLARATION_TAG: return sizeof(uint32_t);
	case KIND_SECTION: return (int64_t)(length_of(type) * sizeof(struct section_entry));
	case KIND_ENUM64: return (int64_t)(length_of(type) * 3 * sizeof(uint32_t));
	case KIND_POINTER:
	case KIND_FORWARD:
	case KIND_TYPEDEF:
	case KIND_VOLATILE:
	case KIND_CONST:
	case KIND_RESTRICT:
	case KIND_FUNCTION:
	case KIND_FLOAT:
	case KIND_TYPE_TAG: return 0;
	default: return -1;
	}
}

/* ---- Reading ---- */

/* Finds the offsets of all types. */
static bool index_types(struct pk_btf *btf, uint32_t size)
{
	struct type type;
	uint32_t at = 0;
	int64_t after;

	btf->count = 1;
	while (at < size) {
		if (size - at < sizeof(type))
			return false;
		memcpy(&type, btf->data + at, sizeof(type));
		after = size_after(&type);
		if (after < 0 || after > size - at - (int64_t)sizeof(type))
			return false;
		if (!pk_reserve(&btf->at, &btf->capacity, btf->count, 1, sizeof(*btf->at))) {
			errno = ENOMEM;
			return false;
		}
		btf->at[btf->count++] = at;
		at += (uint32_t)sizeof(type) + (uint32_t)after;
	}
	return true;
}

static bool is_inside(uint32_t offset, uint32_t part, size_t size)
{
	return offset <= size && part <= size - offset;
}

struct pk_btf *pk_btf_open(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	struct header header;
	struct pk_btf *btf;
	size_t rest;

	errno = 0;
	if (size < sizeof(header))
		return NULL;
	memcpy(&header, bytes, sizeof(header));
	if (header.magic != MAGIC || header.version != 1 || header.header_size < sizeof(header) ||
	    header.header_size > size)
		return NULL;
	rest = size - header.header_size;
	bytes += header.header_size;
	if (!is_inside(header.types, header.types_size, rest) ||
	    !is_inside(header.strings, header.strings_size, rest) || !header.strings_size ||
	    bytes[header.strings + header.strings_size - 1])
		return NULL;
	btf = calloc(1, sizeof(*btf));
	if (!btf)
		return NULL;
	btf->data = bytes + header.types;
	btf->strings = (const char *)bytes + header.strings;
	btf->strings_size = header.strings_size;
	if (index_types(btf, header.types_size))
		return btf;
	pk_btf_free(btf);
	return NULL;
}

void pk_btf_free(struct pk_btf *btf)
{
	if (btf)
		free(btf->at);
	free(btf);
}

static const char *name_of(const struct pk_btf *btf, uint32_t name)
{
	return name < btf->strings_size ? btf->strings + name : "";
}

/* Sets *after to the data after the type. False: there is no such type, or it is void. */
static bool load_type(const struct pk_btf *btf, uint32_t id, struct type *type,
		      const uint8_t **after)
{
	if (!id || id >= btf->count)
		return false;
	memcpy(type, btf->data + btf->at[id], sizeof(*type));
	*after = btf->data + btf->at[id] + sizeof(*type);
	return true;
}

/* Follows typedefs and qualifiers. */
static bool resolve(const struct pk_btf *btf, uint32_t id, struct type *type, const uint8_t **after)
{
	for (int i = 0; i < REFERENCES_MAX && load_type(btf, id, type, after); i++) {
		switch (kind_of(type)) {
		case KIND_TYPEDEF:
		case KIND_VOLATILE:
		case KIND_CONST:
		case KIND_RESTRICT:
		case KIND_TYPE_TAG: id = type->size; break;
		default: return true;
		}
	}
	return false;
}

uint32_t pk_btf_find_struct(const struct pk_btf *btf, const char *name)
{
	const uint8_t *after;
	struct type type;

	for (uint32_t id = 1; load_type(btf, id, &type, &after); id++)
		if (kind_of(&type) == KIND_STRUCT && !strcmp(name_of(btf, type.name), name))
			return id;
	return 0;
}

static bool find_in_section(const struct pk_btf *btf, const struct type *section,
			    const uint8_t *after, const char *name,
			    struct pk_btf_variable *variable)
{
	struct section_entry entry;
	const uint8_t *ignored;
	struct type type;

	for (uint32_t i = 0; i < length_of(section); i++) {
		memcpy(&entry, after + i * sizeof(entry), sizeof(entry));
		if (!load_type(btf, entry.type, &type, &ignored) ||
		    kind_of(&type) != KIND_VARIABLE || strcmp(name_of(btf, type.name), name) != 0)
			continue;
		*variable = (struct pk_btf_variable){.section = name_of(btf, section->name),
						     .offset = entry.offset,
						     .size = entry.size,
						     .type = type.size};
		return true;
	}
	return false;
}

bool pk_btf_find_variable(const struct pk_btf *btf, const char *name,
			  struct pk_btf_variable *variable)
{
	const uint8_t *after;
	struct type type;

	for (uint32_t id = 1; load_type(btf, id, &type, &after); id++)
		if (kind_of(&type) == KIND_SECTION &&
		    find_in_section(btf, &type, after, name, variable))
			return true;
	return false;
}

/* ---- Layouts ---- */

struct walk {
	const struct pk_btf *btf;
	struct pk_raw_layout *layout;
	size_t steps; /* members that were visited: types can contain others many times */
};

#define STEPS_MAX 4096

static bool walk_type(struct walk *walk, uint32_t id, const char *name, uint64_t offset,
		      unsigned int depth);

/* The kind and size of a number, pointer or enum. False: it is another type. */
static bool scalar(const struct pk_btf *btf, const struct type *type, const uint8_t *after,
		   struct pk_raw_field *field)
{
	uint32_t encoding;

	field->size = type->size;
	field->kind = PK_RAW_UNSIGNED;
	switch (kind_of(type)) {
	case KIND_INT:
		encoding = pk_load_u32(after);
		if (encoding >> 24 & 1)
			field->kind = PK_RAW_SIGNED;
		if (type->size == 1 && !strcmp(name_of(btf, type->name), "char"))
			field->kind = PK_RAW_TEXT;
		if ((encoding & 0xff) != type->size * 8 || encoding >> 16 & 0xff)
			return false; /* a bit-field */
		break;
	case KIND_ENUM:
	case KIND_ENUM64:
		if (has_flag(type))
			field->kind = PK_RAW_SIGNED;
		break;
	case KIND_POINTER:
		field->kind = PK_RAW_POINTER;
		field->size = 8; /* of BPF */
		break;
	default: return false;
	}
	return field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8;
}

static bool add_field(struct walk *walk, const char *name, struct pk_raw_field *field,
		      uint64_t offset)
{
	const uint64_t elements = field->count ? field->count : 1;

	if (offset + field->size * elements > walk->layout->size)
		return false;
	field->offset = (uint32_t)offset;
	if (!pk_raw_layout_add(walk->layout, name, field))
		walk->layout->left_out++;
	return true;
}

static bool walk_array(struct walk *walk, const uint8_t *after, const char *name, uint64_t offset)
{
	struct pk_raw_field field = {.count = 0};
	uint64_t count = 1;
	struct array array;
	struct type type;

	/* An array of arrays is one array. */
	for (int i = 0; i < REFERENCES_MAX; i++) {
		memcpy(&array, after, sizeof(array));
		if (count * array.count > PK_BTF_SIZE_MAX)
			return false;
		count *= array.count;
		if (!resolve(walk->btf, array.type, &type, &after))
			return false;
		if (kind_of(&type) != KIND_ARRAY)
			break;
	}
	if (!scalar(walk->btf, &type, after, &field)) {
		if (kind_of(&type) != KIND_STRUCT && kind_of(&type) != KIND_UNION) {
			walk->layout->left_out++;
			return true;
		}
		count *= type.size;
		field.size = 1;
		field.kind = PK_RAW_BYTES;
	} else if (field.size == 1 && field.kind == PK_RAW_UNSIGNED) {
		field.kind = PK_RAW_BYTES;
	}
	if (!count) {
		walk->layout->left_out++;
		return true;
	}
	if (count > PK_BTF_SIZE_MAX)
		return false;
	field.count = (uint32_t)count;
	return add_field(walk, name, &field, offset);
}

static bool walk_members(struct walk *walk, const struct type *type, const uint8_t *after,
			 const char *name, uint64_t offset, unsigned int depth)
{
	char joined[PK_FIELD_NAME_SIZE];
	struct member member;

	for (uint32_t i = 0; i < length_of(type); i++) {
		memcpy(&member, after + i * sizeof(member), sizeof(member));
		if (++walk->steps > STEPS_MAX)
			return false;
		if (has_flag(type) && member.offset >> 24) { /* the size of a bit-field */
			walk->layout->left_out++;
			continue;
		}
		if (member.offset % 8)
			return false;
		snprintf(joined, sizeof(joined), "%s%s%s", name,
			 *name && *name_of(walk->btf, member.name) ? "_" : "",
			 name_of(walk->btf, member.name));
		if (!walk_type(walk, member.type, joined, offset + member.offset / 8, depth + 1))
			return false;
	}
	return true;
}

static bool walk_type(struct walk *walk, uint32_t id, const char *name, uint64_t offset,
		      unsigned int depth)
{
	struct pk_raw_field field = {.count = 0};
	const uint8_t *after;
	struct type type;

	if (depth > DEPTH_MAX || !resolve(walk->btf, id, &type, &after))
		return false;
	switch (kind_of(&type)) {
	case KIND_STRUCT:
	case KIND_UNION: return walk_members(walk, &type, after, name, offset, depth);
	case KIND_ARRAY: return walk_array(walk, after, name, offset);
	default:
		if (scalar(walk->btf, &type, after, &field)) {
			if (field.kind == PK_RAW_TEXT) /* one char is a number */
				field.kind = PK_RAW_SIGNED;
			return add_field(walk, name, &field, offset);
		}
		walk->layout->left_out++;
		return true;
	}
}

/* The size of a type, also of an array; 0: none, or too large. */
static uint32_t size_of(const struct pk_btf *btf, uint32_t id)
{
	const uint8_t *after;
	struct array array;
	uint64_t count = 1;
	struct type type;

	for (int i = 0; i < REFERENCES_MAX && resolve(btf, id, &type, &after); i++) {
		if (kind_of(&type) == KIND_POINTER)
			type.size = 8;
		else if (kind_of(&type) == KIND_ARRAY) {
			memcpy(&array, after, sizeof(array));
			count *= array.count;
			id = array.type;
			if (count > PK_BTF_SIZE_MAX)
				return 0;
			continue;
		} else if (kind_of(&type) >= KIND_FORWARD && kind_of(&type) < KIND_FLOAT) {
			return 0;
		}
		return type.size <= PK_BTF_SIZE_MAX && count * type.size <= PK_BTF_SIZE_MAX
			       ? (uint32_t)(count * type.size)
			       : 0;
	}
	return 0;
}

bool pk_btf_describe(const struct pk_btf *btf, uint32_t type, const char *name,
		     struct pk_raw_layout *layout)
{
	struct walk walk = {.btf = btf, .layout = layout};
	const uint8_t *after;
	struct type top;

	layout->count = layout->left_out = 0;
	layout->size = size_of(btf, type);
	if (!layout->size || !resolve(btf, type, &top, &after))
		return false;
	if (kind_of(&top) == KIND_STRUCT || kind_of(&top) == KIND_UNION)
		name = "";
	return walk_type(&walk, type, name, 0, 0);
}
