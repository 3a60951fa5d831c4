# SPDX-License-Identifier: BSD-2-Clause
# Adds the kind of its values and the description to each option of a program. The first file has the descriptions.

# The kind of the values of an option, by its name, or by the word for its argument in the manual page.
function kind(name, argument) {
	if (name == "--event" || name == "--start" || name == "--end" || name == "--cancel" || name == "--list")
		return "event"
	if (name ~ /^--(by|sort|fields|weight|split-by|key|carry|task|where|start-where|end-where|cancel-where)$/)
		return "field"
	if (name == "--view")
		return "view"
	if (name == "--fail-on")
		return "loss"
	return argument ~ /^\[?(file|dir|directory|folder|path|base|object|kallsyms|vmlinux)\]?$/ ? "file" : "none"
}

FNR == NR {
	if (!($1 in text)) {
		text[$1] = $3
		word[$1] = $2
	}
	next
}
NF >= 4 {
	if (NF == 6)
		about = $6
	else if ($3 in text)
		about = text[$3]
	else
		about = $2 in text ? text[$2] : ""
	if (length(about) > 72) {
		about = substr(about, 1, 69)
		sub(/ [^ ]*$/, " ...", about)
	}
	print $1, $2, $3, $4, $4 == "no" ? "none" : kind($3, NF == 6 ? tolower($5) : word[$3] != "" ? word[$3] : word[$2]), about
}
