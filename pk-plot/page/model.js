// SPDX-License-Identifier: BSD-2-Clause
/* From the state to numbers: which samples are selected, the tree of their stacks, the sums. */

/* ---- Trees ---- */

/* Links the children of each node. The number of a node is greater than that of its parent. */
function linkTree(tree, frames) {
	const {count, parent, frame} = tree;

	tree.first = new Int32Array(count).fill(-1);
	tree.next = new Int32Array(count).fill(-1);
	for (let i = count - 1; i > 0; i--) {
		tree.next[i] = tree.first[parent[i]];
		tree.first[parent[i]] = i;
	}
	/* Whether no caller is of the same function: a sample counts once for each function. */
	const open = new Int32Array(frames.function.length + 1);

	tree.outer = new Uint8Array(count);
	for (let at = tree.first[0]; at > 0;) {
		tree.outer[at] = !open[frames.function[frame[at]]]++;
		if (tree.first[at] > 0) {
			at = tree.first[at];
			continue;
		}
		for (; at > 0; at = parent[at]) {
			open[frames.function[frame[at]]]--;
			if (tree.next[at] > 0)
				break;
		}
		at = at > 0 ? tree.next[at] : 0;
	}
	/* The frames of a node, the root's first. */
	tree.way = node => {
		const way = [];

		for (let at = node; at > 0; at = parent[at])
			way.push(frame[at]);
		return way.reverse();
	};
	return tree;
}

/* Changes of the tree. Each gets the function of a frame, the node that the parent has become, and
 * the new tree; it returns the node, or OUTSIDE or DROPPED. */
const OUTSIDE = -1, DROPPED = -2;
const CHANGES = {
	focus: {
		text: 'only', about: 'Show only stacks with this function, from it on',
		root: OUTSIDE,
		node: (tree, at, fn, frame, of) => at === OUTSIDE ? fn === of ? tree.child(0, frame) : OUTSIDE :
			tree.child(at, frame),
	},
	drop: {
		text: 'without', about: 'Leave out the samples with this function',
		root: 0,
		node: (tree, at, fn, frame, of) => fn === of ? DROPPED : tree.child(at, frame),
	},
	hide: {
		text: 'hide', about: 'Leave out the frames of this function: its callers have the weight',
		root: 0,
		node: (tree, at, fn, frame, of) => fn === of ? at : tree.child(at, frame),
	},
	collapse: {
		text: 'collapse', about: 'Leave out what this function calls: it has the weight',
		root: 0,
		node: (tree, at, fn, frame, of) => tree.closed.has(at) ? at :
			tree.child(at, frame, fn === of),
	},
	recursion: {
		text: 'join recursion', about: 'Join calls of a function by itself',
		root: 0,
		node: (tree, at, fn, frame, of, functions) =>
			at > 0 && functions[tree.frames[at]] === fn ? at : tree.child(at, frame),
	},
};

function changeTree(tree, stackNodes, frames, change, of) {
	const {root, node} = CHANGES[change], children = new Map();
	const parents = [-1], names = [-1], became = new Int32Array(tree.count);
	const builder = {
		frames: names, closed: new Set(),
		child(at, frame, close) {
			const key = at * (frames.function.length + 1) + frame;
			let number = children.get(key);

			if (number === undefined) {
				number = parents.push(at) - 1;
				names.push(frame);
				children.set(key, number);
			}
			if (close)
				builder.closed.add(number);
			return number;
		},
	};

	became[0] = root;
	for (let i = 1; i < tree.count; i++) {
		const at = became[tree.parent[i]];

		became[i] = at === DROPPED ? at :
			node(builder, at, frames.function[tree.frame[i]], tree.frame[i], of, frames.function);
	}
	return {
		tree: linkTree({count: parents.length, parent: Int32Array.from(parents),
			frame: Int32Array.from(names)}, frames),
		stackNodes: stackNodes.map(at => at < 0 ? at : became[at]),
	};
}

/* ---- Selections ---- */

/* Index of the first sum of a row with at least this slot. */
function findSlot(sums, row, slot) {
	let low = sums.start[row], high = sums.timed[row];

	while (low < high) {
		const middle = (low + high) >> 1;

		if (sums.slot[middle] < slot)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

class Model {
	constructor(data) {
		this.data = data;
		this.slots = data.rows.reduce((most, _, row) => data.sums.timed[row] > data.sums.start[row] ?
			Math.max(most, data.sums.slot[data.sums.timed[row] - 1] + 1) : most, 0);
		this.plain = {tree: linkTree(data.tree, data.frames), stackNodes: data.stackNodes};
		this.changed = this.plain;
		this.changes = '[]';
	}

	/* Absolute time in ns of the start of a slot. */
	time(slot) {
		return (this.data.slot + BigInt(slot)) << BigInt(this.data.shift);
	}

	/* Rows that the filters select. */
	selectRows(state) {
		return Uint8Array.from(this.data.rows, row => row.event === state.event &&
			(state.pid === null || row.pid === state.pid) &&
			(state.tid === null || row.tid === state.tid) &&
			(state.cpu === null || row.cpu === state.cpu));
	}

	/* The function of a change, or -1. */
	findFunction(name, object) {
		return this.data.functions.findIndex(fn => fn.name === name && fn.object === object && !fn.marker);
	}

	change(changes) {
		const text = JSON.stringify(changes);

		if (text === this.changes)
			return;
		this.changes = text;
		this.changed = this.plain;
		for (const [change, name, object] of changes)
			this.changed = changeTree(this.changed.tree, this.changed.stackNodes, this.data.frames,
				change, this.findFunction(name, object));
	}

	/* The indices of the sums in the range of time, as [start, end] of each row that rows selects. */
	ranges(state, rows) {
		const {sums} = this.data, list = [];

		for (let row = 0; row < rows.length; row++) {
			if (!rows[row])
				continue;
			list.push(state.from === null ? [sums.start[row], sums.start[row + 1]] :
				[findSlot(sums, row, state.from), findSlot(sums, row, state.to)]);
		}
		return list;
	}

	/* All sums of the selection. */
	select(state) {
		const {data} = this, {stack, samples, weight, row} = data.sums;
		const stacks = {weight: new Float64Array(data.stacks), samples: new Float64Array(data.stacks)};

		this.change(state.changes);
		this.mask = this.selectRows(state);
		this.rowWeight = new Float64Array(data.rows.length);
		this.rowSamples = new Float64Array(data.rows.length);
		const here = this.changed.stackNodes;

		for (const [start, end] of this.ranges(state, this.mask)) {
			for (let i = start; i < end; i++) {
				if (here[stack[i]] < 0)
					continue;
				stacks.weight[stack[i]] += weight[i];
				stacks.samples[stack[i]] += samples[i];
				this.rowWeight[row[i]] += weight[i];
				this.rowSamples[row[i]] += samples[i];
			}
		}
		this.sumTree(stacks);
		this.functionsKnown = null;
	}

	sumTree(stacks) {
		const {tree, stackNodes} = this.changed, {count, parent} = tree;

		/* New arrays would take longer than the sums. */
		if (!this.self || this.self.length !== count)
			for (const name of ['self', 'samples', 'total', 'allSamples'])
				this[name] = new Float64Array(count);
		this.self.fill(0);
		this.samples.fill(0);
		for (let i = 0; i < stackNodes.length; i++) {
			if (stackNodes[i] < 0)
				continue;
			this.self[stackNodes[i]] += stacks.weight[i];
			this.samples[stackNodes[i]] += stacks.samples[i];
		}
		this.total.set(this.self);
		this.allSamples.set(this.samples);
		for (let i = count - 1; i > 0; i--) {
			this.total[parent[i]] += this.total[i];
			this.allSamples[parent[i]] += this.allSamples[i];
		}
	}

	/* Self, total and samples of each function; the last one is of samples without a stack. A marker,
	 * such as that of missing callers, is no caller: it has only the samples that end there. */
	functions() {
		const {tree} = this.changed, {functions, frames} = this.data, count = functions.length;
		const result = {self: new Float64Array(count + 1), total: new Float64Array(count + 1),
			samples: new Float64Array(count + 1)};

		if (this.functionsKnown)
			return this.functionsKnown;
		for (let node = 0; node < tree.count; node++) {
			const fn = node ? frames.function[tree.frame[node]] : count;

			result.self[fn] += this.self[node];
			result.samples[fn] += this.samples[node];
			if (!node || functions[fn].marker)
				result.total[fn] += this.self[node];
			else if (tree.outer[node])
				result.total[fn] += this.total[node];
		}
		return this.functionsKnown = result;
	}

	/* The weight of samples with a function that matches: once for each sample. */
	matched(matches) {
		const {tree} = this.changed, hit = new Uint8Array(tree.count);
		let weight = 0;

		for (let node = 1; node < tree.count; node++) {
			const above = hit[tree.parent[node]];

			hit[node] = above || matches[this.data.frames.function[tree.frame[node]]];
			if (hit[node] && !above)
				weight += this.total[node];
		}
		return weight;
	}

	/* ---- Nodes of views ---- */

	/* A node: {frame, total, self, samples, parent, children()}, whose children are made when
	 * they are needed. order: 'name' or 'weight'. */
	callers(order) {
		const {tree} = this.changed;
		const make = (node, parent) => ({
			frame: tree.frame[node], total: this.total[node], self: this.self[node],
			samples: this.allSamples[node], parent, node,
			hasChildren: () => {
				for (let at = tree.first[node]; at > 0; at = tree.next[at])
					if (this.total[at] || this.allSamples[at])
						return true;
				return false;
			},
			children: once(function () {
				const list = [];

				for (let at = tree.first[node]; at > 0; at = tree.next[at])
					if (this.model.total[at] || this.model.allSamples[at])
						list.push(make(at, this));
				return this.model.sort(list, order);
			}),
			model: this,
		});

		return make(0, null);
	}

	/* From the leaf: a node has the stacks that end in the same way. */
	inverted(order) {
		const {tree} = this.changed, model = this, leaves = [];

		for (let node = 0; node < tree.count; node++)
			if (this.self[node] || this.samples[node])
				leaves.push({leaf: node, at: node});
		const make = (frame, items, parent) => {
			let total = 0, samples = 0;

			for (const item of items) {
				total += model.self[item.leaf];
				samples += model.samples[item.leaf];
			}
			return {frame, total, self: parent && !parent.parent ? total : 0, samples, parent,
				hasChildren: () => items.some(({at}) => tree.parent[at] > 0),
				children: once(function () {
					const groups = new Map();

					for (const {leaf, at} of items) {
						const node = parent ? tree.parent[at] : at;

						if (node <= 0)
							continue;
						const frame = tree.frame[node];

						if (!groups.has(frame))
							groups.set(frame, []);
						groups.get(frame).push({leaf, at: node});
					}
					return model.sort([...groups].map(([frame, list]) => make(frame, list, this)), order);
				})};
		};

		return make(-1, leaves, null);
	}

	/* The stacks of a thread in the order of time: nodes are joined with the last one only. A node is
	 * a range of sums whose stacks begin in the same way. */
	inTime(state, tid) {
		const {data} = this, {sums} = data, {tree, stackNodes} = this.changed, list = [];
		const rows = this.mask.map((selected, row) => selected && data.rows[row].tid === tid);

		for (const [start, end] of this.ranges(state, rows))
			for (let i = start; i < end; i++)
				if (stackNodes[sums.stack[i]] >= 0)
					list.push(i);
		/* The sort is stable: those without time stay behind the others. */
		const time = i => i < sums.timed[sums.row[i]] ? sums.slot[i] : Infinity;

		list.sort((a, b) => time(a) - time(b) || 0);
		const leaves = Int32Array.from(list, i => stackNodes[sums.stack[i]]);
		const weights = addUp(list, sums.weight), samples = addUp(list, sums.samples);
		const ways = new Map(), wayOf = leaf => {
			if (!ways.has(leaf))
				ways.set(leaf, tree.way(leaf));
			return ways.get(leaf);
		};
		const make = (frame, start, end, depth, parent) => ({
			frame, total: weights[end] - weights[start], samples: samples[end] - samples[start], parent, start, end,
			get self() {
				let self = 0;

				for (let i = start; i < end; i++)
					if (wayOf(leaves[i]).length === depth)
						self += weights[i + 1] - weights[i];
				return self;
			},
			children: once(function () {
				const found = [];

				for (let i = start, from = start; i < end; from = i) {
					const frame = wayOf(leaves[i])[depth];

					while (++i < end && (leaves[i] === leaves[from] || wayOf(leaves[i])[depth] === frame))
						continue;
					if (frame !== undefined)
						found.push(make(frame, from, i, depth + 1, this));
				}
				return found;
			}),
		});

		return make(-1, 0, list.length, 0, null);
	}

	sort(list, order) {
		if (order === 'name')
			return list.sort((a, b) => compareText(this.label(a.frame), this.label(b.frame)) || a.frame - b.frame);
		return list.sort((a, b) => b.total - a.total || a.frame - b.frame);
	}

	label(frame) {
		return frame < 0 ? 'all' : this.data.functions[this.data.frames.function[frame]].label;
	}

	object(frame) {
		return frame < 0 ? '' : this.data.functions[this.data.frames.function[frame]].object;
	}

	/* ---- Rows ---- */

	/* Threads of the selection: by process, thread and name. */
	threads() {
		const found = new Map();

		this.data.rows.forEach((row, i) => {
			const key = JSON.stringify([row.pid, row.tid, row.comm]);

			if (!this.rowSamples[i])
				return;
			if (!found.has(key))
				found.set(key, {pid: row.pid, tid: row.tid, comm: row.comm, weight: 0, samples: 0});
			found.get(key).weight += this.rowWeight[i];
			found.get(key).samples += this.rowSamples[i];
		});
		return [...found.values()];
	}

	/* Stacks of the selection as folded text. */
	folded() {
		const {tree} = this.changed, lines = new Map();

		for (let node = 0; node < tree.count; node++) {
			if (!this.self[node])
				continue;
			const names = [];

			for (let at = node; at > 0; at = tree.parent[at])
				names.push(this.label(tree.frame[at]).replace(/;/g, ':'));
			const line = names.reverse().join(';') || '[no stack]';

			lines.set(line, (lines.get(line) || 0) + this.self[node]);
		}
		return [...lines].map(([line, weight]) => line + ' ' + weight + '\n').sort().join('');
	}
}

/* The sums of the first values of an array, at the indices of a list. */
function addUp(list, values) {
	const result = new Float64Array(list.length + 1);

	list.forEach((index, i) => result[i + 1] = result[i] + values[index]);
	return result;
}

function compareText(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}

/* A method that calculates its result once. */
function once(method) {
	let result;

	return function () {
		return result ??= method.call(this);
	};
}
