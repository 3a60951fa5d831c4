// SPDX-License-Identifier: BSD-2-Clause
#include "resolve_internal.h"
#include "sources.h"

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

bool resolve_interrupts(const char *function, uint32_t flags)
{
	static const char *const user[] = {"__restore_rt",
					   "__restore",
					   "__kernel_rt_sigreturn",
					   "__kernel_sigreturn",
					   "__default_rt_sa_restorer",
					   "__default_sa_restorer"};
	/* x86, arm64, arm, s390 */
	static const char *const kernel[] = {
		"asm_exc_",	   "asm_sysvec_",    "asm_common_interrupt", "el1h_64_",
		"el1t_64_",	   "__irq_svc",	     "__dabt_svc",	     "__pabt_svc",
		"ext_int_handler", "io_int_handler", "pgm_check_handler"};

	for (size_t i = 0; flags & PK_FRAME_USER && i < sizeof(user) / sizeof(user[0]); i++)
		if (!strcmp(function, user[i]))
			return true;
	for (size_t i = 0; flags & PK_FRAME_KERNEL && i < sizeof(kernel) / sizeof(kernel[0]); i++)
		if (starts_with(function, kernel[i]))
			return true;
	return false;
}

void resolve_sources(struct pk_object *object, uint64_t address, uint64_t shift, bool inlines,
		     struct pk_inlined *inlined, struct pk_resolved *resolved)
{
	const struct pk_source *sources, *function;
	size_t count = pk_object_sources(object, address, &sources);

	if (!count)
		return;
	function = &sources[count - 1];
	resolved->file = function->file;
	resolved->line = function->line;
	resolved->column = function->column;
	if (!resolved->function && function->function) {
		resolved->function = function->function;
		resolved->function_size = strlen(function->function);
		resolved->symbol_start = function->start + shift;
		resolved->symbol_end = address + 1 + shift;
	}
	if (!inlines) {
		/* The address's own line is that of the innermost one. */
		resolved->file = sources[0].file;
		resolved->line = sources[0].line;
		resolved->column = sources[0].column;
		return;
	}
	resolved->inlined = inlined;
	for (size_t i = 0; i + 1 < count; i++)
		if (sources[i].function)
			inlined[resolved->inlined_count++] =
				(struct pk_inlined){sources[i].function, sources[i].file,
						    sources[i].line, sources[i].column};
}

void resolve_told_source(const struct pk_told_source *source, bool inlines, bool lines,
			 struct pk_inlined *inlined, struct pk_resolved *resolved)
{
	/* Without the others, the address's own line is that of the innermost one. */
	const struct pk_told_frame *frames = source->frames,
				   *function = &frames[inlines ? source->count - 1 : 0];

	if (lines) {
		resolved->file = function->file;
		resolved->line = function->line;
		resolved->column = function->column;
	}
	if (!inlines)
		return;
	resolved->inlined = inlined;
	for (uint32_t i = 0; i + 1 < source->count && i < PK_SOURCES_MAX; i++)
		if (frames[i].function)
			inlined[resolved->inlined_count++] = (struct pk_inlined){
				frames[i].function, lines ? frames[i].file : NULL,
				lines ? frames[i].line : 0, lines ? frames[i].column : 0};
}
