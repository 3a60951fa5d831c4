# SPDX-License-Identifier: BSD-2-Clause
# A perf.data file needs an output that the program can seek in. All others are refused at once, and nothing is written.
in=$PK_TOP/format/vectors/good/like-perf-le.pk
. "$PK_TOP/tests/cli/stream.bash"
exec 2>&1
pk-export perf.data -q -o expected "$in"
pk-export perf.data "$in" | cat
echo "pipe: status ${PIPESTATUS[0]}"
echo before >appended
pk-export perf.data "$in" >>appended
echo ">>: status $?"
cat appended
mkfifo fifo
cat fifo >from_fifo &
pk-export perf.data -o fifo "$in"
echo "FIFO: status $?"
wait
# It does not wait for its input.
mkfifo input
exec 9<>input
pk-export perf.data <input | cat
exec 9>&-
pk-export perf.data "$in" >out
cmp out expected
pk-export perf.data <"$in" >out
cmp out expected
# A larger file is replaced completely.
head -c 100000 /dev/zero >out
chmod 644 out
pk-export perf.data -o out "$in"
cmp out expected
stat -c %a out
# Files one after the other in one output: pk reads them all.
{
	pk-export perf.data "$in"
	pk-export perf.data "$in"
} >both
pk-script --dump both | grep -c -e BEGIN -e SAMPLE
# Both byte orders give the same file.
pk-export perf.data -q -o out "${in%-le.pk}-be.pk"
cmp out expected
# A disk that becomes full: the file has the records before, and can be read.
{
	header
	event 1 7
	name 7 cpu-clock
	for ((i = 1; i <= 20000; i++)); do
		sample 7 5 $((i * 16)) 1000 $i
	done
} | assemble >large.pk
pk-export perf.data -q -o complete large.pk
(
	ulimit -f 300
	exec pk-export perf.data -q -o full large.pk
)
echo "full: status $?"
pk-script --dump complete 2>/dev/null | grep -a '^[0-9]* SAMPLE' >expected
pk-script --dump full 2>err | grep -a '^[0-9]* SAMPLE' >found
sed 's/offset [0-9]*/offset N/' err
cmp <(head -n "$(wc -l <found)" expected) found && [ "$(wc -l <found)" -gt 100 ] || echo "other samples: $(wc -l <found)"
# Killed: the events are in the header, and there are no features yet.
mkfifo endless
pk-export perf.data -q -o killed endless &
exec 9>endless
cat large.pk >&9
until [ -s killed ] && [ "$(stat -c %s killed)" -gt 300000 ]; do sleep 0.01; done
{
	kill -KILL $!
	wait $!
} 2>/dev/null # nor what the shell says of it
exec 9>&-
pk-script --dump killed 2>err | grep -a '^[0-9]* SAMPLE' >found
# It can be killed in the middle of a record, too.
grep -q -e 'was interrupted before its header was complete' -e 'ends in the middle of a record' err || cat err
cmp <(head -n "$(wc -l <found)" expected) found && [ "$(wc -l <found)" -gt 100 ] || echo "other samples: $(wc -l <found)"
