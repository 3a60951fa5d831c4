# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
{
	head_of_trace
	trace 0 0 0 "$(load 0x401000 5 100)$(branch 0x401004 5 300 0x401100 0x0b 0x82)"
	trace 1 1 0 "$(load 0x402000 5 200)"
} | assemble >"$here/trace.pk"
sweep pk-decode "$here/trace.pk"
sweep -i "$here/trace.pk" pk-decode -e memory -e 'l1d-*' -v -o out
sweep pk-decode --every=2 "$here/trace.pk" "$symbolized" "$here/trace.pk"
