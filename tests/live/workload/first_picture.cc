// SPDX-License-Identifier: BSD-2-Clause
// What programs of C++ do: containers, virtual functions, sorting, recursion; most of it in
// functions of libraries and of templates. The argument is a number of rounds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct shape {
	virtual ~shape() = default;
	virtual double area(int n) const = 0;
};

struct square : shape {
	double area(int n) const override
	{
		double sum = 0;

		for (int i = 0; i < n; i++)
			sum += i * .5 + sum * 1e-9;
		return sum;
	}
};

struct circle : shape {
	double area(int n) const override
	{
		double sum = 1;

		for (int i = 0; i < n; i++)
			sum = sum * 1.0000001 + i;
		return sum;
	}
};

__attribute__((noinline)) static std::string word(unsigned x)
{
	return "word" + std::to_string(x * 2654435761u % 5000);
}

__attribute__((noinline)) static size_t count(std::map<std::string, int> &words)
{
	for (unsigned i = 0; i < 20000; i++)
		words[word(i)]++;
	return words.size();
}

__attribute__((noinline)) static size_t sorted(std::vector<std::string> &words)
{
	std::sort(words.begin(), words.end(),
		  [](const std::string &a, const std::string &b) { return b < a; });
	return words[0].size();
}

__attribute__((noinline)) static long descend(int n, std::vector<int> &numbers)
{
	if (!n) {
		std::stable_sort(numbers.begin(), numbers.end());
		return numbers[0];
	}
	return descend(n - 1, numbers) + numbers[(size_t)n % numbers.size()];
}

int main(int argc, char **argv)
{
	const int rounds = argc > 1 ? atoi(argv[1]) : 1;
	std::vector<std::unique_ptr<shape>> shapes;
	double sum = 0;

	for (int i = 0; i < 10; i++) {
		shapes.push_back(std::make_unique<square>());
		shapes.push_back(std::make_unique<circle>());
	}
	for (int round = 0; round < rounds; round++) {
		std::map<std::string, int> words;
		std::vector<std::string> list;
		std::vector<int> numbers;

		sum += (double)count(words);
		for (const auto &shape : shapes)
			sum += shape->area(20000);
		for (const auto &entry : words)
			list.push_back(entry.first);
		sum += (double)sorted(list);
		for (int i = 0; i < 20000; i++)
			numbers.push_back(i * 7919 % 20011);
		sum += (double)descend(30, numbers);
	}
	return sum > 0 ? 0 : 1;
}
