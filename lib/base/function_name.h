/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FUNCTION_NAME_H
#define PK_FUNCTION_NAME_H

/* The parts of a function's name, as demanglers, recorders and runtimes of languages write it. */

#include <stdbool.h>
#include <stddef.h>

#include "range.h"

/* The parameter list of a function, and what follows it: "(int) const [clone .cold]". Start and end
 * are equal if the name has none. The parentheses inside of template arguments, "(anonymous
 * namespace)", operator(), methods of Go and categories of Objective-C are no parameter lists. If a
 * function returns a pointer to a function, more follows: "void (*f(int))(char)" has the list
 * "(int)". */
struct pk_range pk_parameters(const char *name, size_t size);

/* The same for a name that Java or another runtime has given to its code. The type of the result
 * can follow, "(Lorg/x/Y;I)Lorg/x/Z;", and the end can be missing, "(Lorg/x". */
struct pk_range pk_runtime_parameters(const char *name, size_t size);

/* The size of the first name of "A->B->C", in which a runtime lists inlined calls. It is `size` if
 * the name is the last one. Operators of C++, and what stands in parentheses or template arguments,
 * separate nothing. */
size_t pk_inlined_caller(const char *name, size_t size);

#endif
