# SPDX-License-Identifier: BSD-2-Clause
# The programs in examples/ are compiled as C and as C++, and do what their comments say.
set -u
status=0
complain()
{
	echo "$*"
	status=1
}
sanitize=${PK_SAN:+-fsanitize=$PK_SAN}
flags="-Wall -Wextra -Werror -I$PK_TOP/libpkstream $sanitize"
command -v g++ >/dev/null || {
	echo "no g++" >&2
	exit 77
}
for f in "$PK_TOP"/examples/*.c; do
	name=${f##*/}
	name=${name%.c}
	# shellcheck disable=SC2086 # words on purpose
	{
		cc -std=gnu11 $flags -o "$name" "$f" "$PK_BUILD/libpkstream.a" -lzstd &&
			g++ -x c++ -std=c++11 $flags -o "$name++" "$f" -x none "$PK_BUILD/libpkstream.a" -lzstd
	} || exit 1
done

zstd -qdc "$PK_TOP/tests/data/arm64.pk.zst" >app.pk
pk-script --stats --json app.pk 2>/dev/null | grep -o '"name":"[^"]*","samples":[0-9]*' |
	sed 's/"name":"\(.*\)","samples":\(.*\)/\2 \1/' >expected
for plus in '' ++; do
	"./count_samples$plus" app.pk >counted || complain "count_samples$plus: exit $?"
	cmp -s expected counted || complain "count_samples$plus: $(diff expected counted)"
	"./write_samples$plus" >new.pk || complain "write_samples$plus: exit $?"
	"./count_samples$plus" <new.pk >counted
	[ "$(<counted)" = '10 cpu-clock' ] || complain "write_samples$plus: $(<counted)"
	[ "$(pk-script -F comm,tid,period,event new.pk | grep -c 'example *4711 *1000000 cpu-clock')" = 10 ] ||
		complain "write_samples$plus: pk-script reads other samples"
	tid=$(pk-script -F tid app.pk 2>/dev/null | awk 'NF == 1 { print $1; exit }')
	"./keep_thread$plus" "$tid" <app.pk >kept.pk || complain "keep_thread$plus: exit $?"
	pk-script kept.pk >kept 2>/dev/null
	pk-filter --tid "$tid" app.pk 2>/dev/null | pk-script >wanted 2>/dev/null
	cmp -s wanted kept && [ -s kept ] || complain "keep_thread$plus: $(diff wanted kept | head -n 5)"
	head -c 5000 app.pk | "./count_samples$plus" >counted 2>err && complain "count_samples$plus: a cut stream is complete"
	grep -q offset err || complain "count_samples$plus: $(<err)"
done
exit $status
