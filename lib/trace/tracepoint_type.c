// SPDX-License-Identifier: BSD-2-Clause
#include "tracepoint_internal.h"

/* Sizes of C's types by their words; 'l' is the recorded machine's long. */
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

struct words {
	unsigned int count, longs;
	bool is_unsigned, is_signed, other; /* other: a word that is in no table */
	struct tp_type type;
};

static bool is_word(const struct tp_slice *slice, const char *word)
{
	return slice->size == strlen(word) && !memcmp(slice->data, word, slice->size);
}

static void take_word(struct words *have, const struct tp_slice *word, uint8_t long_size)
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
					return; /* "long int" is a long */
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

bool tp_type_read(const struct pk_tracepoint *tracepoint, struct tp_lexer *lexer,
		  struct tp_type *type)
{
	const uint8_t long_size = tracepoint->all->long_size;
	struct tp_lexer ahead = *lexer;
	struct words have = {0};
	bool pointer = false;

	for (; ahead.token == TP_T_NAME; tp_lexer_next(&ahead)) {
		if (ahead.text.data[0] >= '0' && ahead.text.data[0] <= '9')
			return false;
		if (tp_is_record(&ahead.text))
			return false;
		take_word(&have, &ahead.text, long_size);
	}
	if (!have.count)
		return false;
	for (; ahead.token == TP_T_OP && ahead.op == TP_OP('*', 0); tp_lexer_next(&ahead))
		pointer = true;
	*type = type_of(&have);
	if (pointer)
		/* What it points to is kept: an element read through it has that type. */
		type->is_pointer = true;
	*lexer = ahead;
	return true;
}

uint8_t tp_type_size(const struct pk_tracepoint *tracepoint, const char *text, size_t size)
{
	struct tp_lexer lexer = {.at = text, .end = text + size};
	struct tp_type type;

	tp_lexer_next(&lexer);
	if (!tp_type_read(tracepoint, &lexer, &type))
		return 0;
	return type.is_pointer ? tracepoint->all->long_size : type.size;
}
