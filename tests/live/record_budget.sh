# SPDX-License-Identifier: BSD-2-Clause
# long
# --budget: the frequency follows the bytes of a minute; the sum of periods stays right; all changes are in the stream and on stderr.
. "$PK_TOP/tests/live/record.bash"

for wrong in cpu=0% bytes=1M cpu=0.5 time=1s 'cpu=1%,'; do
	pk-record -a --budget "$wrong" -- true >out.pk 2>err
	[ $? = 2 ] || fail "--budget $wrong: $(cat err)"
done
pk-record --budget cpu=1% -o out.pk -- true 2>err
[ $? = 2 ] || fail "--budget without -a: $(cat err)"
may_record_all || skip "not allowed to record everything: $(head -n 1 all.err)"
pk-record -a -e dummy -c 1 --budget cpu=1% --for 0.1s -o out.pk 2>err
[ $? = 1 ] && grep -q 'no event has a frequency' err || fail "an event without a frequency: $(cat err)"

# Two threads spin for 6 s of their processor time each. At 999 Hz, their samples need 13 MB a minute.
start=$(date +%s%N)
pk-record -a -g -e cpu-clock -F 999 -m 16M --budget bytes=8M/min -o out.pk -- spinner 6 0 1 2>err || fail "--budget: $(cat err)"
passed=$(($(date +%s%N) - start))
silent <(grep -v -e '--budget: ' -e ' lost' err)
check out.pk
pk-script --dump out.pk >records 2>/dev/null
awk '$1 == "definition=18" { rate = 1 } rate && /frequency=/ { frequency = $1 } rate && /cause=/ { print frequency, $1; rate = 0 }' records | tr -d 'a-z=' >rates
at_least "$(wc -l <rates)" 1 "changes of the frequency"
[ "$(wc -l <rates)" = "$(grep -c ' Hz instead of ' err)" ] || fail "not all changes are in the stream and on stderr: $(cat err rates)"
read -r first cause <rates
[ "$first" -lt 999 ] && [ "$cause" = 2 ] || fail "the first change: $first $cause"

# The threads would have 12,000 samples, fewer where the host of a virtual machine runs something else. Each sample weighs more than one at
# 999 Hz, and all of them at most the time that passed on two processors.
pk-report -q --by comm --show period,samples --csv out.pk 2>/dev/null >weights
awk -F, -v passed="$passed" '$4 ~ /^"?spin/ { sum += $2; count += $3 } END { print sum / 1e9, count; exit !(count && count < 11000 && sum > count * 1.05e6 && sum <= 2 * passed) }' weights ||
	fail "the weight of 12 s, and the samples: $(cat weights err)"
