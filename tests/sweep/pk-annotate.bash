# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-annotate --no-cache --kallsyms=/dev/null --min-percent=0 --symfs="$root" -i "$listed"
sweep -i "$listed" pk-annotate --no-cache --kallsyms=/dev/null --min-percent=0 --symfs="$root" --source --types -o out
sweep pk-annotate --no-cache --kallsyms=/dev/null --min-percent=0 --symfs="$root" --by-line -i "$listed"
sweep pk-annotate --no-cache --kallsyms=/dev/null --min-percent=0 --symfs="$root" --json -M intel -i "$listed"
sweep pk-annotate --no-cache --kallsyms=/dev/null --symfs="$root" --type-profile -i "$listed"
sweep pk-annotate --no-cache --kallsyms=/dev/null --min-percent=0 --symfs="$root" --blocks --json -i "$listed"
