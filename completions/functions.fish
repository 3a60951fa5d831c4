# SPDX-License-Identifier: BSD-2-Clause

# Values of a kind, after the part of a list that is typed already.
function __pk_values
    set -l before (string replace -r '[^,]*$' '' -- (commandline -ct | string replace -r '^--[a-z-]*=' ''))
    switch $argv[1]
        case event
            pk-record --list 2>/dev/null | string match -rv ': not on this machine$' | string replace -rf '^([A-Za-z][A-Za-z0-9_:./-]*) +(.*)' $before'$1\t$2'
        case metric
            pk-stat --list metric 2>/dev/null | string match -rv ': not on this machine$' | string replace -rf '^([A-Za-z][A-Za-z0-9_.-]*) +(.*)' $before'$1\t$2'
        case field
            printf '%s\n' $before$__pk_fields
        case loss
            printf '%s\n' $before{lost,truncated,unresolved}
        case view
            $argv[2] --view list 2>/dev/null </dev/null | string replace -rf '^([^ ]+) +(.*)' '$1\t$2'
        case command
            pk 2>/dev/null | string replace -rf '^  pk ([^ ]+)   *(.*)' '$1\t$2'
            echo help
        case topic
            pk 2>/dev/null | string replace -rf '^  pk ([^ ]+)   *(.*)' '$1\t$2'
            pk 2>/dev/null | string replace -rf '^([^ ].*) \(([^ ()]*)\)$' '$2\t$1'
        case kind
            $argv[2] --help | string replace -rf '^  ([a-z][a-z0-9.-]*)   +(.*)' '$1\t$2'
    end
end

