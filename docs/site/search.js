// SPDX-License-Identifier: BSD-2-Clause
// Searches the pages of the site. search-index.js has sitePages: path, title and text of each.
'use strict';

(() => {
	const input = document.querySelector('nav.site input');
	const results = document.querySelector('nav.site .results');
	const root = document.querySelector('nav.site').dataset.root;
	const most = 20;

	// How well a page fits: all words must occur. A word in the title counts more than many in the text.
	function score(page, words) {
		let sum = 0;
		for (const word of words) {
			const found = page.text.split(word).length - 1 + (page.title.toLowerCase().includes(word) ? 1000 : 0);
			if (!found)
				return 0;
			sum += found;
		}
		return sum;
	}

	function show() {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		const found = words.length ? sitePages.map((page) => ({page, score: score(page, words)})).filter((entry) => entry.score) : [];

		found.sort((a, b) => b.score - a.score);
		results.replaceChildren(...found.slice(0, most).map(({page}) => {
			const item = document.createElement('li'), link = document.createElement('a');

			link.href = root + page.path;
			link.textContent = page.title;
			item.append(link);
			return item;
		}));
		if (words.length && !found.length)
			results.textContent = 'No page has these words.';
	}

	input.addEventListener('input', show);
})();
