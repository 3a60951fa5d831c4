/* Timelines: rows of pieces, arrows, and lines of counts. One item for each piece: x0, x1: its
 * extent, as parts of the width of the axis. */
function start(svg) {
	const group = svg.querySelector('.pieces');
	const x = +group.dataset.x, width = +group.dataset.width;
	const letter = measureLetter(svg);
	const axis = timeAxis(svg, letter);
	const all = +svg.querySelector('.axis').dataset.all;
	const lanes = {}, rows = [], pieces = [];
	const arrowsMost = 300;
	let current = null;

	for (const g of svg.querySelectorAll('.labels g'))
		lanes[g.dataset.lane] = g.querySelector('title').textContent.split('\n')[0];

	function collect() {
		for (const g of group.children) {
			const row = {list: [], names: g.querySelector('.names'), lane: lanes[g.dataset.lane],
				index: rows.length};
			const text = row.names.querySelector('text');
			row.baseline = text ? text.getAttribute('y') : 12;
			for (const named of g.children) {
				if (named === row.names)
					continue;
				const title = named.firstElementChild, name = title.textContent;
				for (const rect of named.querySelectorAll('rect')) {
					const left = +rect.getAttribute('x'), w = +rect.getAttribute('width');
					const piece = {rect, title, name, row, x0: (left - x) / width,
						x1: (left + w - x) / width, shown: true, found: false,
						count: +(rect.dataset.n || 1)};
					piece.time = +(rect.dataset.t || (piece.x1 - piece.x0) * all);
					rect.piece = piece;
					row.list.push(piece);
					pieces.push(piece);
				}
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
		({line, at: (+line.getAttribute('x1') - x) / width}));
	const arrowGroup = svg.querySelector('.arrows');
	const counters = Array.from(svg.querySelectorAll('.counter polyline')).map(line =>
		({line, points: line.getAttribute('points').trim().split(' ').map(point => {
			const [at, y] = point.split(',');
			return [(at - x) / width, y];
		})}));

	function drawPieces(row, from, to) {
		const scale = width / (to - from);
		const texts = [];
		for (const p of row.list) {
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
			const text = name !== p.name && p.count === 1 && p.alone ? cut(name, Math.floor((w - 4) / letter)) : '';
			if (text)
				texts.push(element('text', {x: (left + 3).toFixed(2), y: row.baseline}, text));
		}
		row.names.replaceChildren(...texts);
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
		axis(from, to);
	}

	function describe(p) {
		const start = durationText(p.x0 * all), length = durationText((p.x1 - p.x0) * all);
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
		if (current)
			current.rect.classList.remove('current');
		current = p;
		if (p)
			p.rect.classList.add('current');
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
		for (const p of pieces) {
			const is = !!expression && (expression.test(p.name) || expression.test(p.row.lane));
			if (is !== p.found)
				p.rect.classList.toggle('found', is);
			p.found = is;
			sum += p.time;
			time += is ? p.time : 0;
			count += is ? p.count : 0;
		}
		return 'Matched: ' + (100 * time / (sum || 1)).toFixed(2) + '% (' + count + ' spans)';
	}

	const pieceOf = event => event.target.piece || null;
	group.addEventListener('click', event => {
		if (pieceOf(event))
			zoom(pieceOf(event));
	});
	group.addEventListener('mouseover', event => tell(pieceOf(event) || current));
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
	view.start();
}
