# SPDX-License-Identifier: BSD-2-Clause
# awk -f flamegraph.awk < FOLDED > SVG: draws folded stacks as a flame graph. A rectangle is a function: as wide as its
# share of all samples, above its caller. Pointing at one shows its name and share. Run it with LC_ALL=C.

function escape(text) {
	gsub(/[[:cntrl:]]/, "?", text)
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	return text
}

# Warm colours; one function has one colour everywhere.
function color(name, i, hash) {
	for (i = 1; i <= length(name); i++)
		hash = (hash * 31 + index(alphabet, substr(name, i, 1))) % 9973
	return sprintf("rgb(%d,%d,%d)", 205 + hash % 50, 80 + hash % 131, hash % 56)
}

# Adds weight to the function at the end of path, which is called by the one at the end of parent.
function add(path, parent, name, depth, weight) {
	if (!(path in total)) {
		names[path] = name
		child[parent, ++children[parent]] = path
		if (depth > deepest)
			deepest = depth
	}
	total[path] += weight
}

function draw(path, x, depth, i, wide, name, room) {
	wide = total[path] * scale
	if (wide < 0.2)
		return
	name = names[path]
	room = int((wide - 6) / 7)
	y = height - 20 - (depth + 1) * 17
	printf "<g><title>%s (%.0f, %.2f%%)</title>", escape(name), total[path], 100 * total[path] / total[""]
	printf "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"16\" fill=\"%s\"/>", x, y, wide, color(name)
	if (room >= 3)
		printf "<text x=\"%.2f\" y=\"%d\">%s</text>", x + 3, y + 12,
			escape(length(name) > room ? substr(name, 1, room - 2) ".." : name)
	print "</g>"
	for (i = 1; i <= children[path]; i++) {
		draw(child[path, i], x, depth + 1)
		x += total[child[path, i]] * scale
	}
}

{
	weight = $NF
	sub(/ [^ ]*$/, "")
	count = split($0, frames, ";")
	path = ""
	total[""] += weight
	for (i = 1; i <= count; i++) {
		parent = path
		path = path ";" frames[i]
		add(path, parent, frames[i], i, weight)
	}
}

BEGIN {
	for (i = 32; i < 127; i++)
		alphabet = alphabet sprintf("%c", i)
}

END {
	names[""] = "all"
	width = 1200
	height = (deepest + 1) * 17 + 60
	scale = total[""] > 0 ? (width - 20) / total[""] : 0
	print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", width, height, width, height
	print " font-family=\"monospace\" font-size=\"11\">"
	print "<rect width=\"100%\" height=\"100%\" fill=\"#f8f8f0\"/>"
	printf "<text x=\"%d\" y=\"24\" font-size=\"16\" text-anchor=\"middle\">Flame graph</text>\n", width / 2
	draw("", 10, 0)
	print "</svg>"
}
