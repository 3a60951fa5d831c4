# SPDX-License-Identifier: BSD-2-Clause
# Files are made by pk_create, or by what is as careful: not through a link, not readable by others.
. "$PK_TOP/tests/lint/files.bash"

# Code of a file without comments and line breaks inside of calls.
code()
{
	gcc -fpreprocessed -E -P "$1" 2>/dev/null
}

while read -r f; do
	while read -r line; do
		complain "$f: pk_create or pk_output_text opens outputs: $line"
	done < <(code "$f" | grep -E '\b(freopen|creat)\(|\bfopen\(.*"[wa]')
	code "$f" | grep -q O_CREAT || continue
	code "$f" | grep -qE 'O_EXCL|O_NOFOLLOW' || complain "$f: O_CREAT without O_EXCL or O_NOFOLLOW"
	code "$f" | grep -qE '\b06[0-7][46]\b' && case $f in
	pk-record/pid_file.c) ;; # a process id is no secret, and others look for it
	*) complain "$f: a mode that lets others read" ;;
	esac
done < <(files 'libpk*.c' 'pk-*.c')
finish
