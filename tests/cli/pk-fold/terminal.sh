# SPDX-License-Identifier: BSD-2-Clause
# A terminal is no recording.
command -v script >/dev/null || {
	echo "no script(1)" >&2
	exit 77
}
script -qec "pk-fold; echo status \$?" /dev/null </dev/null | tr -d '\r'
