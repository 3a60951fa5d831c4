// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "tracepoint_format.h"

static bool is_called(const char *name, const char *text, size_t size)
{
	return strlen(name) == size && !memcmp(name, text, size);
}

/* ---- Types ---- */

/* The kinds of types with special names. Derived events (SPEC 9.15) use these types, too. error_t
 * is a type of the C library. */
static const struct {
	const char *name;
	enum pk_value_kind kind, kind_if_signed;
} types[] = {
	{"dev_t", PK_VALUE_DEVICE, PK_VALUE_DEVICE},
	{"size_t", PK_VALUE_BYTES, PK_VALUE_SIGNED},
	{"ktime_t", PK_VALUE_DURATION, PK_VALUE_SIGNED},
	{"error_t", PK_VALUE_ERROR, PK_VALUE_RESULT},
};

static enum pk_value_kind kind_of_type(const struct pk_tracepoint_field *field)
{
	if (field->is_string)
		return PK_VALUE_TEXT;
	if (field->is_array)
		return PK_VALUE_NONE;
	if (field->is_pointer)
		return PK_VALUE_ADDRESS;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (is_called(types[i].name, field->type, field->type_size))
			return field->is_signed ? types[i].kind_if_signed : types[i].kind;
	return field->is_signed ? PK_VALUE_SIGNED : PK_VALUE_NUMBER;
}

/* ---- print fmt ---- */

/* The fields that the value of an expression depends on. */
struct depends {
	const struct pk_tracepoint_field *field; /* the first field, or NULL if there is none */
	bool several;
	bool words; /* the expression prints words for flags or an enumeration of the field */
};

static struct depends join(struct depends a, struct depends b)
{
	return (struct depends){.field = a.field ? a.field : b.field,
				.several = a.several || b.several ||
					   (a.field && b.field && a.field != b.field),
				.words = a.words || b.words};
}

static struct depends depends_on(const struct pk_tracepoint *t, uint32_t number)
{
	const struct tp_node *node = &t->nodes[number];
	struct depends depends = {0};

	switch (number ? node->kind : TP_NUMBER) {
	case TP_FLAGS:
	case TP_SYMBOLIC:
		depends = depends_on(t, node->a);
		depends.words = true;
		return depends;
	case TP_CAST:
	case TP_UNARY: return depends_on(t, node->a);
	case TP_BINARY: return join(depends_on(t, node->a), depends_on(t, node->b));
	case TP_CHOICE:
		depends = join(depends_on(t, node->b), depends_on(t, node->c));
		return join(depends_on(t, node->a), depends);
	case TP_NUMBER:
	case TP_NAME:
	case TP_STRING:
	case TP_PAIR: return depends;
	case TP_FIELD: return (struct depends){.field = node->field};
	default: return (struct depends){.several = true}; /* arrays have no kind */
	}
}

/* Returns whether the text between two conversions connects them, so that their results belong
 * together. */
static bool joins(const struct tp_slice *literal)
{
	for (size_t i = 0; i < literal->size; i++)
		if (!strchr(",:|+", literal->data[i]))
			return false;
	return true;
}

/* The greatest end of a field with words. pk_tracepoint_words() allocates raw bytes up to the end
 * of the field. Without this limit, the offset in a damaged format could cause a large allocation.
 */
#define END_MAX 65536u

static bool can_have_words(const struct pk_tracepoint_field *field)
{
	return !field->is_dynamic && !field->is_array && field->size <= sizeof(uint64_t) &&
	       field->offset <= END_MAX - sizeof(uint64_t) &&
	       (field->kind == PK_VALUE_NUMBER || field->kind == PK_VALUE_SIGNED);
}

/* Returns whether a conversion prints an address of the kernel. With other letters, %p prints the
 * memory at the address. */
static bool is_address(const struct tp_piece *piece)
{
	return piece->conversion == 'p' &&
	       (!piece->pointer[0] || strchr("sSfFB", piece->pointer[0]));
}

/* Sets the kind of a field by the conversion at this index. `last` is the field whose words the
 * previous conversion prints. Returns the field whose words this conversion prints, or NULL. */
static struct pk_tracepoint_field *find_kind(struct pk_tracepoint *t, uint32_t at,
					     struct pk_tracepoint_field *last)
{
	const struct tp_piece *piece = &t->pieces[at];
	const struct depends depends = depends_on(t, piece->node);
	struct pk_tracepoint_field *field;

	if (!piece->conversion || !depends.field || depends.several || depends.field->is_array)
		return NULL;
	field = &t->fields[depends.field - t->fields];
	if (field == last && joins(&piece->literal)) {
		field->words_count++;
		return field;
	}
	if (is_address(piece) && field->kind == PK_VALUE_NUMBER)
		field->kind = PK_VALUE_ADDRESS;
	if (piece->conversion != 's' || !depends.words || field->words || !can_have_words(field))
		return NULL;
	field->kind = field->is_signed ? PK_VALUE_SIGNED_WORDS : PK_VALUE_WORDS;
	field->words = at + 1;
	field->words_count = 1;
	return field;
}

void pk_tp_find_kinds(struct pk_tracepoint *t)
{
	const char *event = t->name + strlen(t->system) + 1;
	struct pk_tracepoint_field *last = NULL;

	for (uint32_t i = 0; i < t->fields_count; i++) {
		struct pk_tracepoint_field *field = &t->fields[i];
		const enum pk_value_kind kind = kind_of_type(field);

		field->kind = kind;
		if (kind == PK_VALUE_NUMBER || kind == PK_VALUE_SIGNED)
			field->kind =
				pk_kind_known(t->system, event, field->name, field->is_signed);
		if (field->kind == PK_VALUE_NONE)
			field->kind = kind;
	}
	for (uint32_t i = 0; !t->unprintable && i < t->pieces_count; i++)
		last = find_kind(t, i, last);
}

/* ---- Words in other formats ---- */

/* Appends an expression. In the expression, REC->name replaces the field. */
static void add_renamed(struct buffer *out, const struct tp_slice *text, const char *old,
			const char *name)
{
	struct tp_lexer lexer = {.at = text->data, .end = text->data + text->size};
	const char *from = text->data;
	bool member = false;

	for (pk_tp_lexer_next(&lexer); lexer.token != TP_T_END; pk_tp_lexer_next(&lexer)) {
		const bool is_arrow = lexer.token == TP_T_OP && lexer.op == TP_OP('-', '>');

		if (member && lexer.token == TP_T_NAME &&
		    is_called(old, lexer.text.data, lexer.text.size)) {
			buffer_add(out, from, (size_t)(lexer.text.data - from));
			buffer_text(out, name);
			from = lexer.at;
		}
		member = is_arrow;
	}
	buffer_add(out, from, (size_t)(lexer.end - from));
}

void pk_tracepoint_words_format(const struct pk_tracepoint *tracepoint,
				const struct pk_tracepoint_field *field, const char *name,
				struct buffer *conversions, struct buffer *arguments)
{
	for (uint32_t i = 0; i < field->words_count; i++) {
		const struct tp_piece *piece = &tracepoint->pieces[field->words - 1 + i];

		if (i)
			buffer_add(conversions, piece->literal.data, piece->literal.size);
		buffer_text(conversions, piece->size == 8 ? "%ll" : "%");
		buffer_char(conversions, piece->conversion);
		buffer_text(arguments, ", ");
		add_renamed(arguments, &piece->argument, field->name, name);
	}
}
