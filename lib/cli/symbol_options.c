// SPDX-License-Identifier: BSD-2-Clause
#include "cli.h"
#include "debuginfod_process.h"
#include "lookups.h"
#include "symbol_options.h"

/* -1, or an exit status after a message. */
static int parse_debuginfod(struct pk_symbols_options *symbols, const char *text)
{
	const uint64_t second = 1000000000;
	uint64_t ns = 60 * second;

	if (text && (!pk_parse_time(text, &ns) || !ns || ns > UINT64_C(86400) * second))
		return pk_usage_error("--debuginfod=%s: not a time", text);
	pk_debuginfod_free(symbols->debuginfod);
	symbols->debuginfod = pk_debuginfod_start((unsigned)((ns + second - 1) / second));
	return symbols->debuginfod ? -1 : PK_EXIT_FAILED;
}

void pk_report_tried(void *arg, const char *path, const char *result)
{
	(void)arg;
	if (pk_cli_verbose() >= 2)
		pk_info("looked for %s: %s", path, result);
}

int pk_symbol_option(struct pk_symbols_options *symbols, int option)
{
	switch (option) {
	case PK_OPT_SYMFS: symbols->symfs = optarg; break;
	case PK_OPT_DEBUG_DIR: symbols->debug_dir = optarg; break;
	case PK_OPT_BUILDID_DIR: symbols->cache_dir = optarg; break;
	case PK_OPT_DEBUGINFOD: return parse_debuginfod(symbols, optarg);
	case PK_OPT_KALLSYMS:
		symbols->kallsyms = optarg;
		pk_protect_input(optarg);
		break;
	case PK_OPT_VMLINUX:
		symbols->vmlinux = optarg;
		pk_protect_input(optarg);
		break;
	case PK_OPT_GUEST_KALLSYMS:
		symbols->guest_kallsyms = optarg;
		pk_protect_input(optarg);
		break;
	case PK_OPT_GUEST_VMLINUX:
		symbols->guest_vmlinux = optarg;
		pk_protect_input(optarg);
		break;
	case PK_OPT_GUEST_MODULES:
		symbols->guest_modules = optarg;
		pk_protect_input(optarg);
		break;
	case PK_OPT_GUEST_SYMFS: symbols->guest_symfs = optarg; break;
	case PK_OPT_NO_CACHE: symbols->no_cache = true; break;
	case PK_OPT_NO_DEMANGLE: symbols->no_demangle = true; break;
	case PK_OPT_NO_INLINE: symbols->no_inlines = true; break;
	default: return 0;
	}
	return -1;
}

bool pk_symbols_for_code(struct pk_context *context, const struct pk_symbols_options *options,
			 struct pk_messages *messages, struct pk_symbols **symbols)
{
	struct pk_symbols_options lines;

	*symbols = NULL;
	if (!(context->needs & (PK_NEED_CODE | PK_NEED_ANY_STACKS)))
		return true;
	lines = *options;
	if (context->needs & PK_NEED_LINES)
		lines.no_lines = false;
	*symbols = pk_symbols_new(&lines);
	context->code = (struct pk_code_options){.symbols = *symbols,
						 .names = options,
						 .messages = messages,
						 .intel = context->code.intel,
						 .no_memory = pk_exit_no_memory};
	return *symbols;
}

bool pk_symbols_for_stacks(struct pk_context *context, const struct pk_symbols_options *options,
			   struct pk_messages *messages, struct pk_symbols **symbols)
{
	if (context->needs & (PK_NEED_STACKS | PK_NEED_OBJECTS | PK_NEED_CODE | PK_NEED_ADDRESSES))
		context->needs |= PK_NEED_ANY_STACKS;
	return pk_symbols_for_code(context, options, messages, symbols);
}

int pk_symbols_finish(struct pk_symbols *symbols, int status)
{
	struct pk_symbols_limits limits;
	char number[32];

	if (!symbols)
		return status;
	pk_symbols_limits(symbols, &limits);
	if (limits.names_cut)
		pk_warn("%s names in objects were too long and have been cut",
			pk_number(number, limits.names_cut));
	if (limits.perf_maps_left_out)
		pk_warn("%s perf maps were not used: all together would need too much memory",
			pk_number(number, limits.perf_maps_left_out));
	if (limits.not_trusted > 1 && limits.distrust)
		pk_warn("%s; %s other file%s likewise", limits.distrust,
			pk_number(number, limits.not_trusted - 1),
			limits.not_trusted > 2 ? "s" : "");
	else if (limits.distrust)
		pk_warn("%s", limits.distrust);
	pk_report_failures(pk_symbols_failures(symbols));
	if (pk_symbols_failures(symbols)->count && !status)
		status = PK_EXIT_FAILED;
	pk_symbols_free(symbols);
	return status;
}
