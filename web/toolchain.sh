#!/usr/bin/env bash
# Fetches what building for wasm32-wasip1 needs besides our rustc, from Debian: the sources of the standard library and a C library for WASI.
# Nothing is installed: the packages are unpacked into the given folder.
set -euo pipefail
folder=${1:?usage: toolchain.sh FOLDER}
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
version=$(rustc --version | cut -d' ' -f2)
if [ "$version" != 1.95.0 ]; then
  echo "toolchain.sh knows the sources of Rust 1.95.0, and this is $version: name its package rust-src here" >&2
  exit 1
fi
mkdir -p "$folder"
cd "$folder"
# Name, package, SHA-256.
fetch() {
  if [ -d "$1" ]; then return; fi
  curl --fail --silent --show-error --location --output "$1.deb" "$mirror/pool/main/$2"
  echo "$3  $1.deb" | sha256sum --check --quiet
  rm -rf "$1.part"
  dpkg-deb --extract "$1.deb" "$1.part"
  mv "$1.part" "$1"
  rm "$1.deb"
}
fetch rust-src "r/rustc/rust-src_1.95.0+dfsg1-2~bpo13+1_all.deb" 7b76db5b880a77f9e52975d2baa6209d2f76d2c9c2789515c3088cb960e2c83b
fetch wasi-libc "w/wasi-libc/wasi-libc_0.0~git20241209.574b88d-2_all.deb" b7716260051d289248b7667f81fa2792c125d888ff51da3fa09c6272cc0bd11d
