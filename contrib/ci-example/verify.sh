#!/usr/bin/env bash
# Verifies the proofs of this repository; fails if one does not hold. CRAIG names the program if it is not on the path.
set -u
cd "$(dirname "$0")"
"${CRAIG:-craig}" check --timeout 60s --format "${FORMAT:-text}" src/*_proof.c
