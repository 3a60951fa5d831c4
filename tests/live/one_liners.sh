# SPDX-License-Identifier: BSD-2-Clause
# The lines of docs/one-liners.md work, in their order, but those marked as untried and those that want events or rights that
# this machine does not give.
set -u -o pipefail
mkdir bin
printf '#!/bin/sh\nexec cat "$@" >/dev/null\n' >bin/flamegraph.pl
sed -i 's/ "$@"//' bin/flamegraph.pl
chmod +x bin/flamegraph.pl
PATH=$PWD/bin:$PATH

pk-record -q -a -e cpu-clock -o probe.pk -- true 2>err || {
	echo "recording of everything is not possible here: $(head -n 1 err)" >&2
	exit 77
}
# On a machine that idles there would be nothing to see.
"$PK_BUILD/tests/live/spinner" 1000 &
spinner=$!
trap 'kill $spinner' EXIT
lacking='no such event|not supported|no counter|no hardware|there is no tracepoint|cannot be opened|no tracepoint|uprobe|tracefs'
failed=0 tried=0 left_out=0
while read -r line; do
	case $line in *'# untried'*) continue ;; esac
	if timeout 60 bash -c "set -o pipefail; $line" </dev/null >out 2>err; then
		tried=$((tried + 1))
	elif grep -qE "$lacking" err || ! [ -s err ]; then
		left_out=$((left_out + 1))
		echo "left out: $line: $(head -n 1 err)" >&2
	else
		echo "$line: status $?: $(head -n 3 err)"
		failed=1
	fi
done < <(sed -n 's/^    \$ //p' "$PK_TOP/docs/one-liners.md")
[ $failed = 0 ] || exit 1
[ $tried -gt 20 ] || {
	echo "only $tried lines could be tried" >&2
	exit 77
}
