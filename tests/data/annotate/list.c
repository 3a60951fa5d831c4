/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pk-annotate lists this program in tests. It was compiled by
 *
 *     gcc -O2 -g -gno-record-gcc-switches -nostdlib -static -fcf-protection=none
 *         -ffile-prefix-map=$PWD=/src -Wl,--build-id=none,-z,noseparate-code -o list list.c
 */
struct node {
	struct node *next;
	int value;
};

static int total;
static struct node nodes[4];

static inline int sum(const struct node *n)
{
	int s = 0;

	for (; n; n = n->next)
		s += n->value;
	return s;
}

int add(const struct node *n);
void _start(void);

__attribute__((noinline)) int add(const struct node *n)
{
	total += sum(n);
	return total > 5 ? total : 1;
}

/* Code that the compiler would move to add.cold. */
__asm__(".globl add.cold\n.type add.cold, @function\nadd.cold: nop\n.byte 0x06\nud2\n.size "
	"add.cold, 4");

void _start(void)
{
	for (;;)
		add(nodes);
}
