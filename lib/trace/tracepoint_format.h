/* SPDX-License-Identifier: BSD-2-Clause */
/* A parsed format: shared by tracepoint.c (payload and text of formats), tracepoint_expr.c (their
 * expressions) and tracepoint_print.c (the text of a sample). */
#ifndef TRACEPOINT_FORMAT_H
#define TRACEPOINT_FORMAT_H

#include "buffer.h"
#include "pkutil.h"
#include "tracepoint.h"

/* The limit for a text; the kernel's largest formats have a tenth of it. */
#define TP_TEXT_MAX   (1u << 20)
#define TP_FIELDS_MAX 512u
#define TP_PIECES_MAX 1024u
#define TP_DEPTH_MAX  200u
#define TP_WIDTH_MAX  1024
/* The limits for the text of one sample: the kernel itself prints lines of 8 KiB, and each byte of
 * an array takes several bytes of text. */
#define TP_OUTPUT_MIN	   (16u << 10)
#define TP_OUTPUT_PER_BYTE 64u
#define TP_OUTPUT_MAX	   (1u << 20)

/* ---- Expressions: nodes that refer to each other by number; 0 is no node ---- */

enum tp_kind {
	TP_NUMBER,	  /* value */
	TP_NAME,	  /* an enumerator that the kernel did not replace by its value */
	TP_STRING,	  /* text */
	TP_FIELD,	  /* field */
	TP_CAST,	  /* a converted to type */
	TP_UNARY,	  /* op a */
	TP_BINARY,	  /* a op b */
	TP_CHOICE,	  /* a ? b : c */
	TP_INDEX,	  /* a[b] */
	TP_FLAGS,	  /* of a, delimited by text, TP_PAIRs from b on */
	TP_SYMBOLIC,	  /* of a, TP_PAIRs from b on */
	TP_PAIR,	  /* value (if known) and text; b is the next one */
	TP_HEX,		  /* a, b bytes of it */
	TP_HEX_STR,	  /* the same without blanks */
	TP_ARRAY,	  /* a, b elements, each of c bytes */
	TP_DYNAMIC_ARRAY, /* field, elements of b bytes */
	TP_GET_STR,	  /* the rest: of field */
	TP_BITMASK,
	TP_CPUMASK,
	TP_DYNAMIC,
	TP_DYNAMIC_LEN,
};

struct tp_type {
	uint8_t size; /* 0: unknown */
	bool is_signed, is_pointer;
};

struct tp_node {
	uint8_t kind; /* enum tp_kind */
	bool known;
	bool is_unsigned; /* after C's integer promotions */
	struct tp_type type;
	uint16_t op;	/* TP_OP */
	uint16_t depth; /* of the subtree */
	uint32_t a, b, c;
	uint64_t value;
	const struct pk_tracepoint_field *field;
	struct tp_slice {
		const char *data;
		size_t size;
	} text;
};

#define TP_OP(first, second) ((uint16_t)((uint8_t)(first) | (uint8_t)(second) << 8))

/* ---- The pieces of print fmt ---- */

struct tp_piece {
	char conversion; /* as in printf; 0: only the literal */
	char pointer[8]; /* the letters after %p */
	bool left, zero, alternate, plus, blank;
	uint8_t size;	      /* of a number: 1, 2, 4, 8 */
	int width, precision; /* -1: none */
	uint32_t width_node, precision_node, node;
	struct tp_slice literal; /* before it */
};

struct pk_tracepoint {
	struct pk_tracepoints *all;
	uint64_t id;
	struct tp_slice format; /* in the payload */
	const char *system;
	bool parsed, bad;
	bool unprintable; /* "print fmt" cannot be evaluated */
	char *text;	  /* a copy of format; names in it are NUL-terminated */
	char *name;
	struct pk_tracepoint_field *fields;
	uint32_t fields_count, common_count;
	size_t fields_capacity;
	struct tp_node *nodes;
	uint32_t nodes_count;
	size_t nodes_capacity;
	struct tp_piece *pieces;
	uint32_t pieces_count;
	size_t pieces_capacity;
};

struct tp_output {
	struct buffer text;
	size_t limit;
	bool cut; /* the limit was reached */
};

struct pk_tracepoints {
	uint8_t *payload;
	struct pk_tracepoint *list; /* by id */
	size_t count, capacity;
	struct tp_string {
		uint64_t address;
		struct tp_slice text;
	} * strings; /* by address: the kernel strings that pointers refer to */
	size_t strings_count, strings_capacity;
	bool big_endian;
	uint8_t long_size;
	pk_tracepoint_symbol_fn symbol;
	void *symbol_arg;
	struct tp_output output;
	bool failed; /* out of memory: a format can appear unprintable */
};

/* ---- Expressions (tracepoint_expr.c) ---- */

/* The text of an expression, split into tokens. */
struct tp_lexer {
	const char *at, *end;
	enum tp_token { TP_T_END, TP_T_NAME, TP_T_STRING, TP_T_OP } token;
	uint16_t op;
	struct tp_slice text;
};

void tp_lexer_next(struct tp_lexer *lexer);
/* The number of a node; 0: syntax error, or out of memory. */
uint32_t tp_expression(struct pk_tracepoint *tracepoint, struct tp_lexer *lexer);

/* The size of a field's type, by its name. */
uint8_t tp_type_size(const struct pk_tracepoint *tracepoint, const char *text, size_t size);

/* ---- Values of a sample (tracepoint_expr.c) ---- */

uint64_t tp_load(const struct pk_tracepoints *all, const struct pk_bytes *raw, uint64_t offset,
		 uint32_t size);
uint64_t tp_extend(uint64_t value, uint32_t size, bool is_signed);
uint64_t tp_eval(const struct pk_tracepoint *tracepoint, uint32_t node, const struct pk_bytes *raw);
/* The same, but a single field is not sign-extended. */
uint64_t tp_eval_unsigned(const struct pk_tracepoint *tracepoint, uint32_t node,
			  const struct pk_bytes *raw);
/* The bytes of a field, a dynamic array, or a cast of them; empty: none. */
struct pk_bytes tp_bytes(const struct pk_tracepoint *tracepoint, uint32_t node,
			 const struct pk_bytes *raw);
struct pk_bytes tp_field_bytes(const struct pk_tracepoints *all,
			       const struct pk_tracepoint_field *field, const struct pk_bytes *raw);

#endif
