/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef JSON_H
#define JSON_H

/* Writes JSON without blanks into a buffer. The writer adds the commas. Each function adds a member
 * of an object, or an item of a list if `key` is NULL. A key is a text of the program: it is not
 * escaped. */

#include "buffer.h"
#include "digits.h"

struct json {
	struct buffer *out; /* set by the caller; all other members are zero at first */
	bool comma;	    /* something precedes in this object or list */
};

/* The size of a constant key is known where a function is inlined. */
#define JSON_INLINE static inline __attribute__((always_inline))

/* Starts a member, and returns space for `size` bytes after the key. The caller calls buffer_end().
 * NULL: out of memory. */
JSON_INLINE char *json_room(struct json *json, const char *key, size_t size)
{
	const size_t key_size = key ? strlen(key) : 0;
	char *p = buffer_room(json->out, key_size + 4 + size);

	if (!p)
		return NULL;
	*p = ',';
	p += json->comma;
	json->comma = true;
	if (key) {
		*p++ = '"';
		memcpy(p, key, key_size);
		p += key_size;
		*p++ = '"';
		*p++ = ':';
	}
	return p;
}

/* Adds the key. The caller adds the value to `out`. */
JSON_INLINE void json_key(struct json *json, const char *key)
{
	const char *p = json_room(json, key, 0);

	if (p)
		buffer_end(json->out, p);
}

/* The same for a name of the input. */
JSON_INLINE void json_name(struct json *json, const char *name, size_t size)
{
	json_key(json, NULL);
	buffer_quoted(json->out, name, size);
	buffer_char(json->out, ':');
}

/* An object or a list: bracket is '{' or '['. */
JSON_INLINE void json_open(struct json *json, const char *key, char bracket)
{
	char *p = json_room(json, key, 1);

	if (!p)
		return;
	*p++ = bracket;
	buffer_end(json->out, p);
	json->comma = false;
}

/* The bracket is '}' or ']'. */
JSON_INLINE void json_close(struct json *json, char bracket)
{
	buffer_char(json->out, bracket);
	json->comma = true;
}

/* The next member or item is on a new line. */
JSON_INLINE void json_line(struct json *json)
{
	buffer_text(json->out, json->comma ? ",\n" : "\n");
	json->comma = false;
}

/* The end of a line of JSON: closes the object. */
JSON_INLINE void json_end(struct json *json)
{
	buffer_text(json->out, "}\n");
	json->comma = false;
}

/* A value as it is: a number, "null", "true", or more JSON. */
JSON_INLINE void json_word(struct json *json, const char *key, const char *word)
{
	const size_t size = strlen(word);
	char *p = json_room(json, key, size);

	if (!p)
		return;
	memcpy(p, word, size);
	buffer_end(json->out, p + size);
}

JSON_INLINE void json_bool(struct json *json, const char *key, bool value)
{
	json_word(json, key, value ? "true" : "false");
}

/* A text of the program that needs no escapes. */
JSON_INLINE void json_plain(struct json *json, const char *key, const char *text)
{
	const size_t size = strlen(text);
	char *p = json_room(json, key, size + 2);

	if (!p)
		return;
	*p++ = '"';
	memcpy(p, text, size);
	p += size;
	*p++ = '"';
	buffer_end(json->out, p);
}

/* A text of the input, as buffer_quoted() writes it. text can be NULL if size is 0. */
JSON_INLINE void json_bytes(struct json *json, const char *key, const char *text, size_t size)
{
	json_key(json, key);
	buffer_quoted(json->out, text ? text : "", size);
}

JSON_INLINE void json_text(struct json *json, const char *key, const char *text)
{
	json_bytes(json, key, text, strlen(text));
}

JSON_INLINE void json_number(struct json *json, const char *key, uint64_t number)
{
	char *p = json_room(json, key, DIGITS_MAX);

	if (p)
		buffer_end(json->out, digits_decimal(p, number, 0));
}

JSON_INLINE void json_signed(struct json *json, const char *key, int64_t number)
{
	char *p = json_room(json, key, DIGITS_MAX);

	if (p)
		buffer_end(json->out, digits_signed(p, number, 0));
}

/* A string of hexadecimal digits: many readers of JSON keep only 53 bits of a number. */
JSON_INLINE void json_hex(struct json *json, const char *key, uint64_t number)
{
	char *p = json_room(json, key, DIGITS_MAX + 4);

	if (!p)
		return;
	memcpy(p, "\"0x", 3);
	p = digits_hex(p + 3, number, 0);
	*p++ = '"';
	buffer_end(json->out, p);
}

/* Bytes as a string of hexadecimal digits, two for each. */
void json_hex_bytes(struct json *json, const char *key, const void *data, size_t size);
/* With `digits` digits after the point. */
void json_fixed(struct json *json, const char *key, double value, int digits);
/* As buffer_real() adds it. */
void json_real(struct json *json, const char *key, double value);
/* One or several members or items whose values are known, as JSON with ' for ": "'a':0,'b':'c'". */
void json_known(struct json *json, const char *text);

#endif
