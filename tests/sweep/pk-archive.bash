# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-archive --kallsyms=/dev/null --symfs="$root" "$list"
sweep -i "$list" pk-archive --kallsyms=/dev/null --symfs="$root" -z --all -o out
