# SPDX-License-Identifier: BSD-2-Clause
# The global symbols of lib/ and libpkstream/ begin with pk_; those of lib/base, which all use, with pk_ or the name of their file.
. "$PK_TOP/tests/lint/files.bash"

while read -r object symbol; do
	file=${object##*/}
	case $object,$symbol in
	lib/base/*,"${file%.o}"_*) ;;
	*) complain "${object%.o}.c: other files see $symbol(), whose name does not begin with pk_" ;;
	esac
done < <(files 'lib/*.c' 'libpkstream/*.c' | sed 's/c$/o/' | (cd "$PK_BUILD" && xargs -r nm -A -P -g) |
	awk '$3 !~ /^[Uw]$/ && $2 !~ /^pk_/ { sub(":$", "", $1); print $1, $2 }')
finish
