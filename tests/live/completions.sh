# SPDX-License-Identifier: BSD-2-Clause
# What zsh and fish complete. (tests/cli/stages/completions.sh tests bash.)
for shell in zsh fish; do
	command -v $shell >/dev/null || {
		echo "$shell is needed" >&2
		exit 77
	}
done
made=$PK_BUILD/completions
# zsh sends SIGCONT to the programs for which it waits. That cancels the stop
# with which LeakSanitizer begins its search at exit, and it waits for ever.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

# A terminal of zsh's own, in which words are typed.
cat >type.zsh <<'END'
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z "PROMPT='>'; RPROMPT=; unset zle_bracketed_paste; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; zstyle ':completion:*' list-prompt ''"
zpty -w z "bindkey '^I' complete-word; print rea''dy"
zpty -r z output '*ready*'
shift
for line; do
	zpty -n -w z "$line"$'\t'$'\C-aprint -r -- "<'$'\C-e>"\n'
	zpty -r z output $'*\n<*>*' && print -r -- "${${output##*$'\n<'}%%>*}"
done
END
# completes TEXT EXPECTED
completes()
{
	local found
	found=$(timeout 60 zsh -f type.zsh "$made/zsh" "$1" 2>&1 | tr -d '\r')
	[ "${found% }" = "$2" ] || {
		echo "zsh: '$1' becomes '$found', not '$2'"
	}
	found=$(complete=$1 timeout 60 fish -c "source $made/fish/${1%% *}.fish; complete -C \"\$complete\"" | cut -f 1)
	[ "$found" = "${2##* }" ] || {
		echo "fish: '$1' has '$found', not '${2##* }'"
	}
}
# The shells wait for terminals more than they work.
{
	completes 'pk fla' 'pk flame' &
	completes 'pk help wai' 'pk help wait' &
	completes 'pk-record --switch-ev' 'pk-record --switch-events' &
	completes 'pk-record -e page-fau' 'pk-record -e page-faults' &
	completes 'pk-record -e cpu-clock,page-fau' 'pk-record -e cpu-clock,page-faults' &
	completes 'pk-report --by comm,ds' 'pk-report --by comm,dso' &
	completes 'pk-report --view c2c-c' 'pk-report --view c2c-code' &
	completes 'pk-span sysc' 'pk-span syscalls' &
	completes 'pk-plot fla' 'pk-plot flame' &
	wait
} >wrong
cat wrong
[ ! -s wrong ]
