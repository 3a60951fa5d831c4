// SPDX-License-Identifier: BSD-2-Clause
/* What an object has beside the one symbol that was asked for: all of them, its build-id. */
#include <stdio.h>
#include <string.h>

#include "elf_build_id.h"
#include "object.h"

bool pk_object_symbol(struct pk_object *o, size_t index, struct pk_symbol *symbol)
{
	const struct pk_symtable *table;

	if (pk_object_state(o) != PK_OBJECT_READY)
		return false;
	table = pk_object_table(o);
	if (index >= table->count)
		return false;
	pk_object_describe(o, &table->entries[index], symbol);
	return true;
}

/* "[ext4]", or a path that ends in ext4.ko or ext4.ko.xz. False: it is no module's. */
static bool module_name(const char *path, char *name, size_t size)
{
	const char *end = strstr(path, ".ko"), *begin = strrchr(path, '/');

	begin = begin ? begin + 1 : path;
	if (*path == '[') {
		begin = path + 1;
		end = strchr(path, ']');
	}
	if (!end || end <= begin || (size_t)(end - begin) >= size)
		return false;
	memcpy(name, begin, (size_t)(end - begin));
	name[end - begin] = '\0';
	for (char *p = name; *p; p++)
		if (*p == '-')
			*p = '_';
	return !strchr(name, '/') && name[0] != '.';
}

bool pk_running_build_id(struct pk_symbols *s, const char *path, struct pk_build_id *id)
{
	char name[128], notes[256];
	struct pk_elf *elf;
	const void *image;
	size_t size;
	bool found;

	if (!strcmp(path, "[kernel.kallsyms]"))
		return pk_build_id_of_file("/sys/kernel/notes", id, &s->failures);
	if (pk_is_vdso(path)) {
		image = pk_own_vdso(&size, &s->failures);
		elf = image ? pk_elf_open_memory(image, size, &s->failures) : NULL;
		found = elf && pk_elf_build_id(elf, id);
		pk_elf_close(elf);
		return found;
	}
	if (!module_name(path, name, sizeof(name)))
		return false;
	snprintf(notes, sizeof(notes), "/sys/module/%s/notes/.note.gnu.build-id", name);
	return pk_build_id_of_file(notes, id, &s->failures);
}

bool pk_symbols_build_id(struct pk_symbols *s, const char *path, pid_t pid, struct pk_build_id *id)
{
	pk_path full;

	if (*path != '/' || path[1] == '/')
		return false;
	if (pid > 0 && !*s->options.symfs &&
	    pk_make_path(full, "/proc/%d/root%s", (int)pid, path) &&
	    pk_build_id_of_file(full, id, &s->failures))
		return true;
	return pk_make_path(full, "%s%s", s->options.symfs, path) &&
	       pk_build_id_of_file(full, id, &s->failures);
}
