// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "where_internal.h"

/* Parentheses and ! in one another. */
#define DEPTH_MAX 64

struct parser {
	const char *text, *at;
	struct where_error *error;
	bool failed;
	unsigned int depth, own;
};

static struct where *fail(struct parser *parser, const char *at, const char *text)
{
	if (!parser->failed) {
		parser->error->at = (size_t)(at - parser->text);
		parser->error->text = text;
	}
	parser->failed = true;
	return NULL;
}

static struct where *checked(struct parser *parser, struct where *node, const char *start)
{
	if (!node)
		return fail(parser, start, where_no_memory);
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
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!first && ((c >= '0' && c <= '9') || c == '.'));
}

/* "abc", with \" and \\ for what could not stand in it. */
static struct where *read_string(struct parser *parser)
{
	const char *start = parser->at++;
	char *text = malloc(strlen(start));
	size_t size = 0;
	struct where *node;

	if (!text)
		return checked(parser, NULL, start);
	while (*parser->at && *parser->at != '"') {
		if (*parser->at == '\\' && (parser->at[1] == '"' || parser->at[1] == '\\'))
			parser->at++;
		text[size++] = *parser->at++;
	}
	if (!*parser->at) {
		free(text);
		return fail(parser, start, "this string does not end");
	}
	parser->at++;
	node = where_text(WHERE_STRING, WHERE_IS_STRING, text, size);
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

/* Units of time, in nanoseconds; of sizes. 0: none. */
static uint64_t read_unit(struct parser *parser)
{
	static const struct {
		const char *name;
		uint64_t factor;
	} units[] = {{"ns", 1},	     {"us", 1000},   {"ms", 1000000}, {"s", 1000000000},
		     {"k", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		size_t size = strlen(units[i].name);

		if (strncmp(parser->at, units[i].name, size) || is_name(parser->at[size], false))
			continue;
		parser->at += size;
		return units[i].factor;
	}
	return 0;
}

#define NUMBER_MAX ((__int128)UINT64_MAX)

/* 12.5s: the part behind the point, of which nanoseconds are the least. */
static __int128 read_fraction(struct parser *parser)
{
	__int128 billionths = 0, unit = 100000000;

	for (; digit_of(*parser->at) < 10; parser->at++, unit /= 10)
		billionths += digit_of(*parser->at) * unit;
	return billionths;
}

static struct where *read_number(struct parser *parser)
{
	const char *start = parser->at;
	unsigned int base = 10;
	__int128 number = 0, billionths = 0;
	bool negative = *parser->at == '-', fraction = false;
	uint64_t unit;

	parser->at += negative;
	if (!strncmp(parser->at, "0x", 2) && digit_of(parser->at[2]) < 16) {
		base = 16;
		parser->at += 2;
	}
	if (digit_of(*parser->at) >= base)
		return fail(parser, start, "not a number");
	for (; digit_of(*parser->at) < base; parser->at++) {
		number = number * base + digit_of(*parser->at);
		if (number > NUMBER_MAX)
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
		return fail(parser, parser->at, "no unit of a number: ns, us, ms, s, k, M, G");
	number = number * (unit ? unit : 1) + billionths * unit / 1000000000;
	if (number > NUMBER_MAX)
		return fail(parser, start, "this number is too large");
	return checked(parser, where_number(negative ? -number : number), start);
}

static struct where *read_or(struct parser *parser);

static struct where *read_primary(struct parser *parser)
{
	const char *start;
	struct where *node;

	skip_blanks(parser);
	start = parser->at;
	if (*start == '"')
		return read_string(parser);
	if (digit_of(*start) < 10 || *start == '-')
		return read_number(parser);
	if (is_name(*start, true)) {
		while (is_name(*parser->at, false))
			parser->at++;
		node = checked(parser, where_named(start, (size_t)(parser->at - start)), start);
		if (node && node->field == WHERE_OWN)
			node->own = parser->own++;
		return node;
	}
	if (*start != '(')
		return fail(parser, start,
			    *start ? "a field, a number, a \"string\" or ( should stand here"
				   : "a field, a number, a \"string\" or ( should follow");
	parser->at++;
	node = read_or(parser);
	if (node && !accept(parser, ")")) {
		where_free(node);
		return fail(parser, start, "this ( is not closed");
	}
	return node;
}

/* Is it, or may it be, of that type? What is not known yet has to be. */
static bool want(struct parser *parser, struct where *node, enum where_type type)
{
	static const char *const texts[] = {
		[WHERE_IS_TRUTH] = "this is no condition",
		[WHERE_IS_NUMBER] = "a number should stand here",
		[WHERE_IS_STRING] = "a \"string\" should stand here",
	};

	if (node->type == WHERE_IS_UNKNOWN) {
		node->type = node->wanted = type == WHERE_IS_TRUTH ? WHERE_IS_NUMBER : type;
		return true;
	}
	if (node->type == type || (type == WHERE_IS_TRUTH && node->type == WHERE_IS_NUMBER))
		return true;
	fail(parser, parser->text + node->at, texts[type]);
	return false;
}

static struct where *combine(struct parser *parser, enum where_op op, struct where *left,
			     struct where *right, enum where_type type)
{
	struct where *node;
	size_t at = left ? left->at : 0;

	if (!left || !right || !want(parser, left, type) || !want(parser, right, type)) {
		where_free(left);
		where_free(right);
		return NULL;
	}
	node = where_join(op, left, right);
	return checked(parser, node, parser->text + at);
}

static struct where *read_bits(struct parser *parser)
{
	struct where *node = read_primary(parser);

	while (node) {
		skip_blanks(parser);
		if (*parser->at != '&' || parser->at[1] == '&')
			break;
		parser->at++;
		node = combine(parser, WHERE_BITS, node, read_primary(parser), WHERE_IS_NUMBER);
	}
	return node;
}

/* Which comparison stands here; WHERE_FIELD: none. */
static enum where_op read_comparison(struct parser *parser)
{
	static const struct {
		const char *token;
		enum where_op op;
	} tokens[] = {{"==", WHERE_EQ}, {"!=", WHERE_NE}, {"<=", WHERE_LE},  {">=", WHERE_GE},
		      {"<", WHERE_LT},	{">", WHERE_GT},  {"!~", WHERE_NOT}, {"~", WHERE_LIKE}};

	for (size_t i = 0; i < sizeof(tokens) / sizeof(*tokens); i++)
		if (accept(parser, tokens[i].token))
			return tokens[i].op;
	return WHERE_FIELD;
}

/* The two sides of == and != have the type of the one that has one. */
static enum where_type common_type(const struct where *left, const struct where *right)
{
	if (!left || !right)
		return WHERE_IS_NUMBER;
	if (left->type == WHERE_IS_UNKNOWN)
		return right->type == WHERE_IS_STRING ? WHERE_IS_STRING : WHERE_IS_NUMBER;
	return left->type == WHERE_IS_STRING ? WHERE_IS_STRING : WHERE_IS_NUMBER;
}

static struct where *read_like(struct parser *parser, struct where *left, bool negated)
{
	struct where *right, *node;
	const char *start;

	skip_blanks(parser);
	start = parser->at;
	if (*start != '"') {
		where_free(left);
		return fail(parser, start, "a \"glob\" should stand here");
	}
	right = read_string(parser);
	node = combine(parser, WHERE_LIKE, left, right, WHERE_IS_STRING);
	if (node && node->left->op != WHERE_FIELD) {
		fail(parser, parser->text + node->at, "a field should stand before ~");
		where_free(node);
		return NULL;
	}
	return node && negated ? checked(parser, where_join(WHERE_NOT, node, NULL), start) : node;
}

static struct where *read_relation(struct parser *parser)
{
	struct where *left = read_bits(parser), *right;
	const char *start;
	enum where_op op;

	if (!left)
		return NULL;
	skip_blanks(parser);
	start = parser->at;
	op = read_comparison(parser);
	if (op == WHERE_FIELD) {
		if (*start == '=') {
			where_free(left);
			return fail(parser, start, "equality is ==");
		}
		return left;
	}
	if (op == WHERE_LIKE || op == WHERE_NOT)
		return read_like(parser, left, op == WHERE_NOT);
	right = read_bits(parser);
	if (op != WHERE_EQ && op != WHERE_NE)
		return combine(parser, op, left, right, WHERE_IS_NUMBER);
	return combine(parser, op, left, right, common_type(left, right));
}

static struct where *read_not(struct parser *parser)
{
	const char *start;
	struct where *node;

	skip_blanks(parser);
	start = parser->at;
	if (++parser->depth > DEPTH_MAX)
		return fail(parser, start, "too many parentheses in one another");
	if (*start == '!' && start[1] != '=' && start[1] != '~') {
		parser->at++;
		node = read_not(parser);
		if (node && !want(parser, node, WHERE_IS_TRUTH)) {
			where_free(node);
			node = NULL;
		}
		if (node)
			node = checked(parser, where_join(WHERE_NOT, node, NULL), start);
	} else {
		node = read_relation(parser);
	}
	parser->depth--;
	return node;
}

static struct where *read_and(struct parser *parser)
{
	struct where *node = read_not(parser);

	while (node && accept(parser, "&&"))
		node = combine(parser, WHERE_AND, node, read_not(parser), WHERE_IS_TRUTH);
	return node;
}

static struct where *read_or(struct parser *parser)
{
	struct where *node = read_and(parser);

	while (node && accept(parser, "||"))
		node = combine(parser, WHERE_OR, node, read_and(parser), WHERE_IS_TRUTH);
	return node;
}

struct where *where_parse(const char *text, struct where_error *error)
{
	struct parser parser = {.text = text, .at = text, .error = error};
	struct where *node = read_or(&parser);

	if (node && !want(&parser, node, WHERE_IS_TRUTH)) {
		where_free(node);
		return NULL;
	}
	skip_blanks(&parser);
	if (!node || !*parser.at)
		return node;
	where_free(node);
	return fail(&parser, parser.at, "an operator should stand here: && || == != < <= > >= ~ &");
}
