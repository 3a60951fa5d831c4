/* SPDX-License-Identifier: BSD-2-Clause */
/* The types that types.c and types.cc use. */
#ifndef KNOWN_TYPES_H
#define KNOWN_TYPES_H

#define NOINLINE __attribute__((noinline))
/* Forces the compiler to write changed values to memory, and to read values from memory again. */
#define TOUCHED() __asm__ volatile("" ::: "memory")

struct point {
	int x, y;
};

struct box {
	struct point low, high;
	const char *name;
};

struct item {
	int id;
	short kind;
	char tag[10];
	double price;
};

struct link {
	struct link *next;
	long weight;
};

struct tree {
	struct tree *left, *right;
	unsigned int key;
};

union cell {
	long number;
	struct {
		int first, second;
	} pair;
	char bytes[8];
};

struct flags {
	int id;
	unsigned int a : 8, b : 8, c : 16;
};

typedef struct {
	long count;
	struct box box;
	int table[4][3];
} world_t;

#endif
