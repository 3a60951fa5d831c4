// SPDX-License-Identifier: BSD-2-Clause
/* stacks MILLISECONDS uses CPU time in code of C++ that compilers optimize in special ways:
 * exceptions, cleanups, virtual calls, algorithms with function objects, containers, streams and
 * threads. */
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "burn.h"

static volatile unsigned long sink;

namespace stacks
{
struct Guard {
	~Guard()
	{
		sink++;
	}
};

struct Shape {
	virtual ~Shape() = default;
	virtual double area(int n) const = 0;
};

struct Square final : Shape {
	double area(int n) const override
	{
		std::vector<double> sides(static_cast<size_t>(n % 50) + 1, 1.5);
		double sum = 0;

		for (double side : sides)
			sum += side * side;
		return sum;
	}
};

struct Faulty final : Shape {
	double area(int n) const override
	{
		Guard guard;

		if (n % 3 == 0)
			throw std::out_of_range("area of " + std::to_string(n));
		return n;
	}
};

NOINLINE int thrower(int depth, int n)
{
	Guard guard;
	std::string text(static_cast<size_t>(depth) + 20, 'x');

	if (!depth)
		throw std::runtime_error(text);
	return thrower(depth - 1, n) + static_cast<int>(text.size());
}

NOINLINE void throws(int n)
{
	try {
		sink += static_cast<unsigned long>(thrower(n % 20, n));
	} catch (const std::exception &e) {
		sink += std::string(e.what()).size();
	}
}

NOINLINE void rethrows(int n)
{
	try {
		try {
			throws(n);
			throw n;
		} catch (int) {
			throw;
		}
	} catch (int caught) {
		sink += static_cast<unsigned long>(caught);
	}
}

NOINLINE void shapes(int n)
{
	std::vector<std::unique_ptr<Shape>> all;

	for (int i = 0; i < 20; i++)
		if (i % 4)
			all.push_back(std::make_unique<Square>());
		else
			all.push_back(std::make_unique<Faulty>());
	for (const auto &shape : all)
		try {
			sink += static_cast<unsigned long>(shape->area(n++));
		} catch (const std::logic_error &) {
			sink++;
		}
}

NOINLINE void sorts(int n)
{
	std::vector<int> numbers;
	std::function<bool(int, int)> less = [n](int a, int b) { return (a ^ n) < (b ^ n); };
	std::map<std::string, int> counts;

	for (int i = 0; i < 300; i++)
		numbers.push_back((i * 7919 + n) % 1000);
	std::sort(numbers.begin(), numbers.end(), less);
	for (int number : numbers)
		counts[std::to_string(number)]++;
	sink += counts.size();
}

NOINLINE void writes(int n)
{
	std::ostringstream out;

	out << "text " << n << ' ' << n * 0.5;
	sink += out.str().size();
}

NOINLINE void all(long long milliseconds)
{
	const long long end = cpu_time() + milliseconds * 1000000;

	for (int n = 0; cpu_time() < end; n++) {
		throws(n);
		rethrows(n);
		shapes(n);
		sorts(n);
		writes(n);
	}
}
} // namespace stacks

int main(int argc, char **argv)
{
	const long long milliseconds = argc > 1 ? std::atoll(argv[1]) : 100;
	std::thread other(stacks::all, milliseconds / 2);

	stacks::all(milliseconds / 2);
	other.join();
	return 0;
}
