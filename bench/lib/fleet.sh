# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bench/run sets the variables
# Sourced by bench/run: the benchmark of fleet/, with ClickHouse and SQLite.

fleet_start=1795700057 # of the recordings, seconds since 1970; like those of most hosts, they do not start with a minute

# A minute of $most hosts with 64 processors at 19 Hz: $hosts, a folder. Their stacks are those of a recording of this machine.
need_hosts()
{
	local base=$dir/fleet$quick half
	hosts=$dir/fleet-hosts$quick
	[ -z "$fresh" ] || rm -rf "$hosts" "$base".*
	[ ! -e "$hosts/complete-$most" ] || return 0
	mkdir -p "$hosts"
	echo "    \$ pk-record -q -a -g -F 9999 -e cpu-clock -k monotonic --all-cgroups -o $base.pk -- bench/run --drive busy 30"
	[ -s "$base.pk" ] || "$bin/pk-record" -q -a -g -F 9999 -e cpu-clock -k monotonic --all-cgroups -o "$base.pk" -- bench/run --drive busy 30 || return
	echo "    \$ pk-symbolize -q --no-inline --addresses $base.pk >$base.sym"
	"$bin/pk-symbolize" -q --no-inline --addresses "$base.pk" >"$base.sym" || return
	half=$((most / 2))
	echo "    \$ $dir/hosts $hosts 0 $most 72960 60 $fleet_start 1 <$base.sym # in two halves"
	"$dir/hosts" "$hosts" 0 $half 72960 60 $fleet_start 1 <"$base.sym" &
	"$dir/hosts" "$hosts" $half $((most - half)) 72960 60 $fleet_start 1 <"$base.sym" || return
	wait $! && touch "$hosts/complete-$most"
}

# The recorder of fleet/pk-record.service beside other work: its processor time, and what it costs a job that needs one processor.
fleet_capture()
{
	local record="$bin/pk-record -q -a -g -F 19 -k monotonic --all-cgroups" job
	bench/run --drive busy 40 >/dev/null 2>&1 &
	sleep 3
	timed $record -z --for 30s -o "$scratch/capture.pk.zst" || return
	wait $!
	report fleet "pk-record -a -g -F 19 beside busy, $(nproc) processors: processor time of a second" "$(calc %.2f "$cpu / 30 * 1000")" ' ms'
	report fleet 'the same: bytes a sample' "$(calc %.0f "$(stat -c %s "$scratch/capture.pk.zst") / $("$dir/census" <(zstd -dc "$scratch/capture.pk.zst") | sed -n 's/.*samples=\([0-9]*\).*/\1/p')")" ''
	head -c 40000000 "$dir/fleet$quick.pk" >"$scratch/job"
	job="gzip -9 <$scratch/job >/dev/null"
	compare alone "$job" recorded "$record -o $scratch/capture.pk -- sh -c '$job'" || return
	report fleet 'a job of gzip and pk-record / the job alone, processor time' "$(calc %.4f "$(median 2 recorded) / $(median 2 alone)")" x
	report fleet 'the same, elapsed' "$(calc %.4f "$(median 1 recorded) / $(median 1 alone)")" x
}

# pk-export alone: of frames that are addresses, and of those that are functions.
fleet_export()
{
	local kind samples=$((20 * 72960)) base=$dir/fleet$quick options
	options="rows -q --every 60s --flat --format rowbinary --tables $scratch --by host,comm,label.service,label.version,label.region,container,pod"
	mkdir -p "$dir/fleet-functions"
	[ -s "$base.functions" ] || "$bin/pk-symbolize" -q --no-inline "$base.pk" >"$base.functions" || return
	"$dir/hosts" "$dir/fleet-functions" 0 20 72960 60 $fleet_start 1 <"$base.functions" || return
	compare address "$bin/pk-export $options --frames address $hosts/host-00[01]*" function "$bin/pk-export $options --frames function $dir/fleet-functions/*" || return
	for kind in address function; do
		report fleet "pk-export rows, frames of kind $kind: million samples/s a processor" "$(calc %.3f "$samples / $(median 2 $kind) / 1e6")" ''
	done
}

# host_files FIRST COUNT: with a NUL after each
host_files()
{
	local i
	for ((i = $1; i < $1 + $2; i++)); do printf '%s\0' "$hosts/host-$(printf %04d "$i")-$fleet_start.pk.zst"; done
}

# timed COMMAND...: sets elapsed and cpu
timed()
{
	rm -f "$scratch/timed"
	"$dir/measure" "$scratch/timed" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || { failed "$*: $(tail -n 1 "$scratch/err")"; return 1; }
	read -r elapsed cpu _ <"$scratch/timed"
}

ch()
{
	clickhouse-client --host 127.0.0.1 --port "$port" --query "$1"
}

# Processor time of the server, seconds.
server_time()
{
	awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13) / hz }' "/proc/$clickhouse_pid/stat"
}

fleet_queries=(services hosts waits 'top --service service-7' 'function --function do_syscall_64 --service service-7'
	'changes --service service-0 --base 0.0 --version 0.1' 'folded --service service-7' top 'function --function do_syscall_64' folded)

# fleet_ask STORE COUNT: the time of each query; of ClickHouse, also the rows and bytes that it reads. Of fewer than 30 hosts, a version of
# service-0 has less than three, which `changes` needs.
fleet_ask()
{
	local query read start
	for query in "${fleet_queries[@]}"; do
		[ "${query%% *}" != changes ] || [ "$2" -ge 30 ] || continue
		read='' start=$(date +%s)
		# shellcheck disable=SC2086 # words
		timed fleet/query "$1" $query || continue
		if [ -n "${port-}" ]; then
			ch 'SYSTEM FLUSH LOGS'
			read=$(ch "SELECT concat(', reads ', toString(round(sum(read_rows) / 1e6, 2)), ' million rows, ', toString(round(max(memory_usage) / 1e9, 2)), ' GB of memory')
				FROM system.query_log WHERE type = 2 AND query_start_time >= toDateTime($start) AND query NOT LIKE '%query_log%'")
			read+=", $(ch "SELECT round(sum(ProfileEvents.Values[indexOf(ProfileEvents.Names, 'UserTimeMicroseconds')] + ProfileEvents.Values[indexOf(ProfileEvents.Names,
				'SystemTimeMicroseconds')]) / 1e6, 2) FROM system.query_log WHERE type = 2 AND query_start_time >= toDateTime($start) AND query NOT LIKE '%query_log%'") s of the server's processor time"
		fi
		echo "    $2 hosts, $query: $elapsed s$read"
	done
}

fleet_sizes()
{
	ch "SELECT concat('    ', table, ': ', toString(sum(rows)), ' rows, ', toString(round(sum(bytes_on_disk) / 1e6, 2)), ' MB') FROM system.parts
		WHERE active AND database = 'default' GROUP BY table ORDER BY table"
	report fleet "ClickHouse, $1 hosts: bytes a sample, the table samples" \
		"$(ch 'SELECT round((SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = '"'samples_local'"') / sum(samples), 2) FROM by_hour')" ''
	report fleet "ClickHouse, $1 hosts: bytes a sample, stacks and frames" \
		"$(ch 'SELECT round((SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table IN ('"'stacks_local', 'frames_local', 'objects_local'"')) / sum(samples), 2) FROM by_hour')" ''
	report fleet "ClickHouse, $1 hosts: bytes a sample, summaries" \
		"$(ch 'SELECT round((SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table IN ('"'by_function_local', 'by_path_local'"')) / sum(samples), 2) FROM by_hour')" ''
}

# Ten hosts, then a hundred, then a thousand, or those of --hosts. bench/run stops the server at its end, so also after a failure.
fleet_clickhouse()
{
	local port=$((20000 + $$ % 10000)) store before after loaded=0 count samples
	store=clickhouse:127.0.0.1:$port
	. tests/clickhouse.bash
	cd "$scratch" || return
	clickhouse_start server $port '<query_log><database>system</database><table>query_log</table></query_log>' || return
	cd "$top" || return
	fleet/schema "$store" || return
	for count in "${counts[@]}"; do
		before=$(server_time)
		host_files $loaded $((count - loaded)) >"$scratch/files"
		timed env PK_FLEET_LOCKS="$scratch/locks" PK_FLEET_DAYS=all xargs -0 -P 2 -n 225 -a "$scratch/files" fleet/ingest "$store" || return
		after=$(server_time)
		samples=$(((count - loaded) * 72960))
		echo "    $samples samples: $elapsed s, processor time of fleet/ingest $cpu s, of the server $(calc %.1f "$after - $before") s"
		report fleet "ClickHouse, $count hosts: million samples/s a processor, fleet/ingest" "$(calc %.3f "$samples / $cpu / 1e6")" ''
		report fleet "ClickHouse, $count hosts: million samples/s a processor, the server" "$(calc %.3f "$samples / ($after - $before) / 1e6")" ''
		loaded=$count
		[ "$(ch 'SELECT sum(samples) FROM by_hour')" = $((count * 72960)) ] || failed "$count hosts: not all samples are in the store"
		echo '    without summaries:'
		fleet_ask "$store" "$count"
		before=$(server_time)
		timed env PK_FLEET_LOCKS="$scratch/locks" fleet/summarize "$store" || return
		report fleet "ClickHouse, $count hosts: fleet/summarize, million samples/s a processor of the server" \
			"$(calc %.3f "$count * 72960 / ($(server_time) - $before) / 1e6")" ''
		ch 'SELECT count() FROM (SELECT 1 FROM hours WHERE NOT fresh LIMIT 1)' | grep -qx 0 || failed "$count hosts: an hour has no summary"
		fleet_sizes "$count"
		fleet_ask "$store" "$count"
	done
	stop_server
}

# One host, three, ten ...: as long as the hosts of a minute are loaded within a minute, thirty at most.
fleet_sqlite()
{
	local store=$scratch/store.db loaded=0 count samples
	fleet/schema "$store" || return
	for count in 1 10 30; do
		[ "$count" -le "$most" ] || break
		host_files $loaded $((count - loaded)) >"$scratch/files"
		timed xargs -0 -a "$scratch/files" fleet/ingest "$store" || return
		samples=$(((count - loaded) * 72960))
		report fleet "SQLite, $count hosts: million samples/s a processor" "$(calc %.3f "$samples / $cpu / 1e6")" ''
		loaded=$count
		report fleet "SQLite, $count hosts: bytes a sample" "$(calc %.1f "$(stat -c %s "$store") / $count / 72960")" ''
		fleet_ask "$store" "$count"
		[ "$(calc %d "$elapsed")" -lt 60 ] || break
	done
	echo '    plan of a query of one minute and service:'
	echo "EXPLAIN QUERY PLAN SELECT sum(weight) FROM all_samples WHERE service = 'service-7' AND time >= ${fleet_start}000000000 AND time < $((fleet_start + 60))000000000 AND event = 'cpu-clock';" |
		sqlite3 "$store" | sed 's/^/        /'
}

bench_fleet()
{
	local hosts elapsed cpu path most counts
	path=$(cd "$bin" && pwd)
	local PATH=$path:$PATH
	for program in clickhouse-server clickhouse-client sqlite3; do
		command -v $program >/dev/null || { skip fleet "no $program"; return; }
	done
	compile hosts -O2
	read -ra counts <<<"${host_counts:-10 100$([ -n "$quick" ] || echo ' 1000')}"
	most=${counts[-1]}
	need_hosts || return
	echo "    input: $(find "$hosts/" -name '*.zst' | wc -l) hosts, $(du -sm "$hosts" | cut -f 1) MB compressed: a minute, a sixtieth of an hour"
	fleet_capture
	fleet_export
	fleet_clickhouse
	fleet_sqlite
}
