// SPDX-License-Identifier: BSD-2-Clause
#include "pkstream.h"

#ifndef PK_VERSION
#define PK_VERSION "0"
#endif

const char *pk_status_text(enum pk_status status)
{
	switch (status) {
	case PK_OK: return "success";
	case PK_END: return "end of input";
	case PK_TRUNCATED: return "the input is cut short";
	case PK_CORRUPT: return "the input is damaged";
	case PK_IO: return "input/output error";
	case PK_NOMEM: return "out of memory";
	case PK_UNSUPPORTED: return "not supported";
	case PK_FAILED: return "failed";
	}
	return "unknown status";
}

const char *pk_version(void)
{
	return PK_VERSION;
}
