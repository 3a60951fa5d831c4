# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-inject --kallsyms=/dev/null --symfs="$root" "$list"
sweep -i "$list" pk-inject --kallsyms=/dev/null --symfs="$root" --build-ids=all --symbols=all --lines -o out
sweep pk-inject --symfs=/nonexistent --kallsyms=/dev/null "$raw" "$symbolized"
sweep pk-inject --jit --kernel --symfs=/nonexistent --kallsyms=/dev/null "$raw"
