// SPDX-License-Identifier: BSD-2-Clause
/** Recursion SECONDS: the walks of recursion.c, in interpreted and in compiled Java. */
public class Recursion {
	static final int TRUNK = 90, TWIG = 40, TRUNKS = 256, TWIGS = 4096;
	long state = 88172645463325252L, path;

	static long next(long state) {
		state ^= state << 13;
		state ^= state >>> 7;
		return state ^ state << 17;
	}

	static long pathOf(long number) {
		return (number + 1) * 0x9e3779b97f4a7c15L;
	}

	long chance(int limit) {
		state = next(state);
		return (state >>> 20) % limit;
	}

	long calculate(long value) {
		for (int i = 0; i < 4000; i++) {
			state = next(state);
			value = (value ^ state) * 0x100000001b3L;
		}
		return value;
	}

	long module(int depth, long value) {
		return descend(depth + 1, value) + 1;
	}

	long statement(int depth, long value) {
		return descend(depth + 1, value) + 2;
	}

	long expression(int depth, long value) {
		return descend(depth + 1, value) + 3;
	}

	long call(int depth, long value) {
		return descend(depth + 1, value) + 4;
	}

	long descend(int depth, long value) {
		if (depth == TRUNK / 2)
			path = pathOf(TRUNKS + chance(TWIGS) * chance(TWIGS) / TWIGS);
		path = next(path);
		int which = (int)(path >>> 40);
		if (depth >= (TRUNK + TWIG) / 2 || (depth >= TRUNK / 2 && which / 8 % 20 == 0))
			return calculate(value);
		switch (which % 4) {
		case 0: return module(depth, value);
		case 1: return statement(depth, value);
		case 2: return expression(depth, value);
		default: return call(depth, value);
		}
	}

	public static void main(String[] words) {
		long end = System.nanoTime() + Long.parseLong(words[0]) * 1000000000L, sum = 0;
		Recursion walker = new Recursion();

		while (System.nanoTime() < end)
			for (int i = 0; i < 100; i++) {
				walker.path = pathOf(walker.chance(TRUNKS));
				sum += walker.descend(0, sum);
			}
		System.out.println(sum);
	}
}
