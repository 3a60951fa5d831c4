/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FUNCTION_NAME_H
#define PK_FUNCTION_NAME_H

/* Finds the parts of a function's name. The name can come from a demangler, a recorder, or the
 * runtime of a language. */

#include <stdbool.h>
#include <stddef.h>

#include "range.h"

/* Returns the parameter list of a function and all text that follows the list, such as "(int) const
 * [clone .cold]". If the name has no list, the start of the range is equal to its end.
 *
 * These parentheses are no parameter lists: parentheses inside of template arguments, "(anonymous
 * namespace)", operator(), methods of Go, and categories of Objective-C. If a function returns a
 * pointer to a function, the parameters of this pointer are not in the range: "void
 * (*f(int))(char)" has the list "(int)". */
struct pk_range pk_parameters(const char *name, size_t size);

/* Like pk_parameters(), for a name from Java or from another runtime. The type of the result
 * can follow the list: "(Lorg/x/Y;I)Lorg/x/Z;". The end of the list can be missing: "(Lorg/x". */
struct pk_range pk_runtime_parameters(const char *name, size_t size);

/* A runtime can write a list of inlined calls as "A->B->C". Returns the size of the first name in
 * this list. Returns `size` if there is only one name. An arrow separates no names if it is in a
 * C++ operator, in parentheses or in template arguments. */
size_t pk_inlined_caller(const char *name, size_t size);

#endif
