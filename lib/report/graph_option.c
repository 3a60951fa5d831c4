// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "graph_option.h"
#include "number.h"

enum word { WORD_MODE, WORD_ORDER, WORD_VALUE, WORD_KEY, WORD_MISSING };

/* Words can be abbreviated, as in perf. */
static const struct {
	const char *name;
	enum word word;
	int value;
} words[] = {
	{"none", WORD_MODE, GRAPH_NONE},
	{"graph", WORD_MODE, GRAPH_ABSOLUTE},
	{"fractal", WORD_MODE, GRAPH_RELATIVE},
	{"flat", WORD_MODE, GRAPH_FLAT},
	{"folded", WORD_MODE, GRAPH_FOLDED},
	{"caller", WORD_ORDER, true},
	{"callee", WORD_ORDER, false},
	{"percent", WORD_VALUE, GRAPH_PERCENT},
	{"period", WORD_VALUE, GRAPH_PERIOD},
	{"count", WORD_VALUE, GRAPH_COUNT},
	{"function", WORD_KEY, 0},
	{"address", WORD_MISSING, 0},
	{"srcline", WORD_MISSING, 0},
	{"branch", WORD_MISSING, 0},
};

/* False: not a word. */
static bool parse_word(struct graph_options *options, const char *text, size_t size, bool *missing)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!size || strncmp(words[i].name, text, size))
			continue;
		switch (words[i].word) {
		case WORD_MODE: options->mode = (enum graph_mode)words[i].value; break;
		case WORD_ORDER:
			options->ordered = true;
			options->caller = words[i].value;
			break;
		case WORD_VALUE: options->value = (enum graph_value)words[i].value; break;
		case WORD_KEY: break;
		case WORD_MISSING: *missing = true; break;
		}
		return true;
	}
	return false;
}

/* The first number is the threshold, the second one is the limit. */
static bool parse_number(struct graph_options *options, const char *text, size_t size,
			 unsigned int index)
{
	char *end;
	double number;

	errno = 0;
	number = strtod(text, &end);
	if (!size || end != text + size || errno || !(number >= 0) || index > 1)
		return false;
	if (index) {
		options->limit = number < 1e9 ? (uint64_t)number : 0;
		return true;
	}
	options->threshold = number;
	return number <= 100;
}

const char *pk_graph_option_parse(struct graph_options *options, const char *text)
{
	unsigned int numbers = 0;
	bool missing = false;
	const char *word;
	size_t size;

	options->mode = GRAPH_ABSOLUTE;
	while (pk_next_word(&text, &word, &size)) {
		if (!parse_word(options, word, size, &missing) &&
		    !parse_number(options, word, size, numbers++))
			return "not like graph,0.5,caller,percent";
		if (missing)
			return "branches are functions only: no address, srcline or branch";
	}
	return NULL;
}
