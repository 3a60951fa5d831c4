# SPDX-License-Identifier: BSD-2-Clause
# The key E opens 100,000 branches at most, and reports that there are more. Branches of a limited number are shown with
# -g graph,0,N, and their weights or numbers of samples with -g graph,0,period or count.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	session "1"
	echo 'STRING id=1 length=4 text="prog"'
	echo 'STRING id=2 length=4 text="main"'
	frame 1 1 256
	frame 2 2 2
	stack 1 0 1
	stack 2 1 2
	# Each function calls all others of its group.
	awk 'BEGIN {
		for (i = 3; i < 303; i++) {
			printf "STRING id=%d length=4 text=\"f%03d\"\n", i, i
			printf "FRAME id=%d dso=0 function=%d file=0 line=0 flags=2\n", i, i
		}
		id = 2
		for (i = 3; i < 203; i++) {
			parent = ++id
			printf "STACK id=%d parent=2 frame=%d\n", parent, i
			for (j = 3; j < 303; j++) {
				printf "STACK id=%d parent=%d frame=%d\n", ++id, parent, j
				printf "SAMPLE misc=(user) id=7 ip=0x1000 pid=1 tid=1 time=%d cpu=0 period=%d nr=1 ips[0]=0x1000 stack=%d\n", \
					id, 1000 - i + j % 2, id
			}
		}
	}'
	finish
} | assemble >many.pk
size=70x9
start 'pk-top --by symbol -g graph,0,caller many.pk'
await 'has ended'
shot 'only the first 100,000 branches' E
shot 'has ended' PPage
shot 'has ended' C
keys q
ended
for value in graph,0,2,caller,period graph,0,2,caller,count; do
	start "pk-top --by symbol -g $value many.pk"
	await 'has ended'
	shot 'has ended' Right
	shot '^ .*- .*f003' Down Down Right
	keys q
	ended
done
