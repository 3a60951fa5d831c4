# SPDX-License-Identifier: BSD-2-Clause
# The options of pk's programs that the documents of docs/ name in backquotes exist: "pk-PROGRAM ... --OPTION" and, after such a
# program on the same line up to a semicolon, further options in backquotes of their own.
. "$PK_TOP/tests/lint/files.bash"

# options_of PROGRAM: its long options, from its manual page, whose options are those of the program (cli/*/help)
options_of()
{
	grep -oE 'Fl (Fl |-)[a-z][a-z0-9-]*' "$1/$1.1" | sed -E 's/Fl (Fl |-)/--/' | sort -u
}

for f in docs/coming-from-perf.md docs/cookbook.md docs/faq.md docs/memory.md docs/tutorial.md; do
	while read -r program option; do
		[ -d "$program" ] || {
			complain "$f: no program $program"
			continue
		}
		options_of "$program" | grep -qxF -e "$option" || complain "$f: $program has no $option"
	done < <(awk '{
		program = ""
		gsub(/;/, " -- ")
		n = split($0, words, /[ `|,()=\]\[:]+/)
		for (i = 1; i <= n; i++) {
			if (words[i] ~ /^pk-[a-z-]+$/)
				program = words[i]
			else if (words[i] ~ /^(perf|--)$/)
				program = ""
			else if (words[i] ~ /^--[a-z][a-z0-9-]*$/ && program != "")
				print program, words[i]
		}
	}' "$f" | sort -u)
done
finish
