# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2154 # tmp and store are those of fleet/ingest
# Sourced by fleet/ingest: load copies $tmp/new to the shard of clickhouse:HOST:PORT[,HOST:PORT...] that the key of the recording selects.
# The table files has a row with state 1 before the load and one with state 2 after it. A load without the second row has failed
# or was killed: its rows are deleted before the next load of the recording.

# ask QUERY [OPTION...]: of the shard
ask()
{
	text=$1
	shift
	TZ=UTC clickhouse-client --host "${shard%:*}" --port "${shard##*:}" "$@" --query "$text"
}

# insert TABLE SQL [OPTION...]: rows of the exported recording, in ClickHouse's TabSeparated. Names have no control characters.
insert()
{
	table=$1
	sqlite3 -bail -readonly -separator "$(printf '\t')" "$tmp/new" "$2" >"$tmp/rows" || return
	shift 2
	sed 's/\\/\\\\/g' "$tmp/rows" | ask "INSERT INTO $table FORMAT TabSeparated" "$@"
}

# remove_loads: the rows of loads of this recording that did not end
remove_loads()
{
	loads=$(ask "SELECT DISTINCT load FROM files_local WHERE key = '$key'" | paste -s -d ,) || return
	[ -n "$loads" ] || return 0
	until [ "$(ask "SELECT count() FROM system.processes WHERE query_id LIKE 'pk-$key-%'")" = 0 ]; do sleep 0.1; done
	for table in samples by_minute by_hour; do
		ask "ALTER TABLE ${table}_local DELETE WHERE load IN ($loads)" || return
		until [ "$(ask "SELECT count() FROM system.mutations WHERE table = '${table}_local' AND NOT is_done")" = 0 ]; do sleep 0.1; done
	done
}

load_once()
{
	[ "$(ask "SELECT max(state) FROM files_local WHERE key = '$key'")" != 2 ] || { echo "0 of 1 recordings loaded, 0 samples"; return 0; }
	remove_loads || return
	load=$(date +%s%N)
	samples=$(sqlite3 "$tmp/new" 'SELECT count(*) FROM samples WHERE stack IS NOT NULL')
	ask "INSERT INTO files_local(key, state, load, samples) VALUES ('$key', 1, $load, $samples)" || return
	insert stacks_local "WITH RECURSIVE used(stack) AS (SELECT DISTINCT stack FROM samples WHERE stack IS NOT NULL),
		path(stack, next, frames) AS (SELECT stack, parent, '''' || lower(hex(frames.key)) || '''' FROM used JOIN stacks ON stacks.id = stack
			JOIN frames ON frames.id = frame UNION ALL SELECT stack, parent, '''' || lower(hex(frames.key)) || ''',' || path.frames
			FROM path JOIN stacks ON stacks.id = next JOIN frames ON frames.id = frame)
		SELECT lower(hex(key)), '[' || frames || ']' FROM path JOIN stacks ON stacks.id = stack WHERE next IS NULL" || return
	insert frames_local "SELECT lower(hex(frames.key)), coalesce(build_id, ''), coalesce(path, ''), coalesce(kind, 0), coalesce(function, ''),
		printf('%u', coalesce(address, 0)) FROM frames LEFT JOIN objects ON objects.id = object" || return
	insert samples_local "SELECT (s.time + coalesce(wall_offset, 0)) / 1000000000 AS time, coalesce(service, ''), coalesce(version, ''), coalesce(region, ''),
		coalesce(host, ''), coalesce(comm, ''), coalesce(container, ''), coalesce(pod, ''), e.name, unit, lower(hex(k.key)), count(*), sum(weight), $load
		FROM samples s JOIN recordings r ON r.id = s.recording JOIN labels l ON l.id = s.labels JOIN events e ON e.id = s.event
		JOIN stacks k ON k.id = s.stack GROUP BY 1, s.labels, s.event, s.stack" \
		--query_id "pk-$key-$load" || return
	ask "INSERT INTO files_local(key, state, load, samples) VALUES ('$key', 2, $load, $samples)" || return
	echo "1 of 1 recordings loaded, $samples samples"
}

load()
{
	key=$(sqlite3 "$tmp/new" 'SELECT lower(hex(key)) FROM recordings')
	addresses=${store#clickhouse:}
	count=$(echo "$addresses" | tr , '\n' | wc -l)
	shard=$(echo "$addresses" | cut -d , -f $((0x$(printf %.4s "$key") % count + 1)))
	locks=${PK_FLEET_LOCKS:-$HOME/.cache/pk-fleet}
	mkdir -p "$locks"
	try=1
	until (flock 9 && load_once) 9>"$locks/$key"; do
		[ $try -lt "${PK_FLEET_TRIES:-5}" ] || return 1
		try=$((try + 1))
		sleep 1
	done
	rm -f "$locks/$key"
}
