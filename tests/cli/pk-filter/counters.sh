# SPDX-License-Identifier: BSD-2-Clause
# Samples with counter values stand for the increase since the sample before them. The events of samples that are dropped are
# not counted for the next sample that is kept: not by a reader of the filtered stream, and not by a program that filters itself.
. "$PK_TOP/tests/cli/stream.bash"

grouped()
{
	header
	event_of 7 'READ PERIOD' 'read_format=(ID GROUP TOTAL_TIME_ENABLED)'
	event_of 8 'READ PERIOD' 'read_format=(ID GROUP TOTAL_TIME_ENABLED)' config=2
	name 7 cpu-clock
	name 8 page-faults
	comm 5 5 one
	comm 6 6 two
	group() { sample_of user 7 "$1" 0x1000 time="$2" period=1000 "read[0].value=$3 read[0].id=7 read[1].value=$4 read[1].id=8"; }
	group 5 100 1500 3
	group 6 200 2500 3
	group 5 300 4000 10
	group 6 400 9000 12
}
single()
{
	header
	event_of 7 'READ PERIOD' 'read_format=(ID TOTAL_TIME_RUNNING LOST)'
	name 7 cpu-clock
	comm 5 5 one
	comm 6 6 two
	alone() { sample_of user 7 "$1" 0x1000 time="$2" period=1000 "read.value=$3 read.id=7"; }
	alone 5 100 1500
	alone 6 200 2500
	alone 5 300 4000
	alone 6 400 9000
}
grouped | assemble >grouped.pk
single | assemble >single.pk
show()
{
	pk-script -q -F tid,time,event,period --ns "$@" 2>/dev/null | tr -s ' '
}
totals()
{
	pk-report -q --show period --by event --no-children "$@" 2>/dev/null
}
for file in grouped single; do
	for where in 'comm == "one"' 'comm == "two"' 'time >= 300' 'time >= 200 && time <= 300'; do
		echo "$ $file: $where"
		pk-filter -q --where "$where" $file.pk | show - | tee filtered
		pk-filter -q --where "$where" $file.pk | totals >filtered.totals
		totals --where "$where" $file.pk | diff filtered.totals -
		# Twice, and behind another stage.
		pk-filter -q --where "$where" $file.pk | pk-filter -q --where "$where" | show - | diff filtered -
	done
	echo "$ $file: --time"
	totals --time 0.0000003, $file.pk
	pk-filter -q --split-by comm -o "$file.%v.pk" $file.pk
	for value in one two; do
		echo "$ $file: --split-by comm: $value"
		show $file.$value.pk
	done
	# Each session has its own counters.
	pk-filter -q --comm two $file.pk $file.pk | show - | diff - <(show $file.two.pk; show $file.two.pk)
	pk-filter -q --drop addr --comm two $file.pk | show - | diff - <(show $file.two.pk)
done
true
