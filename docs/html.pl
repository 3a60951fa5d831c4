#!/usr/bin/perl
# SPDX-License-Identifier: BSD-2-Clause
# html.pl FOLDER FILE...: a static site of the documentation. FILE is a manual page, for mandoc, or *.md, for cmark-gfm
# (cmark has no tables). README.md becomes index.html. Each page has the list of all pages, and a search. Other files that links
# name are copied. A dead link is an error: a page, file or heading of the site that does not exist. Links to other sites are not
# tried.
use strict;
use warnings;

my ($out, @files) = @ARGV;
my (%page, %links, %ids, $dead);    # %page: path of the source => path in the site
my (%title, %text);                 # by path in the site
my $site = __FILE__ =~ s{[^/]*$}{site}r;

# The path of a link from a page: "docs/a.html", "../man/b.html" => "man/b.html".
sub resolve {
	my ($from, $to) = @_;
	my @path = split m{/}, $from;
	pop @path;
	for my $part (split m{/}, $to) {
		if ($part eq '..') { pop @path }
		elsif ($part ne '.') { push @path, $part }
	}
	return join '/', @path;
}

# The link from one page of the site to another.
sub relative {
	my ($from, $to) = @_;
	return '../' x ($from =~ tr{/}{}) . $to;
}

sub output_of {
	my ($command, @arguments) = @_;
	open my $pipe, '-|', $command, @arguments or die "html.pl: $command: $!\n";
	my $text = do { local $/; <$pipe> };
	close $pipe or die "html.pl: $command @arguments: failed\n";
	return $text;
}

# The ids of headings are those of the links in the sources: small letters, digits and dashes.
sub with_ids {
	my ($html) = @_;
	my %count;
	$html =~ s{<h([1-6])>(.*?)</h\1>}{
		my ($level, $text) = ($1, $2);
		my $id = lc $text =~ s/<[^>]*>//gr =~ s/&\w+;//gr;
		$id =~ s/[^\w\- ]//g;
		$id =~ tr/ /-/;
		my $n = $count{$id}++;
		$id .= "-$n" if $n;
		"<h$level id=\"$id\">$text</h$level>"}gse;
	return $html;
}

# Links to sources become links to pages of the site. Files that are no pages are copied.
sub link_of {
	my ($source, $href) = @_;
	return $href if $href =~ /^(\w+:|#)/;
	my ($to, $anchor) = $href =~ /^([^#]*)(#.*)?$/;
	my $path = resolve($source, $to);
	if (!$page{$path} && -f $path) {
		(my $folder = "$out/$path") =~ s{/[^/]*$}{};
		system('mkdir', '-p', $folder) == 0 && system('cp', $path, "$out/$path") == 0 or die "html.pl: $path\n";
		$page{$path} = $path;
	}
	return relative($page{$source}, $page{$path} // $path) . ($anchor // '');
}

sub markdown {
	my ($source) = @_;
	my $html = with_ids(output_of('cmark-gfm', '-e', 'table', '-e', 'autolink', '--unsafe', $source));
	$html =~ s{(href|src)="([^"]*)"}{"$1=\"" . link_of($source, $2) . '"'}ge;
	my ($title) = $html =~ m{<h1[^>]*>(.*?)</h1>}s;
	$title = ($title // $source) =~ s/<[^>]*>//gr;
	$title{$page{$source}} = $title;
	return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		. "<meta name=\"viewport\" content=\"width=device-width\">\n<title>$title</title>\n"
		. '<link rel="stylesheet" href="' . relative($page{$source}, 'style.css') . "\">\n</head>\n<body>\n$html</body>\n</html>\n";
}

# References to manual pages of other projects are text.
sub manual {
	my ($source) = @_;
	my $html = output_of('mandoc', '-Thtml', '-Oman=%N.%S.html,style=../style.css', $source);
	my %ours = map { $_ => 1 } values %page;
	$html =~ s{<a class="Xr" href="([^"]*)">(.*?)</a>}{$ours{"man/$1"} ? $& : $2}gse;
	$title{$page{$source}} = $page{$source} =~ s{^man/(.*)\.(\d)\.html$}{$1($2)}r;
	return $html;
}

# The pages for newcomers, in the order of the first table of docs/README.md.
sub starting_pages {
	my $place = 0;
	return () unless $page{'docs/README.md'};
	my ($table) = file_text('docs/README.md') =~ /^## Start\n(.*?)^## /ms;
	return map { ("docs/$_.html" => ++$place) } $table =~ /\]\((\S+?)\.md\)/g;
}

# The links to all pages in a folder of the site: first those for newcomers, then all others by title.
sub links_to {
	my ($from, $pattern) = @_;
	my %place = starting_pages();
	return join '', map { '<li><a href="' . relative($from, $_) . '"' . ($_ eq $from ? ' aria-current="page"' : '') . ">$title{$_}</a></li>\n" }
		sort { ($place{$a} // 99) <=> ($place{$b} // 99) || lc $title{$a} cmp lc $title{$b} } grep { /$pattern/ } keys %title;
}

# Adds the list of pages and the search to a page.
sub with_navigation {
	my ($path, $html) = @_;
	my $root = relative($path, '');
	my $navigation = "<nav class=\"site\" data-root=\"$root\">\n<ul>\n" . links_to($path, '^index') . "</ul>\n"
		. "<input type=\"search\" placeholder=\"Search\" aria-label=\"Search the documentation\">\n<ul class=\"results\" aria-live=\"polite\"></ul>\n"
		. "<div class=\"pages\">\n<ul>\n" . links_to($path, '^docs/') . "</ul>\n<ul>\n" . links_to($path, '^man/') . "</ul>\n</div>\n</nav>\n";
	$html =~ s{<body>(.*)</body>}{<body>\n$navigation<main>$1</main>\n<script src="${root}search-index.js"></script>\n<script src="${root}search.js"></script>\n</body>}s;
	return $html;
}

# The text of a page as words for the search.
sub text_of {
	my ($html) = @_;
	my ($text) = $html =~ m{<body>(.*)</body>}s;
	return lc($text // '') =~ s/<[^>]*>/ /gr =~ s/&\w+;/ /gr =~ s/[\s"\\<>]+/ /gr;
}

sub search_index {
	return "'use strict';\nconst sitePages = [\n" . join('', map {
		my $title = $title{$_} =~ s/&lt;/</gr =~ s/&gt;/>/gr =~ s/&quot;/'/gr =~ s/&amp;/&/gr =~ s/["\\]/\\$&/gr;
		"\t{path: \"$_\", title: \"$title\", text: \"$text{$_}\"},\n" } sort keys %title) . "];\n";
}

sub file_text {
	my ($path) = @_;
	open my $file, '<', $path or die "html.pl: $path: $!\n";
	local $/;
	return <$file>;
}

sub write_page {
	my ($path, $html) = @_;
	open my $file, '>', "$out/$path" or die "html.pl: $out/$path: $!\n";
	print $file $html;
	close $file or die "html.pl: $out/$path: $!\n";
	$ids{$path}{$1} = 1 while $html =~ /\bid="([^"]*)"/g;
	push @{$links{$path}}, $1 while $html =~ /\b(?:href|src)="([^"]*)"/g;
}

for my $file (@files) {
	$page{$file} = $file eq 'README.md' ? 'index.html' : $file =~ /\.md$/ ? $file =~ s/md$/html/r
		: 'man/' . $file =~ s{.*/}{}r . '.html';
}
for my $path (values %page, 'style.css') {
	(my $folder = "$out/$path") =~ s{/[^/]*$}{};
	system('mkdir', '-p', $folder) == 0 or exit 1;
}
my %html;
$html{$page{$_}} = /\.md$/ ? markdown($_) : manual($_) for @files;
$text{$_} = text_of($html{$_}) for keys %html;
write_page($_, file_text("$site/$_")) for 'style.css', 'search.js';
write_page('search-index.js', search_index());
write_page($_, with_navigation($_, $html{$_})) for sort keys %html;

for my $path (sort keys %links) {
	for my $href (@{$links{$path}}) {
		next if $href =~ /^\w+:/;
		my ($to, $anchor) = $href =~ /^([^#]*)#?(.*)$/;
		my $target = $to eq '' ? $path : resolve($path, $to);
		next if -f "$out/$target" && ($anchor eq '' || !$ids{$target} || $ids{$target}{$anchor});
		print "$path: dead link: $href\n";
		$dead = 1;
	}
}
exit($dead ? 1 : 0);
