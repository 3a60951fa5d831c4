/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_DEMANGLE_H
#define PK_DEMANGLE_H

/*
 * The name as written in the source, with parameters, or NULL if it is not a mangled C++ name (or
 * one that would become absurdly long). The caller frees it.
 */
char *pk_demangle(const char *name);

#endif
