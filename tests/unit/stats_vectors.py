#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
# Calculates the expected numbers of the tests of lib/stats, with SciPy and without code of pk:
#     python3 tests/unit/stats_vectors.py >tests/unit/stats_vectors.h
import math
import random

import numpy
from scipy import optimize, special, stats


def rows(name, kind, table):
    print(f"static const struct {kind} {name}[] = {{")
    for row in table:
        print("\t{" + ", ".join(number(value) for value in row) + "},")
    print("};\n")


def number(value):
    return "INFINITY" if math.isinf(value) else repr(float(value))


def array(name, values):
    print(f"static const double {name}[] = {{")
    for value in values:
        print(f"\t{number(value)},")
    print("};\n")


print("/* SPDX-License-Identifier: BSD-2-Clause */")
print("/* Written by tests/unit/stats_vectors.py with SciPy. */")
print("#ifndef PK_STATS_VECTORS_H\n#define PK_STATS_VECTORS_H\n")
print("#include <math.h>\n")

# Student's t: t, freedom, two-sided probability.
print("struct student_vector {\n\tdouble t, freedom, probability;\n};\n")
rows("student_vectors", "student_vector",
     [(t, f, 2 * stats.t.sf(t, f)) for f in (0.5, 1, 2, 3.7, 16, 62.5, 1000)
      for t in (0.01, 0.7, 1.96, 4.5, 12, 60)] +
     [(t, math.inf, 2 * stats.norm.sf(t)) for t in (0.01, 0.7, 1.96, 4.5, 12)])

# The logarithmic derivatives of the gamma function: x, digamma, trigamma.
print("struct gamma_vector {\n\tdouble x, digamma, trigamma;\n};\n")
rows("gamma_vectors", "gamma_vector",
     [(x, special.digamma(x), special.polygamma(1, x)) for x in (0.01, 0.5, 1, 2.5, 9.99, 40, 1e6)])

# Benjamini and Hochberg, by the definition: the smallest level at which the k-th smallest
# probability is still rejected.
source = random.Random(1)
probabilities = [round(source.random() ** 4, 6) for _ in range(40)] + [0.5, 0.5, 0.0, 1.0]
n = len(probabilities)


def adjusted(p):
    others = sorted(probabilities)
    return min(min(1, other * n / (sum(q <= other for q in probabilities))) for other in others if other >= p)


array("discovery_probabilities", probabilities)
array("discovery_rates", [adjusted(p) for p in probabilities])

# A correlated series, its units, and the variance of its sum by overlapping batch means.
generator = numpy.random.default_rng(2)
noise, series = 0.0, []
for _ in range(50):
    noise = 0.5 * noise + generator.normal(0, 10)
    series.append(100 + noise)
series, units = numpy.array(series), generator.uniform(900, 1100, 50)


def batch_variance(weights, units):
    count = len(weights)
    size = max(1, count // 12)
    residual = weights - weights.sum() / units.sum() * units
    means = numpy.array([residual[i:i + size].mean() for i in range(count - size + 1)])
    long_run = count * size / ((count - size) * (count - size + 1)) * (means ** 2).sum()
    return count * long_run


array("block_weights", series)
array("block_units", units)
array("block_variances", [batch_variance(series, units), batch_variance(series[:20], units[:20])])

# What ratios of variances have in common: the ratio and its degrees of freedom.
ratios = list(stats.f.rvs(4, 10, size=60, random_state=3) * 2.5)
e = [math.log(r) - special.digamma(2) + math.log(2) for r in ratios]
excess = numpy.var(e, ddof=1) - special.polygamma(1, 2)
half = optimize.brentq(lambda x: special.polygamma(1, x) - excess, 1e-6, 1e6, xtol=1e-13, rtol=1e-14)
array("spread_ratios", ratios)
array("spread_common", [math.exp(numpy.mean(e) + special.digamma(half) - math.log(half)), 2 * half])

# Intervals of a ratio: base, current, their variances, freedom, and the limits. The limits are the
# ratios that a t-test does not reject, found by bisection and not by a formula.
print("struct interval_vector {\n\tdouble base, current, base_variance, current_variance, freedom;\n\tdouble low, high, detectable;\n};\n")


def interval(base, current, v0, v1, freedom):
    t = stats.t.isf(0.025, freedom)

    def distance(ratio):
        return abs(current - ratio * base) - t * math.sqrt(v1 + ratio * ratio * v0)

    low = 0.0 if distance(0.0) <= 0 else optimize.brentq(distance, 0, current / base, xtol=1e-14)
    high = math.inf if distance(1e9) <= 0 else optimize.brentq(distance, current / base, 1e9, xtol=1e-14)
    found = stats.t.isf(0.0005, freedom) + stats.t.isf(0.05, freedom)
    return (base, current, v0, v1, freedom, low, high, found * math.sqrt(v0 + v1) / base)


rows("interval_vectors", "interval_vector",
     [interval(0.2, 0.25, 1e-4, 2e-4, 20), interval(0.2, 0.2, 1e-8, 1e-8, 60), interval(0.01, 0.3, 1e-3, 1e-4, 16),
      interval(0.01, 0.012, 1e-4, 1e-4, 5), interval(1000, 1100, 100, 400, 3.5)])
# Ranks of the interval of a quantile: count, share, the probability outside, the ranks; 0 if there are too few values.
print("struct rank_vector {\n\tdouble count, share, outside, low, high;\n};\n")


def ranks(count, share, outside):
    low, high = stats.binom.ppf(outside / 2, count, share), stats.binom.isf(outside / 2, count, share) + 1
    return (count, share, outside, low, high if high <= count else 0)


rows("rank_vectors", "rank_vector", [ranks(count, share, outside) for count in (1, 5, 6, 40, 400, 99999)
                                     for share in (0.01, 0.5, 0.99, 0.999) for outside in (0.05, 0.001)])

# The test of Mann and Whitney: groups of equal values on both sides, the part of the pairs with a greater new value, and the
# probability.
base, current = [round(x) for x in generator.exponential(9, 80)], [round(x) for x in generator.exponential(12, 60)]
array("tied_base", [base.count(x) for x in range(100)])
array("tied_current", [current.count(x) for x in range(100)])
test = stats.mannwhitneyu(current, base, use_continuity=False, method="asymptotic")
array("tied_results", [test.statistic / 80 / 60, test.pvalue])
print("#endif")
