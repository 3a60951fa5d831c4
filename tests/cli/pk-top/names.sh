# SPDX-License-Identifier: BSD-2-Clause
# Names with control bytes, bidirectional marks, invalid UTF-8, wide characters or 65,000 bytes leave the screen whole: in
# rows, branches, filters and titles, on narrow screens, and in the file of the key P.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	session "1"
	name 7 'c\x1b[2Jk\xe2\x80\xae\xe5\xad\x97'
	strings 'a\x1b[2Jb\x0ac' 'r\xe2\x80\xaetl\xe2\x80\x8f' '\xff\xc3(\xed\xa0\x80z' "$(printf '\\xe5\\xad\\x97%.0s' {1..40})" \
		"$(printf '%065000d' 0)" 'e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81w' '/\xe5\xad\x97\x9b31m/\xe2\x81\xa6b'
	echo 'DSO id=1 kind=1 path=7'
	frame 1 1 256
	stack 1 0 1
	for i in 2 3 4 5 6; do
		frame "$i" "$i" 2 1
		stack "$i" $((i - 1)) "$i"
	done
	for i in 2 3 4 5 6; do
		deep 7 1 "$i" "${i}00" "${i}000000"
	done
	finish
} | assemble >names.pk
for locale in C.UTF-8 C; do
	echo "==== $locale"
	size=60x14
	start "LC_ALL=$locale pk-top -g caller names.pk"
	shot 'has ended'
	shot '^-.*r.tl' E Home
	press '^\+' C
	# Zooms with such values, and a row of a wide name.
	shot 'comm: a' d s t
	in_terminal resize-window -x 33 -y 8
	shot 'help  q:$'
	in_terminal resize-window -x 7 -y 5
	await '#####'
	screen
	keys q
	ended
done
start 'pk-top --by symbol --no-children names.pk'
await 'has ended'
press 'Print to' P
press ': 5 lines' Enter
cut -c 1-70 pk-top.1.txt
wc -c <pk-top.1.txt
keys q
ended
