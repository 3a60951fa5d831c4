/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions with known arguments, for probes by source. */
#include <string.h>
struct part {
	int x[4];
	unsigned low : 3, high : 5;
};
struct thing {
	const char *name;
	struct part *ptr;
	struct part own;
	struct thing *next;
	char text[16];
};
union both {
	long whole;
	struct {
		short first, second;
	} half;
};
int counter = 1000;
static const char *names[] = {"zero", "one", "two", "three"};
static inline __attribute__((always_inline)) int twice(int value)
{
	int doubled = value * 2;
	__asm__ volatile("nop" : "+r"(doubled) : "r"(value));
	return doubled;
}
__attribute__((noinline)) int work(struct thing *t, int count, void *opaque)
{
	int sum = 0;
	for (int i = 0; i < count; i++) {
		sum += twice(i + 1);
		counter++;
	}
	__asm__ volatile("" : "+r"(sum) : "r"(t), "r"(opaque) : "memory");
	return sum;
}
__attribute__((noinline)) long other(long a, const char *text)
{
	__asm__ volatile("" : "+r"(a) : "r"(text) : "memory");
	return -a;
}
int main(void)
{
	struct part part = {{10, 20, 30, 40}, 5, 17};
	struct thing next = {.name = "the next", .text = "inside"};
	struct thing thing = {
		.ptr = &part, .own = {{1, 2, 3, 4}, 2, 9}, .next = &next, .text = "an array"};
	union both both = {.half = {7, -8}};
	int all = 0;

	for (int k = 0; k < 4; k++) {
		thing.name = names[k];
		part.x[2] = 100 + k;
		all += work(&thing, k, &both);
		all += other(k * 1000000007L, names[k]);
	}
	return all == 3;
}
