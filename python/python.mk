# SPDX-License-Identifier: BSD-2-Clause

# The extension of Python: built where PYTHON has the headers of C. `make` alone does not need them.
PYTHON  ?= python3
PYSOURCE = import os, sysconfig; path = sysconfig.get_paths()["include"]; print(path if os.path.exists(path + "/Python.h") else "")
PYHEADERS = $(shell $(PYTHON) -c '$(PYSOURCE)' 2>/dev/null)
PYMODULE = $(B)/python/pkstream
# Where PYTHON looks for modules, as pip installs them.
pythondir ?= $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("platlib"))')

.PHONY: python install-python uninstall-python

$(B)/python/%.o: LOCAL = -fPIC -Wno-write-strings -isystem $(PYHEADERS)

python: $(if $(PYHEADERS),$(PYMODULE)/_pkstream.abi3.so) ## the extension pkstream of Python, into build/python/

$(PYMODULE)/_pkstream.abi3.so: $$(call objs,python/src) $(LIBS) $(wildcard python/pkstream/*)
	@mkdir -p $(@D) && cp $(wildcard python/pkstream/*) $(@D)
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(LINK) -shared -Wl,--exclude-libs,ALL -o $@ $(filter %.o %.a,$^) $(EXT) $(LDLIBS)

install-python: python ## the package pkstream where PYTHON looks for modules: pythondir=, DESTDIR
	install -d $(DESTDIR)$(pythondir)/pkstream
	install -m 644 $(wildcard python/pkstream/*) $(PYMODULE)/_pkstream.abi3.so $(DESTDIR)$(pythondir)/pkstream

uninstall-python: ## what install-python has put there
	$(if $(pythondir),rm -rf $(DESTDIR)$(pythondir)/pkstream)
