# SPDX-License-Identifier: BSD-2-Clause
# A script in Python for the events of the input: names from the input become identifiers, and arguments differ.
cd "$PK_TOP" || exit
pk-script -q --gen=python tests/data/arm64.pk.zst tests/data/arm64.perf.zst
pk-script -q --gen=python format/vectors/good/pk-arguments-le.pk | grep '^def'
pk-script -q --gen=python tests/data/x86_64.pk.zst | grep '^def'
pk-script --gen=perl tests/data/x86_64.pk.zst
echo "exit $?"
pk-script --gen=python --json tests/data/x86_64.pk.zst
echo "exit $?"
pk-script --gen=python /nonexistent
echo "exit $?"
