# SPDX-License-Identifier: BSD-2-Clause
# long
# Recordings of five machines: the names are the same without a cache, with an empty, a filled and a damaged one.
. "$PK_TOP/tests/corpus/corpus.bash"
export XDG_CACHE_HOME=$PWD/cache
cache=cache/pk/symbols

# same MACHINE SYMFS FILE
same()
{
	local options=(--symfs "$2" --kallsyms "kallsyms.$1") way
	pk-symbolize --no-cache "${options[@]}" "$3" 2>expected.err | pk-script -q --no-cache -F comm,ip,sym,symoff,dso >expected
	for way in empty filled damaged again; do
		case $way in
		empty) rm -rf cache ;;
		damaged) perl -e 'open my $f, "+<", $ARGV[0]; for (my $at = 131136; $at < -s $f; $at += 997) { seek $f, $at, 0; print $f "!" }' $cache ;;
		esac
		pk-symbolize "${options[@]}" "$3" 2>found.err | pk-script -q --no-cache -F comm,ip,sym,symoff,dso >found
		cmp -s expected found && cmp -s expected.err found.err || complain "$1 ${3##*/}: $way cache" "$(diff expected found | head -n 5)"
	done
	[ -s $cache ] && [ "$(wc -c <$cache)" -gt 131136 ] && filled=$((filled + 1))
}

filled=0
xz -dc "$PK_CORPUS/own/x86_64-7.2/kallsyms.boot1.xz" >kallsyms.x86_64-7.2
for f in "$PK_CORPUS"/own/x86_64-7.2/data/*; do
	same x86_64-7.2 "$PK_CORPUS/own/x86_64-7.2/rootfs" "$f"
done
for machine in s390x-6.1 s390x-7.2 arm64-7.2 armhf-7.2; do
	own=$PK_CORPUS/own/$machine
	[ -e "$own/symfs.tar.xz" ] || continue
	mkdir "$machine"
	xz -dc "$own/symfs.tar.xz" | tar -xf - -C "$machine"
	gzip -dc "$own/kallsyms.gz" >"kallsyms.$machine"
	for f in "$own"/data/*; do
		same "$machine" "$machine/symfs" "$f"
	done
done
[ $filled -gt 20 ] || complain "only $filled recordings have filled the cache"
exit $status
