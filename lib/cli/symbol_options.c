// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffer.h"
#include "cli.h"
#include "debuginfod.h"
#include "lookups.h"
#include "options.h"
#include "sandbox.h"
#include "symbol_options.h"

/* ---- The cache folder, which is the same as that of libdebuginfod ---- */

static char *join(const char *folder, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

static char *cache_folder(void)
{
	const char *set = getenv("DEBUGINFOD_CACHE_PATH"), *xdg = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	char *old = home && *home ? join(home, ".debuginfod_client_cache") : NULL;

	if (set && *set) {
		free(old);
		return strdup(set);
	}
	if (old && !access(old, F_OK))
		return old;
	free(old);
	if (xdg && *xdg)
		return join(xdg, "debuginfod_client");
	return home && *home ? join(home, ".cache/debuginfod_client") : strdup("/nonexistent");
}

/* Creates the folder and its parent folders. Errors are ignored, because libdebuginfod reports them
 * when it writes to the folder. */
static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0700);
		*slash = '/';
	}
	mkdir(path, 0700);
}

static void choose_cache(void)
{
	char *folder = cache_folder();

	if (folder && *folder) {
		make_folders(folder);
		setenv("DEBUGINFOD_CACHE_PATH", folder, 1);
		pk_sandbox_folder(folder);
	}
	free(folder);
}

/* ---- Files that the helper may read ---- */

/* Folders with the files and libraries for name resolution and for certificates. */
static const char *const system_folders[] = {"/etc",   "/usr", "/lib",	       "/lib32",
					     "/lib64", "/run", "/var/lib",     "/opt",
					     "/nix",   "/gnu", "/dev/urandom", "/dev/null"};

static void allow_reading_of_variable(const char *name)
{
	const char *path = getenv(name);

	if (path && *path)
		pk_sandbox_readable(path);
}

/* Allows to read folders that are in DEBUGINFOD_URLS, such as file:///folder. */
static void allow_reading_of_file_urls(void)
{
	static const char scheme[] = "file://";
	const char *urls = getenv("DEBUGINFOD_URLS");

	while (urls && (urls = strstr(urls, scheme))) {
		const char *start = urls + strlen(scheme);
		const size_t length = strcspn(start, " \t\n");
		char *path = strndup(start, length);

		if (path)
			pk_sandbox_readable(path);
		free(path);
		urls = start + length;
	}
}

static void allow_reading(void)
{
	for (size_t i = 0; i < sizeof(system_folders) / sizeof(system_folders[0]); i++)
		pk_sandbox_readable(system_folders[i]);
	allow_reading_of_variable("SSL_CERT_FILE");
	allow_reading_of_variable("SSL_CERT_DIR");
	allow_reading_of_variable("CURL_CA_BUNDLE");
	allow_reading_of_variable("DEBUGINFOD_HEADERS_FILE");
	allow_reading_of_variable("LD_LIBRARY_PATH");
	allow_reading_of_file_urls();
}

/* ---- The process ---- */

static uint64_t size_limit(void)
{
	const char *text = getenv("DEBUGINFOD_MAXSIZE");
	const unsigned long long size = text ? strtoull(text, NULL, 10) : 0;

	return size ? size : PK_DEBUGINFOD_SIZE_MAX;
}

/* Limits the size of files that the process writes. The limit is for the answers of servers. It can
 * apply to the whole process, because the threads and buffers of libcurl need no files of this
 * size. */
static void limit_files(uint64_t size)
{
	const struct rlimit limit = {(rlim_t)size, (rlim_t)size};

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* Moves the two descriptors to 3 and 4. Replaces stdin, stdout and stderr by /dev/null, and closes
 * all other descriptors. */
static bool keep_descriptors(int requests, int answers)
{
	const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int a = fcntl(requests, F_DUPFD_CLOEXEC, 10);
	const int b = fcntl(answers, F_DUPFD_CLOEXEC, 10);

	if (nothing < 0 || a < 0 || b < 0 || dup2(a, 3) < 0 || dup2(b, 4) < 0)
		return false;
	for (int fd = 0; fd < 3; fd++)
		if (dup2(nothing, fd) < 0)
			return false;
	for (int fd = 5; fd < (int)sysconf(_SC_OPEN_MAX) && fd < 4096; fd++)
		close(fd);
	return true;
}

static _Noreturn void become_helper(int requests, int answers, unsigned seconds)
{
	const uint64_t size = size_limit();

	signal(SIGINT, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	if (!keep_descriptors(requests, answers))
		_exit(1);
	pk_sandbox_start_helper();
	choose_cache();
	allow_reading();
	limit_files(size);
	pk_sandbox_enter_helper();
	pk_debuginfod_serve(3, 4, seconds, size);
	_exit(0);
}

/* Starts the helper process, which requests files from servers. The helper is always in a sandbox,
 * even with --no-sandbox. It can open sockets, read the configuration of the system, and write to
 * the cache folder of libdebuginfod. It ignores SIGINT, and ends when this process ends. A request
 * is cancelled after `seconds` seconds. Returns NULL after a message. */
static struct pk_debuginfod *debuginfod_start(unsigned seconds)
{
	int requests[2], answers[2];
	struct pk_debuginfod *d;
	pid_t pid;

	if (pipe2(requests, O_CLOEXEC))
		goto failed;
	if (pipe2(answers, O_CLOEXEC))
		goto failed_requests;
	pid = fork();
	if (pid < 0)
		goto failed_answers;
	if (!pid)
		become_helper(requests[0], answers[1], seconds);
	close(answers[1]);
	/* requests[0] stays open in this process. Otherwise, if the helper has died, writing a
	 * request would end this process with SIGPIPE. */
	d = pk_debuginfod_new(requests[1], answers[0], seconds);
	if (d)
		return d;
	close(requests[0]);
	close(requests[1]);
	close(answers[0]);
	errno = ENOMEM;
	goto failed;
failed_answers:
	close(answers[0]);
	close(answers[1]);
failed_requests:
	close(requests[0]);
	close(requests[1]);
failed:
	pk_error("--debuginfod: %s", strerror(errno));
	return NULL;
}

/* ---- Options ---- */

static int parse_debuginfod(const struct pk_option *option, void *at, const char *text)
{
	struct pk_symbols_options *symbols = at;
	const uint64_t second = 1000000000;
	uint64_t ns;

	if (!pk_parse_time(text, &ns) || !ns || ns > UINT64_C(86400) * second)
		return pk_option_wrong(option, text);
	pk_debuginfod_free(symbols->debuginfod);
	symbols->debuginfod = debuginfod_start((unsigned)((ns + second - 1) / second));
	return symbols->debuginfod ? PK_CONTINUE : PK_EXIT_FAILED;
}

#define AT(member) PK_AT(struct pk_symbols_options, member)

const struct pk_option pk_symbol_rows[] = {
	PK_TITLE("Where object files and symbols are searched"),
	{0, "symfs", "DIR", PK_TEXT, "search for the recorded files below DIR", AT(symfs)},
	{0, "debug-dir", "DIR", PK_TEXT, "debugging information (/usr/lib/debug)", AT(debug_dir)},
	{0, "buildid-dir", "DIR", PK_TEXT, "perf's cache of objects (~/.debug)", AT(cache_dir)},
	{0, "debuginfod", "[TIME]", PK_CALL,
	 "request missing files from servers, each for at most TIME (60s)",
	 .parse = parse_debuginfod, .without = "60s", .wants = "a time up to 24h, such as 10s"},
	{0, "kallsyms", "FILE", PK_INPUT, "kernel symbols, in the format of /proc/kallsyms",
	 AT(kallsyms)},
	{0, "vmlinux", "FILE", PK_INPUT, "kernel with symbols", AT(vmlinux)},
	{0, "guest-kallsyms", "FILE", PK_INPUT, "the same of the kernel of a guest",
	 AT(guest_kallsyms)},
	{0, "guest-vmlinux", "FILE", PK_INPUT, "the same of the kernel of a guest",
	 AT(guest_vmlinux)},
	{0, "guest-modules", "FILE", PK_INPUT, "/proc/modules of a guest", AT(guest_modules)},
	{0, "guest-symfs", "DIR", PK_TEXT, "files of guests, below DIR", AT(guest_symfs)},
	{0, "no-cache", NULL, PK_FLAG, "do not use the cache of symbols in ~/.cache/pk",
	 AT(no_cache)},
	{0, "no-demangle", NULL, PK_FLAG, "do not demangle names of C++ and Rust", AT(no_demangle)},
	PK_OPTIONS_END,
};

const struct pk_option pk_function_rows[] = {
	{.kind = PK_ROWS, .rows = pk_symbol_rows},
	{0, "no-inline", NULL, PK_FLAG, "leave out inlined functions", AT(no_inlines)},
	PK_OPTIONS_END,
};

void pk_report_tried(void *arg, const char *path, const char *result)
{
	(void)arg;
	if (pk_cli_verbose() >= 2)
		pk_info("looked for %s: %s", path, result);
}

enum pk_status pk_symbols_for_code(struct pk_context *context,
				   const struct pk_symbols_options *options,
				   struct pk_messages *messages, struct pk_symbols **symbols)
{
	struct pk_symbols_options lines;

	*symbols = NULL;
	if (!(context->needs & (PK_NEED_CODE | PK_NEED_ANY_STACKS | PK_NEED_SYMBOLS)))
		return PK_OK;
	lines = *options;
	if (context->needs & PK_NEED_LINES)
		lines.no_lines = false;
	*symbols = pk_symbols_new(&lines);
	context->code = (struct pk_code_options){.symbols = *symbols,
						 .names = options,
						 .messages = messages,
						 .intel = context->code.intel,
						 .no_memory = pk_exit_no_memory};
	return *symbols ? PK_OK : PK_NOMEM;
}

enum pk_status pk_symbols_for_stacks(struct pk_context *context,
				     const struct pk_symbols_options *options,
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
	pk_symbols_save(symbols);
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
	if (limits.not_saved)
		pk_warn("%s: symbols cannot be saved: %s: make room, or use --no-cache",
			limits.own_cache, strerror(limits.not_saved));
	pk_report_failures(pk_symbols_failures(symbols));
	if (pk_symbols_failures(symbols)->count && !status)
		status = PK_EXIT_FAILED;
	pk_symbols_free(symbols);
	return status;
}
