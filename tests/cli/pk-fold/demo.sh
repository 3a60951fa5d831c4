# SPDX-License-Identifier: BSD-2-Clause
# The recording that make demo falls back on, and that every later pk has to read.
pk-fold "$PK_TOP/demo/demo.pk" >folded
wc -l <folded
sort -t ' ' -k 2nr folded | head -n 4
