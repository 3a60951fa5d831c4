# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by scripts that compare with perf. PK_PERF is the perf that reads, default perf; perf_version is its major version.
perf()
{
	command "${PK_PERF:-perf}" "$@"
}

perf_version=$(perf --version 2>/dev/null | sed -nE 's/^perf version ([0-9]+)\..*/\1/p')
[ -n "$perf_version" ] || {
	echo "no ${PK_PERF:-perf}" >&2
	exit 77
}
