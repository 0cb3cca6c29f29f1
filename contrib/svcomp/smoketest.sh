#!/bin/sh
# Does the binary of this archive run here, prove what holds and refute what does not?
set -eu
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/holds.c" <<'C'
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) { if (x < 1000) { x++; y++; } }
    if (x != y) reach_error();
    return 0;
}
C
sed 's/x != y/x == 3/' "$folder/holds.c" >"$folder/violated.c"
./craig --version
for name in holds violated; do
    (cd "$folder" && "$OLDPWD/craig" check --svcomp --timeout 60s "$name.c") >"$folder/$name.out" || true
    tail -n 1 "$folder/$name.out"
    test -s "$folder/witness.yml" || { echo "no witness for $name.c" >&2; exit 1; }
    rm "$folder/witness.yml"
done
grep -qx 'RESULT: true' "$folder/holds.out"
grep -qx 'RESULT: false(unreach-call)' "$folder/violated.out"
echo "smoke test passed"
