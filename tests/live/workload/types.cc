// SPDX-License-Identifier: BSD-2-Clause
/* types ROUNDS is like types.c, but accesses members of classes. */
#include <cstdio>
#include <cstdlib>

#include "known_types.h"

namespace shop
{

class base
{
      public:
	virtual ~base()
	{
	}
	long id = 1;
};

class store : public base
{
      public:
	int open(long n);
	long first(const store &other, long n) const;

      private:
	point where = {1, 2};
	int stock[4] = {};
};

/* touches: shop::store::open: shop::store +0x14 (where.y); shop::store +0x18 (stock[0]) */
NOINLINE int store::open(long n)
{
	for (long i = 0; i < n; i++) {
		stock[0] += where.y;
		TOUCHED();
	}
	return stock[0];
}

/* touches: shop::store::first: shop::store +0x8 (id); shop::store +0x20 (stock[2]) */
NOINLINE long store::first(const store &other, long n) const
{
	long sum = 0;

	for (long i = 0; i < n; i++) {
		sum += id + other.stock[2];
		TOUCHED();
	}
	return sum;
}

} // namespace shop

int main(int argc, char **argv)
{
	const long rounds = argc > 1 ? atol(argv[1]) : 1;
	shop::store a, b;
	long sum = 0;

	for (long i = 0; i < rounds; i++)
		sum += a.open(1000) + b.first(a, 1000);
	printf("%ld\n", sum);
	return 0;
}
