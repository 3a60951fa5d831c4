# SPDX-License-Identifier: BSD-2-Clause
# -e malloc records all functions of the C library that allocate memory, and pk-span malloc counts each call once, with all its bytes.
. "$PK_TOP/tests/live/record.bash"
pk-record -q -e malloc -o malloc.pk -- "$PK_BUILD/tests/live/allocations" 2>err || skip "no probes: $(head -n 1 err)"

pk-span -q malloc malloc.pk | pk-report -q --where 'trace.size >= 1000000' --by trace.size --show samples | awk 'NF == 2 { print $2, $1 }' |
	sort -n >sizes
# calloc and reallocarray with the product of both arguments; aligned_alloc can be memalign under another name
diff - sizes <<'EOF' || fail "not each call once with its bytes: $(pk-script -q malloc.pk)"
1000001 1
1000005 1
1000009 1
1000011 1
1000013 1
1000015 1
1000064 1
2000014 1
3000005 1
8000024 1
EOF
# what is not freed; posix_memalign stores the address in memory, where no probe sees it
pk-span -q malloc --pass malloc.pk | pk-span -q memory 2>err >memory.pk || fail "memory: $(cat err)"
pk-report -q --where 'trace.unfinished == 1 && trace.size >= 1000000' --by trace.size --show samples memory.pk | awk 'NF == 2 { print $2 }' |
	sort -n | paste -sd ' ' >left
[ "$(cat left)" = '1000009 1000013 1000015 1000064 2000014 3000005 8000024' ] || fail "not freed: $(cat left)"
