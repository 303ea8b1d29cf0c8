# What scripts/run and scripts/test share: find or install the pinned tools, and build the web pages. Sourced, never run.
# Everything it installs goes to $PROEM_CACHE (default ~/.cache/proem), save what only Debian's packages offer.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${PROEM_CACHE:-$HOME/.cache/proem}
tool_root=$cache/tools
trunk_version=0.21.14
fuzz_version=0.13.2
wasm_target=wasm32-unknown-unknown
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$cache/target}
# Order matters: our pinned tools first, then binaryen's wasm-opt from npm (Debian's old one makes pages that stay blank).
export PATH="$tool_root/bin:$top/web/editor/node_modules/.bin:$PATH"

say() { printf '\033[1mproem:\033[0m %s\n' "$*" >&2; }
die() { printf 'proem: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# Installs Debian packages when this is Debian and we may; says what is missing otherwise.
apt_install() {
  have apt-get || die "missing: $* (install them with your system's package manager, then run this again)"
  local sudo=""
  if [ "$(id -u)" != 0 ]; then
    have sudo || die "missing: $* (run as root: apt-get install $*)"
    sudo=sudo
  fi
  say "installing Debian packages: $*"
  # The list first: an old one offers an old compiler, or a version that is no longer there.
  $sudo apt-get update >"$cache/apt.log" 2>&1 || true
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >>"$cache/apt.log" 2>&1 \
    || die "could not install $* (see $cache/apt.log)"
}

need_cargo() {
  have cargo || die "missing: cargo. Install Rust from https://rustup.rs, then run this again."
  have cc || die "missing: a C compiler (Debian: apt-get install build-essential), then run this again."
}

need_node() {
  have node || die "missing: Node.js 20 or newer (https://nodejs.org), needed once to bundle the editor."
  have npm || die "missing: npm, which comes with Node.js."
}

# True when the toolchain named by RUSTUP_TOOLCHAIN ("" = the default) has the wasm standard library.
has_wasm_std() {
  local libdir
  libdir=$(rustc --print target-libdir --target $wasm_target 2>/dev/null) || return 1
  compgen -G "$libdir/libstd-*.rlib" >/dev/null
}

# The wasm target: the active toolchain's, else rustup's download, else Debian's sources compiled once.
# Sets wasm_toolchain to what RUSTUP_TOOLCHAIN must be for wasm builds ("" = leave it).
need_wasm_target() {
  wasm_toolchain=""
  has_wasm_std && return
  local recipe=$cache/debian-web.recipe
  if [ -f "$recipe" ] && [ "$(cat "$recipe")" = "$(debian_recipe)" ] && RUSTUP_TOOLCHAIN=debian-web has_wasm_std; then
    wasm_toolchain=debian-web
    return
  fi
  if have rustup; then
    say "adding the wasm target with rustup"
    if timeout 90 rustup target add $wasm_target >"$cache/rustup.log" 2>&1 && has_wasm_std; then return; fi
    say "rustup could not download it; falling back to Debian's toolchain"
  fi
  build_debian_wasm_std "$recipe"
  wasm_toolchain=debian-web
}

debian_recipe() { echo "std embed-bitcode 1"; /usr/bin/rustc -vV 2>/dev/null; }

build_debian_wasm_std() {
  have apt-get || die "missing: the Rust target $wasm_target (run: rustup target add $wasm_target)"
  have rustup || die "missing: rustup (https://rustup.rs), needed to link Debian's toolchain"
  [ "$(id -u)" = 0 ] || die "missing: the Rust target $wasm_target (run: rustup target add $wasm_target; compiling Debian's needs root)"
  apt_install rustc-web cargo-web libstd-rust-web-dev rust-web-src
  local llvm
  llvm=$(/usr/bin/rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
  apt_install "lld-$llvm"
  mkdir -p /usr/lib/rustlib/x86_64-unknown-linux-gnu/bin
  ln -sf "/usr/bin/lld-$llvm" /usr/lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld
  say "compiling the standard library for wasm (once, about a minute)"
  local work
  work=$(mktemp -d)
  mkdir -p "$work/src"
  printf '[package]\nname = "seed"\nversion = "0.0.0"\nedition = "2021"\n[profile.release]\nopt-level = 3\ncodegen-units = 1\ndebug = 0\n' >"$work/Cargo.toml"
  : >"$work/src/lib.rs"
  # Bitcode must be embedded, or the fat link-time optimisation of the release build fails. The library's own dependencies come with
  # Debian's sources.
  (cd "$work" && CARGO_TARGET_DIR=$work/target RUSTFLAGS=-Cembed-bitcode=yes RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc \
    /usr/bin/cargo build --offline --release -Zbuild-std=std,panic_abort,panic_unwind,proc_macro,test --target $wasm_target \
    --config 'source.crates-io.replace-with="debian"' \
    --config 'source.debian.directory="/usr/lib/rustlib/src/rust/library/vendor"') \
    >"$cache/wasm-std.log" 2>&1 || die "could not compile the wasm standard library (see $cache/wasm-std.log)"
  local lib=/usr/lib/rustlib/$wasm_target/lib
  rm -rf "$lib" && mkdir -p "$lib"
  rm -f "$work"/target/$wasm_target/release/deps/libseed-*
  cp "$work"/target/$wasm_target/release/deps/*.rlib "$work"/target/$wasm_target/release/deps/*.rmeta "$lib/"
  rm -rf "$work"
  rustup toolchain link debian-web /usr
  debian_recipe >"$1"
  # Objects made against an exchanged standard library no longer link.
  rm -rf "$CARGO_TARGET_DIR/$wasm_target"
}

need_wasm_tools() {
  local bindgen_version
  bindgen_version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$top/tools/Cargo.toml" | head -n 1)
  if [ "$(wasm-bindgen --version 2>/dev/null)" != "wasm-bindgen $bindgen_version" ] || ! have wasm-bindgen-test-runner; then
    say "building wasm-bindgen $bindgen_version (once, about two minutes)"
    CARGO_TARGET_DIR=$cache/tools-target cargo install --path "$top/tools" --locked --force --root "$tool_root" \
      >"$cache/wasm-bindgen.log" 2>&1 || die "could not build wasm-bindgen (see $cache/wasm-bindgen.log)"
  fi
  if [ "$(trunk --version 2>/dev/null)" != "trunk $trunk_version" ]; then
    say "building trunk $trunk_version (once, about five minutes)"
    # A builder of pages need not be fast itself: cheap settings save most of the time of its own build.
    CARGO_TARGET_DIR=$cache/tools-target CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
      CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_DEBUG=0 \
      cargo install trunk --version $trunk_version --locked --root "$tool_root" >"$cache/trunk.log" 2>&1 \
      || die "could not build trunk (see $cache/trunk.log)"
  fi
}

# The npm packages of a folder, as its lock file names them.
need_npm_packages() {
  need_node
  local dir=$top/$1
  if ! cmp -s "$dir/package-lock.json" "$dir/node_modules/.proem-lock"; then
    say "installing the npm packages of $1"
    (cd "$dir" && npm ci --no-audit --no-fund >"$cache/npm.log" 2>&1) || die "npm could not install $1 (see $cache/npm.log)"
    cp "$dir/package-lock.json" "$dir/node_modules/.proem-lock"
  fi
}

need_cargo_fuzz() {
  if [ "$(cargo-fuzz --version 2>/dev/null)" != "cargo-fuzz $fuzz_version" ]; then
    say "building cargo-fuzz $fuzz_version (once, about a minute)"
    CARGO_TARGET_DIR=$cache/tools-target cargo install cargo-fuzz --version "$fuzz_version" --locked --root "$tool_root" \
      >"$cache/cargo-fuzz.log" 2>&1 || die "could not build cargo-fuzz (see $cache/cargo-fuzz.log)"
  fi
}

need_chromium() {
  have chromium && have chromedriver && return
  apt_install chromium chromium-driver
}

# Everything a build of the pages needs.
need_web() {
  mkdir -p "$cache"
  need_cargo
  need_wasm_target
  need_wasm_tools
  need_npm_packages web/editor
}

# Runs a command with the toolchain that has the wasm target.
with_wasm() {
  if [ -n "$wasm_toolchain" ]; then RUSTUP_TOOLCHAIN=$wasm_toolchain "$@"; else "$@"; fi
}

# A digest of everything the pages are made from.
web_inputs() {
  (cd "$top" && find Cargo.toml Cargo.lock Trunk.toml index.html core web public tools/Cargo.toml scripts/lib.sh -type f \
    -not -path '*/node_modules/*' -not -path 'web/editor/dist/*' -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; rustc -V; echo "$wasm_toolchain") | sha256sum
}

# Builds dist/ in release form, when something it is made from has changed.
build_web() {
  local stamp inputs
  stamp=$cache/pages-$(printf '%s' "$top" | sha256sum | cut -c1-12)
  inputs=$(web_inputs)
  if [ -f "$top/dist/index.html" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$inputs" ]; then return; fi
  say "building the pages (the first time takes some minutes)"
  (cd "$top" && with_wasm trunk build --release --skip-version-check >"$cache/web.log" 2>&1) \
    || { tail -n 40 "$cache/web.log" >&2; die "the pages did not build (all of it: $cache/web.log)"; }
  printf '%s\n' "$inputs" >"$stamp"
}
