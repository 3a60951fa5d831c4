# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the Python package.

# python_rate SECONDS: million samples of $long for each second of the processor, without the start of the interpreter
python_rate()
{
	calc %.2f "$long_samples / ($1 - $(median 2 start)) / 1e6"
}

# The input ten times as long as a recording, raw and symbolized, so that the start of the interpreter does not count.
need_long()
{
	long=$dir/python.perf long_symbolized=$dir/python.pk
	[ "$long" -nt "$raw" ] || "$dir/stretch" 10 $((10 * samples)) <"$raw" >"$long" || return
	symbolized "$long" "$long_symbolized" || return
	long_samples=$(value samples "$long")
	echo "    $long: $long_samples samples"
}

python_perf()
{
	cat >"$scratch/handlers.py" <<'END'
count = 0

def process_event(param):
    global count
    if param["comm"] and param["sample"]["time"] and param.get("symbol"):
        count += 1
END
	cat >"$scratch/iterate.py" <<'END'
import sys
import pkstream
count = 0
for sample in pkstream.open(sys.argv[1]).samples():
    if sample.comm and sample.time and sample.symbol:
        count += 1
END
	compare pk-python "$python $scratch/iterate.py $sym" perf-python "perf script -s $scratch/handlers.py -i $raw" \
		pk-run "$python -c 'import pkstream, sys; sys.path.insert(0, sys.argv[2]); import handlers; pkstream.run(handlers, sys.argv[1])' $sym $scratch" || return
	verdict python 'samples with three attributes: perf script -s / pkstream, CPU' \
		"$(calc %.1f "$(median 2 perf-python) / $(median 2 pk-python)")" x '>=' 10
	report python 'handlers of perf script: perf script -s / pkstream.run, CPU' "$(calc %.1f "$(median 2 perf-python) / $(median 2 pk-run)")" x
}

python_columns()
{
	local words=(start "$python -c 'import pkstream'") columns name file
	local program='import sys, pkstream
count = sum(columns.count for columns in pkstream.open(sys.argv[1]).batches(*sys.argv[2].split(",")))
assert count == int(sys.argv[3]), count'
	printf '%s\n' "$program" >"$scratch/columns.py"
	local sets=("numbers $long time,tid,cpu" "texts $long_symbolized time,tid,comm,symbol" "stacks $long_symbolized stack")
	for columns in "${sets[@]}"; do
		read -r name file columns <<<"$columns"
		words+=("$name" "$python $scratch/columns.py $file $columns $long_samples")
	done
	compare "${words[@]}" || return
	verdict python 'columns time, tid, cpu: million samples/s, CPU' "$(python_rate "$(median 2 numbers)")" '' '>=' 5
	verdict python 'columns time, tid, comm, symbol: million samples/s, CPU' "$(python_rate "$(median 2 texts)")" '' '>=' 5
	report python 'column stack: million samples/s, CPU' "$(python_rate "$(median 2 stacks)")" ''
}

# Ten million samples in one process: bytes that malloc has given out after the first round, and at the end.
python_memory()
{
	local number rounds first last resident
	read -r number rounds first last resident < <($python tests/long/python_leak.py "$long_symbolized" 10000000) || return
	echo "    $number samples in $rounds rounds: $first bytes in use after the first round, $last at the end; largest resident set $resident KiB"
	verdict python 'memory in use, growth in ten million samples' $((last - first)) ' bytes' '<=' 262144
}

bench_python()
{
	local python long long_symbolized long_samples
	have_perf || return
	if [ ! -e "$build/python/pkstream/_pkstream.abi3.so" ]; then
		skip python "$build/python/ is not built: make python"
		return
	fi
	python="env PYTHONPATH=$build/python $(command -v /usr/bin/python3 || command -v python3)"
	need_input && need_long || return
	python_perf && python_columns && python_memory
}
