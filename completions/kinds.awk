# SPDX-License-Identifier: BSD-2-Clause
# Adds the kind of its values to each option, and cuts the text about it. Kinds of pictures and formats share options: the
# first text counts. Input: PROGRAM and the line of --list-options: letter, name, argument, word for the value, text.

function kind(name, word) {
	if (name ~ /^--(event|start|end|cancel|list)$/)
		return "event"
	if (name == "--metrics")
		return "metric"
	if (word ~ /^(FIELD|KEY,|EXPR)/ || name ~ /^--(fields|weight)$/)
		return "field"
	if (name == "--view")
		return "view"
	if (name == "--fail-on")
		return "loss"
	return word ~ /^\[?(FILE|DIR|FOLDER|PATH|BASE|KEY)\]?$/ ? "file" : "none"
}

!seen[$2, $3]++ {
	if (length($6) > 72) {
		$6 = substr($6, 1, 69)
		sub(/ [^ ]*$/, " ...", $6)
	}
	print $1, $2, $3, $4, $4 == "no" ? "none" : kind($3, $5), $6
}
