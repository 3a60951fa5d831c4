# SPDX-License-Identifier: BSD-2-Clause
# The first sentence after each .It Fl of a manual page, as plain text: OPTION<TAB>ARGUMENT<TAB>TEXT. Items in a row share it.

# The words of a line without its macros.
function plain(line,    words, count, i, text, word, dash) {
	count = split(line, words, " ")
	for (i = 1; i <= count; i++) {
		word = words[i]
		if (word ~ /^\.?(Ar|Cm|Ql|Dv|Ev|Pa|Em|Sq|Dq|Pq|Op|Xr|Nm|Ns|No|Li|Sy|Va|Vt|Fa)$/) {
			if (word == ".Nm")
				text = text " " program
			continue
		}
		if (word ~ /^\.?Fl$/) {
			dash = dash "-"
			continue
		}
		if (word ~ /^[,.;:)]+$/ && !dash)
			text = text word
		else
			text = text " " dash word
		dash = ""
	}
	gsub(/\\&|"/, "", text)
	gsub(/\\\(aq/, "'", text)
	gsub(/\\e/, "\\", text)
	return text
}

function finish(    i) {
	sub(/^ +/, "", text)
	sub(/\. .*/, "", text)
	sub(/[.:,;]$/, "", text)
	for (i = 1; i <= count; i++)
		print options[i] "\t" arguments[i] "\t" text
	count = 0
	text = ""
}

/^\.Nm / && program == "" { program = $2 }
/^\.It Fl/ {
	if (text != "")
		finish()
	line = $0
	gsub(/Fl Fl /, "Fl -", line)
	words_count = split(line, words, " ")
	named = count
	for (i = 2; i <= words_count; i++) {
		if (words[i] == "Ar")
			while (named < count)
				arguments[++named] = words[i + 1]
		if (words[i] == "Fl")
			while (i < words_count && words[i + 1] !~ /^(Ar|Fl|Ns|Op|Cm|No|Oo|Pq)$/) {
				i++
				if (words[i] != "," && words[i] != "|") {
					options[++count] = "-" words[i]
					arguments[count] = ""
				}
			}
	}
	next
}
/^\.(It|El|Sh|Ss|Pp|Bl|Bd)/ { finish() }
count && text !~ /\.$/ { text = text plain($0) }
END { finish() }
