// expect: false
// property: termination
// The matrix is triangular with eigenvalues 7, 3 and 2; the run is a sum of three eigenvectors.
procedure main() {
  var x, y, z: int;
  while (x >= 1 && y >= 1 && z >= 1) { x, y, z := 7 * x - 4 * y + 5 * z, 3 * y + z, 2 * z; }
}
