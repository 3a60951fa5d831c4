// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "preload.h"

struct heap_link heap_link;

/* Whether this process has tried to connect, and whether it was forked by a process that has. */
static _Atomic(int) state;
static bool forked;
enum { NEW, CONNECTING, DONE };

/* The name of the socket. The environment can change later. */
static char socket_name[sizeof(((struct sockaddr_un *)0)->sun_path) - 1];

/* pk-record reads the maps of the process before it answers. */
#define ANSWER_SECONDS 10

/* ---- Requests ---- */

static int connect_to(const char *name)
{
	const struct timeval patience = {.tv_sec = ANSWER_SECONDS};
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const size_t size = strlen(name);
	int fd;

	memcpy(address.sun_path + 1, name, size);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) ||
	    connect(fd, (const struct sockaddr *)&address,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + size))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Receives the reply. Sets *memory to the descriptor in it, or to -1. Returns true if the reply is
 * complete. */
static bool receive(int fd, struct heap_reply *reply, int *memory)
{
	union {
		struct cmsghdr header;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = {.bytes = {0}};
	struct iovec part = {reply, sizeof(*reply)};
	struct msghdr message = {.msg_iov = &part,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	const ssize_t size = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *header = size >= 0 ? CMSG_FIRSTHDR(&message) : NULL;

	*memory = -1;
	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
	    header->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(memory, CMSG_DATA(header), sizeof(int));
	return size == (ssize_t)sizeof(*reply) && reply->version == HEAP_VERSION;
}

/* Sends a request to pk-record, and waits for the reply. */
static bool ask(enum heap_request_kind kind, struct heap_reply *reply, int *memory)
{
	const struct heap_request request = {.version = HEAP_VERSION, .kind = kind};
	const int fd = *socket_name ? connect_to(socket_name) : -1;
	bool ok;

	*memory = -1;
	if (fd < 0)
		return false;
	ok = send(fd, &request, sizeof(request), MSG_NOSIGNAL) == (ssize_t)sizeof(request) &&
	     receive(fd, reply, memory);
	close(fd);
	return ok;
}

/* ---- The ring ---- */

static void map_ring(const struct heap_reply *reply, int memory)
{
	const size_t size = (size_t)reply->ring_size;
	struct heap_ring *ring = heap_ring_map(memory, size);

	if (!ring)
		return;
	heap_link = (struct heap_link){.data = (uint8_t *)ring + HEAP_PAGE,
				       .size = size,
				       .mean = reply->mean,
				       .stack_size = reply->stack_size};
	if (reply->mean == 1)
		live_set_all();
	atomic_thread_fence(memory_order_release);
	heap_link.ring = ring;
}

bool link_start(void)
{
	const char *name = secure_getenv(HEAP_VARIABLE);
	struct heap_reply reply;
	int expected = NEW, memory;

	if (!atomic_compare_exchange_strong(&state, &expected, CONNECTING)) {
		/* While another thread connects, this thread tries again at its next allocation. */
		if (expected == DONE && !heap_link.ring)
			heap_thread.left = INT64_MAX;
		return heap_link.ring;
	}
	if (name && strlen(name) < sizeof(socket_name))
		memcpy(socket_name, name, strlen(name) + 1);
	if (ask(forked ? HEAP_FORKED : HEAP_START, &reply, &memory) && memory >= 0)
		map_ring(&reply, memory);
	if (memory >= 0)
		close(memory);
	atomic_store(&state, DONE);
	if (!heap_link.ring)
		heap_thread.left = INT64_MAX;
	return heap_link.ring;
}

bool link_is_alive(void)
{
	const int fd = connect_to(socket_name);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* ---- The life of the process ---- */

/* A forked process connects at its first sample, and gets a ring of its own. Most forked processes
 * execute another program before that. The process has one thread. */
static void after_fork(void)
{
	const int error = errno;

	if (heap_link.ring)
		munmap(heap_link.ring, HEAP_PAGE + 2 * heap_link.size);
	heap_link.ring = NULL;
	heap_thread = (struct heap_thread){.left = -1};
	forked = true;
	atomic_store(&state, NEW);
	errno = error;
}

/* pthread_atfork() of glibc is not in its shared library, and calls this function. musl does not
 * have it. */
extern int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void),
			     void *library) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

static void follow_forks(void)
{
	int (*atfork)(void (*)(void), void (*)(void), void (*)(void));
	void *function;

	if (__register_atfork) {
		__register_atfork(NULL, NULL, after_fork, &__dso_handle);
		return;
	}
	function = dlsym(RTLD_DEFAULT, "pthread_atfork");
	memcpy(&atfork, &function, sizeof(atfork));
	if (atfork)
		atfork(NULL, NULL, after_fork);
}

__attribute__((constructor)) static void begin(void)
{
	const int error = errno;

	if (link_start())
		follow_forks();
	errno = error;
}

/* Libraries that the program has loaded since the maps were read last would otherwise be unknown.
 */
__attribute__((destructor)) static void end(void)
{
	struct heap_reply reply;
	int memory;

	if (!heap_link.ring)
		return;
	ask(HEAP_END, &reply, &memory);
	if (memory >= 0)
		close(memory);
}
