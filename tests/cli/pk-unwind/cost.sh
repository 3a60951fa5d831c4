# SPDX-License-Identifier: BSD-2-Clause
# Unwind information whose expressions take long, for samples that are short.
. "$PK_TOP/tests/cli/cost.bash"
unpack unwind.pk
program unwind fs
exec 2>&1
bounded 1 200 pk-unwind --symfs=fs unwind.pk >out.pk
[ "$(wc -c <out.pk)" -lt 10000 ] || echo "$(wc -c <out.pk) bytes"
