# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-symbolize --kallsyms=/dev/null "$raw"
sweep -i "$list" pk-symbolize --no-cache --kallsyms=/dev/null --symfs="$root" -o out
sweep pk-symbolize --no-cache --kallsyms=/dev/null --symfs="$root" --lines --mark-truncated "$list" "$symbolized"
sweep pk-symbolize --no-cache --kallsyms=/dev/null --dictionary-size=4k "$listed" "$tracepoints"
sweep pk-symbolize --no-cache "$vectors/pk-offsite-le.pk"
