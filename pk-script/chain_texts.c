// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "chain_texts.h"

#define PAIRS	  ((size_t)1 << 14) /* 1.25 MiB of entries */
#define BYTES_MAX ((size_t)32 << 20)

struct chain_texts {
	struct chain_text pairs[PAIRS][2];
	struct pk_chain_seeds seeds;
	size_t bytes;
};

struct chain_texts *chain_texts_new(void)
{
	struct chain_texts *texts = calloc(1, sizeof(*texts));

	if (texts)
		pk_chain_seeds_draw(&texts->seeds);
	return texts;
}

void chain_texts_forget(struct chain_texts *texts)
{
	for (size_t i = 0; i < PAIRS; i++) {
		free(texts->pairs[i][0].text);
		free(texts->pairs[i][1].text);
	}
	memset(texts->pairs, 0, sizeof(texts->pairs));
	texts->bytes = 0;
}

void chain_texts_free(struct chain_texts *texts)
{
	if (!texts)
		return;
	chain_texts_forget(texts);
	free(texts);
}

struct pk_chain_hash chain_texts_hash(const struct chain_texts *texts,
				      const struct pk_session *session,
				      const struct pk_thread *thread, uint64_t task,
				      const struct pk_u64s *chain)
{
	const struct pk_chain_key key = {
		.maps = pk_chain_maps(session, thread), .task = task, .ips = chain};

	return pk_chain_hash(&texts->seeds, &key);
}

struct chain_text *chain_texts_find(struct chain_texts *texts, const struct pk_chain_hash *hash)
{
	struct chain_text *pair = texts->pairs[hash->low & (PAIRS - 1)],
			  *found = pk_pair_find(pair, sizeof(*pair), hash);

	if (found)
		return found;
	texts->bytes -= pair[1].text ? pair[1].size : 0;
	free(pair[1].text);
	pair[1] = (struct chain_text){.hash = *hash};
	return NULL;
}

void chain_texts_keep(struct chain_texts *texts, struct chain_text *entry, const char *text,
		      size_t size)
{
	if (texts->bytes + size > BYTES_MAX || size > UINT32_MAX)
		return;
	entry->text = malloc(size + !size);
	if (!entry->text)
		return;
	memcpy(entry->text, text, size);
	entry->size = (uint32_t)size;
	texts->bytes += size;
}
