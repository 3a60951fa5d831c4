// SPDX-License-Identifier: BSD-2-Clause
/* types ROUNDS runs loops that access known members of known types. A comment "touches: FUNCTION:"
 * lists the accesses of a function as pk-annotate --types prints them: TYPE +OFFSET (MEMBER). If
 * compilers make different accesses, | separates them. */
#include <stdio.h>
#include <stdlib.h>

#include "known_types.h"

enum { COUNT = 64, REPEAT = 200 };

static struct item items[COUNT];
static struct link links[COUNT], *heads[COUNT];
static struct tree trees[COUNT];
static union cell cells[COUNT];
static int numbers[COUNT];
static long total;
world_t world;
static __thread struct point mine;

/* touches: nested: struct box +0 (low.x); struct box +0xc (high.y) */
NOINLINE void nested(struct box *b, long n)
{
	for (long i = 0; i < n; i++) {
		b->high.y += b->low.x;
		TOUCHED();
	}
}

/* touches: structs: struct item +0x4 (kind); struct item +0x10 (price) */
NOINLINE double structs(const struct item *list, long n)
{
	double sum = 0;

	for (long i = 0; i < n; i++) {
		sum += list[i].price + list[i].kind;
		TOUCHED();
	}
	return sum;
}

/* touches: linked: struct link +0 (next); struct link +0x8 (weight) */
NOINLINE long linked(const struct link *l)
{
	long sum = 0;

	for (; l; l = l->next) {
		sum += l->weight;
		TOUCHED();
	}
	return sum;
}

/* touches: descend: struct tree +0 (left); struct tree +0x10 (key) */
/* touches: descend: struct tree +0x8 (right)|struct tree +0 (left) */
NOINLINE const struct tree *descend(const struct tree *t, unsigned int key)
{
	while (t && t->key != key) {
		if (key < t->key)
			t = t->left;
		else
			t = t->right;
		TOUCHED();
	}
	return t;
}

/* touches: globals: world_t +0 (count); world_t +0x14 (box.high.y) */
NOINLINE void globals(long n)
{
	for (long i = 0; i < n; i++) {
		world.count++;
		world.box.high.y ^= (int)i;
		TOUCHED();
	}
}

/* touches: unions: union cell +0x4 (pair.second) */
NOINLINE long unions(const union cell *c, long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++) {
		sum += c->pair.second;
		TOUCHED();
	}
	return sum;
}

/* Compilers can load the whole word. The name of the word is that of its first bit field. */
/* touches: bits: struct flags +0x5 (b)|struct flags +0x4 (a) */
/* touches: bits: struct flags +0x6 (c)|struct flags +0x4 (a) */
NOINLINE long bits(const struct flags *f, long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++) {
		sum += f->b;
		TOUCHED();
		sum += f->c;
		TOUCHED();
	}
	return sum;
}

/* The parameter is the address of a variable on the stack of the caller. */
NOINLINE void start_box(struct box *b)
{
	b->low.x = 1;
	b->high.y = 0;
	TOUCHED();
}

/* touches: on_stack: struct box +0 (low.x); struct box +0xc (high.y) */
NOINLINE int on_stack(long n)
{
	struct box local;

	start_box(&local);
	for (long i = 0; i < n; i++) {
		local.high.y += local.low.x;
		TOUCHED();
	}
	return local.high.y;
}

/* touches: backwards: int +0 */
NOINLINE long backwards(const int *from, const int *to)
{
	long sum = 0;

	while (to > from) {
		sum += *--to;
		TOUCHED();
	}
	return sum;
}

NOINLINE struct link *head_of(int i)
{
	return heads[i];
}

/* touches: results: struct link +0x8 (weight) */
NOINLINE long results(int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++) {
		sum += head_of(i)->weight;
		TOUCHED();
	}
	return sum;
}

/* touches: twice: struct link* +0; struct link +0x8 (weight) */
NOINLINE long twice(struct link *const *list, long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++) {
		sum += list[i]->weight;
		TOUCHED();
	}
	return sum;
}

/* touches: table: world_t +0x30 (table[1][1]) */
NOINLINE void table(world_t *w, long n)
{
	for (long i = 0; i < n; i++) {
		w->table[1][1] += (int)i;
		TOUCHED();
	}
}

/* touches: own: struct point +0x4 (y) */
NOINLINE void own(long n)
{
	for (long i = 0; i < n; i++) {
		mine.y += (int)i;
		TOUCHED();
	}
}

static void prepare(void)
{
	for (int i = 0; i < COUNT; i++) {
		items[i] = (struct item){.id = i, .kind = (short)i, .price = i};
		links[i] = (struct link){i + 1 < COUNT ? &links[i + 1] : NULL, i};
		heads[i] = &links[i];
		trees[i] =
			(struct tree){NULL, i + 1 < COUNT ? &trees[i + 1] : NULL, (unsigned int)i};
		cells[i].pair.second = i;
		numbers[i] = i;
	}
}

int main(int argc, char **argv)
{
	const long rounds = argc > 1 ? atol(argv[1]) : 1;
	struct flags flags = {1, 2, 3, 4};
	struct box box = {{1, 2}, {3, 4}, argv[0]};

	prepare();
	for (long i = 0; i < rounds; i++) {
		nested(&box, REPEAT);
		total += (long)structs(items, COUNT) + linked(links) + unions(cells, REPEAT);
		total += descend(trees, COUNT - 1)->key + (unsigned long)bits(&flags, REPEAT);
		globals(REPEAT);
		total += on_stack(REPEAT) + backwards(numbers, numbers + COUNT);
		total += results(COUNT) + twice(heads, COUNT);
		table(&world, REPEAT);
		own(REPEAT);
	}
	printf("%ld\n", total + world.count + mine.y);
	return 0;
}
