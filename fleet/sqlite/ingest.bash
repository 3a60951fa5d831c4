# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034 # variables of fleet/ingest
# Sourced by fleet/ingest: load_all loads files into a store of SQLite, each in one transaction.

# A text for SQL. No other character than ' has a meaning between quotes.
quote()
{
	printf "'%s'" "${1//\'/\'\'}"
}

# Copies $tmp/new into the store, and prints 1 if the store did not have it.
load_one()
{
	{
		printf ".timeout 60000\nPRAGMA temp_store = MEMORY;\nATTACH '%s' AS new;\nCREATE TEMP TABLE step AS SELECT %d AS seconds, %s AS host, %d AS bytes;\n" \
			"$tmp/new" "$every" "$(quote "$host")" "$bytes"
		cat "$folder/sqlite/load.sql"
	} | sqlite3 -bail "$store" >"$tmp/count"
}

open_store()
{
	[ -f "$store" ] || { echo "fleet/ingest: $store: no such store; fleet/schema makes it" >&2; exit 2; }
	store=$(realpath "$store")
}

# loaded_bytes HOST: within 24 hours
loaded_bytes()
{
	echo "SELECT coalesce(sum(bytes), 0) FROM files WHERE loaded > strftime('%s', 'now') - 86400 AND host = $(quote "$1");" |
		sqlite3 -readonly -safe -bail "$store"
}

load_all()
{
	local file host='' bytes
	for file; do
		bytes=$(stat -c %s -- "$file")
		[ -z "$hosts" ] || host=$(host_of "$file")
		rm -f "$tmp"/new*
		export_files 1 sqlite --by "host,$labels" -o "$tmp/new" -- "$file" || { dead "$file" "$(head -n 1 "$tmp/err")"; continue; }
		[ -z "$hosts" ] || echo "UPDATE labels SET host = $(quote "$host");" | sqlite3 -bail "$tmp/new"
		if again load_one; then
			loaded=$((loaded + $(cat "$tmp/count")))
		else
			complain "$file" 'not loaded'
		fi
	done
}
