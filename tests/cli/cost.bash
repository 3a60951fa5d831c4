# SPDX-License-Identifier: BSD-2-Clause
# For tests of what inputs of tests/data/attacks may cost.

# unpack NAME...: into the current folder
unpack()
{
	local name
	for name; do
		xz -dc "$PK_TOP/tests/data/attacks/$name.xz" >"$name" || exit 1
	done
}

# program NAME DIR: DIR/x/prog, as the streams have it, for --symfs
program()
{
	unpack "$1"
	mkdir -p "$2/x"
	mv "$1" "$2/x/prog"
}

# bounded SECONDS MIB COMMAND...: with that much time of the processor and that much address space.
# Sanitizers take some 10 times the time, and have a limit of resident memory in its place.
bounded()
{
	local seconds=$1 mib=$2 status
	shift 2
	if [ -n "$PK_SAN" ]; then
		(
			ulimit -t $((10 * seconds))
			export ASAN_OPTIONS="${ASAN_OPTIONS-}:hard_rss_limit_mb=$((4 * mib))"
			exec "$@"
		)
	else
		(
			ulimit -t "$seconds" -v $((mib * 1024))
			exec "$@"
		)
	fi
	status=$?
	[ $status = 0 ] || echo "$1: status $status"
}
