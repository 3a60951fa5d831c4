# SPDX-License-Identifier: BSD-2-Clause

PREFIX   = /usr/local
bindir     = $(PREFIX)/bin
libdir     = $(PREFIX)/lib
# Programs look for libpkheap.so here, beside their own folder.
heapdir    = $(bindir)/../lib/pk
includedir = $(PREFIX)/include
mandir     = $(PREFIX)/share/man
datadir    = $(PREFIX)/share/pk
bashdir    = $(PREFIX)/share/bash-completion/completions
zshdir     = $(PREFIX)/share/zsh/site-functions
fishdir    = $(PREFIX)/share/fish/vendor_completions.d

HEADERS  := $(wildcard libpkstream/pkstream*.h libpkstream/*_abi.h)
SHARE    := $(filter-out share/pk/events,$(wildcard share/pk/*))
EVENTS   := $(wildcard share/pk/events/*)
FLEET    := $(filter-out fleet/check.sh fleet/check_units.sh,$(filter-out $(patsubst %/,%,$(wildcard fleet/*/)),$(wildcard fleet/* fleet/*/*)))

.PHONY: install uninstall event-tables dist dist-static deb rpm html

install: all $(B)/completions/options ## PREFIX=/usr/local, DESTDIR
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(libdir)/pkgconfig $(DESTDIR)$(includedir)
	$(if $(TOOLS),install $(TOOLS:%=$(B)/bin/%) $(DESTDIR)$(bindir))
	install -m 644 $(HEADERS) $(DESTDIR)$(includedir)
	install -m 644 $(B)/libpkstream.a $(SO) $(DESTDIR)$(libdir)
	ln -sf libpkstream.so.$(SOVERSION) $(DESTDIR)$(libdir)/libpkstream.so
	$(if $(HEAP),install -D -m 644 -t $(DESTDIR)$(heapdir) $(HEAP))
	sed -e 's|@prefix@|$(PREFIX)|' -e 's|@libdir@|$(libdir)|' -e 's|@includedir@|$(includedir)|' \
		-e 's|@version@|$(VERSION)|' pkstream.pc.in >$(DESTDIR)$(libdir)/pkgconfig/pkstream.pc
	install -D -m 644 -t $(DESTDIR)$(datadir) $(SHARE)
	$(if $(EVENTS),install -D -m 644 -t $(DESTDIR)$(datadir)/events $(EVENTS))
	for f in $(FLEET); do install -D -m $$([ -x $$f ] && echo 755 || echo 644) $$f $(DESTDIR)$(datadir)/$$f || exit; done
	cd $(DESTDIR)$(datadir)/fleet && sed -i -e 's|/usr/local/bin|$(bindir)|' -e 's|/usr/local/lib/pk|$(datadir)|' *.service
	install -D -m 644 -t $(DESTDIR)$(bashdir) $(B)/completions/bash/pk
	for t in $(filter-out pk,$(TOOLS)); do ln -sf pk $(DESTDIR)$(bashdir)/$$t || exit; done
	install -D -m 644 -t $(DESTDIR)$(zshdir) $(B)/completions/zsh/_pk
	install -D -m 644 -t $(DESTDIR)$(fishdir) $(TOOLS:%=$(B)/completions/fish/%.fish)
	for m in $(MAN); do install -D -m 644 $$m $(DESTDIR)$(mandir)/man$${m##*.}/$${m##*/} || exit; done

uninstall: ## what install has put there
	cd $(DESTDIR)$(bindir) && rm -f $(TOOLS)
	cd $(DESTDIR)$(includedir) && rm -f $(notdir $(HEADERS))
	cd $(DESTDIR)$(libdir) && rm -f libpkstream.a libpkstream.so libpkstream.so.$(SOVERSION) pkgconfig/pkstream.pc
	rm -f $(DESTDIR)$(heapdir)/$(notdir $(HEAP))
	cd $(DESTDIR)$(datadir) && rm -f $(notdir $(SHARE)) $(FLEET) $(EVENTS:share/pk/%=%)
	cd $(DESTDIR)$(bashdir) && rm -f $(TOOLS)
	rm -f $(DESTDIR)$(zshdir)/_pk $(TOOLS:%=$(DESTDIR)$(fishdir)/%.fish)
	for m in $(MAN); do rm -f $(DESTDIR)$(mandir)/man$${m##*.}/$${m##*/}; done

event-tables: ## share/pk/events/ and the package pk-events: events and metrics of processors by name (KERNEL=FOLDER, or Debian's linux-source)
	$(Q)share/event_tables.sh share/pk/events $(B)/pk-events_$(VERSION)_all.deb '$(VERSION)' '$(KERNEL)'

# The commit alone determines the bytes. Changes that are not committed are left out.
dist: ## build/pk-VERSION.tar.gz: the sources of the last commit, reproducible
	@mkdir -p $(B)
	@git diff --quiet HEAD || echo "make dist: changes that are not committed are left out" >&2
	git -c tar.umask=0022 archive --prefix=pk-$(VERSION)/ -o $(B)/pk-$(VERSION).tar HEAD
	gzip -9 -n -f $(B)/pk-$(VERSION).tar

# A tarball of static programs, with their data, completions and manual pages: unpack it anywhere, and run bin/pk. Names of
# the completions and manual pages come from the normal build.
STATIC_TOOLS = $(filter-out pk-top,$(TOOLS))
STATIC_DIST  = pk-$(VERSION)-$(shell uname -m)
dist-static: $(B)/completions/options ## build/pk-VERSION-MACHINE.tar.gz: static programs, all but pk-top (musl-tools, dpkg-dev)
	+@$(MAKE) --no-print-directory STATIC=1 B=build-static
	rm -rf $(B)/$(STATIC_DIST)
	install -d $(B)/$(STATIC_DIST)/bin
	for t in $(STATIC_TOOLS); do strip -o $(B)/$(STATIC_DIST)/bin/$$t build-static/bin/$$t || exit; done
	install -D -m 644 -t $(B)/$(STATIC_DIST)/share/pk $(SHARE)
	$(if $(EVENTS),install -D -m 644 -t $(B)/$(STATIC_DIST)/share/pk/events $(EVENTS))
	for f in $(FLEET); do install -D -m $$([ -x $$f ] && echo 755 || echo 644) $$f $(B)/$(STATIC_DIST)/share/pk/$$f || exit; done
	install -D -m 644 -t $(B)/$(STATIC_DIST)/share/bash-completion/completions $(B)/completions/bash/pk
	for m in $(MAN); do install -D -m 644 $$m $(B)/$(STATIC_DIST)/share/man/man$${m##*.}/$${m##*/} || exit; done
	install -m 644 LICENSE README.md NEWS $(B)/$(STATIC_DIST)
	tar -C $(B) --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$(git log -1 --format=%ct) \
		-cf - $(STATIC_DIST) | gzip -9 -n >$(B)/$(STATIC_DIST).tar.gz
	rm -rf $(B)/$(STATIC_DIST)

deb: dist ## Debian packages in build/deb/, from make dist
	@CC='$(CC)' tests/deps.sh build deb
	rm -rf $(B)/deb && mkdir -p $(B)/deb
	tar -xzf $(B)/pk-$(VERSION).tar.gz -C $(B)/deb
	cd $(B)/deb/pk-$(VERSION) && SOURCE_DATE_EPOCH=$$(git -C $(CURDIR) log -1 --format=%ct) \
		env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dpkg-buildpackage -us -uc $(DEB_OPTIONS)
	rm -rf $(B)/deb/pk-$(VERSION)

rpm: dist ## packages of RPM in build/rpm/, from make dist
	rm -rf $(B)/rpm && mkdir -p $(B)/rpm
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS \
		rpmbuild -ta --define '_topdir $(CURDIR)/$(B)/rpm' $(RPM_OPTIONS) $(B)/pk-$(VERSION).tar.gz

html: ## manual pages and documentation as a static site, build/html/index.html; a dead link is an error
	@CC='$(CC)' tests/deps.sh html
	@rm -rf $(B)/html
	$(Q)perl docs/html.pl $(B)/html $(wildcard *.md */*.md) $(MAN)
