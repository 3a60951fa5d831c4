// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lookups.h"
#include "metric_expr.h"
#include "vector.h"

#define NODES_MAX 20000 /* the longest expression of the kernel has about 300 */
#define DEPTH_MAX 100

struct metric_parser {
	struct metric_expr *expr;
	struct metric_error *error;
	const char *text;
	size_t at, capacity;
	unsigned int depth;
};

static bool parse_if(struct metric_parser *parser, uint32_t *node);

/* Fails because memory is exhausted. Prints the message itself, because the expression has no
 * error. */
static enum pk_status fail_memory(struct metric_parser *parser)
{
	pk_no_memory();
	parser->error->at = parser->at;
	parser->error->what = "out of memory";
	return PK_NOMEM;
}

static bool fail(struct metric_parser *parser, size_t at, const char *what)
{
	parser->error->at = at;
	parser->error->what = what;
	return false;
}

static enum pk_status add_node(struct metric_parser *parser, const struct metric_node *node,
			       uint32_t *index)
{
	struct metric_expr *expr = parser->expr;

	if (expr->count == NODES_MAX)
		return fail(parser, parser->at, "the expression is too long") ? PK_OK : PK_FAILED;
	if (pk_reserve(&expr->nodes, &parser->capacity, expr->count, 1, sizeof(*node)) != PK_OK)
		return fail_memory(parser);
	*index = (uint32_t)expr->count;
	expr->nodes[expr->count++] = *node;
	return PK_OK;
}

static char peek(struct metric_parser *parser)
{
	while (isspace((unsigned char)parser->text[parser->at]))
		parser->at++;
	return parser->text[parser->at];
}

static bool accept(struct metric_parser *parser, char c)
{
	if (peek(parser) != c)
		return false;
	parser->at++;
	return true;
}

static bool is_name(const char *text)
{
	return isalnum((unsigned char)*text) || (*text && strchr("_.:@?", *text)) ||
	       (*text == '\\' && text[1] && strchr("-,=*", text[1]));
}

/* Returns the size of "@TERM,TERM@", or 0 if the text is something else. */
static size_t terms_length(const char *text)
{
	const size_t length = *text == '@' ? 1 + strcspn(text + 1, "@() ") : 0;

	return length && text[length] == '@' ? length + 1 : 0;
}

static size_t name_length(const char *text)
{
	size_t length = 0;

	while (is_name(text + length))
		length += terms_length(text + length) ?: text[length] == '\\' ? 2 : 1;
	return length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && !strncmp(text, word, length);
}

/* ---- Numbers and names ---- */

/* Returns the size of a number, which can have a point and an exponent. Returns 0 if the text does
 * not start with a number. */
static size_t number_length(const char *text)
{
	size_t length = strspn(text, "0123456789"), digits = length, exponent;

	if (text[length] == '.') {
		length++;
		digits += strspn(text + length, "0123456789");
		length += strspn(text + length, "0123456789");
	}
	if (!digits)
		return 0;
	if (text[length] != 'e' && text[length] != 'E')
		return length;
	exponent = length + 1;
	if (text[exponent] == '-' || text[exponent] == '+')
		exponent++;
	if (!isdigit((unsigned char)text[exponent]))
		return length;
	return exponent + strspn(text + exponent, "0123456789");
}

static enum pk_status parse_number(struct metric_parser *parser, size_t length, uint32_t *index)
{
	struct metric_node node = {.op = METRIC_NUMBER};

	node.number = strtod(parser->text + parser->at, NULL);
	parser->at += length;
	return add_node(parser, &node, index);
}

/* Copies a name. Replaces '@' by '/', and leaves out '\'. Returns NULL if memory is exhausted. */
static char *plain_name(const char *text, size_t length)
{
	char *name = malloc(length + 1);
	size_t size = 0;

	for (size_t i = 0; name && i < length; i++) {
		if (text[i] == '\\')
			continue;
		name[size++] = text[i] == '@' ? '/' : text[i];
	}
	if (name)
		name[size] = '\0';
	return name;
}

static enum pk_status add_name(struct metric_parser *parser, enum metric_op op, size_t length,
			       uint32_t *index)
{
	struct metric_node node = {.op = op};
	enum pk_status status;

	node.text = op == METRIC_LITERAL || op == METRIC_CPUID
			    ? strndup(parser->text + parser->at, length)
			    : plain_name(parser->text + parser->at, length);
	if (!node.text)
		return fail_memory(parser);
	parser->at += length;
	status = add_node(parser, &node, index);
	if (status != PK_OK)
		free(node.text);
	return status;
}

/* ---- Calls ---- */

static bool has_name(enum metric_op op)
{
	return op >= METRIC_ID && op <= METRIC_CPUID;
}

bool metric_names_event(enum metric_op op)
{
	return op == METRIC_ID || op == METRIC_SOURCE_COUNT || op == METRIC_COUNTERS;
}

static const struct {
	const char *name;
	enum metric_op op;
} calls[] = {
	{"min", METRIC_MIN},
	{"max", METRIC_MAX},
	{"d_ratio", METRIC_RATIO},
	{"source_count", METRIC_SOURCE_COUNT},
	{"aggr_nr", METRIC_COUNTERS},
	{"has_event", METRIC_HAS_EVENT},
	{"strcmp_cpuid_str", METRIC_CPUID},
};

static bool want(struct metric_parser *parser, char c, const char *what)
{
	return accept(parser, c) || fail(parser, parser->at, what);
}

/* Parses the name of an event and the closing parenthesis. For METRIC_CPUID, parses a pattern
 * instead of the name. The pattern can have any characters except parentheses. */
static bool parse_named(struct metric_parser *parser, enum metric_op op, uint32_t *index)
{
	size_t length;

	peek(parser);
	length = op == METRIC_CPUID ? strcspn(parser->text + parser->at, "()")
				    : name_length(parser->text + parser->at);
	if (!length)
		return fail(parser, parser->at, "a name is expected here");
	return add_name(parser, op, length, index) == PK_OK &&
	       want(parser, ')', ") is expected here");
}

static bool parse_call(struct metric_parser *parser, enum metric_op op, uint32_t *index)
{
	struct metric_node node = {.op = op};

	if (has_name(op))
		return parse_named(parser, op, index);
	return parse_if(parser, &node.a) && want(parser, ',', "a comma is expected here") &&
	       parse_if(parser, &node.b) && want(parser, ')', ") is expected here") &&
	       add_node(parser, &node, index) == PK_OK;
}

static bool parse_word(struct metric_parser *parser, uint32_t *index)
{
	const char *text = parser->text + parser->at;
	const size_t length = name_length(text), at = parser->at;

	if (!length)
		return fail(parser, at,
			    *text ? "a number or a name is expected here" : "ends too early");
	if (is_word(text, length, "NaN"))
		return parse_number(parser, length, index) == PK_OK;
	if (is_word(text, length, "if") || is_word(text, length, "else"))
		return fail(parser, at, "a number or a name is expected here");
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		if (!is_word(text, length, calls[i].name))
			continue;
		parser->at += length;
		return want(parser, '(', "( is expected here") &&
		       parse_call(parser, calls[i].op, index);
	}
	return add_name(parser, METRIC_ID, length, index) == PK_OK;
}

/* ---- Operators ---- */

/* Skips blanks. Also skips a '#' that no letter or digit follows, because some files have "#("
 * where "(" is meant. Returns the next character. */
static char skip_signs(struct metric_parser *parser)
{
	while (peek(parser) == '#' && !isalnum((unsigned char)parser->text[parser->at + 1]))
		parser->at++;
	return peek(parser);
}

static bool parse_unary(struct metric_parser *parser, uint32_t *index)
{
	const char c = skip_signs(parser), *text = parser->text + parser->at;
	struct metric_node node = {.op = c == '-' ? METRIC_NEGATE : METRIC_NOT};
	const size_t number = number_length(text);
	bool ok;

	if (c == '#')
		return add_name(parser, METRIC_LITERAL,
				1 + strspn(text + 1, "0123456789_.-abcdefghijklmnopqrstuvwxyz"
						     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
				index) == PK_OK;
	if (number && number >= name_length(text))
		return parse_number(parser, number, index) == PK_OK;
	if (c != '-' && c != '!' && c != '(')
		return parse_word(parser, index);
	if (parser->depth == DEPTH_MAX)
		return fail(parser, parser->at, "is nested too deeply");
	parser->depth++;
	parser->at++;
	if (c == '(')
		ok = parse_if(parser, index) && want(parser, ')', ") is expected here");
	else
		ok = parse_unary(parser, &node.a) && add_node(parser, &node, index) == PK_OK;
	parser->depth--;
	return ok;
}

static const struct {
	char sign;
	unsigned char level; /* an operator with a higher level binds more tightly */
	enum metric_op op;
} operators[] = {
	{'|', 1, METRIC_OR},	   {'^', 2, METRIC_XOR},      {'&', 3, METRIC_AND},
	{'<', 4, METRIC_LESS},	   {'>', 4, METRIC_GREATER},  {'+', 5, METRIC_ADD},
	{'-', 5, METRIC_SUBTRACT}, {'*', 6, METRIC_MULTIPLY}, {'/', 6, METRIC_DIVIDE},
	{'%', 6, METRIC_MODULO},
};

/* Returns true if the next sign is a binary operator of at least this level. Sets *found to the
 * index of the operator. */
static bool next_operator(struct metric_parser *parser, unsigned int level, size_t *found)
{
	const char c = peek(parser);

	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		if (operators[i].sign != c || operators[i].level < level)
			continue;
		*found = i;
		return true;
	}
	return false;
}

static bool parse_binary(struct metric_parser *parser, unsigned int level, uint32_t *index)
{
	size_t found = 0;

	if (!parse_unary(parser, index))
		return false;
	while (next_operator(parser, level, &found)) {
		struct metric_node node = {.op = operators[found].op, .a = *index};

		parser->at++;
		if (!parse_binary(parser, operators[found].level + 1u, &node.b) ||
		    add_node(parser, &node, index) != PK_OK)
			return false;
	}
	return true;
}

static bool accept_word(struct metric_parser *parser, const char *word)
{
	peek(parser);
	if (!is_word(parser->text + parser->at, name_length(parser->text + parser->at), word))
		return false;
	parser->at += strlen(word);
	return true;
}

static bool parse_if(struct metric_parser *parser, uint32_t *index)
{
	struct metric_node node = {.op = METRIC_IF};
	bool ok;

	if (parser->depth == DEPTH_MAX)
		return fail(parser, parser->at, "is nested too deeply");
	parser->depth++;
	ok = parse_binary(parser, 1, index);
	if (ok && accept_word(parser, "if")) {
		node.a = *index;
		ok = parse_binary(parser, 1, &node.b);
		if (ok && !accept_word(parser, "else"))
			ok = fail(parser, parser->at, "else is expected here");
		ok = ok && parse_if(parser, &node.c) && add_node(parser, &node, index) == PK_OK;
	}
	parser->depth--;
	return ok;
}

bool metric_expr_parse(struct metric_expr *expr, const char *text, struct metric_error *error)
{
	struct metric_parser parser = {.expr = expr, .error = error, .text = text};
	uint32_t root;
	bool ok;

	*expr = (struct metric_expr){0};
	ok = parse_if(&parser, &root);
	if (ok && peek(&parser))
		ok = fail(&parser, parser.at, "does not belong here");
	if (!ok)
		metric_expr_free(expr);
	return ok;
}

void metric_expr_free(struct metric_expr *expr)
{
	for (size_t i = 0; i < expr->count; i++)
		free(expr->nodes[i].text);
	free(expr->nodes);
	*expr = (struct metric_expr){0};
}

/* ---- Evaluation ---- */

/* Converts to an integer. A value outside of the range becomes the nearest limit. value must not be
 * NaN. */
static int64_t whole(double value)
{
	if (value >= 0x1p63)
		return INT64_MAX;
	if (value <= -0x1p63)
		return INT64_MIN;
	return (int64_t)value;
}

static double bits(enum metric_op op, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	switch (op) {
	case METRIC_OR: return (double)(whole(a) | whole(b));
	case METRIC_XOR: return (double)(whole(a) ^ whole(b));
	default: return (double)(whole(a) & whole(b));
	}
}

static double modulo(double a, double b)
{
	if (isnan(a) || isnan(b) || !whole(b))
		return NAN;
	if (whole(b) == -1)
		return 0;
	return (double)(whole(a) % whole(b));
}

static double binary(enum metric_op op, double a, double b)
{
	switch (op) {
	case METRIC_LESS: return a < b;
	case METRIC_GREATER: return a > b;
	case METRIC_ADD: return a + b;
	case METRIC_SUBTRACT: return a - b;
	case METRIC_MULTIPLY: return a * b;
	case METRIC_DIVIDE: return b == 0 ? NAN : a / b;
	case METRIC_MODULO: return modulo(a, b);
	case METRIC_MIN: return a < b ? a : b;
	case METRIC_MAX: return a > b ? a : b;
	case METRIC_RATIO: return b == 0 ? 0 : a / b;
	default: return bits(op, a, b);
	}
}

static double name_value(const struct metric_node *node, const struct metric_values *values)
{
	switch (node->op) {
	case METRIC_ID: return values->id(values->arg, node);
	case METRIC_SOURCE_COUNT: return values->source_count(values->arg, node);
	case METRIC_COUNTERS: return values->counters(values->arg, node);
	default: return values->known(values->arg, node);
	}
}

/* Returns the value of a node that has no name. `known` has the values of all previous nodes. */
static double node_value(const struct metric_node *node, const double *known)
{
	switch (node->op) {
	case METRIC_NUMBER: return node->number;
	case METRIC_NEGATE: return -known[node->a];
	case METRIC_NOT: return known[node->a] == 0;
	case METRIC_IF: return known[node->b] != 0 ? known[node->a] : known[node->c];
	default: return binary(node->op, known[node->a], known[node->b]);
	}
}

double metric_expr_value(const struct metric_expr *expr, const struct metric_values *values,
			 double *scratch)
{
	for (size_t i = 0; i < expr->count; i++) {
		const struct metric_node *node = &expr->nodes[i];

		scratch[i] =
			has_name(node->op) ? name_value(node, values) : node_value(node, scratch);
	}
	return expr->count ? scratch[expr->count - 1] : NAN;
}

/* ---- Needed nodes ---- */

static unsigned int operands(const struct metric_node *node, uint32_t list[3])
{
	list[0] = node->a;
	list[1] = node->b;
	list[2] = node->c;
	if (node->op == METRIC_IF)
		return 3;
	if (node->op == METRIC_NEGATE || node->op == METRIC_NOT)
		return 1;
	return node->op > METRIC_NOT ? 2 : 0;
}

/* Calculates the nodes that do not depend on counts. Sets the other nodes to NaN. */
static void fold(const struct metric_expr *expr, const struct metric_values *values, double *folded)
{
	for (size_t i = 0; i < expr->count; i++) {
		const struct metric_node *node = &expr->nodes[i];
		uint32_t list[3];
		bool known = !metric_names_event(node->op);

		for (unsigned int n = operands(node, list); n--;)
			known = known && !isnan(folded[list[n]]);
		if (!known)
			folded[i] = NAN;
		else
			folded[i] = has_name(node->op) ? name_value(node, values)
						       : node_value(node, folded);
	}
}

enum pk_status metric_expr_needed(const struct metric_expr *expr,
				  const struct metric_values *values, bool *needed)
{
	double *folded = calloc(expr->count + 1, sizeof(*folded));

	if (!folded)
		return PK_NOMEM;
	fold(expr, values, folded);
	memset(needed, 0, expr->count * sizeof(*needed));
	if (expr->count)
		needed[expr->count - 1] = true;
	for (size_t i = expr->count; i-- > 0;) {
		const struct metric_node *node = &expr->nodes[i];
		uint32_t list[3];
		unsigned int n = needed[i] ? operands(node, list) : 0;

		if (n == 3 && !isnan(folded[node->b])) {
			list[0] = folded[node->b] != 0 ? node->a : node->c;
			n = 1;
		}
		while (n--)
			needed[list[n]] = true;
	}
	free(folded);
	return PK_OK;
}
