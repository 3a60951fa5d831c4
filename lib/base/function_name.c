// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <string.h>

#include "characters.h"
#include "function_name.h"

#define NESTED_MOST 8 /* functions that return functions that return functions: pk_parameters() */
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

/* The index of the bracket that is closed just before `end`, or NONE if there is none. */
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

/* ---- What follows the parameters ---- */

/* The size without the "[...]" at the end: " [clone .cold]", or "[Tier1]" after a parenthesis. */
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

/* The size without ".cold" or "@plt" at the end, after a parenthesis or a bracket. */
static size_t drop_mark(const char *name, size_t size)
{
	size_t at = size;

	while (at && (is_word_byte(name[at - 1]) || name[at - 1] == '.' || name[at - 1] == '@'))
		at--;
	if (at == size || !at || (name[at] != '.' && name[at] != '@'))
		return size;
	return name[at - 1] == ')' || name[at - 1] == ']' ? at : size;
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

/* The size without " (.cold)" at the end. */
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

/* Each step looks at the bytes that it drops, or is the last one. */
static size_t drop_qualifiers(const char *name, size_t size)
{
	size_t before;

	do {
		before = size;
		size = size ? drop_last(name, size) : 0;
	} while (size < before);
	return size;
}

/* ---- The list ---- */

/* Whether the parentheses at `open`, which close before `end`, contain what a pointer or reference
 * points to: "(*f(int))" in "void (*f(int))(char)", or "(X::*f(int))". */
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

/* Whether the parentheses at `open`, which close before `end`, are a list of parameters. */
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
	/* a pointer to a function, as a type: void (*)(int) */
	before = opening(name, open, '(', ')');
	return before != NONE && name[before + 1] != '*' && name[before + 1] != '&';
}

static struct pk_range parameters(const char *name, size_t size, int nested);

/* The parameters of the function in the declarator, if it is one. */
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
	/* int (&f())[3] */
	if (find_inside(name, open, end, nested, &found))
		return found;
	/* void (*f())(int) */
	if (open && name[open - 1] == ')' &&
	    find_inside(name, opening(name, open, '(', ')'), open, nested, &found))
		return found;
	return is_list(name, open, end) ? (struct pk_range){open, size} : none;
}

struct pk_range pk_parameters(const char *name, size_t size)
{
	/* Most names, those of C, have no list. */
	return memchr(name, '(', size) ? parameters(name, size, 0) : (struct pk_range){size, size};
}

/* ---- Names of runtimes ---- */

/* Goes through a name from its start and knows how deep it is in parentheses, template arguments.
 */
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

/* Whether the text is a type of the Java virtual machine, such as I or [B. */
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
