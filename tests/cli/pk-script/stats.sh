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
echo "== header and statistics"
pk-script --header --stats x86_64.perf.zst 2>/dev/null | sed -n '/^# hostname/p; /SAMPLE/p'
pk-script --header-only --stats x86_64.perf.zst
echo "exit $?"
echo "== counts"
pk-stat -q --stream -e task-clock -o "$OLDPWD/counts.pk" -- true
pk-script "$OLDPWD/counts.pk"
pk-report "$OLDPWD/counts.pk"
