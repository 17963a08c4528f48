# The commands for users. Each runs a script, which can also be run directly.
.PHONY: help build test test-variants check format torture fuzz fuzz-long corpora bench demo install uninstall clean
.PHONY: clients conformance emulator farm inspect-test chaos garbage receipts soak
.PHONY: browser-hostile browser-steps threads trust vanish
.PHONY: analyze tidy coverage mutate metrics recipes
.PHONY: dist test-dist test-eye test-arm64 test-amd64 windows test-windows prove

help: ## Show these commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

build: ## Compile a release: build/squint
	@scripts/build

test: ## Run the checks, and all tests with sanitizers
	@scripts/test

test-variants: ## Run the analyzer, and tests that need builds without sanitizers
	@scripts/test --variants

check: ## Format, layers, budgets, banned functions, limits, words, links
	@scripts/check

format: ## Give all C code the format that "make check" expects
	@scripts/install-deps check && scripts/check-format --write

torture: ## Fail every allocation and system call; make test does a tenth
	@SQUINT_TEST_ALL=1 scripts/test torture
	@SQUINT_TEST_ALL=1 scripts/test --variants torture

fuzz: ## Feed the parsers random bytes for a while
	@scripts/install-deps fuzz && scripts/fuzz

fuzz-long: ## Feed each parser 100 million inputs, and record how many it had
	@scripts/install-deps fuzz && scripts/fuzz-long

corpora: ## Try the test pictures of other projects, which it downloads
	@scripts/build && scripts/compile build-test && scripts/corpora

bench: ## Measure speed and size beside the peers
	@scripts/install-deps bench && scripts/bench

farm: ## Test with Appium, chromedriver and a Selenium Grid (needs npm and a JRE)
	@scripts/farm

emulator: ## Test with gRPC servers of other projects as emulators (needs npm)
	@scripts/install-deps emulator && scripts/emulator

clients: ## Let other people's MCP clients use squint (needs npm)
	@scripts/install-deps clients && scripts/clients

conformance: ## Run the protocol's official conformance suite (needs npm)
	@scripts/install-deps clients && scripts/conformance

chaos: ## Send 100,000 random messages: each gets its one answer
	@scripts/build && scripts/chaos build/squint

garbage: ## Send 10,000 damaged HTTP requests: the server must go on
	@scripts/build && python3 -B tests/http/security.py build/squint 10000

inspect-test: ## Click and type at the inspector in a browser
	@scripts/build && tests/inspector/inspector.py build/squint all

interleavings: ## 1,000 times agents and a person at random: nothing unapproved is done
	@scripts/compile build-test && tests/inspector/interleavings.py build-test/squint 1000

soak: ## Long sessions, then 100,000 screenshots: memory must not grow
	@scripts/build && tests/sessions/extended.py build/squint full
	@scripts/soak build/squint

receipts: ## Play 100,000 random steps: receipts name what was touched
	@scripts/receipts

browser-steps: ## Make 1,000 random steps on web pages, with three seeds
	@scripts/build
	@for seed in 1 2 3; do tests/browser/steps.py build/squint 1000 $$seed || exit 1; done

browser-hostile: ## Open web pages that try to harm, in a real Chromium
	@scripts/build
	@tests/browser/hostile.py build/squint

vanish: ## Let a phone go away at every byte of every call
	@scripts/vanish

threads: ## Make 256 calls in parallel with ThreadSanitizer
	@scripts/threads

trust: ## Print the points that a reviewer asks for, met or not, by their tests
	@scripts/install-deps test && scripts/build && scripts/compile build-fault
	@scripts/compile build-test && scripts/trust

analyze: ## Compile with gcc's static analyzer; it must find nothing
	@scripts/analyze

tidy: ## Run clang-tidy with the checks of .clang-tidy (minutes)
	@scripts/tidy

coverage: ## Lines and branches that the tests run, by room; a floor is kept
	@scripts/coverage

recipes: ## Follow the recipes of docs/develop.md on a copy and build it
	@scripts/recipes
mutate: ## Change random lines and see whether the unit tests notice
	@scripts/mutate

metrics: ## Sizes of functions, comments, words; fails if they got worse
	@scripts/metrics

demo: ## Watch an agent at work; leaves a page in squint-demo/
	@scripts/build && scripts/demo

install: ## Install a release; PREFIX (/usr/local) and DESTDIR are honoured
	@scripts/build && scripts/install

uninstall: ## Remove exactly what "make install" wrote, same PREFIX and DESTDIR
	@scripts/install uninstall

dist: ## Build the packages of a release into dist/ (as root)
	@scripts/dist

test-dist: ## Install, use and remove each package of dist/ in a fresh root
	@scripts/test-dist

test-eye: ## Test the program on the phone for four processors; needs qemu
	@scripts/test-eye

windows: ## Build build-exe/squint.exe for Windows (as root); ARCH=arm64 for ARM
	@scripts/windows $(if $(ARCH),--arch $(ARCH)) build

test-windows: ## Test squint.exe under Wine (as root); ARCH as above
	@scripts/windows $(if $(ARCH),--arch $(ARCH)) test

test-arm64: ## Unit tests compiled for arm64; under qemu on another machine
	@scripts/test-cross arm64

test-amd64: ## Unit tests compiled for amd64; under qemu on another machine
	@scripts/test-cross amd64

prove: ## Run "make demo" and "make test" on each distribution (as root)
	@scripts/prove-distributions

clean: ## Remove everything that was built
	rm -rf build build-* dist squint-demo
