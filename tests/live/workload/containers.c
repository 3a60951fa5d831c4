// SPDX-License-Identifier: BSD-2-Clause
/*
 * Accesses to members that are found from another member of the same structure (container_of).
 * Other functions have similar accesses whose structure must remain unknown. A comment "touches:"
 * before each function lists the types that the function accesses, as in types.c.
 */
#include <stddef.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

#define container_of(pointer, type, member)                                                        \
	({                                                                                         \
		void *__pointer = (void *)(pointer);                                               \
		(type *)(__pointer - offsetof(type, member));                                      \
	})

struct ring {
	struct ring *next, *previous;
};

struct job {
	int weight, age;
	struct job *parent;
	struct ring link;
	long total;
	int marks[4];
};

struct queue {
	struct ring jobs;
	int length;
};

/* touches: by_variable: struct queue +0 (jobs.next); struct ring +0 (next) */
/* touches: by_variable: struct job +0 (weight); struct job +0x20 (total) */
NOINLINE long by_variable(struct queue *q)
{
	long sum = 0;

	for (struct ring *r = q->jobs.next; r != &q->jobs; r = r->next) {
		struct job *j = container_of(r, struct job, link);

		j->total += 3;
		sum += j->weight;
	}
	return sum;
}

/* container_of() has an expression here. No variable has the type of the structure. */
/* touches: by_expression: struct queue +0 (jobs.next); struct ring +0 (next) */
/* touches: by_expression: struct job +0 (weight); struct job +0x4 (age) */
/* touches: by_expression: struct job +0x30 (marks[2]) */
NOINLINE long by_expression(struct queue *q)
{
	long sum = 0;

	for (struct ring *r = q->jobs.next; r != &q->jobs; r = r->next) {
		container_of(r, struct job, link)->age++;
		sum += container_of(r, struct job, link)->weight +
		       container_of(r, struct job, link)->marks[2];
	}
	return sum;
}

/* Accesses memory to which a member of the structure points. */
/* touches: by_member: struct job +0x8 (parent); struct job +0x4 (age); struct job +0 (weight) */
NOINLINE long by_member(struct ring *r)
{
	container_of(r, struct job, link)->weight++;
	return container_of(r, struct job, link)->parent->age;
}

struct inode {
	long number;
	int mode;
};

struct disk_inode {
	int flags;
	char name[20];
	struct inode inode;
	long blocks;
};

struct disk_inode *to_disk(struct inode *i)
{
	return container_of(i, struct disk_inode, inode);
}

/* to_disk() is inlined without information about it. An array of struct inode would have members at
 * these offsets, too. */
/* touches: by_function: struct disk_inode +0x28 (blocks); struct disk_inode +0 (flags) */
/* touches: by_function: struct inode +0x8 (mode) */
NOINLINE long by_function(struct inode *i)
{
	to_disk(i)->blocks++;
	return to_disk(i)->flags + i->mode;
}

struct inner {
	int a, b, c;
};

struct middle {
	long key;
	struct inner inner;
	short tail;
};

struct outer {
	long first;
	struct middle middle;
};

/* Two structures contain struct inner: struct middle, and struct outer, which contains struct
 * middle. */
/* touches: nested: struct middle +0 (key); struct middle +0x14 (tail); struct inner +0x4 (b) */
NOINLINE long nested(struct inner *i)
{
	container_of(i, struct middle, inner)->tail++;
	return container_of(i, struct middle, inner)->key + i->b;
}

/* In struct shelf, the array before the member has elements of 8 bytes, which is the size of the
 * accessed member. `slots` has elements of 16 bytes, of which the access uses 8 bytes. */
struct slot {
	long key, value;
};

struct shelf {
	int first, second;
	struct slot slots[8];
	long words[8];
	struct ring link;
};

/* touches: index_by_variable: struct shelf +0x10 (slots[0].value); struct shelf +0x88 (words[0]) */
NOINLINE long index_by_variable(struct ring *r, unsigned long i)
{
	struct shelf *s = container_of(r, struct shelf, link);

	return s->slots[i].value * s->words[i];
}

/* touches: index_by_expression: struct shelf +0 (first); struct shelf +0x10 (slots[0].value) */
/* touches: index_by_expression: struct shelf +0x88 (words[0]) */
NOINLINE long index_by_expression(struct ring *r, unsigned long i)
{
	container_of(r, struct shelf, link)->first++;
	return container_of(r, struct shelf, link)->slots[i].value *
	       container_of(r, struct shelf, link)->words[i];
}

/* ---- Accesses whose structure is not known ---- */

/* No other access shows that struct shelf contains the ring. The accessed offset is not in struct
 * ring. */
/* touches: index_alone: struct ring +0x8 (previous) */
NOINLINE long index_alone(struct ring *r, unsigned long i)
{
	return container_of(r, struct shelf, link)->words[i] + (r->previous == r);
}

/* touches: slot_before: struct slot +0x8 (value) */
NOINLINE long slot_before(struct slot *s, unsigned long i)
{
	return s[i - 1].value;
}

struct pair {
	int a;
	char b[8];
};

struct one_pair {
	short s, t;
	struct pair pair;
	long x;
};

struct other_pair {
	short u, v;
	struct pair pair;
	long y;
};

/* struct pair can be in struct one_pair or in struct other_pair. */
/* touches: ambiguous: struct pair +0 (a) */
NOINLINE long ambiguous(struct pair *p)
{
	return container_of(p, struct one_pair, pair)->t + p->a;
}

struct cell {
	int low, high;
};

struct board {
	int before[2];
	struct cell cell;
};

/* touches: elements: struct cell +0 (low) */
NOINLINE long elements(struct cell *c)
{
	return c[-1].high + c->low;
}

struct address {
	short family;
	char data[6];
};

struct long_address {
	short family;
	char data[6];
	long scope;
};

struct request {
	long name;
	struct address address;
	long flags;
};

/* touches: cast: struct address +0 (family) */
NOINLINE long cast(struct address *a)
{
	return a->family + ((struct long_address *)(void *)a)->scope;
}

struct object {
	char name[12];
};

struct counted {
	char key[4];
	struct object object;
};

/* No structure that contains struct object has a number at this offset. */
/* touches: header: char[12] +0 ([0])|struct object +0 (name[0]) */
NOINLINE long header(struct object *o)
{
	return ((int *)(void *)o)[-1] + o->name[0];
}

int main(void)
{
	struct queue queue = {.jobs = {&queue.jobs, &queue.jobs}};
	struct job jobs[3] = {{.parent = jobs}, {.parent = jobs}, {.parent = jobs}};
	struct disk_inode disk = {0};
	struct outer outer = {0};
	struct one_pair one = {0};
	struct other_pair other = {0};
	struct board board = {0};
	struct cell cells[2] = {{0}};
	union {
		struct long_address a;
		struct address b;
	} address = {{0}};
	struct request request = {0};
	struct counted counted = {{0}};
	struct shelf shelf = {0};
	long sum = 0;

	for (int i = 0; i < 3; i++) {
		jobs[i].link.next = queue.jobs.next;
		queue.jobs.next = &jobs[i].link;
	}
	sum += by_variable(&queue) + by_expression(&queue) + by_member(&jobs[1].link);
	sum += by_function(&disk.inode) + nested(&outer.middle.inner);
	sum += ambiguous(&one.pair) + other.y + elements(&cells[1]) + board.cell.low;
	sum += cast(&address.b) + request.flags + header(&counted.object);
	sum += index_by_variable(&shelf.link, 1) + index_by_expression(&shelf.link, 1);
	sum += index_alone(&shelf.link, 1) + slot_before(shelf.slots, 1);
	printf("%ld\n", sum);
	return 0;
}
