/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The text of /proc/kallsyms, kept: the kernel takes some 18 ms to make it anew, which is most of
 * what a short recording costs. A copy holds for one boot, one list of modules and one user.
 * Whatever is wrong with it, it is as if there were none; many programs may use it at once.
 */
#ifndef PK_KALLSYMS_CACHE_H
#define PK_KALLSYMS_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pk_kallsyms_cache {
	char path[4096];
	uint64_t key;
};

/* folder: where it is kept. False: it cannot be, as the boot cannot be told from others. */
bool pk_kallsyms_cache_find(struct pk_kallsyms_cache *c, const char *folder);
/* The text, with a NUL behind it, for free(); NULL: there is none, or not one that can be trusted.
 */
char *pk_kallsyms_cache_read(const struct pk_kallsyms_cache *c, size_t max, size_t *size);
/* It is no harm if that fails. */
void pk_kallsyms_cache_write(const struct pk_kallsyms_cache *c, const char *text, size_t size);

#endif
