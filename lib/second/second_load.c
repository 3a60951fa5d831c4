// SPDX-License-Identifier: BSD-2-Clause
#include <dlfcn.h>
#include <string.h>

#include "second_load.h"

enum pk_status pk_second_load(const char *library, const char *package,
			      const struct pk_wanted *wanted, size_t count,
			      struct pk_messages *messages)
{
	void *handle = dlopen(library, RTLD_NOW);

	for (size_t i = 0; handle && i < count; i++) {
		void *symbol = dlsym(handle, wanted[i].name);

		/* ISO C cannot convert a pointer to data to a pointer to a function. */
		memcpy(wanted[i].function, &symbol, sizeof(symbol));
		if (!symbol) {
			dlclose(handle);
			handle = NULL;
		}
	}
	return handle ? PK_OK
		      : pk_messages_error(messages,
					  "--with: %s cannot be loaded: install the package %s "
					  "(Debian's name)",
					  library, package);
}
