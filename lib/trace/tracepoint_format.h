/* SPDX-License-Identifier: BSD-2-Clause */
/* The structures of a parsed format. They are used by tracepoint.c (payload and text of formats),
 * tracepoint_expr.c (expressions) and tracepoint_print.c (text of a sample). */
#ifndef TRACEPOINT_FORMAT_H
#define TRACEPOINT_FORMAT_H

#include "buffer.h"
#include "pkutil.h"
#include "tracepoint.h"

/* Limits for a format. TP_TEXT_MAX is the size of its text in bytes. The largest formats of the
 * kernel have a tenth of this size. TP_DEPTH_MAX is the depth of nested expressions. TP_WIDTH_MAX
 * is the greatest width or precision of a conversion. */
#define TP_TEXT_MAX   (1u << 20)
#define TP_FIELDS_MAX 4096u
#define TP_PIECES_MAX 1024u
#define TP_DEPTH_MAX  200u
#define TP_WIDTH_MAX  1024
/* Limits for the text of one sample, without the final "[...]". Its size in bytes is at most
 * TP_OUTPUT_MIN plus TP_OUTPUT_PER_BYTE for each raw byte, and at most TP_OUTPUT_MAX. The kernel
 * itself prints lines of up to 8 KiB. TP_OUTPUT_PER_BYTE is needed because each byte of an array
 * needs several bytes of text. */
#define TP_OUTPUT_MIN	   (16u << 10)
#define TP_OUTPUT_PER_BYTE 64u
#define TP_OUTPUT_MAX	   (1u << 20)

/* ---- Expressions: trees of numbered nodes, where 0 means no node ---- */

/* What a node of an expression computes. */
enum tp_kind {
	TP_NUMBER,	  /* the number `value` */
	TP_NAME,	  /* an enumerator that the kernel did not replace by its value */
	TP_STRING,	  /* the string `text` */
	TP_FIELD,	  /* the value of `field` */
	TP_CAST,	  /* `a`, converted to `type` */
	TP_UNARY,	  /* the operator `op`, applied to a */
	TP_BINARY,	  /* the operator `op`, applied to a and b */
	TP_CHOICE,	  /* a ? b : c */
	TP_INDEX,	  /* a[b] */
	TP_FLAGS,	  /* __print_flags(a, text, pairs): b is the first TP_PAIR */
	TP_SYMBOLIC,	  /* __print_symbolic(a, pairs): b is the first TP_PAIR */
	TP_PAIR,	  /* `value` (if known) and `text` of a pair; b is the next pair */
	TP_HEX,		  /* __print_hex: b bytes at a */
	TP_HEX_STR,	  /* __print_hex_str: as TP_HEX, but without blanks */
	TP_ARRAY,	  /* __print_array: b elements at a, each of c bytes */
	TP_DYNAMIC_ARRAY, /* __print_dynamic_array: elements of `field`, each of b bytes */
	TP_GET_STR,	  /* this kind and the next kinds are functions of `field` */
	TP_BITMASK,
	TP_CPUMASK,
	TP_DYNAMIC,
	TP_DYNAMIC_LEN,
};

/* The C type of a value. */
struct tp_type {
	uint8_t size; /* in bytes; for a pointer, the size of its target; 0 if it is unknown */
	bool is_signed, is_pointer;
};

/* A node of an expression of "print fmt". */
struct tp_node {
	uint8_t kind;	  /* a value of enum tp_kind */
	bool known;	  /* for TP_PAIR: the number `value` is known */
	bool is_unsigned; /* the value is unsigned after C's integer promotions */
	struct tp_type type;
	uint16_t op;	/* an operator, see TP_OP */
	uint16_t depth; /* number of levels of this node's tree, without the TP_PAIR nodes */
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

/* A text of "print fmt", and the conversion after it. */
struct tp_piece {
	char conversion; /* as in printf(3), such as 'd'; 0 if the piece is only `literal` */
	char pointer[8]; /* the letters after %p */
	bool left, zero, alternate, plus, blank;
	uint8_t size;	      /* size of a number: 1, 2, 4 or 8 bytes */
	int width, precision; /* -1 if it is not given */
	uint32_t width_node, precision_node, node;
	struct tp_slice literal;  /* text before the conversion */
	struct tp_slice argument; /* text of the expression `node` */
};

/* A format, which is parsed when it is first used. */
struct pk_tracepoint {
	struct pk_tracepoints *all;
	uint64_t id;
	struct tp_slice format; /* text of the format in the payload */
	const char *system;
	bool parsed, bad; /* `parsed`: tp_parse() was called. `bad`: tp_parse() has failed. */
	bool unprintable; /* "print fmt" cannot be evaluated */
	char *text;	  /* a copy of `format`, where names end with a NUL */
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
	bool cut; /* the text was cut at `limit` */
};

/* The formats of a session. */
struct pk_tracepoints {
	uint8_t *payload;
	size_t payload_size;
	struct pk_tracepoint *list; /* the formats, sorted by id */
	size_t count, capacity;
	struct tp_string {
		uint64_t address;
		struct tp_slice text;
	} * strings; /* strings of the kernel that pointers refer to, sorted by address */
	size_t strings_count, strings_capacity;
	bool big_endian;
	uint8_t long_size;
	pk_tracepoint_symbol_fn symbol;
	void *symbol_arg;
	const struct pk_tracepoint_printer *printer; /* NULL means pk's own printer */
	void *printer_state;
	struct tp_output output;
	struct buffer words; /* memory in which pk_tracepoint_words() makes raw bytes */
	bool failed;	     /* memory was exhausted, so a format can be missing or can wrongly be
			      * unprintable */
};

/* ---- Expressions (tracepoint_expr.c) ---- */

/* Splits the text of an expression into tokens. */
struct tp_lexer {
	const char *at, *end;
	enum tp_token { TP_T_END, TP_T_NAME, TP_T_STRING, TP_T_OP } token;
	uint16_t op;
	struct tp_slice text;
};

void pk_tp_lexer_next(struct tp_lexer *lexer);
/* Parses an expression, and returns the number of its node. Returns 0 if the syntax is wrong, if a
 * function or field is unknown, if the nesting is too deep, or if memory is exhausted. */
uint32_t pk_tp_expression(struct pk_tracepoint *tracepoint, struct tp_lexer *lexer);

/* Returns the size in bytes of the C type with this name, or 0 if it is unknown. */
uint8_t pk_tp_type_size(const struct pk_tracepoint *tracepoint, const char *text, size_t size);

/* ---- Kinds of fields (tracepoint_kinds.c) ---- */

/* Sets the kinds of all fields. Call it after the pieces were parsed. */
void pk_tp_find_kinds(struct pk_tracepoint *tracepoint);

/* ---- Values of a sample (tracepoint_expr.c) ---- */

/* Reads an unsigned number of `size` bytes at an offset of `raw`, in the byte order of the
 * recording. Returns 0 if the number is not in `raw`, or if `size` is not 1, 2, 4 or 8. */
uint64_t pk_tp_load(const struct pk_tracepoints *all, const struct pk_bytes *raw, uint64_t offset,
		    uint32_t size);
/* Extends the lowest `size` bytes of a value to 64 bits. If is_signed is true, the sign is
 * extended. If `size` is 0, the value is unchanged. */
uint64_t pk_tp_extend(uint64_t value, uint32_t size, bool is_signed);
/* Returns the value of a node for a sample. */
uint64_t pk_tp_eval(const struct pk_tracepoint *tracepoint, uint32_t node,
		    const struct pk_bytes *raw);
/* Does the same as pk_tp_eval(), but if the node is a field, its value is not sign-extended. */
uint64_t pk_tp_eval_unsigned(const struct pk_tracepoint *tracepoint, uint32_t node,
			     const struct pk_bytes *raw);
/* Returns the bytes that a node refers to. The node can be a field or a dynamic array. It can also
 * be a cast or the address of a field or dynamic array. An element of a field means all bytes of
 * the field. For other nodes, the result is empty. */
struct pk_bytes pk_tp_bytes(const struct pk_tracepoint *tracepoint, uint32_t node,
			    const struct pk_bytes *raw);
/* Returns the bytes of a field's value. The bytes of a dynamic field are at the location that the
 * field contains. The bytes end with `raw`. */
struct pk_bytes pk_tp_field_bytes(const struct pk_tracepoints *all,
				  const struct pk_tracepoint_field *field,
				  const struct pk_bytes *raw);

#endif
