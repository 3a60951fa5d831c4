// SPDX-License-Identifier: BSD-2-Clause
/*
 * A file of a program with much debugging information. The benchmark `lines` compiles it many times
 * with different values of UNIT, and links the results.
 */
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

#define NAME_(a, b) a##b
#define NAME(a, b)  NAME_(a, b)

namespace NAME(unit_, UNIT)
{
	template <int N> struct Step {
		std::map<std::string, std::vector<int>> seen;
		std::variant<int, std::string, double> last;

		int run(const std::string &text)
		{
			std::regex words("[a-z]+");
			std::vector<int> found;

			for (std::sregex_iterator i(text.begin(), text.end(), words), end; i != end;
			     ++i)
				found.push_back((int)i->str().size() + N);
			std::sort(found.begin(), found.end(),
				  [](int a, int b) { return a % 7 < b % 7; });
			seen[text] = found;
			last = std::accumulate(found.begin(), found.end(), N);
			return std::visit(
				       [](const auto &v) {
					       std::ostringstream s;
					       s << v;
					       return (int)s.str().size();
				       },
				       last) +
			       Step<N - 1>().run(text);
		}
	};

	template <> struct Step<0> {
		int run(const std::string &text)
		{
			return (int)text.size();
		}
	};
} // namespace )

int NAME(work_, UNIT)(const char *text)
{
	return NAME(unit_, UNIT)::Step<24>().run(text);
}
