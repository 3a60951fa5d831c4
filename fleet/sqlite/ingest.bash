# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154,SC2034 # variables of fleet/ingest
# Sourced by fleet/ingest: load_all loads files into a store of SQLite. pk-export writes each of them into the store in one transaction.

open_store()
{
	[ -f "$store" ] || { echo "fleet/ingest: $store: no such store; fleet/schema makes it" >&2; exit 2; }
	store=$(realpath "$store")
}

# loaded_bytes HOST: within 24 hours
loaded_bytes()
{
	echo "SELECT coalesce(sum(bytes), 0) FROM recordings WHERE loaded > strftime('%s', 'now') - 86400 AND host = '${1//\'/\'\'}';" |
		sqlite3 -readonly -safe -bail "$store"
}

# load_one FILE [OPTION...]. Status 1: the store could not be written. Sets `reason` if the file cannot be read.
load_one()
{
	reason=''
	export_files 1 "$(($(stat -c %s -- "$store") / 1024))" sqlite --whole --every "${every}s" "${@:2}" -o "$store" -- "$1" && return
	! grep -qF "$store: " "$tmp/err" || return 1
	reason=$(grep -m 1 -F -- "$1" "$tmp/err" || tail -n 1 "$tmp/err")
	reason=${reason:-pk-export was killed: it took more than ${PK_FLEET_TIME:-300} s, or its tables were larger than 16 * $size MiB}
}

load_all()
{
	local file reason options
	for file; do
		options=()
		[ -z "$hosts" ] || options=(--column "host=$(host_of "$file")")
		if ! again load_one "$file" "${options[@]}"; then
			complain "$file" "not loaded: $(grep -m 1 -F "$store: " "$tmp/err")"
		elif [ -n "$reason" ]; then
			dead "$file" "$reason"
		elif ! grep -q 'has these samples already, nothing was added' "$tmp/err"; then
			loaded=$((loaded + 1))
		fi
	done
}
