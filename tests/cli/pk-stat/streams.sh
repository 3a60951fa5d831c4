# SPDX-License-Identifier: BSD-2-Clause
# Recordings of counts: both byte orders, all kinds of maps, intervals, several sessions, and what is wrong with them.
. "$PK_TOP/tests/cli/stream.bash"

# Numbers in either byte order: ORDER=big
num()
{
	local i text='' byte
	for ((i = 0; i < $1; i++)); do
		printf -v byte '\\x%02x' $((($2 >> 8 * i) & 255))
		if [ "${ORDER-}" = big ]; then text=$byte$text; else text+=$byte; fi
	done
	# shellcheck disable=SC2059 # escapes on purpose
	printf "$text"
}

begin()
{
	if [ "${ORDER-}" = big ]; then printf 2ELIFREP; else printf PERFILE2; fi
	num 8 16
}

# counter TYPE CONFIG NAME ID...
counter()
{
	local type=$1 config=$2 name=$3
	shift 3
	{
		nums 44888888 "$type" 64 "$config" 0 0 3 0 0
		num 8 0
		for id; do
			num 8 "$id"
		done
	} | record 64 0
	{
		nums 88 2 "$1"
		text "$name"
	} | record 78 0
}

# unit ID UNIT SCALE-AS-BITS
unit()
{
	{
		nums 88 0 "$1"
		text "$2"
	} | record 78 0
	nums 888 1 "$1" "$3" | record 78 0
}

threads()
{
	{
		num 8 $(($# / 2))
		while [ $# -gt 0 ]; do
			num 8 "$1"
			printf '%-16s' "$2" | tr ' ' '\0'
			shift 2
		done
	} | record 73 0
}

# config BY INTERVAL
config()
{
	nums 8888888 3 0 "$1" 1 "$2" 2 1 | record 75 0
}

# count ID CPU THREAD VALUE ENABLED [RUNNING]
count()
{
	nums 844888 "$1" "$2" "$3" "$4" "$5" "${6-$5}" | record 76 0
}

# round KIND TIME
round()
{
	nums 88 "$1" "$2" | record 77 0
}

cpus_list()
{
	{
		nums 22 0 $#
		for cpu; do num 2 "$cpu"; done
		head -c $(((8 - (4 + 2 * $#) % 8) % 8)) /dev/zero
	} | record 74 0
}

whole()
{
	begin
	counter 1 1 task-clock 11 12
	unit 11 msec 0x3eb0c6f7a0b5ed8d
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

whole cpus_list 0 1 >little.pk
ORDER=big whole cpus_list 0 1 >big.pk
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
	nums 222 1 1 4 | { cat; nums 4222 3 0 0 0; } | record 74 0
}
mask8()
{
	{
		nums 222 1 1 8
		nums 4 0
		nums 82222 3 0 0 0 0
	} | head -c 24 | record 74 0
}
range()
{
	{
		nums 2 2
		nums 1122 0 0 0 1
	} | record 74 0
}
for map in mask4 mask8 range; do
	for order in little big; do
		ORDER=$order whole $map >map.pk
		pk-stat -A little.pk >little.txt
		pk-stat -A map.pk 2>&1 | cmp - little.txt || echo "$map, $order"
	done
done

# Indices of CPUs, as perf wrote them once
whole cpus_list 4 6 >numbers.pk
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
threads_of_a_process >threads.pk
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
} >no-map.pk
show no-map.pk
{
	whole cpus_list 0 1
	count 99 0 0 1 1
	count 11 7 0 1 1
	count 11 0 1 1 1
	nums 8 1 | record 77 0
} >nothing.pk
show -x, --no-metrics nothing.pk
{
	begin
	counter 1 2 page-faults 1
	{
		num 8 1000000
		num 8 1
	} | record 73 0
	nums 2222 1 60000 8 0 | record 74 0
	nums 2222 9 1 1 0 | record 74 0
	config 1 0
	round 1 1
} >maps.pk
show maps.pk
# Memory that nothing is counted in
{
	begin
	{
		num 8 100
		head -c 2400 /dev/zero
	} | record 73 0
	{
		nums 2 2
		nums 1122 0 0 0 60000
	} | record 74 0
	config 0 0
	round 1 1
} >vast.pk
show vast.pk
# A name that is no UTF-8
{
	begin
	counter 1 2 $'\xff"\\' 1
	threads -1 ''
	cpus_list 65535
	config 1 0
	count 1 4294967295 0 7 1
	round 1 1
} >bytes.pk
show -j bytes.pk
head -c $(($(wc -c <little.pk) - 30)) little.pk >cut.pk
show -x, cut.pk
{
	begin
	counter 1 2 page-faults 1
} >none.pk
show none.pk
show -r 2 little.pk
show --stream little.pk
