/* Flame graphs and flame charts: rows of frames. One item for each frame: x0, x1: its extent, as
 * parts of the width of the picture; row: 0 is the root; lane: the thread of a flame chart. */
function start(svg) {
	const group = svg.querySelector('.frames');
	const x = +group.dataset.x, drawn = +group.dataset.width, deep = +(group.dataset.deep || 0);
	const more = fitWindow(svg), inner = drawn + more;
	const letter = measureLetter(svg);
	const axis = timeAxis(svg, letter, more);
	const frames = [], rows = [];
	let above = -1;		/* rows up to this one are those of callers of the zoomed frame */
	let current = null;

	const title = f => f.g.firstChild.textContent;
	const name = f => f.g.dataset.name || title(f).replace(/ \([^()]*\)$/, '');

	function collect() {
		Array.from(group.children).forEach((g, index) => {
			const list = [];
			const lane = +(g.dataset.lane || 0);
			const row = g.dataset.row === undefined ? index : +g.dataset.row;
			for (const item of g.children) {
				const rect = item.children[1];
				const left = +rect.getAttribute('x'), w = +rect.getAttribute('width');
				const f = {g: item, rect, text: item.children[2] || null, row, lane, index,
					x0: (left - x) / drawn, x1: (left + w - x) / drawn, shown: true};
				item.frame = f;
				list.push(f);
				frames.push(f);
			}
			rows.push(list);
		});
		/* Marks of rows that are not shown yet. */
		for (const g of svg.querySelectorAll('.more>g')) {
			const rect = g.children[1], left = +rect.getAttribute('x'), w = +rect.getAttribute('width');
			g.setAttribute('tabindex', 0);
			g.setAttribute('role', 'button');
			frames.push({g, rect, text: null, row: Infinity, lane: 0, index: -1, mark: true,
				x0: (left - x) / drawn, x1: (left + w - x) / drawn, shown: true});
		}
	}

	/* Shows the rows that are not shown at first. */
	function showDeep() {
		svg.classList.add('tall');
		if (!svg.classList.contains('icicle'))
			group.setAttribute('transform', 'translate(0 ' + deep + ')');
		view.extend(deep);
		/* What was in sight stays in sight. */
		if (svg === document.documentElement && !svg.classList.contains('icicle'))
			scrollBy(0, deep);
	}

	function openMark(event) {
		if (event.type === 'keydown' && event.key !== 'Enter' && event.key !== ' ')
			return;
		event.preventDefault();
		event.stopPropagation();
		showDeep();
	}

	function label(f, left, w) {
		const text = cut(name(f), Math.floor((w - 4) / letter));
		if (!text) {
			if (f.text)
				f.text.remove();
			f.text = null;
			return;
		}
		if (!f.text) {
			f.text = element('text', {y: baseline});
			f.g.appendChild(f.text);
		}
		f.text.setAttribute('x', (left + 3).toFixed(2));
		f.text.textContent = text;
	}

	const sample = group.querySelector('text');
	const baseline = sample ? sample.getAttribute('y') : 12;

	/* A frame is shown if a part of it is in the extent and is wide enough. */
	function draw(from, to) {
		const scale = inner / (to - from);
		for (const f of frames) {
			const a = Math.max(f.x0, from), b = Math.min(f.x1, to);
			const w = (b - a) * scale, show = w >= 0.05;
			if (show !== f.shown)
				f.g.style.display = show ? '' : 'none';
			f.shown = show;
			if (!show)
				continue;
			const left = x + (a - from) * scale;
			f.rect.setAttribute('x', left.toFixed(2));
			f.rect.setAttribute('width', w.toFixed(2));
			f.g.classList.toggle('above', f.row <= above && f.x1 - f.x0 > (to - from) * 1.0001);
			label(f, left, w);
		}
		axis(from, to);
	}

	function zoom(f) {
		view.zoom(f.x0, f.x1, f.row);
		select(f);
	}

	/* Frames inside of one that matches are not counted again. */
	function cover(found) {
		let end = -1, lane = -1, sum = 0;
		found.sort((a, b) => a.lane - b.lane || a.x0 - b.x0 || a.row - b.row);
		for (const f of found) {
			if (f.lane !== lane)
				end = -1;
			lane = f.lane;
			if (f.x1 <= end + 1e-9)
				continue;
			sum += f.x1 - Math.max(f.x0, end);
			end = f.x1;
		}
		return sum;
	}

	/* The share of all frames of row 0. */
	function find(expression) {
		const found = [];
		for (const f of frames) {
			const is = !!expression && !f.mark && (f.row > 0 || group.dataset.lanes !== undefined) &&
				expression.test(name(f));
			f.g.classList.toggle('found', is);
			if (is)
				found.push(f);
		}
		const all = group.dataset.lanes === undefined ? 1 : cover(frames.slice()) || 1;
		return 'Matched: ' + (100 * cover(found) / all).toFixed(2) + '% (' + found.length + ' frames)';
	}

	/* ---- Mouse and keys ---- */

	function frameOf(event) {
		let item = event.target;
		while (item && !item.frame && item !== group)
			item = item.parentNode;
		return item && item.frame ? item.frame : null;
	}

	function select(f) {
		if (current)
			current.g.classList.remove('current');
		current = f;
		if (f)
			f.g.classList.add('current');
		tell(f);
	}

	function tell(f) {
		view.tell(f ? title(f) : '');
	}

	group.addEventListener('click', event => {
		const f = frameOf(event);
		if (f && f.g.localName !== 'a')
			zoom(f);
	});
	group.addEventListener('mouseover', event => tell(frameOf(event) || current));
	group.addEventListener('mouseleave', () => tell(current));

	/* The nearest frame in a row of the same lane: that which contains the middle, or else starts
	 * nearest. */
	function nearest(index, f) {
		let best = null, distance = 2;
		for (const other of rows[index] || []) {
			const d = Math.max(other.x0 - f.x0, f.x0 - other.x1, 0);
			if (other.shown && d < distance && other.lane === f.lane &&
			    (other.row < f.row || other.x1 <= f.x1 + 1e-6)) {
				best = other;
				distance = d;
			}
		}
		return best && distance <= f.x1 - f.x0 ? best : null;
	}

	function beside(f, step) {
		const row = rows[f.index].filter(other => other.shown);
		return row[row.indexOf(f) + step] || null;
	}

	function move(key) {
		const up = svg.classList.contains('icicle') ? -1 : 1;
		const f = current;
		if (!f)
			return rows[0] && rows[0][0];
		switch (key) {
		case 'ArrowUp': return nearest(f.index + up, f);
		case 'ArrowDown': return nearest(f.index - up, f);
		case 'ArrowLeft': return beside(f, -1);
		default: return beside(f, 1);
		}
	}

	function key(event) {
		if (/^Arrow/.test(event.key)) {
			event.preventDefault();
			select(move(event.key) || current);
		} else if (event.key === 'Enter' && current) {
			zoom(current);
		}
	}

	const view = makeView(svg, {x, width: inner, area: group, letter, draw, find, key,
		mark: row => { above = row - 1; }});
	for (const marks of svg.querySelectorAll('.more')) {
		marks.addEventListener('click', openMark);
		marks.addEventListener('keydown', openMark);
	}
	collect();
	/* The roots are at the bottom. */
	if (svg === document.documentElement && !svg.classList.contains('icicle'))
		scrollTo(0, document.documentElement.scrollHeight);
	view.start();
}
