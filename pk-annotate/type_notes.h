/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_TYPE_NOTES_H
#define PK_ANNOTATE_TYPE_NOTES_H

/* Behind each instruction that accesses memory: "# data-type: struct foo +0x10 (list.next)". */

#include "notes.h"
#include "typing.h"

/* The typing stays the caller's. */
struct notes type_notes(struct typing *typing);

#endif
