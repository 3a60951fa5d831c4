/* SPDX-License-Identifier: BSD-2-Clause */
/* This is the only file that includes libelf. */
#include <assert.h>
#include <elf.h>
#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_image.h"
#include "file.h"

/* An open ELF file. */
struct pk_elf {
	Elf *elf;
	int fd;	    /* -1 if the file is in memory */
	char *path; /* may be NULL */
	struct pk_failures *failures;
	const unsigned char *image;
	void *part; /* `image` if this struct must free it, otherwise NULL */
	uint64_t size;
	struct pk_elf_identity identity;
	GElf_Ehdr header;
	char *section_names;
	struct pk_elf_section *sections;
	size_t section_count;
	struct pk_elf_segment *loads;
	size_t load_count;
	size_t segment_count;
};

/* Counts a failure of libelf. The error numbers of libelf are private, so its failures look like
 * damaged files. But a failed system call or allocation sets errno. So set errno to 0 before each
 * call of libelf, and call this function after a failed call. A short read sets no errno, but it
 * only happens if the file became shorter after it was opened. */
static void note_failure(const struct pk_elf *elf)
{
	struct stat st;

	if (errno)
		pk_failed(elf->failures, elf->path, errno);
	else if (elf->fd >= 0 && !fstat(elf->fd, &st) && (uint64_t)st.st_size < elf->size)
		pk_failed(elf->failures, elf->path, 0);
}

static bool read_at(const struct pk_elf *elf, unsigned char *to, size_t size, uint64_t offset)
{
	while (size) {
		ssize_t n = pread(elf->fd, to, size, (off_t)offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			pk_failed(elf->failures, elf->path, n ? errno : 0);
			return false;
		}
		to += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return true;
}

bool pk_elf_read(const struct pk_elf *elf, uint64_t offset, void *to, uint64_t size)
{
	if (offset > elf->size || size > elf->size - offset)
		return false;
	if (elf->fd >= 0)
		return read_at(elf, to, size, offset);
	memcpy(to, elf->image + offset, size);
	return true;
}

void *pk_elf_bytes(const struct pk_elf *elf, uint64_t offset, uint64_t size)
{
	unsigned char *bytes;

	if (offset > elf->size || size > elf->size - offset)
		return NULL;
	bytes = pk_need(elf->failures, malloc(size + 1));
	if (!bytes || !pk_elf_read(elf, offset, bytes, size)) {
		free(bytes);
		return NULL;
	}
	bytes[size] = 0;
	return bytes;
}

/* Reads the names of sections. This does not use libelf's function for names, because that function
 * would decompress a compressed section. */
static void read_section_names(struct pk_elf *elf, size_t *size)
{
	const struct pk_elf_section *s;
	size_t index;

	*size = 0;
	errno = 0;
	if (elf_getshdrstrndx(elf->elf, &index)) {
		note_failure(elf);
		return;
	}
	if (!index || index >= elf->section_count)
		return;
	s = &elf->sections[index];
	if (s->type != SHT_STRTAB)
		return;
	elf->section_names = pk_elf_bytes(elf, s->offset, s->size);
	*size = elf->section_names ? s->size : 0;
}

static enum pk_status read_sections(struct pk_elf *elf)
{
	size_t count, names_size;
	uint32_t *names;

	errno = 0;
	if (elf_getshdrnum(elf->elf, &count)) {
		note_failure(elf);
		return PK_FAILED;
	}
	if (count > elf->size / sizeof(Elf32_Shdr))
		return PK_FAILED;
	elf->sections = pk_need(elf->failures, calloc(count + 1, sizeof(*elf->sections)));
	names = pk_need(elf->failures, calloc(count + 1, sizeof(*names)));
	if (!elf->sections || !names) {
		free(names);
		return PK_FAILED;
	}
	for (size_t i = 0; i < count; i++) {
		Elf_Scn *scn;
		GElf_Shdr h;

		errno = 0;
		scn = elf_getscn(elf->elf, i);
		if (!scn || !gelf_getshdr(scn, &h)) {
			note_failure(elf);
			break;
		}
		names[i] = h.sh_name;
		elf->sections[i] = (struct pk_elf_section){
			"",	   h.sh_type,	h.sh_link, h.sh_info,	   h.sh_flags,
			h.sh_addr, h.sh_offset, h.sh_size, h.sh_addralign, h.sh_entsize};
		elf->section_count = i + 1;
	}
	read_section_names(elf, &names_size);
	for (size_t i = 0; i < elf->section_count; i++)
		if (names[i] < names_size)
			elf->sections[i].name = elf->section_names + names[i];
	free(names);
	return PK_OK;
}

static enum pk_status read_segments(struct pk_elf *elf)
{
	/* The lookup of each symbol searches all segments, so their number is limited. Linkers
	 * create about four. */
	enum { LOADS_MAX = 128 };
	size_t next = 0;

	errno = 0;
	if (elf_getphdrnum(elf->elf, &elf->segment_count)) {
		note_failure(elf);
		return PK_FAILED;
	}
	if (elf->segment_count > elf->size / sizeof(Elf32_Phdr))
		return PK_FAILED;
	elf->loads = pk_need(elf->failures, calloc(LOADS_MAX, sizeof(*elf->loads)));
	if (!elf->loads)
		return PK_NOMEM;
	while (elf->load_count < LOADS_MAX &&
	       pk_elf_segment(elf, PT_LOAD, &next, &elf->loads[elf->load_count]))
		elf->load_count++;
	return PK_OK;
}

/* Returns whether the kernel's loader puts the section into the code of a module. This is done as
 * in layout_sections() of Linux (kernel/module/main.c). */
static bool is_module_code(const struct pk_elf_section *s)
{
	const uint64_t code = SHF_ALLOC | SHF_EXECINSTR;

	return (s->flags & code) == code && strncmp(s->name, ".init", 5);
}

/* Sets the address of a section to the next aligned address after `end`. Returns the end of the
 * section. An alignment that is not a power of two is ignored. */
static uint64_t place(struct pk_elf_section *s, uint64_t end)
{
	const uint64_t mask = s->align && !(s->align & (s->align - 1)) ? s->align - 1 : 0;

	s->addr = (end + mask) & ~mask;
	return s->addr + s->size;
}

/* Gives addresses to the sections of a relocatable file. Sections without bytes in the file can
 * have any size, so the sum of sizes could overflow. Therefore sections that are too large for a
 * module get no address. */
static void lay_out(struct pk_elf *elf)
{
	uint64_t code = 0, outside = PK_ELF_OUTSIDE;

	for (size_t i = 1; i < elf->section_count; i++) {
		struct pk_elf_section *s = &elf->sections[i];

		if (!(s->flags & SHF_ALLOC) || s->size > UINT32_MAX || s->align > UINT32_MAX)
			continue;
		if (is_module_code(s) && code < PK_ELF_OUTSIDE / 2)
			code = place(s, code);
		else if (outside < UINT64_MAX / 2)
			outside = place(s, outside);
	}
	elf->loads[0] =
		(struct pk_elf_segment){.filesz = code, .memsz = code, .flags = PF_R | PF_X};
	elf->load_count = 1;
}

static enum pk_status read_contents(struct pk_elf *elf)
{
	PK_TRY(read_sections(elf));
	PK_TRY(read_segments(elf));
	if (pk_elf_relocatable(elf))
		lay_out(elf);
	return PK_OK;
}

static bool open_handle(struct pk_elf *elf)
{
	elf_version(EV_CURRENT);
	errno = 0;
	/* libelf must not map the file. If another process truncated a mapped file, reads would
	 * raise SIGBUS. */
	elf->elf = elf->fd >= 0 ? elf_begin(elf->fd, ELF_C_READ, NULL)
				: elf_memory((char *)(uintptr_t)elf->image, elf->size);
	if (elf->elf && elf_kind(elf->elf) != ELF_K_ELF)
		return false;
	if (elf->elf && gelf_getehdr(elf->elf, &elf->header))
		return read_contents(elf) == PK_OK;
	note_failure(elf);
	return false;
}

static struct pk_elf_identity identity_of(const struct stat *st)
{
	return (struct pk_elf_identity){
		.device = st->st_dev,
		.inode = st->st_ino,
		.size = (uint64_t)st->st_size,
		.modified = {st->st_mtim.tv_sec, st->st_mtim.tv_nsec},
		.changed = {st->st_ctim.tv_sec, st->st_ctim.tv_nsec},
	};
}

struct pk_elf *pk_elf_open(int fd, const char *path, struct pk_failures *failures)
{
	struct pk_elf *elf = pk_need(failures, calloc(1, sizeof(*elf)));
	struct stat st;

	if (!elf) {
		close(fd);
		return NULL;
	}
	elf->fd = fd;
	elf->failures = failures;
	elf->path = pk_need(failures, strdup(path));
	if (fstat(fd, &st)) {
		pk_failed(failures, path, errno);
	} else if ((uint64_t)st.st_size >=
		   SIZE_MAX) { /* so all sizes within the file fit into size_t */
		pk_failed(failures, path, EFBIG);
	} else if (elf->path && st.st_size >= 0 && pk_file_is_dense(fd, (uint64_t)st.st_size)) {
		elf->size = (uint64_t)st.st_size;
		elf->identity = identity_of(&st);
		if (open_handle(elf))
			return elf;
	}
	pk_elf_close(elf);
	return NULL;
}

struct pk_elf *pk_elf_open_memory(const void *image, size_t size, struct pk_failures *failures)
{
	struct pk_elf *elf = pk_need(failures, calloc(1, sizeof(*elf)));

	if (!elf)
		return NULL;
	elf->fd = -1;
	elf->failures = failures;
	elf->image = image;
	elf->size = size;
	if (open_handle(elf))
		return elf;
	pk_elf_close(elf);
	return NULL;
}

struct pk_elf *pk_elf_open_part(void *image, size_t size, struct pk_failures *failures)
{
	struct pk_elf *elf = pk_elf_open_memory(image, size, failures);

	if (elf)
		elf->part = image;
	else
		free(image);
	return elf;
}

struct pk_failures *pk_elf_failures(const struct pk_elf *elf)
{
	return elf->failures;
}

bool pk_elf_is_part(const struct pk_elf *elf)
{
	return elf->part;
}

void pk_elf_close(struct pk_elf *elf)
{
	if (!elf)
		return;
	elf_end(elf->elf);
	if (elf->fd >= 0)
		close(elf->fd);
	free(elf->loads);
	free(elf->sections);
	free(elf->section_names);
	free(elf->part);
	free(elf->path);
	free(elf);
}

struct pk_elf_identity pk_elf_identity(const struct pk_elf *elf)
{
	return elf->identity;
}

unsigned pk_elf_machine(const struct pk_elf *elf)
{
	return elf->header.e_machine;
}

bool pk_elf_swapped(const struct pk_elf *elf)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return (elf->header.e_ident[EI_DATA] == ELFDATA2MSB) != big;
}

bool pk_elf_is_64(const struct pk_elf *elf)
{
	return elf->header.e_ident[EI_CLASS] == ELFCLASS64;
}

bool pk_elf_relocatable(const struct pk_elf *elf)
{
	return elf->header.e_type == ET_REL;
}

uint64_t pk_elf_size(const struct pk_elf *elf)
{
	return elf->size;
}

const struct pk_elf_section *pk_elf_sections(const struct pk_elf *elf, size_t *count)
{
	*count = elf->section_count;
	return elf->sections;
}

const struct pk_elf_section *pk_elf_section(const struct pk_elf *elf, const char *name)
{
	for (size_t i = 1; i < elf->section_count; i++)
		if (!strcmp(elf->sections[i].name, name))
			return &elf->sections[i];
	return NULL;
}

bool pk_elf_has_dwarf(const struct pk_elf *elf)
{
	const struct pk_elf_section *s = pk_elf_section(elf, ".debug_info");

	if (!s)
		s = pk_elf_section(elf, ".zdebug_info");
	return s && s->type != SHT_NOBITS && s->size;
}

static uint32_t pk_elf_index(const struct pk_elf *elf, const struct pk_elf_section *section)
{
	return (uint32_t)(section - elf->sections);
}

bool pk_elf_segment(const struct pk_elf *elf, uint32_t type, size_t *next,
		    struct pk_elf_segment *segment)
{
	while (*next < elf->segment_count && *next <= INT_MAX) {
		GElf_Phdr h;

		errno = 0;
		if (!gelf_getphdr(elf->elf, (int)(*next)++, &h)) {
			note_failure(elf);
			continue;
		}
		if (h.p_type != type)
			continue;
		*segment = (struct pk_elf_segment){h.p_offset, h.p_vaddr, h.p_filesz, h.p_memsz,
						   h.p_flags};
		return true;
	}
	return false;
}

const struct pk_elf_segment *pk_elf_loads(const struct pk_elf *elf, size_t *count)
{
	*count = elf->load_count;
	return elf->loads;
}

bool pk_elf_offset_of(const struct pk_elf *elf, uint64_t vaddr, uint64_t *offset)
{
	for (size_t i = 0; i < elf->load_count; i++) {
		const struct pk_elf_segment *s = &elf->loads[i];
		uint64_t size = s->memsz > s->filesz ? s->memsz : s->filesz;

		if (vaddr >= s->vaddr && vaddr - s->vaddr < size) {
			*offset = vaddr - s->vaddr + s->offset;
			return true;
		}
	}
	return false;
}

static struct pk_elf_records records(const struct pk_elf *elf, const struct pk_elf_section *s,
				     Elf_Type type)
{
	const size_t size = gelf_fsize(elf->elf, type, 1, EV_CURRENT);
	Elf_Data *data;

	if (!size || s->flags & SHF_COMPRESSED || s->offset > elf->size ||
	    s->size > elf->size - s->offset)
		return (struct pk_elf_records){0};
	errno = 0;
	data = elf_getdata(elf_getscn(elf->elf, pk_elf_index(elf, s)), NULL);
	/* libelf allocates memory to swap bytes. If this fails, the section is empty. */
	if (!data || (!data->d_buf && s->size))
		note_failure(elf);
	if (!data || data->d_type != type || !data->d_buf || data->d_size / size > INT_MAX)
		return (struct pk_elf_records){0};
	return (struct pk_elf_records){data->d_buf, data->d_size / size, pk_elf_is_64(elf),
				       type == ELF_T_RELA};
}

struct pk_elf_records pk_elf_symbols(const struct pk_elf *elf, const struct pk_elf_section *s)
{
	return records(elf, s, ELF_T_SYM);
}

static Elf64_Sym symbol_of_32(const Elf32_Sym *s)
{
	return (Elf64_Sym){
		.st_name = s->st_name,
		.st_info = s->st_info,
		.st_other = s->st_other,
		.st_shndx = s->st_shndx,
		.st_value = s->st_value,
		.st_size = s->st_size,
	};
}

struct pk_elf_symbol pk_elf_symbol(const struct pk_elf *elf, const struct pk_elf_records *r,
				   size_t index)
{
	Elf64_Sym s;
	Elf32_Sym narrow;

	assert(index < r->count);
	if (r->is_64) {
		memcpy(&s, r->data + index * sizeof(s), sizeof(s));
	} else {
		memcpy(&narrow, r->data + index * sizeof(narrow), sizeof(narrow));
		s = symbol_of_32(&narrow);
	}
	if (pk_elf_relocatable(elf) && s.st_shndx < elf->section_count)
		s.st_value += elf->sections[s.st_shndx].addr;
	return (struct pk_elf_symbol){
		.value = s.st_value,
		.size = s.st_size,
		.name = s.st_name,
		.section = s.st_shndx,
		.type = ELF64_ST_TYPE(s.st_info),
		.bind = ELF64_ST_BIND(s.st_info),
		.visibility = ELF64_ST_VISIBILITY(s.st_other),
	};
}

void pk_elf_each_symbol(const struct pk_elf *elf, const char *section, unsigned int type,
			void (*note)(void *arg, const char *name,
				     const struct pk_elf_symbol *symbol),
			void *arg)
{
	const struct pk_elf_section *table = pk_elf_section(elf, section), *strings;
	struct pk_elf_records symbols;
	char *names;

	if (!table || table->link >= elf->section_count)
		return;
	strings = &elf->sections[table->link];
	symbols = pk_elf_symbols(elf, table);
	names = symbols.count ? pk_elf_bytes(elf, strings->offset, strings->size) : NULL;
	for (size_t i = 0; names && i < symbols.count; i++) {
		const struct pk_elf_symbol symbol = pk_elf_symbol(elf, &symbols, i);

		if (symbol.section != SHN_UNDEF && symbol.type == type &&
		    symbol.name < strings->size)
			note(arg, names + symbol.name, &symbol);
	}
	free(names);
}

struct pk_elf_records pk_elf_relocations(const struct pk_elf *elf, const struct pk_elf_section *s)
{
	return records(elf, s, s->type == SHT_RELA ? ELF_T_RELA : ELF_T_REL);
}

/* A record of SHT_REL is the start of one of SHT_RELA. */
struct pk_elf_relocation pk_elf_relocation(const struct pk_elf_records *r, size_t index)
{
	const size_t rel = r->is_64 ? sizeof(Elf64_Rel) : sizeof(Elf32_Rel);
	const size_t size = r->addends ? rel / 2 * 3 : rel;
	Elf64_Rela wide = {0};
	Elf32_Rela narrow = {0};

	_Static_assert(sizeof(wide) == sizeof(Elf64_Rel) / 2 * 3 &&
			       sizeof(narrow) == sizeof(Elf32_Rel) / 2 * 3,
		       "the addend is a third member of the same size");
	assert(index < r->count);
	if (r->is_64) {
		memcpy(&wide, r->data + index * size, size);
		return (struct pk_elf_relocation){
			.offset = wide.r_offset,
			.addend = (uint64_t)wide.r_addend,
			.type = (uint32_t)ELF64_R_TYPE(wide.r_info),
			.symbol = (uint32_t)ELF64_R_SYM(wide.r_info),
		};
	}
	memcpy(&narrow, r->data + index * size, size);
	return (struct pk_elf_relocation){
		.offset = narrow.r_offset,
		.addend = (uint64_t)narrow.r_addend,
		.type = (uint32_t)ELF32_R_TYPE(narrow.r_info),
		.symbol = (uint32_t)ELF32_R_SYM(narrow.r_info),
	};
}

const char *pk_elf_path(const struct pk_elf *elf)
{
	return elf->path;
}
