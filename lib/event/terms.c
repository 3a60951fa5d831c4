// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event_parser.h"
#include "vector.h"

#define TERMS_MAX 64

void pk_event_terms_free(struct term_list *terms)
{
	for (size_t i = 0; i < terms->count; i++) {
		free(terms->items[i].name);
		free(terms->items[i].value);
	}
	free(terms->items);
	*terms = (struct term_list){0};
}

/* Parses the whole text as a number: hexadecimal if it starts with 0x, otherwise decimal. */
static bool number_of(const char *text, uint64_t *number)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*number = strtoull(text, &end, !strncasecmp(text, "0x", 2) ? 16 : 10);
	return !*end && !errno;
}

/* Copies the text up to one of the bytes in ends. If the text starts with a single quote, copies it
 * up to the next single quote. Moves the parser to the end of the copied text. Returns NULL after a
 * message. */
static char *parse_text(struct event_parser *parser, const char *ends)
{
	const char *text = parser->text + parser->at;
	size_t length;
	char *copy;

	if (*text == '\'') {
		length = strcspn(text + 1, "'");
		if (!text[1 + length]) {
			pk_event_parser_complain(parser, parser->at, "the quote is not closed");
			return NULL;
		}
		parser->at += length + 2;
		copy = strndup(text + 1, length);
	} else {
		length = strcspn(text, ends);
		parser->at += length;
		copy = strndup(text, length);
	}
	if (!copy)
		pk_event_parser_no_memory(parser);
	return copy;
}

static struct term *add_term(struct term_list *terms)
{
	if (pk_vector_reserve(terms, 1) != PK_OK)
		return NULL;
	terms->items[terms->count] = (struct term){.number = 1};
	return &terms->items[terms->count++];
}

enum pk_status pk_event_terms_add(struct event_parser *parser, struct term_list *terms,
				  const char *name, size_t at)
{
	struct term *term = add_term(terms);

	if (!term)
		return pk_event_parser_no_memory(parser);
	term->at = term->value_at = at;
	term->name = strdup(name);
	return term->name ? PK_OK : pk_event_parser_no_memory(parser);
}

static enum pk_status read_term(struct event_parser *parser, struct term_list *terms)
{
	struct term *term = terms->count < TERMS_MAX ? add_term(terms) : NULL;

	if (!term)
		return pk_event_parser_complain(parser, parser->at, "too many terms");
	term->at = parser->at;
	term->name = parse_text(parser, "=,/{}");
	if (!term->name)
		return PK_FAILED;
	if (!*term->name)
		return pk_event_parser_complain(parser, term->at,
						"a term is expected, such as event=0x3c");
	term->value_at = term->at;
	if (parser->text[parser->at] != '=')
		return PK_OK;
	term->value_at = ++parser->at;
	term->value = parse_text(parser, ",/{}");
	if (!term->value)
		return PK_FAILED;
	if (!*term->value)
		return pk_event_parser_complain(parser, term->value_at,
						"%s needs a value after =", term->name);
	term->is_number = number_of(term->value, &term->number);
	if (!term->is_number && isdigit((unsigned char)*term->value) &&
	    strspn(term->value, "0123456789abcdefABCDEFxX") == strlen(term->value))
		return pk_event_parser_complain(
			parser, term->value_at,
			"not a number of 64 bits (hexadecimal numbers begin with 0x)");
	return PK_OK;
}

enum pk_status pk_event_terms_read(struct event_parser *parser, struct term_list *terms)
{
	const size_t slash = parser->at++;

	if (parser->text[parser->at] == '/') {
		parser->at++;
		return PK_OK;
	}
	for (;;) {
		PK_TRY(read_term(parser, terms));
		switch (parser->text[parser->at]) {
		case ',': parser->at++; break;
		case '/': parser->at++; return PK_OK;
		case 0: return pk_event_parser_complain(parser, slash, "the slash is not closed");
		default:
			return pk_event_parser_complain(parser, parser->at,
							"does not belong between slashes");
		}
	}
}

enum pk_status pk_event_terms_all_used(const struct event_parser *parser,
				       const struct term_list *terms, const char *whose)
{
	for (size_t i = 0; i < terms->count; i++)
		if (!terms->items[i].used)
			return pk_event_parser_complain(parser, terms->items[i].at,
							"%s has no such term as %s", whose,
							terms->items[i].name);
	return PK_OK;
}

/* ---- The effect of each term ---- */

typedef bool term_fn(struct event *event, const struct term *term);

static bool set_config(struct event *event, const struct term *term)
{
	uint64_t *const words[] = {&event->attr.config, &event->attr.config1, &event->attr.config2,
				   &event->attr.config3};
	const char digit = term->name[6];

	*words[digit ? digit - '0' : 0] = term->number;
	return term->is_number;
}

static bool set_period(struct event *event, const struct term *term)
{
	event->terms.period = term->number;
	event->terms.frequency = 0;
	return term->is_number && term->number && term->number <= INT64_MAX;
}

static bool set_freq(struct event *event, const struct term *term)
{
	event->terms.frequency = term->number;
	event->terms.period = 0;
	return term->is_number && term->number && term->number <= 1000000000;
}

static bool set_time(struct event *event, const struct term *term)
{
	event->terms.time = term->number ? EVENT_ON : EVENT_OFF;
	return term->is_number && term->number <= 1;
}

static bool set_inherit(struct event *event, const struct term *term)
{
	const bool no = term->name[0] == 'n';

	event->terms.inherit = no == !term->number ? EVENT_ON : EVENT_OFF;
	return term->number <= 1 && (!term->value || term->is_number);
}

static bool set_overwrite(struct event *event, const struct term *term)
{
	const bool no = term->name[0] == 'n';

	event->terms.overwrite = no == !term->number ? EVENT_ON : EVENT_OFF;
	return term->number <= 1 && (!term->value || term->is_number);
}

static bool set_percore(struct event *event, const struct term *term)
{
	event->terms.percore = term->number;
	return term->number <= 1 && (!term->value || term->is_number);
}

static bool set_aux_output(struct event *event, const struct term *term)
{
	event->terms.aux_output = term->number;
	return term->number <= 1 && (!term->value || term->is_number);
}

static bool set_aux_sample_size(struct event *event, const struct term *term)
{
	event->terms.aux_sample_size = (uint32_t)(term->number + 7) & ~7u;
	event->terms.no_aux_sample = !term->number;
	return term->is_number && term->number <= AUX_SAMPLE_SIZE_MAX;
}

static bool set_aux_action(struct event *event, const struct term *term)
{
	static const struct {
		const char *word;
		uint32_t bit;
	} actions[] = {
		{"start-paused", PERF_AUX_START_PAUSED},
		{"pause", PERF_AUX_PAUSE},
		{"resume", PERF_AUX_RESUME},
	};

	for (size_t i = 0; term->value && i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (strcmp(term->value, actions[i].word))
			continue;
		event->terms.aux_action = actions[i].bit;
		return true;
	}
	return false;
}

static bool set_call_graph(struct event *event, const struct term *term)
{
	static const char *const words[] = {
		[EVENT_CALLCHAIN_NO] = "no",
		[EVENT_CALLCHAIN_FP] = "fp",
		[EVENT_CALLCHAIN_DWARF] = "dwarf",
		[EVENT_CALLCHAIN_LBR] = "lbr",
	};

	for (int i = EVENT_CALLCHAIN_NO; i <= EVENT_CALLCHAIN_LBR; i++) {
		if (!term->value || strcmp(term->value, words[i]))
			continue;
		event->terms.callchain = (enum event_callchain)i;
		return true;
	}
	return false;
}

static bool set_stack_size(struct event *event, const struct term *term)
{
	event->terms.stack_size = (uint32_t)(term->number + 7) & ~7u;
	return term->is_number && term->number && term->number <= 65528;
}

static bool set_max_stack(struct event *event, const struct term *term)
{
	event->terms.max_stack = (uint16_t)term->number;
	return term->is_number && term->number && term->number <= UINT16_MAX;
}

static bool set_branch_type(struct event *event, const struct term *term)
{
	return term->value &&
	       pk_branch_modes_parse(term->value, &event->terms.branch_type) == PK_OK;
}

static bool set_name(struct event *event, const struct term *term)
{
	if (!term->value)
		return false;
	pk_event_rename(event, term->value);
	return true;
}

static const struct {
	const char *name;
	term_fn *set;
	const char *wants;
} general[] = {
	{"config", set_config, "a number"},
	{"config1", set_config, "a number"},
	{"config2", set_config, "a number"},
	{"config3", set_config, "a number"},
	{"name", set_name, "a name"},
	{"period", set_period, "a number of events"},
	{"freq", set_freq, "a number of samples per second"},
	{"time", set_time, "0 or 1"},
	{"call-graph", set_call_graph, "fp, dwarf, lbr or no"},
	{"stack-size", set_stack_size, "a number of bytes, at most 65528"},
	{"max-stack", set_max_stack, "a number of frames"},
	{"branch_type", set_branch_type, "a kind of branches: any, any_call, u, k ..."},
	{"inherit", set_inherit, "0 or 1"},
	{"no-inherit", set_inherit, "0 or 1"},
	{"overwrite", set_overwrite, "0 or 1"},
	{"no-overwrite", set_overwrite, "0 or 1"},
	{"percore", set_percore, "0 or 1"},
	{"aux-output", set_aux_output, "0 or 1"},
	{"aux-sample-size", set_aux_sample_size, "a number of bytes, at most 61440"},
	{"aux-action", set_aux_action, "start-paused, pause or resume"},
};

static enum pk_status apply_term(struct event_parser *parser, struct term *term, size_t row,
				 size_t first)
{
	term->used = true;
	for (size_t i = first; i < parser->list->count; i++)
		if (!general[row].set(&parser->list->items[i], term))
			return pk_event_parser_complain(parser, term->value_at, "%s needs %s",
							term->name, general[row].wants);
	return PK_OK;
}

enum pk_status pk_event_terms_apply(struct event_parser *parser, struct term_list *terms,
				    size_t first)
{
	for (size_t i = 0; i < terms->count; i++) {
		struct term *term = &terms->items[i];

		for (size_t row = 0; row < sizeof(general) / sizeof(general[0]); row++)
			if (!term->used && !strcmp(term->name, general[row].name))
				PK_TRY(apply_term(parser, term, row, first));
	}
	return PK_OK;
}
