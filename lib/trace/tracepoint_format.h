/* SPDX-License-Identifier: BSD-2-Clause */
/* The structures of a parsed format, shared by tracepoint.c (payload and text of formats),
 * tracepoint_expr.c (their expressions) and tracepoint_print.c (the text of a sample). */
#ifndef TRACEPOINT_FORMAT_H
#define TRACEPOINT_FORMAT_H

#include "buffer.h"
#include "pkutil.h"
#include "tracepoint.h"

/* Limits for a format. TP_TEXT_MAX is the bytes of its text. The kernel's largest formats have a
 * tenth of it. TP_DEPTH_MAX is the nesting of expressions. TP_WIDTH_MAX is the width and precision
 * of a conversion. */
#define TP_TEXT_MAX   (1u << 20)
#define TP_FIELDS_MAX 4096u
#define TP_PIECES_MAX 1024u
#define TP_DEPTH_MAX  200u
#define TP_WIDTH_MAX  1024
/* The text of one sample, without the final "[...]", has at most TP_OUTPUT_MIN bytes and
 * TP_OUTPUT_PER_BYTE for each raw byte, and not more than TP_OUTPUT_MAX. The kernel itself prints
 * lines of up to 8 KiB; each byte of an array needs several bytes of text. */
#define TP_OUTPUT_MIN	   (16u << 10)
#define TP_OUTPUT_PER_BYTE 64u
#define TP_OUTPUT_MAX	   (1u << 20)

/* ---- Expressions: trees of nodes, which are numbered; 0 is no node ---- */

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
	TP_FLAGS,	  /* __print_flags(a, text, pairs): b is the first TP_PAIR */
	TP_SYMBOLIC,	  /* __print_symbolic(a, pairs): b is the first TP_PAIR */
	TP_PAIR,	  /* value (if known) and text of a pair; b is the next pair */
	TP_HEX,		  /* __print_hex: b bytes of a */
	TP_HEX_STR,	  /* the same without blanks */
	TP_ARRAY,	  /* __print_array: b elements of a, each of c bytes */
	TP_DYNAMIC_ARRAY, /* __print_dynamic_array: field, elements of b bytes */
	TP_GET_STR,	  /* this and the next ones: functions of field */
	TP_BITMASK,
	TP_CPUMASK,
	TP_DYNAMIC,
	TP_DYNAMIC_LEN,
};

struct tp_type {
	uint8_t size; /* bytes; of a pointer: of its target; 0: unknown */
	bool is_signed, is_pointer;
};

struct tp_node {
	uint8_t kind;	  /* enum tp_kind */
	bool known;	  /* TP_PAIR: value is known */
	bool is_unsigned; /* after C's integer promotions */
	struct tp_type type;
	uint16_t op;	/* TP_OP */
	uint16_t depth; /* levels of this node's tree, without TP_PAIRs */
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
	char conversion; /* as in printf(3), such as 'd'; 0: the piece is only the literal */
	char pointer[8]; /* the letters after %p */
	bool left, zero, alternate, plus, blank;
	uint8_t size;	      /* of a number, bytes: 1, 2, 4, 8 */
	int width, precision; /* -1: none */
	uint32_t width_node, precision_node, node;
	struct tp_slice literal;  /* the text before the conversion */
	struct tp_slice argument; /* the text of node */
};

struct pk_tracepoint {
	struct pk_tracepoints *all;
	uint64_t id;
	struct tp_slice format; /* its text in the payload */
	const char *system;
	bool parsed, bad; /* tp_parse() was called; it failed */
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
	struct pk_tracepoint *list; /* sorted by id */
	size_t count, capacity;
	struct tp_string {
		uint64_t address;
		struct tp_slice text;
	} * strings; /* the kernel's strings that pointers refer to; sorted by address */
	size_t strings_count, strings_capacity;
	bool big_endian;
	uint8_t long_size;
	pk_tracepoint_symbol_fn symbol;
	void *symbol_arg;
	const struct pk_tracepoint_printer *printer; /* NULL: ours */
	void *printer_state;
	struct tp_output output;
	struct buffer words; /* for pk_tracepoint_words(): raw bytes */
	bool failed; /* memory was exhausted: a format can be missing, or seem to be unprintable */
};

/* ---- Expressions (tracepoint_expr.c) ---- */

/* The text of an expression, split into tokens. */
struct tp_lexer {
	const char *at, *end;
	enum tp_token { TP_T_END, TP_T_NAME, TP_T_STRING, TP_T_OP } token;
	uint16_t op;
	struct tp_slice text;
};

void pk_tp_lexer_next(struct tp_lexer *lexer);
/* Parses an expression and returns the number of its node. Returns 0 if the syntax is wrong, a
 * function or field is unknown, the nesting is too deep, or memory is exhausted. */
uint32_t pk_tp_expression(struct pk_tracepoint *tracepoint, struct tp_lexer *lexer);

/* The size in bytes of a C type, given by its name, or 0 if it is unknown. */
uint8_t pk_tp_type_size(const struct pk_tracepoint *tracepoint, const char *text, size_t size);

/* ---- Kinds of fields (tracepoint_kinds.c) ---- */

/* Sets the kinds of all fields. Call it when the pieces are known. */
void pk_tp_find_kinds(struct pk_tracepoint *tracepoint);

/* ---- Values of a sample (tracepoint_expr.c) ---- */

/* The unsigned number of size bytes at an offset of raw, in the byte order of the recording. 0 if
 * it is not in raw, or size is not 1, 2, 4 or 8. */
uint64_t pk_tp_load(const struct pk_tracepoints *all, const struct pk_bytes *raw, uint64_t offset,
		    uint32_t size);
/* Extends the lowest size bytes of value to 64 bits, with their sign if is_signed. Size 0: value is
 * unchanged. */
uint64_t pk_tp_extend(uint64_t value, uint32_t size, bool is_signed);
/* The value of a node for a sample. */
uint64_t pk_tp_eval(const struct pk_tracepoint *tracepoint, uint32_t node,
		    const struct pk_bytes *raw);
/* The same, but a single field is not sign-extended. */
uint64_t pk_tp_eval_unsigned(const struct pk_tracepoint *tracepoint, uint32_t node,
			     const struct pk_bytes *raw);
/* The bytes that a node refers to: a field, a dynamic array, or a cast or the address of one. An
 * element of a field stands for the whole field. They are empty if it is another node. */
struct pk_bytes pk_tp_bytes(const struct pk_tracepoint *tracepoint, uint32_t node,
			    const struct pk_bytes *raw);
/* The bytes of a field's value. Those of a dynamic field are at its location, as far as they are in
 * raw. */
struct pk_bytes pk_tp_field_bytes(const struct pk_tracepoints *all,
				  const struct pk_tracepoint_field *field,
				  const struct pk_bytes *raw);

#endif
