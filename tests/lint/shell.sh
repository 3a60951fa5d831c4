# SPDX-License-Identifier: BSD-2-Clause
# The shell checker has nothing to say about the scripts.
. "$PK_TOP/tests/lint/files.bash"
# SC1090, SC1091, SC2034: what is sourced is checked by itself, and used by others. SC2164: a case that
# cannot cd fails anyway.
# A file that has passed is not checked again until it changes: its hash is the name of a file in this folder.
passed=$PK_BUILD/shellcheck
mkdir -p "$passed" || complain "$passed"
changed=$(files '*.sh' '*.bash' .ci/run bench/run | xargs -r sha256sum | while read -r hash file; do
	[ -e "$passed/$hash" ] || echo "$hash $file"
done)
if cut -d ' ' -f 2- <<<"$changed" | xargs -r shellcheck -x -s bash -S warning -f gcc -e SC1090,SC1091,SC2034,SC2164; then
	cut -d ' ' -f 1 <<<"$changed" | (cd "$passed" && xargs -r touch)
else
	complain "see above"
fi
finish
