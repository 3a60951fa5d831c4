/* Timelines: rows of pieces, arrows, and lines of counts. One item for each piece: x0, x1: its
 * extent, as parts of the width of the axis. */
function start(svg) {
	const group = svg.querySelector('.pieces');
	const x = +group.dataset.x, drawn = +group.dataset.width;
	const more = fitWindow(svg), width = drawn + more;
	const letter = measureLetter(svg);
	const axis = timeAxis(svg, letter, more);
	const all = +svg.querySelector('.axis').dataset.all;
	const height = +group.dataset.height, step = +(group.dataset.step || 0) / all;
	const before = +(group.dataset.before || 0) / all;
	const lanes = {}, rows = [], names = [];
	const arrowsMost = 300;
	let current = null;

	for (const g of svg.querySelectorAll('.labels g'))
		lanes[g.dataset.lane] = g.querySelector('title').textContent.split('\n')[0];

	/* The numbers of add_counts() in timeline_rows.c. */
	function* counts(text) {
		const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
		let number = 0, factor = 1;
		for (const letter of text) {
			const digit = digits.indexOf(letter);
			number += digit % 32 * factor;
			factor *= 32;
			if (digit < 32) {
				yield number;
				number = 0;
				factor = 1;
			}
		}
	}

	/* The merged pieces of a path: those of add_levels(). */
	function addMerged(named, path) {
		const count = counts(path.dataset.n);
		let cell = 0, level = 0;
		path.cells = new Map();
		named.time += +path.dataset.t;
		for (const [, letter, number] of path.getAttribute('d').matchAll(/([hvV])(-?\d+)/g)) {
			if (letter !== 'h') {
				level = letter === 'V' ? 0 : level + +number;
				continue;
			}
			if (level) {
				const x0 = cell * step - before;
				const piece = {named, title: named.title, name: named.name, row: named.row, x0,
					x1: x0 + step, count: count.next().value, time: level / 100 * step * all};
				path.cells.set(cell, piece);
				named.count += piece.count;
				named.row.list.push(piece);
			}
			cell += +number;
		}
		const [, top, scale] = path.getAttribute('transform').match(/ (\S+)\) .* (\S+)\)/);
		named.row.paths.push({path, top, scale});
	}

	function addRect(named, rect) {
		const left = +rect.getAttribute('x'), w = +rect.getAttribute('width');
		const piece = {rect, named, title: named.title, name: named.name, row: named.row,
			x0: (left - x) / drawn, x1: (left + w - x) / drawn, shown: true, count: 1};
		piece.time = (piece.x1 - piece.x0) * all;
		rect.piece = piece;
		named.time += piece.time;
		named.count++;
		named.row.list.push(piece);
		named.row.single.push(piece);
	}

	function collect() {
		for (const g of group.children) {
			const row = {list: [], single: [], paths: [], names: g.querySelector('.names'),
				lane: lanes[g.dataset.lane], g, index: rows.length};
			const text = row.names.querySelector('text');
			row.baseline = text ? text.getAttribute('y') : 12;
			for (const named of g.children) {
				if (named === row.names)
					continue;
				const title = named.firstElementChild;
				const item = {g: named, title, name: title.textContent, row, time: 0, count: 0};
				named.querySelectorAll('path').forEach(path => addMerged(item, path));
				named.querySelectorAll('rect').forEach(rect => addRect(item, rect));
				names.push(item);
			}
			row.list.sort((a, b) => a.x0 - b.x0);
			/* Pieces that overlap (by more than 30 ns: places are rounded) have no names, because their
			 * names could overlap, too. */
			let end = -1;
			row.list.forEach((p, i) => {
				const next = row.list[i + 1];
				p.alone = p.x0 >= end - 30 / all && (!next || next.x0 >= p.x1 - 30 / all);
				end = Math.max(end, p.x1);
			});
			rows.push(row);
		}
	}

	const arrows = Array.from(svg.querySelectorAll('.arrows line')).map(line =>
		({line, at: (+line.getAttribute('x1') - x) / drawn}));
	const arrowGroup = svg.querySelector('.arrows');
	const counters = Array.from(svg.querySelectorAll('.counter polyline')).map(line =>
		({line, points: line.getAttribute('points').trim().split(' ').map(point => {
			const [at, y] = point.split(',');
			return [(at - x) / drawn, y];
		})}));

	function drawPieces(row, from, to) {
		const scale = width / (to - from);
		const texts = [];
		for (const p of row.single) {
			const a = Math.max(p.x0, from), b = Math.min(p.x1, to);
			const show = b >= a;
			if (show !== p.shown)
				p.rect.style.display = show ? '' : 'none';
			p.shown = show;
			if (!show)
				continue;
			const left = x + (a - from) * scale, w = (b - a) * scale;
			p.rect.setAttribute('x', left.toFixed(2));
			p.rect.setAttribute('width', Math.max(w > 3 ? w - 0.6 : w, 0.1).toFixed(2));
			const name = p.name.replace(/ \[[^\[]*\]$/, '');
			const text = name !== p.name && p.alone ? cut(name, Math.floor((w - 4) / letter)) : '';
			if (text)
				texts.push(element('text', {x: (left + 3).toFixed(2), y: row.baseline}, text));
		}
		row.names.replaceChildren(...texts);
		for (const item of row.paths)
			item.path.setAttribute('transform', 'translate(' + (x - (before + from) * scale) + ' ' + item.top +
				') scale(' + step * scale + ' ' + item.scale + ')');
	}

	/* A merged piece has no element of its own: a box marks it. */
	const marked = element('rect', {class: 'current', fill: 'none', height, 'pointer-events': 'none',
		'clip-path': 'url(#pk-inside)'});
	function drawMark(from, to) {
		marked.style.display = current && !current.rect ? '' : 'none';
		if (!current || current.rect)
			return;
		marked.setAttribute('transform', current.row.g.getAttribute('transform'));
		marked.setAttribute('x', x + (current.x0 - from) / (to - from) * width);
		marked.setAttribute('width', (current.x1 - current.x0) / (to - from) * width);
	}

	function drawArrows(from, to) {
		const shown = arrows.filter(arrow => arrow.at >= from && arrow.at <= to);
		if (!arrowGroup)
			return;
		arrowGroup.style.display = shown.length <= arrowsMost ? '' : 'none';
		for (const arrow of arrows)
			arrow.line.style.display = 'none';
		for (const arrow of shown.length <= arrowsMost ? shown : []) {
			const at = (x + (arrow.at - from) / (to - from) * width).toFixed(2);
			arrow.line.setAttribute('x1', at);
			arrow.line.setAttribute('x2', at);
			arrow.line.style.display = '';
		}
	}

	/* Points outside of the axis are at its ends. */
	function drawCounters(from, to) {
		for (const counter of counters) {
			const points = counter.points.map(([at, y]) => {
				const part = Math.min(1, Math.max(0, (at - from) / (to - from)));
				return (x + part * width).toFixed(2) + ',' + y;
			});
			counter.line.setAttribute('points', points.join(' '));
		}
	}

	function draw(from, to) {
		for (const row of rows)
			drawPieces(row, from, to);
		drawArrows(from, to);
		drawCounters(from, to);
		drawMark(from, to);
		axis(from, to);
	}

	function describe(p) {
		const start = durationText(Math.max(0, p.x0) * all), length = durationText((p.x1 - p.x0) * all);
		return p.row.lane + ': ' + p.name + (p.count > 1 ?
			', ' + p.count + ' spans of ' + durationText(p.time) + ' in ' : ', ') +
			length + ' at ' + start;
	}

	function tell(p) {
		view.tell(p ? describe(p) : '');
		if (p)
			p.title.textContent = describe(p);
	}

	function select(p) {
		if (current && current.rect)
			current.rect.classList.remove('current');
		current = p;
		if (p && p.rect)
			p.rect.classList.add('current');
		drawMark(view.from, view.to);
		tell(p);
	}

	function zoom(p) {
		const margin = Math.max((p.x1 - p.x0) / 2, 1 / all);
		view.zoom(p.x0 - margin, p.x1 + margin, 0);
		select(p);
	}

	/* The share of the time of all spans. A lane that matches: all its spans. */
	function find(expression) {
		let time = 0, sum = 0, count = 0;
		for (const named of names) {
			const is = !!expression && (expression.test(named.name) || expression.test(named.row.lane));
			named.g.classList.toggle('found', is);
			sum += named.time;
			time += is ? named.time : 0;
			count += is ? named.count : 0;
		}
		return 'Matched: ' + (100 * time / (sum || 1)).toFixed(2) + '% (' + count + ' spans)';
	}

	function pieceOf(event) {
		if (!event.target.cells)
			return event.target.piece || null;
		const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
		const at = view.from + (point.x - x) / width * (view.to - view.from);
		const cell = Math.floor((at + before) / step), pixel = Math.ceil((view.to - view.from) / width / step);
		/* The nearest one in the same pixel. */
		for (let i = 0; i <= pixel; i++) {
			const piece = event.target.cells.get(cell - i) || event.target.cells.get(cell + i);
			if (piece)
				return piece;
		}
		return null;
	}
	group.addEventListener('click', event => {
		if (pieceOf(event))
			zoom(pieceOf(event));
	});
	group.addEventListener('mousemove', event => tell(pieceOf(event) || current));
	group.addEventListener('mouseleave', () => tell(current));

	function nearest(row, p) {
		let best = null, distance = 2;
		for (const other of row ? row.list : []) {
			const d = Math.max(other.x0 - p.x1, p.x0 - other.x1, 0);
			if (d < distance) {
				best = other;
				distance = d;
			}
		}
		return best;
	}

	function move(key) {
		const p = current;
		if (!p)
			return rows[0] && rows[0].list[0];
		switch (key) {
		case 'ArrowUp': return nearest(rows[p.row.index - 1], p);
		case 'ArrowDown': return nearest(rows[p.row.index + 1], p);
		default: return p.row.list[p.row.list.indexOf(p) + (key === 'ArrowLeft' ? -1 : 1)];
		}
	}

	/* Moves the visible part so that the piece is in it. */
	function reveal(p) {
		const size = view.to - view.from;
		if (p.x1 < view.from || p.x0 > view.to)
			view.zoom(p.x0 - size / 2, p.x0 + size / 2, 0);
	}

	function key(event) {
		if (/^Arrow/.test(event.key)) {
			event.preventDefault();
			select(move(event.key) || current);
			if (current)
				reveal(current);
		} else if (event.key === 'Enter' && current) {
			zoom(current);
		}
	}

	const view = makeView(svg, {x, width, area: svg, letter, least: 100 / (all || 100), draw, find, key});
	collect();
	svg.appendChild(marked);
	view.start();
}
