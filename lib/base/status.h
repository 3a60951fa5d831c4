/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STATUS_H
#define PK_STATUS_H

/*
 * How functions report errors. A function that has an effect and can fail returns an enum
 * pk_status. Its caller passes each status on that is not PK_OK:
 *
 *     PK_TRY(pk_vector_reserve(list, 1));
 *
 * If something has to be released before the return, use `a() ?: b()`. Its value is the first
 * status that is not PK_OK. b() is called only if a() returned PK_OK.
 *
 * A function that answers a question returns bool. Such questions are: is it, has it, was it found.
 */

/* pkstream.h defines the statuses, because lib/base is also a part of libpkstream. */
#include "pkstream.h"

/* If the call does not return PK_OK, returns its status from the function that contains PK_TRY().
 */
#define PK_TRY(call)                                                                               \
	do {                                                                                       \
		const enum pk_status pk_try_status = (call);                                       \
                                                                                                   \
		if (__builtin_expect(pk_try_status != PK_OK, 0))                                   \
			return pk_try_status;                                                      \
	} while (0)

#endif
