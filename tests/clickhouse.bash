# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by fleet/check.sh and bench/lib/fleet.sh: servers of ClickHouse on the loopback, in folders of the current one.

# clickhouse_start FOLDER PORT [XML]: starts a server for clients on this port, with more of its configuration, and waits until it answers.
# It also uses the two ports after this one. Sets clickhouse_pid.
clickhouse_start()
{
	local here
	here=$(pwd)/$1
	mkdir -p "$1"/{data,tmp,log}
	cat >"$1/users.xml" <<X
<yandex><profiles><default><log_queries>1</log_queries></default></profiles><quotas><default/></quotas><users><default><password></password>
<networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>
X
	cat >"$1/config.xml" <<X
<yandex><logger><level>error</level><log>$here/log/log</log><errorlog>$here/log/err</errorlog></logger>
<http_port>$(($2 + 1))</http_port><tcp_port>$2</tcp_port><listen_host>127.0.0.1</listen_host><path>$here/data/</path>
<tmp_path>$here/tmp/</tmp_path><mark_cache_size>5368709</mark_cache_size><users_config>$here/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<compression><case><min_part_size>0</min_part_size><min_part_size_ratio>0</min_part_size_ratio><method>zstd</method></case></compression>
${3-}</yandex>
X
	clickhouse-server --config-file="$here/config.xml" >>"$1/out" 2>&1 &
	clickhouse_pid=$!
	for _ in {1..300}; do
		clickhouse-client --host 127.0.0.1 --port "$2" --query 'SELECT 1' >/dev/null 2>&1 && return
		sleep 0.1
	done
	echo "ClickHouse does not run: $(tail -n 1 "$1/out")" >&2
	return 1
}
