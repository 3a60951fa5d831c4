/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ABI_H
#define PK_ABI_H

/* The layouts of pk's extension of perf's record stream (format/SPEC.md, section 9). Like the types
 * in perf_abi.h, these types include the header, are packed, and may alias the bytes of the record.
 * The reader checks the sizes of SESSION, END, FEATURE_PART and ARGUMENTS only. For any other
 * definition, a program must first compare record->size with the size of the type, or call a
 * decoder of pkstream.h. */

#include "perf_abi.h"

#define PK_BUILD_ID_MAX 20

/* Every definition starts with this struct. For perf, a definition is an EVENT_UPDATE that belongs
 * to no event. */
struct PERF_RECORD_TYPE pk_definition_head {
	struct perf_header header;
	uint64_t subtype; /* PK_SUBTYPE_BASE plus a number of enum pk_definition */
	uint64_t id;	  /* always 0 */
};

struct PERF_RECORD_TYPE pk_record_session {
	struct pk_definition_head head;
	uint16_t version;
	uint8_t byte_order, word_size;
	uint32_t trailers, e_machine, zero;
};

struct PERF_RECORD_TYPE pk_record_stage {
	struct pk_definition_head head;
	uint32_t id, parent;
	uint64_t time;
	uint32_t argc, zero;
	char strings[]; /* program, version, host and argv, each with its NUL */
};

struct PERF_RECORD_TYPE pk_record_order {
	struct pk_definition_head head;
	uint32_t kind;
	int32_t clockid;
};

struct PERF_RECORD_TYPE pk_record_string {
	struct pk_definition_head head;
	uint32_t id, length;
	char text[];
};

struct PERF_RECORD_TYPE pk_record_dso {
	struct pk_definition_head head;
	uint32_t id, kind, path, build_id_size;
	uint8_t build_id[PK_BUILD_ID_MAX];
	uint32_t zero;
};

struct PERF_RECORD_TYPE pk_record_frame {
	struct pk_definition_head head;
	uint32_t id, dso, function, file, line, column, flags, zero;
	uint64_t address, symbol_start;
};

struct PERF_RECORD_TYPE pk_record_stack {
	struct pk_definition_head head;
	uint32_t id, parent, frame, nr;
	uint32_t inner[]; /* nr frames; each frame is called by the frame before it */
};

struct PERF_RECORD_TYPE pk_record_loss {
	struct pk_definition_head head;
	uint32_t stage, cause;
	uint64_t count, total;
};

struct PERF_RECORD_TYPE pk_record_reset {
	struct pk_definition_head head;
	uint32_t what, zero;
};

/* The record that the SPEC calls END. */
struct PERF_RECORD_TYPE pk_record_finish {
	struct pk_definition_head head;
	uint64_t records, samples;
};

struct PERF_RECORD_TYPE pk_record_image {
	struct pk_definition_head head;
	uint32_t id, kind, pid, build_id_size;
	uint8_t build_id[PK_BUILD_ID_MAX];
	uint32_t zero;
	char path[];
};

/* `count` entries of struct pk_symbol_entry follow. */
struct PERF_RECORD_TYPE pk_record_symbols {
	struct pk_definition_head head;
	uint32_t image, count;
	uint8_t entries[];
};

/* `count` entries of struct pk_source_entry follow. */
struct PERF_RECORD_TYPE pk_record_source {
	struct pk_definition_head head;
	uint32_t image, count;
	uint64_t address;
	uint8_t entries[];
};

struct PERF_RECORD_TYPE pk_record_forget {
	struct pk_definition_head head;
	uint64_t zero;
};

struct PERF_RECORD_TYPE pk_record_feature_part {
	struct pk_definition_head head;
	uint32_t feature, byte_order;
	uint64_t size, offset;
	uint8_t data[];
};

/* `count` entries of struct pk_argument_entry follow. */
struct PERF_RECORD_TYPE pk_record_arguments {
	struct pk_definition_head head;
	uint64_t event;
	uint32_t count;
	uint8_t stack, byte_order;
	uint16_t zero;
	uint8_t entries[];
};

/* Two strings follow: the name and the value. Each string is a 32-bit size and then the text. */
struct PERF_RECORD_TYPE pk_record_label {
	struct pk_definition_head head;
	uint8_t strings[];
};

struct PERF_RECORD_TYPE pk_record_rate {
	struct pk_definition_head head;
	uint64_t event;
	uint32_t frequency, cause;
};

/* Each entry is padded with zeros to a multiple of 8 bytes. */
struct PERF_RECORD_TYPE pk_symbol_entry {
	uint64_t start, size;
	uint32_t flags, length;
	char name[];
};

struct PERF_RECORD_TYPE pk_source_entry {
	uint32_t line, column, flags, function_length, file_length, zero;
	char texts[]; /* the name of the function, then the path of the file */
};

struct PERF_RECORD_TYPE pk_argument_entry {
	uint8_t kind, size, flags, base, index, scale, shift, length;
	uint64_t value;
	char name[];
};

/* Both the stack trailer and the chain trailer of a SAMPLE have this layout. */
struct PERF_RECORD_TYPE pk_trailer {
	uint32_t tag, value;
};

PERF_STATIC_ASSERT(sizeof(struct pk_definition_head) == 24, "definition");
PERF_STATIC_ASSERT(sizeof(struct pk_record_session) == 40, "SESSION");
PERF_STATIC_ASSERT(sizeof(struct pk_record_stage) == 48, "STAGE");
PERF_STATIC_ASSERT(sizeof(struct pk_record_order) == 32, "ORDER");
PERF_STATIC_ASSERT(sizeof(struct pk_record_string) == 32, "STRING");
PERF_STATIC_ASSERT(sizeof(struct pk_record_dso) == 64, "DSO");
PERF_STATIC_ASSERT(sizeof(struct pk_record_frame) == 72, "FRAME");
PERF_STATIC_ASSERT(sizeof(struct pk_record_stack) == 40, "STACK");
PERF_STATIC_ASSERT(sizeof(struct pk_record_loss) == 48, "LOSS");
PERF_STATIC_ASSERT(sizeof(struct pk_record_reset) == 32, "RESET");
PERF_STATIC_ASSERT(sizeof(struct pk_record_finish) == 40, "END");
PERF_STATIC_ASSERT(sizeof(struct pk_record_image) == 64, "IMAGE");
PERF_STATIC_ASSERT(sizeof(struct pk_record_symbols) == 32, "SYMBOLS");
PERF_STATIC_ASSERT(sizeof(struct pk_record_source) == 40, "SOURCE");
PERF_STATIC_ASSERT(sizeof(struct pk_record_forget) == 32, "FORGET");
PERF_STATIC_ASSERT(sizeof(struct pk_record_feature_part) == 48, "FEATURE_PART");
PERF_STATIC_ASSERT(sizeof(struct pk_record_arguments) == 40, "ARGUMENTS");
PERF_STATIC_ASSERT(sizeof(struct pk_record_label) == 24, "LABEL");
PERF_STATIC_ASSERT(sizeof(struct pk_record_rate) == 40, "RATE");
PERF_STATIC_ASSERT(sizeof(struct pk_symbol_entry) == 24, "entry of SYMBOLS");
PERF_STATIC_ASSERT(sizeof(struct pk_source_entry) == 24, "entry of SOURCE");
PERF_STATIC_ASSERT(sizeof(struct pk_argument_entry) == 16, "entry of ARGUMENTS");
PERF_STATIC_ASSERT(sizeof(struct pk_trailer) == 8, "trailer");

#endif
