// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli.h"
#include "sandbox.h"
#include "vector.h"

/* ---- System calls ---- */

/* What the seccomp filter allows. See https://docs.kernel.org/userspace-api/seccomp_filter.html */

struct sandbox_calls {
	bool writes;  /* true if files may be opened for writing, created and removed */
	bool network; /* true if sockets and threads are allowed, which the HTTP client needs */
};

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__i386__)
#define ARCHITECTURE AUDIT_ARCH_I386
#elif defined(__aarch64__)
#define ARCHITECTURE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? AUDIT_ARCH_AARCH64 : 0)
#elif defined(__arm__)
#define ARCHITECTURE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? AUDIT_ARCH_ARM : 0)
#elif defined(__s390x__)
#define ARCHITECTURE AUDIT_ARCH_S390X
#elif defined(__powerpc64__)
#define ARCHITECTURE                                                                               \
	(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? AUDIT_ARCH_PPC64LE : AUDIT_ARCH_PPC64)
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#else
#define ARCHITECTURE 0 /* No filter is possible on this architecture. */
#endif

/* From this number on, a system call has the same number on all architectures. libc can work
 * without these calls. */
#define SINCE_LINUX_5_3 435

/* A condition for the lower 32 bits of an argument. For these arguments, the kernel ignores the
 * upper 32 bits. */
enum condition {
	EQUALS, /* is equal to `value` */
	HAS,	/* has all bits of `value` */
	LACKS,	/* has none of the bits of `value` */
};

struct rule {
	int call;
	enum condition condition;
	unsigned argument;
	uint32_t value;
};

#define CHANGES (O_ACCMODE | O_CREAT | O_TRUNC)
#define UNNAMED (O_TMPFILE | O_EXCL)

/* The number of TCGETS2 on most architectures. New versions of libc use it in isatty(3). */
#define TERMINAL_STATE 0x802c542au

/* The commands of fcntl(2) that libc, SQLite and pk need. F_SETFL (with O_ASYNC), F_SETOWN and
 * F_SETSIG are not allowed, because with them the kernel can send any signal to any process. */
#define FCNTL(call)                                                                                \
	{call, EQUALS, 1, F_DUPFD}, {call, EQUALS, 1, F_DUPFD_CLOEXEC},                            \
		{call, EQUALS, 1, F_GETFD}, {call, EQUALS, 1, F_SETFD},                            \
		{call, EQUALS, 1, F_GETFL}, {call, EQUALS, 1, F_GETLK},                            \
		{call, EQUALS, 1, F_SETLK}, {call, EQUALS, 1, F_SETLKW},                           \
		{call, EQUALS, 1, F_OFD_GETLK}, {call, EQUALS, 1, F_OFD_SETLK},                    \
		{call, EQUALS, 1, F_OFD_SETLKW}, {call, EQUALS, 1, F_GETPIPE_SZ},                  \
	{                                                                                          \
		call, EQUALS, 1, F_SETPIPE_SZ                                                      \
	}

/* System calls that are allowed only with some arguments. Files may be opened for reading.
 * Temporary files that never get a name may also be written. */
static const struct rule conditional[] = {
#ifdef SYS_open
	{SYS_open, LACKS, 1, CHANGES},
	{SYS_open, HAS, 1, UNNAMED},
#endif
	{SYS_openat, LACKS, 2, CHANGES},
	{SYS_openat, HAS, 2, UNNAMED},
	{SYS_ioctl, EQUALS, 1, TCGETS},
	{SYS_ioctl, EQUALS, 1, TERMINAL_STATE},
	{SYS_ioctl, EQUALS, 1, TIOCGWINSZ},
	{SYS_ioctl, EQUALS, 1, FIONREAD},
	{SYS_prlimit64, EQUALS, 0, 0},
	FCNTL(SYS_fcntl),
#ifdef SYS_fcntl64
	FCNTL(SYS_fcntl64),
#endif
};

/* Further rules for a helper process that opens sockets. The descriptors of the helper are its own
 * pipes and sockets. O_ASYNC alone has no effect on them. */
static const struct rule conditional_networking[] = {
	{SYS_fcntl, EQUALS, 1, F_SETFL},
	{SYS_ioctl, EQUALS, 1, FIONBIO},
#ifdef SYS_fcntl64
	{SYS_fcntl64, EQUALS, 1, F_SETFL},
#endif
};

static const int reading[] = {
/* System calls for files by name. */
#ifdef SYS_open
	SYS_stat,
	SYS_lstat,
	SYS_access,
	SYS_readlink,
#endif
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
#ifdef SYS_fstatat64
	SYS_fstatat64,
	SYS_stat64,
	SYS_lstat64,
	SYS_fstat64,
#endif
#ifdef SYS_statfs64
	SYS_statfs64,
	SYS_fstatfs64,
#endif
	SYS_statx,
	SYS_statfs,
	SYS_faccessat,
#ifdef SYS_faccessat2
	SYS_faccessat2,
#endif
	SYS_readlinkat,
	SYS_getcwd,
#ifdef SYS_getdents
	SYS_getdents,
#endif
	SYS_getdents64,
/* System calls for open descriptors. */
#ifdef SYS_poll
	SYS_poll,
	SYS_pipe,
	SYS_dup2,
#endif
#ifdef SYS_select
	SYS_select,
#endif
#ifdef SYS__newselect
	SYS__newselect,
#endif
	SYS_read,
	SYS_write,
	SYS_readv,
	SYS_writev,
	SYS_pread64,
	SYS_pwrite64,
	SYS_preadv,
	SYS_pwritev,
	SYS_lseek,
#ifdef SYS__llseek
	SYS__llseek,
#endif
	SYS_fstat,
	SYS_fstatfs,
	SYS_close,
#ifdef SYS_close_range
	SYS_close_range,
#endif
	SYS_dup,
	SYS_dup3,
	SYS_pipe2,
	SYS_flock,
	SYS_fsync,
	SYS_fdatasync,
	SYS_ftruncate,
#ifdef SYS_ftruncate64
	SYS_ftruncate64,
#endif
	SYS_fallocate,
#ifdef SYS_fadvise64
	SYS_fadvise64,
#endif
#ifdef SYS_fadvise64_64
	SYS_fadvise64_64,
#endif
#ifdef SYS_arm_fadvise64_64
	SYS_arm_fadvise64_64,
#endif
	SYS_readahead,
	SYS_splice,
	SYS_tee,
	SYS_vmsplice,
	SYS_sendfile,
#ifdef SYS_sendfile64
	SYS_sendfile64,
#endif
	SYS_copy_file_range,
	SYS_ppoll,
	SYS_pselect6,
#ifdef SYS_ppoll_time64
	SYS_ppoll_time64,
	SYS_pselect6_time64,
#endif
	SYS_memfd_create,
/* System calls for memory. */
#ifdef SYS_mmap
	SYS_mmap,
#endif
#ifdef SYS_mmap2
	SYS_mmap2,
#endif
	SYS_munmap,
	SYS_mremap,
	SYS_mprotect,
	SYS_madvise,
	SYS_mincore,
	SYS_brk,
	SYS_membarrier,
/* System calls for the process itself. */
#ifdef SYS_time
	SYS_time,
#endif
#ifdef SYS_clock_gettime64
	SYS_clock_gettime64,
	SYS_clock_getres_time64,
	SYS_clock_nanosleep_time64,
	SYS_futex_time64,
#endif
	SYS_clock_gettime,
	SYS_clock_getres,
	SYS_clock_nanosleep,
	SYS_nanosleep,
	SYS_gettimeofday,
	SYS_times,
	SYS_setitimer,
#ifdef SYS_alarm
	SYS_alarm,
#endif
	SYS_futex,
	SYS_set_robust_list,
#ifdef SYS_rseq
	SYS_rseq,
#endif
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigpending,
	SYS_rt_sigtimedwait,
	SYS_rt_sigreturn,
#ifdef SYS_sigreturn
	SYS_sigreturn,
#endif
	SYS_sigaltstack,
	SYS_restart_syscall,
	SYS_wait4, /* used to wait for the pager */
	SYS_waitid,
	SYS_getpid,
	SYS_gettid,
	SYS_getppid,
	SYS_getpgid,
	SYS_getuid,
	SYS_geteuid,
	SYS_getgid,
	SYS_getegid,
#ifdef SYS_getuid32
	SYS_getuid32,
	SYS_geteuid32,
	SYS_getgid32,
	SYS_getegid32,
#endif
#ifdef SYS_getrlimit
	SYS_getrlimit,
#endif
#ifdef SYS_ugetrlimit
	SYS_ugetrlimit,
#endif
	SYS_getrusage,
	SYS_sysinfo,
	SYS_uname,
	SYS_sched_yield,
	SYS_sched_getaffinity,
	SYS_getrandom,
	SYS_exit,
	SYS_exit_group,
};

static const int writing[] = {
#ifdef SYS_open
	SYS_open,      SYS_unlink,   SYS_rename,    SYS_mkdir,	SYS_rmdir, SYS_symlink, SYS_link,
#endif
	SYS_openat,    SYS_unlinkat,
#ifdef SYS_renameat
	SYS_renameat,
#endif
	SYS_renameat2, SYS_mkdirat,  SYS_symlinkat, SYS_linkat, SYS_umask, SYS_syncfs,
};

static const int networking[] = {
	SYS_socket,	 SYS_socketpair, SYS_connect,	  SYS_bind,	     SYS_getsockname,
	SYS_getpeername, SYS_getsockopt, SYS_setsockopt,  SYS_sendto,	     SYS_recvfrom,
	SYS_sendmsg,	 SYS_recvmsg,	 SYS_sendmmsg,	  SYS_recvmmsg,	     SYS_shutdown,
	SYS_eventfd2,	 SYS_epoll_ctl,	 SYS_epoll_pwait, SYS_epoll_create1, SYS_clone,
#ifdef SYS_epoll_wait
	SYS_epoll_wait,
#endif
#ifdef SYS_clone3
	SYS_clone3,
#endif
	SYS_prctl,
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

enum { PER_CALL = 2, PER_RULE = 6, OTHERS = 32 };

struct filter {
	struct sock_filter code[PER_CALL * (COUNT(reading) + COUNT(writing) + COUNT(networking)) +
				PER_RULE * (COUNT(conditional) + COUNT(conditional_networking)) +
				OTHERS];
	unsigned short count;
};

static void put(struct filter *filter, unsigned code, uint32_t value, unsigned if_true,
		unsigned if_false)
{
	filter->code[filter->count++] =
		(struct sock_filter){(uint16_t)code, (uint8_t)if_true, (uint8_t)if_false, value};
}

static void put_load(struct filter *filter, size_t offset)
{
	put(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void put_result(struct filter *filter, uint32_t result)
{
	put(filter, BPF_RET | BPF_K, result, 0, 0);
}

/* Adds the instructions for a rule. Before and after these instructions, the accumulator of the
 * filter has the number of the system call. */
static void put_rule(struct filter *filter, const struct rule *rule)
{
	const size_t low = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 4;

	put(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)rule->call, 0,
	    rule->condition == HAS ? 5 : 4);
	put_load(filter,
		 offsetof(struct seccomp_data, args) + rule->argument * sizeof(uint64_t) + low);
	if (rule->condition == HAS)
		put(filter, BPF_ALU | BPF_AND | BPF_K, rule->value, 0, 0);
	if (rule->condition == LACKS)
		put(filter, BPF_JMP | BPF_JSET | BPF_K, rule->value, 1, 0);
	else
		put(filter, BPF_JMP | BPF_JEQ | BPF_K, rule->value, 0, 1);
	put_result(filter, SECCOMP_RET_ALLOW);
	put_load(filter, offsetof(struct seccomp_data, nr));
}

static void put_rules(struct filter *filter, const struct rule *rules, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_rule(filter, &rules[i]);
}

static void put_calls(struct filter *filter, const int *calls, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		put(filter, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], 0, 1);
		put_result(filter, SECCOMP_RET_ALLOW);
	}
}

/* Allows the process to send signals to itself, as raise(3) and abort(3) do. */
static void put_signals(struct filter *filter)
{
	const uint32_t self = (uint32_t)getpid();

	put_rule(filter, &(struct rule){SYS_kill, EQUALS, 0, self});
	put_rule(filter, &(struct rule){SYS_tgkill, EQUALS, 0, self});
#ifdef SYS_tkill
	put_rule(filter, &(struct rule){SYS_tkill, EQUALS, 0, self});
#endif
}

/* Limits the process and its children to the listed system calls. Other calls fail with EPERM.
 * Calls that were added in Linux 5.3 or later fail with ENOSYS, so that libc uses older calls. Call
 * it after PR_SET_NO_NEW_PRIVS was set. Returns false and sets errno if it fails. errno is EINVAL
 * or ENOSYS if this kernel or architecture has no filter. */
static bool sandbox_limit_calls(const struct sandbox_calls *calls)
{
	struct filter filter = {.count = 0};
	struct sock_fprog program = {.filter = filter.code};

	if (!ARCHITECTURE) {
		errno = ENOSYS;
		return false;
	}
	put_load(&filter, offsetof(struct seccomp_data, arch));
	put(&filter, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	put_result(&filter, SECCOMP_RET_ERRNO | EPERM);
	put_load(&filter, offsetof(struct seccomp_data, nr));
	put_calls(&filter, reading, COUNT(reading));
	put_rules(&filter, conditional, COUNT(conditional));
	put_signals(&filter);
	if (calls->writes)
		put_calls(&filter, writing, COUNT(writing));
	if (calls->network) {
		put_calls(&filter, networking, COUNT(networking));
		put_rules(&filter, conditional_networking, COUNT(conditional_networking));
	}
	put(&filter, BPF_JMP | BPF_JGE | BPF_K, SINCE_LINUX_5_3, 0, 1);
	put_result(&filter, SECCOMP_RET_ERRNO | ENOSYS);
	put_result(&filter, SECCOMP_RET_ERRNO | EPERM);
	program.len = filter.count;
	return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

/* ---- The sandbox ---- */

/* Constants that some versions of <linux/landlock.h> do not have:
 * https://docs.kernel.org/userspace-api/landlock.html */
#define REFER	 (UINT64_C(1) << 13) /* since Landlock version 2 */
#define TRUNCATE (UINT64_C(1) << 14) /* since Landlock version 3 */

/* The rights of Landlock version 1, without the rights to read files and folders. */
#define CHANGES_1                                                                                  \
	(((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1) &                                                \
	 ~(uint64_t)(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR))
/* The rights to read files and folders. They are limited only in the helper process. */
#define READS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
/* The rights that a rule for a file can have. */
#define OF_FILES                                                                                   \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |                              \
	 LANDLOCK_ACCESS_FS_READ_FILE | TRUNCATE)
/* The rights that a program has in a declared folder. */
#define IN_FOLDER                                                                                  \
	(LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |                          \
	 LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | REFER | TRUNCATE)

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

/* A folder or file that the program has declared. */
struct place {
	char *path;
	bool readable; /* true if the place may be read, false if files may be created in it */
};

static struct {
	bool wanted, off, anywhere, entered;
	bool incomplete; /* true if memory was exhausted, and a place is missing */
	struct place *places;
	size_t count, capacity;
} sandbox;

void pk_sandbox_want(void)
{
	sandbox.wanted = true;
}

void pk_sandbox_off(void)
{
	sandbox.off = true;
}

static void add_place(char *path, bool readable)
{
	if (path && pk_reserve(&sandbox.places, &sandbox.capacity, sandbox.count, 1,
			       sizeof(*sandbox.places)) == PK_OK) {
		sandbox.places[sandbox.count++] = (struct place){path, readable};
		return;
	}
	free(path);
	sandbox.incomplete = true;
}

void pk_sandbox_folder(const char *folder)
{
	add_place(strdup(folder), false);
}

void pk_sandbox_readable(const char *path)
{
	add_place(strdup(path), true);
}

static void add_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	add_place(slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("."), false);
}

void pk_sandbox_folder_of(const char *path)
{
	char *target = realpath(
		path,
		NULL); /* the path without symbolic links, or NULL if the file does not exist yet */

	add_folder_of(path);
	if (target)
		add_folder_of(target);
	free(target);
}

void pk_sandbox_write_anywhere(void)
{
	sandbox.anywhere = true;
}

/* Declares the folder of temporary files. Temporary files usually have no name (O_TMPFILE), and
 * need no right to create a name in the folder. So the folder is declared only if Landlock limits
 * the places, or if the folder does not support O_TMPFILE. */
static void add_temporary(void)
{
	const char *folder = getenv("TMPDIR");
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		close(fd);
	if (sandbox.count || (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)))
		pk_sandbox_folder(folder);
}

/* Adds a rule for a place. A place that cannot be opened gets no rule. The program will report the
 * error when it uses the place. */
static bool allow_place(int rules, const struct place *place, uint64_t rights)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = rights};
	struct stat st;
	bool ok;

	rule.parent_fd = open(place->path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return true;
	if (!fstat(rule.parent_fd, &st) && !S_ISDIR(st.st_mode))
		rule.allowed_access &= OF_FILES;
	ok = !rule.allowed_access ||
	     !syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
	return ok;
}

/* Limits changes to the declared places. If limit_reading is true, files can also be read only in
 * the declared places. Returns false and sets errno if it fails. */
static bool limit_places(bool limit_reading)
{
	const long version =
		syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	const uint64_t reads = limit_reading ? READS : 0;
	const uint64_t handled =
		CHANGES_1 | reads | (version > 1 ? REFER : 0) | (version > 2 ? TRUNCATE : 0);
	const struct landlock_ruleset_attr attr = {.handled_access_fs = handled};
	const uint64_t in_folder =
		IN_FOLDER | (limit_reading ? READS | LANDLOCK_ACCESS_FS_MAKE_DIR : 0);
	bool ok = true;
	int rules;

	if (version < 1)
		return false;
	rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr.handled_access_fs), 0);
	if (rules < 0)
		return false;
	for (size_t i = 0; ok && i < sandbox.count; i++)
		ok = allow_place(rules, &sandbox.places[i],
				 sandbox.places[i].readable ? reads : in_folder & handled);
	ok = ok && !syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
	return ok;
}

static void free_places(void)
{
	while (sandbox.count)
		free(sandbox.places[--sandbox.count].path);
	free(sandbox.places);
	sandbox.places = NULL;
	sandbox.capacity = 0;
}

void pk_sandbox_enter(void)
{
	struct sandbox_calls calls;

	if (!sandbox.wanted)
		return;
	sandbox.wanted = false;
	if (!sandbox.off && !SANITIZED) {
		add_temporary();
		calls = (struct sandbox_calls){
			.writes = sandbox.count || sandbox.anywhere || sandbox.incomplete,
		};
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
			pk_info("no sandbox: %s", strerror(errno));
		if (sandbox.count && !sandbox.anywhere && !sandbox.incomplete &&
		    !limit_places(false))
			pk_info("sandbox without Landlock: %s", strerror(errno));
		sandbox.entered = true;
		if (!sandbox_limit_calls(&calls))
			pk_info("sandbox without seccomp: %s", strerror(errno));
	}
	free_places();
}

void pk_sandbox_start_helper(void)
{
	free_places();
	sandbox.incomplete = false;
}

void pk_sandbox_enter_helper(void)
{
	const struct sandbox_calls calls = {.writes = true, .network = true};

	if (!SANITIZED && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
		if (!sandbox.incomplete)
			limit_places(true);
		sandbox_limit_calls(&calls);
	}
	free_places();
}

bool pk_sandbox_entered(void)
{
	return sandbox.entered;
}

bool pk_sandbox_wanted(void)
{
	return sandbox.wanted;
}
