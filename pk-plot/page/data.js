// SPDX-License-Identifier: BSD-2-Clause
/* The data of the page: page_pack.c writes them, docs/page.md describes them. */

const KERNEL = 1, GUEST = 4, HYPERVISOR = 8, INLINED = 16, JIT = 32, TRUNCATED = 128, TEXT = 256;
const NO_TIME = 2 ** 32; // a difference of slots: the sums from here on have no time

/* Newer browsers decode base64 themselves, which is faster. */
function fromBase64(text) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(text);
	const binary = atob(text), bytes = new Uint8Array(binary.length);

	for (let i = 0; i < binary.length; i++)
		bytes[i] = binary.charCodeAt(i);
	return bytes;
}

async function inflate(text) {
	const plain = new Blob([fromBase64(text)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
	return new Uint8Array(await new Response(plain).arrayBuffer());
}

/* Numbers of 7 bits in each byte, the lowest first. */
class Numbers {
	constructor(bytes, at) {
		this.bytes = bytes;
		this.at = at;
	}

	next() {
		let value = this.bytes[this.at++];

		if (value >= 128) {
			let byte = this.bytes[this.at++], scale = 128;

			for (value -= 128; byte >= 128; scale *= 128, byte = this.bytes[this.at++])
				value += (byte - 128) * scale;
			value += byte * scale;
		}
		return value;
	}

	/* Fills an array from an index on with the next numbers. */
	fill(array, start = 0) {
		for (let i = start; i < array.length; i++)
			array[i] = this.next();
		return array;
	}
}

/* Reads numbers that are usually small, so that the array has 32 bits. */
function readSmall(numbers, count) {
	let array = new Uint32Array(count);

	for (let i = 0; i < count; i++) {
		const value = numbers.next();

		if (value >= 2 ** 32 && array instanceof Uint32Array)
			array = Float64Array.from(array);
		array[i] = value;
	}
	return array;
}

/* The sums, those of a row after those of the row before, and in a row in the order of slots. Those
 * of a row without time are the last ones, from timed[row] on. Adds up the weights and samples of each row and each event. */
function readSums(numbers, data) {
	const count = data.sums, rows = data.rows.length;
	const start = numbers.fill(new Uint32Array(rows + 1), 1), timed = new Uint32Array(rows);
	const slot = new Uint32Array(count), stack = new Uint32Array(count), weight = new Float64Array(count);
	const each = new Float64Array(data.events.length);

	for (let row = 0; row < rows; row++)
		start[row + 1] += start[row];
	for (let row = 0; row < rows; row++) {
		timed[row] = start[row + 1];
		for (let i = start[row], last = 0; i < start[row + 1]; i++) {
			const step = numbers.next();

			if (step === NO_TIME)
				timed[row] = i;
			else
				last += step;
			slot[i] = last;
		}
	}
	for (let row = 0; row < rows; row++) {
		for (let i = start[row], last = 0; i < start[row + 1]; i++) {
			const first = i === start[row] || i === timed[row] || slot[i] !== slot[i - 1], value = numbers.next();

			if (!first)
				last += value + 1;
			else if (value)
				last = value - 1;
			stack[i] = last;
		}
	}
	const samples = readSmall(numbers, count);

	for (let row = 0; row < rows; row++) {
		const item = data.rows[row], {event} = item;
		let weights = 0, counts = 0, one = each[event];

		for (let i = start[row]; i < start[row + 1]; i++) {
			const code = numbers.next(), number = samples[i], value = code ? code - 1 : one * number;

			if (code)
				one = Math.floor(value / number);
			weight[i] = value;
			weights += value;
			counts += number;
		}
		each[event] = one;
		item.weight = weights;
		item.samples = counts;
		data.events[event].samples += counts;
	}
	return {count, start, timed, slot, stack, samples, weight};
}

/* The sums of the recording to compare with: {event, stack, samples, weight} of each. */
function readBase(numbers, count) {
	return Array.from({length: count}, () =>
		({event: numbers.next() - 1, stack: numbers.next(), samples: numbers.next(), weight: numbers.next()}));
}

/* The spans, each for one or several of a row: start and length in ns since the first slot, the time of all its spans. */
function readMarks(numbers, data) {
	const first = Number(BigInt(data.marks_start) - (data.slot << BigInt(data.shift))), marks = [];

	for (let i = 0, row = -1, start = 0; i < data.marks; i++) {
		const step = numbers.next();

		start = step ? first + numbers.next() : start + numbers.next();
		row += step;
		const mark = {row, start, length: numbers.next(), name: data.mark_names[numbers.next() - 1], count: numbers.next(), time: 0};

		mark.time = mark.count > 1 ? numbers.next() : mark.length;
		marks.push(mark);
	}
	return marks;
}

/* What has changed of each function, for each event: bit 0 the share with what it calls, bit 1 without. */
function readChanges(numbers, data) {
	const {functions, frames} = data;

	return data.base === '' ? [] : data.events.map(() => {
		const changed = new Uint8Array(functions.length);

		for (const fn of frames.function)
			changed[fn] = numbers.next();
		return changed;
	});
}

/* The kinds of rows of code, as in page_code.c. */
const INSTRUCTION = 0, SOURCE = 1, PLACE = 2, GAP = 3;

/* The rows of a function's code, {kind, place, text} each. Row i of the function has the number fn.first + 1 + i. */
function readCode(fn) {
	const rows = [];

	for (let i = 0; i < fn.rows.length; i += 3)
		rows.push({kind: fn.rows[i], place: fn.rows[i + 1], text: fn.rows[i + 2]});
	return {...fn, rows, interpreted: !rows.some(({kind}) => kind === INSTRUCTION)};
}

function readRows(numbers) {
	const rows = [];

	for (let i = 0; i < numbers.length; i += 5)
		rows.push({event: numbers[i] - 1, pid: numbers[i + 1], tid: numbers[i + 2],
			comm: numbers[i + 3], cpu: numbers[i + 4]});
	return rows;
}

/* Functions are pairs of name and object. Frames are functions with a kind: inlined, of the kernel. */
function readFrames(head) {
	const functions = [], of = new Map(), frames = {};

	frames.function = new Int32Array(head.frames.length / 3);
	frames.flags = new Int32Array(head.frames.length / 3);
	for (let i = 0; i < head.frames.length; i += 3) {
		const name = head.frames[i], object = head.frames[i + 1], flags = head.frames[i + 2];
		const marker = flags & (TRUNCATED | TEXT);
		const key = (name * (head.strings.length + 1) + object) * 512 + marker;

		if (!of.has(key)) {
			of.set(key, functions.length);
			functions.push({name: name ? head.strings[name - 1] : '',
				object: object ? head.strings[object - 1] : '', marker, flags: 0});
		}
		frames.function[i / 3] = of.get(key);
		frames.flags[i / 3] = flags;
		functions[of.get(key)].flags |= flags;
	}
	for (const fn of functions)
		fn.label = label(fn);
	return {functions, frames};
}

/* What a frame is called on the page. */
function label(fn) {
	if (fn.marker & TRUNCATED)
		return fn.name || '[callers are missing]';
	return fn.name || (fn.object ? '[' + fn.object.replace(/^.*\//, '') + ']' : '[unknown]');
}

/* Each node comes directly before all that it calls. So the last node from which the reader goes up to the caller of a
 * node is the sibling before this node. */
function readTree(numbers, count, frames) {
	const parent = new Int32Array(count), frame = new Int32Array(count).fill(-1);
	const first = new Int32Array(count).fill(-1), next = new Int32Array(count).fill(-1);
	const called = Array.from({length: frames + 1}, () => []); // by frame of the caller plus one

	parent[0] = -1;
	for (let i = 1; i < count; i++) {
		let at = i - 1, steps = numbers.next();

		if (!steps) {
			first[at] = i;
		} else {
			for (; steps > 1; steps--)
				at = parent[at];
			next[at] = i;
			at = parent[at];
		}
		parent[i] = at;
	}
	for (let i = 1; i < count; i++) {
		const list = called[frame[parent[i]] + 1], known = numbers.next();

		frame[i] = known ? list[known - 1] : numbers.next();
		if (!known)
			list.push(frame[i]);
	}
	return {count, parent, frame, first, next};
}

/* The node of each stack. */
function readStacks(numbers, count, nodes) {
	const stacks = new Int32Array(count);

	for (let i = 0, last = 0; i < count; i++)
		last = stacks[i] = (last + numbers.next()) % nodes;
	return stacks;
}

async function readData() {
	const element = document.getElementById('data');
	const bytes = await inflate(element.textContent);
	const size = new DataView(bytes.buffer).getUint32(0, true);
	const data = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size)));
	const numbers = new Numbers(bytes, 4 + size);

	element.remove();
	if (data.version !== 1)
		throw new Error('data of version ' + data.version);
	Object.assign(data, readFrames(data));
	data.rows = readRows(data.rows);
	data.events = data.events.map(([name, unit]) => ({name, unit, samples: 0}));
	data.tree = readTree(numbers, data.nodes, data.frames.function.length);
	data.stackNodes = readStacks(numbers, data.stacks, data.nodes);
	data.stackRows = data.code_rows ? numbers.fill(new Uint32Array(data.stacks)) : null;
	data.sums = readSums(numbers, data);
	data.baseSums = readBase(numbers, data.base_sums);
	data.slot = BigInt(data.slot);
	data.code = data.code.map(readCode);
	data.marks = readMarks(numbers, data);
	data.changed = readChanges(numbers, data);
	/* The event of the most samples is shown first. */
	data.usual = data.events.reduce((most, event, i, all) => event.samples > all[most].samples ? i : most, 0);
	addWallTime(data.events);
	return data;
}

/* Adds the sum of the time on a CPU and of the blocked time, as if it was an event. */
function addWallTime(events) {
	const members = [/^(cpu|task)-clock(:|$)/, /^offcpu-time$/].map(name =>
		events.findIndex(event => name.test(event.name) && event.unit === 'nanoseconds'));

	if (!members.includes(-1))
		events.push({name: 'on and off CPU', unit: 'nanoseconds', members,
			samples: members.reduce((sum, event) => sum + events[event].samples, 0)});
}
