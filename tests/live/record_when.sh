# SPDX-License-Identifier: BSD-2-Clause
# long
# When a recording begins (-D) and ends (--for, --max-size), what its times are (-k), and when tasks run (--switch-events).
. "$PK_TOP/tests/live/record.bash"

# times FILE: of its samples, the first and the last, in seconds.
times()
{
	pk-script -q -F time "$1" | awk '{ t = $1 + 0; if (!n++ || t < low) low = t; if (t > high) high = t } END { printf "%.6f %.6f\n", low, high }'
}

# within LOW HIGH TEXT: all times of out.pk are between these two.
within()
{
	times out.pk | awk -v low="$1" -v high="$2" '{ exit !($1 >= low - 0.02 && $2 <= high + 0.02) }' || fail "$3: $(times out.pk): not from $1 to $2"
}

before=$(date +%s.%N)
pk-record -k realtime -e cpu-clock -F 499 -o out.pk -- spinner 0.1 2>err || fail "-k realtime: $(cat err)"
within "$before" "$(date +%s.%N)" '-k realtime'
before=$(cut -d ' ' -f 1 /proc/uptime)
pk-record -k CLOCK_BOOTTIME -e cpu-clock -F 499 -o out.pk -- spinner 0.1 2>err || fail "-k boottime: $(cat err)"
within "$before" "$(cut -d ' ' -f 1 /proc/uptime)" '-k boottime'
pk-script --header-only out.pk >header 2>err || fail "$(cat err)"
grep -q '^# clockid: boottime' header || fail "the clock is not told: $(cat header)"

# Nothing is sampled for so long after the program has begun, but where its code is is known.
pk-record -D 400 -k monotonic -e cpu-clock -F 499 -g -o out.pk -- spinner 1.5 2>err || fail "-D: $(cat err)"
check out.pk
begun=$(pk-script -q --json out.pk | sed -n 's/^{"type":"COMM".*"comm":"spinner".*"trailer.time":\([0-9]*\).*/\1/p' | head -n 1)
[ -n "$begun" ] || fail "-D: the program's beginning is missing"
times out.pk | awk -v begun="$begun" '{ exit !($1 - begun / 1e9 > 0.35) }' || fail "-D: begun at $begun, samples from $(times out.pk)"
pk-script -q out.pk | grep -q spin_inner || fail "-D: no names"

# Ends by itself, and ends the command.
timeout 60 pk-record -e cpu-clock -F 499 --for 300ms -o out.pk -- spinner 1000 2>err || fail "--for: status $?: $(cat err)"
check out.pk
[ "$(times out.pk | awk '{ print ($2 - $1 < 20) }')" = 1 ] || fail "--for: $(times out.pk)"
timeout 60 pk-record -e cpu-clock -F max -g --max-size 100k -o out.pk -- spinner 1000 2>err || fail "--max-size: status $?: $(cat err)"
check out.pk
at_least "$(stat -c %s out.pk)" 102400 "--max-size: bytes"

pk-record --switch-events -e dummy -o out.pk -- sh -c 'sleep 0.05; sleep 0.05' 2>err || fail "--switch-events: $(cat err)"
check out.pk
at_least "$(records 14)" 4 "switches"
pk-script -q --json out.pk | sed -n 's/^{"type":"SWITCH","misc":\([0-9]*\),.*/\1/p' | awk '{ out += int($1 / 8192) % 2 } END { exit !(out >= 2 && out < NR) }' ||
	fail "switches are not both in and out"
pk-record -e dummy -o out.pk -- sleep 0.05 2>err || fail "$(cat err)"
check out.pk
[ "$(records 14)" = 0 ] || fail "switches without --switch-events"
exit 0
