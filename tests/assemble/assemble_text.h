/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef ASSEMBLE_TEXT_H
#define ASSEMBLE_TEXT_H

/* Reads the text of `assemble` as records of named fields. main.c describes the text. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct text_field {
	char *name, *value;
	bool quoted, used;
};

struct text_record {
	char *name; /* NULL if there are no more records */
	unsigned int line;
	struct text_field *fields;
	size_t count, capacity;
};

/* Exits with a message that contains the number of the line. */
void text_fail(const struct text_record *record, const char *what, const char *which)
	__attribute__((noreturn));

/* Reads the next record. Frees the previous record. */
void text_read(FILE *file, struct text_record *record);

/* Returns the first field of this name that is not marked as used, and marks it as used. Returns
 * NULL if there is no such field. */
struct text_field *text_find(struct text_record *record, const char *name);
/* Returns true if there is an unused field with this name, or with this name and then '.' or '['.
 * Does not mark the field as used. */
bool text_has(const struct text_record *record, const char *name);
/* Fails if there is an unused field. Its name is misspelt, or the record has no such field. */
void text_check_used(const struct text_record *record);

/* Returns the number in a field. If `names` is not NULL, the field can also have names of bits in
 * parentheses. */
uint64_t text_number(const struct text_record *record, const struct text_field *field,
		     const char *const *names, size_t names_count);
/* Returns the bytes in a field: SIZE:HEX, HEX, "TEXT", @FILE, or {WIDTH:NUMBER,...}. The caller
 * frees the result. */
uint8_t *text_bytes(const struct text_record *record, const struct text_field *field, bool big,
		    size_t *size);

#endif
