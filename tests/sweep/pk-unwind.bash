# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
pk-filter -q --head=3 -o dwarf.pk "$data/unwind/x86_64.perf.zst" || exit
sweep pk-unwind --symfs="$data/unwind" "$here/dwarf.pk"
sweep -i "$here/dwarf.pk" pk-unwind --symfs="$data/unwind" --keep -o out
sweep pk-unwind --symfs=/nonexistent "$vectors/sample-stacks-le.pk"
