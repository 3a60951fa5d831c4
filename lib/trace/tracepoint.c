// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>

#include "characters.h"
#include "tracepoint_format.h"
#include "vector.h"

/*
 * An example of the text of a format, as in the kernel's files tracing/events/SYSTEM/NAME/format:
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

/* Reads the number that follows `key` in a line. Returns false if there is no such number, or if it
 * is larger than TP_TEXT_MAX. */
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

/* Parses a declaration such as "char comm[16]" or "__data_loc char[] name". The name is the last
 * word, without brackets after it. The type is the text before the name. */
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
	for (name = end; name > text && pk_is_of_name(name[-1]);)
		name--;
	if (name == end || name == text)
		return false;
	*end = '\0';
	field->name = name;
	type_size = (size_t)(name - text);
	field->type = text;
	field->type_size = (uint32_t)type_size;
	while (field->type_size && text[field->type_size - 1] == ' ')
		field->type_size--;
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
			field->element_size = pk_tp_type_size(t, type, (size_t)(bracket - type));
	} else {
		field->element_size =
			field->is_array ? pk_tp_type_size(t, text, type_size) : field->size;
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
	if (pk_reserve(&t->fields, &t->fields_capacity, t->fields_count, 1, sizeof(field)) !=
	    PK_OK) {
		t->all->failed = true;
		return false;
	}
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

/* Reads the lines that declare fields. *rest is set to the text after "print fmt:". If there is no
 * such text, *rest is unchanged. Returns false if the lines are malformed. */
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

/* ---- print fmt ---- */

static struct tp_piece *add_piece(struct pk_tracepoint *t)
{
	if (t->pieces_count == TP_PIECES_MAX)
		return NULL;
	if (pk_reserve(&t->pieces, &t->pieces_capacity, t->pieces_count, 1, sizeof(*t->pieces)) !=
	    PK_OK) {
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

/* Reads a width or a precision, which is a number or "*". For "*", *node is set to UINT32_MAX.
 * read_print() replaces this by the node of the argument. */
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

/* Returns the letters that can follow %p and the letter `first`. If `first` is NUL, returns the
 * letters that can follow %p. */
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

/* Reads the letters after %p. They say how the target of the pointer is printed. */
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

/* Reads a conversion from the text after "%". Returns the end of the conversion, or NULL if the
 * conversion is unknown. */
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

/* Splits the text between the quotes of "print fmt" into pieces. Each piece is a text or a
 * conversion. */
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

static bool read_argument(struct pk_tracepoint *t, struct tp_lexer *lexer, uint32_t *node,
			  struct tp_slice *argument)
{
	if (lexer->token != TP_T_OP || lexer->op != TP_OP(',', 0))
		return false;
	pk_tp_lexer_next(lexer);
	argument->data = lexer->text.data;
	*node = pk_tp_expression(t, lexer);
	argument->size = (size_t)(lexer->text.data - argument->data);
	return *node != 0;
}

static bool read_print(struct pk_tracepoint *t, const struct tp_slice *text)
{
	struct tp_lexer lexer = {.at = text->data, .end = text->data + text->size};

	pk_tp_lexer_next(&lexer);
	if (lexer.token != TP_T_STRING)
		return false;
	for (; lexer.token == TP_T_STRING; pk_tp_lexer_next(&lexer))
		if (!read_template(t, lexer.text.data, lexer.text.data + lexer.text.size))
			return false;
	for (uint32_t i = 0; i < t->pieces_count; i++) {
		struct tp_piece *piece = &t->pieces[i];
		struct tp_slice *argument = &piece->argument;

		if ((piece->width_node &&
		     !read_argument(t, &lexer, &piece->width_node, argument)) ||
		    (piece->precision_node &&
		     !read_argument(t, &lexer, &piece->precision_node, argument)) ||
		    (piece->conversion && !read_argument(t, &lexer, &piece->node, argument)))
			return false;
	}
	return true;
}

/* Parses the text of a format into its fields and the pieces of "print fmt". Returns false if the
 * fields cannot be parsed. */
static bool tp_parse(struct pk_tracepoint *t)
{
	const struct tp_slice *format = &t->format;
	struct tp_slice print = {0};
	const char *name = t->format.data + 6;
	size_t size = line_size(name, format->data + format->size);
	size_t system_size = strlen(t->system);

	t->text = malloc(format->size);
	t->name = malloc(system_size + size + 2);
	if (!t->text || !t->name) {
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
	t->unprintable = !print.data || !read_print(t, &print);
	pk_tp_find_kinds(t);
	return true;
}

/* ---- The payload (SPEC 6.3) ---- */

struct walker {
	struct pk_tracepoints *all;
	const uint8_t *at, *end;
	bool bad;
};

static const uint8_t *read_bytes(struct walker *walker, uint64_t size)
{
	const uint8_t *at = walker->at;

	if (walker->bad || size > (uint64_t)(walker->end - at)) {
		walker->bad = true;
		return NULL;
	}
	walker->at += size;
	return at;
}

/* Reads a number of 4 or 8 bytes. */
static uint64_t read_number(struct walker *walker, uint32_t size)
{
	struct pk_bytes bytes = {read_bytes(walker, size), size};

	return bytes.data ? pk_tp_load(walker->all, &bytes, 0, size) : 0;
}

static const char *read_string(struct walker *walker)
{
	const uint8_t *nul = memchr(walker->at, 0, (size_t)(walker->end - walker->at));

	if (!nul) {
		walker->bad = true;
		return NULL;
	}
	return (const char *)read_bytes(walker, (uint64_t)(nul - walker->at) + 1);
}

/* Reads the size of a text, and the text. The size is a number of `size_of_size` bytes, 4 or 8. */
static struct tp_slice read_file(struct walker *walker, uint32_t size_of_size)
{
	struct tp_slice file = {.size = read_number(walker, size_of_size)};

	file.data = (const char *)read_bytes(walker, file.size);
	if (!file.data)
		file.size = 0;
	return file;
}

/* Reads the number in the line "ID: N". */
static bool id_of(const struct tp_slice *format, uint64_t *id)
{
	const char *end = format->data + format->size;
	const char *p =
		memmem(format->data, format->size < 4096 ? format->size : 4096, "\nID: ", 5);

	if (!p)
		return false;
	*id = 0;
	for (p += 5; p < end && *p >= '0' && *p <= '9'; p++) {
		*id = 10 * *id + (uint64_t)(*p - '0');
		if (*id > UINT32_MAX)
			return false;
	}
	return true;
}

static void add_format(struct walker *walker, const char *system, const struct tp_slice *format)
{
	struct pk_tracepoints *all = walker->all;
	struct pk_tracepoint t = {.all = all, .system = system, .format = *format};

	/* If the data is not a format, only this entry is skipped, because its size was valid. */
	if (format->size < 6 || format->size > TP_TEXT_MAX || memcmp(format->data, "name: ", 6) ||
	    !id_of(format, &t.id))
		return;
	if (pk_reserve(&all->list, &all->capacity, all->count, 1, sizeof(*all->list)) != PK_OK) {
		walker->bad = all->failed = true;
		return;
	}
	all->list[all->count++] = t;
}

static void read_formats(struct walker *walker, const char *system)
{
	uint64_t count = read_number(walker, 4);
	struct tp_slice format;

	for (; count && !walker->bad; count--) {
		format = read_file(walker, 8);
		if (format.data)
			add_format(walker, system, &format);
	}
}

/* Adds a string of the kernel from a line such as: 0xffffffff81234567 : "text" */
static void add_string(struct walker *walker, const char *line, size_t size)
{
	struct pk_tracepoints *all = walker->all;
	const char *colon = memchr(line, ':', size);
	struct tp_string string = {0};
	char number[32];
	size_t length;

	if (!colon || (size_t)(colon - line) >= sizeof(number))
		return;
	memcpy(number, line, (size_t)(colon - line));
	number[colon - line] = '\0';
	string.address = strtoull(number, NULL, 16);
	length = size - (size_t)(colon - line);
	string.text = (struct tp_slice){colon + 1, length - 1};
	if (string.text.size && *string.text.data == ' ')
		string.text = (struct tp_slice){string.text.data + 1, string.text.size - 1};
	if (string.text.size && *string.text.data == '"')
		string.text = (struct tp_slice){string.text.data + 1, string.text.size - 1};
	if (string.text.size && string.text.data[string.text.size - 1] == '"')
		string.text.size--;
	if (string.text.size > 1 && !memcmp(string.text.data + string.text.size - 2, "\\n", 2))
		string.text.size -= 2;
	if (pk_reserve(&all->strings, &all->strings_capacity, all->strings_count, 1,
		       sizeof(string)) == PK_OK)
		all->strings[all->strings_count++] = string;
	else
		walker->bad = all->failed = true;
}

static int by_address(const void *a, const void *b)
{
	const struct tp_string *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void read_strings(struct walker *walker)
{
	struct tp_slice file = read_file(walker, 4);
	const char *at = file.data, *end, *feed;

	if (!file.size)
		return;
	end = at + file.size;
	for (; at < end; at = feed + 1) {
		feed = memchr(at, '\n', (size_t)(end - at));
		if (!feed)
			feed = end;
		add_string(walker, at, (size_t)(feed - at));
	}
	if (walker->all->strings_count)
		qsort(walker->all->strings, walker->all->strings_count,
		      sizeof(*walker->all->strings), by_address);
}

static int by_id(const void *a, const void *b)
{
	const struct pk_tracepoint *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->format.data > y->format.data) - (x->format.data < y->format.data);
}

static void read_head(struct walker *walker)
{
	static const char magic[10] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	const uint8_t *bytes = read_bytes(walker, sizeof(magic)), *order, *long_size;

	if (!bytes || memcmp(bytes, magic, sizeof(magic))) {
		walker->bad = true;
		return;
	}
	read_string(walker); /* skips the version */
	order = read_bytes(walker, 1);
	long_size = read_bytes(walker, 1);
	read_bytes(walker, 4); /* skips the page size */
	if (walker->bad || *order > 1 || (*long_size != 4 && *long_size != 8)) {
		walker->bad = true;
		return;
	}
	walker->all->big_endian = *order;
	walker->all->long_size = *long_size;
	for (int i = 0; i < 2 && read_string(walker); i++) /* skips header_page and header_event */
		read_file(walker, 8);
}

static void forget(struct pk_tracepoints *all)
{
	if (all->printer_state)
		all->printer->close(all->printer_state);
	all->printer_state = NULL;
	for (size_t i = 0; i < all->count; i++) {
		free(all->list[i].text);
		free(all->list[i].name);
		free(all->list[i].fields);
		free(all->list[i].nodes);
		free(all->list[i].pieces);
	}
	free(all->list);
	free(all->strings);
	free(all->payload);
	all->list = NULL;
	all->strings = NULL;
	all->payload = NULL;
	all->payload_size = 0;
	all->count = all->capacity = 0;
	all->strings_count = all->strings_capacity = 0;
	all->failed = all->output.text.failed = false;
}

enum pk_status pk_tracepoints_load(struct pk_tracepoints *all, const uint8_t *data, size_t size)
{
	struct walker walker = {.all = all};
	const char *system;
	uint64_t systems;

	forget(all);
	all->payload = malloc(size + 1);
	if (!all->payload)
		return PK_NOMEM;
	all->payload_size = size;
	if (size)
		memcpy(all->payload, data, size);
	walker.at = all->payload;
	walker.end = all->payload + size;
	read_head(&walker);
	read_formats(&walker, "ftrace");
	for (systems = read_number(&walker, 4); systems && !walker.bad; systems--) {
		system = read_string(&walker);
		if (system)
			read_formats(&walker, system);
	}
	read_file(&walker, 4); /* skips the kernel's symbols, which perf record does not write */
	read_strings(&walker);
	if (all->count)
		qsort(all->list, all->count, sizeof(*all->list), by_id);
	if (all->failed)
		return PK_NOMEM;
	return walker.bad ? PK_CORRUPT : PK_OK;
}

/* ---- The interface ---- */

struct pk_bytes pk_tracepoints_payload(const struct pk_tracepoints *all)
{
	return (struct pk_bytes){all->payload, all->payload_size};
}

struct pk_tracepoints *pk_tracepoints_new(void)
{
	struct pk_tracepoints *all = calloc(1, sizeof(*all));

	if (all)
		all->long_size = sizeof(long);
	return all;
}

void pk_tracepoints_free(struct pk_tracepoints *all)
{
	if (!all)
		return;
	forget(all);
	free(all->output.text.data);
	free(all->words.data);
	free(all);
}

void pk_tracepoints_resolver(struct pk_tracepoints *all, pk_tracepoint_symbol_fn symbol, void *arg)
{
	all->symbol = symbol;
	all->symbol_arg = arg;
}

void pk_tracepoints_printer(struct pk_tracepoints *all, const struct pk_tracepoint_printer *printer)
{
	all->printer = printer;
}

static struct pk_tracepoint *parsed(struct pk_tracepoint *t)
{
	if (!t->parsed) {
		t->parsed = true;
		t->bad = !tp_parse(t);
	}
	return t->bad ? NULL : t;
}

static struct pk_tracepoint *with_id(const struct pk_tracepoints *all, uint64_t config)
{
	size_t low = 0, high = all->count;

	while (low < high) { /* finds the first format with this id */
		size_t middle = low + (high - low) / 2;

		if (all->list[middle].id < config)
			low = middle + 1;
		else
			high = middle;
	}
	return low < all->count && all->list[low].id == config ? &all->list[low] : NULL;
}

struct pk_tracepoint *pk_tracepoints_find(struct pk_tracepoints *all, uint64_t config)
{
	struct pk_tracepoint *t = with_id(all, config);

	return t ? parsed(t) : NULL;
}

bool pk_tracepoints_is_unreadable(struct pk_tracepoints *all, uint64_t config)
{
	struct pk_tracepoint *t = with_id(all, config);

	return t && !parsed(t);
}

/* Returns whether the format has this name, given without its system. The format need not be
 * parsed. */
static bool is_called(const struct pk_tracepoint *t, const char *name)
{
	static const char prefix[] = "name: ";
	const size_t before = sizeof(prefix) - 1, size = strlen(name);

	return t->format.size > before + size && !memcmp(t->format.data, prefix, before) &&
	       !memcmp(t->format.data + before, name, size) &&
	       t->format.data[before + size] == '\n';
}

struct pk_tracepoint *pk_tracepoints_named(struct pk_tracepoints *all, const char *name)
{
	const char *colon = strchr(name, ':');
	const size_t system = colon ? (size_t)(colon - name) : 0;

	for (size_t i = 0; colon && i < all->count; i++) {
		struct pk_tracepoint *t = &all->list[i];

		if (strlen(t->system) == system && !memcmp(t->system, name, system) &&
		    is_called(t, colon + 1))
			return parsed(t);
	}
	return NULL;
}

bool pk_tracepoints_failed(const struct pk_tracepoints *all)
{
	return all->failed || all->output.text.failed;
}

const char *pk_tracepoint_name(const struct pk_tracepoint *tracepoint)
{
	return tracepoint->name;
}

const struct pk_tracepoint_field *pk_tracepoint_find_field(const struct pk_tracepoint *tracepoint,
							   const char *name)
{
	const struct pk_tracepoint_field *field = tracepoint->fields;

	for (uint32_t i = 0; i < tracepoint->fields_count; i++, field++)
		if (*field->name == *name && !strcmp(field->name, name))
			return field;
	return NULL;
}

const struct pk_tracepoint_field *pk_tracepoint_field_at(const struct pk_tracepoint *tracepoint,
							 size_t index)
{
	return index < tracepoint->fields_count ? &tracepoint->fields[index] : NULL;
}

bool pk_tracepoint_number(const struct pk_tracepoint *tracepoint,
			  const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			  uint64_t *value)
{
	const uint32_t size = field->size;
	const uint8_t *at;

	if (!size || field->is_array || field->offset > raw->size ||
	    size > raw->size - field->offset)
		return false;
	at = raw->data + field->offset;
	if (pk_likely(tracepoint->all->big_endian == PK_HOST_IS_BIG && size == 8)) {
		*value = pk_load_u64(at);
		return true;
	}
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return false;
	*value = pk_tp_extend(pk_tp_load(tracepoint->all, raw, field->offset, size), size,
			      field->is_signed);
	return true;
}

struct pk_raw_number pk_tracepoint_place(const struct pk_tracepoint *tracepoint,
					 const struct pk_tracepoint_field *field)
{
	const uint32_t size = field->size;

	if (field->is_array || tracepoint->all->big_endian != PK_HOST_IS_BIG ||
	    (size != 1 && size != 2 && size != 4 && size != 8))
		return (struct pk_raw_number){0};
	return (struct pk_raw_number){field->offset, (uint8_t)size, field->is_signed};
}

bool pk_tracepoint_bytes(const struct pk_tracepoint *tracepoint,
			 const struct pk_tracepoint_field *field, const struct pk_bytes *raw,
			 struct pk_bytes *bytes)
{
	const uint8_t *nul;

	if (field->offset > raw->size || field->size > raw->size - field->offset)
		return false;
	*bytes = pk_tp_field_bytes(tracepoint->all, field, raw);
	if (!bytes->data)
		return false;
	nul = field->is_string && bytes->size ? memchr(bytes->data, 0, bytes->size) : NULL;
	if (nul)
		bytes->size = (uint64_t)(nul - bytes->data);
	return true;
}
