# SPDX-License-Identifier: BSD-2-Clause
# Rows that have decayed to nothing are forgotten: they need no memory and no time.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
. "$PK_TOP/tests/cli/cost.bash"
exec 2>&1

# many COUNT: samples with different addresses, one each ms
many()
{
	perl -e 'print "PERFILE2", pack("Q<", 16);
	print pack("L<S<S< L<L<Q<Q<Q<Q<Q<Q<Q<Q<", 64, 0, 80, 1, 64, 0, 1000, 0x10107, 0, 1 << 18, 0, 0, 7);
	print pack("L<S<S< Q<Q<L<L<Q<Q<", 9, 2, 48, 7, 0x1000 + 16 * $_, 5, 5, 1000000 * $_, 1000) for 1 .. shift' "$1"
}

# Each sample has another row, and its own table.
count=${PK_SAN:+4000}
many "${count:=16000}" >many.pk
bounded 15 30 pk-report -q --live=1us --decay --by=ip --limit=3 --show='samples,last(ip),distinct(ip),p99(ip)' many.pk |
	awk 'NF && !/^#/ { rows++ } END { print int(rows / '$count' + 0.5) }'
bounded 15 30 pk-report -q --live=1us --decay --by=comm,ip -H --limit=3 many.pk | awk 'END { print $1 }'
bounded 15 30 pk-report -v --live=1us --by=ip many.pk 2>&1 >/dev/null | grep -v -e '^pk-report: read' -e input

# Each sample has another stack of functions, and all stacks have the same root.
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	session "1"
	strings root
	frame 1 1 2
	stack 1 0 1
	awk 'BEGIN {
		for (i = 2; i < 2000; i++) {
			name = "f" i
			printf "STRING id=%d length=%d text=\"%s\"\n", i, length(name), name
			printf "FRAME id=%d dso=0 function=%d file=0 line=0 flags=2\n", i, i
			printf "STACK id=%d parent=1 frame=%d\n", i, i
			printf "SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=5 time=%d000000 cpu=1 period=100 nr=1 ips[0]=0x1000 stack=%d\n", i, i
		}
	}'
	finish
} | assemble >stacks.pk
bounded 6 40 pk-report -q --live=1us --decay --by=symbol -g caller,0 stacks.pk | awk '/^#/ { table = "" } { table = table $0 "\n" } END { printf "%s", table }' | head -n 20
bounded 6 40 pk-report -q --live=1us --decay --by=comm --no-children -g caller,0 stacks.pk | awk '/^#/ { tables++ } END { print tables }'

# A row that comes back starts again, but one that has weight continues.
{
	symbolized | sed '/^SAMPLE/,$d'
	for at in 1 12; do deep 7 1 2 3 $((at * 100000000)); done
	for at in 31 41 51 61 71 81 91; do deep 7 1 3 5 $((at * 100000000)); done
	deep 7 1 2 70 10100000000
	finish
} | assemble >back.pk
try -q --live=1s --decay --by symbol --no-children --show 'period,samples,sum(period)' back.pk
