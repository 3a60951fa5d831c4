# SPDX-License-Identifier: BSD-2-Clause
# Files are made by pk_create, or by what is as careful: not through a link, not readable by others.
. "$PK_TOP/tests/lint/files.bash"

while read -r f; do
	code=$(gcc -fpreprocessed -E -P "$f" 2>/dev/null) # without comments
	while read -r line; do
		complain "$f: pk_create or pk_output_text opens outputs: $line"
	done < <(grep -E '\b(freopen|creat)\(|\bfopen\(.*"[wa]' <<<"$code")
	grep -q O_CREAT <<<"$code" || continue
	grep -qE 'O_EXCL|O_NOFOLLOW' <<<"$code" || complain "$f: O_CREAT without O_EXCL or O_NOFOLLOW"
	grep -qE '\b06[0-7][46]\b' <<<"$code" && case $f in
	pk-record/pid_file.c) ;; # a process id is no secret, and others look for it
	*) complain "$f: a mode that lets others read" ;;
	esac
done < <(files 'lib*.c' 'pk/*.c' 'pk-*.c' | xargs -r grep -lE 'freopen|creat\(|fopen|O_CREAT')
finish
