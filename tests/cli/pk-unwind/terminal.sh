# SPDX-License-Identifier: BSD-2-Clause
# Binary is not for terminals, in either direction.
command -v script >/dev/null || {
	echo "no script(1)" >&2
	exit 77
}
script -qec "pk-unwind '$PK_TOP/format/vectors/good/like-perf-le.pk'; echo status \$?; pk-unwind >/dev/null; echo status \$?" \
	/dev/null </dev/null | tr -d '\r'
