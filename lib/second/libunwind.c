// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <libunwind.h>
#include <stdlib.h>
#include <string.h>

#include "second.h"
#include "second_load.h"

#define TEXT_OF(name) #name
#define NAME_OF(name) TEXT_OF(name)

/* The architecture of libunwind.h, which is the one for which pk is compiled. */
#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE /* registers of this architecture are not translated */
#endif

/* The type of a function that libunwind.h declares only for libunwind's own sources. */
typedef int search_table_fn(unw_addr_space_t space, unw_word_t ip, unw_dyn_info_t *table,
			    unw_proc_info_t *found, int need_unwind_info, void *arg);

static struct {
	typeof(unw_create_addr_space) *create_addr_space;
	typeof(unw_destroy_addr_space) *destroy_addr_space;
	typeof(unw_init_remote) *init_remote;
	typeof(unw_get_reg) *get_reg;
	typeof(unw_step) *step;
	typeof(unw_is_signal_frame) *is_signal_frame;
	search_table_fn *search_table;
} libunwind;

/* The state of libunwind. */
struct unwinder {
	unw_addr_space_t space;
	struct pk_second_stack *stack;
	struct pk_second_module module; /* the object of the last frame */
	/* True while libunwind reads the unwind information of a function. In C++ and Rust, this
	 * information has a pointer to a function that handles exceptions. libunwind reads the
	 * pointer from the data of the program, which the stack dump does not contain. Unwinding
	 * does not need the pointer, so the read may fail. */
	bool searching;
};

/* Copies a word of a section. Bytes after the end of the section are 0. Returns false if the
 * address is not in the section. */
static bool load(const struct pk_unwind_section *section, uint64_t bias, uint64_t address,
		 unw_word_t *word)
{
	const uint64_t at = address - bias - section->address;
	const uint64_t rest = section->data && at < section->size ? section->size - at : 0;

	if (!rest)
		return false;
	*word = 0;
	memcpy(word, section->data + at, rest < sizeof(*word) ? rest : sizeof(*word));
	return true;
}

static int access_memory(unw_addr_space_t space, unw_word_t address, unw_word_t *word, int write,
			 void *arg)
{
	const struct unwinder *u = arg;
	const struct pk_second_module *module = &u->module;

	(void)space;
	if (write)
		return -UNW_EINVAL;
	if (module->info && (load(&module->info->eh_frame, module->bias, address, word) ||
			     load(&module->info->eh_frame_hdr, module->bias, address, word)))
		return 0;
	if (pk_second_read(u->stack, address, word, sizeof(*word)))
		return 0;
	*word = 0;
	return u->searching ? 0 : -UNW_EINVAL;
}

static int access_register(unw_addr_space_t space, unw_regnum_t reg, unw_word_t *value, int write,
			   void *arg)
{
	const struct unwinder *u = arg;
	const struct pk_frame_state *state = &u->stack->state;

	(void)space;
	if (write || reg < 0)
		return -UNW_EINVAL;
	if (reg == UNW_REG_IP) {
		*value = state->pc;
		return 0;
	}
	if (reg >= PK_CFI_REGISTERS || !(state->known >> reg & 1))
		return -UNW_EBADREG;
	*value = state->value[reg];
	return 0;
}

static int access_float(unw_addr_space_t space, unw_regnum_t reg, unw_fpreg_t *value, int write,
			void *arg)
{
	(void)space;
	(void)reg;
	(void)value;
	(void)write;
	(void)arg;
	return -UNW_EINVAL;
}

/* The header of .eh_frame_hdr in the form that all linkers write. It is followed by a table of
 * pairs of s32. */
struct head {
	uint8_t version, pointer, count_size, table;
	int32_t eh_frame;
	uint32_t count;
};

static int find_information(unw_addr_space_t space, unw_word_t ip, unw_proc_info_t *found,
			    int need_unwind_info, void *arg)
{
	static const uint8_t usual[] = {1, 0x1b, 3, 0x3b};
	struct unwinder *u = arg;
	const struct pk_unwind_section *header;
	unw_dyn_info_t table = {.format = UNW_INFO_FORMAT_REMOTE_TABLE};
	const bool faulted = u->stack->faulted;
	struct head head;
	int status;

	if (!u->stack->find(u->stack->arg, ip, &u->module))
		return -UNW_ENOINFO;
	header = &u->module.info->eh_frame_hdr;
	if (!header->data || header->size < sizeof(head) || memcmp(header->data, usual, 4) != 0)
		return -UNW_ENOINFO;
	memcpy(&head, header->data, sizeof(head));
	if (head.count > (header->size - sizeof(head)) / 8)
		return -UNW_ENOINFO;
	table.start_ip = u->module.start;
	table.end_ip = u->module.end;
	table.u.rti.segbase = header->address + u->module.bias;
	table.u.rti.table_data = table.u.rti.segbase + sizeof(head);
	table.u.rti.table_len = (unw_word_t)head.count * 8 / sizeof(unw_word_t);
	u->searching = true;
	status = libunwind.search_table(space, ip, &table, found, need_unwind_info, arg);
	u->searching = false;
	u->stack->faulted = faulted;
	return status;
}

static void put_information(unw_addr_space_t space, unw_proc_info_t *found, void *arg)
{
	(void)space;
	(void)found;
	(void)arg;
}

static int find_list(unw_addr_space_t space, unw_word_t *address, void *arg)
{
	(void)space;
	(void)address;
	(void)arg;
	return -UNW_ENOINFO;
}

static int resume(unw_addr_space_t space, unw_cursor_t *cursor, void *arg)
{
	(void)space;
	(void)cursor;
	(void)arg;
	return -UNW_EINVAL;
}

static int find_name(unw_addr_space_t space, unw_word_t address, char *name, size_t size,
		     unw_word_t *offset, void *arg)
{
	(void)space;
	(void)address;
	(void)name;
	(void)size;
	(void)offset;
	(void)arg;
	return -UNW_EINVAL;
}

static void *open_unwinder(void)
{
	static unw_accessors_t accessors = {.find_proc_info = find_information,
					    .put_unwind_info = put_information,
					    .get_dyn_info_list_addr = find_list,
					    .access_mem = access_memory,
					    .access_reg = access_register,
					    .access_fpreg = access_float,
					    .resume = resume,
					    .get_proc_name = find_name};
	struct unwinder *u = calloc(1, sizeof(*u));

	if (u)
		u->space = libunwind.create_addr_space(&accessors, 0);
	if (u && u->space)
		return u;
	free(u);
	return NULL;
}

static void close_unwinder(void *unwinder)
{
	struct unwinder *u = unwinder;

	libunwind.destroy_addr_space(u->space);
	free(u);
}

static void unwind(void *unwinder, struct pk_second_stack *stack)
{
	struct unwinder *u = unwinder;
	struct pk_second_module module;
	unw_cursor_t cursor;
	unw_word_t pc;
	int step = 1;

	stack->count = 0;
	u->stack = stack;
	u->module = (struct pk_second_module){.info = NULL};
	if (stack->machine->elf_machine != MACHINE || stack->machine->swapped ||
	    libunwind.init_remote(&cursor, u->space, u))
		return;
	while (step > 0 && stack->count < PK_SECOND_FRAMES_MAX &&
	       !libunwind.get_reg(&cursor, UNW_REG_IP, &pc) && pc) {
		struct pk_second_frame *frame = &stack->frames[stack->count];

		/* libunwind says that the interrupted frame is the signal frame. So the previous
		 * frame is also marked as exact below. */
		frame->pc = pc;
		frame->exact = !stack->count || libunwind.is_signal_frame(&cursor) > 0;
		if (!stack->find(stack->arg, pc - !frame->exact, &module))
			return;
		if (stack->count && frame->exact)
			frame[-1].exact = true;
		stack->count++;
		stack->faulted = false; /* is_signal_frame() may also have set `faulted`, but
					 * unwinding does not need that memory */
		step = libunwind.step(&cursor);
	}
	stack->complete = !step;
}

enum pk_status pk_second_libunwind(struct pk_second *second, struct pk_messages *messages)
{
	static const struct pk_second_unwinder unwinder = {open_unwinder, unwind, close_unwinder};
	static const struct pk_wanted wanted[] = {
		{NAME_OF(unw_create_addr_space), &libunwind.create_addr_space},
		{NAME_OF(unw_destroy_addr_space), &libunwind.destroy_addr_space},
		{NAME_OF(unw_init_remote), &libunwind.init_remote},
		{NAME_OF(unw_get_reg), &libunwind.get_reg},
		{NAME_OF(unw_step), &libunwind.step},
		{NAME_OF(unw_is_signal_frame), &libunwind.is_signal_frame},
		{NAME_OF(UNW_OBJ(dwarf_search_unwind_table)), &libunwind.search_table},
	};

	if (MACHINE == EM_NONE)
		return pk_messages_error(messages, "--with=libunwind: not on this architecture");
	PK_TRY(pk_second_load("libunwind-" NAME_OF(UNW_TARGET) ".so.8", "libunwind8", wanted,
			      sizeof(wanted) / sizeof(*wanted), messages));
	second->unwinder = &unwinder;
	return PK_OK;
}
