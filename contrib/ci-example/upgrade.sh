#!/usr/bin/env bash
# Verifies the proofs with what is known of the version before (BASE, the last commit if not given): what did not change is not proved again, and only new violations fail.
# CRAIG names the program if it is not on the path.
set -u
cd "$(dirname "$0")"
"${CRAIG:-craig}" upgrade --since "${BASE:-HEAD~1}" --fail-on new --timeout 60s --format "${FORMAT:-text}" src/*_proof.c
