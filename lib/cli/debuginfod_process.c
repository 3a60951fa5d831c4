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
#include "debuginfod_process.h"
#include "sandbox.h"

/* ---- The cache: the folder that libdebuginfod would choose ---- */

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

/* Creates the folder and those above it. Errors appear when libdebuginfod writes there. */
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

/* ---- What the helper may read ---- */

/* Name resolution, certificates and the libraries of both. */
static const char *const system_folders[] = {"/etc",   "/usr", "/lib",	       "/lib32",
					     "/lib64", "/run", "/var/lib",     "/opt",
					     "/nix",   "/gnu", "/dev/urandom", "/dev/null"};

static void allow_reading_of_variable(const char *name)
{
	const char *path = getenv(name);

	if (path && *path)
		pk_sandbox_readable(path);
}

/* DEBUGINFOD_URLS can contain folders: file:///folder */
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

/* Libcurl's threads and buffers need no files of this size: the limit is for the answers. */
static void limit_files(uint64_t size)
{
	const struct rlimit limit = {(rlim_t)size, (rlim_t)size};

	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

/* Keeps two descriptors, as 3 and 4, and no standard input, output and terminal. */
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

struct pk_debuginfod *pk_debuginfod_start(unsigned seconds)
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
	/* requests[0] stays open: if the helper has died, a request must not end this process with
	 * SIGPIPE. */
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
