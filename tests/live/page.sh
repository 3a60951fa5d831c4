# SPDX-License-Identifier: BSD-2-Clause
# long
# Pages in a browser: all tables are those of pk-report and pk-fold, for random selections; names are harmless; keys,
# links, undo; no request.
. "$PK_TOP/tests/live/browser.bash"
. "$PK_TOP/tests/cli/stream.bash"
pages=()
# Time on CPUs, and blocked time.
{
	header
	event_of 7 'PERIOD CALLCHAIN'
	event_of 8 'PERIOD CALLCHAIN'
	name 8 offcpu-time
	for task in 5 6 7; do
		comm $task $task "task$task"
		for object in 1 2 3 4 5 6 7 8; do
			maps $task 0x${object}000 0x1000 /object$object
		done
	done
	for ((i = 1; i <= 300; i++)); do
		sample_of user $((7 + i % 7 / 4)) $((5 + i * i % 3)) 0x$((1 + i * 7 % 8))010 period=$((i * 31 % 997 + 1)) \
			time=$((1000000 + i * i)) nr=3 ips[0]=0x$((1 + i * 7 % 8))010 ips[1]=0x$((1 + i * 3 % 5))020 ips[2]=0x1030
	done
} | assemble >blocked.pk
for name in blocked x86_64 arm64 s390x; do
	[ -f $name.pk ] || zstd -dq "$PK_TOP/tests/data/$name.pk.zst" -o $name.pk
	pk-plot page -q -o $name.html $name.pk
	pages+=("$name.html" "$name.pk")
done
python3 -B "$PK_TOP/tests/live/page_tables.py" 2 8 "${pages[@]}" 2>&1 | diff - <(cat <<'T'
blocked.html: 11 selections, True lines, requests: True [] errors: []
x86_64.html: 9 selections, True lines, requests: True [] errors: []
arm64.html: 10 selections, True lines, requests: True [] errors: []
s390x.html: 9 selections, True lines, requests: True [] errors: []
T
) || exit 1
# Two recordings: other numbers of some functions, functions of one of them only.
pk-filter --where 'cpu == 0' x86_64.pk >base.pk
pk-plot page -q --diff base.pk -o diff.html x86_64.pk
python3 -B "$PK_TOP/tests/live/page_diff.py" 3 6 diff.html base.pk x86_64.pk 2>&1 | diff - <(cat <<'T'
diff.html: True functions, errors: []
marks: 0 not grey: 0
legend: 5 colours, True
T
) || exit 1
# Function f0 has changed, the others by chance only.
for slower in 0 1; do
	awk -v slower=$slower 'BEGIN {
		for (x = 7 + slower; i < 4000; i++) {
			x = x * 16807 % 2147483647
			print "main;f" (x % 100 < 12 * slower ? 0 : x % 10) " 1"
		}
	}' | pk fleet stream >slower$slower.pk
done
pk-plot page -q --diff slower0.pk -o slower.html slower1.pk
python3 -B "$PK_TOP/tests/live/page_diff.py" 4 1 slower.html slower0.pk slower1.pk 2>&1 | diff - <(cat <<'T'
slower.html: True functions, errors: []
marks: 1 not grey: 2
legend: 5 colours, True
T
) || exit 1
# Spans: each one has a row.
(. "$PK_TOP/tests/cli/pk-plot/spans.bash"; random_switches 900) | assemble | pk-span -q sched --pass >spans.pk
pk-plot page -q -o spans.html spans.pk
python3 -B "$PK_TOP/tests/live/page_spans.py" spans.html spans.pk 2>&1 | diff - <(cat <<'T'
 True spans, each a row, equal
tid=3 True spans, each a row, equal
search=^sleep$ True spans, each a row, equal
errors: []
T
) || exit 1
# Code: the instructions of pk-annotate with their samples, for random selections; a source with markup.
cat >loops.c <<'T'
#include <pthread.h>
static volatile unsigned long sum;
static inline unsigned long mix(unsigned long x)
{
	return (x ^ x >> 7) * 0x9e3779b97f4a7c15; /* <img src=x onerror=hacked=1><script>hacked=1</script> */
}
static void *loop(void *arg)
{
	for (unsigned long i = 0; i < 40000000 * (unsigned long)arg; i++)
		sum += mix(i);
	return 0;
}
int main(void)
{
	pthread_t other;
	pthread_create(&other, 0, loop, (void *)2);
	loop((void *)1);
	return pthread_join(other, 0);
}
T
${CC:-cc} -g -O2 -pthread -o loops loops.c || { echo 'no compiler' >&2; exit 77; }
pk-record -q --call-graph auto -F 997 -e cpu-clock -- ./loops | pk-unwind -q | pk-symbolize -q >loops.pk || exit 1
pk-plot page -q --code 5 -o code.html loops.pk
python3 -B "$PK_TOP/tests/live/page_code.py" 4 8 code.html loops.pk 2>&1 | diff - <(cat <<'T'
9 selections, True samples: True
search: 1 True
No function of the list matches the search. 0
hacked: undefined elements: 1
errors: []
T
) || exit 1
{
	header
	event 1 7
	name 7 '<script>hacked=1</script>'
	comm 5 5 '<img src=x onerror=hacked=1>'
	comm 5 6 '\xe2\x80\xaeab'
	comm 5 7 '\x1b[31m\x07\x7f\xc2\x9bred'
	comm 5 8 "$(printf %060000d 0)"
	for pid in 5 6 7 8; do
		echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=$pid time=100$pid period=3"
	done
} | assemble >hostile.pk
{
	header
	event 1 7
	for task in '5 5' '5 6' '9 9' '9 10'; do
		comm $task task
		echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=${task% *} tid=${task#* } time=100${task#* } period=${task#* }"
	done
} | assemble | pk-plot page -q -o processes.html
pk-plot page -q --title '"><script>hacked=1</script></script>' -o hostile.html hostile.pk
python3 -B "$PK_TOP/tests/live/page_keys.py" "file://$PWD"/{hostile,x86_64,processes}.html 2>&1 | diff - "$PK_TOP/tests/live/page_keys.expected"
