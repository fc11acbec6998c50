# All commands work in a fresh clone: each installs what is missing, and prints its stages with
# their times.

.DEFAULT_GOAL := help
.PHONY: help run build dev check test test-release test-long lint bench audit package
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

STARTED := $(shell date +%s)
stage = @scripts/stage
total = @scripts/stage --total $(STARTED)

# Binaries that are not shipped share one profile, for `make run` and for the tests.
QUICK = --profile quick
WIDGETS = scripts/setup leptos && scripts/leptos site
# More threads than cores, because tests spend half of their time waiting: for the disk, for leases,
# for restarting servers. Slow tests wait for most of it.
export RUST_TEST_THREADS = 4
SLOW_TESTS = export RUST_TEST_THREADS=8; cargo test $(QUICK) --package svc --test slow && \
	cargo test $(QUICK) --package scratch --test postgres && \
	SVC_TEST_ENGINE=postgres cargo test $(QUICK) --package svc --test slow -- engines::
POSTGRES_TESTS = export SVC_TEST_ENGINE=postgres; cargo test $(QUICK) --package store --package svc --lib && \
	cargo test $(QUICK) --package svc --test it -- engines::
# Crates whose tests run without a browser.
CRATES = app kit desk $(patsubst server/%/Cargo.toml,%,$(wildcard server/*/Cargo.toml)) svc bench scratch
TESTED = $(addprefix --package ,$(CRATES))
# Property tests of a library whose cases each create a database, a thousand times as slow as the others.
WITH_DATABASES = reports::recent::

help:  ## This list
	@echo "make …"
	@sed -n 's/^\([a-z-]*\):.*##/  \1\t/p' $(MAKEFILE_LIST) | expand -t 16

run: quick  ## Serve the demo at http://127.0.0.1:3000
	$(total)
	@echo "» Serving the demo at http://127.0.0.1:3000 from the database data/svc.db; Ctrl-C ends it."
	@exec target/quick/svc serve --demo

build:  ## Make target/release/svc, the one file to deploy: static, fully optimized, with the site inside
	$(stage) "Set-up" scripts/setup build
	$(stage) "Widgets" sh -c "$(WIDGETS)"
	$(stage) "Server, optimized (8 minutes the first time)" \
		scripts/release build --locked --package svc --bin svc --features embed-site
	$(total)

dev:  ## Serve the demo and follow edits: they show within seconds
	$(stage) "Set-up" scripts/setup build
	$(stage) "Tools" scripts/setup leptos
	@echo "» Building for development. Then the demo is at http://127.0.0.1:3000; Ctrl-C ends it."
	@exec scripts/leptos watch

check: format clippy  ## What an edit can break, in a minute and a half: formatting, lints and the fast tests
	$(stage) "Tests" cargo test $(QUICK) $(TESTED) --lib --bins --test it
	$(total)
	@echo "» Everything that make check tries has passed. make test tries the rest: PostgreSQL, slow tests, browsers."

test: test-setup format clippy quick  ## Everything that must pass before a change lands
	$(stage) "Tests: compiling" cargo test $(QUICK) $(TESTED) --no-run
	$(stage) "Tests" cargo test $(QUICK) $(TESTED) --lib --bins --test it
	$(stage) "Tests with PostgreSQL" sh -c "$(POSTGRES_TESTS)"
	$(stage) "Slow tests" sh -c "$(SLOW_TESTS)"
	$(stage) "Clients" scripts/test-clients
	$(stage) "Browser tests" sh -c "cd end2end && npx playwright test"
	$(total)
	@echo "» All tests have passed."

lint: format clippy  ## Formatting and lints
	$(total)

.PHONY: quick test-setup format clippy

# This binary reads the site from target/site instead of embedding it, so that both can be built at
# the same time.
quick:
	$(stage) "Set-up" scripts/setup build
	$(stage) --beside "$(WIDGETS)" "Server, and the widgets beside it" cargo build $(QUICK) --package svc --bin svc

test-setup:
	$(stage) "Set-up" scripts/setup test

format:
	$(stage) "Formatting" cargo fmt --all --check

# The browser's parts of `app` and `desk` are checked separately, because a crate cannot have both
# of its features enabled. No wasm is needed for that.
clippy:
	$(stage) "Circles of files" scripts/circles
	$(stage) "Words" scripts/words
	$(stage) "Lints" cargo clippy --quiet $(QUICK) $(TESTED) --package gazetteer \
		--all-targets --features svc/embed-site -- --deny warnings
	$(stage) "Lints of the browser's half" cargo clippy --quiet $(QUICK) --package frontend --package desk \
		--features desk/hydrate -- --deny warnings

test-release: build  ## What the shipped binary could do differently, in a browser
	$(stage) "Set-up" scripts/setup test
	$(stage) "Browser tests of target/release/svc" \
		sh -c "cd end2end && SVC_BINARY=$(CURDIR)/target/release/svc npx playwright test --grep @release"
	$(total)

bench: build  ## Measure the budgets next to nginx and bare axum, into docs/performance.md: 75 minutes, 5 GB in /tmp
	@scripts/setup bench
	@scripts/release run --quiet --package bench -- --docs docs

test-long: test-release  ## All tests on both engines, the widgets in Firefox and WebKit, a soak, a cluster day, 100 kills: hours
	$(stage) "Set-up" scripts/setup test-long
	$(stage) "All tests with PostgreSQL" env SVC_TEST_RECEIVERS=all SVC_TEST_ENGINE=postgres \
		cargo test $(QUICK) --package svc
	$(stage) "The demo from a clone, by cargo alone" scripts/try-clone
	$(stage) "Packages of the clients" scripts/pack-clients
	$(stage) "Generated clients in four languages" scripts/test-generated-clients
	$(stage) "Widgets in Firefox and WebKitGTK" sh -c "cd end2end && npx playwright test --config browsers.config.ts"
	$(stage) "Soak for ten minutes, reported in target/soak" \
		scripts/release run --quiet --package bench -- soak --docs target/soak
	$(stage) "A cluster day of 20 histories, reported in target/cluster/day.txt" \
		cargo test $(QUICK) --package svc --test slow -- --ignored --nocapture cluster::day
	$(stage) "Property tests, 200000 cases each" env PROPTEST_CASES=200000 \
		cargo test $(QUICK) $(TESTED) --lib -- --skip $(WITH_DATABASES)
	$(stage) "Generated requests, 20000" env PROPTEST_CASES=20000 \
		cargo test $(QUICK) --package svc --test it -- engines::generated
	$(stage) "Histories of databases, 500 each, and 100 kills" env PROPTEST_CASES=500 SVC_KILLS=100 SVC_TEST_RECEIVERS=all \
		cargo test $(QUICK) --package store --package svc
	$(total)

audit:  ## Licences and sources of all crates, and the database of known vulnerabilities, which is downloaded
	$(stage) "Set-up" scripts/setup audit
	$(stage) "Licences and sources" cargo deny --locked --log-level error check --hide-inclusion-graph bans licenses sources
	$(stage) "Known vulnerabilities" cargo deny --locked check advisories
	$(total)

package: test-release  ## The static binary, a Debian package and a container image, each tried, in target/package
	$(stage) "Set-up" scripts/setup package
	$(stage) "Packages" scripts/package
	$(stage) "Tests of the packages" cargo test $(QUICK) --package svc --test slow -- --include-ignored deployment::
	$(total)
