// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "digits.h"
#include "field_kind.h"
#include "syscall_words.h"

#define NS_PER_S UINT64_C(1000000000)

static const struct {
	const char *name;
	enum pk_value_kind as_data;
} kinds[PK_VALUE_KINDS] = {
	[PK_VALUE_NONE] = {"none", PK_VALUE_NONE},
	[PK_VALUE_NUMBER] = {"number", PK_VALUE_NUMBER},
	[PK_VALUE_SIGNED] = {"number", PK_VALUE_SIGNED},
	[PK_VALUE_INT] = {"number", PK_VALUE_INT},
	[PK_VALUE_HEX] = {"bits", PK_VALUE_HEX},
	[PK_VALUE_TIME] = {"time stamp", PK_VALUE_NUMBER},
	[PK_VALUE_TEXT] = {"text", PK_VALUE_TEXT},
	[PK_VALUE_ADDRESS] = {"address", PK_VALUE_HEX},
	[PK_VALUE_DURATION] = {"duration", PK_VALUE_NUMBER},
	[PK_VALUE_BYTES] = {"bytes", PK_VALUE_NUMBER},
	[PK_VALUE_DEVICE] = {"device", PK_VALUE_NUMBER},
	[PK_VALUE_ERROR] = {"error", PK_VALUE_NUMBER},
	[PK_VALUE_RESULT] = {"result", PK_VALUE_SIGNED},
	[PK_VALUE_WORDS] = {"words", PK_VALUE_NUMBER},
	[PK_VALUE_SIGNED_WORDS] = {"words", PK_VALUE_SIGNED},
};

const char *pk_kind_name(enum pk_value_kind kind)
{
	return kinds[kind].name;
}

enum pk_value_kind pk_kind_as_data(enum pk_value_kind kind)
{
	return kinds[kind].as_data;
}

/* Writes a time in seconds with nine decimals, so that two times are equal if their texts are
 * equal. */
static char *put_time(char *text, uint64_t ns)
{
	text = digits_decimal(text, ns / NS_PER_S, 0);
	*text++ = '.';
	ns %= NS_PER_S;
	for (uint64_t digit = NS_PER_S / 10; digit; digit /= 10)
		*text++ = (char)('0' + ns / digit % 10);
	return text;
}

static char *put_device(char *text, uint64_t device)
{
	text = digits_decimal(text, device >> 20, 0);
	*text++ = ',';
	return digits_decimal(text, device & 0xfffff, 0);
}

/* Writes the name of an error number. Returns NULL if the number has no name. */
static char *put_error(char *text, uint64_t number)
{
	const char *name = number ? pk_errno_name(number) : NULL;
	const size_t size = name ? strlen(name) : 0;

	if (!size || size > PK_VALUE_SIZE)
		return NULL;
	memcpy(text, name, size);
	return text + size;
}

size_t pk_number_text(enum pk_value_kind kind, uint64_t key, char text[PK_VALUE_SIZE])
{
	char *end = NULL;

	switch (kind) {
	case PK_VALUE_HEX:
	case PK_VALUE_ADDRESS:
		memcpy(text, "0x", 2);
		end = digits_hex(text + 2, key, 0);
		break;
	case PK_VALUE_TIME: end = put_time(text, key); break;
	case PK_VALUE_DEVICE: end = key >> 32 ? NULL : put_device(text, key); break;
	case PK_VALUE_ERROR: end = put_error(text, key); break;
	case PK_VALUE_RESULT: end = put_error(text, -key); break;
	default: break;
	}
	if (!end && pk_kind_is_signed(kind))
		end = digits_signed(text, (int64_t)key, 0);
	else if (!end)
		end = digits_decimal(text, key, 0);
	return (size_t)(end - text);
}

/* ---- Fields that formats do not describe ---- */

/* Kinds by names. The first row that matches is used. NULL matches every name, and a name that ends
 * with * matches all names with this prefix. */
static const struct {
	const char *system, *event, *field;
	enum pk_value_kind kind;
	bool if_signed; /* the row matches only signed numbers */
} known[] = {
	{NULL, NULL, "call_site", PK_VALUE_ADDRESS, false},
	{NULL, NULL, "ptr", PK_VALUE_ADDRESS, false},
	{"kvm", NULL, "guest_rip", PK_VALUE_ADDRESS, false},
	{"kvm", NULL, "rip", PK_VALUE_ADDRESS, false},
	{"kvm", NULL, "gpa", PK_VALUE_ADDRESS, false},
	{"pk", NULL, "start", PK_VALUE_TIME, false},
	{"pk", NULL, "time", PK_VALUE_TIME, false},
	{"pk", NULL, "error", PK_VALUE_ERROR, false},
	{"pk", NULL, "size", PK_VALUE_BYTES, false},
	{"pk", NULL, "len", PK_VALUE_BYTES, false},
	{"sched", "sched_stat_*", "delay", PK_VALUE_DURATION, false},
	{"sched", "sched_stat_*", "runtime", PK_VALUE_DURATION, false},
	{"sched", "sched_stat_*", "vruntime", PK_VALUE_DURATION, false},
	{"pk", NULL, "runtime", PK_VALUE_DURATION, false},
	{NULL, NULL, "duration", PK_VALUE_DURATION, false},
	{NULL, NULL, "bytes*", PK_VALUE_BYTES, false},
	{NULL, NULL, "nr_bytes", PK_VALUE_BYTES, false},
	{NULL, NULL, "ret", PK_VALUE_RESULT, true},
	{NULL, NULL, "rc", PK_VALUE_RESULT, true},
	{NULL, NULL, "err", PK_VALUE_RESULT, true},
	{NULL, NULL, "error", PK_VALUE_RESULT, true},
	{NULL, NULL, "errno", PK_VALUE_RESULT, true},
	{NULL, NULL, "retval", PK_VALUE_RESULT, true},
};

static bool fits(const char *pattern, const char *name)
{
	const size_t length = pattern ? strlen(pattern) : 0;

	if (!length)
		return true;
	return pattern[length - 1] == '*' ? !strncmp(pattern, name, length - 1)
					  : !strcmp(pattern, name);
}

enum pk_value_kind pk_kind_known(const char *system, const char *event, const char *field,
				 bool is_signed)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if ((is_signed || !known[i].if_signed) && fits(known[i].system, system) &&
		    fits(known[i].event, event) && fits(known[i].field, field))
			return known[i].kind;
	return PK_VALUE_NONE;
}
