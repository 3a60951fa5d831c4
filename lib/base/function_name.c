// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <string.h>

#include "characters.h"
#include "function_name.h"

#define NESTED_MOST 8 /* the most nested declarators that pk_parameters() looks into */
#define NONE	    ((size_t)-1)

static bool is_word_byte(char c)
{
	return pk_is_of_name(c) || c == '$';
}

static bool ends_with(const char *name, size_t size, const char *end)
{
	const size_t length = strlen(end);

	return size >= length && !memcmp(name + size - length, end, length);
}

static bool is_text(const char *name, size_t size, const char *text)
{
	return size == strlen(text) && !memcmp(name, text, size);
}

static bool ends_with_operator(const char *name, size_t size)
{
	static const char word[] = "operator";

	return ends_with(name, size, word) &&
	       (size == strlen(word) || !is_word_byte(name[size - strlen(word) - 1]));
}

/* Returns the index of the opening bracket for the closing bracket just before `end`, or NONE if
 * there is no opening bracket. */
static size_t opening(const char *name, size_t end, char open, char close)
{
	size_t depth = 0;

	for (size_t i = end; i--;) {
		depth += name[i] == close;
		if (name[i] == open && !--depth)
			return i;
	}
	return NONE;
}

/* ---- Text after the parameters ---- */

/* Returns the size of the name without the brackets at its end. The brackets are " [clone .cold]",
 * or brackets such as "[Tier1]" after a closing parenthesis. */
static size_t drop_brackets(const char *name, size_t size)
{
	static const char clone[] = " [clone ";
	const size_t open = opening(name, size, '[', ']');

	if (open == NONE || !open)
		return size;
	if (name[open - 1] == ')')
		return open;
	if (size - open + 1 > strlen(clone) && !memcmp(name + open - 1, clone, strlen(clone)))
		return open - 1;
	return size;
}

static size_t drop_word(const char *name, size_t size)
{
	static const char *const words[] = {" const",	 " volatile", " __restrict",
					    " noexcept", " &&",	      " &"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (ends_with(name, size, words[i]))
			return size - strlen(words[i]);
	return size;
}

/* Returns the size of the name without a suffix such as ".cold" or "@plt". The suffix must follow a
 * closing parenthesis or bracket, or a word such as const. */
static size_t drop_mark(const char *name, size_t size)
{
	size_t at = size;

	while (at && (is_word_byte(name[at - 1]) || name[at - 1] == '.' || name[at - 1] == '@'))
		at--;
	/* The word before the suffix can be const. */
	while (at < size && is_word_byte(name[at]))
		at++;
	if (at == size || !at)
		return size;
	return name[at - 1] == ')' || name[at - 1] == ']' || drop_word(name, at) < at ? at : size;
}

/* Returns the size of the name without a suffix such as " (.cold)". */
static size_t drop_parenthesized_mark(const char *name, size_t size)
{
	const size_t open = opening(name, size, '(', ')');

	return open != NONE && open && name[open - 1] == ' ' && name[open + 1] == '.' ? open - 1
										      : size;
}

static size_t drop_last(const char *name, size_t size)
{
	switch (name[size - 1]) {
	case ']': return drop_brackets(name, size);
	case ')': return drop_parenthesized_mark(name, size);
	default: break;
	}
	const size_t word = drop_word(name, size);

	return word < size ? word : drop_mark(name, size);
}

/* Returns the size of the name without all qualifiers at its end. The time is linear: a call of
 * drop_last() looks only at the bytes that it drops. Only the last call, which drops nothing, can
 * look at more bytes. */
static size_t drop_qualifiers(const char *name, size_t size)
{
	size_t before;

	do {
		before = size;
		size = size ? drop_last(name, size) : 0;
	} while (size < before);
	return size;
}

/* ---- The parameter list ---- */

/* Returns true if the parentheses from `open` to `end` contain a declarator of a pointer or
 * reference. Examples are "(*f(int))" in "void (*f(int))(char)", and "(X::*f(int))". */
static bool is_declarator(const char *name, size_t open, size_t end)
{
	const char *inner = name + open + 1, *member, *list;
	const size_t size = end - open - 2;

	if (!size || (open && !strchr(" *&(", name[open - 1])))
		return false;
	if (*inner == '*' || *inner == '&')
		return true;
	member = memmem(inner, size, "::*", 3);
	list = memchr(inner, '(', size);
	return member && list && member < list;
}

/* Returns true if the parentheses from `open` to `end` are a list of parameters. */
static bool is_list(const char *name, size_t open, size_t end)
{
	const char *inner = name + open + 1;
	const size_t size = end - open - 2;
	size_t before;

	if (!open || strchr(" :.(", name[open - 1]) || is_text(inner, size, "anonymous namespace"))
		return false;
	if (!size && ends_with_operator(name, open))
		return false;
	if (name[open - 1] != ')')
		return true;
	/* In a type such as void (*)(int), a pointer to a function, the last parentheses are no
	 * list of parameters of a function. */
	before = opening(name, open, '(', ')');
	return before != NONE && name[before + 1] != '*' && name[before + 1] != '&';
}

static struct pk_range parameters(const char *name, size_t size, int nested);

/* If the parentheses from `open` to `end` are a declarator with a function inside, finds the
 * parameters of this function. */
static bool find_inside(const char *name, size_t open, size_t end, int nested,
			struct pk_range *found)
{
	if (open == NONE || nested == NESTED_MOST || !is_declarator(name, open, end))
		return false;
	*found = parameters(name + open + 1, end - open - 2, nested + 1);
	if (found->from == found->to)
		return false;
	found->from += open + 1;
	found->to += open + 1;
	return true;
}

static struct pk_range parameters(const char *name, size_t size, int nested)
{
	const struct pk_range none = {size, size};
	const size_t end = drop_qualifiers(name, size);
	const size_t open = end && name[end - 1] == ')' ? opening(name, end, '(', ')') : NONE;
	struct pk_range found;

	if (open == NONE)
		return none;
	/* The name is like int (&f())[3]. */
	if (find_inside(name, open, end, nested, &found))
		return found;
	/* The name is like void (*f())(int). */
	if (open && name[open - 1] == ')' &&
	    find_inside(name, opening(name, open, '(', ')'), open, nested, &found))
		return found;
	return is_list(name, open, end) ? (struct pk_range){open, size} : none;
}

struct pk_range pk_parameters(const char *name, size_t size)
{
	/* Most names are names of C functions, and have no parameter list. */
	return memchr(name, '(', size) ? parameters(name, size, 0) : (struct pk_range){size, size};
}

/* ---- Names of runtimes ---- */

/* A position in a name, which moves from the start of the name to its end. Also counts how many
 * parentheses and template arguments are open at this position. */
struct walk {
	size_t at, parentheses, angles;
};

static void step(struct walk *walk, const char *name)
{
	const char c = name[walk->at];

	walk->parentheses += c == '(';
	walk->parentheses -= c == ')' && walk->parentheses;
	walk->angles += c == '<';
	walk->angles -= c == '>' && walk->angles && name[walk->at - 1] != '-';
	walk->at++;
}

/* Returns true if the text is a type descriptor of the Java virtual machine, such as I or [B. */
static bool is_java_type(const char *text, size_t size)
{
	while (size && *text == '[') {
		text++;
		size--;
	}
	if (!size)
		return false;
	if (*text == 'L')
		return !memchr(text, ' ', size) && !memchr(text, '(', size);
	return size == 1 && strchr("ZBCSIJFDV", *text);
}

struct pk_range pk_runtime_parameters(const char *name, size_t size)
{
	struct walk walk = {0};
	size_t open;

	if (!memchr(name, '(', size))
		return (struct pk_range){size, size};
	while (walk.at < size && (name[walk.at] != '(' || walk.angles))
		step(&walk, name);
	open = walk.at;
	if (open == size || !open || strchr(" :.", name[open - 1]))
		return pk_parameters(name, size);
	do
		step(&walk, name);
	while (walk.at < size && walk.parentheses);
	if (walk.parentheses || is_java_type(name + walk.at, size - walk.at))
		return (struct pk_range){open, size};
	return pk_parameters(name, size);
}

size_t pk_inlined_caller(const char *name, size_t size)
{
	struct walk walk = {0};

	if (!memmem(name, size, "->", 2))
		return size;
	while (walk.at + 2 < size) {
		const bool arrow = name[walk.at] == '-' && name[walk.at + 1] == '>';

		if (arrow && !walk.parentheses && !walk.angles &&
		    !ends_with_operator(name, walk.at))
			return walk.at;
		step(&walk, name);
	}
	return size;
}
