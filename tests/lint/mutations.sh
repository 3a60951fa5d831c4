# SPDX-License-Identifier: BSD-2-Clause
# Each substitution of tests/long/mutations.txt still changes its file.
set -u
failed=0
while IFS=$'\t' read -r file substitution _; do
	! sed "$substitution" "$PK_TOP/$file" | cmp -s - "$PK_TOP/$file" || {
		echo "$file: nothing to substitute: $substitution"
		failed=1
	}
done < <(grep -v '^#' "$PK_TOP/tests/long/mutations.txt")
exit $failed
