# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-archive --kallsyms=/dev/null --symfs="$root" "$list"
sweep -i "$list" pk-archive --kallsyms=/dev/null --symfs="$root" -z --all -o out
sweep pk-archive --list --all "$list"
sweep -i "$list" pk-archive --kallsyms=/dev/null --symfs="$root" --install --buildid-dir=cache
pk-archive -q --kallsyms=/dev/null --symfs="$root" --install --buildid-dir="$here/cache" "$list"
sweep pk-archive --list --cached --buildid-dir="$here/cache"
