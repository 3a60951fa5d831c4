/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STATUS_H
#define PK_STATUS_H

/*
 * How functions report errors. A function with an effect that can fail returns an enum pk_status,
 * and its caller passes on what is not PK_OK:
 *
 *     PK_TRY(pk_vector_reserve(list, 1));
 *
 * Where something has to be released first, `a() ?: b()` is the first status that is not PK_OK, and
 * b() is called only if a() returned PK_OK. bool is for answers: is it, has it, was it found.
 */

/* The statuses: lib/base is a part of libpkstream. */
#include "pkstream.h"

/* Returns the status of the call from the function in which it stands, unless it is PK_OK. */
#define PK_TRY(call)                                                                               \
	do {                                                                                       \
		const enum pk_status pk_try_status = (call);                                       \
                                                                                                   \
		if (__builtin_expect(pk_try_status != PK_OK, 0))                                   \
			return pk_try_status;                                                      \
	} while (0)

#endif
