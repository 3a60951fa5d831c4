# SPDX-License-Identifier: BSD-2-Clause
# Nothing is held back: while the input is still open, all that was read has been written, also samples that
# are not due yet.
stream=$PK_TOP/format/vectors/good/order-rounds.pk
count()
{
	pk-script --dump "$1" 2>/dev/null | grep -c ' SAMPLE type=9'
}
mkfifo in
pk-inject -q --symfs=/nonexistent <in >out.pk &
exec 3>in
cat "$stream" >&3
for _ in $(seq 100); do
	[ "$(count out.pk)" != "$(count "$stream")" ] || break
	sleep 0.1
done
[ "$(count out.pk)" = "$(count "$stream")" ] || echo "samples are held back"
[ "$(count "$stream")" -gt 0 ] || echo "there are none"
exec 3>&-
wait $!
