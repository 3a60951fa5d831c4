/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CGROUP_NAMES_H
#define PK_CGROUP_NAMES_H

/* The control groups of a session, and the containers and pods that their paths name. A struct of
 * all zero bytes is empty and valid. */

#include "pkstream.h"
#include "texts.h"

struct pk_cgroup {
	const char *path;
	uint32_t container, pod; /* pk_cgroups.texts; 0: none */
};

struct pk_cgroups {
	struct pk_table by_id;
	struct pk_texts texts; /* paths, containers, pods */
};

/* Adds the group of a CGROUP record. */
enum pk_status pk_cgroups_record(struct pk_cgroups *cgroups, const struct pk_record *record);
/* Returns NULL if no record has defined it. */
const struct pk_cgroup *pk_cgroups_find(const struct pk_cgroups *cgroups, uint64_t id);
void pk_cgroups_free(struct pk_cgroups *cgroups);

/* The part of a control group's path that names the container. This is the id that Docker, Podman,
 * containerd or CRI-O gave it, or the name of a container of LXC or systemd-nspawn. Returns false
 * if there is none. */
bool pk_cgroup_container(const char *path, struct pk_bytes *name);
/* The part that is the uid of a pod of Kubernetes, as the kubelet writes it. With systemd, '_'
 * stands for '-'. Returns false if there is none. */
bool pk_cgroup_pod(const char *path, struct pk_bytes *uid);

#endif
