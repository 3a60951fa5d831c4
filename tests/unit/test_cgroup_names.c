// SPDX-License-Identifier: BSD-2-Clause
/* Tests the names of containers and pods in paths of control groups. */
#include "cgroup_names.h"
#include "stream_builder.h"

#define ID    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210"
#define UID   "6a7b8c9d-1234-5678-9abc-def012345678"
#define SLICE                                                                                      \
	"/kubepods.slice/kubepods-burstable.slice/"                                                \
	"kubepods-burstable-pod6a7b8c9d_1234_5678_9abc_def012345678.slice"

static void expect(bool found, const struct pk_bytes *name, const char *wanted, const char *path)
{
	ck_assert_msg(found == (wanted != NULL), "%s: %s", path, found ? "a name" : "no name");
	if (found)
		ck_assert_msg(name->size == strlen(wanted) &&
				      !memcmp(name->data, wanted, name->size),
			      "%s: %.*s", path, (int)name->size, (const char *)name->data);
}

START_TEST(names_containers_and_pods)
{
	static const struct {
		const char *path, *container, *pod;
	} paths[] = {
		{"/docker/" ID, ID, NULL},
		{"/system.slice/docker-" ID ".scope", ID, NULL},
		{"/docker/" ID "/docker/" OTHER "/init", OTHER, NULL},
		{"/machine.slice/libpod-" ID ".scope/container", ID, NULL},
		{"/machine.slice/libpod-conmon-" ID ".scope", NULL, NULL},
		{"/kubepods/burstable/pod" UID "/" ID, ID, UID},
		{SLICE "/cri-containerd-" ID ".scope", ID, "6a7b8c9d_1234_5678_9abc_def012345678"},
		{SLICE "/crio-" ID, ID, "6a7b8c9d_1234_5678_9abc_def012345678"},
		{"/lxc/web/system.slice", "web", NULL},
		{"/lxc.payload.db", "db", NULL},
		{"/machine.slice/machine-box.scope", "box", NULL},
		{"/", NULL, NULL},
		{"", NULL, NULL},
		{"/user.slice/user-1000.slice/session-2.scope", NULL, NULL},
		{"/system.slice/cron.service", NULL, NULL},
		{"/podcast/pod1234", NULL, NULL},
		{"/kubepods-pod.slice", NULL, NULL},
		{"/lxc", NULL, NULL},
		{"/lxc.payload.", NULL, NULL},
		{"/x" ID, NULL, NULL},
	};
	struct pk_bytes name;

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		expect(pk_cgroup_container(paths[i].path, &name), &name, paths[i].container,
		       paths[i].path);
		expect(pk_cgroup_pod(paths[i].path, &name), &name, paths[i].pod, paths[i].path);
	}
}
END_TEST

RUN_TESTS("cgroup_names", names_containers_and_pods)
