# SPDX-License-Identifier: BSD-2-Clause
# Outputs behind links and files of other users, which root alone can make.
[ "$(id -u)" = 0 ] || {
	echo "files of other users: wants root" >&2
	exit 77
}
pk-filter -q "$PK_TOP/tests/data/x86_64.pk.zst" >stream.pk
umask 022
mkdir -m 1777 shared
echo precious >precious
chmod 644 precious
kept()
{
	[ "$(cat precious)" = precious ] || echo "$1: wrote to the target of another user's link"
	echo precious >precious
}
export XDG_CONFIG_HOME=$PWD/config
mkdir -p config/pk
# shellcheck disable=SC2016 # a place of the line
echo 'test copy: pk-filter $@' >config/pk/commands
for main in "$PK_TOP"/pk{,-*}/main.c; do
	tool=${main%/main.c}
	tool=${tool##*/}
	args=(-- stream.pk)
	case $tool in
	pk-record | pk-top) continue ;;
	pk) args=(copy stream.pk) ;;
	pk-annotate) args=(-i stream.pk) ;;
	pk-export) args=(perf.data stream.pk) ;;
	pk-plot) args=(flame stream.pk) ;;
	pk-span) args=(--start '*' --end '*' --key pid -- stream.pk) ;;
	pk-stat) args=(-- "$PK_TOP/format/vectors/good/user-stat-le.pk") ;;
	esac
	# ours, a chain of ours, root's from another user's view
	ln -sfn "$PWD/target" shared/link
	ln -sfn link shared/chain
	for name in link chain; do
		rm -f target
		$tool -q -o shared/$name "${args[@]}" || echo "$tool: our own link: status $?"
		[ -s target ] && [ "$(stat -c %a target)" = 600 ] || echo "$tool: our own link was not followed"
	done
	# another's, directly and at the end of ours
	ln -sfn "$PWD/precious" shared/evil
	chown -h 12345:12345 shared/evil
	ln -sfn evil shared/chain
	for name in evil chain; do
		$tool -q -o shared/$name "${args[@]}" 2>err && echo "$tool: followed another user's link"
		grep -q "$name: a symbolic link of another user is not followed" err || echo "$tool: $(cat err)"
		kept "$tool -o shared/$name"
	done
	# dangling, and round
	ln -sfn "$PWD/nowhere" shared/evil
	chown -h 12345:12345 shared/evil
	$tool -q -o shared/evil "${args[@]}" 2>err && echo "$tool: followed another user's dangling link"
	[ ! -e nowhere ] || echo "$tool: made the target of another user's link"
	ln -sfn round shared/round
	$tool -q -o shared/round "${args[@]}" 2>err && echo "$tool: a link to itself"
	grep -q 'Too many levels' err || echo "$tool: $(cat err)"
	# a file of another user, who could read what is written into it, and a FIFO
	rm -f shared/file
	echo mine >shared/file
	chown 12345:12345 shared/file
	chmod 666 shared/file
	exec 5<shared/file
	$tool -q -o shared/file "${args[@]}" || echo "$tool: another user's file: status $?"
	[ "$(stat -c '%u %a' shared/file)" = '0 600' ] || echo "$tool: another user's file is $(stat -c '%u %a' shared/file)"
	[ "$(cat <&5)" = mine ] || echo "$tool: another user can read what is written"
	exec 5<&-
	rm -f shared/fifo
	mkfifo shared/fifo
	chown 12345:12345 shared/fifo
	exec 5<>shared/fifo
	$tool -q -o shared/fifo "${args[@]}" 2>err && echo "$tool: wrote into another user's FIFO"
	grep -q 'fifo: belongs to another user' err || echo "$tool: $(cat err)"
	exec 5<&-
done
# Appending keeps the content, which is another user's.
cp "$PK_TOP/format/vectors/good/user-stat-le.pk" counts.pk
rm -f shared/file
echo mine >shared/file
chown 12345:12345 shared/file
pk-stat --append -o shared/file counts.pk 2>err && echo "pk-stat --append: wrote into another user's file"
grep -q 'file: belongs to another user' err || echo "pk-stat: $(cat err)"
[ "$(cat shared/file)" = mine ] || echo "pk-stat --append: wrote into another user's file"
