# SPDX-License-Identifier: BSD-2-Clause
# timeout: 300
# ClickHouse (Debian's clickhouse-server and clickhouse-client) takes RowBinary of pk-export rows: the sums are those of pk-report, and tables join by
# their keys. The server has its files here and listens on the loopback.
. "$PK_TOP/tests/live/export.bash"
for program in clickhouse-server clickhouse-client; do
	command -v $program >/dev/null || skip "$program is not installed"
done
port=$((20000 + $$ % 20000))
mkdir -p data tmp log
cat >config.xml <<X
<yandex><logger><level>error</level><log>$PWD/log/log</log><errorlog>$PWD/log/err</errorlog></logger>
<http_port>$((port + 1))</http_port><tcp_port>$port</tcp_port><listen_host>127.0.0.1</listen_host><path>$PWD/data/</path>
<tmp_path>$PWD/tmp/</tmp_path><mark_cache_size>5368709</mark_cache_size><users_config>$PWD/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database></yandex>
X
cat >users.xml <<X
<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>
X
TZ=UTC clickhouse-server --config-file="$PWD/config.xml" >server.out 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; wait $server' EXIT

ask()
{
	TZ=UTC clickhouse-client --host 127.0.0.1 --port $port --query "$@"
}

for _ in {1..100}; do
	ask 'SELECT 1' >/dev/null 2>&1 && break
	kill -0 $server 2>/dev/null || skip "clickhouse-server does not run: $(tail -n 1 server.out)"
	sleep 0.1
done
ask "CREATE TABLE $(pk-export rows --schema --by comm | sed 's/^samples/rows/') ENGINE = Memory" || complain "the server does not answer"
pk-export rows --schema --by comm --each --tables tables >schema
while read -r table; do ask "CREATE TABLE $table ENGINE = Memory" || complain "$table"; done <schema
for stream in $(streams); do
	for table in rows samples stacks frames objects; do
		ask "DROP TABLE IF EXISTS old" && ask "CREATE TABLE old AS $table" && ask "DROP TABLE $table" && ask "CREATE TABLE $table AS old ENGINE = Memory"
	done
	pk-export rows -q --format rowbinary --by comm -o out $stream || complain "$stream: status $?"
	ask 'INSERT INTO rows FORMAT RowBinary' <out || complain "$stream: rows"
	of_report period $stream | sed '/\t\t/d' >expected
	ask "SELECT event, name, sum(if(name = stack[length(stack)], weight, 0)), sum(weight) FROM
		(SELECT event, weight, stack, arrayJoin(arrayDistinct(stack)) AS name FROM rows) WHERE name NOT LIKE '[%]' AND weight > 0 GROUP BY event, name
		FORMAT TSVRaw" | LC_ALL=C sort >found
	[ ! -s expected ] || same "$stream, rows"
	mkdir -p tables
	pk-export rows -q --format rowbinary --by comm --each --tables tables $stream || complain "$stream: status $?"
	for table in samples stacks frames objects; do
		ask "INSERT INTO $table FORMAT RowBinary" <tables/$table.rowbinary || complain "$stream: $table"
	done
	awk -F '\t' -v OFS='\t' '$3 { print $1, $2, $3 }' expected | LC_ALL=C sort >own
	ask "SELECT event, assumeNotNull(function) AS name, sum(weight) FROM (SELECT event, weight, assumeNotNull(stack) AS stack FROM samples)
		ANY INNER JOIN (SELECT stack, function FROM stacks ANY INNER JOIN frames USING frame) USING stack
		WHERE isNotNull(function) GROUP BY event, name HAVING sum(weight) > 0 FORMAT TSVRaw" | LC_ALL=C sort >found
	mv own expected
	[ ! -s expected ] || same "$stream, tables"
done
[ $compared -ge 4 ] || complain "$compared tables were compared"
exit $status
