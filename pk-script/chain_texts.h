/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CHAIN_TEXTS_H
#define CHAIN_TEXTS_H

/* The texts of callchains that recur, whole, in bounded memory. */

#include "chain_hash.h"

struct chain_text {
	struct pk_chain_hash hash;
	char *text; /* NULL: seen once, not kept yet */
	uint32_t size;
	uint32_t frames, unresolved; /* that it shows */
};

struct chain_texts;

/* NULL: out of memory. */
struct chain_texts *chain_texts_new(void);
void chain_texts_free(struct chain_texts *texts);
/* For a new session, or whenever texts may be other ones. */
void chain_texts_forget(struct chain_texts *texts);

/* task: what else than maps and addresses the text depends on. */
struct pk_chain_hash chain_texts_hash(const struct chain_texts *texts,
				      const struct pk_session *session,
				      const struct pk_thread *thread, uint64_t task,
				      const struct pk_u64s *chain);
/*
 * NULL: the chain is seen for the first time, and noted. With text NULL: it is seen again; the
 * caller may give its text with chain_texts_keep().
 */
struct chain_text *chain_texts_find(struct chain_texts *texts, const struct pk_chain_hash *hash);
/* Copies the text. It is no harm if there is no memory for it. */
void chain_texts_keep(struct chain_texts *texts, struct chain_text *entry, const char *text,
		      size_t size);

#endif
