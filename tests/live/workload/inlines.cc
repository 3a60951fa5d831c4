// SPDX-License-Identifier: BSD-2-Clause
/* Nested inlined functions of C++: templates, members, lambdas, exceptions. */
#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace work
{
template <typename T> struct Box {
	T value;
	T add(T x)
	{
		return value += x;
	}
	template <typename F> T apply(F f)
	{
		return value = f(value);
	}
};

static int checked(int x)
{
	if (x < 0)
		throw std::runtime_error("negative: " + std::to_string(x));
	return x * 3;
}

__attribute__((noinline)) int run(std::vector<int> &v)
{
	Box<int> box = {1};
	auto twice = [&](int x) { return x + box.add(x); };

	std::sort(v.begin(), v.end(), [](int a, int b) { return a % 7 < b % 7; });
	for (int x : v)
		box.apply([&](int y) { return checked(twice(x) + y) & 0xffff; });
	return box.value;
}

__attribute__((noinline)) std::map<std::string, int> count(const std::vector<int> &v)
{
	std::map<std::string, int> m;

	for (int x : v)
		m[std::to_string(x % 10)]++;
	return m;
}
} // namespace work

int main()
{
	std::vector<int> v;

	for (int i = 0; i < 100; i++)
		v.push_back(i * 37 % 101);
	std::printf("%d %zu\n", work::run(v), work::count(v).size());
	return 0;
}
