/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_GLIBC_MACROS_H
#define PK_GLIBC_MACROS_H

/* Macros of glibc that other C libraries lack. */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef TEMP_FAILURE_RETRY
#define TEMP_FAILURE_RETRY(call)                                                                   \
	__extension__({                                                                            \
		__typeof__(call) result_;                                                          \
		do                                                                                 \
			result_ = (call);                                                          \
		while (result_ == -1 && errno == EINTR);                                           \
		result_;                                                                           \
	})
#endif

/* The status of waitpid(2) of a program that has ended by exit(code), or by a signal. */
#ifndef W_EXITCODE
#define W_EXITCODE(code, signal) ((code) << 8 | (signal))
#endif

#endif
