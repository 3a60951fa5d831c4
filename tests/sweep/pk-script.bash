# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
sweep pk-script "$symbolized"
sweep -i "$symbolized" pk-script --dump -o out
sweep pk-script --json "$symbolized" "$tracepoints"
sweep pk-script --stats "$tracepoints"
sweep pk-script --gen=python "$tracepoints"
sweep pk-script "$tracepoints"
sweep pk-script --format '{next_comm:16} {time:+ms} {@}{prev_pid:result}{@9}' "$tracepoints"
sweep pk-script --layout map "$tracepoints"
sweep pk-script --layout timehist:MVwn "$tracepoints"
sweep pk-script --symfs="$root" --kallsyms=/dev/null "$list"
sweep pk-script --header "$vectors/file-feature-large-le.pk"
sweep pk-script --header "$vectors/features-le.pk"
sweep pk-script --show-task-events --show-mmap-events --deltatime -F +addr,+period "$vectors/kernel-le.pk"
sweep pk-script --stats "$folder"
sweep pk-script --dump "$compressed" "$vectors/file-compressed-le.pk"
sweep pk-script "$vectors/kernel-deferred-le.pk"
sweep pk-script --dump "$vectors/pk-offsite-le.pk" "$vectors/feature-parts-le.pk"
