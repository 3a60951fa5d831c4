/* What all pictures have in common: the visible part of the x axis, the wheel, buttons, search, the
 * address, and the line of text at the bottom.
 *
 * picture: what the kind provides:
 *   x, width          the area of the x axis, in pixels
 *   area              the element of the data, for the mouse
 *   letter            the width of a character
 *   least             the smallest part that is shown, as a part of the whole
 *   draw(from, to)    shows this part of the x axis; 0 and 1 are its ends
 *   find(expression)  highlights what matches (null: nothing), and returns the text about it
 *   key(event)        handles a key that is not of all pictures; may be missing
 *   mark(number)      gets the number r of the address; may be missing
 *   save(), load(values)   further parts of the address as an array, and the parts of an address as
 *                     URLSearchParams; may be missing
 *   escape()          ends what is selected; false: nothing is; may be missing
 */
const ns = 'http://www.w3.org/2000/svg';

function element(name, attributes, text) {
	const item = document.createElementNS(ns, name);
	for (const [key, value] of Object.entries(attributes || {}))
		item.setAttribute(key, value);
	if (text !== undefined)
		item.textContent = text;
	return item;
}

function makeView(svg, picture) {
	const width = svg.viewBox.baseVal.width;
	let height = svg.viewBox.baseVal.height, lower = 0;	/* how much lower the line of text is than it was drawn */
	const info = svg.querySelector('.info'), notes = svg.querySelector('.hidden');
	const view = {from: 0, to: 1, mark: 0, pattern: '', show, zoom, unzoom, remember, tell, start, extend};

	function show(a, b) {
		const size = Math.min(1, Math.max(b - a, picture.least || 1e-9));
		view.from = Math.min(Math.max(0, a), 1 - size);
		view.to = view.from + size;
		reset.style.display = view.from > 0 || view.to < 1 ? '' : 'none';
		picture.draw(view.from, view.to);
	}

	function zoom(a, b, mark) {
		setMark(mark || 0);
		show(a, b);
		remember();
	}

	function unzoom() {
		zoom(0, 1, 0);
	}

	function setMark(mark) {
		view.mark = mark;
		if (picture.mark)
			picture.mark(mark);
	}

	/* The line and the notes have the same place. */
	function tell(text) {
		info.textContent = cut(text, Math.floor((width - 20) / picture.letter));
		line.style.display = text ? '' : 'none';
		if (notes)
			notes.style.display = text ? 'none' : '';
	}

	/* ---- The address: #x=0.1&w=0.2&r=3&s=pattern ---- */

	let own = '';
	function remember() {
		const parts = [];
		if (view.from > 0 || view.to < 1) {
			parts.push('x=' + +view.from.toFixed(12), 'w=' + +(view.to - view.from).toPrecision(7));
			if (picture.mark)
				parts.push('r=' + view.mark);
		}
		if (picture.save)
			parts.push(...picture.save());
		if (view.pattern)
			parts.push('s=' + encodeURIComponent(view.pattern));
		own = parts.length ? '#' + parts.join('&') : '';
		if (own !== location.hash)
			location.hash = own;
	}

	function restore() {
		if (location.hash === own)
			return;
		own = location.hash;
		const values = new URLSearchParams(own.slice(1));
		const x = +values.get('x') || 0, w = +values.get('w') || 1;
		setMark(+values.get('r') || 0);
		show(x, x + w);
		if (picture.load)
			picture.load(values);
		search(values.get('s') || '');
	}

	/* ---- Search ---- */

	function search(text) {
		let expression = null;
		view.pattern = text;
		if (input)
			input.value = text;
		try {
			expression = text ? new RegExp(text) : null;
		} catch (error) {
			matched.write('not a regular expression');
			return;
		}
		const found = picture.find(expression);
		matched.write(expression ? found : '');
	}

	/* ---- What stays in sight when a tall picture is scrolled ---- */

	function plate(x, y, w, h) {
		return element('rect', {class: 'background', x, y, width: w, height: h});
	}

	fitTitles(svg);
	wrapNotes(svg, picture.letter);
	const controls = svg.appendChild(element('g'));
	const line = svg.appendChild(element('g'));
	const infoTop = info.getAttribute('y') - 14;
	line.appendChild(plate(0, infoTop, width, height - infoTop));
	line.append(...svg.querySelectorAll('.info'));

	function settle() {
		const box = svg.getBoundingClientRect(), scale = box.height / height || 1;
		const below = Math.max(0, box.bottom - innerHeight) / scale;
		controls.setAttribute('transform', 'translate(0 ' + Math.max(0, -box.top) / scale + ')');
		line.setAttribute('transform', 'translate(0 ' + (lower - below) + ')');
	}

	/* Makes the picture taller. */
	function extend(more) {
		height += more;
		lower += more;
		setSize(svg, width, height);
		if (notes)
			notes.setAttribute('y', +notes.getAttribute('y') + more);
		settle();
	}

	/* A text on a plate that covers what is below it. */
	function control(text, x, attributes) {
		const group = controls.appendChild(element('g'));
		const back = group.appendChild(plate(0, 0, 0, 24));
		const item = group.appendChild(element('text', Object.assign({x, y: 18}, attributes)));
		const write = value => {
			const size = value ? (value.length + 1) * picture.letter : 0;
			item.textContent = value;
			back.setAttribute('x', / end$/.test(attributes.class) ? x - size : x - picture.letter);
			back.setAttribute('width', size && size + picture.letter);
		};
		write(text);
		return {group, item, write};
	}

	function button(text, x, anchor, action) {
		const {group, item} = control(text, x, {class: 'button ' + anchor, tabindex: 0, role: 'button'});
		item.addEventListener('click', action);
		item.addEventListener('keydown', event => {
			if (event.key === 'Enter' || event.key === ' ') {
				event.preventDefault();
				event.stopPropagation();
				action();
			}
		});
		return group;
	}

	let input = null;
	function ask() {
		if (!input) {
			const field = element('foreignObject', {x: width - 270, y: 24, width: 262, height: 28});
			input = document.createElementNS('http://www.w3.org/1999/xhtml', 'input');
			input.setAttribute('type', 'search');
			input.setAttribute('placeholder', 'regular expression');
			input.setAttribute('aria-label', 'Search');
			input.setAttribute('style', 'width:250px;font:inherit');
			input.addEventListener('input', () => search(input.value));
			input.addEventListener('change', remember);
			input.addEventListener('keydown', event => {
				event.stopPropagation();
				if (event.key === 'Enter')
					remember();
				if (event.key === 'Escape') {
					search('');
					remember();
					field.style.display = 'none';
				}
			});
			field.appendChild(input);
			controls.appendChild(field);
		}
		input.parentNode.style.display = '';
		input.value = view.pattern;
		input.focus({preventScroll: true});
	}

	const reset = button('Reset zoom', picture.x > 10 ? 10 : picture.x, 'start', unzoom);
	button('Search', width - 10, 'end', ask);
	const matched = control('', width - 20 - 7 * picture.letter, {class: 'matched end', role: 'status'});

	/* ---- Mouse and keys ---- */

	let timer = 0;
	function later() {
		clearTimeout(timer);
		timer = setTimeout(remember, 300);
	}

	function shift(part) {
		const size = view.to - view.from;
		show(view.from + size * part, view.to + size * part);
	}

	picture.area.addEventListener('wheel', event => {
		const box = svg.getBoundingClientRect();
		const at = ((event.clientX - box.left) / box.width * width - picture.x) / picture.width;
		const middle = view.from + (view.to - view.from) * Math.min(1, Math.max(0, at));
		const factor = event.deltaY < 0 ? 0.8 : 1.25;
		if (at < 0) /* on the labels, the wheel scrolls */
			return;
		event.preventDefault();
		if (event.shiftKey)
			shift(Math.sign(event.deltaY || event.deltaX) / 10);
		else
			show(middle - (middle - view.from) * factor, middle + (view.to - middle) * factor);
		later();
	}, {passive: false});

	function grow(factor) {
		const middle = (view.from + view.to) / 2, half = (view.to - view.from) / 2 * factor;
		show(middle - half, middle + half);
	}

	document.addEventListener('keydown', event => {
		if (event.key === 'f' && (event.ctrlKey || event.metaKey) || event.key === '/') {
			event.preventDefault();
			ask();
		} else if (event.ctrlKey || event.metaKey || event.altKey) {
			return;
		} else if (event.key === 'Escape') {
			if (view.pattern)
				search('');
			else if (!picture.escape || !picture.escape())
				unzoom();
			remember();
		} else if (event.key === '0') {
			unzoom();
		} else if (event.key === '+' || event.key === '-') {
			grow(event.key === '+' ? 0.5 : 2);
			later();
		} else if (picture.key) {
			picture.key(event);
		}
	});

	/* Draws the first view: that of the address. What a script reads out is no longer one image. */
	function start() {
		svg.setAttribute('role', 'group');
		info.setAttribute('role', 'status');
		addEventListener('scroll', settle);
		addEventListener('resize', settle);
		addEventListener('hashchange', restore);
		show(0, 1);
		settle();
		tell('');
		restore();
	}

	return view;
}

function setSize(svg, width, height) {
	svg.setAttribute('width', width);
	svg.setAttribute('height', height);
	svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
}

/* A picture that is alone in a window gets the width of the window, at least 400 pixels. In a narrow window, the legend
 * becomes smaller, but not so small that it cannot be read. Returns how much wider the picture is. The caller moves what
 * depends on the width, except texts in the middle and at the right, lines across the picture, and the legend. */
function fitWindow(svg) {
	const {width, height} = svg.viewBox.baseVal, root = document.documentElement;
	const alone = svg === root || document.body && svg.parentNode === document.body && document.body.children.length === 1;
	const legend = svg.querySelector('.legend'), box = legend && legend.getBBox();
	const right = legend && !svg.classList.contains('diff') ? box.x + box.width + 10 : 0;
	const least = Math.max(400, right * 0.7);
	const more = alone ? Math.max(least, root.clientWidth || innerWidth) - width : 0;

	if (alone)
		svg.style.minWidth = least + 'px';
	if (right > width + more)
		legend.setAttribute('transform', 'translate(0 ' + (box.y * (1 - (width + more) / right)) + ') scale(' + (width + more) / right + ')');
	if (!more)
		return 0;
	setSize(svg, width + more, height);
	const move = (selector, name, by) => {
		for (const item of svg.querySelectorAll(selector))
			item.setAttribute(name, +item.getAttribute(name) + by);
	};

	move(':scope>.middle', 'x', more / 2);
	move(':scope>.end', 'x', more);
	move('#pk-inside>rect', 'width', more);
	for (const line of svg.querySelectorAll('.axis line'))
		if (line.getAttribute('x2') - line.getAttribute('x1') > width / 3)
			line.setAttribute('x2', +line.getAttribute('x2') + more);
	for (const item of svg.querySelectorAll('.diff>.legend'))
		item.setAttribute('transform', 'translate(' + more / 2 + ')');
	return more;
}

/* Notes that are wider than the picture get a line for each of them. */
function wrapNotes(svg, letter) {
	const notes = svg.querySelector('.hidden'), {width} = svg.viewBox.baseVal;
	const parts = notes ? notes.textContent.split('; ') : [];

	if (parts.length < 2 || notes.textContent.length * letter < width - 20)
		return;
	notes.replaceChildren();
	parts.forEach((part, i) => {
		const line = document.createElementNS(ns, 'tspan');

		line.setAttribute('x', notes.getAttribute('x'));
		line.setAttribute('dy', (i ? 1.3 : -1.3 * (parts.length - 1)) + 'em');
		line.textContent = part;
		notes.append(line);
	});
}

/* A title that is wider than the picture becomes smaller, and is then cut. */
function fitTitles(svg) {
	for (const item of svg.querySelectorAll(':scope>.middle')) {
		const room = svg.viewBox.baseVal.width - (item.classList.contains('title') ? 140 : 20);
		const part = room / item.getComputedTextLength();

		if (!(part < 1))
			continue;
		item.style.fontSize = Math.max(0.75, part) * parseFloat(getComputedStyle(item).fontSize) + 'px';
		item.textContent = cut(item.textContent, Math.floor(item.textContent.length * Math.min(1, part / 0.75)));
	}
}

/* The width of a character of the font. */
function measureLetter(svg) {
	const probe = svg.appendChild(element('text', {}, 'MMMMMMMMMMMMMMMMMMMM'));
	const letter = probe.getComputedTextLength() / 20 || 7;
	probe.remove();
	return letter;
}

/* A text cut to a number of characters; '' if nothing useful is left. */
function cut(text, most) {
	const whole = Array.from(text);
	return most < 3 ? '' : whole.length <= most ? text : whole.slice(0, most - 2).join('') + '..';
}

/* ---- Time axes, as time_axis.c draws them ---- */

const timeUnits = [['s', 1e9], ['ms', 1e6], ['us', 1e3], ['ns', 1]];

function roundStep(least) {
	const power = Math.pow(10, Math.floor(Math.log10(Math.max(least, 1))));
	for (const factor of [1, 2, 5])
		if (factor * power >= least * 0.999)
			return factor * power;
	return 10 * power;
}

function timeUnit(nanoseconds) {
	return timeUnits.find(unit => nanoseconds >= unit[1] * 0.99995) || timeUnits[3];
}

/* The text of a duration in ns with 4 digits. */
function durationText(nanoseconds) {
	const unit = timeUnit(nanoseconds), value = nanoseconds / unit[1];
	const decimals = unit[1] < 2 || value >= 999.95 ? 0 : value >= 99.995 ? 1 : value >= 9.9995 ? 2 : 3;
	return value.toFixed(decimals) + ' ' + unit[0];
}

/* Returns a function that draws all time axes for a part of them. `more` is the result of fitWindow(). */
function timeAxis(svg, letter, more) {
	const axes = Array.from(svg.querySelectorAll('.axis[data-all]'), axis => oneTimeAxis(svg, axis, letter, more));
	return (from, to) => axes.forEach(axis => axis(from, to));
}

function oneTimeAxis(svg, axis, letter, more) {
	const values = {};
	for (const name of ['all', 'x', 'width', 'top', 'bottom'])
		values[name] = +axis.dataset[name];
	values.width += more;
	const y = axis.querySelector('text') ? axis.querySelector('text').getAttribute('y') : values.bottom + 12;
	return (from, to) => {
		const start = from * values.all, all = (to - from) * values.all || 1;
		const step = roundStep(all * 12 * letter / values.width);
		const unit = timeUnit(step), decimals = step / unit[1] >= 0.999 ? 0 : 1;
		axis.replaceChildren();
		for (let n = Math.ceil(start / step); n * step <= start + all; n++) {
			const x = values.x + (n * step - start) / all * values.width;
			const anchor = x + 6 * letter > svg.viewBox.baseVal.width ? 'end' :
				x < 6 * letter ? 'start' : 'middle';
			axis.appendChild(element('line', {x1: x.toFixed(2), x2: x.toFixed(2),
				y1: values.top, y2: values.bottom}));
			const text = (n * step / unit[1]).toFixed(decimals) + ' ' + unit[0];
			axis.appendChild(element('text', {x: x.toFixed(2), y, class: anchor}, text));
			if (values.bottom - values.top > 400)
				axis.appendChild(element('text', {x: x.toFixed(2), y: values.top - 3,
					class: anchor}, text));
		}
	};
}
