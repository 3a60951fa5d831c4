// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "cli.h"
#include "resolve.h"

struct resolver {
	struct pk_symbols *symbols;
	bool live;
	struct pk_object **objects; /* by image index */
	uint32_t capacity;
	struct pk_object *kernel; /* for kernel addresses that no map covers */
};

struct resolver *resolver_new(struct pk_symbols *symbols, bool live)
{
	struct resolver *resolver = calloc(1, sizeof(*resolver));

	if (!resolver)
		return NULL;
	resolver->symbols = symbols;
	resolver->live = live;
	return resolver;
}

void resolver_free(struct resolver *resolver)
{
	if (!resolver)
		return;
	resolver_forget(resolver);
	free(resolver);
}

void resolver_forget(struct resolver *resolver)
{
	free(resolver->objects);
	resolver->objects = NULL;
	resolver->capacity = 0;
	resolver->kernel = NULL;
}

static struct pk_build_id build_id_of(const struct pk_image *image)
{
	struct pk_build_id id = {.size = (uint8_t)image->build_id_size};

	memcpy(id.bytes, image->build_id, sizeof(id.bytes));
	return id;
}

/* Why an object has no symbols is said once, when it is met. */
static void tell_state(struct pk_object *object)
{
	switch (pk_object_state(object)) {
	case PK_OBJECT_READY:
		pk_info("%s: symbols from %s", pk_object_path(object), pk_object_source(object));
		break;
	case PK_OBJECT_NOT_A_FILE:
	case PK_OBJECT_UNREAD: break;
	case PK_OBJECT_OTHER_BUILD:
	case PK_OBJECT_UNUSABLE:
	case PK_OBJECT_HIDDEN:
		pk_warn("%s: %s", pk_object_path(object), pk_object_reason(object));
		break;
	default: pk_info("%s: %s", pk_object_path(object), pk_object_reason(object)); break;
	}
}

static struct pk_object *open_image(struct resolver *resolver, const struct pk_image *image)
{
	struct pk_build_id id = build_id_of(image);
	struct pk_object *object = NULL;

	switch (image->kind) {
	case PK_DSO_KERNEL:
		object = pk_symbols_kernel(resolver->symbols, &id, image->reference_symbol,
					   image->reference_address);
		resolver->kernel = object;
		break;
	case PK_DSO_JIT:
		return pk_symbols_perf_map(resolver->symbols, (pid_t)image->pid, (uid_t)-1);
	case PK_DSO_FILE:
	case PK_DSO_VDSO:
		object = pk_symbols_file(resolver->symbols, image->path, &id,
					 resolver->live ? (pid_t)image->pid : 0);
		break;
	default: return NULL;
	}
	if (object)
		tell_state(object);
	return object;
}

static bool reserve(struct resolver *resolver, uint32_t index)
{
	uint32_t capacity = resolver->capacity ? resolver->capacity : 64;
	struct pk_object **objects;

	while (capacity <= index)
		capacity *= 2;
	if (capacity == resolver->capacity)
		return true;
	objects = realloc(resolver->objects, capacity * sizeof(*objects));
	if (!objects)
		return false;
	memset(objects + resolver->capacity, 0, (capacity - resolver->capacity) * sizeof(*objects));
	resolver->objects = objects;
	resolver->capacity = capacity;
	return true;
}

static struct pk_object *object_of(struct resolver *resolver, const struct pk_image *image)
{
	if (!reserve(resolver, image->index))
		return NULL;
	if (!resolver->objects[image->index])
		resolver->objects[image->index] = open_image(resolver, image);
	return resolver->objects[image->index];
}

/* A module's code, and what no map covers, is looked up in kallsyms as well, which has all of the
 * kernel. */
static struct pk_object *kernel_object(struct resolver *resolver)
{
	if (!resolver->kernel)
		resolver->kernel = pk_symbols_kernel(resolver->symbols, NULL, NULL, 0);
	return resolver->kernel;
}

/* A BPF program is its own symbol. */
static void resolve_bpf(const struct pk_location *location, struct pk_resolved *resolved)
{
	resolved->function = location->image->path;
	resolved->function_size = strlen(location->image->path);
	resolved->symbol_start = location->address;
}

void resolver_resolve(void *arg, const struct pk_location *location, struct pk_resolved *resolved)
{
	const struct pk_image *image = location->image;
	struct resolver *resolver = arg;
	struct pk_object *object = NULL;
	uint64_t address = location->address;
	struct pk_symbol symbol;

	if (image && image->kind == PK_DSO_BPF) {
		resolve_bpf(location, resolved);
		return;
	}
	if (location->flags == PK_FRAME_KERNEL && (!image || image->kind == PK_DSO_MODULE)) {
		object = kernel_object(resolver);
		address = location->ip;
	} else if (image) {
		object = object_of(resolver, image);
	}
	if (!object)
		return;
	if (!pk_object_lookup(object, address, &symbol)) {
		resolved->retry = image && image->kind == PK_DSO_JIT &&
				  pk_object_state(object) == PK_OBJECT_READY;
		return;
	}
	resolved->function = symbol.name;
	resolved->function_size = strlen(symbol.name);
	resolved->symbol_start = symbol.start + (location->address - address);
	if (location->flags == PK_FRAME_KERNEL && symbol.module &&
	    (!image || image->kind == PK_DSO_KERNEL))
		resolved->module = symbol.module;
}
