# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced by check.sh. What parts/unwind printed.

# reach NAME LEAST PERCENT PATTERN: at least so much of what was sampled, and at least so many percent of it, matches.
reach()
{
	local all found
	all=$(sum '^[^ ]' "$1") found=$(sum "$4" "$1")
	echo "check-vm: $1: $found of $all reach $4"
	[ "$found" -ge "$2" ] && [ $((found * 100)) -ge $((all * $3)) ] || complain "$1: $(part "$1" | grep -vE -- "$4")"
}

part unwind-check | grep -e unwinding -e missing | sed 's/^ */check-vm: --check: /'
# What the table in docs/unwinding.md has for this kernel.
missing=$(sed -n 's/^| `pk-record --check`: missing in this kernel | \(.*\) | \(.*\) | \(.*\) |$/\1@\2@\3/p' docs/unwinding.md)
case $release in
6.1.*) missing=${missing%%@*} ;;
*) missing=${missing##*@} ;;
esac
[ "$(part unwind-check | sed -n 's/^missing in this kernel  *//p')" = "$missing" ] || complain "--check: not '$missing': $(part unwind-check)"
expect unwind-check '^names of kernel functions  *yes$'
succeed unwind-record unwind-tracepoint unwind-probe unwind-forks unwind-offcpu unwind-wakers
# The outermost function: of the program, of the dynamic loader, or of libc, which starts threads and children. There are no symbols of these.
root='(_start|\[ld-linux[^];]*\]|\[libc[^];]*\])'
reach unwind-fold 50000000 93 "^unwinding;${root}[; ]"
# On a busy machine, the dynamic loader takes half of the time of this program in an emulated machine.
reach unwind-fold 40000000 30 "^unwinding;_start;__libc_start_main[^;]*;[^;]*;main;"
reach unwind-tracepoint 1 99 ";main;interrupted"
reach unwind-probe 2 100 ";main;.*;inner "
reach unwind-forks-fold 20000000 85 "^linkage;${root}[; ]"
reach unwind-forks-fold 3000000 15 "^linkage;_start;__libc_start_main[^;]*;[^;]*;main;"
reach unwind-offcpu-fold 180000000 40 ";sleep_often;"
reach unwind-offcpu-fold 180000000 95 ";(main|start_thread);"
reach unwind-wakers-fold 180000000 90 ";try_to_wake_up"
