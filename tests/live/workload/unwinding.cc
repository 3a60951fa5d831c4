// SPDX-License-Identifier: BSD-2-Clause
/* Like unwinding.c, with exceptions of C++. CPU time is used in destructors that run while an
 * exception is thrown, and in code that catches an exception. */
#include <stdexcept>

#include "burn.h"

static volatile int sink;

namespace work
{
NOINLINE void cleanup()
{
	burn(50);
	sink++;
}

struct Guard {
	~Guard()
	{
		cleanup();
	}
};

template <typename T> NOINLINE void thrower(T n)
{
	Guard guard;

	if (n)
		throw std::runtime_error("thrown");
	sink++;
}

NOINLINE void catcher()
{
	try {
		thrower<long>(1);
	} catch (const std::exception &) {
		burn(50);
	}
	sink++;
}
} // namespace work

int main()
{
	work::catcher();
	for (int i = 0; i < 50; i++)
		try {
			throw i;
		} catch (int n) {
			sink += n;
		}
	return 0;
}
