# SPDX-License-Identifier: BSD-2-Clause
# From pipe to pipe, where bytes move on without being copied, comes what comes from file to file.
set -o pipefail
good=$PK_TOP/format/vectors/good bad=$PK_TOP/format/vectors/bad

# All but when the stage began.
dump()
{
	pk-script --dump "$1" 2>/dev/null | grep -vE '^  time=[0-9]{19}$'
}

# same WHAT FILE
same()
{
	pk-filter <"$2" >file.pk 2>file.err
	local status=$?
	# shellcheck disable=SC2002 # a pipe on purpose
	cat "$2" | { pk-filter 2>pipe.err; echo $? >pipe.status; } | cat >pipe.pk
	[ $status = "$(cat pipe.status)" ] || echo "$1: status $status, $(cat pipe.status)"
	cmp file.err pipe.err || echo "$1: says something else"
	cmp <(dump file.pk) <(dump pipe.pk) || echo "$1: comes to something else"
}

for f in "$good"/*.pk "$bad"/{sample-id-le,sample-short-be,cut-record-le,zstd-cut,session-version-le}.pk; do
	cat "$f"
done >once.pk
same vectors once.pk

# Runs that are longer than what is copied, with records between them that are left out.
for _ in $(seq 100); do
	cat "$good"/{like-perf-le,sample-ids-same-be,sample-callchains-le}.pk "$bad/sample-id-le.pk"
done >short.pk
same 'short sessions' short.pk
zstd -dcq "$PK_TOP/tests/data/x86_64.pk.zst" >le.pk
zstd -dcq "$PK_TOP/tests/data/s390x.pk.zst" >be.pk
cat le.pk short.pk le.pk be.pk "$PK_TOP/tests/data/x86_64.pk.zst" "$bad/sample-id-le.pk" le.pk be.pk le.pk >long.pk
same 'long sessions' long.pk
head -c 1000000 long.pk >cut.pk
same 'a cut session' cut.pk
[ "$(stat -c %s file.pk)" -gt 900000 ] || echo "that was not long"
exit 0
