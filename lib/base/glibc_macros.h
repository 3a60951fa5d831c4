/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_GLIBC_MACROS_H
#define PK_GLIBC_MACROS_H

/* Defines macros of glibc that are missing in other C libraries. */
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

/* Returns the status that waitpid(2) would return for a program that ended by exit(code) or by a
 * signal. */
#ifndef W_EXITCODE
#define W_EXITCODE(code, signal) ((code) << 8 | (signal))
#endif

#endif
