// SPDX-License-Identifier: BSD-2-Clause
/* Compares names of system calls with the numbers in the headers of this machine. Also tests the
 * words for flags. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "syscall_signatures.h"
#include "syscall_text.h"
#include "syscall_words.h"
#include "stream_builder.h"

START_TEST(numbers_of_architectures)
{
	ck_assert_str_eq(pk_syscall_name(PK_ABI_X86_64, 0), "read");
	ck_assert_str_eq(pk_syscall_name(PK_ABI_X86_64, 334), "rseq");
	ck_assert_str_eq(pk_syscall_name(PK_ABI_X86_64, 0x40000000 | 257), "openat");
	ck_assert_str_eq(pk_syscall_name(PK_ABI_I386, 5), "open");
	ck_assert_str_eq(pk_syscall_name(PK_ABI_I386, 422), "futex_time64");
	ck_assert_str_eq(pk_syscall_name(PK_ABI_AARCH64, 222), "mmap");
	ck_assert_str_eq(pk_syscall_name(PK_ABI_ARM, 192), "mmap2");
	for (int abi = PK_ABI_X86_64; abi < PK_ABIS; abi++) {
		ck_assert_str_eq(pk_syscall_name((enum pk_abi)abi, 435), "clone3");
		ck_assert_str_eq(pk_syscall_name((enum pk_abi)abi, 470), "listns");
		ck_assert_ptr_null(pk_syscall_name((enum pk_abi)abi, 511));
		ck_assert_ptr_null(pk_syscall_name((enum pk_abi)abi, UINT64_MAX));
	}
	ck_assert_ptr_null(pk_syscall_name(PK_ABI_AARCH64, 250));
	ck_assert_ptr_null(pk_syscall_name(PK_ABI_UNKNOWN, 0));
	ck_assert_int_eq(pk_abi_of(EM_X86_64, true), PK_ABI_I386);
	ck_assert_int_eq(pk_abi_of(EM_AARCH64, true), PK_ABI_ARM);
	ck_assert_int_eq(pk_abi_of(EM_S390, false), PK_ABI_UNKNOWN);
}
END_TEST

#ifdef __x86_64__
#define CALL(name)                                                                                 \
	ck_assert_str_eq(pk_syscall_name(PK_ABI_X86_64, SYS_##name), #name);                       \
	ck_assert_ptr_nonnull(pk_syscall_signature(#name))

START_TEST(numbers_of_this_machine)
{
	CALL(open);
	CALL(newfstatat);
	CALL(epoll_pwait2);
	CALL(landlock_add_rule);
	CALL(futex_waitv);
	CALL(pidfd_getfd);
	CALL(statx);
	CALL(set_mempolicy_home_node);
	CALL(getcpu);
	CALL(setns);
	CALL(prlimit64);
	CALL(rt_tgsigqueueinfo);
	CALL(mount_setattr);
}
END_TEST
#endif

/* Returns the word for a value. The next call overwrites it. */
static const char *word(const char *kind, enum pk_abi abi, uint64_t value)
{
	static char text[256];
	struct buffer out = {0};

	if (!pk_syscall_word(&out, pk_syscall_words(kind, strlen(kind)), abi, value))
		buffer_text(&out, "-");
	snprintf(text, sizeof(text), "%.*s", (int)out.size, out.data ? out.data : "");
	free(out.data);
	return text;
}

START_TEST(words)
{
	ck_assert_str_eq(word("open", PK_ABI_X86_64, 0200000), "RDONLY|DIRECTORY");
	ck_assert_str_eq(word("open", PK_ABI_AARCH64, 0200000), "RDONLY|DIRECT");
	ck_assert_str_eq(word("open", PK_ABI_X86_64, 01101), "CREAT|TRUNC|WRONLY");
	ck_assert_str_eq(word("prot", PK_ABI_X86_64, 0x13), "READ|WRITE|0x10");
	ck_assert_str_eq(word("map", PK_ABI_X86_64, 3), "SHARED_VALIDATE");
	ck_assert_str_eq(word("at", PK_ABI_X86_64, (uint32_t)-100), "CWD");
	ck_assert_str_eq(word("at", PK_ABI_X86_64, 7), "7");
	ck_assert_str_eq(word("mode", PK_ABI_X86_64, 0644), "IRUGO|IWUSR");
	ck_assert_str_eq(word("socktype", PK_ABI_X86_64, 02000001), "STREAM|CLOEXEC");
	ck_assert_str_eq(word("futex", PK_ABI_X86_64, 0x189),
			 "WAIT_BITSET|PRIVATE_FLAG|CLOCK_REALTIME");
	ck_assert_str_eq(word("signal", PK_ABI_X86_64, 65), "-");
	ck_assert_ptr_null(pk_syscall_words("no_such_kind", 12));
	ck_assert_ptr_null(pk_syscall_words("d", 1));
	ck_assert(pk_syscall_word_for_zero(pk_syscall_words("whence", 6)));
	ck_assert(!pk_syscall_word_for_zero(pk_syscall_words("signal", 6)));
}
END_TEST

static const char *result_of(const char *name, const char *arguments, int64_t value)
{
	const struct pk_bytes bytes = {(const uint8_t *)arguments, strlen(arguments)};
	static char text[256];
	struct buffer out = {0};

	pk_call_result(&out, name, &bytes, PK_ABI_X86_64, value);
	snprintf(text, sizeof(text), "%.*s", (int)out.size, out.data);
	free(out.data);
	return text;
}

static const char *result(const char *name, int64_t value)
{
	return result_of(name, "", value);
}

START_TEST(results)
{
	ck_assert_str_eq(result_of("fcntl", "fd: 3, cmd: GETFL", 0100002), "RDWR|LARGEFILE");
	ck_assert_str_eq(result_of("fcntl", "fd: 3, cmd: GETFL", -9),
			 "-1 EBADF (Bad file descriptor)");
	ck_assert_str_eq(result_of("fcntl", "fd: 3, cmd: GETFD", 1), "CLOEXEC");
	ck_assert_str_eq(result_of("fcntl", "fd: 3, cmd: GETFD", 0), "0");
	ck_assert_str_eq(result_of("fcntl", "fd: 3, cmd: DUPFD", 1), "1");
	ck_assert_str_eq(result("openat", -2), "-1 ENOENT (No such file or directory)");
	ck_assert_str_eq(result("read", 832), "832");
	ck_assert_str_eq(result("mmap", 0x7f9ab2c41000), "0x7f9ab2c41000");
	ck_assert_str_eq(result("mmap", -12), "-1 ENOMEM (Cannot allocate memory)");
	ck_assert_str_eq(result("poll", 0), "0 (Timeout)");
	ck_assert_str_eq(result("read", -5000), "-5000");
	ck_assert_str_eq(pk_errno_name(133), "EHWPOISON");
	ck_assert_str_eq(pk_errno_name(512), "ERESTARTSYS");
	ck_assert_ptr_null(pk_errno_name(0));
	ck_assert_ptr_null(pk_errno_name(134));
}
END_TEST

#ifdef __x86_64__
RUN_TESTS("syscall_text", numbers_of_architectures, numbers_of_this_machine, words, results)
#else
RUN_TESTS("syscall_text", numbers_of_architectures, words, results)
#endif
