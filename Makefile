# Every command, from a fresh clone on: each installs by itself what it lacks.

.DEFAULT_GOAL := help
.PHONY: help run build release dev test lint bench test-long package audit
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

say = @echo "» $(1)"

help:  ## This list
	@echo "make …"
	@sed -n 's/^\([a-z-]*\):.*##/  \1\t/p' $(MAKEFILE_LIST) | expand -t 14

run: build  ## Serve the demo at http://127.0.0.1:3000
	$(call say,Serving the demo at http://127.0.0.1:3000 from the database data/svc.db; Ctrl-C ends it.)
	@./target/release/svc serve --demo

build:  ## Make target/release/svc, the one file that there is to deploy
	@scripts/setup build
	@$(MAKE) release

release:
	$(call say,Building the widgets and the server for release. The first time this takes several minutes: everything they depend on is compiled too.)
	@scripts/leptos build

dev:  ## Serve the demo from a quick build; an edit shows within seconds
	@scripts/setup build
	$(call say,Building for development. The first time this takes a few minutes. Then the demo is at http://127.0.0.1:3000; Ctrl-C ends it.)
	@scripts/leptos watch

test:  ## Everything that must pass before a change lands
	@scripts/setup test
	@$(MAKE) release lint test-rust test-browser

.PHONY: test-rust test-browser
test-rust:
	$(call say,Running the Rust tests.)
	@cargo test --profile quick --package app --package svc --package bench --package scratch
	$(call say,Running the tests that use a database with PostgreSQL.)
	@SVC_TEST_ENGINE=postgres cargo test --profile quick --package svc --lib -- store::
	@SVC_TEST_ENGINE=postgres cargo test --profile quick --package svc --test it -- $(ON_POSTGRES)

# What has no database, or always one of SQLite, is left out.
ON_POSTGRES = api:: cli:: desk:: faults::clock faults::locked generated:: health:: leasing:: mirroring:: operator:: secrets:: store:: webhooks:: \
	--skip cli::db::backup --skip cli::db::failing --skip cli::db::foreign --skip cli::db::migrate \
	--skip cli::db::restore --skip cli::demo --skip secrets::migrated --skip store::upgrading \
	--skip webhooks::policy --skip webhooks::upgrading

test-browser:
	$(call say,Trying the release binary in Chromium.)
	@cd end2end && npx playwright test

# The browser's half of `app` is checked on its own: no crate has both of its features on. It needs
# no wasm for that.
lint:  ## Formatting and lints
	$(call say,Checking formatting and lints.)
	@cargo fmt --all --check
	@cargo clippy --quiet --release --package app --package desk --package svc --package bench --package gazetteer --package scratch --all-targets -- --deny warnings
	@cargo clippy --quiet --release --package frontend -- --deny warnings
	@cargo clippy --quiet --release --package desk --features hydrate -- --deny warnings
	@cargo deny --locked --log-level error check --hide-inclusion-graph bans licenses sources

bench: build  ## Measure the budgets next to nginx and bare axum, into docs/performance.md: an hour, 5 GB in /tmp
	@scripts/setup bench
	@cargo run --quiet --release --package bench -- --docs docs

test-long: build  ## The widgets in Firefox and WebKit, a soak, many more cases of the property tests, 100 kills: hours
	@scripts/setup test-long
	$(call say,Trying the widgets in Firefox and WebKitGTK.)
	@cd end2end && npx playwright test --config browsers.config.ts
	$(call say,Everything at once for ten minutes; the report is in target/soak.)
	@cargo run --quiet --release --package bench -- soak --docs target/soak
	$(call say,Running the property tests with 200000 cases each and killing the service 100 times. This takes hours.)
	@PROPTEST_CASES=200000 SVC_KILLS=100 cargo test --release --package app --package svc

audit:  ## Ask the database of known vulnerabilities, which is downloaded
	@scripts/setup audit
	@cargo deny --locked check advisories

package: build  ## A Debian package and what an image for containers is made of, in target/package
	@scripts/setup package
	$(call say,Compiling a static binary. The first time this takes several minutes.)
	@scripts/package
