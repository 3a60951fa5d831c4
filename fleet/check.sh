#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# fleet/check.sh: what `make fleet-check` runs. Records here, loads into SQLite and into two shards of ClickHouse with Distributed tables
# on the loopback, under GNU parallel, kills loads and a server at random moments, loads again, and compares all sums with pk-export. Then
# the same with a job array of Slurm, and with two replicas and ZooKeeper. Everything is in a temporary folder. SECONDS_TO_RECORD=20, ROUNDS=5.
set -u -o pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
PATH=$(cd "$top/${B:-build}/bin" && pwd):$PATH
export LC_ALL=C TZ=UTC
for program in clickhouse-server clickhouse-client sqlite3 parallel rsync xmllint=libxml2-utils munged=munge slurmctld slurmd sbatch=slurm-client; do
	command -v "${program%=*}" >/dev/null || packages="${packages-} ${program#*=}"
done
[ -e /usr/share/java/zookeeper.jar ] || packages="${packages-} zookeeper"
# shellcheck disable=SC2086 # a list
[ -z "${packages-}" ] || apt-get install -y --no-install-recommends $packages >/dev/null || exit 77
. "$top/tests/clickhouse.bash"
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

cluster="<remote_servers><pk><shard><replica><host>127.0.0.1</host><port>$port</port></replica></shard>
<shard><replica><host>127.0.0.1</host><port>$((port + 4))</port></replica></shard></pk></remote_servers>"

# start N: the server of shard N
start()
{
	clickhouse_start "s$1" $((port + $1 * 4)) "$cluster" || exit 1
	servers[$1]=$clickhouse_pid
}

# ask PORT QUERY
ask()
{
	clickhouse-client --host 127.0.0.1 --port "$1" --query "$2"
}

start 0
start 1
clickhouse=clickhouse:127.0.0.1:$port,127.0.0.1:$((port + 4))
"$fleet/schema" store.db && "$fleet/schema" "$clickhouse" pk || exit 1

# until_true COMMAND...: within half a minute
until_true()
{
	for _ in {1..300}; do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	wrong "not within 30 s: $*"
	return 1
}

# Capture, add names, and copy: each file arrives once.
mkdir spool incoming
for version in 1 2; do
	pk-record -q -a -g -F 199 -e cpu-clock -k monotonic --all-cgroups --label service=check --label version=$version \
		--for "$((${SECONDS_TO_RECORD:-20} / 2))s" -o "spool/h$version-%Y%m%dT%H%M%S.pk" --split 1s -- \
		sh -c 'while :; do gzip -c /bin/bash >/dev/null; done' || wrong 'pk-record failed'
done
"$fleet/inject" spool named && "$fleet/inject" spool named || wrong 'inject failed'
"$fleet/ship" named incoming && "$fleet/ship" named incoming || wrong 'ship failed'
[ "$(ls spool)" = "$(ls incoming)" ] || wrong 'not all files were copied'
expected=$(for file in incoming/*.pk; do pk-export rows -q --by none "$file"; done |
	awk -F '\t' '$1 != "event" && $NF != "\\N" { n += $3; w += $4 } END { printf "%d %.0f", n, w }')

# load STORE: all files, two at a time
load()
{
	find incoming -name '*.pk' -print0 | parallel -0 -j 2 -N 3 "$fleet/ingest" "$1"
}

# Kill loads, summaries and a server at random moments; then load everything.
for ((round = 0; round < ${ROUNDS:-5}; round++)); do
	for store in store.db "$clickhouse"; do
		summarize=:
		[ "$store" = store.db ] || summarize="while :; do '$fleet/summarize' '$store'; done"
		setsid bash -c "$(declare -f load); fleet='$fleet'; $summarize & load '$store'" >/dev/null 2>&1 &
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
diff folded.1 folded.2 | head -n 4 | cut -c 1-400 >&2 || wrong 'the stores have different stacks'
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
diff top.1 top.2 >&2 || wrong 'the stores have different names'
for query in services hosts waits 'services --from 2020-01-01 --comm gzip' 'function --function do_syscall_64' 'changes --base 1 --version 2'; do
	# shellcheck disable=SC2086 # words
	"$fleet/query" store.db $query | tail -n +2 | sed 's/\([0-9]\)\.0\(\t\|$\)/\1\2/g' >query.1
	# shellcheck disable=SC2086 # words
	"$fleet/query" "$clickhouse" $query | tail -n +2 >query.2
	[ -s query.1 ] || [ "$query" = waits ] || wrong "$query: no answer"
	diff query.1 query.2 >&2 || wrong "the stores answer differently: $query"
done

# Summaries of all hours, of some, and none give the same answers as the samples. Only the last summary of an hour has rows.
queries=(top folded 'function --function do_syscall_64' 'top --service check --version 2')
# same_answers WHICH
same_answers()
{
	local query
	for query in "${queries[@]}"; do
		# shellcheck disable=SC2086 # words
		cmp <("$fleet/query" "$clickhouse" $query) <("$fleet/query" "$clickhouse" $query --where 1) || wrong "$1: another answer: $query"
	done
}
[ "$(ask $port 'SELECT count() FROM hours WHERE fresh')" = 0 ] || wrong 'summaries without the new names are fresh'
same_answers 'no summaries'
"$fleet/summarize" "clickhouse:127.0.0.1:$port" && same_answers 'summaries of one shard' || wrong 'summarize failed'
"$fleet/summarize" "$clickhouse" && same_answers summaries || wrong 'summarize failed'
[ "$(ask $port 'SELECT countIf(NOT fresh) FROM hours')" = 0 ] || wrong 'not all summaries are fresh'
cmp <("$fleet/query" "$clickhouse" top) top.1 || wrong 'summaries: another answer than SQLite'
cmp <("$fleet/query" "$clickhouse" | sort) <("$fleet/query" store.db | sort) || wrong 'summaries: other stacks than SQLite'
"$fleet/summarize" "$clickhouse"
found=$(ask $port "SELECT countIf(summary NOT IN (SELECT summary FROM hours_local)) FROM by_path_local")
[ "$found" = 0 ] || wrong "$found rows of old summaries"
ask $port "ALTER TABLE by_function_local DELETE WHERE function != ''"
until_true sh -c "[ \"\$(clickhouse-client --port $port --query 'SELECT count() FROM system.mutations WHERE NOT is_done')\" = 0 ]"
cmp -s <("$fleet/query" "$clickhouse" top) top.1 && wrong 'top does not read summaries'

# Queries that select no rows have no answer.
for query in folded top 'function --function main'; do
	# shellcheck disable=SC2086 # words
	found=$("$fleet/query" "$clickhouse" $query --service none | tail -n +2) && [ -z "$found" ] || wrong "no rows: $query: $found"
done

# A recording whose names were replaced on the host: the same sums, and no name of a program.
head -c 32 /dev/urandom >key
pk-symbolize -q incoming/*.pk | pk-filter --anonymize --key-file key >anonymous.pk && "$fleet/schema" anonymous.db &&
	"$fleet/ingest" --frames function anonymous.db anonymous.pk >/dev/null || wrong 'anonymous: load failed'
found=$("$fleet/query" anonymous.db services | awk -F '\t' 'NR > 1 { n += $6; w += $7 } END { printf "%d %.0f", n, w }')
[ "$found" = "$expected" ] || wrong "anonymous: $found, not $expected"
for name in gzip "$(uname -n)-" libc.so; do
	[ "$(sqlite3 anonymous.db .dump | grep -c "$name")" = 0 ] || wrong "anonymous: the store has the name $name"
done

# ---- Slurm: a job array, cancelled at a random moment, and submitted again ----

host=$(uname -n | cut -d . -f 1)
mkdir -m 700 munge slurm slurm/state slurm/spool
chmod 755 "$tmp" munge
head -c 128 /dev/urandom >munge/key && chmod 400 munge/key
munged --foreground --force --key-file="$tmp/munge/key" --socket="$tmp/munge/socket" --pid-file="$tmp/munge/pid" --log-file="$tmp/munge/log" \
	--seed-file="$tmp/munge/seed" >munge/out 2>&1 &
servers+=($!)
cat >slurm/slurm.conf <<X
ClusterName=pk
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$tmp/munge/socket
SlurmctldPort=$((port + 20))
SlurmdPort=$((port + 21))
StateSaveLocation=$tmp/slurm/state
SlurmdSpoolDir=$tmp/slurm/spool
SlurmctldPidFile=$tmp/slurm/slurmctld.pid
SlurmdPidFile=$tmp/slurm/slurmd.pid
SlurmctldLogFile=$tmp/slurm/slurmctld.log
SlurmdLogFile=$tmp/slurm/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=main Nodes=ALL Default=YES State=UP
X
export SLURM_CONF=$tmp/slurm/slurm.conf
until_true test -S munge/socket
slurmctld -D -c -f "$SLURM_CONF" >slurm/out 2>&1 &
servers+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >slurm/out 2>&1 &
servers+=($!)
until_true sh -c 'sinfo -h -t idle | grep -q .'

# array: the job of docs/fleet.md
array()
{
	find incoming -name '*.pk' -print0 >list
	split -n r/4 -d -t '\0' list list.
	sbatch --parsable --array=0-3 "$@" -o 'slurm/%a.out' --wrap "xargs -0 -r -n 500 -a list.0\$SLURM_ARRAY_TASK_ID '$fleet/ingest' slurm.db"
}
"$fleet/schema" slurm.db
job=$(array) || wrong 'sbatch failed'
sleep "0.$((RANDOM % 9 + 1))"
scancel --signal=KILL --full "$job"
scancel "$job"
until_true sh -c "! squeue -h -j $job | grep -q ."
array --wait >/dev/null || wrong "Slurm: a load failed: $(tail -qn 1 slurm/?.out)"
found=$("$fleet/query" slurm.db services | awk -F '\t' 'NR > 1 { n += $6; w += $7 } END { printf "%d %.0f", n, w }')
[ "$found" = "$expected" ] || wrong "Slurm: $found, not $expected"
echo "Slurm, $(grep -ho '^[0-9]* of [0-9]*' slurm/?.out | tr '\n' ',') samples and weight $found"

# ---- Two replicas, with ZooKeeper ----

keeper=$((port + 30))
mkdir keeper
printf 'tickTime=500\ndataDir=%s\nclientPort=%s\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n' "$tmp/keeper" $keeper >keeper/zoo.cfg
java -cp /usr/share/java/zookeeper.jar -Dzookeeper.log.dir="$tmp/keeper" org.apache.zookeeper.server.quorum.QuorumPeerMain keeper/zoo.cfg >keeper/out 2>&1 &
servers+=($!)
until_true bash -c "echo >/dev/tcp/127.0.0.1/$keeper"

# start_replica N
start_replica()
{
	clickhouse_start "r$1" $((port + 40 + $1 * 4)) "<zookeeper><node><host>127.0.0.1</host><port>$keeper</port></node>
		<session_timeout_ms>3000</session_timeout_ms></zookeeper>
		<macros><shard>0</shard><replica>r$1</replica></macros><interserver_http_host>127.0.0.1</interserver_http_host>
		<interserver_http_port>$((port + 42 + $1 * 4))</interserver_http_port>
		<remote_servers><replicas><shard><internal_replication>true</internal_replication>
		<replica><host>127.0.0.1</host><port>$((port + 40))</port></replica>
		<replica><host>127.0.0.1</host><port>$((port + 44))</port></replica></shard></replicas></remote_servers>" || exit 1
	replicas[$1]=$clickhouse_pid
	servers+=("$clickhouse_pid")
}

# kill_replica N
kill_replica()
{
	kill -KILL "${replicas[$1]}"
	wait "${replicas[$1]}" 2>/dev/null
}
replicas=()
start_replica 0
start_replica 1
first=clickhouse:127.0.0.1:$((port + 40))
"$fleet/schema" "$first,127.0.0.1:$((port + 44))" replicas --replicated || exit 1
# The replica that is loaded dies during the load: fleet/ingest reports that, and the next load completes it.
load "$first" >loaded 2>errors &
load=$!
sleep "0.$((RANDOM % 9 + 1))"
kill_replica 0
if wait $load; then
	echo 'replicas: the load ended before the server was killed'
else
	[ -s errors ] || wrong 'replicas: a load failed without a message'
	echo "replicas: $(grep -m 1 -v '^$' errors)"
fi
start_replica 0
# The other replica dies: the load continues.
kill_replica 1
load "$first" >loaded || wrong 'replicas: load failed'
found=$(ask $((port + 40)) "SELECT concat(toString(sum(samples)), ' ', toString(sum(weight))) FROM samples_local")
[ "$found" = "$expected" ] || wrong "replicas: $found, not $expected"
start_replica 1
for table in samples by_minute by_hour by_load stacks frames objects recordings; do
	until_true ask $((port + 44)) "SYSTEM SYNC REPLICA ${table}_local"
done
for table in samples by_minute by_hour; do
	found=$(ask $((port + 44)) "SELECT concat(toString(sum(samples)), ' ', toString(sum(weight))) FROM ${table}_local")
	[ "$found" = "$expected" ] || wrong "replicas: $table of the second one: $found, not $expected"
done
"$fleet/query" "clickhouse:127.0.0.1:$((port + 44))" | sort >folded.3
cmp <("$fleet/query" "$first" | sort) folded.3 || wrong 'the replicas have different stacks'
load "clickhouse:127.0.0.1:$((port + 44))" | grep -v '^0 of' && wrong 'replicas: loaded twice'
echo "replicas: samples and weight $found"
[ $status = 0 ] && echo 'fleet-check: passed'
exit $status
