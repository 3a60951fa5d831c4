# SPDX-License-Identifier: BSD-2-Clause
# Recordings of counts: both byte orders, all kinds of maps, intervals, several sessions, and what is wrong with them.
. "$PK_TOP/tests/cli/stream.bash"

# In either byte order: ORDER=big
begin()
{
	echo "BEGIN byte_order=${ORDER-little}"
}

# counter TYPE CONFIG NAME ID...
counter()
{
	local type=$1 config=$2 name=$3
	shift 3
	echo "HEADER_ATTR attr_type=$type config=$config read_format=(TOTAL_TIME_ENABLED TOTAL_TIME_RUNNING) ${*/#/id=}"
	echo "EVENT_UPDATE subtype=2 id=$1 name=\"$name\""
}

# unit ID UNIT SCALE
unit()
{
	echo "EVENT_UPDATE subtype=0 id=$1 unit=\"$2\""
	echo "EVENT_UPDATE subtype=1 id=$1 scale=$3"
}

# threads PID COMM...
threads()
{
	local i
	echo THREAD_MAP
	for ((i = 0; $# > 0; i++)); do
		echo "  entry[$i].pid=$1 entry[$i].comm=\"$2\""
		shift 2
	done
}

# config BY INTERVAL
config()
{
	echo "STAT_CONFIG term[0].tag=0 term[0].value=$1 term[1].tag=1 term[1].value=$2 term[2].tag=2 term[2].value=1"
}

# count ID CPU THREAD VALUE ENABLED [RUNNING]
count()
{
	echo "STAT id=$1 cpu=$2 thread=$3 value=$4 enabled=$5 running=${6-$5}"
}

# round KIND TIME
round()
{
	echo "STAT_ROUND kind=$1 time=$2"
}

cpus_list()
{
	local i
	echo "CPU_MAP kind=0"
	for ((i = 0; $# > 0; i++)); do
		echo "  cpu[$i]=$1"
		shift
	done
}

whole()
{
	begin
	counter 1 1 task-clock 11 12
	unit 11 msec 1e-06
	counter 1 2 page-faults 21 22
	counter 0 0 cycles 31 32
	counter 0 1 instructions 41 42
	threads -1 ''
	"$@"
	config 1 0
	count 11 0 0 2000000 2000000
	count 21 0 0 40 2000000
	count 31 0 0 5000000 2000000
	count 41 0 0 10000000 2000000 1000000
	count 12 1 0 1000000 1000000
	count 22 1 0 2 1000000
	count 32 1 0 1000000 1000000
	count 42 1 0 500000 1000000
	round 1 2500000
}

show()
{
	echo "$ pk-stat $*"
	pk-stat "$@" 2>&1
	local status=$?
	[ $status = 0 ] || echo "status $status"
}

whole cpus_list 0 1 | assemble >little.pk
ORDER=big whole cpus_list 0 1 | assemble >big.pk
show little.pk
for by in '' -A '-x,' -j; do
	# shellcheck disable=SC2086 # none or one
	pk-stat $by little.pk >little.txt
	# shellcheck disable=SC2086
	pk-stat $by big.pk | cmp - little.txt
done
show -A little.pk
show -x, - <little.pk
show -j --no-scale little.pk
cat little.pk big.pk >two.pk
show -x, --no-metrics two.pk

# Other kinds of maps: words of a mask, a range
mask4()
{
	echo 'CPU_MAP kind=1 long_size=4 mask[0]=3'
}
mask8()
{
	echo 'CPU_MAP kind=1 long_size=8 mask[0]=3'
}
range()
{
	echo 'CPU_MAP kind=2 any_cpu=0 first=0 last=1'
}
for map in mask4 mask8 range; do
	for order in little big; do
		ORDER=$order whole $map | assemble >map.pk
		pk-stat -A little.pk >little.txt
		pk-stat -A map.pk 2>&1 | cmp - little.txt || echo "$map, $order"
	done
done

# Indices of CPUs, as perf wrote them once
whole cpus_list 4 6 | assemble >numbers.pk
show -A -x, numbers.pk

# Threads, most first; intervals, which are differences
threads_of_a_process()
{
	begin
	counter 1 2 page-faults 1 2
	threads 100 first 101 second
	cpus_list 65535
	config 5 100
	count 1 4294967295 0 10 100
	count 2 4294967295 1 30 100
	round 0 100000000
	count 1 4294967295 0 50 200
	count 2 4294967295 1 40 200
	round 0 200000000
}
threads_of_a_process | assemble >threads.pk
show threads.pk
show --summary -x, threads.pk
show --metric-only -j threads.pk

# Metrics of what was recorded
show -x, --metric "$PK_TOP/tests/data/metrics/software.json:ipc,faults_per_ms" little.pk
show --metric-only --metric "$PK_TOP/tests/data/metrics/software.json:ipc,faults_per_ms" -A little.pk
show --metric "$PK_TOP/tests/data/metrics/software.json:major_share" little.pk

# What is wrong
{
	begin
	counter 1 2 page-faults 1
	threads -1 ''
	config 1 0
	count 1 0 0 1 1
} | assemble >no-map.pk
show no-map.pk
{
	whole cpus_list 0 1
	count 99 0 0 1 1
	count 11 7 0 1 1
	count 11 0 1 1 1
	echo 'STAT_ROUND size=16'
} | assemble >nothing.pk
show -x, --no-metrics nothing.pk
{
	begin
	counter 1 2 page-faults 1
	echo 'THREAD_MAP nr=1000000 unknown={8:1}'
	echo 'CPU_MAP kind=1 nr=60000 long_size=8 size=16'
	echo 'UNKNOWN type=74 unknown={2:9 2:1 2:1 2:0}' # of a kind that nobody knows
	config 1 0
	round 1 1
} | assemble >maps.pk
show maps.pk
# Memory that nothing is counted in
{
	begin
	echo 'THREAD_MAP nr=100 size=2416'
	echo 'CPU_MAP kind=2 last=60000'
	config 0 0
	round 1 1
} | assemble >vast.pk
show vast.pk
# A name that is no UTF-8
{
	begin
	counter 1 2 '\xff\"\\' 1
	threads -1 ''
	cpus_list 65535
	config 1 0
	count 1 4294967295 0 7 1
	round 1 1
} | assemble >bytes.pk
show -j bytes.pk
head -c $(($(wc -c <little.pk) - 30)) little.pk >cut.pk
show -x, cut.pk
{
	begin
	counter 1 2 page-faults 1
} | assemble >none.pk
show none.pk
show -r 2 little.pk
show --stream little.pk

# Updates for the only event: with id 0, and with an unknown id
for id in 0 99; do
	{
		begin
		counter 1 1 task-clock 11
		unit $id msec 1e-06
		threads -1 ''
		cpus_list 0
		config 1 0
		count 11 0 0 2000000 2000000
		round 1 2500000
	} | assemble >only.pk
	show -x, --no-metrics only.pk
done
