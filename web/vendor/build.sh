#!/usr/bin/env bash
# Rebuilds codemirror.js from the pinned packages of npm. The result is committed: building craig needs no npm.
set -euo pipefail
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp package.json package-lock.json entry.js "$folder"
cd "$folder"
npm ci --no-fund --no-audit --ignore-scripts
# --ignore-scripts leaves esbuild's own binary package, which is all that is needed.
node_modules/@esbuild/linux-x64/bin/esbuild entry.js --bundle --minify --format=esm --target=es2022 --legal-comments=inline --outfile=codemirror.js
cd - > /dev/null
{ echo "/* CodeMirror 6 (MIT licence, Marijn Haverbeke and others); see package.json and build.sh. */"; cat "$folder/codemirror.js"; } > codemirror.js
