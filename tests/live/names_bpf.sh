# SPDX-License-Identifier: BSD-2-Clause
# Names of BPF programs that are loaded before the recording. All of them can have the same address, one after another.
# * The recording has their names, also after the program has ended, and the same records as that of perf.
# * If the recording has no names, the cached list of the kernel's symbols does not answer for them.
. "$PK_TOP/tests/live/record.bash"
export XDG_CACHE_HOME=$PWD/cache

# spin NAME: loads a program. run_it: lets it run. stop NAME: unloads it.
spin()
{
	coproc SPINNER { exec bpf_spinner "$1" 2>spinner.err; }
	pid=$SPINNER_PID to=${SPINNER[1]} from=${SPINNER[0]}
	read -r <&"$from" || skip "BPF programs cannot be loaded here: $(cat spinner.err)"
}
run_it()
{
	echo >&"$to"
	read -r <&"$from" || fail "the program does not run: $(cat spinner.err)"
}
stop()
{
	exec {to}>&- {from}<&-
	wait "$pid"
	while grep -q "bpf_prog_[0-9a-f]*_$1" /proc/kallsyms; do sleep 0.02; done
}

# record_it FILE OPTION...: records while the program runs.
record_it()
{
	local recorder
	pk-record -q -e cpu-clock -c 1000000 -p $pid -g -o "$@" &
	recorder=$!
	recording $recorder
	run_it
	kill -INT $recorder
	wait $recorder || fail "$(cat err)"
}

# expect NAME WHEN ARGUMENT...: the only name of a BPF program in a report.
expect()
{
	local name
	name=$(pk-report -q --by symbol "${@:3}" | grep -o 'bpf_prog_[0-9a-f]*_[a-z_]*' | sort -u)
	[ "$name" = "$1" ] || fail "$2: ${name:-no name}, not ${1:-none}"
}
listed()
{
	grep -o "bpf_prog_[0-9a-f]*_$1" /proc/kallsyms
}

[ "$(cat /proc/sys/net/core/bpf_jit_enable)" != 0 ] || skip "the kernel interprets BPF programs"
spin pk_first
first=$(listed pk_first) || skip "the kernel lists no BPF programs"
record_it first.pk
record_it bare.pk --no-bpf-event
expect "$first" "the first program, without a cache" bare.pk
grep -q '_stext' cache/pk/symbols || fail "no cache"
! grep -q pk_first cache/pk/symbols || fail "the cache has the name of a BPF program"
stop pk_first

spin pk_second
second=$(listed pk_second)
record_it second.pk
record_it bare.pk --no-bpf-event
expect "$second" "without records, with the cache" bare.pk
expect "$second" "without records, without the cache" --no-cache bare.pk
expect "$second" "with records" second.pk
expect "$first" "the first program, which has ended" first.pk
stop pk_second
expect "$second" "the second program, after it has ended" second.pk
# A program of others can have this address now.
! pk-report -q --by symbol bare.pk | grep -q "$second" || fail 'without records, the program has its name after it has ended'

if perf record -q --all-kernel -e cpu-clock -o /dev/null true 2>/dev/null; then
	spin pk_third
	# Who may not list programs has their names from the kernel's list of symbols.
	setpriv --bounding-set=-sys_admin pk-record -q -e cpu-clock -o user.pk -- true || fail "$(cat err)"
	at_least "$(pk-script --dump user.pk | grep -c 'name="bpf_prog_.*pk_third')" 1 'names for other users'
	pk-record -q -e cpu-clock -o pk.pk -- true || fail "$(cat err)"
	perf record -q -B -N -e cpu-clock -o perf.data -- true
	tag=$(listed pk_third | cut -d _ -f 3)
	stop pk_third
	for file in pk.pk perf.data; do
		# One line for each record of this program, without its trailer.
		pk-script --dump $file | awk -v tag="$tag" '/^[0-9]/ { if (record ~ /pk_third/ || record ~ "BPF_EVENT.*" tag) print record; record = $2; next }
			!/trailer|event=/ { record = record $0 }' | sort >$file.records
	done
	diff pk.pk.records perf.data.records || fail "perf has other records"
	at_least "$(grep -c pk_third pk.pk.records)" 1 'names'
fi
