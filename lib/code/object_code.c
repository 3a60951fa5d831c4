// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jitdump.h"
#include "machine.h"
#include "object_code_internal.h"
#include "vmlinux.h"

/* ---- Opening ---- */

static struct pk_machine machine_of_elf(const struct pk_elf *elf)
{
	const uint16_t one = 1;
	const bool host_is_big = !*(const uint8_t *)&one;

	return (struct pk_machine){pk_elf_machine(elf), pk_elf_is_64(elf),
				   host_is_big != pk_elf_swapped(elf)};
}

static bool anything(const struct pk_elf *elf)
{
	(void)elf;
	return true;
}

static struct pk_search search_of(struct pk_object *o)
{
	struct pk_search search = pk_object_search(o);

	search.wanted = anything;
	return search;
}

static void open_file(struct pk_machine_code *c)
{
	const struct pk_search search = search_of(c->object);
	struct pk_found found;

	if (pk_is_vdso(c->object->path))
		pk_search_vdso(&search, &found);
	else
		pk_search_file(&search, &found);
	c->state = found.runtime ? PK_OBJECT_READY : found.state;
	c->elf = found.runtime;
	c->source = found.source;
	if (found.symbols == found.runtime)
		found.symbols = NULL;
	found.runtime = NULL;
	found.source = NULL;
	pk_found_release(&found);
}

/* The memory of the running kernel is as it was recorded if it is of that build and was not booted
 * anew, which would have moved it. */
static bool is_running(struct pk_object *o)
{
	struct pk_build_id running;

	return !*o->store->options.vmlinux && pk_object_state(o) == PK_OBJECT_READY && !o->shift &&
	       !strcmp(pk_object_source(o), "/proc/kallsyms") &&
	       (!o->build_id.size ||
		(pk_running_build_id(o->store, "[kernel.kallsyms]", &running) &&
		 pk_build_id_equal(&running, &o->build_id)));
}

static void open_kernel(struct pk_machine_code *c)
{
	struct pk_object *o = c->object;
	struct pk_search search = search_of(o);
	uint64_t value;

	if (is_running(o) && pk_kcore_open(&c->kcore, &c->machine, search.failures)) {
		c->state = PK_OBJECT_READY;
		c->source = pk_need(search.failures, strdup("/proc/kcore"));
		return;
	}
	search.path = "";
	c->elf = pk_search_vmlinux(&search, &c->source);
	if (!c->elf) {
		c->state = PK_OBJECT_NO_FILE;
		return;
	}
	c->state = PK_OBJECT_READY;
	if (o->view && pk_vmlinux_symbol(c->elf, o->reference, &value))
		c->shift = value - o->view;
}

/* The specification's header: magic, version, size, machine. */
static void open_jitdump(struct pk_machine_code *c)
{
	const struct pk_search search = search_of(c->object);
	const uint16_t one = 1;
	const bool host_is_big = !*(const uint8_t *)&one;
	uint32_t head[4];
	ssize_t n;
	const struct pk_machine_kind *kind;

	c->state = pk_search_jitdump(&search, (uid_t)-1, &c->dump, &c->source);
	if (c->state != PK_OBJECT_READY) {
		c->dump = -1;
		return;
	}
	n = pread(c->dump, head, sizeof(head), 0);
	if (n != (ssize_t)sizeof(head) || !c->object->dump) {
		c->state = n < 0 ? pk_search_failed(&search, c->source, errno) : PK_OBJECT_UNUSABLE;
		return;
	}
	c->machine.number = c->object->dump->swapped ? __builtin_bswap32(head[3]) : head[3];
	kind = pk_machine_of_elf(c->machine.number);
	c->machine.is_64 = !kind || kind->word == 8;
	c->machine.big_endian = host_is_big != c->object->dump->swapped;
}

struct pk_machine_code *pk_machine_code_new(struct pk_object *o)
{
	struct pk_failures *failures = &o->store->failures;
	struct pk_machine_code *c = pk_need(failures, calloc(1, sizeof(*c)));
	const uint64_t before = failures->count;

	if (!c)
		return NULL;
	c->object = o;
	c->kcore.fd = -1;
	c->dump = -1;
	pk_object_state(o);
	switch (o->kind) {
	case PK_KIND_FILE: open_file(c); break;
	case PK_KIND_KERNEL: open_kernel(c); break;
	case PK_KIND_JITDUMP: open_jitdump(c); break;
	case PK_KIND_PERF_MAP: c->state = PK_OBJECT_NOT_A_FILE; break;
	}
	if (c->elf)
		c->machine = machine_of_elf(c->elf);
	if (c->state == PK_OBJECT_READY && !c->source)
		c->state = PK_OBJECT_NO_MEMORY;
	else if (c->state != PK_OBJECT_READY && failures->count != before)
		c->state = PK_OBJECT_FAILED;
	return c;
}

struct pk_machine_code *pk_machine_code_of_bytes(const struct pk_machine *machine, uint64_t address,
						 void *bytes, size_t size)
{
	struct pk_machine_code *c = calloc(1, sizeof(*c)); /* may fail */

	if (!c) {
		free(bytes);
		return NULL;
	}
	c->state = PK_OBJECT_READY;
	c->kcore.fd = -1;
	c->dump = -1;
	c->machine = *machine;
	c->bytes = bytes;
	c->start = address;
	c->size = size;
	return c;
}

void pk_machine_code_free(struct pk_machine_code *c)
{
	if (!c)
		return;
	if (c->kcore.fd >= 0)
		close(c->kcore.fd);
	if (c->dump >= 0)
		close(c->dump);
	pk_elf_close(c->elf);
	free(c->bytes);
	free(c->mappings);
	free(c->by_offset);
	free(c->by_address);
	free(c->source);
	free(c);
}

enum pk_object_state pk_machine_code_state(const struct pk_machine_code *c)
{
	return c->state;
}

const char *pk_machine_code_source(const struct pk_machine_code *c)
{
	return c->source ? c->source : "";
}

bool pk_machine_code_unpatched(const struct pk_machine_code *c)
{
	return c->elf && c->object->kind == PK_KIND_KERNEL;
}

struct pk_machine pk_machine_code_machine(const struct pk_machine_code *c)
{
	return c->machine;
}

/* ---- Addresses ---- */

static const struct pk_elf_segment *segment_at(const struct pk_elf *elf, uint64_t offset)
{
	const struct pk_elf_segment *loads;
	size_t count;

	loads = pk_elf_loads(elf, &count);
	for (size_t i = 0; i < count; i++)
		if (offset >= loads[i].offset && offset - loads[i].offset < loads[i].filesz)
			return &loads[i];
	return NULL;
}

static const struct pk_elf_segment *segment_of(const struct pk_elf *elf, uint64_t vaddr)
{
	const struct pk_elf_segment *loads;
	size_t count;

	loads = pk_elf_loads(elf, &count);
	for (size_t i = 0; i < count; i++)
		if (vaddr >= loads[i].vaddr && vaddr - loads[i].vaddr < loads[i].memsz)
			return &loads[i];
	return NULL;
}

bool pk_machine_code_shown(struct pk_machine_code *c, uint64_t address, uint64_t *shown)
{
	const struct pk_elf_segment *segment;
	const struct pk_code *code;

	if (!c->object) {
		*shown = address;
		return address - c->start < c->size;
	}
	switch (c->object->kind) {
	case PK_KIND_FILE:
		segment = c->elf ? segment_at(c->elf, address) : NULL;
		if (segment)
			*shown = address - segment->offset + segment->vaddr;
		return segment;
	case PK_KIND_JITDUMP:
		code = pk_code_at_offset(c, address);
		if (code)
			*shown = address - code->offset + code->start;
		return code;
	default: *shown = address + c->shift; return true;
	}
}

bool pk_machine_code_address(struct pk_machine_code *c, uint64_t shown, uint64_t *address)
{
	const struct pk_elf_segment *segment;
	const struct pk_code *code;

	if (!c->object) {
		*address = shown;
		return shown - c->start < c->size;
	}
	switch (c->object->kind) {
	case PK_KIND_FILE:
		segment = c->elf ? segment_of(c->elf, shown) : NULL;
		if (segment)
			*address = shown - segment->vaddr + segment->offset;
		return segment;
	case PK_KIND_JITDUMP:
		code = pk_code_at_address(c, shown);
		if (code)
			*address = shown - code->start + code->offset;
		return code;
	default: *address = shown - c->shift; return true;
	}
}

/* ---- Bytes ---- */

static size_t read_elf(const struct pk_elf *elf, const struct pk_elf_segment *segment, uint64_t at,
		       void *to, size_t size)
{
	if (!segment || at >= segment->filesz)
		return 0;
	if (size > segment->filesz - at)
		size = segment->filesz - at;
	return pk_elf_read(elf, segment->offset + at, to, size) ? size : 0;
}

static size_t read_jitdump(struct pk_machine_code *c, uint64_t offset, void *to, size_t size)
{
	const struct pk_code *code = pk_code_at_offset(c, offset);
	ssize_t n;

	if (!code)
		return 0;
	if (size > code->size - (offset - code->offset))
		size = code->size - (offset - code->offset);
	n = pread(c->dump, to, size, (off_t)offset);
	if (n < 0)
		pk_failed(&c->object->store->failures, c->source, errno);
	return n > 0 ? (size_t)n : 0;
}

static size_t read_bytes(const struct pk_machine_code *c, uint64_t address, void *to, size_t size)
{
	const uint64_t at = address - c->start;

	if (at >= c->size)
		return 0;
	if (size > c->size - at)
		size = c->size - at;
	memcpy(to, c->bytes + at, size);
	return size;
}

size_t pk_machine_code_read(struct pk_machine_code *c, uint64_t address, void *to, size_t size)
{
	const struct pk_elf_segment *segment;

	if (c->state != PK_OBJECT_READY)
		return 0;
	if (!c->object)
		return read_bytes(c, address, to, size);
	if (c->kcore.fd >= 0)
		return pk_kcore_read(&c->kcore, address, to, size, &c->object->store->failures);
	if (c->object->kind == PK_KIND_JITDUMP)
		return read_jitdump(c, address, to, size);
	if (c->object->kind == PK_KIND_FILE) {
		segment = segment_at(c->elf, address);
		return read_elf(c->elf, segment, segment ? address - segment->offset : 0, to, size);
	}
	segment = segment_of(c->elf, address + c->shift);
	return read_elf(c->elf, segment, segment ? address + c->shift - segment->vaddr : 0, to,
			size);
}
