/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CGROUP_NAMES_H
#define PK_CGROUP_NAMES_H

/* The control groups of a session, and the containers and pods that their paths name. If all
 * members are zero, there are no control groups. */

#include "pkstream.h"
#include "texts.h"

/* A control group: its path, and the container and pod that the path names. */
struct pk_cgroup {
	const char *path;
	uint32_t container, pod; /* numbers in pk_cgroups.texts of the names of the container and
				  * the pod; 0 if there is none */
};

/* The control groups of a session. */
struct pk_cgroups {
	struct pk_table by_id;
	struct pk_texts texts; /* paths, and names of containers and pods */
};

/* Adds the control group of a CGROUP record. */
enum pk_status pk_cgroups_record(struct pk_cgroups *cgroups, const struct pk_record *record);
/* Returns the control group with this id, or NULL if no record has defined it. */
const struct pk_cgroup *pk_cgroups_find(const struct pk_cgroups *cgroups, uint64_t id);
void pk_cgroups_free(struct pk_cgroups *cgroups);

/* Finds the part of the path of a control group that names the container. This is the id that
 * Docker, Podman, containerd or CRI-O has given the container, or the name of a container of LXC or
 * systemd-nspawn. Returns false if the path does not name a container. */
bool pk_cgroup_container(const char *path, struct pk_bytes *name);
/* Finds the part of the path that is the uid of a Kubernetes pod, in the form that the kubelet
 * writes. With systemd, the uid has '_' instead of '-'. Returns false if the path does not name a
 * pod. */
bool pk_cgroup_pod(const char *path, struct pk_bytes *uid);

#endif
