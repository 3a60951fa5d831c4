# SPDX-License-Identifier: BSD-2-Clause
# timeout: 900
# tests/corpus/disasm.sh with more programs.
[ -n "${PK_CORPUS-}" ] || {
	echo "no ../shared/corpus" >&2
	exit 77
}
PK_ALL=1 . "$PK_TOP/tests/corpus/disasm.sh"
