// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "glibc_macros.h"
#include "number.h"
#include "sandbox.h"
#include "unfinished.h"
#include "vector.h"

/* ---- Files that replace other files ---- */

/* An output that replaces a file is first written under the name .NAME.part in the same folder. It
 * gets its final name when it is complete. Programs call pk_outputs_keep() and pk_outputs_drop() of
 * cli.h.
 *
 * A small process, the keeper, renames or removes the file. It is forked when the output is opened,
 * because the program later enters the sandbox, and the sandbox forbids to rename and remove files.
 * The program sends a byte to the keeper when the output is complete. If the program ends before
 * that, the keeper removes the file. */

/* How an output file is created. */
struct replace_options {
	int folder;	  /* the folder of the file: an open descriptor or AT_FDCWD */
	const char *base; /* the name of the file in its folder */
	const char *name; /* the path from the user, for messages */
	bool filled;	  /* true if a file with this name exists and is not empty */
	bool live;	  /* true if the incomplete output must not be removed */
};

#define NUMBERS_MAX 1000 /* the most temporary names that are tried for a file */

/* An output that was opened, and that does not have its final name yet. */
struct unfinished {
	struct unfinished *next;
	int folder;
	char *base, *name;
	char part[NAME_MAX + 1]; /* the temporary name; empty if the file has its final name */
	bool filled, live;
	struct keeper keeper;
};

/* The requests to the keeper. If the channel is closed without a request, the keeper removes the
 * file. */
enum { KEEP = 'k', REMOVE = 'r' };

static struct unfinished *outputs;
static bool at_exit;

/* ---- The keeper process ---- */

static const char *current_name(const struct unfinished *output)
{
	return *output->part ? output->part : output->base;
}

static bool is_empty(const struct unfinished *output)
{
	struct stat st;

	return !fstatat(output->folder, current_name(output), &st, AT_SYMLINK_NOFOLLOW) &&
	       S_ISREG(st.st_mode) && !st.st_size;
}

/* Renames the file to its final name. Returns 0, or the errno of the failure. */
static int give_name(const struct unfinished *output)
{
	return renameat(output->folder, output->part, output->folder, output->base) ? errno : 0;
}

static _Noreturn void keep_or_remove(const struct unfinished *output, int channel)
{
	sigset_t all;
	char wish = REMOVE;
	bool asked;
	int error = 0;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	/* The keeper closes its copies of stdin, stdout and stderr, and of the channels of other
	 * keepers. Otherwise the processes at the other ends of these pipes would not read end of
	 * file when the program ends. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	for (const struct unfinished *other = outputs; other; other = other->next)
		if (other->keeper.pid)
			close(other->keeper.channel);
	asked = TEMP_FAILURE_RETRY(read(channel, &wish, 1)) == 1;
	if (wish == KEEP)
		error = give_name(output);
	if ((wish == REMOVE || error) && (!output->live || is_empty(output)))
		unlinkat(output->folder, output->part, 0);
	if (asked && TEMP_FAILURE_RETRY(write(channel, &error, sizeof(error))) < 0)
		_exit(1);
	_exit(0);
}

/* Returns PK_IO and sets errno if it fails. */
static enum pk_status start_keeper(struct unfinished *output)
{
	int ends[2], error;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return PK_IO;
	output->keeper.pid = fork();
	if (!output->keeper.pid) {
		close(ends[0]);
		keep_or_remove(output, ends[1]);
	}
	error = errno;
	close(ends[1]);
	if (output->keeper.pid > 0) {
		output->keeper.channel = ends[0];
		return PK_OK;
	}
	output->keeper.pid = 0;
	close(ends[0]);
	errno = error;
	return PK_IO;
}

/* Sends a request to the keeper, and waits for the result. Returns 0, or an errno. */
static int ask_keeper(struct unfinished *output, char wish)
{
	int error = EIO;

	if (TEMP_FAILURE_RETRY(write(output->keeper.channel, &wish, 1)) != 1 ||
	    TEMP_FAILURE_RETRY(read(output->keeper.channel, &error, sizeof(error))) !=
		    (ssize_t)sizeof(error))
		error = error ? error : EIO;
	return error;
}

/* ---- The list of outputs ---- */

static void release(struct unfinished *output)
{
	if (output->folder != AT_FDCWD && output->folder >= 0)
		close(output->folder);
	free(output->base);
	free(output->name);
	free(output);
}

static struct unfinished *new_output(const struct replace_options *options)
{
	struct unfinished *output = calloc(1, sizeof(*output));

	if (!output)
		return NULL;
	output->folder = options->folder == AT_FDCWD
				 ? AT_FDCWD
				 : fcntl(options->folder, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	output->base = strdup(options->base);
	output->name = strdup(options->name);
	output->filled = options->filled;
	output->live = options->live;
	if (output->base && output->name && (output->folder >= 0 || output->folder == AT_FDCWD))
		return output;
	release(output);
	return NULL;
}

static void add_unfinished(struct unfinished *output)
{
	output->next = outputs;
	outputs = output;
	if (!at_exit)
		atexit(pk_outputs_drop);
	at_exit = true;
}

static int create_part(struct unfinished *output)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
	int fd = -1;

	for (unsigned int number = 0; number < NUMBERS_MAX; number++) {
		char digits[16] = "";

		if (number)
			snprintf(digits, sizeof(digits), "-%u", number);
		snprintf(output->part, sizeof(output->part), ".%.*s%s.part", NAME_MAX - 32,
			 output->base, digits);
		fd = openat(output->folder, output->part, flags, 0600);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	return fd;
}

/* Returns true if a keeper must be started for the output. In the sandbox no process can be
 * started. Programs that create files in the sandbox declare their folders, and can rename the
 * files themselves. If there is no sandbox, a live output needs no keeper, because nobody has to
 * remove it. */
static bool wants_keeper(const struct unfinished *output)
{
	return !pk_sandbox_entered() && (!output->live || pk_sandbox_wanted());
}

/* Creates the file with a temporary name. Returns a descriptor. Returns -1 and sets errno if it
 * fails. */
static int replace_beside(const struct replace_options *options)
{
	struct unfinished *output = new_output(options);
	int fd, error;

	if (!output)
		return -1;
	pk_unfinished_block();
	fd = create_part(output);
	if (fd >= 0 && wants_keeper(output) &&
	    (start_keeper(output) != PK_OK || pk_unfinished_keeper(&output->keeper) != PK_OK)) {
		error = errno;
		unlinkat(output->folder, output->part, 0);
		close(fd);
		fd = -1;
		errno = error;
	}
	pk_unfinished_cancel();
	if (fd >= 0) {
		add_unfinished(output);
		return fd;
	}
	error = errno;
	release(output);
	errno = error;
	return -1;
}

/* Registers a file that was created with its final name. If nothing is written to the file, it is
 * removed at the end. Returns PK_IO and sets errno if it fails. */
static enum pk_status replace_created(const struct replace_options *options)
{
	struct unfinished *output = new_output(options);

	if (output)
		add_unfinished(output);
	return output ? PK_OK : PK_IO;
}

/* ---- The end of the program ---- */

static void end_keeper(struct unfinished *output)
{
	pk_unfinished_forget_keeper(&output->keeper);
	pk_keeper_end(&output->keeper);
}

/* Removes the file. A live file that is not empty is not removed, and keeps its current name. */
static void drop(struct unfinished *output)
{
	const bool stays = (output->live || !*output->part) && !is_empty(output);

	if (stays && *output->part)
		pk_warn("%s: it was not replaced; what was written is in %s beside it",
			output->name, output->part);
	if (output->keeper.pid) {
		ask_keeper(output, REMOVE);
		end_keeper(output);
	} else if (!stays) {
		unlinkat(output->folder, current_name(output), 0);
	}
}

/* Gives the file its final name. If that fails, prints a message and returns PK_FAILED. */
static enum pk_status keep(struct unfinished *output)
{
	int error;

	if (!*output->part)
		return PK_OK;
	if (output->filled && is_empty(output)) {
		pk_error("%s: there was nothing to write: it was not replaced", output->name);
		drop(output);
		return PK_FAILED;
	}
	if (output->keeper.pid) {
		error = ask_keeper(output, KEEP);
		end_keeper(output);
	} else {
		error = give_name(output);
	}
	if (!error)
		return PK_OK;
	pk_error("%s: %s", output->name, strerror(error));
	drop(output);
	return PK_FAILED;
}

int pk_outputs_keep(int status)
{
	struct unfinished *output;

	if (status == PK_EXIT_USAGE)
		pk_outputs_drop();
	while ((output = outputs)) {
		outputs = output->next;
		if (status && is_empty(output))
			drop(output);
		else if (keep(output) != PK_OK && !status)
			status = PK_EXIT_FAILED;
		release(output);
	}
	return status;
}

void pk_outputs_drop(void)
{
	struct unfinished *output;

	while ((output = outputs)) {
		outputs = output->next;
		drop(output);
		release(output);
	}
}

/* ---- Creating ---- */

#define LINKS_MAX   40 /* the most nested links, as in path_resolution(7) */
#define RETRIES_MAX 10 /* the most attempts while other processes create and remove the file */

/* ---- Inputs ---- */

struct input {
	dev_t device;
	ino_t inode;
	char *name;
};

static struct input *inputs;
static size_t inputs_count, inputs_capacity;
static int inputs_unknown; /* 0, or the errno if not all inputs are known */

static void add_input(const struct stat *st, const char *name)
{
	if (!S_ISREG(st->st_mode))
		return;
	if (pk_reserve(&inputs, &inputs_capacity, inputs_count, 1, sizeof(*inputs)) != PK_OK) {
		inputs_unknown = ENOMEM;
		return;
	}
	inputs[inputs_count] = (struct input){st->st_dev, st->st_ino, strdup(name)};
	if (inputs[inputs_count].name)
		inputs_count++;
	else
		inputs_unknown = ENOMEM;
}

/* Declares all files in a directory as inputs. perf record --threads writes such directories. */
static void add_members(int fd, const char *name)
{
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	struct stat st;

	while (folder && (errno = 0, entry = readdir(folder)))
		if (!fstatat(dirfd(folder), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			add_input(&st, name);
	if (errno)
		inputs_unknown = errno;
	if (folder)
		closedir(folder);
	else if (fd >= 0)
		close(fd);
}

void pk_protect_input(const char *path)
{
	const bool standard = !strcmp(path, "-");
	const char *name = standard ? "stdin" : path;
	struct stat st;

	if (standard ? fstat(STDIN_FILENO, &st) : stat(path, &st))
		return; /* The program reports the error when it opens the input. */
	if (!S_ISDIR(st.st_mode))
		add_input(&st, name);
	else if (standard)
		add_members(openat(STDIN_FILENO, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), name);
	else
		add_members(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), name);
}

void pk_protect_inputs(char *const *paths, int count)
{
	if (!count)
		pk_protect_input("-");
	for (int i = 0; i < count; i++)
		pk_protect_input(paths[i]);
}

static int refuse_input(const struct stat *st, const char *name)
{
	if (!S_ISREG(st->st_mode))
		return PK_EXIT_OK;
	for (size_t i = 0; i < inputs_count; i++) {
		if (inputs[i].device != st->st_dev || inputs[i].inode != st->st_ino)
			continue;
		pk_error("%s: the output is the same file as the input %s: nothing was written",
			 name, inputs[i].name);
		return PK_EXIT_USAGE;
	}
	if (!inputs_unknown)
		return PK_EXIT_OK;
	pk_error("the inputs cannot be compared with the output: %s", strerror(inputs_unknown));
	return PK_EXIT_FAILED;
}

int pk_refuse_input(const char *path)
{
	struct stat st;

	return stat(path, &st) ? PK_EXIT_OK : refuse_input(&st, path);
}

int pk_refuse_input_fd(int fd, const char *name)
{
	struct stat st;

	return fstat(fd, &st) ? PK_EXIT_OK : refuse_input(&st, name);
}

/* ---- Outputs ---- */

/* The state while an output is opened. The kernel does not follow symbolic links in the last
 * component of the path. This code follows them, because it must check the owners of the links. */
struct place {
	const char *path; /* the path from the user, for messages */
	int folder;
	char name[PATH_MAX]; /* the part of the path that is not resolved yet, relative to `folder`
			      */
	const char *base;    /* the name of the file, after its folder was resolved */
	enum pk_create_mode mode;
	bool descriptor; /* true if the path names an open descriptor, such as /dev/stdout */
};

static bool enter_folder(struct place *place)
{
	char *slash = strrchr(place->name, '/');
	int folder;

	place->base = place->name;
	if (!slash)
		return true;
	if (!slash[1]) {
		errno = EISDIR;
		return false;
	}
	place->base = slash + 1;
	if (slash == place->name) {
		folder = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	} else {
		*slash = 0;
		folder = openat(place->folder, place->name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	}
	if (folder < 0)
		return false;
	if (place->folder != AT_FDCWD)
		close(place->folder);
	place->folder = folder;
	return true;
}

static bool is_trusted(const struct stat *st)
{
	return st->st_uid == geteuid() || !st->st_uid;
}

/* Replaces a link in *place by its target. Opens the link before it checks the owner of the link.
 * So the link that is read is the link whose owner was checked. Returns false on failure. errno is
 * then set, or is 0 if a message was printed. */
static bool follow_link(struct place *place)
{
	const int link = openat(place->folder, place->base, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct statfs fs;
	struct stat st;
	ssize_t size;

	if (link < 0)
		return errno == ENOENT; /* ENOENT: the link was removed meanwhile, so try again */
	if (fstat(link, &st) || fstatfs(link, &fs)) {
		close(link);
		return false;
	}
	if (S_ISLNK(st.st_mode) && !is_trusted(&st)) {
		close(link);
		pk_error("%s: a symbolic link of another user is not followed", place->path);
		errno = 0;
		return false;
	}
	if (S_ISLNK(st.st_mode) && fs.f_type == PROC_SUPER_MAGIC) {
		/* This link in /proc is not a path. It refers to an open file of a process. */
		place->descriptor = true;
	} else if (S_ISLNK(st.st_mode)) {
		size = readlinkat(link, "", place->name, sizeof(place->name));
		if (size == (ssize_t)sizeof(place->name)) {
			errno = ENAMETOOLONG;
			size = -1;
		}
		place->name[size < 0 ? 0 : size] = 0;
		if (size < 0 || !enter_folder(place)) {
			const int error = errno;

			close(link);
			errno = error;
			return false;
		}
	}
	close(link);
	return true;
}

static struct replace_options replace_options(const struct place *place, bool filled)
{
	return (struct replace_options){.folder = place->folder,
					.base = place->base,
					.name = place->path,
					.filled = filled,
					.live = place->mode == PK_CREATE_LIVE};
}

/* Creates the file, which does not exist yet. Returns -1 and sets errno if it fails. */
static int create_new(const struct place *place)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY |
			  (place->mode == PK_CREATE_APPEND ? O_APPEND : 0);
	const struct replace_options options = replace_options(place, false);
	int fd;

	if (place->mode == PK_CREATE_REPLACE)
		return replace_beside(&options);
	fd = openat(place->folder, place->base, flags, 0600);
	if (fd < 0 || place->mode == PK_CREATE_APPEND || replace_created(&options) == PK_OK)
		return fd;
	close(fd);
	unlinkat(place->folder, place->base, 0);
	errno = ENOMEM;
	return -1;
}

/* Opens the file, or creates it if it does not exist. Sets *created to true if it created the file.
 * Returns -1 and sets errno if it fails. */
static int open_file(const struct place *place, bool *created)
{
	const int flags =
		O_WRONLY | O_CLOEXEC | O_NOCTTY | (place->mode == PK_CREATE_APPEND ? O_APPEND : 0);
	int fd;

	*created = false;
	if (place->descriptor)
		return openat(place->folder, place->base, flags);
	for (int i = 0; i < RETRIES_MAX; i++) {
		fd = openat(place->folder, place->base, flags | O_NOFOLLOW);
		if (fd >= 0 || errno != ENOENT)
			return fd;
		fd = create_new(place);
		*created = fd >= 0;
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static int open_or_follow(struct place *place, bool *created)
{
	int fd;

	for (int links = 0; links < LINKS_MAX; links++) {
		fd = open_file(place, created);
		if (fd >= 0 || errno != ELOOP)
			return fd;
		if (!follow_link(place))
			return -1;
	}
	errno = ELOOP;
	return -1;
}

/* Returns true if the file belongs to another user, who could then read the output. */
static bool is_of_another(const struct place *place, const struct stat *st)
{
	if (place->descriptor)
		return false;
	return S_ISREG(st->st_mode)    ? st->st_uid != geteuid()
	       : S_ISFIFO(st->st_mode) ? !is_trusted(st)
				       : false;
}

void pk_make_private(int fd, const char *name)
{
	struct stat st;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_mode & 077 && fchmod(fd, 0600))
		pk_warn("%s: other users can read it: its mode %03o cannot be changed: %s", name,
			st.st_mode & 0777, strerror(errno));
}

/* ---- sudo ---- */

static bool id_of(const char *variable, unsigned int *id)
{
	const char *text = getenv(variable);
	uint64_t number;

	if (!text || !pk_parse_u64(text, &number) || number >= UINT32_MAX)
		return false;
	*id = (unsigned int)number;
	return true;
}

/* If root creates a file under sudo, gives the file to the user of sudo. Does so only if that user
 * could have created a file in this folder. A file in another folder, such as a folder of the
 * system, stays a file of root. */
static void give_to_user(const struct place *place, int fd)
{
	unsigned int user, group;
	struct stat folder, st;

	if (geteuid() || !id_of("SUDO_UID", &user) || !id_of("SUDO_GID", &group) || !user ||
	    fstatat(place->folder, ".", &folder, 0) || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return;
	if (folder.st_mode & (folder.st_uid == user    ? S_IWUSR
			      : folder.st_gid == group ? S_IWGRP
						       : S_IWOTH) &&
	    fchown(fd, user, group))
		pk_warn("%s: it belongs to root: %s", place->path, strerror(errno));
}

/* ---- Existing files ---- */

/* Returns true if the file is a mount point. Without statx(2), which musl 1.2.3 does not have, a
 * mount from the same file system is not recognized. */
static bool is_mounted(const struct place *place)
{
#ifdef STATX_ATTR_MOUNT_ROOT
	struct statx st;

	return !statx(place->folder, place->base, AT_SYMLINK_NOFOLLOW, 0, &st) &&
	       st.stx_attributes & STATX_ATTR_MOUNT_ROOT;
#else
	struct stat folder, st;

	return !fstat(place->folder, &folder) &&
	       !fstatat(place->folder, place->base, &st, AT_SYMLINK_NOFOLLOW) &&
	       st.st_dev != folder.st_dev;
#endif
}

/* Returns false if the sticky bit of the folder forbids to replace the file. */
static bool is_replaceable(const struct place *place, const struct stat *st)
{
	struct stat folder;

	return !fstatat(place->folder, ".", &folder, 0) &&
	       (!(folder.st_mode & S_ISVTX) || !geteuid() || st->st_uid == geteuid() ||
		folder.st_uid == geteuid());
}

/* Prepares an existing file for writing in place: removes its content, except with APPEND. Returns
 * fd, or -1 with errno. */
static int write_in_place(const struct place *place, int fd, const struct stat *st)
{
	if (S_ISREG(st->st_mode) && !place->descriptor)
		pk_make_private(fd, place->path);
	if (!S_ISREG(st->st_mode) || place->mode == PK_CREATE_APPEND || !st->st_size ||
	    !ftruncate(fd, 0))
		return fd;
	close(fd);
	return -1;
}

/* Decides whether the file is replaced by a new file or written in place. Returns fd, or the
 * descriptor of the new file. Returns -1 if it fails. errno is then set, or 0 if a message was
 * printed. */
static int replace(const struct place *place, int fd, const struct stat *st)
{
	const struct replace_options options = replace_options(place, st->st_size != 0);
	const bool another = is_of_another(place, st);
	int beside = -1;

	errno = EACCES;
	if (S_ISREG(st->st_mode) && place->mode != PK_CREATE_APPEND && !place->descriptor &&
	    is_replaceable(place, st) && !is_mounted(place))
		beside = replace_beside(&options);
	if (beside < 0 && !another && (errno == EACCES || errno == EPERM || errno == EROFS))
		return write_in_place(place, fd, st);
	if (beside < 0 && another) {
		pk_error("%s: belongs to another user: not written to", place->path);
		errno = 0;
	}
	const int error = errno;

	close(fd);
	errno = error;
	return beside;
}

/* Returns a descriptor, or -1 with errno if it fails. errno is 0 if a message was printed. If the
 * output is refused because of the inputs, prints a message and returns a negative exit status. */
static int create(struct place *place)
{
	bool created;
	struct stat st;
	int fd, refused;

	if (!enter_folder(place))
		return -1;
	fd = open_or_follow(place, &created);
	if (fd < 0)
		return -1;
	if (created) {
		give_to_user(place, fd);
		return fd;
	}
	if (fstat(fd, &st)) {
		close(fd);
		return -1;
	}
	refused = refuse_input(&st, place->path);
	if (refused) {
		close(fd);
		errno = 0;
		return -refused;
	}
	fd = replace(place, fd, &st);
	if (fd >= 0)
		give_to_user(place, fd);
	return fd;
}

int pk_create(const char *path, enum pk_create_mode mode)
{
	struct place place = {.path = path, .folder = AT_FDCWD, .mode = mode};
	const size_t size = strlen(path);
	int fd = -1;

	errno = ENAMETOOLONG;
	if (size < sizeof(place.name)) {
		memcpy(place.name, path, size + 1);
		fd = create(&place);
	}
	if (fd == -PK_EXIT_FAILED && errno)
		pk_error("%s: %s", path, strerror(errno));
	if (place.folder != AT_FDCWD)
		close(place.folder);
	return fd;
}
