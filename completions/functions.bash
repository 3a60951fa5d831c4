# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154 # bash.awk sets the fields

# Events or metrics that can be recorded or counted here.
_pk_listed()
{
	"$@" 2>/dev/null | sed -n '/: not on this machine$/d; s/^\([A-Za-z][A-Za-z0-9_:./-]*\) .*/\1/p'
}

# _pk_values KIND PROGRAM
_pk_values()
{
	case $1 in
	event) _pk_listed pk-record --list ;;
	metric) _pk_listed pk-stat --list metric ;;
	field) echo "$_pk_fields" ;;
	view) "$2" --view list 2>/dev/null </dev/null | sed -n 's/^\([^ ][^ ]*\).*/\1/p' ;;
	loss) echo lost truncated unresolved ;;
	command) pk 2>/dev/null | sed -n 's/^  pk \([^ ]*\)  .*/\1/p' ; echo help ;;
	topic) pk 2>/dev/null | sed -n 's/^  pk \([^ ]*\)  .*/\1/p; s/^[^ ].*(\([^ ()]*\))$/\1/p' ;;
	kind) "$2" --help | sed -n 's/^  \([a-z][a-z0-9.-]*\)   .*/\1/p' ;;
	esac
}

# Words that begin with $1, from $2; readline completes only what follows the last character that separates words.
_pk_reply()
{
	local word=$1 rest=$1 before
	before=${word%"${word##*[=:]}"}
	case $COMP_WORDBREAKS in *[=:]*) ;; *) before= ;; esac
	rest=$(compgen -W "$2" -P "$3" -- "$4")
	[ -n "$rest" ] || return
	mapfile -t COMPREPLY <<<"$rest"
	[ -z "$before" ] || COMPREPLY=("${COMPREPLY[@]#"$before"}")
	case ${COMPREPLY[0]} in *=) compopt -o nospace 2>/dev/null ;; esac
}

# _pk_complete WORD TEXT KIND PROGRAM: values of a kind for TEXT, the end of WORD. Lists have commas.
_pk_complete()
{
	local last=${2##*,}
	[ "$3" != file ] && [ "$3" != none ] || return
	_pk_reply "$1" "$(_pk_values "$3" "$4")" "${1%"$last"}" "$last"
}

# The operands of programs whose first one is a name.
_pk_operand()
{
	case $1 in
	pk) [ "$2" = help ] && echo topic || { [ -z "$2" ] && echo command; } ;;
	pk-span) [ -n "$2" ] || echo view ;;
	pk-plot | pk-export) [ -n "$2" ] || echo kind ;;
	esac
}

_pk()
{
	local program=${1##*/} line=${COMP_LINE:0:COMP_POINT} word first='' previous='' kind text
	local -a words
	COMPREPLY=()
	read -ra words <<<"$line"
	word=${words[${#words[@]} - 1]}
	case $line in *[[:blank:]]) word='' words+=('') ;; esac
	for text in "${words[@]:1:${#words[@]} - 2}"; do
		[ "$text" != -- ] || { _pk_command "$program" "$word" && return; }
		case $text in -*) ;; *) [ -n "$first" ] || [ -n "$(_pk_kind "$program" "$previous")" ] || first=$text ;; esac
		previous=$text
	done
	# The arguments of a command of pk are mostly those of pk-record.
	[ "$program" != pk ] || [ -z "$first" ] || [ "$first" = help ] || program=pk-record
	kind=$(_pk_kind "$program" "$previous")
	case $word in
	--*=*) _pk_complete "$word" "${word#*=}" "$(_pk_kind "$program" "${word%%=*}")" "$program" ;;
	*)
		if [ -n "$kind" ]; then
			_pk_complete "$word" "$word" "$kind" "$program"
		elif [ "${word:0:1}" = - ]; then
			_pk_reply "$word" "$(_pk_options "$program")" '' "$word"
		else
			kind=$(_pk_operand "$program" "$first")
			[ -z "$kind" ] || _pk_complete "$word" "$word" "$kind" "$program"
		fi
		;;
	esac
}

# After "--", pk, pk-record and pk-stat have a command.
_pk_command()
{
	case $1 in pk | pk-record | pk-stat) ;; *) return 1 ;; esac
	mapfile -t COMPREPLY < <(compgen -c -- "$2")
}

