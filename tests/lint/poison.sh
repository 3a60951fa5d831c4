# SPDX-License-Identifier: BSD-2-Clause
# Functions that cannot be used safely, or not without a second thought, are not used;
# libraries neither print, exit nor touch signals.
. "$PK_TOP/tests/lint/files.bash"

# lines WORDS TEXT: reads paths from stdin. The lines of these files with one of the words, after TEXT. Comments and texts are no code.
lines()
{
	xargs -r -d '\n' perl -0777 -ne '
		BEGIN { ($words, $text) = (shift, shift) }
		s{"(?:\\.|[^"\\])*"|\x27(?:\\.|[^\x27\\])*\x27|//[^\n]*|/\*.*?\*/}{ }gs;
		print map { "$ARGV: $text$_\n" } grep { /$words/ } split /\n/;' "$1" "$2"
}

# calls FUNCTIONS: a regular expression for calls of these functions
calls()
{
	echo "(^|[^A-Za-z0-9_.>])($1) *\\("
}

unsafe='strcpy|stpcpy|strcat|strncpy|strncat|sprintf|vsprintf|atoi|atol|atoll|atof|gets|strtok'
unsafe=$unsafe'|alloca|tmpnam|tempnam|mktemp|system|popen'
while read -r line; do
	complain "$line"
done < <(files 'lib/*.[ch]' 'libpk*.[ch]' 'pk/*.[ch]' 'pk-*.[ch]' | lines "$(calls "$unsafe")" '')

# Only lib/cli and the programs print, exit and touch signals.
loud='v?printf|v?dprintf|puts|putchar|perror|psignal|herror|v?warnx?|v?errx?|error'
loud=$loud'|exit|_exit|_Exit|quick_exit|abort|signal|sigaction|sigprocmask|sigqueue|raise|kill'
while read -r line; do
	complain "$line"
done < <(files 'lib*/*.[ch]' | grep -v '^lib/cli/' | lines "$(calls "$loud")|\\b(stdout|stderr)\\b" 'a library does not do this: ')
finish
