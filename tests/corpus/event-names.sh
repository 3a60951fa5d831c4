# SPDX-License-Identifier: BSD-2-Clause
# long
# The events of each recording, and how many samples each has, as an independent reader found them; where that
# found no name, because the stream has none, the one that perf makes up.
. "$PK_TOP/tests/corpus/corpus.bash"

# alike WHAT: the files expected and folded are, byte by byte.
alike()
{
	cmp -s expected folded && return
	complain "== $1"
	diff expected folded | cut -c1-250 | head -n 20
}

# name FILE SAMPLES
made_up()
{
	case $1:$2 in
	perfparser-contentsize.data:69) echo cache-references ;;
	perfparser-probe.data.stream:1) echo probe_untitled1:main ;; # in the tracing data
	quipper-*ctx_switch_namespaces-4.14:7) echo cycles ;;
	quipper-*hw_and_sw-3.4:193) echo cycles ;;
	quipper-*hw_and_sw-3.4:4082) echo cpu-clock ;;
	quipper-*lost_samples-4.4:14) echo branches:ppH ;;
	quipper-*lost_samples-4.4:79) echo instructions:ppH ;;
	quipper-*lost_samples-4.4:98) echo cycles:ppH ;;
	quipper-*target-3.4:1414 | quipper-*throttled-3.4:228) echo cycles ;;
	esac
}

# Members of groups have samples in those of the leader, which the independent reader does not count. Takes
# their lines away if text counts them alike.
without_members()
{
	case $file in *group*.data | *kitchen.data) ;; *) return ;; esac
	pk-script -q -F event "$path" 2>/dev/null | sed 's/^ *//; s/: *$//' | sort | uniq -c | awk '{ print $1, $2 }' | sort >text
	comm -13 expected text | comm -13 - folded >kept
	mv kept folded
}

# Lines "SAMPLES NAME"
expected()
{
	sed -E 's/.*"events": \[(.*)\]\}$/\1/; s/\}, \{/}\n{/g' <<<"$line" |
		sed -nE 's/.*"name": "(.*)", "type".* "samples": ([1-9][0-9]*), .*/\2 \1/p' |
		while read -r samples name; do
			echo "$samples ${name:-$(made_up "$file" "$samples")}"
		done | sort
}

compared=0
for counts in "$PK_CORPUS"/own/*/counts.jsonl "$PK_CORPUS"/others/counts.jsonl; do
	while read -r line; do
		file=$(sed 's/.*"file": "\([^"]*\)".*/\1/' <<<"$line")
		path=${counts%/*}/data/$file
		[ -e "$path" ] || path=${counts%/*}/$file
		expected >expected
		pk-script -q --stats --json "$path" 2>/dev/null | sed -E 's/.*"events":\[([^]]*)\].*/\1/; s/\},\{/}\n{/g' |
			sed -nE 's/.*"name":"(.*)","samples":([1-9][0-9]*),.*/\2 \1/p' | sort >folded
		without_members
		[ ! -s expected ] && [ ! -s folded ] || alike "$file"
		compared=$((compared + 1))
	done <"$counts"
done
pk-script "$PK_CORPUS/others/perfparser-probe.data.stream" | grep -q ' probe_untitled1:main: ' ||
	complain "a tracepoint is not named by its tracing data"
[ $compared -ge 100 ] || complain "only $compared recordings"
exit $status
