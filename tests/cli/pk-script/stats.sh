# SPDX-License-Identifier: BSD-2-Clause
# Numbers about one stream, several of them, and none; where it was recorded, and by what it went.
cd "$PK_TOP/tests/data" || exit
pk-script --stats x86_64.perf.zst
pk-script --stats --json x86_64.perf.zst s390x.perf.zst 2>/dev/null
pk-script --stats --json "$PK_TOP/format/vectors/good/header-only-le.pk"
pk-script --stats /nonexistent
echo "exit $?"
pk-script --header-only <x86_64.perf.zst
pk-script --header - <x86_64.pk.zst 2>/dev/null | grep -A 2 '^# stage' | sed 's/, 20.*Z:.*/, TIME: .../' | head -n 3
