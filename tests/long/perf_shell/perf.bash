#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# perf.bash COMMAND ARGUMENT...: runs the programs of pk that do what "perf COMMAND ARGUMENT..." does, for tests/long/perf_shell.sh.
# As perf does, it reads and writes the file perf.data in the current folder, or the pipe at stdin or stdout.
# Definitions of "perf probe" are kept in $PERF_SHELL/probes, and pk-record gets those that its -e names.

lack()
{
	echo "$1 is not a perf-command. pk has no counterpart: $2" >&2
	exit 129
}

# Is OPTION (a letter or a long name) among the arguments before "--"?
has()
{
	local short=$1 long=$2 word
	shift 2
	for word; do
		case $word in
		--) return 1 ;;
		--"$long" | --"$long"=*) return 0 ;;
		--*) ;;
		-"$short"*) return 0 ;;
		esac
	done
	return 1
}

# Sets input to the words that name the recording, if the arguments do not.
find_input()
{
	input=()
	has i input "$@" && return
	if [ -p /dev/stdin ]; then
		input=(-i -)
	else
		input=(-i perf.data)
	fi
}

# Sets output to the words that name the recording, if the arguments do not.
find_output()
{
	output=()
	has o output "$@" && return
	[ -p /dev/stdout ] || output=(-o perf.data)
}

# Sets probed to the arguments, with options of pk-record for the probes in place of the events of "perf probe". The term
# max-stack of an event becomes options for the whole recording.
add_probes()
{
	local name terms event object place
	probed=()
	while [ $# -gt 0 ]; do
		if [ "$1" = -e ] && grep -qs . "$PERF_SHELL/probes"; then
			name=${2%%/*} terms=${2#"$name"}
			while IFS=$'\t' read -r event object place; do
				# shellcheck disable=SC2053
				[[ $event == $name ]] || continue
				probed+=(${object:+--object="$object"} --probe="$place")
				[[ ! $terms =~ max-stack=([0-9]+) ]] || probed+=(-g --max-stack="${BASH_REMATCH[1]}")
				shift 2
				continue 2
			done <"$PERF_SHELL/probes"
		fi
		probed+=("$1")
		shift
	done
}

# Splits the arguments of PROGRAM into options and operands. The first operand of pk-record and pk-stat ends the options.
split()
{
	local program=$1 letter name value word
	local -A valued=()
	while IFS=$'\t' read -r letter name value _; do
		[ "$value" != required ] || valued[$letter]=1 valued[$name]=1
	done < <("$program" --list-options | sed 's/^\t/-\t/')
	shift
	options=() operands=()
	while [ $# -gt 0 ]; do
		word=$1
		case $word in
		--) operands+=("$@") && return ;;
		--*) options+=("$word") && word=${word%%=*} ;;
		-?*)
			options+=("$word")
			# The letters before the last one have no values. If one has a value, this value is the rest of the word.
			while [ ${#word} -gt 2 ] && [ -z "${valued[${word:0:2}]-}" ]; do
				word=-${word:2}
			done
			;;
		*)
			case $program in
			pk-record | pk-stat) operands+=("$@") && return ;;
			esac
			operands+=("$word")
			shift
			continue
			;;
		esac
		if [ -n "${valued[$word]-}" ] && { [ "$word" = "$1" ] || [ "$word" = "-${1: -1}" ]; } && [ $# -gt 1 ]; then
			options+=("$2")
			shift
		fi
		shift
	done
}

# Replaces the option $1 in words by the other arguments. Without other arguments, moves its value to `value`.
replace_option()
{
	local i old=$1
	shift
	for i in "${!words[@]}"; do
		case ${words[i]} in
		"$old" | "$old"*) ;;
		*) continue ;;
		esac
		if [ $# -gt 0 ]; then
			words=("${words[@]:0:i}" "${@:1:$#-1}" "${!#}${words[i]#"$old"}" "${words[@]:i+1}")
			return
		fi
		value=${words[i]#"$old"}
		value=${value#=}
		if [ -n "$value" ]; then
			words=("${words[@]:0:i}" "${words[@]:i+1}")
		else
			value=${words[i + 1]}
			words=("${words[@]:0:i}" "${words[@]:i+2}")
		fi
		return
	done
	return 1
}

# run PROGRAM ARGUMENT...: as a user does, it follows the messages "there is no OPTION: use OPTION", "use PROGRAM OPTION" and "use
# pk-filter OPTION" until the program has no objection to the options.
run()
{
	local program=$1 message pattern old filters=() value new
	local -a words=("${@:2}")
	pattern='there is no (-[^:]*): (use )?(pk-[a-z]+)? ?(-[^'$'\n'']*)?('$'\n''|$)'
	while split "$program" "${words[@]}" && ! message=$("$program" "${options[@]}" --help 2>&1 >/dev/null); do
		case $message in
		*'there is no -i: name the FILE without an option'*)
			replace_option -i && words+=("$value") && continue
			;;
		esac
		[[ $message =~ $pattern ]] || break
		old=${BASH_REMATCH[1]}
		read -ra new <<<"${BASH_REMATCH[4]}"
		if [ "$program" != pk-inject ] && [ "${BASH_REMATCH[3]}" = pk-filter ]; then
			filters+=("${new[@]}")
			replace_option "$old" || break
			filters+=("$value")
		else
			program=${BASH_REMATCH[3]:-$program}
			replace_option "$old" "${new[@]:--q}" || break
		fi
	done
	# perf ends with 129 after a usage error. 2 would mean that the test is skipped.
	if [ -n "$message" ]; then
		"$program" "${options[@]}" --help >/dev/null 2>&1
		[ $? != 2 ] || { echo "$message" >&2 && exit 129; }
	fi
	case $program in
	pk-report | pk-annotate | pk-script) read_recording ;;
	esac
	exec "$program" "${options[@]}" "${operands[@]}"
}

# Runs a program that reads a recording. Its notes are not shown if it succeeds, as perf does not print them. The programs do
# not add names to a stream from a pipe.
read_recording()
{
	local status notes=$PERF_SHELL/notes.$$
	if [ ${#filters[@]} -gt 0 ]; then
		replace_option -i && split "$program" -i - "${words[@]}"
		pk-filter -q "${filters[@]}" "$value" | pk-symbolize -q | "$program" "${options[@]}" "${operands[@]}" 2>"$notes"
	elif [[ " ${options[*]} " == *' -i - '* ]]; then
		pk-symbolize -q | "$program" "${options[@]}" "${operands[@]}" 2>"$notes"
	else
		"$program" "${options[@]}" "${operands[@]}" 2>"$notes"
	fi
	status=$?
	[ $status = 0 ] || cat "$notes" >&2
	[ $status != 2 ] || status=129
	rm -f "$notes"
	exit $status
}

record()
{
	find_output "$@"
	add_probes "$@"
	run pk-record "${output[@]}" "${probed[@]}"
}

# read_with PROGRAM ARGUMENT...
read_with()
{
	local program=$1
	shift
	find_input "$@"
	run "$program" "${input[@]}" "$@"
}

# spans PRESET ARGUMENT...: the recording that the arguments name, through pk-span PRESET. Sets rest to the other arguments.
# The file of spans is $PERF_SHELL/spans.
make_spans()
{
	local preset=$1 file=perf.data
	shift
	rest=()
	[ ! -p /dev/stdin ] || file=-
	while [ $# -gt 0 ]; do
		case $1 in
		-i) file=$2 && shift ;;
		-i?*) file=${1#-i} ;;
		--input=*) file=${1#*=} ;;
		*) rest+=("$1") ;;
		esac
		shift
	done
	pk-span "$preset" -q "$file" -o "$PERF_SHELL/spans" || exit
}

probe()
{
	local action=add object='' list=() word event
	while [ $# -gt 0 ]; do
		case $1 in
		-x | --exec) object=$2 && shift ;;
		-x?*) object=${1#-x} ;;
		--exec=*) object=${1#*=} ;;
		-a | --add) list+=("$2") && shift ;;
		--add=*) list+=("${1#*=}") ;;
		-d | --del) action=delete && list+=("$2") && shift ;;
		--del=*) action=delete && list+=("${1#*=}") ;;
		-l | --list) action=list ;;
		-L | --line) action=lines && list+=("$2") && shift ;;
		-V | --vars) action=vars && list+=("$2") && shift ;;
		-F | --funcs) action=functions ;;
		--funcs=*) action=functions && list+=("${1#*=}") ;;
		-n | --dry-run) action=dry ;;
		-q | -v | -vv | -f | --quiet | --verbose | --force | --no-inlines) ;;
		-*) echo "perf.bash: perf probe $1 is not known" >&2 && exit 129 ;;
		*) list+=("$1") ;;
		esac
		shift
	done
	touch "$PERF_SHELL/probes"
	case $action in
	list) awk -F '\t' '{ print "  " $1 " (on " $3 ($2 ? " in " $2 : "") ")" }' "$PERF_SHELL/probes" && exit ;;
	lines) exec pk-record ${object:+--object="$object"} --list-lines "${list[@]}" ;;
	vars) exec pk-record ${object:+--object="$object"} --list-vars "${list[@]}" ;;
	functions) exec pk-record ${object:+--object="$object"} --list-functions="${list[0]-*}" ;;
	delete)
		for word in "${list[@]}"; do
			# shellcheck disable=SC2053
			while IFS= read -r event; do
				[[ ${event%%$'\t'*} == $word || ${event%%$'\t'*} == *:$word ]] || echo "$event"
			done <"$PERF_SHELL/probes" >"$PERF_SHELL/probes.new"
			mv "$PERF_SHELL/probes.new" "$PERF_SHELL/probes"
		done
		exit
		;;
	esac
	[ ${#list[@]} -gt 0 ] || exit 129
	word=${list[*]}
	pk-record -q --dry-run ${object:+--object="$object"} --probe="$word" -- true >"$PERF_SHELL/probe.out" || exit
	event=$(probe_name "$word" "$object")
	[ "$action" = dry ] || printf '%s\t%s\t%s\n' "$event" "$object" "$word" >>"$PERF_SHELL/probes"
	printf 'Added new event:\n  %s (on %s%s)\n\nYou can now use it in all perf tools, such as:\n\n\tperf record -e %s -aR sleep 1\n\n' \
		"$event" "$word" "${object:+ in $object}" "$event"
}

# The name of the event of a probe, as pk-record gives it.
probe_name()
{
	local name=${1%% *} group=probe
	[ -z "$2" ] || group=probe_$(basename "$2" | sed 's/[^A-Za-z0-9_].*//')
	case $name in
	*=*) name=${name%%=*} ;;
	*) name=${name%%[:+@]*} && name=${name%\%return} ;;
	esac
	case $name in
	*:*) echo "$name" ;;
	*) echo "$group:$name" ;;
	esac
}

stat()
{
	case ${1-} in
	record)
		shift
		local output=(-o perf.data)
		! has o output "$@" || output=()
		run pk-stat --stream "${output[@]}" "$@"
		;;
	report)
		shift
		local file=perf.data
		[ ! -p /dev/stdin ] || file=-
		if [ "${1-}" = -i ]; then
			file=$2
			shift 2
		fi
		run pk-stat "$@" "$file"
		;;
	esac
	run pk-stat ${PERF_SHELL_TABLE:+--metric-dir="$PERF_SHELL_TABLE"} "$@"
}

sched()
{
	local command=${1-}
	shift
	case $command in
	record) record -a -k CLOCK_MONOTONIC -e sched "$@" ;;
	latency | lat)
		make_spans sched "$@"
		exec pk-report --view sched-latency "$PERF_SHELL/spans" "${rest[@]}"
		;;
	script) read_with pk-script "$@" ;;
	map | timehist) read_with pk-script --view "$command" "$@" ;;
	*) lack "sched $command" 'sysbench and stress-ng generate load' ;;
	esac
}

# -F KEY, -k KEY and -E N of perf lock as options of pk-report; the report of perf lock contention goes to stderr.
lock()
{
	local command=${1-} view=locks options=() out=/dev/stderr
	shift
	case $command in
	record) record -a -g -e lock:contention_begin -e lock:contention_end "$@" ;;
	con | contention) ;;
	*) lack "lock $command" 'pk-report --view locks' ;;
	esac
	! has b use-bpf "$@" || lack 'lock contention -b' 'pk-record -e locks records tracepoints'
	make_spans locks "$@"
	set -- "${rest[@]}"
	while [ $# -gt 0 ]; do
		case $1 in
		-t | --threads) view=locks-tasks ;;
		-l | --lock-addr) view=locks-addr ;;
		-E | --entries) options+=(--limit "$2") && shift ;;
		-Y | --type-filter) options+=(--where "flags =~ \"$2\"") && shift ;;
		-L | --lock-filter) options+=(--where "data_symbol == \"$2\"") && shift ;;
		-S | --callstack-filter) options+=(--stack "*$2*") && shift ;;
		-x) options+=(-t "$2") && shift ;;
		--output) out=$2 && shift ;;
		-q | -v) options+=("$1") ;;
		*) lack "lock contention $1" 'pk-report --view locks' ;;
		esac
		shift
	done
	pk-report --view "$view" "$PERF_SHELL/spans" "${options[@]}" >"$out"
}

trace()
{
	local command=${1-} events=() options=() view=(pk-script --view syscalls) target=()
	case $command in
	record) shift && record -e syscalls "$@" ;;
	esac
	while [ $# -gt 0 ]; do
		case $1 in
		-e) events+=("$2") && shift ;;
		-s | --summary) view=(pk-report --view syscalls) ;;
		-i) options+=("$2") && shift ;;
		-a | -C | -p | -t | -u) target+=("$1") && [ "$1" = -a ] || { target+=("$2") && shift; } ;;
		-h) exit 129 ;;
		--) shift && break ;;
		-*) lack "trace $1" 'pk trace' ;;
		*) break ;;
		esac
		shift
	done
	pk-record -q "${target[@]}" -e syscalls --strings -- "$@" | pk-span syscalls -q | "${view[@]}" >&2
}

# The output of --list --json is a line for each event or metric. That of perf list is one array.
list()
{
	local format=() out=/dev/stdout program=pk-record
	case "$*" in *metric*) program=pk-stat ;; esac
	while [ $# -gt 0 ]; do
		case $1 in
		-j | --json) format=(sed '1s/^/[/; $!s/$/,/; $s/$/]/') ;;
		--raw-dump) format=(sed -E '/"Obstacle":"[^c]/d; /=\.\.\.|"rNNN"/d; s/.*"EventName":"([^"]*)".*/\1/') ;;
		-o) out=$2 && shift ;;
		-d | -v | --desc | --long-desc | --details) ;;
		--no-desc) ;;
		*) break ;;
		esac
		shift
	done
	[ ${#format[@]} -gt 0 ] || exec pk-record --list "$@"
	PK_EVENTS_DIR=${PERF_SHELL_TABLE-} "$program" --list --json "$@" | "${format[@]}" >"$out"
}

buildid_cache()
{
	local action=
	local -a files=()
	while [ $# -gt 0 ]; do
		case $1 in
		-a | --add) action=--install && files+=("$2") && shift ;;
		-r | --remove) action=--remove && files+=("$2") && shift ;;
		-p | --purge) action=--purge && files+=("$2") && shift ;;
		-P | --purge-all) action='--purge --all' ;;
		-l | --list) action='--list --cached' ;;
		-v) ;;
		*) lack "buildid-cache $1" 'pk-archive' ;;
		esac
		shift
	done
	# shellcheck disable=SC2086
	exec pk-archive $action ${buildid_dir:+--buildid-dir="$buildid_dir"} "${files[@]}"
}

timechart()
{
	case ${1-} in
	record) shift && record -a -e sched "$@" ;;
	esac
	local out=output.svg
	make_spans sched "$@"
	case " ${rest[*]} " in *' -o '*) out=$(sed 's/.* -o \([^ ]*\).*/\1/' <<<" ${rest[*]} ") ;; esac
	exec pk-plot timeline -o "$out" "$PERF_SHELL/spans"
}

mem()
{
	local command=${1-}
	shift
	case $command in
	record) record --mem "$@" ;;
	report) read_with pk-report --view mem "$@" ;;
	esac
	lack "mem $command" 'pk-report --view mem'
}

kmem()
{
	local command=${1-}
	shift
	case $command in
	record) record -a -e kmem "$@" ;;
	stat)
		make_spans kmem "$@"
		exec pk-report --view kmem "$PERF_SHELL/spans"
		;;
	esac
	lack "kmem $command" 'pk-report --view kmem'
}

work()
{
	local command=${1-}
	shift
	case $command in
	record) record -a -e irq "$@" ;;
	report | rep | latency | lat | top | timehist)
		make_spans irq "$@"
		exec pk-report --view irq "$PERF_SHELL/spans"
		;;
	esac
	lack "kwork $command" 'pk-report --view irq'
}

evlist()
{
	find_input "$@"
	if has g group "$@"; then
		replace_group "$@"
		pk-script --header-only -I "${input[@]}" "${words[@]}" | sed -n 's/^# group: //p'
	else
		read_with pk-script --header-only --events "$@"
	fi
}

# Sets words to the arguments without -g and --group.
replace_group()
{
	words=("$@")
	replace_option -g -q || replace_option --group -q
}

version()
{
	case ${1-} in
	--build-options)
		local feature
		for feature in dwarf libelf zstd libtraceevent; do
			echo "                 $feature: [ on  ]  # HAVE_${feature^^}_SUPPORT"
		done
		for feature in libpython libperl bpf_skeletons libbfd libpfm4 libnuma; do
			echo "             $feature: [ OFF ]  # HAVE_${feature^^}_SUPPORT"
		done
		exit
		;;
	esac
	echo "perf version $(pk --version | sed 's/.* //')"
}

# check feature [-q] NAME,...
check()
{
	local name
	shift
	[ "${1-}" != -q ] || shift
	for name in ${1//[,+]/ }; do
		case $name in
		libtraceevent | zstd | dwarf* | libelf | auxtrace | debuginfod | libdw*) ;;
		*) exit 1 ;;
		esac
	done
}

mkdir -p "$PERF_SHELL"
buildid_dir=
while :; do
	case ${1-} in
	--no-pager | -P | -p | --paginate) shift ;;
	--buildid-dir) buildid_dir=$2 && shift 2 ;;
	--debug) shift 2 ;;
	*) break ;;
	esac
done
command=${1-}
[ $# = 0 ] || shift
case $command in
'' | -h | --help | help)
	sed -n 's/^perf \([a-z0-9-]*\): /   \1 /p' "$PK_TOP/share/pk/perf"
	printf '   %s\n' record report stat annotate diff top sched trace lock
	;;
version | --version | -v) version "$@" ;;
test)
	# The only test whose output tests of the shell read is the one of the symbols of perf itself.
	nm "$(dirname "$0")/perf" | sed 's/^[0-9a-f]* . / /'
	;;
check) check "$@" ;;
record | stat | probe | trace | list | mem | kmem | lock | sched | evlist | timechart) "$command" "$@" ;;
kwork) work "$@" ;;
report | script | annotate) read_with "pk-$command" "$@" ;;
inject) read_with pk-inject "$@" ;;
diff) exec pk-report --diff "${@:-perf.data.old}" ;;
buildid-cache) buildid_cache "$@" ;;
buildid-list) read_with pk-archive --list "$@" ;;
kallsyms) lack "$command" 'pk-symbolize --kallsyms' ;;
*) lack "$command" "$(grep -s "^perf $command:" "$PK_TOP/share/pk/perf" | cut -d: -f2-)" ;;
esac
