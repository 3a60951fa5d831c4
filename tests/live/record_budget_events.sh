# SPDX-License-Identifier: BSD-2-Clause
# long
# --budget with an event that has no frequency, a list of CPUs, and several files: only the event with a frequency is changed, each change is
# reported once in a pipeline, and no program changes the sum of periods.
. "$PK_TOP/tests/live/record.bash"
may_record_all || skip "not allowed to record everything: $(head -n 1 all.err)"

# sums FILE...: event, sum of periods, samples
sums()
{
	cat "$@" | pk-report -q --by event --show period,samples --csv | awk -F, 'NR > 1 { print $3, $1, $2 }' | sort
}

pk-record -C 0 -g -e cpu-clock/freq=999/,context-switches/period=1/ --budget bytes=60K/min -o 'part-%Y%m%dT%H%M%S.%N.pk' --split 1s \
	-- taskset -c 0 spinner 1 0 1 2>err || fail "--budget: $(cat err)"
cat part-*.pk >all.pk
pk-script --dump all.pk 2>/dev/null >records
awk '$2 == "definition=18" || $1 == "definition=18" { rate = 1 } rate && /event=/ { sub(/.*=/, ""); print; rate = 0 }' records >events
at_least "$(wc -l <events)" 1 "changes of the frequency"
[ "$(wc -l <events)" = "$(grep -c ' Hz instead of ' err)" ] || fail "not all changes are in the stream and on stderr: $(cat err events)"
sort -u events >changed
[ "$(wc -l <changed)" = 1 ] || fail "more than the event with a frequency was changed: $(cat changed)"

# A sample of context-switches weighs 1. The parts that come one after the other, twice, and through other programs have the same sums.
sums all.pk >expected
awk '$1 == "context-switches" && $2 == $3 { good++ } $1 == "cpu-clock" && $2 > $3 * 1.001e6 { good++ } END { exit good != 2 }' expected ||
	fail "sums: $(cat expected)"
pk-filter -q all.pk >filtered.pk
pk-symbolize -q all.pk 2>piped.err >symbolized.pk
pk-report --by event all.pk 2>>piped.err >/dev/null
grep -e --budget piped.err && fail 'a change is reported again'
for file in filtered symbolized; do
	sums $file.pk | cmp - expected || fail "$file: other sums"
done
sums all.pk all.pk | cmp - <(awk '{ printf "%s %.0f %.0f\n", $1, 2 * $2, 2 * $3 }' expected) || fail 'two recordings, one after the other: other sums'
head -c $(($(stat -c %s all.pk) - 5)) all.pk >cut.pk
pk-report --by event cut.pk >/dev/null 2>cut.err
[ $? = 1 ] && grep -q 'ends in the middle of a record' cut.err || fail "a recording that was cut: $(cat cut.err)"
