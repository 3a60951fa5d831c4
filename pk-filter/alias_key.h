/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ALIAS_KEY_H
#define PK_FILTER_ALIAS_KEY_H

/* The data that restores the names of an anonymous recording: the key of the hash, and the original
 * of each alias. docs/anonymize.md describes the format of the file. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "texts.h"

/* ---- Hash ---- */

/* SipHash-2-4 (Aumasson and Bernstein, 2012): without the key, nobody can find the hashed data, not
 * even by hashing all possible values. */

struct hash_key {
	uint64_t low, high; /* the 16 bytes of the key, little-endian */
};

uint64_t keyed_hash(const struct hash_key *key, const void *data, size_t size);

/* ---- Keys ---- */

enum alias_kind {
	ALIAS_NAME,
	ALIAS_BUILD_ID,
	ALIAS_NUMBER,
	ALIAS_DEVICE,	 /* the original device of a file, by the alias of its inode */
	ALIAS_REFERENCE, /* offset of the kernel's map, by its address */
	ALIAS_KINDS
};

/* A key. Zeroed, it is empty. */
struct alias_key {
	struct hash_key hash;
	bool has_hash;
	bool failed; /* out of memory: the key is incomplete */
	bool used;   /* alias_key_find() has found an alias */
	struct pk_alias_pairs {
		struct pk_texts aliases;
		uint32_t *originals; /* by the number of the alias */
		size_t capacity;
	} pairs[ALIAS_KINDS];
	struct pk_texts originals;
};

void alias_key_free(struct alias_key *key);
/* If an alias is added twice, its first original is kept. */
void alias_key_add(struct alias_key *key, enum alias_kind kind, const char *alias,
		   size_t alias_size, const char *original, size_t size);
/* The original of an alias, valid until the key is freed, or NULL if it is unknown. */
const char *alias_key_find(struct alias_key *key, enum alias_kind kind, const char *alias,
			   size_t size);
/* A copy of the text that is valid until the key is freed. */
const char *alias_key_copy(struct alias_key *key, const char *text, size_t size);

/* Adds the lines of a key file. Returns 0, or the number of the first invalid line, from 1 on. */
size_t alias_key_parse(struct alias_key *key, const char *text, size_t size);
/* Formats the file. The key must not have failed. */
void alias_key_format(const struct alias_key *key, struct buffer *text);

/* ---- Files: these functions print a message on errors, and return the exit status ---- */

/* Reads a key. */
int alias_key_read(struct alias_key *key, const char *path);
/* Reads the key, or creates an empty file. Call it before any output is opened, so that the file is
 * neither an input nor an output. */
int alias_key_start(struct alias_key *key, const char *path);
/* Removes the file if it is still empty, because no output was written. */
void alias_key_discard(const char *path);
/* Replaces the file. Only its owner can read it. */
int alias_key_save(const struct alias_key *key, const char *path);

#endif
