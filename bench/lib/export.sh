# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the benchmark of pk-export.

# All formats from the recording, beside perf script, where converters of other projects start. All without inlined
# functions and lines.
export_formats()
{
	local format commands=() to=/dev/null
	for format in pprof callgrind speedscope firefox "trace --samples" "trace --samples --perfetto" rows sqlite; do
		to=/dev/null
		[ "$format" != sqlite ] || to=$scratch/out.db
		commands+=("${format// --/-}" "rm -f $scratch/out.db; $bin/pk-symbolize -q --no-inline $raw | $bin/pk-export $format -q -o $to")
	done
	runs=1 compare "${commands[@]}" perf-script "perf script --no-inline -i $raw >/dev/null" || return
	for format in pprof callgrind speedscope firefox "trace --samples" "trace --samples --perfetto" rows sqlite; do
		verdict export "$shape: perf script / pk-symbolize and pk-export $format" \
			"$(calc %.1f "$(median 1 perf-script) / $(median 1 "${format// --/-}")")" x '>=' 5
	done
}

# One thread's name as label, as pk-fold has it. The compression is that of gzip -1, by processor time.
export_pprof()
{
	"$bin/pk-export" pprof -q --by comm "$sym" | gzip -dc >"$scratch/profile" || return
	compare pk-fold "$bin/pk-fold -q $sym >/dev/null" pprof "$bin/pk-export pprof -q --by comm $sym >/dev/null" \
		labels "$bin/pk-export pprof -q $sym >/dev/null" gzip "gzip -1 <$scratch/profile >/dev/null" || return
	verdict export "$shape: pprof without compression / pk-fold, processor time" \
		"$(calc %.2f "($(median 2 pprof) - $(median 2 gzip)) / $(median 2 pk-fold)")" x '<=' 2
	report export "$shape: pprof with labels comm,pid,tid,cpu / pk-fold, processor time" \
		"$(calc %.2f "$(median 2 labels) / $(median 2 pk-fold)")" x
	report export "$shape: size of the profile" "$(calc %.1f "$(stat -c %s "$scratch/profile") / 1e6")" ' MB'
}

# With all indexes.
export_sqlite()
{
	local samples
	compare sqlite "rm -f $scratch/out.db; $bin/pk-export sqlite -q -o $scratch/out.db $sym" || return
	samples=$(sqlite3 "$scratch/out.db" 'SELECT sum(samples) FROM recordings') || return
	verdict export "$shape: million samples/s into SQLite" "$(calc %.2f "$samples / $(median 1 sqlite) / 1e6")" '' '>=' 0.5
}

export_shape()
{
	export_pprof
	! command -v sqlite3 >/dev/null || export_sqlite
	! have_perf || export_formats
}

bench_export()
{
	for_shapes export_shape
}
