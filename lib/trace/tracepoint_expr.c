// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "characters.h"
#include "tracepoint_format.h"
#include "vector.h"

/* ---- Words ---- */

/* The lexer reads the tokens of C that are used in "print fmt". */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void read_string(struct tp_lexer *lexer, char quote)
{
	lexer->text.data = ++lexer->at;
	while (lexer->at < lexer->end && *lexer->at != quote)
		lexer->at += *lexer->at == '\\' && lexer->end - lexer->at > 1 ? 2 : 1;
	lexer->text.size = (size_t)(lexer->at - lexer->text.data);
	lexer->token = lexer->at < lexer->end ? TP_T_STRING : TP_T_END;
	if (lexer->at < lexer->end)
		lexer->at++;
}

static void read_op(struct tp_lexer *lexer)
{
	static const char pairs[][3] = {"->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};

	lexer->token = TP_T_OP;
	lexer->op = TP_OP(*lexer->at, 0);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (lexer->end - lexer->at > 1 && !memcmp(lexer->at, pairs[i], 2))
			lexer->op = TP_OP(pairs[i][0], pairs[i][1]);
	lexer->at += lexer->op >> 8 ? 2 : 1;
}

void pk_tp_lexer_next(struct tp_lexer *lexer)
{
	while (lexer->at < lexer->end && is_blank(*lexer->at))
		lexer->at++;
	lexer->text = (struct tp_slice){lexer->at, 0};
	lexer->op = 0;
	if (lexer->at == lexer->end) {
		lexer->token = TP_T_END;
	} else if (*lexer->at == '"' || *lexer->at == '\'') {
		read_string(lexer, *lexer->at);
	} else if (pk_is_of_name(*lexer->at)) {
		while (lexer->at < lexer->end && pk_is_of_name(*lexer->at))
			lexer->at++;
		lexer->text.size = (size_t)(lexer->at - lexer->text.data);
		lexer->token = TP_T_NAME;
	} else {
		read_op(lexer);
	}
}

/* ---- Types ---- */

/* The words of C types, with their sizes in bytes. 'l' means the size of long on the machine of the
 * recording. */
static const struct {
	const char *word;
	char size;
	bool is_signed;
} words[] = {
	{"char", 1, true},	{"bool", 1, false},	{"u8", 1, false},
	{"s8", 1, true},	{"__u8", 1, false},	{"__s8", 1, true},
	{"uint8_t", 1, false},	{"int8_t", 1, true},	{"short", 2, true},
	{"u16", 2, false},	{"s16", 2, true},	{"__u16", 2, false},
	{"__s16", 2, true},	{"uint16_t", 2, false}, {"int16_t", 2, true},
	{"int", 4, true},	{"u32", 4, false},	{"s32", 4, true},
	{"__u32", 4, false},	{"__s32", 4, true},	{"uint32_t", 4, false},
	{"int32_t", 4, true},	{"pid_t", 4, true},	{"dev_t", 4, false},
	{"u64", 8, false},	{"s64", 8, true},	{"__u64", 8, false},
	{"__s64", 8, true},	{"uint64_t", 8, false}, {"int64_t", 8, true},
	{"loff_t", 8, true},	{"sector_t", 8, false}, {"long", 'l', true},
	{"size_t", 'l', false}, {"ssize_t", 'l', true}, {"uintptr_t", 'l', false},
};

/* The words of a C type that were read so far. */
struct words {
	unsigned int count, longs;
	bool is_unsigned, is_signed,
		other; /* `other`: one of the words is not a word of a C type */
	struct tp_type type;
};

/* Returns whether the name is REC, which means the sample in "print fmt". */
static bool tp_is_record(const struct tp_slice *name)
{
	return name->size == 3 && !memcmp(name->data, "REC", 3);
}

static bool is_word(const struct tp_slice *slice, const char *word)
{
	return slice->size == strlen(word) && !memcmp(slice->data, word, slice->size);
}

static void add_word(struct words *have, const struct tp_slice *word, uint8_t long_size)
{
	have->count++;
	if (is_word(word, "unsigned")) {
		have->is_unsigned = true;
	} else if (is_word(word, "signed")) {
		have->is_signed = true;
	} else if (is_word(word, "long") && have->longs++) {
		have->type.size = 8;
	} else if (!is_word(word, "const") && !is_word(word, "volatile")) {
		for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (is_word(word, words[i].word)) {
				if (have->type.size && words[i].size == 4)
					return; /* "long int" has the size of long */
				have->type.size =
					words[i].size == 'l' ? long_size : (uint8_t)words[i].size;
				have->type.is_signed = words[i].is_signed;
				return;
			}
		have->other = true;
	}
}

static struct tp_type type_of(const struct words *have)
{
	struct tp_type type = have->type;

	if (have->other)
		return (struct tp_type){0};
	if (!type.size && (have->is_unsigned || have->is_signed))
		type = (struct tp_type){4, true, false};
	if (have->is_unsigned)
		type.is_signed = false;
	return type;
}

/* Reads the words of a C type. If the words are not a type, returns false and leaves *lexer
 * unchanged. */
static bool tp_type_read(const struct pk_tracepoint *tracepoint, struct tp_lexer *lexer,
			 struct tp_type *type)
{
	const uint8_t long_size = tracepoint->all->long_size;
	struct tp_lexer ahead = *lexer;
	struct words have = {0};
	bool pointer = false;

	for (; ahead.token == TP_T_NAME; pk_tp_lexer_next(&ahead)) {
		if (ahead.text.data[0] >= '0' && ahead.text.data[0] <= '9')
			return false;
		if (tp_is_record(&ahead.text))
			return false;
		add_word(&have, &ahead.text, long_size);
	}
	if (!have.count)
		return false;
	for (; ahead.token == TP_T_OP && ahead.op == TP_OP('*', 0); pk_tp_lexer_next(&ahead))
		pointer = true;
	*type = type_of(&have);
	if (pointer)
		/* `size` and `is_signed` are still the size and sign of the target. An element that
		 * is read through the pointer has this type. */
		type->is_pointer = true;
	*lexer = ahead;
	return true;
}

uint8_t pk_tp_type_size(const struct pk_tracepoint *tracepoint, const char *text, size_t size)
{
	struct tp_lexer lexer = {.at = text, .end = text + size};
	struct tp_type type;

	pk_tp_lexer_next(&lexer);
	if (!tp_type_read(tracepoint, &lexer, &type))
		return 0;
	return type.is_pointer ? tracepoint->all->long_size : type.size;
}

/* ---- Expressions ---- */

/* The state of the recursive parser. `depth` is at most TP_DEPTH_MAX. */
struct parser {
	struct pk_tracepoint *tracepoint;
	struct tp_lexer *lexer;
	unsigned int depth;
};

static bool at_op(const struct parser *parser, char op)
{
	return parser->lexer->token == TP_T_OP && parser->lexer->op == TP_OP(op, 0);
}

static bool accept(struct parser *parser, char op)
{
	if (!at_op(parser, op))
		return false;
	pk_tp_lexer_next(parser->lexer);
	return true;
}

/* ---- Nodes ---- */

static unsigned int depth(const struct pk_tracepoint *t, const struct tp_node *node)
{
	unsigned int a = node->a ? t->nodes[node->a].depth : 0;
	unsigned int b = node->b ? t->nodes[node->b].depth : 0;
	unsigned int c = node->c ? t->nodes[node->c].depth : 0;

	a = a > b ? a : b;
	return 1 + (a > c ? a : c);
}

static uint32_t add_node(struct parser *parser, const struct tp_node *node)
{
	struct pk_tracepoint *t = parser->tracepoint;
	unsigned int deep = depth(t, node);

	if (deep > TP_DEPTH_MAX)
		return 0;
	if (pk_reserve(&t->nodes, &t->nodes_capacity, t->nodes_count, 2, sizeof(*t->nodes)) !=
	    PK_OK) {
		t->all->failed = true;
		return 0;
	}
	if (!t->nodes_count) /* no expression is stored in node 0, because 0 means "no node" */
		t->nodes[t->nodes_count++] = (struct tp_node){0};
	t->nodes[t->nodes_count] = *node;
	t->nodes[t->nodes_count].depth = (uint16_t)deep;
	return t->nodes_count++;
}

static struct tp_node *at(const struct parser *parser, uint32_t number)
{
	return &parser->tracepoint->nodes[number];
}

static uint32_t expression(struct parser *parser);
static uint32_t unary(struct parser *parser);

/* Reads a name, and returns the field with this name, or NULL. */
static const struct pk_tracepoint_field *read_field(struct parser *parser)
{
	struct tp_slice name = parser->lexer->text;

	if (parser->lexer->token != TP_T_NAME)
		return NULL;
	pk_tp_lexer_next(parser->lexer);
	for (uint32_t i = 0; i < parser->tracepoint->fields_count; i++) {
		const struct pk_tracepoint_field *field = &parser->tracepoint->fields[i];

		if (!strncmp(field->name, name.data, name.size) && !field->name[name.size])
			return field;
	}
	return NULL;
}

/* ---- Functions ---- */

/* Sets *value to the value of a softirq's enumerator. This is needed because old kernels did not
 * replace these names by their values in formats. Returns false if no softirq has this name. */
static bool value_of_name(const struct tp_slice *name, uint64_t *value)
{
	static const char *const softirqs[] = {
		"HI_SOFTIRQ",	   "TIMER_SOFTIRQ",    "NET_TX_SOFTIRQ",  "NET_RX_SOFTIRQ",
		"BLOCK_SOFTIRQ",   "IRQ_POLL_SOFTIRQ", "TASKLET_SOFTIRQ", "SCHED_SOFTIRQ",
		"HRTIMER_SOFTIRQ", "RCU_SOFTIRQ"};

	for (*value = 0; *value < sizeof(softirqs) / sizeof(softirqs[0]); ++*value)
		if (strlen(softirqs[*value]) == name->size &&
		    !memcmp(softirqs[*value], name->data, name->size))
			return true;
	return false;
}

/* Joins adjacent strings, as C does. The bytes are moved within the tracepoint's copy of the text.
 */
static struct tp_slice read_strings(struct parser *parser)
{
	struct tp_slice first = parser->lexer->text;
	char *end = parser->tracepoint->text + (first.data - parser->tracepoint->text) + first.size;

	for (pk_tp_lexer_next(parser->lexer); parser->lexer->token == TP_T_STRING;
	     pk_tp_lexer_next(parser->lexer)) {
		memmove(end, parser->lexer->text.data, parser->lexer->text.size);
		end += parser->lexer->text.size;
		first.size += parser->lexer->text.size;
	}
	return first;
}

/* Parses the pairs { VALUE, "TEXT" }, ... and the closing parenthesis. The pairs are linked to the
 * node `list`. */
static bool pairs(struct parser *parser, uint32_t list)
{
	uint32_t last = list;

	do {
		struct tp_node pair = {.kind = TP_PAIR};
		const struct pk_bytes nothing = {0};
		uint32_t value, next;

		if (!accept(parser, '{'))
			break; /* there are no pairs, or a comma is before the end */
		value = expression(parser);
		if (!value || !accept(parser, ','))
			return false;
		if (parser->lexer->token !=
		    TP_T_STRING) { /* the text is NULL, which ends the list in the kernel */
			if (!expression(parser) || !accept(parser, '}'))
				return false;
			continue;
		}
		pair.known = true;
		if (at(parser, value)->kind == TP_NAME)
			pair.known = value_of_name(&at(parser, value)->text, &pair.value);
		else
			pair.value = pk_tp_eval(parser->tracepoint, value, &nothing);
		pair.text = read_strings(parser);
		next = add_node(parser, &pair);
		if (!next || !accept(parser, '}'))
			return false;
		at(parser, last)->b = next;
		last = next;
	} while (accept(parser, ','));
	return accept(parser, ')');
}

static uint32_t flags(struct parser *parser, enum tp_kind kind)
{
	struct tp_node node = {.kind = (uint8_t)kind};
	uint32_t number;

	node.a = expression(parser);
	if (!node.a || !accept(parser, ','))
		return 0;
	if (kind == TP_FLAGS) {
		if (parser->lexer->token != TP_T_STRING)
			return 0;
		node.text = read_strings(parser);
		if (!accept(parser, ','))
			return 0;
	}
	number = add_node(parser, &node);
	return number && pairs(parser, number) ? number : 0;
}

/* Parses the arguments after the parenthesis. They are the data, the number of elements and, for
 * TP_ARRAY, the size of an element. */
static uint32_t sequence(struct parser *parser, enum tp_kind kind)
{
	struct tp_node node = {.kind = (uint8_t)kind};

	node.a = expression(parser);
	if (!node.a || !accept(parser, ','))
		return 0;
	node.b = expression(parser);
	if (!node.b)
		return 0;
	if (kind == TP_ARRAY) {
		if (!accept(parser, ','))
			return 0;
		node.c = expression(parser);
		if (!node.c)
			return 0;
	}
	return accept(parser, ')') ? add_node(parser, &node) : 0;
}

/* Parses the arguments. They are the name of a field, and the size of its elements. */
static uint32_t dynamic_array(struct parser *parser, enum tp_kind kind)
{
	struct tp_node node = {.kind = (uint8_t)kind};

	node.field = read_field(parser);
	if (!node.field || !accept(parser, ','))
		return 0;
	node.b = expression(parser);
	return node.b && accept(parser, ')') ? add_node(parser, &node) : 0;
}

static uint32_t of_field(struct parser *parser, enum tp_kind kind)
{
	struct tp_node node = {.kind = (uint8_t)kind, .is_unsigned = true};

	node.field = read_field(parser);
	if (!node.field)
		return 0;
	if (kind == TP_DYNAMIC)
		node.type = (struct tp_type){(uint8_t)node.field->element_size, false, true};
	return accept(parser, ')') ? add_node(parser, &node) : 0;
}

/* Parses the arguments of __builtin_expect(expression, hint). The hint is ignored. */
static uint32_t expect(struct parser *parser)
{
	uint32_t number = expression(parser);

	if (!number || !accept(parser, ',') || !expression(parser) || !accept(parser, ')'))
		return 0;
	return number;
}

static uint32_t size_of(struct parser *parser)
{
	struct tp_node node = {.kind = TP_NUMBER, .is_unsigned = true};
	struct tp_type type;
	uint32_t inside;

	if (tp_type_read(parser->tracepoint, parser->lexer, &type)) {
		node.value = type.is_pointer ? parser->tracepoint->all->long_size : type.size;
	} else {
		inside = expression(parser);
		if (!inside || at(parser, inside)->kind != TP_FIELD)
			return 0;
		node.value = at(parser, inside)->field->size;
	}
	return node.value && accept(parser, ')') ? add_node(parser, &node) : 0;
}

static const struct function {
	const char *name;
	uint32_t (*parse)(struct parser *parser, enum tp_kind kind);
	enum tp_kind kind;
} functions[] = {
	{"__print_flags", flags, TP_FLAGS},
	{"__print_flags_u64", flags, TP_FLAGS},
	{"__print_symbolic", flags, TP_SYMBOLIC},
	{"__print_symbolic_u64", flags, TP_SYMBOLIC},
	{"__print_hex", sequence, TP_HEX},
	{"__print_hex_str", sequence, TP_HEX_STR},
	{"__print_array", sequence, TP_ARRAY},
	{"__print_dynamic_array", dynamic_array, TP_DYNAMIC_ARRAY},
	{"__get_str", of_field, TP_GET_STR},
	{"__get_rel_str", of_field, TP_GET_STR},
	{"__get_bitmask", of_field, TP_BITMASK},
	{"__get_rel_bitmask", of_field, TP_BITMASK},
	{"__get_cpumask", of_field, TP_CPUMASK},
	{"__get_rel_cpumask", of_field, TP_CPUMASK},
	{"__get_dynamic_array", of_field, TP_DYNAMIC},
	{"__get_rel_dynamic_array", of_field, TP_DYNAMIC},
	{"__get_sockaddr", of_field, TP_DYNAMIC},
	{"__get_rel_sockaddr", of_field, TP_DYNAMIC},
	{"__get_dynamic_array_len", of_field, TP_DYNAMIC_LEN},
	{"__get_rel_dynamic_array_len", of_field, TP_DYNAMIC_LEN},
};

static uint32_t function(struct parser *parser, const struct tp_slice *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strlen(functions[i].name) == name->size &&
		    !memcmp(functions[i].name, name->data, name->size))
			return functions[i].parse(parser, functions[i].kind);
	if (name->size == 16 && !memcmp(name->data, "__builtin_expect", 16))
		return expect(parser);
	if (name->size == 6 && !memcmp(name->data, "sizeof", 6))
		return size_of(parser);
	return 0;
}

/* ---- Operands ---- */

static uint32_t number_or_name(struct parser *parser, const struct tp_slice *name)
{
	struct tp_node node = {.kind = TP_NAME, .text = *name, .known = false};
	char digits[32], *end;

	if (name->data[0] >= '0' && name->data[0] <= '9') {
		if (name->size >= sizeof(digits))
			return 0;
		memcpy(digits, name->data, name->size);
		digits[name->size] = '\0';
		node.kind = TP_NUMBER;
		node.value = strtoull(digits, &end, 0);
		node.is_unsigned = *end == 'U' || *end == 'u';
	}
	return add_node(parser, &node);
}

static uint32_t record_field(struct parser *parser)
{
	struct tp_node node = {.kind = TP_FIELD};

	if (parser->lexer->op != TP_OP('-', '>'))
		return 0;
	pk_tp_lexer_next(parser->lexer);
	node.field = read_field(parser);
	if (!node.field)
		return 0;
	node.type = (struct tp_type){(uint8_t)node.field->element_size, node.field->is_signed,
				     node.field->is_array};
	node.is_unsigned = !node.field->is_signed && node.field->size >= 4;
	return add_node(parser, &node);
}

static uint32_t name(struct parser *parser)
{
	struct tp_slice text = parser->lexer->text;

	pk_tp_lexer_next(parser->lexer);
	if (tp_is_record(&text))
		return record_field(parser);
	if (accept(parser, '('))
		return function(parser, &text);
	return number_or_name(parser, &text);
}

static uint32_t string(struct parser *parser)
{
	const char quote = parser->lexer->text.data[-1];
	struct tp_node node = {.kind = TP_STRING, .text = read_strings(parser)};

	if (quote == '\'' && node.text.size == 1) {
		node.kind = TP_NUMBER;
		node.value = (uint8_t)*node.text.data;
	}
	return add_node(parser, &node);
}

/* Parses the text after an opening parenthesis. If a type follows, it is a cast: the type, ")" and
 * the operand. Otherwise it is an expression and ")". */
static uint32_t parenthesis(struct parser *parser)
{
	struct tp_lexer before = *parser->lexer;
	struct tp_node cast = {.kind = TP_CAST};
	uint32_t inside;

	if (tp_type_read(parser->tracepoint, parser->lexer, &cast.type) && accept(parser, ')') &&
	    (parser->lexer->token != TP_T_OP || at_op(parser, '(') || cast.type.size ||
	     cast.type.is_pointer)) {
		if (parser->lexer->token == TP_T_END)
			return 0;
		cast.a = unary(parser);
		cast.is_unsigned =
			cast.type.is_pointer || (!cast.type.is_signed && cast.type.size >= 4);
		return cast.a ? add_node(parser, &cast) : 0;
	}
	*parser->lexer = before;
	if (before.token == TP_T_NAME && tp_is_record(&before.text)) {
		pk_tp_lexer_next(parser->lexer);
		if (accept(parser, ')'))
			return record_field(parser);
		*parser->lexer = before;
	}
	inside = expression(parser);
	return inside && accept(parser, ')') ? inside : 0;
}

static uint32_t primary(struct parser *parser)
{
	switch (parser->lexer->token) {
	case TP_T_NAME: return name(parser);
	case TP_T_STRING: return string(parser);
	default: return accept(parser, '(') ? parenthesis(parser) : 0;
	}
}

static uint32_t postfix(struct parser *parser)
{
	uint32_t left = primary(parser);

	while (left && accept(parser, '[')) {
		struct tp_node node = {.kind = TP_INDEX, .a = left};

		node.type = at(parser, left)->type;
		node.type.is_pointer = false;
		node.is_unsigned = !node.type.is_signed && node.type.size >= 4;
		node.b = expression(parser);
		if (!node.b || !accept(parser, ']'))
			return 0;
		left = add_node(parser, &node);
	}
	return left;
}

static uint32_t unary(struct parser *parser)
{
	struct tp_node node = {.kind = TP_UNARY};
	uint32_t number = 0;

	if (parser->depth >= TP_DEPTH_MAX)
		return 0;
	parser->depth++;
	if (parser->lexer->token == TP_T_OP && strchr("!~-+&*", parser->lexer->op & 0xff) &&
	    !(parser->lexer->op >> 8)) {
		node.op = parser->lexer->op;
		pk_tp_lexer_next(parser->lexer);
		node.a = unary(parser);
		if (node.a) {
			node.is_unsigned = at(parser, node.a)->is_unsigned;
			node.field = node.op == TP_OP('&', 0) ? at(parser, node.a)->field : NULL;
			number = add_node(parser, &node);
		}
	} else {
		number = postfix(parser);
	}
	parser->depth--;
	return number;
}

/* Returns the precedence of a binary operator, or 0 if there is no such operator. */
static int precedence(uint16_t op)
{
	switch (op) {
	case TP_OP('*', 0):
	case TP_OP('/', 0):
	case TP_OP('%', 0): return 10;
	case TP_OP('+', 0):
	case TP_OP('-', 0): return 9;
	case TP_OP('<', '<'):
	case TP_OP('>', '>'): return 8;
	case TP_OP('<', 0):
	case TP_OP('>', 0):
	case TP_OP('<', '='):
	case TP_OP('>', '='): return 7;
	case TP_OP('=', '='):
	case TP_OP('!', '='): return 6;
	case TP_OP('&', 0): return 5;
	case TP_OP('^', 0): return 4;
	case TP_OP('|', 0): return 3;
	case TP_OP('&', '&'): return 2;
	case TP_OP('|', '|'): return 1;
	default: return 0;
	}
}

static uint32_t binary(struct parser *parser, int least)
{
	uint32_t left = unary(parser);
	int bind;

	while (left && parser->lexer->token == TP_T_OP &&
	       (bind = precedence(parser->lexer->op)) >= least && bind) {
		struct tp_node node = {.kind = TP_BINARY, .op = parser->lexer->op, .a = left};

		pk_tp_lexer_next(parser->lexer);
		node.b = binary(parser, bind + 1);
		if (!node.b)
			return 0;
		if (bind >= 8 || (bind >= 3 && bind <= 5))
			node.is_unsigned =
				at(parser, node.a)->is_unsigned || at(parser, node.b)->is_unsigned;
		left = add_node(parser, &node);
	}
	return left;
}

static uint32_t expression(struct parser *parser)
{
	struct tp_node node = {.kind = TP_CHOICE};
	uint32_t left;

	if (parser->depth >= TP_DEPTH_MAX)
		return 0;
	parser->depth++;
	left = binary(parser, 1);
	if (left && accept(parser, '?')) {
		node.a = left;
		node.b = expression(parser);
		node.c = node.b && accept(parser, ':') ? expression(parser) : 0;
		left = node.c ? add_node(parser, &node) : 0;
		if (left)
			at(parser, left)->is_unsigned = at(parser, node.b)->is_unsigned;
	}
	parser->depth--;
	return left;
}

uint32_t pk_tp_expression(struct pk_tracepoint *tracepoint, struct tp_lexer *lexer)
{
	struct parser parser = {tracepoint, lexer, 0};

	return expression(&parser);
}
