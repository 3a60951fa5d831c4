/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SESSION_INFO_H
#define PK_RECORD_SESSION_INFO_H

#include "pkstream.h"

/* Byte order, word size and ELF machine of where we run, by our own ELF header. */
struct pk_session_info session_info(void);

#endif
