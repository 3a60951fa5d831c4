# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced after inputs.bash and objects.bash: runs the programs that search for objects, with all kinds of objects. Every failed
# read, open, look and allocation must be reported: status 0 means the same output.
found=("--symfs=$objects" "--kallsyms=$objects/kallsyms")
pk-symbolize -q --no-cache "${found[@]}" "$everywhere" >everything.pk || exit
everything=$here/everything.pk
pk-filter -q --head=2 -o dwarf.pk "$data/unwind/x86_64.perf.zst" || exit
sweep pk-symbolize --no-cache "${found[@]}" --lines "$everywhere"
sweep pk-inject "${found[@]}" --build-ids --symbols --kernel --jit --lines "$everywhere"
sweep pk-archive "${found[@]}" --all "$everywhere"
sweep pk-annotate --no-cache "${found[@]}" --min-percent=0 -i "$everything"
sweep pk-annotate --no-cache --kallsyms=/dev/null --symfs="$root" --min-percent=0 --source --types -i "$listed"
sweep pk-annotate --no-cache "${found[@]}" --type-profile -i "$everything"
sweep pk-unwind --symfs="$data/unwind" "$here/dwarf.pk"
