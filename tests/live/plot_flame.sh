# SPDX-License-Identifier: BSD-2-Clause
# long
# Flame graphs in a browser: zoom, search, keys, links, as an image, and without scripts.
. "$PK_TOP/tests/live/browser.bash"
cat >small.folded <<'T'
other;Shape::draw 10
prog;main 10
prog;main;work_[i] 60
prog;main;write;vfs_write_[k] 20
T
pk-plot flame small.folded >flame.svg
pk-plot flame --icicle --html small.folded >icicle.html
echo '<img src="flame.svg">' >image.html
python3 -B "$PK_TOP/tests/live/plot_flame.py" "file://$PWD"/{flame.svg,icicle.html,image.html} >found 2>&1
diff found - <<'T'
flame.svg
errors: []
work: work (60 samples, 60.00%) 768
zoomed: 10 1280 #x=0.1&w=0.6&r=3
write is shown: False main: 1280
information: work (60 samples, 60.00%)
reset: 768 ''
search: Matched: 30.00% (3 frames) True False
wrong expression: not a regular expression
address: #s=wr%7C%5Eother%24
ended: '' ''
restored: Matched: 20.00% (1 frames) 1280
  selected: all
  selected: other
  selected: prog
  selected: Shape::draw
  selected: Shape::draw
  selected: main
  selected: other
  selected: other
zoomed: 1280
wheel makes it smaller: True
errors: []
icicle.html
errors: []
work: work (60 samples, 60.00%) 768
zoomed: 10 1280 #x=0.1&w=0.6&r=3
write is shown: False main: 1280
information: work (60 samples, 60.00%)
reset: 768 ''
search: Matched: 30.00% (3 frames) True False
wrong expression: not a regular expression
address: #s=wr%7C%5Eother%24
ended: '' ''
restored: Matched: 20.00% (1 frames) 1280
  selected: all
  selected: other
  selected: prog
  selected: Shape::draw
  selected: Shape::draw
  selected: main
  selected: other
  selected: other
zoomed: 1280
wheel makes it smaller: True
errors: []
image: 1200
without scripts: 8 boxes, 0 buttons
T
