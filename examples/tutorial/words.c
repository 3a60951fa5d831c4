// SPDX-License-Identifier: BSD-2-Clause
/* words [--hash] [--buffer] FILE: counts the words of a file. It saves the counts after each block
 * of lines. Each option makes the program faster; docs/tutorial.md explains why. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct word {
	struct word *next;
	unsigned long count;
	char text[32];
};

#define BUCKETS 4096

static struct word *words[BUCKETS];
static unsigned int buckets = 1; /* with one bucket, all words are in one list */
static bool buffered;

static unsigned int bucket_of(const char *text)
{
	uint32_t hash = 2166136261U;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619U;
	return hash % buckets;
}

static bool equal(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static struct word *find_word(const char *text)
{
	struct word **list = &words[bucket_of(text)], *word;

	for (word = *list; word; word = word->next)
		if (equal(word->text, text))
			return word;
	word = calloc(1, sizeof(*word));
	if (!word)
		exit(1);
	snprintf(word->text, sizeof(word->text), "%s", text);
	word->next = *list;
	return *list = word;
}

static void count_line(char *line)
{
	for (char *text = strtok(line, " \t\n"); text; text = strtok(NULL, " \t\n"))
		if (strlen(text) < sizeof(words[0]->text))
			find_word(text)->count++;
}

static void save(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		exit(1);
	for (unsigned int i = 0; i < buckets; i++) {
		for (const struct word *word = words[i]; word; word = word->next) {
			fprintf(file, "%s %lu\n", word->text, word->count);
			if (!buffered)
				fflush(file);
		}
	}
	fclose(file);
}

int main(int argc, char **argv)
{
	char line[4096];
	unsigned long lines = 0;
	FILE *file;

	for (; argc > 1 && argv[1][0] == '-'; argc--, argv++) {
		buckets = strcmp(argv[1], "--hash") ? buckets : BUCKETS;
		buffered |= !strcmp(argv[1], "--buffer");
	}
	file = argc > 1 ? fopen(argv[1], "r") : NULL;
	if (!file) {
		fprintf(stderr, "words: no file\n");
		return 1;
	}
	while (fgets(line, sizeof(line), file)) {
		count_line(line);
		if (++lines % 2000 == 0)
			save("counts.txt");
	}
	fclose(file);
	save("counts.txt");
	return 0;
}
