// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>

#include "tracepoint_internal.h"
#include "vector.h"

/*
 * The text of a format, as the kernel has it below tracing/events:
 *
 *	name: sched_switch
 *	ID: 316
 *	format:
 *		field:unsigned short common_type;	offset:0;	size:2;	signed:0;
 *		...
 *	(an empty line)
 *		field:char prev_comm[16];	offset:8;	size:16;	signed:0;
 *		...
 *	(an empty line)
 *	print fmt: "prev_comm=%s ...", REC->prev_comm, ...
 */

static bool has(const char *text, size_t size, const char *word)
{
	return memmem(text, size, word, strlen(word)) != NULL;
}

/* ---- Fields ---- */

/* The number behind KEY in a line; false if it is not there. */
static bool number_of(const char *line, size_t size, const char *key, uint32_t *value)
{
	const char *p = memmem(line, size, key, strlen(key)), *end = line + size;
	uint64_t n = 0;

	if (!p)
		return false;
	p += strlen(key);
	if (p == end || *p < '0' || *p > '9')
		return false;
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		n = 10 * n + (uint64_t)(*p - '0');
		if (n > TP_TEXT_MAX)
			return false;
	}
	*value = (uint32_t)n;
	return true;
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* "char comm[16]", "__data_loc char[] name": the name is the last word before a bracket that ends
 * the text, the type what comes before. */
static bool read_declaration(struct pk_tracepoint *t, struct pk_tracepoint_field *field, char *text,
			     size_t size)
{
	char *end = text + size, *name;
	size_t type_size;

	if (size && end[-1] == ']') {
		field->is_array = true;
		while (end > text && *end != '[')
			end--;
	}
	while (end > text && end[-1] == ' ')
		end--;
	for (name = end; name > text && is_name(name[-1]);)
		name--;
	if (name == end || name == text)
		return false;
	*end = '\0';
	field->name = name;
	type_size = (size_t)(name - text);
	field->is_dynamic = has(text, type_size, "__data_loc") || has(text, type_size, "__rel_loc");
	field->is_relative = has(text, type_size, "__rel_loc");
	field->is_array |= memchr(text, '[', type_size) != NULL;
	field->is_pointer = memchr(text, '*', type_size) != NULL;
	field->is_long = has(text, type_size, "long");
	field->is_string =
		field->is_array && (has(text, type_size, "char") || has(text, type_size, "u8") ||
				    has(text, type_size, "s8"));
	if (field->is_dynamic) {
		char *type = memchr(text, ' ', type_size), *bracket = memchr(text, '[', type_size);

		if (type && bracket && type < bracket)
			field->element_size = tp_type_size(t, type, (size_t)(bracket - type));
	} else {
		field->element_size =
			field->is_array ? tp_type_size(t, text, type_size) : field->size;
	}
	if (!field->element_size || field->element_size > field->size)
		field->element_size = field->is_dynamic || field->is_array ? 1 : field->size;
	return true;
}

static bool read_field(struct pk_tracepoint *t, char *line, size_t size)
{
	struct pk_tracepoint_field field = {0};
	char *text = memmem(line, size, "field:", 6), *semicolon;
	uint32_t is_signed = 0;

	semicolon = text ? memchr(text, ';', (size_t)(line + size - text)) : NULL;
	if (!semicolon || t->fields_count == TP_FIELDS_MAX)
		return false;
	if (!number_of(semicolon, (size_t)(line + size - semicolon), "offset:", &field.offset) ||
	    !number_of(semicolon, (size_t)(line + size - semicolon), "size:", &field.size))
		return false;
	number_of(semicolon, (size_t)(line + size - semicolon), "signed:", &is_signed);
	field.is_signed = is_signed;
	if (!read_declaration(t, &field, text + 6, (size_t)(semicolon - text - 6)))
		return false;
	t->fields[t->fields_count++] = field;
	return true;
}

static size_t line_size(const char *at, const char *end)
{
	const char *feed = memchr(at, '\n', (size_t)(end - at));

	return feed ? (size_t)(feed - at) : (size_t)(end - at);
}

static bool starts(const char *line, size_t size, const char *with)
{
	return size >= strlen(with) && !memcmp(line, with, strlen(with));
}

/* Every line up to "print fmt"; *rest is what follows that. False: nonsense. */
static bool read_fields(struct pk_tracepoint *t, char *at, const char *end, struct tp_slice *rest)
{
	for (size_t size; at < end; at += size < (size_t)(end - at) ? size + 1 : size) {
		size = line_size(at, end);
		if (starts(at, size, "print fmt:")) {
			*rest = (struct tp_slice){at + 10, (size_t)(end - at - 10)};
			return true;
		}
		if (size && *at == '\t') {
			if (!read_field(t, at, size))
				return false;
		} else if (!size && !t->common_count) {
			t->common_count = t->fields_count;
		}
	}
	return t->fields_count > 0;
}

/* ---- What is printed ---- */

static struct tp_piece *add_piece(struct pk_tracepoint *t)
{
	if (t->pieces_count == TP_PIECES_MAX)
		return NULL;
	if (!pk_reserve(&t->pieces, &t->pieces_capacity, t->pieces_count, 1, sizeof(*t->pieces))) {
		t->all->failed = true;
		return NULL;
	}
	t->pieces[t->pieces_count] = (struct tp_piece){.width = -1, .precision = -1, .size = 4};
	return &t->pieces[t->pieces_count++];
}

static bool read_flag(struct tp_piece *piece, char c)
{
	switch (c) {
	case '-': return piece->left = true;
	case '0': return piece->zero = true;
	case '#': return piece->alternate = true;
	case '+': return piece->plus = true;
	case ' ': return piece->blank = true;
	default: return false;
	}
}

/* A number or *, for which the piece's node is UINT32_MAX until the arguments are read. */
static const char *read_amount(const char *at, const char *end, int *amount, uint32_t *node)
{
	if (at < end && *at == '*') {
		*node = UINT32_MAX;
		return at + 1;
	}
	for (; at < end && *at >= '0' && *at <= '9'; at++) {
		*amount = 10 * (*amount < 0 ? 0 : *amount) + (*at - '0');
		if (*amount > TP_WIDTH_MAX)
			*amount = TP_WIDTH_MAX;
	}
	return at;
}

static const char *read_size(const struct pk_tracepoint *t, const char *at, const char *end,
			     struct tp_piece *piece)
{
	unsigned int longs = 0;

	for (; at < end && *at && strchr("hlLqzZtj", *at); at++) {
		if (*at == 'h')
			piece->size /= 2;
		else if (*at == 'l')
			piece->size = longs++ ? 8 : t->all->long_size;
		else
			piece->size =
				*at == 'z' || *at == 'Z' || *at == 't' ? t->all->long_size : 8;
	}
	if (!piece->size)
		piece->size = 1;
	return at;
}

/* What may stand behind the first of the letters of %p; and as that. */
static const char *pointer_letters(char first)
{
	switch (first) {
	case '\0': return "fFsSBMmIiUhb";
	case 'I':
	case 'i': return "46Scpfshnlb";
	case 'M':
	case 'm': return "RF";
	case 'b': return "l";
	case 'U': return "bBlL";
	case 'h': return "CDN";
	default: return "";
	}
}

/* The letters behind %p that say what it points to. */
static const char *read_pointer(const char *at, const char *end, struct tp_piece *piece)
{
	size_t count = 0;

	while (at < end && count < sizeof(piece->pointer) - 1) {
		const char *more = pointer_letters(count ? piece->pointer[0] : '\0');

		if (!*at || !strchr(more, *at))
			break;
		piece->pointer[count++] = *at++;
	}
	return at;
}

/* From behind the % on; NULL: unknown. */
static const char *read_conversion(const struct pk_tracepoint *t, const char *at, const char *end,
				   struct tp_piece *piece)
{
	while (at < end && read_flag(piece, *at))
		at++;
	at = read_amount(at, end, &piece->width, &piece->width_node);
	if (at < end && *at == '.') {
		piece->precision = 0;
		at = read_amount(at + 1, end, &piece->precision, &piece->precision_node);
	}
	at = read_size(t, at, end, piece);
	if (at == end || !*at || !strchr("diuxXocsp", *at))
		return NULL;
	piece->conversion = *at++;
	return piece->conversion == 'p' ? read_pointer(at, end, piece) : at;
}

static const char *escape(const char *at)
{
	switch (*at) {
	case 'n': return "\n";
	case 't': return "\t";
	case 'r': return "\r";
	default: return at;
	}
}

/* The text between two quotes of "print fmt". */
static bool read_template(struct pk_tracepoint *t, const char *at, const char *end)
{
	struct tp_piece *piece;
	const char *stop;

	while (at < end) {
		piece = add_piece(t);
		if (!piece)
			return false;
		for (stop = at; stop < end && *stop != '%' && *stop != '\\'; stop++)
			;
		piece->literal = (struct tp_slice){at, (size_t)(stop - at)};
		at = stop;
		if (end - at < 2)
			return at == end;
		if (at[0] == '\\' || at[1] == '%') {
			piece = add_piece(t);
			if (!piece)
				return false;
			piece->literal =
				(struct tp_slice){at[0] == '\\' ? escape(at + 1) : at + 1, 1};
			at += 2;
		} else {
			at = read_conversion(t, at + 1, end, piece);
			if (!at)
				return false;
		}
	}
	return true;
}

static bool read_argument(struct pk_tracepoint *t, struct tp_lexer *lexer, uint32_t *node)
{
	if (lexer->token != TP_T_OP || lexer->op != TP_OP(',', 0))
		return false;
	tp_lexer_next(lexer);
	*node = tp_expression(t, lexer);
	return *node != 0;
}

static bool read_print(struct pk_tracepoint *t, const struct tp_slice *text)
{
	struct tp_lexer lexer = {.at = text->data, .end = text->data + text->size};

	tp_lexer_next(&lexer);
	if (lexer.token != TP_T_STRING)
		return false;
	for (; lexer.token == TP_T_STRING; tp_lexer_next(&lexer))
		if (!read_template(t, lexer.text.data, lexer.text.data + lexer.text.size))
			return false;
	for (uint32_t i = 0; i < t->pieces_count; i++) {
		struct tp_piece *piece = &t->pieces[i];

		if ((piece->width_node && !read_argument(t, &lexer, &piece->width_node)) ||
		    (piece->precision_node && !read_argument(t, &lexer, &piece->precision_node)) ||
		    (piece->conversion && !read_argument(t, &lexer, &piece->node)))
			return false;
	}
	return true;
}

bool tp_parse(struct pk_tracepoint *t)
{
	const struct tp_slice *format = &t->format;
	struct tp_slice print = {0};
	struct pk_tracepoint_field *fields;
	const char *name = t->format.data + 6;
	size_t size = line_size(name, format->data + format->size);
	size_t system_size = strlen(t->system);

	t->text = malloc(format->size);
	t->fields = calloc(TP_FIELDS_MAX, sizeof(*t->fields));
	t->name = malloc(system_size + size + 2);
	if (!t->text || !t->fields || !t->name) {
		t->all->failed = true;
		return false;
	}
	memcpy(t->name, t->system, system_size);
	t->name[system_size] = ':';
	memcpy(t->name + system_size + 1, name, size);
	t->name[system_size + 1 + size] = '\0';
	memcpy(t->text, format->data, format->size);
	if (!read_fields(t, t->text, t->text + format->size, &print))
		return false;
	fields = realloc(t->fields, (t->fields_count + 1) * sizeof(*fields));
	if (fields)
		t->fields = fields;
	t->unprintable = !print.data || !read_print(t, &print);
	return true;
}
