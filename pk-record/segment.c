// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "aux_info.h"
#include "bpf_loaded.h"
#include "cli.h"
#include "lookups.h"
#include "procfs.h"
#include "segment.h"
#include "stream_head.h"
#include "synthesize.h"
#include "unwind_bpf.h"
#include "vector.h"

#define NAMES_MAX 1000 /* maximum number of names with the same time */

/* Returns the last component of a path. */
static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int open_directory(const char *path)
{
	char directory[PATH_MAX];
	const int size = (int)(base_of(path) - path);

	snprintf(directory, sizeof(directory), "%.*s.", size, path);
	return open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Makes the names `part` and `final`. Both have the time according to the pattern. If number is not
 * 0, it is inserted before the suffix. Returns false if a name is too long or invalid. */
static bool make_names(struct rotation *rotation, const struct tm *time, unsigned int number)
{
	const char *base = base_of(rotation->pattern);
	const int directory = (int)(base - rotation->pattern);
	char name[NAME_MAX + 1], digits[16] = "";
	size_t stem;

	if (!strftime(name, sizeof(name), base, time) || strchr(name, '/'))
		return false;
	stem = strcspn(name + 1, ".") + 1;
	if (number)
		snprintf(digits, sizeof(digits), "-%u", number);
	return snprintf(rotation->final, PATH_MAX, "%.*s%.*s%s%s", directory, rotation->pattern,
			(int)stem, name, digits, name + stem) < PATH_MAX &&
	       snprintf(rotation->part, PATH_MAX, "%.*s.%.*s%s%s.part", directory,
			rotation->pattern, (int)stem, name, digits, name + stem) < PATH_MAX;
}

/* ---- Existing files ---- */

/* Makes a glob for fnmatch(3) from a pattern. In the glob, any text matches where the pattern has a
 * conversion. */
static void make_glob(const char *base, char *glob, size_t size)
{
	size_t used = 0;

	for (; *base && used + 3 < size; base++) {
		if (*base == '%' && base[1]) {
			base++;
			if (*base == '%')
				glob[used++] = '%';
			else if (!used || glob[used - 1] != '*')
				glob[used++] = '*';
		} else {
			if (strchr("*?[\\", *base))
				glob[used++] = '\\';
			glob[used++] = *base;
		}
	}
	glob[used] = 0;
}

struct found {
	char *name;
	struct timespec time;
};

static int newest_first(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->time.tv_sec != y->time.tv_sec)
		return x->time.tv_sec < y->time.tv_sec ? 1 : -1;
	if (x->time.tv_nsec != y->time.tv_nsec)
		return x->time.tv_nsec < y->time.tv_nsec ? 1 : -1;
	return strcmp(y->name, x->name);
}

static void report_unread(void)
{
	pk_warn("old files stay: the directory of the output cannot be read: %s", strerror(errno));
}

/* Lists the regular files whose names match. Sets *count to their number. The caller frees the list
 * with free_files(). If the directory cannot be read, or if memory is exhausted, the list is
 * incomplete, and a warning says that old files stay. */
static struct found *list_files(int directory, const char *glob, size_t *count)
{
	const int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
	struct found *files = NULL;
	size_t capacity = 0;
	const struct dirent *entry;
	struct stat st;

	*count = 0;
	while (stream && (errno = 0, entry = readdir(stream))) {
		if (fnmatch(glob, entry->d_name, FNM_PERIOD) ||
		    fstatat(directory, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			continue;
		if (pk_reserve(&files, &capacity, *count, 1, sizeof(*files)) != PK_OK)
			break;
		files[*count].time = st.st_mtim;
		files[*count].name = strdup(entry->d_name);
		if (!files[*count].name)
			break;
		++*count;
	}
	if (errno)
		report_unread();
	if (stream)
		closedir(stream);
	else if (fd >= 0)
		close(fd);
	return files;
}

static void free_files(struct found *files, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(files[i].name);
	free(files);
}

/* Removes the incomplete files of earlier recordings. A file that is still being written is not
 * removed, because it is locked. */
static void remove_stale(int directory, const char *glob)
{
	char part[PATH_MAX + 8];
	struct found *files;
	size_t count;

	snprintf(part, sizeof(part), ".%s.part", glob);
	files = list_files(directory, part, &count);
	for (size_t i = 0; i < count; i++) {
		const int fd = openat(directory, files[i].name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);

		if (fd < 0)
			continue;
		if (flock(fd, LOCK_EX | LOCK_NB) == 0 && unlinkat(directory, files[i].name, 0) == 0)
			pk_info("%s: left by a killed recording: removed", files[i].name);
		close(fd);
	}
	free_files(files, count);
}

static void remove_old(int directory, const char *glob, size_t keep)
{
	struct found *files;
	size_t count;

	files = list_files(directory, glob, &count);
	if (count)
		qsort(files, count, sizeof(*files), newest_first);
	for (size_t i = keep; i < count; i++)
		if (unlinkat(directory, files[i].name, 0) < 0)
			pk_warn("%s: cannot remove it: %s", files[i].name, strerror(errno));
	free_files(files, count);
}

/* ---- The next file ---- */

static int open_part(struct rotation *rotation)
{
	const time_t now = time(NULL);
	struct tm local;
	int fd = -1;

	localtime_r(&now, &local);
	for (unsigned int number = 0; number < NAMES_MAX; number++) {
		if (!make_names(rotation, &local, number)) {
			errno = ENAMETOOLONG;
			return -1;
		}
		if (access(rotation->final, F_OK) == 0)
			continue;
		fd = open(rotation->part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Opens the next file, and returns its descriptor. If it fails, prints a message and returns -1. If
 * `keep` is set, removes the incomplete files of earlier recordings that have the same pattern. */
static int rotation_open(struct rotation *rotation)
{
	char glob[PATH_MAX];
	int directory, fd;

	make_glob(base_of(rotation->pattern), glob, sizeof(glob));
	directory = rotation->keep ? open_directory(rotation->pattern) : -1;
	if (directory >= 0) {
		remove_stale(directory, glob);
		close(directory);
	}
	fd = open_part(rotation);
	if (fd < 0) {
		pk_error("%s: %s", *rotation->part ? rotation->part : rotation->pattern,
			 strerror(errno));
		*rotation->part = 0;
		return -1;
	}
	flock(fd, LOCK_EX | LOCK_NB);
	pk_make_private(fd, rotation->part);
	return fd;
}

/* Removes the current file, which is incomplete. */
static void rotation_abort(struct rotation *rotation)
{
	if (*rotation->part)
		unlink(rotation->part);
	*rotation->part = 0;
}

/* Syncs and renames the file. If `keep` is set, removes older files. If it fails, removes the file,
 * prints a message and returns PK_FAILED. The caller closes fd. */
static enum pk_status rotation_commit(struct rotation *rotation, int fd)
{
	const int directory = open_directory(rotation->pattern);
	char glob[PATH_MAX];
	bool ok;

	if (directory < 0 && rotation->keep)
		report_unread();
	ok = fsync(fd) == 0 && rename(rotation->part, rotation->final) == 0;

	if (!ok) {
		pk_error("%s: %s", rotation->final, strerror(errno));
		rotation_abort(rotation);
	}
	*rotation->part = 0;
	if (directory < 0)
		return ok ? PK_OK : PK_FAILED;
	fsync(directory);
	make_glob(base_of(rotation->pattern), glob, sizeof(glob));
	if (rotation->keep)
		remove_old(directory, glob, rotation->keep);
	close(directory);
	return ok ? PK_OK : PK_FAILED;
}

#define STATUS_BROKEN_PIPE 141 /* status of a program that SIGPIPE has ended */

int segment_open_output(struct segment *segment, bool corked)
{
	const struct options *options = segment->options;
	const struct output_options output = {.buffer = options->buffers.queue,
					      .patience = options->buffers.patience,
					      .compress = options->files.compress,
					      .level = options->files.level,
					      .signals = segment->signals};
	int fd;

	if (options->files.rotate) {
		segment->rotation.pattern = options->files.path;
		segment->rotation.keep = options->files.keep;
		fd = rotation_open(&segment->rotation);
	} else {
		fd = pk_output_open(options->files.path, "pk-symbolize", PK_CREATE_LIVE);
	}
	if (fd < 0)
		return -fd;
	segment->open = true;
	if (output_init(&segment->output, &output, fd, corked) == PK_OK)
		return PK_EXIT_OK;
	pk_no_memory();
	return PK_EXIT_FAILED;
}

static bool make_writer(struct segment *segment)
{
	const struct pk_writer_options writer = {.write = output_write, .arg = &segment->output};
	const struct pk_stage_options stage = {
		.program = pk_cli_program(),
		.argc = segment->options->argc,
		.argv = segment->options->argv,
		.trailers =
			segment->options->stacks.mode == CALLCHAIN_UNWIND ? PK_TRAILER_CHAIN : 0,
		.session = pk_procfs_session_info(pk_lookups())};

	pk_stage_free(segment->stage);
	pk_writer_free(segment->writer);
	segment->stage = NULL;
	segment->writer = NULL;
	if (pk_writer_new(&writer, &segment->writer) == PK_OK &&
	    pk_stage_new(segment->writer, &stage, &segment->stage) == PK_OK)
		return true;
	pk_no_memory();
	return false;
}

enum pk_status segment_start(struct segment *segment, struct process_set *later)
{
	const struct event_list *events = segment->events;
	const struct targets *targets = segment->targets;
	const struct perf_attr *attr = &events->items[0].attr;
	struct pk_writer *writer;

	if (!make_writer(segment))
		return PK_FAILED;
	writer = segment->writer;
	pk_writer_header(writer);
	write_attrs(events, targets, writer);
	pk_stage_start(segment->stage);
	write_labels(segment->options, writer);
	write_features(segment->options, writer);
	write_groups(events, targets, writer);
	PK_TRY(tracing_data_write(events, writer));
	write_id_index(events, targets, writer);
	write_trace_info(events, targets, segment->options, segment->rings, writer);
	/* After these records, programs print the headers. So the names come before them. */
	write_names(events, targets, writer);
	write_kernel_maps(attr, writer);
	write_bpf_programs(events, writer);
	unwind_start(segment->unwind, writer);
	write_arguments(events, targets, writer);
	write_targets(targets, writer);
	if (segment->options->sampling.track_flags & PERF_ATTR_CGROUP)
		write_cgroups(attr, writer);
	write_tasks(attr, targets, segment->options->sampling.track_flags & PERF_ATTR_MMAP_DATA,
		    later, writer);
	write_mark(PERF_RECORD_FINISHED_INIT, writer);
	return PK_OK;
}

void segment_end(struct segment *segment)
{
	segment->lost += write_lost_samples(segment->events, segment->targets, segment->writer);
	write_mark(PERF_RECORD_FINISHED_ROUND, segment->writer);
	pk_stage_end(segment->stage, true);
	pk_writer_flush(segment->writer);
}

static int explain_failure(const struct segment *segment, int error)
{
	const char *name = segment->options->files.path ? segment->options->files.path : "stdout";

	switch (error) {
	case EPIPE: return STATUS_BROKEN_PIPE;
	case ETIMEDOUT:
		pk_error("%s: the reader does not read any more: the recording is not complete: "
			 "--block waits longer",
			 name);
		break;
	case ECANCELED:
		pk_error("%s: stopped while the reader did not read: the recording is not "
			 "complete",
			 name);
		break;
	default:
		pk_error("%s: cannot write: %s: the recording is not complete", name,
			 strerror(error));
		break;
	}
	return PK_EXIT_FAILED;
}

int segment_close(struct segment *segment)
{
	struct output *output = &segment->output;
	int status = PK_EXIT_OK, fd;

	if (segment->writer && pk_writer_status(segment->writer) != PK_OK && !output->error)
		output->error = pk_writer_errno(segment->writer) ? pk_writer_errno(segment->writer)
								 : ENOMEM;
	if (!output_finish(output))
		status = explain_failure(segment, output->error);
	if (!segment->options->files.rotate) {
		fd = output->fd;
		output->fd = -1;
		if (close(fd) < 0 && !status) {
			pk_error("%s: %s",
				 segment->options->files.path ? segment->options->files.path
							      : "stdout",
				 strerror(errno));
			status = PK_EXIT_FAILED;
		}
	} else if (status) {
		rotation_abort(&segment->rotation);
	} else if (rotation_commit(&segment->rotation, output->fd) != PK_OK) {
		status = PK_EXIT_FAILED;
	}
	output_free(output);
	segment->open = false;
	if (!status)
		return pk_outputs_keep(PK_EXIT_OK);
	pk_outputs_drop();
	return status;
}

void segment_free(struct segment *segment)
{
	if (segment->open) {
		rotation_abort(&segment->rotation);
		output_free(&segment->output);
		pk_outputs_drop();
	}
	pk_stage_free(segment->stage);
	pk_writer_free(segment->writer);
}
