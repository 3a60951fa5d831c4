/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ALIAS_KEY_H
#define PK_FILTER_ALIAS_KEY_H

/* The data that is needed to restore the names of an anonymized recording: the key of the hash, and
 * the original of each alias. An alias is what replaces a name or a number. docs/anonymize.md
 * describes the format of the file. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buffer.h"
#include "texts.h"

/* ---- Hash ---- */

/* SipHash-2-4 (Aumasson and Bernstein, 2012). Without the key, nobody can find out what data was
 * hashed, not even by hashing all possible data. */

struct hash_key {
	uint64_t low, high; /* the 16 bytes of the key, little-endian */
};

uint64_t keyed_hash(const struct hash_key *key, const void *data, size_t size);

/* ---- Keys ---- */

/* What an alias replaces. Aliases of different kinds are stored in different lists. */
enum alias_kind {
	ALIAS_NAME,
	ALIAS_BUILD_ID,
	ALIAS_NUMBER,
	ALIAS_DEVICE,	 /* The device of a file. It is stored by the alias of the file's inode,
			  * because the device itself is replaced by 0. */
	ALIAS_REFERENCE, /* The offset of the kernel's map. It is stored by the address of the map,
			  * because the offset itself is replaced by 0. */
	ALIAS_KINDS
};

/* The hash key, and the aliases with their originals. A struct of zero bytes is empty. */
struct alias_key {
	struct hash_key hash;
	bool has_hash;
	bool failed; /* memory was exhausted, so that some aliases are missing */
	bool used;   /* alias_key_find() has found the original of an alias at least once */
	struct pk_alias_pairs {
		struct pk_texts aliases;
		/* For each alias, the number of its original in alias_key.originals. The index is
		 * the number of the alias. */
		uint32_t *originals;
		size_t capacity;
	} pairs[ALIAS_KINDS];
	struct pk_texts originals;
};

void alias_key_free(struct alias_key *key);
/* Adds an alias and its original. If the alias was added before, the earlier original is kept. */
void alias_key_add(struct alias_key *key, enum alias_kind kind, const char *alias,
		   size_t alias_size, const char *original, size_t size);
/* Returns the original of an alias, or NULL if the alias is unknown. The result is valid until the
 * key is freed. */
const char *alias_key_find(struct alias_key *key, enum alias_kind kind, const char *alias,
			   size_t size);
/* Returns a copy of the text. The copy is valid until the key is freed. */
const char *alias_key_copy(struct alias_key *key, const char *text, size_t size);

/* Adds the lines of a key file. Returns 0 on success. Otherwise returns the number of the first
 * invalid line. The first line of the file is number 1. */
size_t alias_key_parse(struct alias_key *key, const char *text, size_t size);
/* Writes the lines of a key file to text. The key must not have failed. */
void alias_key_format(const struct alias_key *key, struct buffer *text);

/* ---- Files: these functions print a message on errors, and return the exit status ---- */

/* Reads the lines of a key file into the key. */
int alias_key_read(struct alias_key *key, const char *path);
/* Reads the key. If the file does not exist, creates an empty file. Call this before any output is
 * opened: it makes sure that the file is neither an input nor an output. */
int alias_key_start(struct alias_key *key, const char *path);
/* Removes the file if it is still empty. This is the case if no output was written. */
void alias_key_discard(const char *path);
/* Replaces the file by the complete key. Only the owner of the file can read it. */
int alias_key_save(const struct alias_key *key, const char *path);

#endif
