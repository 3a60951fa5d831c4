# SPDX-License-Identifier: BSD-2-Clause
# --time in percent: of files, and of pipes whose header has the times of the first and the last sample. Otherwise the program
# reports what to do before it writes anything.
. "$PK_TOP/tests/cli/stream.bash"

# times FIRST LAST: the feature SAMPLE_TIME
times()
{
	feature SAMPLE_TIME first="$1" last="$2"
}

samples()
{
	comm 5 5 prog
	for time in "$@"; do
		sample 7 5 "0x$time" 1000 "$time"
	done
}

events=$(header; event 1 7; name 7 cycles)
{ echo "$events"; times 1000 2000; samples 1000 1100 1500 1900 2000; } | assemble >known.pk
{ echo "$events"; times 0 0; samples 1000 1100 1500 1900 2000; } | assemble >zero.pk
{ echo "$events"; samples 3000 3001 3002 3003; } | assemble >plain.pk

# try OPTION...: the sample's addresses, which are their times
try()
{
	echo "$ pk-filter $*"
	pk-filter "$@" >out 2>err
	echo "status $?, $([ -s out ] || echo no) output"
	pk-script -q -F ip out 2>/dev/null | tr -d '\n'
	echo
	cat err
}

for range in 0%-50% 10%-20% 50%-100% 10%/10; do
	try --time $range known.pk
	try --time $range - < <(cat known.pk)
done
for file in zero.pk plain.pk; do
	try --time 0%-50% $file
	try --time 0%-50% <$file
	try --time 0%-50% < <(cat $file)
	try --time 0%-50% --time +0,+1 - < <(cat $file)
done
echo "== of an input that does not end"
mkfifo endless
exec 9<>endless
cat plain.pk >&9
try --time 0%-50% <endless 9>&-
exec 9>&-
echo "== several inputs: each as far as it is known"
try --time 0%-50% plain.pk - known.pk < <(cat zero.pk)
try --time 0%-50% plain.pk - < <(cat known.pk)
cat known.pk plain.pk >both.pk
try --time 0%-50% both.pk
try --time 0%-50% < <(cat both.pk)
echo "== a named pipe is opened once"
mkfifo fifo
cat known.pk >fifo &
writer=$!
try --time 0%-50% fifo
wait $writer
echo "writer: status $?"
echo "== no sample has a time"
{
	header
	echo 'HEADER_ATTR attr_type=1 sample_period=1000 sample_type=(IDENTIFIER IP TID) flags=(sample_id_all) id=7'
	comm 5 5 prog
	sample_of user 7 5 0x1000
} | assemble >timeless.pk
try --time 0%-50% timeless.pk
try --time 0%-50% < <(cat timeless.pk)
