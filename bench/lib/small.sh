# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: recordings of the size that people usually make, with an empty and with a filled cache of symbols.

# need_small N: $small, N samples of what `busy` runs, at the default frequency of perf.
need_small()
{
	local whole=$dir/small.perf.whole length
	small=$dir/small-$1.perf
	[ ! -s "$small" ] || return 0
	[ -s "$whole" ] || {
		have_perf || return
		length=$(calc %d "1.4 * 130000 / $(at_most 4000) / $(nproc) + 2")
		echo "    \$ perf record -a -g -e cpu-clock -F $(at_most 4000) -o - -- bench/run --drive busy $length >$whole"
		perf record -a -g -e cpu-clock -F "$(at_most 4000)" -o - -- bench/run --drive busy "$length" >"$whole" 2>"$scratch/err" || {
			tail -n 3 "$scratch/err"
			rm -f "$whole"
			return 1
		}
	}
	"$dir/stretch" 1 "$1" <"$whole" >"$small"
}

# small_verdict OF BESIDE WHAT BOUND: ratios of two labels of compare.
small_verdict()
{
	verdict small "$count samples: $3" "$(calc %.1f "$(median 1 "$2") / $(median 1 "$1")")" x '>=' "$4"
	echo "    by processor time: $(calc %.1f "$(median 2 "$2") / $(median 2 "$1")")x"
}

small_size()
{
	local count=$1 small commands empty
	need_small "$count" || return
	echo "    input $small: $(value samples "$small") samples, $(value chains "$small") distinct call chains"
	# Each run has its own folder, so that no time is needed to remove files.
	empty="XDG_CACHE_HOME=\$(mktemp -d -p $scratch)"
	commands=(
		fold-alone "$bin/pk-fold -q --no-inline $small >/dev/null"
		fold-empty "$empty $bin/pk-symbolize -q --no-inline $small | $bin/pk-fold -q >/dev/null"
		fold-filled "$bin/pk-symbolize -q --no-inline $small | $bin/pk-fold -q >/dev/null"
		fold-none "$bin/pk-symbolize -q --no-inline --no-cache $small | $bin/pk-fold -q >/dev/null"
		flat-empty "$empty $bin/pk-report -q --no-inline --no-children $small >/dev/null"
		flat-filled "$bin/pk-report -q --no-inline --no-children $small >/dev/null"
		perf-fold "perf report --stdio --no-children --no-inline -g folded,0,caller,count -i $small >/dev/null"
		perf-flat "perf report --stdio --no-children --no-inline -g none -i $small >/dev/null")
	[ -z "$perf_new" ] || commands+=(
		new-fold "$perf_new report --stdio --no-children --no-inline -g folded,0,caller,count -i $small >/dev/null"
		new-flat "$perf_new report --stdio --no-children --no-inline -g none -i $small >/dev/null")
	compare "${commands[@]}" || return
	small_verdict fold-empty perf-fold 'perf report / pk-symbolize and pk-fold, empty cache' 10
	small_verdict fold-filled perf-fold 'perf report / pk-symbolize and pk-fold, filled cache' 20
	small_verdict fold-alone perf-fold 'perf report / pk-fold of the recording, filled cache' 20
	small_verdict flat-empty perf-flat 'perf report / pk-report, empty cache' 10
	small_verdict flat-filled perf-flat 'perf report / pk-report, filled cache' 10
	[ -z "$perf_new" ] || {
		small_verdict fold-filled new-fold 'newer perf report / pk-symbolize and pk-fold, filled cache' 20
		small_verdict flat-filled new-flat 'newer perf report / pk-report, filled cache' 10
	}
	small_verdict fold-filled fold-none 'no cache / filled cache' 1.5
	report small "$count samples: size of the cache" "$(calc %.1f "$(stat -c %s "$XDG_CACHE_HOME/pk/symbols") / 1048576")" ' MiB'
}

bench_small()
{
	local perf_new=$perf_new count
	have_perf || return
	if [ -n "$perf_new" ] && ! $perf_new version >/dev/null 2>&1; then
		skip small "no newer perf (--perf-new=PROGRAM)"
		perf_new=''
	fi
	for count in 30000 130000; do small_size $count || return; done
}
