# SPDX-License-Identifier: BSD-2-Clause
# timeout: 1500
# Ten minutes of pk-top on a live recording of the whole machine, with processes and names that change all the
# time: its memory must not grow. PK_MINUTES=N: another time, at least 2.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
minutes=${PK_MINUTES:-10}
pk-record -a -g -q --for 100ms >/dev/null || {
	echo "pk-record -a: not permitted" >&2
	exit 77
}
unset ASAN_OPTIONS # the quarantine of freed memory grows

# Each process has another name, which pk-top must forget with the key z.
processes()
{
	local program
	for ((i = 0; ; i++)); do
		program=./p$i
		ln -s /bin/ls "$program" && "$program" -lR "$PK_TOP/lib" >/dev/null
		rm "$program"
		sleep 0.05
	done
}

resident()
{
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status"
}

# sorted FROM TO: the numbers of these seconds
sorted()
{
	sed -n "$1,$2p" resident | sort -n
}

processes &
churn=$!
trap 'kill $churn; in_terminal kill-server 2>/dev/null' EXIT
start "pk-record -a -g -q -F 999 | pk-symbolize -q --dictionary-size 1M | sh -c 'echo \$\$ >pid; exec pk-top --delay 500ms --decay -g caller 2>err'"
await 'Samples: [1-9]'
pid=$(cat pid)
used=(Down E PgDn C i f f /p1 Enter n N F p1 Enter F C-u Enter d d t t Right Down Left End Home h x b 'symbol' Enter b 'comm,dso,symbol' Enter)
for ((second = 0; second < 60 * minutes; second++)); do
	resident "$pid" >>resident || break
	[ "$second" = 0 ] || [ $((second % 30)) != 0 ] || keys z
	keys "${used[second % ${#used[@]}]}"
	sleep 1
done
echo "pk-top: resident KiB each 30 seconds: $(sed -n '1~30p' resident | tr '\n' ' ')"
seconds=$(wc -l <resident)
# A short peak in the second half is what else the machine did; a leak stays.
early=$(sorted 30 $((seconds / 2)) | tail -n 1)
late=$(sorted $((seconds * 3 / 4)) "$seconds" | sed -n "$((seconds / 8))p")
echo "pk-top: resident KiB: at most $early in the first half, $late in the middle of the last quarter"
keys Escape Escape Escape q
ended
cat err
[ "$seconds" = $((60 * minutes)) ] && [ "$late" -le $((early + early / 4)) ]
