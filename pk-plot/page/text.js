// SPDX-License-Identifier: BSD-2-Clause
/* Texts of numbers, elements, files. Names of the recording become text only: textContent and
 * fillText(). */

function element(name, properties = {}, ...children) {
	const made = document.createElement(name);

	for (const [key, value] of Object.entries(properties))
		if (key === 'class')
			made.className = value;
		else if (key in made && !key.includes('-'))
			made[key] = value;
		else
			made.setAttribute(key, value);
	made.append(...children);
	return made;
}

const find = id => document.getElementById(id);

/* ---- Numbers ---- */

const grouped = new Intl.NumberFormat('en-US');

/* A weight with its unit: nanoseconds become a readable time. */
function weightText(weight, unit) {
	if (unit === 'nanoseconds')
		return timeText(weight);
	return grouped.format(weight) + (unit ? ' ' + unit : '');
}

function timeText(nanoseconds) {
	const units = ['ns', 'us', 'ms', 's'];
	let i = 0;

	for (; Math.abs(nanoseconds) >= 999.95 && i < 3; i++)
		nanoseconds /= 1000;
	return (i ? nanoseconds.toFixed(2).replace(/\.00$/, '') : nanoseconds) + ' ' + units[i];
}

function percentText(part, all) {
	return all ? (100 * part / all).toFixed(2) + '%' : '';
}

/* A difference of percentages. The sign tells the direction, also without colours. */
function changeText(change) {
	return (change < 0 ? '−' : '+') + Math.abs(change).toFixed(2) + '%';
}

function secondsText(nanoseconds) {
	const text = String(nanoseconds).padStart(10, '0');

	return text.slice(0, -9) + '.' + text.slice(-9);
}

/* The name of a process or thread, with its number. */
function taskText(comm, number) {
	return (comm ?? '[unknown]') + ' ' + number;
}

/* ---- Search ---- */

/* Returns a function that tells whether a text matches: a regular expression, or if that is
 * malformed, a part of the text. Capitals count only if there are some. */
function matcher(search) {
	const flags = search === search.toLowerCase() ? 'i' : '';

	if (!search)
		return null;
	try {
		const expression = new RegExp(search, flags);

		return text => expression.test(text);
	} catch {
		return text => (flags ? text.toLowerCase() : text).includes(search);
	}
}

/* ---- Files ---- */

/* A cell of CSV (RFC 4180). A spreadsheet must not evaluate a name as a formula. */
function csvCell(value) {
	let text = String(value ?? '');

	if (typeof value === 'string' && /^[=+\-@]/.test(text) && isNaN(text))
		text = '\'' + text;
	return /[",\n\r']/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
}

function csv(rows) {
	return rows.map(row => row.map(csvCell).join(',') + '\n').join('');
}

async function copy(text, what) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		/* Browsers that have no clipboard for pages of files. */
		const area = element('textarea', {value: text});

		document.body.append(area);
		area.select();
		document.execCommand('copy');
		area.remove();
	}
	say(what + ' copied');
}

function save(text, name) {
	const address = URL.createObjectURL(new Blob([text], {type: 'text/plain'}));
	const link = element('a', {href: address, download: name});

	link.click();
	setTimeout(() => URL.revokeObjectURL(address), 1000);
	say(name + ' saved');
}

/* Tells it to all users, also those of screen readers. */
function say(text) {
	find('status').textContent = text;
}

/* ---- Colours ---- */

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

function isDark() {
	const {theme} = document.documentElement.dataset;

	return theme ? theme === 'dark' : darkSystem.matches;
}

function cssColour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

/* The colour of the spans of an event. */
function markColour(event, dark) {
	return `hsl(${(event * 77 + 20) % 360} 70% ${dark ? 60 : 40}%)`;
}

/* The colour of a change of a share, from -1, blue, to 1, red. */
function changeColour(part, dark) {
	const strength = Math.min(1, Math.abs(part));

	return `hsl(${part > 0 ? 0 : 225} ${Math.round(strength * (dark ? 60 : 95))}% ${Math.round(dark ? 24 + strength * 14 : 93 - strength * 25)}%)`;
}

/* The colour of a frame. */
function frameColour(data, frame, dark) {
	const known = dark ? data.dark ??= [] : data.light ??= [];

	if (frame < 0)
		return dark ? '#444' : '#ddd';
	return known[frame] ??= makeColour(data, frame, dark);
}

/* The hue is by the kind and the object, the lightness by the function. */
function makeColour(data, frame, dark) {
	const flags = data.frames.flags[frame], fn = data.functions[data.frames.function[frame]];
	const vary = hashText(fn.label) % 12;
	let hue = 40 + hashText(fn.object) % 5 * 6, saturation = dark ? 45 : 80;

	if (fn.marker)
		saturation = 0;
	else if (flags & (KERNEL | HYPERVISOR | GUEST))
		hue = 12;
	else if (flags & JIT)
		hue = 110;
	else if (flags & INLINED)
		hue = 185;
	else if (!fn.name)
		saturation = 10;
	return `hsl(${hue} ${saturation}% ${dark ? 26 + vary : 66 + vary}%)`;
}

function hashText(text) {
	let hash = 0;

	for (let i = 0; i < text.length && i < 256; i++)
		hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
	return hash;
}

/* Sets the size of a canvas in real pixels. Returns its context, which draws in CSS pixels. */
function prepare(canvas, width, height) {
	const scale = devicePixelRatio || 1, context = canvas.getContext('2d');

	canvas.width = Math.round(width * scale);
	canvas.height = Math.round(height * scale);
	canvas.style.width = width + 'px';
	canvas.style.height = height + 'px';
	context.setTransform(scale, 0, 0, scale, 0, 0);
	context.clearRect(0, 0, width, height);
	return context;
}

/* The text as far as it fits. All letters of the font have the same width. */
function fit(text, width, letter) {
	const count = Math.floor(width / letter);

	if (text.length <= count)
		return text;
	return count < 3 ? '' : text.slice(0, count - 2) + '..';
}
