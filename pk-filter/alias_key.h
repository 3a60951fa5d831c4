/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FILTER_ALIAS_KEY_H
#define PK_FILTER_ALIAS_KEY_H

/*
 * What its owner needs to put names back into an anonymous recording: the key of the hash, and what
 * each alias stands for. docs/anonymize.md has the form of the file.
 */

#include <stdbool.h>

#include "buffer.h"
#include "keyed_hash.h"
#include "texts.h"

enum alias_kind {
	ALIAS_NAME,
	ALIAS_BUILD_ID,
	ALIAS_NUMBER,
	ALIAS_DEVICE,	 /* that the file of an inode's alias is on, which has none of its own */
	ALIAS_REFERENCE, /* offset of the kernel's map, by its address */
	ALIAS_KINDS
};

/* All zero is an empty one. */
struct alias_key {
	struct hash_key hash;
	bool has_hash;
	bool failed; /* out of memory: something is missing */
	bool used;   /* an alias was found */
	struct pk_alias_pairs {
		struct pk_texts aliases;
		uint32_t *originals; /* by number of the alias */
		size_t capacity;
	} pairs[ALIAS_KINDS];
	struct pk_texts originals;
};

void alias_key_free(struct alias_key *key);
/* The first original of an alias counts. */
void alias_key_add(struct alias_key *key, enum alias_kind kind, const char *alias,
		   size_t alias_size, const char *original, size_t size);
/* Borrowed until the key is freed; NULL: not known. */
const char *alias_key_find(struct alias_key *key, enum alias_kind kind, const char *alias,
			   size_t size);
/* The same text at an address that lasts as long as the key. */
const char *alias_key_copy(struct alias_key *key, const char *text, size_t size);

/* Adds what the text of a file has. 0, or the number of the line that is none of such a file. */
size_t alias_key_parse(struct alias_key *key, const char *text, size_t size);
/* Of a key that has not failed. */
void alias_key_format(const struct alias_key *key, struct buffer *text);

/* ---- Files; all of these return the exit status, after a message ---- */

/* Reads a key. */
int alias_key_read(struct alias_key *key, const char *path);
/* Reads a key that is to be kept, or makes an empty file, before any output is opened: neither an
 * input nor an output can be this file. */
int alias_key_start(struct alias_key *key, const char *path);
/* Nothing was written: removes a file that was made for a key. */
void alias_key_discard(const char *path);
/* Replaces the file, which others cannot read. */
int alias_key_save(const struct alias_key *key, const char *path);

#endif
