# SPDX-License-Identifier: BSD-2-Clause
# long
# Flame charts and timelines in a browser: zoom, search, keys, links, as an image, and without scripts.
. "$PK_TOP/tests/live/browser.bash"
. "$PK_TOP/tests/cli/pk-plot/spans.bash"
look()
{
	pk-plot "$1" "$1.pk" >"$1.svg"
	pk-plot "$1" --html "$1.pk" >"$1.html"
	echo "<img src=\"$1.svg\">" >image.html
	python3 -B "$PK_TOP/tests/live/plot_lines.py" "$1" "file://$PWD"/{"$1.svg","$1.html",image.html} 2>&1
}
perl "$PK_TOP/tests/cli/pk-span/presets.pl" formats <<'S' >body
event probe:outer u64 x
event probe:outer__return u64 x
event probe:inner u64 x
event probe:inner__return u64 x
event probe:open u64 x
event probe:open__return u64 x
100 5 0 outer 1
200 5 0 inner 1
400 5 0 inner__return 1
500 5 0 inner 1
700 5 0 inner__return 1
900 5 0 outer__return 1
900 6 0 open 1
1100 6 0 open__return 1
S
{ header; cat body; } | assemble | pk-span -q functions >chart.pk
{
	header
	sched_events
	comm 1 1 first
	comm 2 2 second
	switch 1000 0 0 1
	switch 1200 0 1 0
	wakeup 1300 1 2 1
	switch 1500 0 0 1
	switch 1600 0 1 0
	wakeup 1600 0 1 2
	switch 1700 1 0 2
	switch 2000 1 2 0
} | assemble | pk-span -q sched --pass >timeline.pk
{ look chart; look timeline; } >found 2>messages
diff found - <<'T'
chart.svg
errors: []
axis: 0 us 100 us 200 us 300 us 400 us 500 us 600 us 700 us 800 us 900 us 1000 us
overlapping texts: 0
inner: inner (200.0 us at 100.0 us) 256
information: inner (200.0 us at 100.0 us)
tooltip: inner (200.0 us at 100.0 us)
zoomed: 1280 #x=0.1&w=0.2&r=1 100 us 120 us 140 us 160 us 180 us 200 us 220 us 240 us 260 us 280 us 300 us
overlapping texts: 0
reset: 256 ''
search: Matched: 40.00% (2 frames) True False #s=inner
ended: ''
restored: Matched: 20.00% (1 frames) 250 us 300 us 350 us 400 us 450 us 500 us 550 us 600 us 650 us 700 us 750 us
  selected: outer (800.0 us at 0 ns)
  selected: inner (200.0 us at 100.0 us)
  selected: inner (200.0 us at 400.0 us)
  selected: inner (200.0 us at 400.0 us)
  selected: outer (800.0 us at 0 ns)
  selected: outer (800.0 us at 0 ns)
zoomed: 0 us 100 us 200 us 300 us 400 us 500 us 600 us 700 us 800 us
wheel zooms: True True
errors: []
chart.html
errors: []
axis: 0 us 100 us 200 us 300 us 400 us 500 us 600 us 700 us 800 us 900 us 1000 us
overlapping texts: 0
inner: inner (200.0 us at 100.0 us) 256
information: inner (200.0 us at 100.0 us)
tooltip: inner (200.0 us at 100.0 us)
zoomed: 1280 #x=0.1&w=0.2&r=1 100 us 120 us 140 us 160 us 180 us 200 us 220 us 240 us 260 us 280 us 300 us
overlapping texts: 0
reset: 256 ''
search: Matched: 40.00% (2 frames) True False #s=inner
ended: ''
restored: Matched: 20.00% (1 frames) 250 us 300 us 350 us 400 us 450 us 500 us 550 us 600 us 650 us 700 us 750 us
  selected: outer (800.0 us at 0 ns)
  selected: inner (200.0 us at 100.0 us)
  selected: inner (200.0 us at 400.0 us)
  selected: inner (200.0 us at 400.0 us)
  selected: outer (800.0 us at 0 ns)
  selected: outer (800.0 us at 0 ns)
zoomed: 0 us 100 us 200 us 300 us 400 us 500 us 600 us 700 us 800 us
wheel zooms: True True
errors: []
image: 1200
without scripts: 4 boxes, 0 buttons
timeline.svg
errors: []
axis: 0 us 100 us 200 us 300 us 400 us 500 us 600 us 700 us 800 us 900 us 1000 us
overlapping texts: 0
delay: delay 237
information: first 1: delay, 200.0 us at 300.0 us
tooltip: first 1: delay, 200.0 us at 300.0 us
zoomed: 593 #x=0.200000920243&w=0.3999926 250 us 300 us 350 us 400 us 450 us 500 us 550 us
overlapping texts: 0
reset: 237 ''
search: Matched: 30.00% (2 spans) True False #s=delay
ended: ''
restored: Matched: 10.00% (1 spans) 250 us 300 us 350 us 400 us 450 us 500 us 550 us 600 us 650 us 700 us 750 us
  selected: first 1: run, 200.0 us at 0 ns
  selected: second 2: delay, 100.0 us at 600.0 us
  selected: second 2: run, 300.0 us at 700.0 us
  selected: second 2: run, 300.0 us at 700.0 us
  selected: first 1: run, 100.0 us at 500.0 us
  selected: first 1: delay, 200.0 us at 300.0 us
zoomed: 250 us 300 us 350 us 400 us 450 us 500 us 550 us
wheel zooms: True True
errors: []
timeline.html
errors: []
axis: 0 us 100 us 200 us 300 us 400 us 500 us 600 us 700 us 800 us 900 us 1000 us
overlapping texts: 0
delay: delay 237
information: first 1: delay, 200.0 us at 300.0 us
tooltip: first 1: delay, 200.0 us at 300.0 us
zoomed: 593 #x=0.200000920243&w=0.3999926 250 us 300 us 350 us 400 us 450 us 500 us 550 us
overlapping texts: 0
reset: 237 ''
search: Matched: 30.00% (2 spans) True False #s=delay
ended: ''
restored: Matched: 10.00% (1 spans) 250 us 300 us 350 us 400 us 450 us 500 us 550 us 600 us 650 us 700 us 750 us
  selected: first 1: run, 200.0 us at 0 ns
  selected: second 2: delay, 100.0 us at 600.0 us
  selected: second 2: run, 300.0 us at 700.0 us
  selected: second 2: run, 300.0 us at 700.0 us
  selected: first 1: run, 100.0 us at 500.0 us
  selected: first 1: delay, 200.0 us at 300.0 us
zoomed: 250 us 300 us 350 us 400 us 450 us 500 us 550 us
wheel zooms: True True
errors: []
image: 1200
without scripts: 10 boxes, 0 buttons
T
