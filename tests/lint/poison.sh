# SPDX-License-Identifier: BSD-2-Clause
# Functions that cannot be used safely, or not without a second thought, are not used;
# libraries neither print, exit nor touch signals.
. "$PK_TOP/tests/lint/files.bash"

# calls FUNCTIONS FILE: the lines that call one of them; comments are not code. Only files with such a word need the
# preprocessor, which removes comments.
calls()
{
	grep -qwE "$1" "$2" || return 0
	gcc -fpreprocessed -E -P "$2" 2>/dev/null | grep -E "(^|[^A-Za-z0-9_.>])($1) *\("
}

unsafe='strcpy|stpcpy|strcat|strncpy|strncat|sprintf|vsprintf|atoi|atol|atoll|atof|gets|strtok'
unsafe=$unsafe'|alloca|tmpnam|tempnam|mktemp|system|popen'
while read -r f; do
	while read -r line; do
		complain "$f: $line"
	done < <(calls "$unsafe" "$f")
done < <(files 'lib/*.[ch]' 'libpk*.[ch]' 'pk/*.[ch]' 'pk-*.[ch]')

streams()
{
	grep -qwE 'stdout|stderr' "$1" || return 0
	gcc -fpreprocessed -E -P "$1" 2>/dev/null | grep -wE 'stdout|stderr'
}

# Only lib/cli and the programs print, exit and touch signals.
loud='v?printf|v?dprintf|puts|putchar|perror|psignal|herror|v?warnx?|v?errx?|error'
loud=$loud'|exit|_exit|_Exit|quick_exit|abort|signal|sigaction|sigprocmask|sigqueue|raise|kill'
while read -r f; do
	while read -r line; do
		complain "$f: a library does not do this: $line"
	done < <(calls "$loud" "$f"; streams "$f")
done < <(files 'lib*/*.[ch]' | grep -v '^lib/cli/')
finish
