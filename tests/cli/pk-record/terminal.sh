# SPDX-License-Identifier: BSD-2-Clause
# Binary is not for terminals.
command -v script >/dev/null || {
	echo "no script(1)" >&2
	exit 77
}
script -qec "pk-record -- true" /dev/null | tr -d '\r'
