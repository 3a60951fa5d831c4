# SPDX-License-Identifier: BSD-2-Clause
# How much of the time is spent where: a program knows it of itself; the stacks say the same, within
# five standard deviations of so many independent samples, and so do perf's.
. "$PK_TOP/tests/live/fold.bash"

# compare WHO: the file folded, in samples, with the file used.
compare()
{
	awk -v who="$1" '
	FNR == NR { used[$1] = $2; all += $2; next }
	{
		n += $NF
		for (name in used)
			if ($0 ~ ";main;" name "(;| )") samples[name] += $NF
	}
	END {
		milliseconds = all / 1000
		if (n < 0.9 * milliseconds || n > 1.1 * milliseconds) {
			printf "%s: %d samples of 1.001 ms in %d ms\n", who, n, milliseconds
			bad = 1
		}
		for (name in used) {
			share = used[name] / all
			bound = 5 * sqrt(share * (1 - share) / n)
			off = samples[name] / n - share
			printf "%s: %s: %.4f of %d samples, %.4f of the time, %.4f allowed\n",
				who, name, samples[name] / n, n, share, bound
			if (off > bound || off < -bound) bad = 1
		}
		exit bad
	}' used folded
}

# compare_pk: a machine that has no time for its timers loses samples in any part; not three times, though
compare_pk()
{
	local try
	for try in 1 2 3; do
		pk-record -F 999 -e $event -g -o out.pk -- ./shares 1500 used || fail "status $?"
		pk-symbolize -q out.pk | pk-fold -q --weight samples >folded
		compare pk && return
		echo "try $try"
	done
	fail 'the shares of pk are not those of the program'
}

compile shares.c shares || fail "$(cat compile.err)"
compare_pk

perf --version >/dev/null 2>&1 || skip "no perf to compare with"
# With --buildid-mmap: see perf_tracepoints.sh.
perf record -q --no-bpf-event --buildid-mmap -F 999 -e $event -g -o - ./shares 1500 used 2>perf.err >perf.pk ||
	skip "perf record fails: $(tail -n 1 perf.err)"
pk-symbolize -q perf.pk | pk-fold -q --weight samples >folded
compare 'perf record, and pk' || skip 'the shares of perf are not those of the program either'
perf script -i - <perf.pk 2>perf.err | perl "$PK_TOP/tests/corpus/collapse.pl" | awk '{ $NF /= 1001001; print }' >folded
compare 'perf record, perf script' || skip 'the shares of perf are not those of the program either'
exit 0
