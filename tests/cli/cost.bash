# SPDX-License-Identifier: BSD-2-Clause
# Sourced by tests that limit the time and memory for inputs of tests/data/attacks.

# An emulator needs more memory than these limits.
[ -n "$PK_SAN" ] || (ulimit -v 100000 && pk-fold --version >/dev/null 2>&1) || {
	echo "programs do not start in 100 MB of address space" >&2
	exit 77
}

# unpack NAME...: into the current folder
unpack()
{
	local name
	for name; do
		xz -dc "$PK_TOP/tests/data/attacks/$name.xz" >"$name" || exit 1
	done
}

# program NAME DIR: unpacks it as DIR/x/prog, its path in the streams, for --symfs=DIR
program()
{
	unpack "$1"
	mkdir -p "$2/x"
	mv "$1" "$2/x/prog"
}

# bounded SECONDS MIB COMMAND...: runs it with limits of CPU time and address space. With sanitizers, 10 times the
# time is allowed, and resident memory is limited instead of address space; of memory that is already freed,
# AddressSanitizer keeps little.
bounded()
{
	local seconds=$1 mib=$2 status
	shift 2
	if [ -n "$PK_SAN" ]; then
		(
			ulimit -t $((10 * seconds))
			export ASAN_OPTIONS="${ASAN_OPTIONS-}:hard_rss_limit_mb=$((4 * mib)):quarantine_size_mb=16"
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
