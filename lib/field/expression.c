// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "characters.h"
#include "expression.h"
#include "syscall_words.h"

const char pk_expression_no_memory[] = "out of memory";

void pk_expression_walk(struct pk_expression *expression,
			void (*each)(void *arg, struct pk_expression *node), void *arg)
{
	if (!expression)
		return;
	pk_expression_walk(expression->left, each, arg);
	pk_expression_walk(expression->right, each, arg);
	each(arg, expression);
}

static void free_node(void *arg, struct pk_expression *node)
{
	(void)arg;
	pk_reference_free(&node->reference);
	free(node->text);
	free(node);
}

void pk_expression_free(struct pk_expression *expression)
{
	pk_expression_walk(expression, free_node, NULL);
}

static void add_needs(void *arg, struct pk_expression *node)
{
	unsigned int *needs = arg;

	if (node->op == PK_OP_FIELD)
		*needs |= pk_reference_needs(&node->reference);
}

unsigned int pk_expression_needs(const struct pk_expression *expression)
{
	unsigned int needs = 0;

	pk_expression_walk((struct pk_expression *)expression, add_needs, &needs);
	return needs;
}

/* ---- Building ---- */

static struct pk_expression *new_node(enum pk_operator op, enum pk_expression_type type)
{
	struct pk_expression *node = calloc(1, sizeof(*node));

	if (node) {
		node->op = op;
		node->type = type;
	}
	return node;
}

struct pk_expression *pk_expression_join(enum pk_operator op, struct pk_expression *left,
					 struct pk_expression *right)
{
	struct pk_expression *node = NULL;

	if (left && (right || op == PK_OP_NOT))
		node = new_node(op, op == PK_OP_BITS ? PK_IS_NUMBER : PK_IS_CONDITION);
	if (!node) {
		pk_expression_free(left);
		pk_expression_free(right);
		return NULL;
	}
	node->left = left;
	node->right = right;
	node->at = left->at;
	return node;
}

static struct pk_expression *new_number(struct pk_wide number)
{
	struct pk_expression *node = new_node(PK_OP_NUMBER, PK_IS_NUMBER);

	if (node)
		node->number = number;
	return node;
}

static struct pk_expression *new_string(const char *text, size_t size)
{
	struct pk_expression *node = new_node(PK_OP_STRING, PK_IS_TEXT);

	if (!node)
		return NULL;
	node->text = strndup(text, size);
	if (node->text)
		return node;
	free(node);
	return NULL;
}

/* Returns a node for a name, which is the name of a field or of an errno. */
static struct pk_expression *new_named(const char *name, size_t size)
{
	struct pk_expression *node;

	if (pk_is_errno_name(name, size))
		return new_string(name, size);
	node = new_node(PK_OP_FIELD, PK_IS_UNKNOWN);
	if (!node)
		return NULL;
	if (pk_reference_parse(&node->reference, name, size) != PK_OK) {
		free(node);
		return NULL;
	}
	if (node->reference.is_label)
		node->type = PK_IS_TEXT;
	else if (node->reference.field)
		node->type =
			node->reference.field->kind == PK_VALUE_TEXT ? PK_IS_TEXT : PK_IS_NUMBER;
	return node;
}

struct pk_expression *pk_expression_compare(enum pk_operator op, const char *field, uint64_t number)
{
	return pk_expression_join(op, new_named(field, strlen(field)),
				  new_number(pk_wide_of_u64(number)));
}

struct pk_expression *pk_expression_match(enum pk_operator op, const char *field, const char *text)
{
	return pk_expression_join(op, new_named(field, strlen(field)),
				  new_string(text, strlen(text)));
}

/* ---- Parsing ---- */

/* The highest number of nested parentheses and negations. */
#define DEPTH_MAX 64

struct parser {
	const char *text, *at;
	struct pk_expression_error *error;
	bool failed;
	bool percent; /* numbers can be percentages */
	unsigned int depth;
};

static struct pk_expression *fail(struct parser *parser, const char *at, const char *text)
{
	if (!parser->failed) {
		parser->error->at = (size_t)(at - parser->text);
		parser->error->text = text;
	}
	parser->failed = true;
	return NULL;
}

static struct pk_expression *checked(struct parser *parser, struct pk_expression *node,
				     const char *start)
{
	if (!node)
		return fail(parser, start, pk_expression_no_memory);
	node->at = (size_t)(start - parser->text);
	node->size = (size_t)(parser->at - start);
	return node;
}

static void skip_blanks(struct parser *parser)
{
	parser->at += strspn(parser->at, " \t\n\r\f\v");
}

static bool accept(struct parser *parser, const char *token)
{
	skip_blanks(parser);
	if (strncmp(parser->at, token, strlen(token)))
		return false;
	parser->at += strlen(token);
	return true;
}

static bool is_name(char c, bool first)
{
	return pk_starts_name(c) || (!first && (pk_is_digit(c) || c == '.' || c == ':'));
}

/* Reads a string "abc", in which \" and \\ are escape sequences. */
static struct pk_expression *read_string(struct parser *parser)
{
	const char *start = parser->at++;
	char *text = malloc(strlen(start));
	size_t size = 0;
	struct pk_expression *node;

	if (!text)
		return checked(parser, NULL, start);
	while (*parser->at && *parser->at != '"') {
		if (*parser->at == '\\' && (parser->at[1] == '"' || parser->at[1] == '\\'))
			parser->at++;
		text[size++] = *parser->at++;
	}
	if (!*parser->at) {
		free(text);
		return fail(parser, start, "this string is not closed");
	}
	parser->at++;
	node = new_string(text, size);
	free(text);
	return checked(parser, node, start);
}

static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned int)(c - 'a' + 10);
	return c >= 'A' && c <= 'F' ? (unsigned int)(c - 'A' + 10) : 16;
}

/* Reads a unit. Returns its factor, which converts to nanoseconds for units of time and to bytes
 * for units of size. Returns 0 if there is no unit. */
static uint64_t read_unit(struct parser *parser)
{
	static const struct {
		const char *name;
		uint64_t factor;
	} units[] = {{"ns", 1},	     {"us", 1000},   {"ms", 1000000}, {"s", 1000000000},
		     {"k", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}};

	if (parser->percent && *parser->at == '%') {
		parser->at++;
		return PK_EXPRESSION_PERCENT;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t size = strlen(units[i].name);

		if (strncmp(parser->at, units[i].name, size) || is_name(parser->at[size], false))
			continue;
		parser->at += size;
		return units[i].factor;
	}
	return 0;
}

/* Reads the digits after the decimal point, as in 12.5s. Returns the fraction in billionths. Digits
 * after the ninth are ignored. */
static uint64_t read_fraction(struct parser *parser)
{
	uint64_t billionths = 0, unit = 100000000;

	for (; digit_of(*parser->at) < 10; parser->at++, unit /= 10)
		billionths += digit_of(*parser->at) * unit;
	return billionths;
}

static struct pk_expression *read_number(struct parser *parser)
{
	const char *start = parser->at;
	unsigned int base = 10;
	uint64_t number = 0, billionths = 0, unit;
	struct pk_wide value;
	bool negative = *parser->at == '-', fraction = false;

	parser->at += negative;
	if (!strncmp(parser->at, "0x", 2) && digit_of(parser->at[2]) < 16) {
		base = 16;
		parser->at += 2;
	}
	if (digit_of(*parser->at) >= base)
		return fail(parser, start, "not a number");
	for (; digit_of(*parser->at) < base; parser->at++) {
		if (__builtin_mul_overflow(number, base, &number) ||
		    __builtin_add_overflow(number, digit_of(*parser->at), &number))
			return fail(parser, start, "this number is too large");
	}
	if (base == 10 && *parser->at == '.') {
		parser->at++;
		billionths = read_fraction(parser);
		fraction = true;
	}
	unit = read_unit(parser);
	if (fraction && !unit)
		return fail(parser, start, "a fraction needs a unit: s, ms, us, k, M, G");
	if (is_name(*parser->at, false))
		return fail(parser, parser->at,
			    "unknown unit; the units are ns, us, ms, s, k, M, G");
	if (__builtin_mul_overflow(number, unit ? unit : 1, &number) ||
	    __builtin_add_overflow(number, billionths * unit / 1000000000, &number))
		return fail(parser, start, "this number is too large");
	value = pk_wide_of_u64(number);
	return checked(parser, new_number(negative ? pk_wide_negate(value) : value), start);
}

static struct pk_expression *read_or(struct parser *parser);

static struct pk_expression *read_primary(struct parser *parser)
{
	const char *start;
	struct pk_expression *node;

	skip_blanks(parser);
	start = parser->at;
	if (*start == '"')
		return read_string(parser);
	if (digit_of(*start) < 10 || *start == '-')
		return read_number(parser);
	if (is_name(*start, true)) {
		while (is_name(*parser->at, false))
			parser->at++;
		return checked(parser, new_named(start, (size_t)(parser->at - start)), start);
	}
	if (*start != '(')
		return fail(parser, start,
			    *start ? "a field, a number, a \"string\" or ( is expected here"
				   : "a field, a number, a \"string\" or ( is expected after this");
	parser->at++;
	node = read_or(parser);
	if (node && !accept(parser, ")")) {
		pk_expression_free(node);
		return fail(parser, start, "this ( is not closed");
	}
	return node;
}

/* Returns false after an error if the node cannot have this type. A node of unknown type gets this
 * type. */
static bool want(struct parser *parser, struct pk_expression *node, enum pk_expression_type type)
{
	static const char *const texts[] = {
		[PK_IS_CONDITION] = "this is not a condition",
		[PK_IS_NUMBER] = "a number is expected here",
		[PK_IS_TEXT] = "a \"string\" is expected here",
	};

	if (node->type == PK_IS_UNKNOWN) {
		node->type = node->wanted = type == PK_IS_CONDITION ? PK_IS_NUMBER : type;
		return true;
	}
	if (node->type == type || (type == PK_IS_CONDITION && node->type == PK_IS_NUMBER))
		return true;
	fail(parser, parser->text + node->at, texts[type]);
	return false;
}

static struct pk_expression *combine(struct parser *parser, enum pk_operator op,
				     struct pk_expression *left, struct pk_expression *right,
				     enum pk_expression_type type)
{
	struct pk_expression *node;
	size_t at = left ? left->at : 0;

	if (!left || !right || !want(parser, left, type) || !want(parser, right, type)) {
		pk_expression_free(left);
		pk_expression_free(right);
		return NULL;
	}
	if (left->op == PK_OP_STRING && (op == PK_OP_EQ || op == PK_OP_NE)) {
		node = left; /* the field becomes the left operand */
		left = right;
		right = node;
	}
	node = pk_expression_join(op, left, right);
	return checked(parser, node, parser->text + at);
}

static struct pk_expression *read_bits(struct parser *parser)
{
	struct pk_expression *node = read_primary(parser);

	while (node) {
		skip_blanks(parser);
		if (*parser->at != '&' || parser->at[1] == '&')
			break;
		parser->at++;
		node = combine(parser, PK_OP_BITS, node, read_primary(parser), PK_IS_NUMBER);
	}
	return node;
}

/* Reads a comparison operator. Returns PK_OP_FIELD if there is none. */
static enum pk_operator read_comparison(struct parser *parser)
{
	static const struct {
		const char *token;
		enum pk_operator op;
	} tokens[] = {{"==", PK_OP_EQ}, {"!=", PK_OP_NE}, {"<=", PK_OP_LE},	{">=", PK_OP_GE},
		      {"<", PK_OP_LT},	{">", PK_OP_GT},  {"!~", PK_OP_UNLIKE}, {"~", PK_OP_LIKE}};

	for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++)
		if (accept(parser, tokens[i].token))
			return tokens[i].op;
	return PK_OP_FIELD;
}

/* Returns the type that both sides of == or != must have. If the type of one side is unknown, the
 * result is the type of the other side. */
static enum pk_expression_type common_type(const struct pk_expression *left,
					   const struct pk_expression *right)
{
	if (!left || !right)
		return PK_IS_NUMBER;
	if (left->type == PK_IS_UNKNOWN)
		return right->type == PK_IS_TEXT ? PK_IS_TEXT : PK_IS_NUMBER;
	return left->type == PK_IS_TEXT ? PK_IS_TEXT : PK_IS_NUMBER;
}

static struct pk_expression *read_like(struct parser *parser, struct pk_expression *left,
				       enum pk_operator op)
{
	struct pk_expression *right, *node;
	const char *start;

	skip_blanks(parser);
	start = parser->at;
	if (*start != '"') {
		pk_expression_free(left);
		return fail(parser, start, "a \"glob\" is expected here");
	}
	right = read_string(parser);
	node = combine(parser, op, left, right, PK_IS_TEXT);
	if (node && node->left->op != PK_OP_FIELD) {
		fail(parser, parser->text + node->at, "a field is expected before ~");
		pk_expression_free(node);
		return NULL;
	}
	return node;
}

static struct pk_expression *read_relation(struct parser *parser)
{
	struct pk_expression *left = read_bits(parser), *right;
	const char *start;
	enum pk_operator op;

	if (!left)
		return NULL;
	skip_blanks(parser);
	start = parser->at;
	op = read_comparison(parser);
	if (op == PK_OP_FIELD) {
		if (*start == '=') {
			pk_expression_free(left);
			return fail(parser, start, "use == for equality");
		}
		return left;
	}
	if (op == PK_OP_LIKE || op == PK_OP_UNLIKE)
		return read_like(parser, left, op);
	right = read_bits(parser);
	if (op != PK_OP_EQ && op != PK_OP_NE)
		return combine(parser, op, left, right, PK_IS_NUMBER);
	return combine(parser, op, left, right, common_type(left, right));
}

static struct pk_expression *read_not(struct parser *parser)
{
	const char *start;
	struct pk_expression *node;

	skip_blanks(parser);
	start = parser->at;
	if (++parser->depth > DEPTH_MAX)
		return fail(parser, start, "parentheses are nested too deeply");
	if (*start == '!' && start[1] != '=' && start[1] != '~') {
		parser->at++;
		node = read_not(parser);
		if (node && !want(parser, node, PK_IS_CONDITION)) {
			pk_expression_free(node);
			node = NULL;
		}
		if (node)
			node = checked(parser, pk_expression_join(PK_OP_NOT, node, NULL), start);
	} else {
		node = read_relation(parser);
	}
	parser->depth--;
	return node;
}

static struct pk_expression *read_and(struct parser *parser)
{
	struct pk_expression *node = read_not(parser);

	while (node && accept(parser, "&&"))
		node = combine(parser, PK_OP_AND, node, read_not(parser), PK_IS_CONDITION);
	return node;
}

static struct pk_expression *read_or(struct parser *parser)
{
	struct pk_expression *node = read_and(parser);

	while (node && accept(parser, "||"))
		node = combine(parser, PK_OP_OR, node, read_and(parser), PK_IS_CONDITION);
	return node;
}

static struct pk_expression *parse(const char *text, bool percent,
				   struct pk_expression_error *error)
{
	struct parser parser = {.text = text, .at = text, .error = error, .percent = percent};
	struct pk_expression *node = read_or(&parser);

	if (node && !want(&parser, node, PK_IS_CONDITION)) {
		pk_expression_free(node);
		return NULL;
	}
	skip_blanks(&parser);
	if (!node || !*parser.at)
		return node;
	pk_expression_free(node);
	return fail(&parser, parser.at, "an operator is expected here: && || == != < <= > >= ~ &");
}

struct pk_expression *pk_expression_parse(const char *text, struct pk_expression_error *error)
{
	return parse(text, false, error);
}

struct pk_expression *pk_expression_parse_rows(const char *text, struct pk_expression_error *error)
{
	return parse(text, true, error);
}
