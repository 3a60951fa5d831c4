# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the cost of pk-record --heap for the recorded program.

# heap_programs: prints NAME COMMAND of ten programs, which need about half a second each.
heap_programs()
{
	local python includes=() folder
	for folder in libpkstream lib/*/; do includes+=(-iquote "$folder"); done
	python=$(python3 -c 'import sys; print(sys.executable)')
	cat <<-EOF
		gcc gcc -std=gnu11 -O2 ${includes[*]} -DPK_VERSION='"bench"' -c -o $scratch/gcc.o lib/report/text_table.c
		g++ g++ -std=c++17 -fsyntax-only -include regex -x c++ /dev/null
		clang++ clang++ -std=c++17 -fsyntax-only -include regex -x c++ /dev/null
		sqlite3 sqlite3 :memory: 'create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c limit 300000) insert into t select x, hex(x) || x from c; create index i on t(b); select count(*) from t join t u on t.b = u.b'
		redis sh $dir/heap-redis.sh $scratch/redis
		python3 $python -c 'import json; x = [{"key%d" % i: [i, str(i), {"a": i / 7}]} for i in range(40000)]; [json.loads(json.dumps(x)) for _ in range(2)]'
		perl perl -e 'my %h; \$h{\$_ % 5000} .= "x" x (\$_ % 90) for 1..600000; my @k = sort map { "\$_ \$h{\$_}" } keys %h; print scalar(@k), "\n"'
		ruby ruby -e 'h = Hash.new { |a, k| a[k] = [] }; 300_000.times { |i| h[i % 5000] << "value #{i}" }; puts h.values.map { |v| v.join(",").size }.sum'
		jq jq -c 'map({key: .a, value: (.b | map(. * 2))}) | group_by(.key % 10) | map(length)' $dir/heap.json
		git git -C $dir/heap-repository -c pack.threads=1 pack-objects --all --no-reuse-delta --stdout
	EOF
}

# Inputs of the programs.
heap_inputs()
{
	[ -s "$dir/heap.json" ] || awk 'BEGIN { printf "["; for (i = 0; i < 30000; i++) printf "%s{\"a\":%d,\"b\":[%d,%d]}", i ? "," : "", i, i, i * 7; print "]" }' \
		>"$dir/heap.json"
	cat >"$dir/heap-redis.sh" <<-'EOF'
		# A server with a socket in the folder $1, and 100,000 keys.
		mkdir -p "$1"
		redis-server --port 0 --unixsocket "$1/socket" --save '' --dir "$1" >/dev/null &
		until [ -S "$1/socket" ]; do sleep 0.01; done
		redis-cli -s "$1/socket" eval 'for i = 1, 100000 do redis.call("set", "key:" .. i, string.rep("x", i % 300)) end
			for i = 1, 100000, 2 do redis.call("append", "key:" .. i, string.rep("y", i % 200)) end return 1' 0 >/dev/null
		redis-cli -s "$1/socket" shutdown nosave
		wait
	EOF
	[ -d "$dir/heap-repository/.git" ] || {
		rm -rf "$dir/heap-repository" && mkdir "$dir/heap-repository" && cp -r lib libpkstream "$dir/heap-repository" &&
			git -C "$dir/heap-repository" init -q && git -C "$dir/heap-repository" add . &&
			git -C "$dir/heap-repository" -c user.name=bench -c user.email=bench@localhost commit -q -m bench
	}
}

# heap_instructions LABEL PREFIX COMMAND: sets count to the instructions of COMMAND and its children, outside of the kernel.
heap_instructions()
{
	local label=$1 prefix=$2 command=$3
	rm -f "$scratch/callgrind.$label".*
	$prefix valgrind -q --tool=callgrind --trace-children=yes --trace-children-skip='*/sleep,*/redis-cli' \
		--callgrind-out-file="$scratch/callgrind.$label.%p" bash -c "exec $command" \
		>/dev/null 2>"$scratch/err" </dev/null || failed "$label: $(tail -n 1 "$scratch/err")"
	count=$(cat "$scratch/callgrind.$label".* | awk '/^summary:/ { sum += $2 } END { printf "%.0f", sum }')
}

heap_pairs()
{
	local n=20000000 exact=2000000 round plain sampled one
	[ -z "$quick" ] || n=2000000 exact=200000
	rm -f "$scratch"/pairs-*
	for ((round = 0; round < runs; round++)); do
		"$dir/pairs" $n >>"$scratch/pairs-plain"
		"$bin/pk-record" -q --heap -o /dev/null -- "$dir/pairs" $n >>"$scratch/pairs-512k"
		"$bin/pk-record" -q --heap=1 -o /dev/null -- "$dir/pairs" $exact >>"$scratch/pairs-1"
		! command -v heaptrack >/dev/null ||
			heaptrack -o "$scratch/pairs" "$dir/pairs" $exact 2>&1 | grep -x '[0-9.]*' >>"$scratch/pairs-heaptrack"
	done
	plain=$(median 1 pairs-plain) sampled=$(median 1 pairs-512k)
	report heap 'malloc and free' "$plain" ' ns'
	verdict heap 'further time of malloc and free with --heap' "$(calc %.1f "$sampled - $plain")" ' ns' '<=' 20
	report heap 'further time with --heap=1' "$(calc %.0f "$(median 1 pairs-1) - $plain")" ' ns'
	[ ! -s "$scratch/pairs-heaptrack" ] || report heap 'further time with heaptrack' "$(calc %.0f "$(median 1 pairs-heaptrack) - $plain")" ' ns'
	command -v valgrind >/dev/null || return 0
	heap_instructions pairs '' "$dir/pairs 100000" && one=$count
	heap_instructions pairs '' "$dir/pairs 300000" && plain=$(calc %.1f "($count - $one) / 200000")
	heap_instructions pairs "$bin/pk-record -q --heap -o /dev/null --" "$dir/pairs 100000" && one=$count
	heap_instructions pairs "$bin/pk-record -q --heap -o /dev/null --" "$dir/pairs 300000" && sampled=$(calc %.1f "($count - $one) / 200000")
	report heap "instructions of malloc and free: $plain; with --heap" "$sampled" ''
}

# heap_program NAME COMMAND: CPU time without and with --heap in turn, and instructions.
heap_program()
{
	local name=$1 command=$2 round plain with
	bash -c "exec $command" >/dev/null 2>"$scratch/err" </dev/null || {
		skip "heap: $name" "$(tail -n 1 "$scratch/err")"
		return
	}
	echo "    \$ $command"
	rm -f "$scratch"/program-*
	for ((round = 0; round < runs; round++)); do
		"$dir/measure" "$scratch/program-plain" bash -c "exec $command" >/dev/null 2>&1 </dev/null
		"$bin/pk-record" -q --heap -o /dev/null -- "$dir/measure" "$scratch/program-512k" bash -c "exec $command" >/dev/null 2>&1 </dev/null
	done
	plain=$(median 2 program-plain) with=$(median 2 program-512k)
	report heap "$name: CPU time $plain s, further time with --heap" "$(calc %+.1f "100 * ($with / $plain - 1)")" ' %'
	command -v valgrind >/dev/null || return 0
	heap_instructions program '' "$command" && plain=$count
	heap_instructions program "$bin/pk-record -q --heap -o /dev/null --" "$command" && with=$count
	verdict heap "$name: $(calc %.0f "$plain / 1e6") million instructions, further ones with --heap" \
		"$(calc %+.2f "100 * ($with / $plain - 1)")" ' %' '<=' 1
}

bench_heap()
{
	local name command
	case $(uname -m) in x86_64 | aarch64) ;; *) skip heap 'not supported on this architecture'; return ;; esac
	compile pairs -O2 -fno-builtin
	heap_inputs || return
	heap_pairs
	while read -r name command; do
		heap_program "$name" "$command"
	done < <(heap_programs)
}
