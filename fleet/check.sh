#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# fleet/check.sh: what `make fleet-check` runs. Records here, loads into SQLite and into two shards of ClickHouse with Distributed tables
# on the loopback, under GNU parallel, kills loads and a server at random moments, loads again, and compares all sums with pk-export.
# Everything is in a temporary folder. SECONDS_TO_RECORD=20, ROUNDS=5.
set -u -o pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
PATH=$(cd "$top/${B:-build}/bin" && pwd):$PATH
export LC_ALL=C TZ=UTC
for program in clickhouse-server clickhouse-client sqlite3 parallel rsync xmllint; do
	command -v $program >/dev/null || packages="${packages-} $(case $program in xmllint) echo libxml2-utils ;; *) echo $program ;; esac)"
done
# shellcheck disable=SC2086 # a list
[ -z "${packages-}" ] || apt-get install -y --no-install-recommends $packages >/dev/null || exit 77
tmp=$(mktemp -d) || exit 1
cd "$tmp" || exit 1
servers=() status=0
trap 'kill "${servers[@]}" 2>/dev/null; wait 2>/dev/null; rm -rf "$tmp"' EXIT
port=$((20000 + $$ % 10000 * 2))
export PK_FLEET_LOCKS=$tmp/locks
fleet=$top/fleet

wrong()
{
	echo "fleet-check: $*" >&2
	status=1
}

# start N: the server of shard N
start()
{
	local at=$((port + $1 * 4))
	mkdir -p s"$1"/{data,tmp,log}
	cat >s"$1"/config.xml <<X
<yandex><logger><level>error</level><log>$tmp/s$1/log/log</log><errorlog>$tmp/s$1/log/err</errorlog></logger>
<http_port>$((at + 1))</http_port><tcp_port>$at</tcp_port><listen_host>127.0.0.1</listen_host><path>$tmp/s$1/data/</path>
<tmp_path>$tmp/s$1/tmp/</tmp_path><mark_cache_size>5368709</mark_cache_size><users_config>$tmp/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<compression><case><min_part_size>0</min_part_size><min_part_size_ratio>0</min_part_size_ratio><method>zstd</method></case></compression>
<remote_servers><pk><shard><replica><host>127.0.0.1</host><port>$port</port></replica></shard>
<shard><replica><host>127.0.0.1</host><port>$((port + 4))</port></replica></shard></pk></remote_servers></yandex>
X
	clickhouse-server --config-file="$tmp/s$1/config.xml" >>s"$1"/out 2>&1 &
	servers[$1]=$!
	for _ in {1..100}; do
		clickhouse-client --host 127.0.0.1 --port $at --query 'SELECT 1' >/dev/null 2>&1 && return
		sleep 0.1
	done
	wrong "shard $1 does not run: $(tail -n 1 s"$1"/out)"
	exit 1
}
cat >users.xml <<X
<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>
X
start 0
start 1
clickhouse=clickhouse:127.0.0.1:$port,127.0.0.1:$((port + 4))
"$fleet/schema" store.db && "$fleet/schema" "$clickhouse" pk || exit 1

# Capture, and copy: each file arrives once.
mkdir spool incoming
pk-record -q -a -g -F 199 -e cpu-clock -k monotonic --all-cgroups --label service=check --label version=1 --for "${SECONDS_TO_RECORD:-20}s" \
	-o 'spool/h-%Y%m%dT%H%M%S.pk' --split 1s -- sh -c 'while :; do gzip -c /bin/bash >/dev/null; done' || wrong 'pk-record failed'
"$fleet/ship" spool incoming && "$fleet/ship" spool incoming || wrong 'ship failed'
[ "$(ls spool)" = "$(ls incoming)" ] || wrong 'not all files were copied'
expected=$(for file in incoming/*.pk; do pk-export rows -q --by none "$file"; done |
	awk -F '\t' '$1 != "event" && $NF != "\\N" { n += $3; w += $4 } END { printf "%d %.0f", n, w }')

# load STORE: all files, two at a time
load()
{
	find incoming -name '*.pk' -print0 | parallel -0 -j 2 -N 3 "$fleet/ingest" "$1"
}

# Kill loads, and a server, at random moments; then load everything.
for ((round = 0; round < ${ROUNDS:-5}; round++)); do
	for store in store.db "$clickhouse"; do
		setsid bash -c "$(declare -f load); fleet='$fleet'; load '$store'" >/dev/null 2>&1 &
		group=$!
		sleep "0.$((RANDOM % 9 + 1))"
		if [ "$store" != store.db ] && [ $((round % 2)) = 1 ]; then
			kill -KILL "${servers[1]}"
			wait "${servers[1]}" 2>/dev/null
			start 1
			sleep "0.$((RANDOM % 9))"
		fi
		kill -KILL -- -$group
		wait $group 2>/dev/null
	done
done
for store in store.db "$clickhouse"; do
	load "$store" >loaded || wrong "$store: load failed"
	load "$store" | grep -v '^0 of' && wrong "$store: loaded twice"
	found=$("$fleet/query" "$store" services | awk -F '\t' 'NR > 1 { n += $6; w += $7 } END { printf "%d %.0f", n, w }')
	[ "$found" = "$expected" ] || wrong "$store: samples and weight $found, not $expected"
	echo "$store: samples and weight $found"
	"$fleet/query" "$store" >folded && pk-plot flame folded >picture.svg && xmllint --noout picture.svg || wrong "$store: no picture"
	sort folded >"folded.$([ "$store" = store.db ] && echo 1 || echo 2)"
done
cmp folded.1 folded.2 || wrong 'the stores have different stacks'
for table in by_minute by_hour; do
	found=$(clickhouse-client --host 127.0.0.1 --port $port --query "SELECT concat(toString(sum(samples)), ' ', toString(sum(weight))) FROM $table")
	[ "$found" = "$expected" ] || wrong "ClickHouse: $table: $found, not $expected"
	found=$(sqlite3 store.db "SELECT sum(samples) || ' ' || sum(weight) FROM $table")
	[ "$found" = "$expected" ] || wrong "SQLite: $table: $found, not $expected"
done
echo "shards: $(clickhouse-client --host 127.0.0.1 --port $port --query 'SELECT count(), sum(samples) FROM samples_local' | tr '\t' ' ');" \
	"$(clickhouse-client --host 127.0.0.1 --port $((port + 4)) --query 'SELECT count(), sum(samples) FROM samples_local' | tr '\t' ' ') (rows, samples)"
pk-archive -q incoming/*.pk >objects.tar && mkdir cache && tar -xf objects.tar -C cache || wrong 'archive failed'
for store in store.db "$clickhouse"; do
	"$fleet/name" "$store" --buildid-dir cache || wrong "$store: name failed"
	"$fleet/query" "$store" top >"top.$([ "$store" = store.db ] && echo 1 || echo 2)" || wrong "$store: top failed"
done
build=$(sqlite3 store.db "SELECT build_id FROM objects WHERE path LIKE '%/gzip'")
"$fleet/query" store.db top --build "$build" --service check >build.1
"$fleet/query" "$clickhouse" top --build "$build" --service check >build.2
[ -s build.1 ] && cmp build.1 build.2 || wrong 'the stores have different stacks through gzip'
cmp top.1 top.2 || wrong 'the stores have different names'
[ $status = 0 ] && echo 'fleet-check: passed'
exit $status
