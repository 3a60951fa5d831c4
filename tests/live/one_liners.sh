# SPDX-License-Identifier: BSD-2-Clause
# long
# PK_ONLY=PATTERN: only lines that match.
# The lines of docs/one-liners.md work. Lines marked as untried run on few machines: only their attr is compared, with the text after the mark.
. "$PK_TOP/tests/live/doc_lines.bash"
. "$PK_TOP/tests/live/fake_sysfs.bash"

# ask LINE WORDS [MACHINE]: every event can be had, and the first has an attr with these words, apart by semicolons.
ask()
{
	local line=$1 words=$2 machine=$3 file=${1##*>} word events
	[ "$(uname -m)" = x86_64 ] || return
	if [ -n "$machine" ]; then
		[ -d "$machine" ] || fake_sysfs "$machine"
		export SYSFS_PATH=$PWD/$machine
	fi
	ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 PK_REPLACE_ALL=1 PK_ATTRS=$PWD/attrs \
		LD_PRELOAD=$PK_BUILD/tests/faults/attr_log.so run "$line"
	unset SYSFS_PATH
	events=$(pk-script --header-only "$file" 2>>err | grep '^# event' | head -n 1)
	while read -r word; do
		[[ $events == *"$word"* ]] || complain "$line: no '$word' in '$events': $(head -n 3 err)"
	done <<<"${words//; /$'\n'}"
	untried=$((untried + 1))
}

# To close hundreds of tracepoints takes the kernel ten seconds: only some, for a shorter time, but all
# with PK_ALL=1 (tests/long/one_liners.sh).
fewer()
{
	line=${line/"-e 'syscalls:sys_enter_*'"/"-e 'syscalls:sys_enter_re*'"}
	line=${line/"-e 'ext4:*'"/"-e 'ext4:ext4_da_*'"}
	line=${line/"--for 200ms"/"--for 100ms"}
	line=${line/"--timeout 200"/"--timeout 100"}
}

mark='^(.*[^ ]) +# untried( \(([a-z-]+)\))?(: (.*))?$'
while read -r line; do
	if [[ $line =~ $mark ]]; then
		[ "${BASH_REMATCH[3]}" = - ] || ask "${BASH_REMATCH[1]}" "${BASH_REMATCH[5]}" "${BASH_REMATCH[3]}"
	else
		[ -n "${PK_ALL-}" ] || fewer
		try "$line"
	fi
done < <(lines_of one-liners.md)
enough 21
echo "$tried lines tried, $left_out left out; the attrs of $untried"
