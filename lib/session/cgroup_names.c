// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cgroup_names.h"

/* ---- Names in paths ---- */

/* The forms of the paths come from three sources: systemd's names of scopes, the kubelet's cgroup
 * manager, and the default paths of container runtimes.
 *
 *   /docker/ID, /system.slice/docker-ID.scope, /machine.slice/libpod-ID.scope/container,
 *   /kubepods/burstable/podUID/ID,
 *   /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podUID.slice/cri-containerd-ID.scope,
 *   /lxc/NAME, /lxc.payload.NAME, /machine.slice/machine-NAME.scope */

#define CONTAINER_ID_SIZE 64

static bool is_hex(const char *text, size_t size)
{
	return strspn(text, "0123456789abcdef") >= size;
}

static bool starts(const char *text, size_t size, const char *with)
{
	return size > strlen(with) && !strncmp(text, with, strlen(with));
}

static size_t without_suffix(const char *part, size_t size, const char *suffix)
{
	const size_t length = strlen(suffix);

	return size > length && !memcmp(part + size - length, suffix, length) ? size - length
									      : size;
}

static bool found(struct pk_bytes *name, const char *text, size_t size)
{
	*name = (struct pk_bytes){(const uint8_t *)text, size};
	return true;
}

/* Finds the name of a container in one component of a path. `before` is the previous component, or
 * NULL. */
static bool container_of_part(const char *part, size_t size, const char *before,
			      struct pk_bytes *name)
{
	const size_t scope = without_suffix(part, size, ".scope");
	const size_t prefix = scope - CONTAINER_ID_SIZE;

	if (scope >= CONTAINER_ID_SIZE && is_hex(part + prefix, CONTAINER_ID_SIZE) &&
	    (!prefix || part[prefix - 1] == '-'))
		return !(prefix >= 7 && !memcmp(part + prefix - 7, "conmon-", 7)) &&
		       found(name, part + prefix, CONTAINER_ID_SIZE);
	if (starts(part, size, "lxc.payload."))
		return found(name, part + 12, size - 12);
	if (scope < size && starts(part, scope, "machine-"))
		return found(name, part + 8, scope - 8);
	return before && !strncmp(before, "lxc/", 4) && found(name, part, size);
}

static bool pod_of_part(const char *part, size_t size, const char *before, struct pk_bytes *uid)
{
	const size_t slice = without_suffix(part, size, ".slice");
	const char *pod = memmem(part, slice, "-pod", 4);

	(void)before;
	if (slice < size && starts(part, slice, "kubepods") && pod && pod + 4 < part + slice)
		return found(uid, pod + 4, (size_t)(part + slice - pod) - 4);
	return slice == size && size == 3 + 36 && starts(part, size, "pod") &&
	       strspn(part + 3, "0123456789abcdef-") >= 36 && found(uid, part + 3, size - 3);
}

/* Calls of_part for each component of the path. Uses the last component that has a name. */
static bool last_of(const char *path, struct pk_bytes *name,
		    bool (*of_part)(const char *part, size_t size, const char *before,
				    struct pk_bytes *name))
{
	const char *before = NULL;
	bool is_found = false;

	while (*path) {
		const size_t size = strcspn(path, "/");

		if (size) {
			is_found |= of_part(path, size, before, name);
			before = path;
		}
		path += size + (path[size] == '/');
	}
	return is_found;
}

bool pk_cgroup_container(const char *path, struct pk_bytes *name)
{
	return last_of(path, name, container_of_part);
}

bool pk_cgroup_pod(const char *path, struct pk_bytes *uid)
{
	return last_of(path, uid, pod_of_part);
}

/* ---- The control groups ---- */

static enum pk_status add_name(struct pk_texts *texts, const struct pk_bytes *name,
			       uint32_t *number)
{
	*number = pk_texts_add(texts, (const char *)name->data, name->size);
	return *number ? PK_OK : PK_NOMEM;
}

/* Replaces '_' by '-'. systemd does not permit '-' in the names of slices. */
static enum pk_status add_pod(struct pk_texts *texts, const struct pk_bytes *uid, uint32_t *number)
{
	char *text = strndup((const char *)uid->data, uid->size);
	struct pk_bytes name = {(const uint8_t *)text, uid->size};
	enum pk_status status;

	for (char *at = text; at && (at = strchr(at, '_'));)
		*at = '-';
	status = text ? add_name(texts, &name, number) : PK_NOMEM;
	free(text);
	return status;
}

static enum pk_status set_names(struct pk_cgroups *cgroups, struct pk_cgroup *cgroup)
{
	struct pk_bytes name;

	cgroup->container = cgroup->pod = 0;
	if (pk_cgroup_container(cgroup->path, &name))
		PK_TRY(add_name(&cgroups->texts, &name, &cgroup->container));
	return pk_cgroup_pod(cgroup->path, &name) ? add_pod(&cgroups->texts, &name, &cgroup->pod)
						  : PK_OK;
}

static struct pk_cgroup *add_cgroup(struct pk_cgroups *cgroups, uint64_t id)
{
	struct pk_cgroup *cgroup = pk_table_get(&cgroups->by_id, id);

	if (cgroup)
		return cgroup;
	cgroup = calloc(1, sizeof(*cgroup));
	if (cgroup && pk_table_set(&cgroups->by_id, id, cgroup) != PK_OK) {
		free(cgroup);
		return NULL;
	}
	return cgroup;
}

enum pk_status pk_cgroups_record(struct pk_cgroups *cgroups, const struct pk_record *record)
{
	const struct perf_record_cgroup *from = (const void *)record->data;
	const char *path = pk_record_text(record, sizeof(*from));
	struct pk_cgroup *cgroup;
	uint32_t number;

	if (!path)
		return PK_CORRUPT;
	number = pk_texts_add(&cgroups->texts, path, strlen(path));
	cgroup = number ? add_cgroup(cgroups, from->id) : NULL;
	if (!cgroup)
		return PK_NOMEM;
	cgroup->path = pk_texts_get(&cgroups->texts, number, NULL);
	return set_names(cgroups, cgroup);
}

const struct pk_cgroup *pk_cgroups_find(const struct pk_cgroups *cgroups, uint64_t id)
{
	return pk_table_get(&cgroups->by_id, id);
}

void pk_cgroups_free(struct pk_cgroups *cgroups)
{
	struct pk_cgroup *cgroup;
	size_t cursor = 0;

	while ((cgroup = pk_table_next_value(&cgroups->by_id, &cursor)))
		free(cgroup);
	pk_table_free(&cgroups->by_id);
	pk_texts_free(&cgroups->texts);
}
