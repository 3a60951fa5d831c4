/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ASSEMBLE_TEXT_H
#define ASSEMBLE_TEXT_H

/* The text that `assemble` reads, as records of named fields. main.c describes it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text_field {
	char *name, *value;
	bool quoted, used;
};

struct text_record {
	char *name; /* NULL: no more records */
	unsigned int line;
	struct text_field *fields;
	size_t count, capacity;
};

/* Exits with a message that names the line. */
void text_fail(const struct text_record *record, const char *what, const char *which)
	__attribute__((noreturn));

/* The next record. Frees the one before it. */
void text_read(FILE *file, struct text_record *record);

/* The first field of this name that was not yet asked for, or NULL. */
struct text_field *text_find(struct text_record *record, const char *name);
/* Is there one whose name is this, or continues it with '.' or '['? Does not mark it as used. */
bool text_has(const struct text_record *record, const char *name);
/* Fails for a field that was not asked for: it is misspelt, or not of this record. */
void text_check_used(const struct text_record *record);

/* A number; in parentheses the names of bits or of one value, where names is not NULL. */
uint64_t text_number(const struct text_record *record, const struct text_field *field,
		     const char *const *names, size_t names_count);
/* Bytes: SIZE:HEX, HEX, @FILE, or {WIDTH:NUMBER,...}. To be freed. */
uint8_t *text_bytes(const struct text_record *record, const struct text_field *field, bool big,
		    size_t *size);

#endif
