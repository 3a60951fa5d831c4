// SPDX-License-Identifier: BSD-2-Clause
#include "json.h"

void json_known(struct json *json, const char *text)
{
	const size_t size = strlen(text);
	char *p;

	json_key(json, NULL);
	p = buffer_room(json->out, size);
	if (!p)
		return;
	for (size_t i = 0; i < size; i++)
		p[i] = text[i] == '\'' ? '"' : text[i];
	json->out->size += size;
}

void json_fixed(struct json *json, const char *key, double value, int digits)
{
	json_key(json, key);
	buffer_format(json->out, "%.*f", digits, value);
}

void json_real(struct json *json, const char *key, double value)
{
	json_key(json, key);
	buffer_real(json->out, value);
}

void json_hex_bytes(struct json *json, const char *key, const void *data, size_t size)
{
	json_key(json, key);
	buffer_char(json->out, '"');
	buffer_hex_bytes(json->out, data, size);
	buffer_char(json->out, '"');
}
