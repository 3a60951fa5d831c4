// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "address_space.h"

/* The maps of an address space are an AVL tree without overlapping maps. Nodes never change. When a
 * map changes, only the nodes on the path to it are copied, and all other nodes are shared. So a
 * fork followed by an mmap costs O(log n), where n is the number of maps of the parent. */
struct node {
	unsigned int refs;
	int height;
	struct node *left, *right;
	struct pk_map map;
};

/* An address space: a tree of its maps. */
struct pk_space {
	unsigned int refs;
	uint64_t serial;
	uint64_t *serials; /* the counter from which new serials are taken */
	struct node *root;
};

uint64_t pk_map_address(const struct pk_map *map, uint64_t ip)
{
	switch (map->image->kind) {
	case PK_DSO_KERNEL:
	case PK_DSO_ANON:
	case PK_DSO_BPF: return ip;
	case PK_DSO_JIT: return map->image->dump ? ip - map->start + map->pgoff : ip;
	default: return ip - map->start + map->pgoff;
	}
}

/* ---- Trees ---- */

static struct node *share(struct node *node)
{
	if (node)
		node->refs++;
	return node;
}

static void release(struct node *node)
{
	while (node && !--node->refs) {
		struct node *right = node->right;

		release(node->left);
		free(node);
		node = right;
	}
}

static int height(const struct node *node)
{
	return node ? node->height : 0;
}

/* Makes a node. This function and the following functions take over the references to left and
 * right. They set *failed if memory is exhausted. */
static struct node *make(struct node *left, const struct pk_map *map, struct node *right,
			 bool *failed)
{
	struct node *node = malloc(sizeof(*node));

	if (!node) {
		*failed = true;
		release(left);
		release(right);
		return NULL;
	}
	*node = (struct node){1, 1, left, right, *map};
	node->height += height(left) > height(right) ? height(left) : height(right);
	return node;
}

/* Releases a node. Returns its map, and sets *left and *right to new references to its subtrees. */
static struct pk_map unlink_node(struct node *node, struct node **left, struct node **right)
{
	struct pk_map map = node->map;

	*left = share(node->left);
	*right = share(node->right);
	release(node);
	return map;
}

/* Makes a balanced tree if the height of right is the height of left plus two. */
static struct node *rotate_left(struct node *left, const struct pk_map *map, struct node *right,
				bool *failed)
{
	struct node *inner, *outer, *a, *b;
	struct pk_map right_map = unlink_node(right, &inner, &outer), inner_map;

	if (height(inner) <= height(outer))
		return make(make(left, map, inner, failed), &right_map, outer, failed);
	inner_map = unlink_node(inner, &a, &b);
	return make(make(left, map, a, failed), &inner_map, make(b, &right_map, outer, failed),
		    failed);
}

static struct node *rotate_right(struct node *left, const struct pk_map *map, struct node *right,
				 bool *failed)
{
	struct node *inner, *outer, *a, *b;
	struct pk_map left_map = unlink_node(left, &outer, &inner), inner_map;

	if (height(inner) <= height(outer))
		return make(outer, &left_map, make(inner, map, right, failed), failed);
	inner_map = unlink_node(inner, &a, &b);
	return make(make(outer, &left_map, a, failed), &inner_map, make(b, map, right, failed),
		    failed);
}

/* Makes a balanced tree of left, map and right. The heights of left and right can differ by any
 * number. */
static struct node *join(struct node *left, const struct pk_map *map, struct node *right,
			 bool *failed)
{
	struct node *a, *b;
	struct pk_map old;

	if (height(left) > height(right) + 1) {
		old = unlink_node(left, &a, &b);
		b = join(b, map, right, failed);
		return height(b) > height(a) + 1 ? rotate_left(a, &old, b, failed)
						 : make(a, &old, b, failed);
	}
	if (height(right) > height(left) + 1) {
		old = unlink_node(right, &a, &b);
		a = join(left, map, a, failed);
		return height(a) > height(b) + 1 ? rotate_right(a, &old, b, failed)
						 : make(a, &old, b, failed);
	}
	return make(left, map, right, failed);
}

/* before() returns a tree of the maps before the address start. after() returns a tree of the maps
 * from the address end on. A map that contains this address is cut. The caller keeps its reference
 * to the given tree. */
static struct node *before(const struct node *node, uint64_t start, bool *failed)
{
	struct pk_map map;

	if (!node)
		return NULL;
	if (node->map.start >= start)
		return before(node->left, start, failed);
	map = node->map;
	if (map.end > start)
		map.end = start;
	return join(share(node->left), &map, before(node->right, start, failed), failed);
}

static struct node *after(const struct node *node, uint64_t end, bool *failed)
{
	struct pk_map map;

	if (!node)
		return NULL;
	if (node->map.end <= end)
		return after(node->right, end, failed);
	map = node->map;
	if (map.start < end) {
		map.pgoff += end - map.start;
		map.start = end;
	}
	return join(after(node->left, end, failed), &map, share(node->right), failed);
}

/* Makes a tree of left and right. All maps of left must be before those of right. */
static struct node *join_two(struct node *left, struct node *right, bool *failed)
{
	struct node *first = right, *rest;
	struct pk_map map;

	if (!left || !right)
		return left ? left : right;
	while (first->left)
		first = first->left;
	map = first->map;
	rest = after(right, map.end, failed);
	release(right);
	return join(left, &map, rest, failed);
}

/* ---- Address spaces ---- */

struct pk_space *pk_space_new(uint64_t *serials)
{
	struct pk_space *space = calloc(1, sizeof(*space));

	if (!space)
		return NULL;
	space->refs = 1;
	space->serials = serials;
	space->serial = ++*serials;
	return space;
}

struct pk_space *pk_space_share(struct pk_space *space)
{
	space->refs++;
	return space;
}

void pk_space_release(struct pk_space *space)
{
	if (!space || --space->refs)
		return;
	release(space->root);
	free(space);
}

uint64_t pk_space_serial(const struct pk_space *space)
{
	return space->serial;
}

const struct pk_map *pk_space_find(const struct pk_space *space, uint64_t ip)
{
	const struct node *node = space->root;

	while (node && (ip < node->map.start || ip >= node->map.end))
		node = ip < node->map.start ? node->left : node->right;
	return node ? &node->map : NULL;
}

const struct pk_map *pk_space_next(const struct pk_space *space, uint64_t address)
{
	const struct pk_map *next = NULL;

	for (const struct node *node = space->root; node;) {
		if (node->map.start > address)
			next = &node->map;
		node = node->map.start > address ? node->left : node->right;
	}
	return next;
}

/* Sets the tree of *space. If the space is shared, *space becomes a new space. Takes over the
 * reference to root. Returns PK_NOMEM if memory is exhausted. If `failed` is true, memory was
 * already exhausted when the caller made the tree, and the result is PK_NOMEM, too. */
static enum pk_status set_root(struct pk_space **space, struct node *root, bool failed)
{
	struct pk_space *own = *space;

	if (!failed && own->refs > 1)
		own = pk_space_new(own->serials);
	if (failed || !own) {
		release(root);
		return PK_NOMEM;
	}
	if (own == *space) {
		own->serial = ++*own->serials;
		release(own->root);
	} else {
		pk_space_release(*space);
		*space = own;
	}
	own->root = root;
	return PK_OK;
}

enum pk_status pk_space_map(struct pk_space **space, const struct pk_map *map)
{
	const struct node *old = (*space)->root;
	bool failed = false;
	struct node *root =
		join(before(old, map->start, &failed), map, after(old, map->end, &failed), &failed);

	return set_root(space, root, failed);
}

enum pk_status pk_space_unmap(struct pk_space **space, uint64_t start, uint64_t end)
{
	const struct node *old = (*space)->root;
	bool failed = false;
	struct node *root =
		join_two(before(old, start, &failed), after(old, end, &failed), &failed);

	return set_root(space, root, failed);
}
