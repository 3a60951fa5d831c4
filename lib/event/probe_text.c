// SPDX-License-Identifier: BSD-2-Clause
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "characters.h"
#include "number.h"
#include "probe_text.h"
#include "usdt.h"

static const char no_memory[] = "out of memory";

/* ---- Expressions ---- */

/* The texts of a probe are copied into one block of memory. Each byte of the input is copied at
 * most three times (for the argument, the value and a name), and each copy ends with a NUL. The
 * block has room for all copies. */
struct texts {
	char *at, *end;
};

static size_t room_for(const char *text)
{
	return 6 * strlen(text) + 16;
}

static const char *copy(struct texts *texts, const char *from, size_t size)
{
	char *to = texts->at;

	assert((size_t)(texts->end - to) > size);
	memcpy(to, from, size);
	to[size] = 0;
	texts->at += size + 1;
	return to;
}

/* The state while an expression is read. */
struct reader {
	struct texts *texts;
	const char *at; /* the current position in the value of the expression */
	struct probe_expression *expression;
	const char *error; /* the first error; NULL if there is none */
	unsigned depth;
};

static bool fail(struct reader *r, const char *error)
{
	if (!r->error)
		r->error = error;
	return false;
}

static void skip_blanks(struct reader *r)
{
	while (*r->at == ' ')
		r->at++;
}

static bool accept(struct reader *r, const char *what)
{
	const size_t size = strlen(what);

	skip_blanks(r);
	if (strncmp(r->at, what, size) != 0)
		return false;
	r->at += size;
	return true;
}

/* Reads an identifier. In C++, it can include namespaces. */
static const char *read_name(struct reader *r)
{
	const char *start;

	skip_blanks(r);
	start = r->at;
	if (!pk_starts_name(*start)) {
		fail(r, "a name is missing");
		return NULL;
	}
	while (pk_is_of_name(*r->at) ||
	       (r->at[0] == ':' && r->at[1] == ':' && pk_starts_name(r->at[2])))
		r->at += *r->at == ':' ? 2 : 1;
	return copy(r->texts, start, (size_t)(r->at - start));
}

static bool read_number(struct reader *r, int64_t *number)
{
	const bool minus = accept(r, "-");
	unsigned long long value;
	char *end;

	if (!minus)
		accept(r, "+");
	if (!isdigit((unsigned char)*r->at))
		return fail(r, "a number is missing");
	errno = 0;
	value = strtoull(r->at, &end, 0);
	if (errno || value > INT64_MAX || pk_is_of_name(*end))
		return fail(r, "not a number, or too large");
	r->at = end;
	*number = minus ? -(int64_t)value : (int64_t)value;
	return true;
}

static bool add_step(struct reader *r, const struct probe_step *step)
{
	struct probe_expression *x = r->expression;

	if (x->step_count == PROBE_STEPS_MOST)
		return fail(r, "too many operators");
	x->steps[x->step_count++] = *step;
	return true;
}

static bool read_unary(struct reader *r);

/* Returns true if a type in parentheses starts here and an operand follows it. */
static bool at_cast(const struct reader *r)
{
	const char *at = r->at + 1;

	if (*r->at != '(' || !pk_starts_name(at[strspn(at, " ")]))
		return false;
	while (pk_is_of_name(*at) || *at == ' ' || *at == '*' || *at == ':')
		at++;
	if (*at++ != ')')
		return false;
	at += strspn(at, " ");
	return pk_starts_name(*at) || (*at && strchr("(*&@$%", *at));
}

/* Reads the type of a cast, including ')'. The words struct, class, union, enum and const are
 * skipped, because the name is enough to find the type. */
static bool read_type(struct reader *r, struct probe_step *step)
{
	static const char *const words[] = {"struct ", "class ", "union ", "enum ", "const "};
	const char *start, *end;

	accept(r, "(");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]);)
		i = accept(r, words[i]) ? 0 : i + 1;
	skip_blanks(r);
	start = end = r->at;
	for (; *r->at != ')' && *r->at != '*'; r->at++)
		end = *r->at == ' ' ? end : r->at + 1;
	for (; *r->at != ')'; r->at++) {
		if (*r->at != '*' && *r->at != ' ')
			return fail(r, "a cast must be (TYPE) or (TYPE *)");
		step->stars += *r->at == '*';
	}
	r->at++;
	step->name = copy(r->texts, start, (size_t)(end - start));
	return end > start || fail(r, "a cast must be (TYPE) or (TYPE *)");
}

/* Reads OFFSET(PLACE), a form that the kernel's definitions of probes also have. */
static bool read_at_offset(struct reader *r)
{
	struct probe_step step = {.kind = PROBE_AT_OFFSET};

	return read_number(r, &step.number) &&
	       (accept(r, "(") || fail(r, "an offset needs a place: OFFSET(PLACE)")) &&
	       read_unary(r) && (accept(r, ")") || fail(r, "a ) is missing")) && add_step(r, &step);
}

static bool read_dollar(struct reader *r)
{
	struct probe_expression *x = r->expression;
	const char *word = read_name(r);
	uint64_t number;

	if (!word)
		return false;
	if (!strcmp(word, "retval"))
		x->root = PROBE_RESULT;
	else if (!strcmp(word, "vars"))
		x->root = PROBE_ALL;
	else if (!strcmp(word, "params") || !strcmp(word, "args"))
		x->root = PROBE_PARAMETERS;
	else if (!strncmp(word, "arg", 3) && pk_parse_u64(word + 3, &number) && number &&
		 number < 100)
		x->root = PROBE_ARGUMENT;
	else
		return fail(r, "after $ comes retval, argN, vars or params");
	if (x->root == PROBE_ARGUMENT)
		x->number = (unsigned)number;
	return true;
}

static bool read_primary(struct reader *r)
{
	struct probe_expression *x = r->expression;

	if (accept(r, "("))
		return read_unary(r) && (accept(r, ")") || fail(r, "a ) is missing"));
	if (accept(r, "$"))
		return read_dollar(r);
	x->root = accept(r, "@") ? PROBE_GLOBAL : accept(r, "%") ? PROBE_REGISTER : PROBE_VARIABLE;
	x->variable = read_name(r);
	return x->variable;
}

static bool read_postfix(struct reader *r)
{
	if (!read_primary(r))
		return false;
	for (;;) {
		struct probe_step step = {.kind = PROBE_INDEX};

		skip_blanks(r);
		if (accept(r, "[")) {
			if (!read_number(r, &step.number) ||
			    !(accept(r, "]") || fail(r, "a ] is missing")))
				return false;
		} else if (accept(r, "->") || *r->at == '.') {
			step.kind = *r->at == '.' ? PROBE_MEMBER : PROBE_ARROW;
			r->at += *r->at == '.';
			step.name = read_name(r);
			if (!step.name)
				return false;
		} else {
			return true;
		}
		if (!add_step(r, &step))
			return false;
	}
}

/* Reads an operand and the operators before and after it. The operators before an operand are
 * applied after the operators that follow it. */
static bool read_operand(struct reader *r)
{
	struct probe_step step = {.kind = PROBE_DEREF};

	skip_blanks(r);
	if (*r->at == '+' || *r->at == '-' || isdigit((unsigned char)*r->at))
		return read_at_offset(r);
	if (at_cast(r)) {
		step.kind = PROBE_CAST;
		return read_type(r, &step) && read_unary(r) && add_step(r, &step);
	}
	if (*r->at != '*' && *r->at != '&')
		return read_postfix(r);
	step.kind = *r->at++ == '*' ? PROBE_DEREF : PROBE_ADDRESS;
	return read_unary(r) && add_step(r, &step);
}

static bool read_unary(struct reader *r)
{
	bool ok;

	if (++r->depth > PROBE_STEPS_MOST)
		return fail(r, "too many operators");
	ok = read_operand(r);
	r->depth--;
	return ok;
}

/* ---- Arguments ---- */

/* Returns the position of the colon before the type. It is the last colon that is not part of "::"
 * and not in parentheses or brackets. Returns the size of the text if there is no such colon. */
static size_t type_colon(const char *text)
{
	const char *found = NULL, *at;
	int depth = 0;

	for (at = text; *at; at++) {
		depth += *at == '(' || *at == '[';
		depth -= *at == ')' || *at == ']';
		if (*at == ':' && at[1] == ':')
			at++;
		else if (*at == ':' && depth <= 0)
			found = at;
	}
	return (size_t)((found ? found : at) - text);
}

/* Returns true if the text has the form of a type of the kernel. Types consist of letters and
 * digits, but b8@0/32 and x8[16] are also types. */
static bool is_type(const char *type)
{
	return pk_starts_name(*type) &&
	       !type[strspn(type, "abcdefghijklmnopqrstuvwxyz0123456789@/[]")];
}

static size_t name_size(const char *text)
{
	size_t size = 0;

	while (pk_is_of_name(text[size]))
		size++;
	return size;
}

static const char *read_argument(struct texts *texts, const char *text, size_t size,
				 struct probe_expression *x)
{
	struct reader r = {.texts = texts, .expression = x};
	size_t length;

	text = x->text = copy(texts, text, size);
	length = name_size(text);
	if (length && text[length] == '=') {
		if (!pk_starts_name(*text))
			return "the name before = must be an identifier";
		x->name = copy(texts, text, length);
		text += length + 1;
	}
	length = type_colon(text);
	if (text[length]) {
		x->type = copy(texts, text + length + 1, strlen(text + length + 1));
		if (!is_type(x->type))
			return "after the colon comes a type: u8 to u64, s8 to s64, x8 to x64, "
			       "string "
			       "or ustring";
	}
	r.at = x->value = copy(texts, text, length);
	if (!read_unary(&r))
		return r.error;
	skip_blanks(&r);
	return *r.at ? "unexpected text after the expression" : NULL;
}

static const char *read_arguments(struct probe_text *probe, struct texts *texts, const char *text)
{
	const char *error = NULL;

	probe->arguments = calloc(PK_PROBE_ARGUMENTS_MOST, sizeof(*probe->arguments));
	if (!probe->arguments)
		return no_memory;
	for (text += strspn(text, " "); *text && !error; text += strspn(text, " ")) {
		const size_t size = pk_probe_argument_length(text);

		if (probe->argument_count == PK_PROBE_ARGUMENTS_MOST)
			return "more than 64 arguments";
		error = read_argument(texts, text, size,
				      &probe->arguments[probe->argument_count++]);
		text += size;
	}
	return error;
}

/* ---- The place ---- */

static const char place_error[] =
	"the place must be FUNCTION[+OFFSET|:LINE][%return], FILE:LINE, 0xOFFSET or PROVIDER:NAME";

/* Returns true if the text before the last colon is the name of a file. Such a name contains a dot
 * or a slash. */
static bool is_file(const char *text)
{
	return strpbrk(text, "./") != NULL;
}

static const char *read_line(struct probe_text *probe, const char *before, const char *line)
{
	uint64_t number;

	if (!*before || !pk_parse_u64(line, &number) || number > UINT32_MAX)
		return place_error;
	probe->has_line = true;
	probe->line = number;
	if (is_file(before))
		probe->file = before;
	else
		probe->function = before;
	return NULL;
}

/* Returns true if the text is a type for the argument of a marker. The type in the source code is
 * not known. So only numbers and pointers to strings are possible. */
static bool is_marker_type(const char *type)
{
	static const char *const sizes[] = {"", "8", "16", "32", "64"};

	if (!strcmp(type, "string") || !strcmp(type, "ustring"))
		return true;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (strchr("usx", *type) && !strcmp(type + 1, sizes[i]))
			return true;
	return false;
}

/* Checks an argument of a marker, [NAME=]argN[:TYPE]. */
static const char *check_marker_argument(const struct probe_expression *x)
{
	uint64_t number;

	if (x->root != PROBE_VARIABLE || x->step_count || strncmp(x->variable, "arg", 3) != 0 ||
	    !pk_parse_u64(x->variable + 3, &number))
		return "an argument of a marker must be [NAME=]argN[:TYPE]: arg1, arg2 ...";
	if (x->name && strlen(x->name) >= PK_ARGUMENT_NAME_MAX)
		return "the name of a marker's argument has at most 15 characters";
	if (x->type && !is_marker_type(x->type))
		return "the type of a marker's argument must be u8 to u64, s8 to s64, x8 to x64, "
		       "string or ustring";
	return NULL;
}

static const char *read_marker(struct probe_text *probe, const char *before, const char *name)
{
	const char *error = NULL;

	if (*before == '%')
		before++;
	probe->provider = strncmp(before, "sdt_", 4) ? before : before + 4;
	probe->marker = name;
	if (!*name || !*probe->provider || probe->is_return)
		return place_error;
	for (size_t i = 0; i < probe->argument_count && !error; i++)
		error = check_marker_argument(&probe->arguments[i]);
	return error;
}

/* Returns the last colon. Returns NULL if there is no colon, or if the last one is part of "::". */
static char *last_colon(char *text)
{
	char *colon = strrchr(text, ':');

	return colon && colon > text && colon[-1] == ':' ? NULL : colon;
}

/* Parses the place. Writes NULs into the text, so `place` must be a copy. */
static const char *read_place(struct probe_text *probe, char *place)
{
	const char *const suffix = "%return";
	const size_t length = strlen(place), size = strlen(suffix);
	char *mark;

	if (length > size && !strcmp(place + length - size, suffix)) {
		probe->is_return = true;
		place[length - size] = 0;
	}
	mark = last_colon(place);
	if (mark) {
		*mark++ = 0;
		return *mark && !mark[strspn(mark, "0123456789")] ? read_line(probe, place, mark)
								  : read_marker(probe, place, mark);
	}
	if (strchr(place, '%'))
		return place_error;
	if (!strncmp(place, "0x", 2))
		return pk_parse_u64(place, &probe->offset) ? NULL : place_error;
	mark = strchr(place, '+');
	if (mark)
		*mark++ = 0;
	probe->function = place;
	return *place && (!mark || pk_parse_u64(mark, &probe->offset)) ? NULL : place_error;
}

static const char *parse(struct probe_text *probe, struct texts *texts, const char *text)
{
	size_t size = name_size(text);
	const char *error;
	char *place;

	if (size && text[size] == '=') {
		if (!pk_starts_name(*text))
			return "the name before = must be an identifier";
		probe->event = copy(texts, text, size);
		text += size + 1;
	}
	size = strcspn(text, " ");
	place = texts->at;
	copy(texts, text, size);
	error = read_arguments(probe, texts, text + size);
	if (!error)
		error = read_place(probe, place);
	/* At any other place than the entry, the kernel would replace another word of the stack
	 * instead of the return address. */
	if (!error && probe->is_return && (probe->has_line || (probe->function && probe->offset)))
		error = "only a function returns: FUNCTION%return, without a line or an offset";
	return error;
}

const char *pk_probe_text_parse(struct probe_text *probe, const char *text)
{
	struct texts texts;
	const char *error;

	*probe = (struct probe_text){0};
	probe->memory = malloc(room_for(text));
	if (!probe->memory)
		return no_memory;
	texts = (struct texts){probe->memory, probe->memory + room_for(text)};
	error = parse(probe, &texts, text);
	if (error)
		pk_probe_text_free(probe);
	return error;
}

void pk_probe_text_free(struct probe_text *probe)
{
	free(probe->memory);
	free(probe->arguments);
	*probe = (struct probe_text){0};
}
