# SPDX-License-Identifier: BSD-2-Clause

# Events or metrics that can be recorded or counted here.
_pk_listed()
{
	"$@" 2>/dev/null | sed -n '/: not on this machine$/d; s/^\([A-Za-z][A-Za-z0-9_:./-]*\) .*/\1/p'
}

_pk_values()
{
	local -a values
	case $1 in
	event) values=(${(f)"$(_pk_listed pk-record --list)"}) ;;
	metric) values=(${(f)"$(_pk_listed pk-stat --list metric)"}) ;;
	field) values=($_pk_fields) ;;
	view) values=(${(f)"$($service --view list 2>/dev/null </dev/null | sed -n 's/^\([^ ][^ ]*\).*/\1/p')"}) ;;
	loss) values=(lost truncated unresolved) ;;
	command) values=(help ${(f)"$(pk 2>/dev/null | sed -n 's/^  pk \([^ ]*\)  .*/\1/p')"}) ;;
	topic) values=(${(f)"$(pk 2>/dev/null | sed -n 's/^  pk \([^ ]*\)  .*/\1/p; s/^[^ ].*(\([^ ()]*\))$/\1/p')"}) ;;
	kind) values=(${(f)"$($service --help | sed -n 's/^  \([a-z][a-z0-9.-]*\)   .*/\1/p')"}) ;;
	file) _files && return ;;
	*) return 1 ;;
	esac
	case $1 in
	event | metric | field | loss) _values -s , $1 ${values//:/\\:} ;;
	*) compadd -- $values ;;
	esac
}

_pk()
{
	local -a specs
	local service=$service
	case $service in
	pk)
		if (( CURRENT > 3 )) && [[ $words[2] != help && $words[2] != -* ]]; then
			shift words
			(( CURRENT-- ))
			service=pk-record
			_pk
			return
		fi
		_pk_specs pk
		if [[ $words[2] == help ]]; then
			specs+=('1:command: _pk_values command' '2:topic: _pk_values topic')
		else
			specs+=('1:command: _pk_values command')
		fi
		;;
	pk-record | pk-stat)
		_pk_specs $service
		specs+=('(-)1: :_command_names -e' '*::arguments:_normal')
		;;
	pk-span)
		_pk_specs $service
		specs+=('1:preset: _pk_values view' '*:file:_files')
		;;
	pk-plot | pk-export)
		_pk_specs $service
		specs+=('1:kind: _pk_values kind' '*:file:_files')
		;;
	*)
		_pk_specs $service
		specs+=('*:file:_files')
		;;
	esac
	_arguments -s -S : $specs
}

