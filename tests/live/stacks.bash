# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the tests of snapshots.

# Starts waiters, waits until all its threads wait, and sets the variables target, child and tids.
start_waiters()
{
	local tid waiting=
	"$PK_BUILD/tests/live/waiters" >waiters.out &
	target=$!
	trap end_waiters EXIT
	until grep -qx "$target" waiters.out 2>/dev/null; do kill -0 $target || fail 'waiters has ended'; done
	until [ "$waiting" = 8 ]; do
		waiting=0
		child=
		for tid in /proc/$target/task/*; do
			case $(sed 's/.*) //; s/ .*//' "$tid/stat" 2>/dev/null) in
			S) waiting=$((waiting + 1)) ;;
			R) [ "$(cut -d ' ' -f 1 "$tid/syscall" 2>/dev/null)" != running ] || waiting=$((waiting + 1)) ;;
			esac
		done
		child=$(cat /proc/$target/task/*/children)
		[ -n "$child" ] || waiting=
	done
	tids=$(cd /proc/$target/task && echo *)
}

end_waiters()
{
	trap - EXIT
	kill -KILL $target ${child:+$child}
	wait $target 2>/dev/null
}
