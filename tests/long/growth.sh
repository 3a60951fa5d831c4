# SPDX-License-Identifier: BSD-2-Clause
# timeout: 1800
# The cost of every tail grows as its input does: inputs of two sizes, for each of the shapes of growth.pl. Time, memory
# or output that grows with a power of the size above 1.15 is a failure. PK_GROWTH="depth tids" selects shapes,
# PK_GROWTH_V=1 prints all numbers.
#
# Times of a loaded machine are noise. So a time that looks too long counts only if the number of instructions does, too,
# or, without valgrind, if it is too long in the fastest of five runs.
MOST=1.15
. "$PK_TOP/tests/cli/stream.bash"
status=0

# A small input has costs that do not depend on it: below these, growth is not looked at.
TIME_LEAST=150000  # microseconds
MEMORY_LEAST=32768 # KiB
OUTPUT_LEAST=16000000

tails=(
	'pk-fold'
	'pk-fold --by tid,event'
	'pk-fold --reverse'
	'pk-plot flame'
	'pk-plot flame --reverse'
	'pk-plot chart'
	'pk-plot timeline'
	'pk-plot heatmap --field=period'
	'pk-report'
	'pk-report --by tid,event,symbol'
	'pk-report -g graph'
	'pk-report -g graph,0'
	'pk-report -g caller,0 --by tid,symbol'
	'pk-report -g flat,0'
	'pk-report -g folded,0 --by event,symbol'
	'pk-report --json'
	'pk-script'
	'pk-script --json'
	'pk-script --stats'
	'pk-annotate'
	'pk-export pprof'
	'pk-export otlp'
	'pk-export callgrind'
	'pk-export speedscope'
	'pk-export speedscope --evented'
	'pk-export firefox'
	'pk-export rows'
	'pk-export rows --each'
	'pk-export trace --samples'
	'pk-export perf.data -o out'
	'pk-export sqlite -o out'
	'pk-filter'
	'pk-symbolize'
	'pk-merge-callchains'
	'pk-span --start begin --end end --key key'
)
shapes=(tids maps events names ids groups formats open forks cgroups ksymbols)
deep=(depth leaves recursion deepgroups)
many=(sessions)

# make SHAPE N: the file SHAPE.N
make()
{
	perl "$PK_TOP/tests/long/growth.pl" "$1" "$2" | assemble >"$1.$2" || {
		echo "growth.pl $1 $2 failed"
		exit 1
	}
}

# run FILE COMMAND...: sets cost to the time, the memory and the output. Status 1 is for samples without symbols. A
# command that is refused costs nothing, and so shows nothing.
run()
{
	local result
	rm -f out
	"$PK_BUILD/tests/long/growth_cost" "${@:2}" -q "$1" >cost 2>err
	result=$?
	[ $result -le 1 ] || {
		echo "$shape: $tail: status $result: $(head -n 1 err)"
		status=1
	}
	read -ra cost <cost
	[ ! -e out ] || cost[2]=$(stat -c %s out)
}

# exceeds LEAST SMALL LARGE: whether the number has grown too much between the sizes
exceeds()
{
	awk -v least="$1" -v small="$2" -v large="$3" -v most=$MOST -v factor=$((large_n / small_n)) \
		'BEGIN { exit !(large > least && small > 0 && log(large / small) / log(factor) > most) }'
}

# exponent SMALL LARGE
exponent()
{
	awk -v small="$1" -v large="$2" -v factor=$((large_n / small_n)) \
		'BEGIN { if (small > 0 && large > 0) printf "%.2f", log(large / small) / log(factor) }'
}

# work FILE COMMAND...: a number for the work: instructions, or the time of the fastest run
work()
{
	local least=''
	if command -v valgrind >/dev/null; then
		rm -f out
		valgrind --tool=callgrind --callgrind-out-file=/dev/null "${@:2}" --no-sandbox -q "$1" 2>&1 >/dev/null |
			awk '/Collected :/ { print $NF }'
		return
	fi
	for _ in 1 2 3 4 5; do
		run "$@"
		[ -n "$least" ] && [ "${cost[0]}" -ge "$least" ] || least=${cost[0]}
	done
	echo "$least"
}

# complain WHAT SMALL LARGE
complain()
{
	echo "$shape: $tail: $1: $2 for $small_n, $3 for $large_n: grows with the power $(exponent "$2" "$3")"
	status=1
}

check_tail()
{
	local small large work_small work_large
	# shellcheck disable=SC2206 # a command line
	local command=($tail)
	run "$shape.$small_n" "${command[@]}"
	small=("${cost[@]}")
	run "$shape.$large_n" "${command[@]}"
	large=("${cost[@]}")
	[ -z "${PK_GROWTH_V-}" ] ||
		echo "$shape $tail: ${large[0]} us $(exponent "${small[0]}" "${large[0]}"), ${large[1]} KiB $(exponent "${small[1]}" "${large[1]}"), ${large[2]} bytes $(exponent "${small[2]}" "${large[2]}")"
	exceeds $MEMORY_LEAST "${small[1]}" "${large[1]}" && complain KiB "${small[1]}" "${large[1]}"
	exceeds $OUTPUT_LEAST "${small[2]}" "${large[2]}" && complain bytes "${small[2]}" "${large[2]}"
	exceeds $TIME_LEAST "${small[0]}" "${large[0]}" || return 0
	work_small=$(work "$shape.$small_n" "${command[@]}")
	work_large=$(work "$shape.$large_n" "${command[@]}")
	exceeds 0 "$work_small" "$work_large" && complain work "$work_small" "$work_large"
	return 0
}

# check SMALL LARGE SHAPE...
check()
{
	small_n=$1 large_n=$2
	for shape in "${@:3}"; do
		case " ${PK_GROWTH-$shape} " in *" $shape "*) ;; *) continue ;; esac
		make "$shape" "$small_n"
		make "$shape" "$large_n"
		for tail in "${tails[@]}"; do
			check_tail
		done
		rm -f "$shape".*
	done
}

check 5000 20000 "${shapes[@]}"
check 2000 8000 "${deep[@]}"
check 500 2000 "${many[@]}"
exit $status
