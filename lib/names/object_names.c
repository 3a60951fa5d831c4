// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "object_names.h"
#include "pkstream.h"

const char *pk_object_file(const struct pk_dictionary *dictionary, uint32_t dso)
{
	const struct pk_dso *found = pk_dictionary_get_dso(dictionary, dso);
	const char *path = found && found->path
				   ? pk_dictionary_get_string(dictionary, found->path, NULL)
				   : NULL;
	const char *slash = path ? strrchr(path, '/') : NULL;

	if (!path)
		return "";
	return slash ? slash + 1 : path;
}

struct pk_object_names pk_object_names(const struct pk_dictionary *dictionary, const uint32_t *ids,
				       size_t count)
{
	struct pk_object_names names = {""};
	size_t size = 0;

	for (size_t i = 0; i < count && i < PK_OBJECTS_NAMED; i++)
		size += (size_t)snprintf(names.text + size, sizeof(names.text) - size, "%s%.63s",
					 i ? ", " : "", pk_object_file(dictionary, ids[i]));
	if (count > PK_OBJECTS_NAMED)
		snprintf(names.text + size, sizeof(names.text) - size, " and %zu other%s",
			 count - PK_OBJECTS_NAMED, count == PK_OBJECTS_NAMED + 1 ? "" : "s");
	return names;
}
