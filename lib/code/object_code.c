// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "jitdump.h"
#include "kallsyms.h"
#include "machine.h"
#include "object.h"
#include "object_code.h"

enum { PK_KCORE_SEGMENTS = 256 };

/* An open /proc/kcore. */
struct pk_kcore {
	int fd; /* -1 if it is not open */
	size_t count;
	struct pk_elf_segment segments[PK_KCORE_SEGMENTS];
};

/* A mapping symbol: from the address `at` on, there is code or data of this kind. */
struct pk_mapping {
	uint64_t at;
	char kind;
};

/* A piece of code of a jitdump, with its number in the file. */
struct sorted_code {
	struct pk_code code;
	size_t number;
};

/* The code of an object, and where its bytes come from. */
struct pk_machine_code {
	struct pk_object *object;
	enum pk_object_state state;
	char *source;
	struct pk_machine machine;
	/* One of the following members is used. It depends on the kind of the object. */
	struct pk_elf *elf;    /* used for a file, or for vmlinux */
	struct pk_kcore kcore; /* used for the running kernel */
	int dump;	       /* used for a jitdump; -1 if it is not open */
	uint8_t *bytes;	       /* used if there is no object */
	uint64_t start,
		size; /* the address of the first byte in `bytes`, and the number of these bytes */
	/* The pieces of code of a jitdump, sorted by offset and by address. They are sorted when
	 * they are first used. */
	struct sorted_code *by_offset, *by_address;
	size_t codes_count;
	/* Used for vmlinux. It is the shown address minus the address for a lookup. */
	uint64_t shift;
	struct pk_mapping *mappings; /* sorted by address */
	size_t mappings_count;
	bool mappings_read;
};

/* ---- The memory of the running kernel, which is an ELF file as large as the address space ---- */

#define PATH "/proc/kcore"

static bool read_all(int fd, uint64_t offset, void *to, size_t size, struct pk_failures *failures)
{
	const ssize_t n = pread(fd, to, size, (off_t)offset);

	if (n < 0 && pk_is_failure(errno))
		pk_failed(failures, PATH, errno);
	return n == (ssize_t)size;
}

static bool read_segments(struct pk_kcore *kcore, const Elf64_Ehdr *head,
			  struct pk_failures *failures)
{
	for (size_t i = 0; i < head->e_phnum && kcore->count < PK_KCORE_SEGMENTS; i++) {
		Elf64_Phdr phdr;

		if (!read_all(kcore->fd, head->e_phoff + i * sizeof(phdr), &phdr, sizeof(phdr),
			      failures))
			return false;
		if (phdr.p_type == PT_LOAD)
			kcore->segments[kcore->count++] = (struct pk_elf_segment){
				.offset = phdr.p_offset,
				.vaddr = phdr.p_vaddr,
				.filesz = phdr.p_filesz,
			};
	}
	return kcore->count;
}

/* Opens /proc/kcore. Returns false if it cannot be read, or if it is not a 64-bit ELF file. */
static bool pk_kcore_open(struct pk_kcore *kcore, struct pk_machine *machine,
			  struct pk_failures *failures)
{
	const uint16_t one = 1;
	const bool big = !*(const uint8_t *)&one;
	Elf64_Ehdr head;
	int error;

	kcore->count = 0;
	error = pk_file_open(PATH, &kcore->fd);
	if (error) {
		if (pk_is_failure(error))
			pk_failed(failures, PATH, error);
		kcore->fd = -1;
		return false;
	}
	if (read_all(kcore->fd, 0, &head, sizeof(head), failures) &&
	    !memcmp(head.e_ident, ELFMAG, SELFMAG) && head.e_ident[EI_CLASS] == ELFCLASS64 &&
	    head.e_phentsize == sizeof(Elf64_Phdr) && read_segments(kcore, &head, failures)) {
		*machine = (struct pk_machine){head.e_machine, true, big};
		return true;
	}
	close(kcore->fd);
	kcore->fd = -1;
	return false;
}

static size_t pk_kcore_read(const struct pk_kcore *kcore, uint64_t address, void *to, size_t size,
			    struct pk_failures *failures)
{
	for (size_t i = 0; i < kcore->count; i++) {
		const struct pk_elf_segment *s = &kcore->segments[i];
		const uint64_t at = address - s->vaddr;
		ssize_t n;

		if (address < s->vaddr || at >= s->filesz)
			continue;
		if (size > s->filesz - at)
			size = s->filesz - at;
		n = pread(kcore->fd, to, size, (off_t)(s->offset + at));
		/* EFAULT means that the kernel has no memory at this address, or hides it. */
		if (n < 0 && errno != EFAULT && pk_is_failure(errno))
			pk_failed(failures, PATH, errno);
		return n > 0 ? (size_t)n : 0;
	}
	return 0;
}

/* ---- Pieces of code of a jitdump, sorted by offset and by address ---- */

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Moved code has the same offset as the loaded code, because its bytes were not written again. Its
 * record comes after the record of the load. */
static int by_offset(const void *left, const void *right)
{
	const struct sorted_code *a = left, *b = right;
	int order = compare_numbers(a->code.offset, b->code.offset);

	return order ? order : compare_numbers(a->number, b->number);
}

/* If several pieces of code were at the same address, the last piece in the file comes last. */
static int by_address(const void *left, const void *right)
{
	const struct sorted_code *a = left, *b = right;
	int order = compare_numbers(a->code.start, b->code.start);

	return order ? order : compare_numbers(a->number, b->number);
}

static struct sorted_code *in_order(const struct pk_jitdump *dump,
				    int (*compare)(const void *, const void *))
{
	struct sorted_code *codes =
		pk_need(dump->failures, malloc((dump->code_count + 1) * sizeof(*codes)));

	if (!codes || !dump->code_count)
		return codes;
	for (size_t i = 0; i < dump->code_count; i++)
		codes[i] = (struct sorted_code){dump->codes[i], i};
	qsort(codes, dump->code_count, sizeof(*codes), compare);
	return codes;
}

static bool prepare(struct pk_machine_code *c)
{
	const struct pk_jitdump *dump = c->object->dump;

	if (c->by_offset)
		return true;
	if (!dump)
		return false;
	c->by_offset = in_order(dump, by_offset);
	c->by_address = in_order(dump, by_address);
	c->codes_count = c->by_address ? dump->code_count : 0;
	return c->by_offset;
}

/* These functions are for a jitdump. code_at_offset() returns the piece of code that contains
 * the byte at an offset in the file. code_at_address() returns the piece of code that was loaded
 * last at an address. Both return NULL if there is no such piece. */
static const struct pk_code *code_at_offset(struct pk_machine_code *c, uint64_t offset)
{
	const struct pk_code *code;
	size_t low = 0, high;

	if (!prepare(c))
		return NULL;
	for (high = c->codes_count; low < high;) {
		const size_t middle = low + (high - low) / 2;

		if (c->by_offset[middle].code.offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	code = low ? &c->by_offset[low - 1].code : NULL;
	return code && offset - code->offset < code->size ? code : NULL;
}

static const struct pk_code *code_at_address(struct pk_machine_code *c, uint64_t address)
{
	const struct pk_code *code;
	size_t low = 0, high;

	if (!prepare(c))
		return NULL;
	for (high = c->codes_count; low < high;) {
		const size_t middle = low + (high - low) / 2;

		if (c->by_address[middle].code.start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	code = low ? &c->by_address[low - 1].code : NULL;
	return code && address - code->start < code->size ? code : NULL;
}

/* ---- Mapping symbols ---- */

/* Returns true if the machine has mapping symbols. They show which bytes are code and which are
 * data, because the bytes alone do not show it. */

static bool has_mappings(const struct pk_elf *elf)
{
	const unsigned machine = pk_elf_machine(elf);

	return machine == EM_ARM || machine == EM_AARCH64 || machine == EM_RISCV;
}

static int compare(const void *left, const void *right)
{
	const struct pk_mapping *a = left, *b = right;

	return (a->at > b->at) - (a->at < b->at);
}

static void add_mapping(struct pk_machine_code *c, uint64_t at, char kind)
{
	c->mappings[c->mappings_count++] = (struct pk_mapping){at, kind};
}

/* Reads mapping symbols. If `functions` is true, reads functions of 32-bit Arm: the lowest bit of
 * their address marks Thumb code. */
static void read_mapping_table(struct pk_machine_code *c, const struct pk_elf *elf,
			       const struct pk_elf_section *table, const char *names,
			       uint64_t names_size, bool functions)
{
	const struct pk_elf_records records = pk_elf_symbols(elf, table);

	c->mappings =
		pk_need(pk_elf_failures(elf), malloc((records.count + 1) * sizeof(*c->mappings)));
	for (size_t i = 0; c->mappings && i < records.count; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(elf, &records, i);
		const char *name = symbol.name < names_size ? names + symbol.name : "";

		if (functions && symbol.type == STT_FUNC && symbol.section != SHN_UNDEF)
			add_mapping(c, symbol.value & ~UINT64_C(1), symbol.value & 1 ? 't' : 'a');
		else if (!functions && symbol.type == STT_NOTYPE && name[0] == '$' && name[1] &&
			 strchr("adtx", name[1]))
			add_mapping(c, symbol.value, name[1]);
	}
	if (c->mappings_count)
		qsort(c->mappings, c->mappings_count, sizeof(*c->mappings), compare);
}

static void read_mappings(struct pk_machine_code *c, const struct pk_elf *elf, const char *name,
			  bool functions)
{
	const struct pk_elf_section *table = pk_elf_section(elf, name), *sections;
	size_t count;
	char *names;

	sections = pk_elf_sections(elf, &count);
	if (c->mappings_count || !table ||
	    (table->type != SHT_SYMTAB && table->type != SHT_DYNSYM) || table->link >= count ||
	    sections[table->link].type != SHT_STRTAB)
		return;
	free(c->mappings);
	c->mappings = NULL;
	names = pk_elf_bytes(elf, sections[table->link].offset, sections[table->link].size);
	if (names)
		read_mapping_table(c, elf, table, names, sections[table->link].size, functions);
	free(names);
}

/* Reads the mapping symbols of the file. If the file has none, reads the mapping symbols of its
 * debugging information file. */
static void find_mappings(struct pk_machine_code *c)
{
	struct pk_object *o = c->object;
	struct pk_search search;
	struct pk_found found = {0};

	c->mappings_read = true;
	if (!c->elf || !has_mappings(c->elf))
		return;
	read_mappings(c, c->elf, ".symtab", false);
	if (!c->mappings_count && o->kind == PK_KIND_FILE && !pk_is_vdso(o->path)) {
		search = pk_object_search(o);
		pk_search_file(&search, &found);
		if (found.symbols && found.symbols != found.runtime)
			read_mappings(c, found.symbols, ".symtab", false);
		pk_found_release(&found);
	}
	if (pk_elf_machine(c->elf) != EM_ARM)
		return;
	read_mappings(c, c->elf, ".symtab", true);
	read_mappings(c, c->elf, ".dynsym", true);
}

char pk_machine_code_mapping(struct pk_machine_code *c, uint64_t shown, uint64_t *end)
{
	size_t low = 0, high;

	if (!c->mappings_read)
		find_mappings(c);
	for (high = c->mappings_count; low < high;) {
		const size_t middle = low + (high - low) / 2;

		if (c->mappings[middle].at <= shown)
			low = middle + 1;
		else
			high = middle;
	}
	*end = low < c->mappings_count ? c->mappings[low].at : UINT64_MAX;
	return low ? c->mappings[low - 1].kind : 0;
}

/* ---- Objects ---- */

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

/* Returns true if the memory of the running kernel matches the recording. The build must be the
 * same, and the machine must not have been rebooted since then. A reboot moves the kernel to other
 * addresses. */
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

/* Opens a jitdump, and reads the machine from its header. The header has the magic, the version,
 * the size and the machine, as the jitdump specification defines them. */
static void open_jitdump(struct pk_machine_code *c)
{
	const struct pk_search search = search_of(c->object);
	const uint16_t one = 1;
	const bool host_is_big = !*(const uint8_t *)&one;
	struct pk_written written;
	uint32_t head[4];
	ssize_t n;
	const struct pk_machine_kind *kind;

	c->state = pk_search_written(&search, false, &written);
	free(written.distrust);
	if (c->state != PK_OBJECT_READY)
		return;
	c->dump = written.fd;
	c->source = written.source;
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
	case PK_KIND_MODULE:
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
	struct pk_machine_code *c = calloc(1, sizeof(*c));

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
		code = code_at_offset(c, address);
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
		code = code_at_address(c, shown);
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
	const struct pk_code *code = code_at_offset(c, offset);
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
