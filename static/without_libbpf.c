// SPDX-License-Identifier: BSD-2-Clause
/* In place of pk-record/bpf_library.c: static programs cannot load libbpf. The other functions are
 * not called after bpf_library_load() has failed. */
#include "bpf_library.h"

bool bpf_library_load(struct pk_messages *messages)
{
	return pk_messages_error(messages, "--bpf: this is a static program, which cannot load "
					   "libbpf: use a usual build");
}

struct bpf_library *bpf_library_open(const void *data, size_t size, const char *label,
				     struct pk_messages *messages)
{
	(void)data;
	(void)size;
	(void)label;
	bpf_library_load(messages);
	return NULL;
}

void bpf_library_close(struct bpf_library *object)
{
	(void)object;
}

const void *bpf_library_types(const struct bpf_library *object, size_t *size)
{
	(void)object;
	*size = 0;
	return NULL;
}

bool bpf_library_map_at(const struct bpf_library *object, size_t index, struct bpf_library_map *map)
{
	(void)object;
	(void)index;
	(void)map;
	return false;
}

uint8_t *bpf_library_section(const struct bpf_library *object, const char *section, size_t *size)
{
	(void)object;
	(void)section;
	*size = 0;
	return NULL;
}

int bpf_library_section_map(const struct bpf_library *object, const char *section)
{
	(void)object;
	(void)section;
	return -1;
}

bool bpf_library_start(struct bpf_library *object, struct pk_messages *messages)
{
	(void)object;
	return bpf_library_load(messages);
}

bool bpf_library_attach(struct bpf_library *object, struct pk_messages *messages)
{
	(void)object;
	return bpf_library_load(messages);
}
