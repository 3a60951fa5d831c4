// SPDX-License-Identifier: BSD-2-Clause
#include "tracepoint_internal.h"

/* Words, strings and operators of C, as far as "print fmt" has them. */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static void take_string(struct tp_lexer *lexer, char quote)
{
	lexer->text.data = ++lexer->at;
	while (lexer->at < lexer->end && *lexer->at != quote)
		lexer->at += *lexer->at == '\\' && lexer->end - lexer->at > 1 ? 2 : 1;
	lexer->text.size = (size_t)(lexer->at - lexer->text.data);
	lexer->token = lexer->at < lexer->end ? TP_T_STRING : TP_T_END;
	if (lexer->at < lexer->end)
		lexer->at++;
}

static void take_op(struct tp_lexer *lexer)
{
	static const char pairs[][3] = {"->", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||"};

	lexer->token = TP_T_OP;
	lexer->op = TP_OP(*lexer->at, 0);
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (lexer->end - lexer->at > 1 && !memcmp(lexer->at, pairs[i], 2))
			lexer->op = TP_OP(pairs[i][0], pairs[i][1]);
	lexer->at += lexer->op >> 8 ? 2 : 1;
}

void tp_lexer_next(struct tp_lexer *lexer)
{
	while (lexer->at < lexer->end && is_blank(*lexer->at))
		lexer->at++;
	lexer->text = (struct tp_slice){lexer->at, 0};
	lexer->op = 0;
	if (lexer->at == lexer->end) {
		lexer->token = TP_T_END;
	} else if (*lexer->at == '"' || *lexer->at == '\'') {
		take_string(lexer, *lexer->at);
	} else if (is_name(*lexer->at)) {
		while (lexer->at < lexer->end && is_name(*lexer->at))
			lexer->at++;
		lexer->text.size = (size_t)(lexer->at - lexer->text.data);
		lexer->token = TP_T_NAME;
	} else {
		take_op(lexer);
	}
}
