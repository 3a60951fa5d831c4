/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef JSON_H
#define JSON_H

/* Writes JSON without blanks into a buffer. The writer adds the commas. Each function adds a member
 * to an object. If `key` is NULL, it adds an item to a list. A key must be a constant text of the
 * program, because the writer does not escape it. */

#include "buffer.h"
#include "digits.h"

/* The state of a JSON writer. */
struct json {
	struct buffer *out; /* The caller sets `out`. At first, all other members are zero. */
	bool comma; /* true if the current object or list is not empty, so that the next member or
		     * item needs a comma */
};

/* The functions are always inlined, so that the compiler knows the size of a constant key. */
#define JSON_INLINE static inline __attribute__((always_inline))

/* Writes the key, and returns a pointer to space for `size` bytes of the value. The caller writes
 * the value, and then calls buffer_end(). Returns NULL if memory is exhausted. */
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

/* Adds the key. The caller then adds the value to the buffer `out`. */
JSON_INLINE void json_key(struct json *json, const char *key)
{
	const char *p = json_room(json, key, 0);

	if (p)
		buffer_end(json->out, p);
}

/* Like json_key(), but the key is a name from the input. The writer escapes it. */
JSON_INLINE void json_name(struct json *json, const char *name, size_t size)
{
	json_key(json, NULL);
	buffer_quoted(json->out, name, size);
	buffer_char(json->out, ':');
}

/* Starts an object if the bracket is '{', or a list if it is '['. */
JSON_INLINE void json_open(struct json *json, const char *key, char bracket)
{
	char *p = json_room(json, key, 1);

	if (!p)
		return;
	*p++ = bracket;
	buffer_end(json->out, p);
	json->comma = false;
}

/* Ends an object if the bracket is '}', or a list if it is ']'. */
JSON_INLINE void json_close(struct json *json, char bracket)
{
	buffer_char(json->out, bracket);
	json->comma = true;
}

/* Starts a new line before the next member or item. */
JSON_INLINE void json_line(struct json *json)
{
	buffer_text(json->out, json->comma ? ",\n" : "\n");
	json->comma = false;
}

/* Closes the object, and ends the line. */
JSON_INLINE void json_end(struct json *json)
{
	buffer_text(json->out, "}\n");
	json->comma = false;
}

/* Adds a value without quotes: a number, "null", "true", "false", or other text that is JSON
 * already. */
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

/* Adds a text of the program as a string. The text must not contain characters that JSON escapes.
 */
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

/* Adds a text of the input as a string, like buffer_quoted(). `text` can be NULL if size is 0. */
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

/* Adds a number as a string of hexadecimal digits. It is a string because many programs that read
 * JSON keep only 53 bits of a number. */
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

/* Adds bytes as a string with two hexadecimal digits for each byte. */
void json_hex_bytes(struct json *json, const char *key, const void *data, size_t size);
/* Adds a number with `digits` digits after the decimal point. */
void json_fixed(struct json *json, const char *key, double value, int digits);
/* Adds a number, like buffer_real(). */
void json_real(struct json *json, const char *key, double value);
/* Adds one or several members or items. The text is JSON with ' instead of ": "'a':0,'b':'c'". */
void json_known(struct json *json, const char *text);

#endif
