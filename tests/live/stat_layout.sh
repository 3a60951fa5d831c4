# SPDX-License-Identifier: BSD-2-Clause
# long
# What scripts see of perf stat's output they see of pk-stat's: fields, units, names, keys, columns of the text.
set -u
status=0
perf stat -x, -e page-faults -o perf.out -- true 2>/dev/null && grep -q '^[0-9].*page-faults' perf.out || {
	echo "no perf that can count here" >&2
	exit 77
}
case $(perf --version) in
"perf version 6."[01]*) ;;
*)
	echo "perf is not that of Linux 6.1, after whose layouts these are" >&2
	exit 77
	;;
esac
pk-stat -o /dev/null -e task-clock -- true || exit 1

# csv SEP: each line without its numbers, and without the metric at its end
csv()
{
	awk -F"$1" -v OFS="$1" 'NF > 1 {
		for (i = 1; i <= NF - 2; i++)
			if ($i ~ /^ *(CPU|S|N)?[0-9.]+%?$|^<not counted>$/)
				gsub(/ *[0-9.]+|<not counted>/, "N", $i)
		$(NF - 1) = $NF = ""
		print
	}' | sort -u
}

# json: keys, units and names
json()
{
	sed -E 's/"aggregate-number"/"counters"/; s/ : "?(<not counted>|[0-9.]+)"?/ : N/g; s/"metric-value" : N, "metric-unit" : "[^"]*"/METRIC/' | sort -u
}

# text: where names stand in the line, and what the line begins with
text()
{
	awk '/^#/ { print; next }
	/seconds/ { sub(/.*seconds/, ""); sub(/\(.*/, ""); print; next }
	/Performance/ { print; next }
	match($0, /(task-clock|cpu-clock|page-faults|context-switches|duration_time|dummy|cycles|instructions|branch-misses)(:u)?/) {
		name = substr($0, RSTART, RLENGTH)
		at = RSTART
		rest = substr($0, RSTART + RLENGTH)
		mark = index($0, " # ")
		head = substr($0, 1, at - 1)
		gsub(/<not counted>|<not supported>/, "", head)
		gsub(/[0-9.,]+/, "", head)
		gsub(/ +/, " ", head)
		print at, name, head
	}' | sort -u
}

compare()
{
	local kind=$1
	shift
	perf stat -o perf.out "$@" >/dev/null 2>&1
	pk-stat -o pk.out "$@" >/dev/null 2>err
	sed -i '/^# started on/,+1d' perf.out
	case $kind in
	csv)
		csv , <perf.out >perf.shape
		csv , <pk.out >pk.shape
		;;
	json)
		json <perf.out >perf.shape
		json <pk.out >pk.shape
		;;
	text)
		sed '1{/^$/d}' perf.out | text >perf.shape
		sed '1{/^$/d}' pk.out | text >pk.shape
		;;
	esac
	[ -s pk.shape ] && cmp -s perf.shape pk.shape && return
	echo "pk-stat $* is of another shape than perf stat:"
	diff perf.shape pk.shape
	head -n 5 err
	status=1
}

soft=task-clock,page-faults,context-switches,dummy
some=$soft
perf stat -x, -e cycles -- true 2>&1 | grep -q '^[0-9]' && some=$soft,cycles,instructions,branch-misses
wide=0
grouped=0
perf stat -a -x, -e page-faults -G / -- true 2>&1 | grep -q '^[0-9]' && grouped=1
perf stat -a -x, -e cpu-clock -- true 2>&1 | grep -q '^[0-9]' && wide=1
while read -r mode line; do
	case $line in *-a* | *-C*) [ $wide = 1 ] || continue ;; esac
	case $line in *cgroup*) [ $grouped = 1 ] || continue ;; esac
	for kind in csv json text; do
		case $mode in
		all) ;;
		*) [ "$mode" = "$kind" ] || continue ;;
		esac
		flag=()
		[ $kind = csv ] && flag=("-x,")
		[ $kind = json ] && flag=(-j)
		# shellcheck disable=SC2086 # options apart
		compare $kind "${flag[@]}" $line
	done
done <<END
all -e $some -- true
all -r 2 -e $soft -- true
all -I 20 -e $soft -- sleep 0.05
all -a -e $some -- sleep 0.01
all -a -A -e $some -- sleep 0.01
all -a --per-core -e $some -- sleep 0.01
all -a --per-die -e $soft -- sleep 0.01
all -a --per-socket -e $some -- sleep 0.01
all -a --per-node -e $soft -- sleep 0.01
all -a -I 20 -A -e $soft -- sleep 0.03
all -a -I 20 --per-core -e $soft -- sleep 0.03
all -a -I 20 --per-socket -e $soft -- sleep 0.03
all -C 0 -e $soft -- sleep 0.01
all -C 0 -A -e $soft -- sleep 0.01
all -p $$ -e $soft -- sleep 0.01
all --per-thread -p $$ -e $soft -- sleep 0.01
all -i -e $soft -- true
all -D 5 -e $soft -- sleep 0.03
all -e duration_time,page-faults -- true
all --all-user -e $some -- true
all -a -e $some --cgroup / -- sleep 0.01
all -a -A -e $soft --cgroup / -- sleep 0.01
all -a -e $soft --for-each-cgroup / -- sleep 0.01
csv -I 20 --summary -e $soft -- sleep 0.05
csv -I 20 --summary --no-csv-summary -e $soft -- sleep 0.05
json -I 20 --summary -e $soft -- sleep 0.05
csv -a -I 10 --interval-count 2 -e $soft -- sleep 0.3
text -n -- true
csv --no-big-num -e $soft -- true
csv -e {page-faults,context-switches} -- true
csv -a --per-socket -r 2 -e $soft -- true
END
exit $status
