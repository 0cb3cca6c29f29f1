#!/usr/bin/env bash
# What the GitHub Action runs: checks files, marks violations in the pull request, writes SARIF. Its inputs are CRAIG_* variables.
set -uo pipefail
craig=${CRAIG:-craig}
read -ra files <<<"${CRAIG_FILES:-}"
if [ ${#files[@]} -eq 0 ]; then
    # What the pull request changes; without one, everything.
    if [ -n "${CRAIG_BASE:-}" ]; then
        mapfile -t files < <(git diff --name-only --diff-filter=d "$CRAIG_BASE" -- '*_proof.c' '*.bpl')
    else
        mapfile -t files < <(git ls-files -- '*_proof.c' '*.bpl')
    fi
fi
if [ ${#files[@]} -eq 0 ]; then
    echo "nothing to check"
    exit 0
fi
options=(--timeout "${CRAIG_TIMEOUT:-60s}")
for property in ${CRAIG_PROPERTIES:-unreach-call}; do
    options+=(--property "$property")
done
command=(check)
if [ "${CRAIG_MODE:-check}" = upgrade ]; then
    command=(upgrade --since "${CRAIG_BASE:-HEAD~1}" --fail-on new)
fi
"$craig" "${command[@]}" "${options[@]}" --format github -- "${files[@]}" | tee craig.log
status=${PIPESTATUS[0]}
if [ -n "${CRAIG_SARIF:-}" ]; then
    # Definite answers of the first run come from the cache.
    "$craig" "${command[@]}" "${options[@]}" --format sarif -- "${files[@]}" >"$CRAIG_SARIF" || true
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
    sed -n 's/^RESULT: /result=/p' craig.log | tail -n 1 >>"$GITHUB_OUTPUT"
fi
rm -f craig.log
exit "$status"
