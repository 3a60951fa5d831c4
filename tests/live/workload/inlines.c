// SPDX-License-Identifier: BSD-2-Clause
/* Nested inlined functions, for tests of inlined frames. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *next;
	unsigned key;
	char text[16];
};

static inline __attribute__((always_inline)) uint32_t rotate(uint32_t x, int k)
{
	return x << k | x >> (32 - k);
}

static inline __attribute__((always_inline)) uint32_t mix(uint32_t a, uint32_t b)
{
	a ^= rotate(b, 13);
	if (a & 1)
		a = rotate(a, 7) * 0x9e3779b9u;
	return a + b;
}

static inline __attribute__((always_inline)) uint32_t round_of(uint32_t a, const char *text)
{
	while (*text)
		a = mix(a, (unsigned char)*text++);
	return mix(a, a >> 16);
}

static __attribute__((noinline)) uint32_t hash(const struct node *n)
{
	uint32_t h = 1;

	for (; n; n = n->next) {
		h = round_of(h, n->text);
		h = mix(h, n->key);
	}
	return h;
}

static struct node *push(struct node *list, unsigned key)
{
	struct node *n = malloc(sizeof(*n));

	if (!n)
		abort();
	n->next = list;
	n->key = mix(key, key + 1);
	snprintf(n->text, sizeof(n->text), "%u", n->key);
	return n;
}

static struct node *reverse(struct node *list)
{
	struct node *out = NULL;

	while (list) {
		struct node *next = list->next;

		list->next = out;
		out = list;
		list = next;
	}
	return out;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return mix(x, 1) < mix(y, 1) ? -1 : mix(x, 1) > mix(y, 1);
}

int main(int argc, char **argv)
{
	uint32_t values[64];
	struct node *list = NULL;

	for (unsigned i = 0; i < 64; i++) {
		list = push(list, i + (unsigned)argc);
		values[i] = hash(list);
	}
	list = reverse(list);
	qsort(values, 64, sizeof(*values), compare);
	printf("%u %u %s\n", hash(list), values[0], argv[0]);
	return 0;
}
