# SPDX-License-Identifier: BSD-2-Clause
# long
# One object on a line, whatever the input: lines of the golden streams begin and end as they must and
# hold no byte that a terminal obeys.
for f in "$PK_TOP"/format/vectors/{good,bad}/*.pk; do
	pk-script -q --json --kallsyms /dev/null --symfs /nonexistent "$f" >out 2>/dev/null
	case $? in 0 | 1) ;; *) echo "$f: status $?" ;; esac
	grep -avx '{"type":".*}' out
	LC_ALL=C grep -a '[[:cntrl:]]' out
	pk-script -q --kallsyms /dev/null --symfs /nonexistent "$f" >out 2>/dev/null
	case $? in 0 | 1) ;; *) echo "$f: status $?" ;; esac
	tr -d '\n\t' <out | LC_ALL=C grep -a '[[:cntrl:]]'
done
exit 0
