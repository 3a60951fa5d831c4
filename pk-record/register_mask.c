// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lookups.h"
#include "pkprivate.h"
#include "procfs.h"
#include "register_mask.h"

uint64_t registers_all(void)
{
#if defined(__x86_64__)
	return UINT64_C(0xff0fff);
#elif defined(__aarch64__)
	return UINT64_C(0x1ffffffff);
#elif defined(__arm__)
	return UINT64_C(0xffff);
#elif defined(__riscv)
	return UINT64_C(0xffffffff);
#elif defined(__s390x__)
	return UINT64_C(0x3ffffffff);
#else
	return 0;
#endif
}

uint64_t registers_link(void)
{
#if defined(__aarch64__)
	return UINT64_C(1) << 30;
#else
	return 0;
#endif
}

bool registers_return_on_stack(void)
{
#if defined(__x86_64__)
	return true;
#else
	return false;
#endif
}

/* Returns the bit of a register, or 0 if there is no register with this name. */
static uint64_t register_bit(const char *wanted)
{
	const uint32_t machine = pk_procfs_session_info(pk_lookups()).e_machine;

	for (unsigned int number = 0; number < 64; number++) {
		const uint64_t bit = UINT64_C(1) << number;
		const char *name = registers_all() & bit ? pk_register_name(machine, number) : NULL;

		if (name && !strcasecmp(name, wanted))
			return bit;
	}
	return 0;
}

enum pk_status registers_parse(const char *text, uint64_t *mask)
{
	char *copy, *cursor, *word;
	uint64_t bit = 1;

	*mask = 0;
	if (!text) {
		*mask = registers_all();
		return *mask ? PK_OK : PK_NOMEM;
	}
	copy = cursor = strdup(text);
	while (bit && (word = strsep(&cursor, ","))) {
		bit = register_bit(word);
		*mask |= bit;
	}
	free(copy);
	if (!copy)
		return PK_NOMEM;
	return bit ? PK_OK : PK_NOMEM;
}

void registers_print(void)
{
	const uint32_t machine = pk_procfs_session_info(pk_lookups()).e_machine;
	const char *before = "";

	for (unsigned int number = 0; number < 64; number++) {
		const char *name =
			registers_all() >> number & 1 ? pk_register_name(machine, number) : NULL;

		if (!name)
			continue;
		printf("%s%s", before, name);
		before = " ";
	}
	puts("");
}
