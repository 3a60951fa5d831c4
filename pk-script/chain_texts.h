/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CHAIN_TEXTS_H
#define CHAIN_TEXTS_H

/* A cache of the complete texts of callchains that recur, in bounded memory. */

#include "chain_hash.h"

struct chain_text {
	struct pk_chain_hash hash;
	char *text; /* NULL: seen once, not stored yet */
	uint32_t size;
	uint32_t frames, unresolved; /* counts in the text */
};

struct chain_texts;

/* NULL: out of memory. */
struct chain_texts *chain_texts_new(void);
void chain_texts_free(struct chain_texts *texts);
/* Clears the cache. Call it for a new session. */
void chain_texts_forget(struct chain_texts *texts);

/* The key of a callchain. task: a number that is equal for two chains only if their texts can
 * differ by nothing else than maps and addresses. */
struct pk_chain_hash chain_texts_hash(const struct chain_texts *texts,
				      const struct pk_session *session,
				      const struct pk_thread *thread, uint64_t task,
				      const struct pk_u64s *chain);
/* Returns NULL at the first search for a chain, and adds an entry without text. At the next search,
 * returns the entry; if its text is NULL, the caller can store one with chain_texts_keep(). So only
 * chains that recur use memory for texts. */
struct chain_text *chain_texts_find(struct chain_texts *texts, const struct pk_chain_hash *hash);
/* Stores a copy of the text in the entry. Does nothing if memory or the limit of the cache is
 * exhausted. */
void chain_texts_keep(struct chain_texts *texts, struct chain_text *entry, const char *text,
		      size_t size);

#endif
