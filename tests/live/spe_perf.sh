# SPDX-License-Identifier: BSD-2-Clause
# The samples that pk-decode makes of an SPE trace are those of perf script --itrace, for random operations.
. "$PK_TOP/tests/live/fold.bash"
perf --version >/dev/null 2>&1 || skip "no perf to compare with"
# perf 6.1 has other events of branches, and other sources of data.
fields=comm,pid,tid,cpu,time,event,ip,addr,period,weight
"$PK_BUILD/tests/live/spe_encoder" 1 10 | "$PK_BUILD/tests/assemble/assemble" | pk-export perf.data -q -o few.data || fail "cannot encode"
perf script --itrace=fmtaMi1i -F ip -i few.data >perf.out 2>perf.err || skip "perf cannot decode SPE: $(tail -n 1 perf.err)"
grep -q . perf.out || skip "perf decodes no SPE"

for seed in 1 2 3 4; do
	"$PK_BUILD/tests/live/spe_encoder" $seed 3000 | "$PK_BUILD/tests/assemble/assemble" >trace.pk || fail "cannot encode"
	pk-export perf.data -q -o trace.data trace.pk || fail "pk-export: $?"
	perf script --itrace=fmtaMi1i -F $fields -i trace.data 2>perf.err | grep -v ' instructions:' | tr -s ' ' | sort >perf.out
	pk-decode -q trace.data >decoded.pk || fail "pk-decode: $?"
	pk-script -q -F $fields decoded.pk | grep -v ' instructions:\| branch:' | tr -s ' ' | sort >pk.out
	diff perf.out pk.out >difference || fail "seed $seed: $(head -n 5 difference)"
	[ "$(wc -l <pk.out)" -gt 5000 ] || fail "only $(wc -l <pk.out) samples"
	# Read from a pipe: the same samples.
	pk-decode -q <(cat trace.data) | pk-script -q -F $fields | grep -v ' instructions:\| branch:' | tr -s ' ' | sort | diff pk.out - >difference ||
		fail "seed $seed, pipe: $(head -n 5 difference)"
	# perf reads the decoded stream.
	perf script -F $fields -i - <decoded.pk 2>perf.err | grep -v ' instructions:\| branch:' | tr -s ' ' | sort | diff pk.out - >difference ||
		fail "seed $seed, decoded: $(head -n 5 difference) $(head -n 3 perf.err)"
done
exit 0
