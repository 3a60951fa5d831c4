# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034 # variables of fleet/ingest
# Sourced by fleet/ingest: load_all loads files into the shards of clickhouse:HOST:PORT[,HOST:PORT...]. The key of a file, a hash of its
# content (and of its host with --host-folder), selects the shard. Files of one shard are loaded together: pk-export reads them all and
# calculates the key of each stack once, and there is one INSERT for each table.
#
# The table recordings has a row with state 1 for each file before the load, and one with state 2 after it. While a load runs, it holds a
# lock with its name. If a file has no row with state 2 and the lock of its load is free, that load has failed or was killed: its rows
# are deleted, and the sums of their hours are made again. The lock "claims" is held while loads claim files. Loads hold the lock "sums"
# together while they insert rows, and alone while they make sums again.

# ask QUERY [OPTION...]: of the shard
ask()
{
	TZ=UTC clickhouse-client --host "${shard%:*}" --port "${shard##*:}" "${@:2}" --query "$1"
}

# in_list WORD...: 'WORD','WORD'; the words are hexadecimal
in_list()
{
	local list
	printf -v list "'%s'," "$@"
	echo "${list%,}"
}

# mutate TABLE CONDITION: deletes rows, and waits until they are gone
mutate()
{
	ask "ALTER TABLE $1 DELETE WHERE $2" || return
	until [ "$(ask "SELECT count() FROM system.mutations WHERE table = '$1' AND NOT is_done")" = 0 ]; do sleep 0.1; done
}

# sum_again LOAD: makes the sums of all hours in which the load has rows, without these rows, and removes the summaries of these hours. If it is killed, it can be repeated, because
# the rows of the load are still there.
sum_again()
{
	local sums hours line table rest
	exec {sums}>"$locks/sums-$name"
	flock "$sums"
	hours=$(ask "SELECT DISTINCT intDiv(toUInt32(time), 3600) FROM samples_local WHERE load = '$1'") || return
	[ -n "$hours" ] || return 0
	hours="intDiv(toUInt32(time), 3600) IN (${hours//$'\n'/,})"
	ask "INSERT INTO summaries_local SELECT time, '', 0, last + 1 FROM hours_local WHERE $hours" || return
	while read -r line; do
		table=${line#* TO } rest=${line#* AS }
		table=${table%% *}
		mutate "$table" "$hours" || return
		ask "INSERT INTO $table ${rest/samples_local/(SELECT * FROM samples_local WHERE load != \'$1\' AND $hours)}" || return
	done < <(tr '\n\t' '  ' <"$folder/clickhouse/schema.sql" | tr ';' '\n' | grep -o 'CREATE MATERIALIZED VIEW.*')
	exec {sums}>&-
}

# remove_load LOAD: waits until the load has ended, and deletes its rows if it did not succeed
remove_load()
{
	local other table
	exec {other}>"$locks/$1"
	flock "$other"
	until [ "$(ask "SELECT count() FROM system.processes WHERE query_id LIKE 'pk-$1-%'")" = 0 ]; do sleep 0.1; done
	if [ "$(ask "SELECT max(state) FROM recordings_local WHERE load = '$1'")" != 2 ]; then
		sum_again "$1" || return
		for table in samples_local recordings_local; do
			mutate $table "load = '$1'" || return
		done
	fi
	rm -f "$locks/$1"
	exec {other}>&-
}

# done_keys KEY...: those that are loaded
done_keys()
{
	ask "SELECT DISTINCT key FROM recordings_local WHERE state = 2 AND key IN ($(in_list "$@"))"
}

# add_recordings STATE KEY...
add_recordings()
{
	local state=$1 key rows='' name
	shift
	name=${host//\\/\\\\}
	for key; do rows+="('$key', $state, '$load', '${name//\'/\\\'}', $(stat -c %s -- "${file_of[$key]}")),"; done
	ask "INSERT INTO recordings_local(key, state, load, host, bytes) VALUES ${rows%,}"
}

# claim KEY...: holds the lock of the load, and adds rows with state 1. Status 3: other loads have loaded some of the files meanwhile.
claim()
{
	local claims unfinished other
	exec {claims}>"$locks/claims-$name"
	flock "$claims"
	unfinished=$(ask "SELECT load FROM recordings_local WHERE load IN (SELECT load FROM recordings_local WHERE key IN ($(in_list "$@")))
		GROUP BY load HAVING max(state) < 2") || return
	for other in $unfinished; do remove_load "$other" || return; done
	[ -z "$(done_keys "$@")" ] || return 3
	exec {held}>"$locks/$load"
	flock "$held"
	add_recordings 1 "$@" || return
	exec {claims}>&-
}

# insert TABLE: rows that pk-export has written, in columns that have the order of its schema
insert()
{
	local columns
	columns=$(sed -n "s/^$1(\(.*\))$/\1/; t columns; d; :columns; s/\([a-z_]*\) [^,]*/\1/gp" <<<"$schema")
	ask "INSERT INTO $1_local($columns) FORMAT RowBinary" --query_id "pk-$load-$1" <"$tmp/tables/$1.rowbinary"
}

# load_exported KEY...: claims the files, and loads the tables
load_exported()
{
	local held sums name=${shard//[^A-Za-z0-9.]/_}
	claim "$@" || return
	exec {sums}>"$locks/sums-$name"
	flock --shared "$sums"
	insert stacks && insert frames && insert objects && insert samples || return
	add_recordings 2 "$@" || return
	rm -f "$locks/$load"
}

# load_once: those files of `batch` that are not loaded yet. Status 1: try again. Sets `split` if pk-export cannot read one of several.
load_once()
{
	local file known load schema labels fresh=() keys=() options=()
	known=$(done_keys "${batch[@]}") || return 1
	for file in "${batch[@]}"; do
		[[ $known != *$file* ]] || continue
		keys+=("$file")
		fresh+=("${file_of[$file]}")
	done
	[ ${#fresh[@]} -gt 0 ] || return 0
	load=$(od -A n -N 8 -t x1 /dev/urandom | tr -d ' \n')
	rm -rf "$tmp/tables"
	mkdir "$tmp/tables"
	labels=$(cat "$folder/clickhouse/labels")
	options=(--by "host,$labels")
	[ -z "$hosts" ] || options=(--by "$labels" --column "host=$host")
	options+=(--column "load=$load" --every "${every}s" --flat --format rowbinary --tables "$tmp/tables")
	schema=$(pk-export rows --schema "${options[@]}") || return 1
	[ "${PK_FLEET_DAYS-}" = all ] || options+=(--from $(($(date +%s) - ${PK_FLEET_DAYS:-30} * 86400)) --to $(($(date +%s) + 3600)))
	export_files ${#fresh[@]} 0 rows -q "${options[@]}" -- "${fresh[@]}" || {
		if [ ${#fresh[@]} = 1 ]; then dead "${fresh[0]}" "$(head -n 1 "$tmp/err")"; else split=1; fi
		return 0
	}
	(load_exported "${keys[@]}") || return 1
	loaded=$((loaded + ${#fresh[@]}))
}

# load_batch KEY...: one by one if not all are good
load_batch()
{
	local batch=("$@") split='' key
	again load_once || {
		for key; do complain "${file_of[$key]}" 'not loaded'; done
	}
	[ -z "$split" ] || for key; do load_batch "$key"; done
}

# Sets file_of[KEY] and group_of[KEY] for files: their shard, and their host with --host-folder.
make_keys()
{
	local file key sum host=''
	while read -r sum; do
		file=$1
		shift
		[ -z "$hosts" ] || host=$(host_of "$file")
		key=$([ -z "$hosts" ] || printf %s "$host" | sha256sum | cut -c 1-16)${sum:0:32}
		file_of[$key]=$file
		group_of[$key]=$((0x${sum:0:8} % ${#addresses[@]}))/$host
	done < <(sha256sum -- "$@" | sed 's/^\\//')
}

open_store()
{
	IFS=, read -ra addresses <<<"${store#clickhouse:}"
}

# loaded_bytes HOST: within 24 hours
loaded_bytes()
{
	local shard=${addresses[0]} name=${1//\\/\\\\}
	ask "SELECT sum(bytes) FROM recordings WHERE state = 2 AND loaded > now() - 86400 AND host = '${name//\'/\\\'}'"
}

load_all()
{
	local shard group key host bytes keys locks=${PK_FLEET_LOCKS:-$HOME/.cache/pk-fleet}
	local -A file_of=() group_of=() groups=()
	mkdir -p "$locks"
	make_keys "$@"
	for key in "${!group_of[@]}"; do groups[${group_of[$key]}]=1; done
	for group in "${!groups[@]}"; do
		shard=${addresses[${group%%/*}]} host=${group#*/} keys=() bytes=0
		for key in "${!group_of[@]}"; do
			[ "${group_of[$key]}" = "$group" ] || continue
			bytes=$((bytes + $(stat -c %s -- "${file_of[$key]}")))
			if [ ${#keys[@]} = 500 ] || { [ ${#keys[@]} -gt 0 ] && [ $bytes -gt $((size * 1048576)) ]; }; then
				load_batch "${keys[@]}"
				keys=() bytes=0
			fi
			keys+=("$key")
		done
		load_batch "${keys[@]}"
	done
}
