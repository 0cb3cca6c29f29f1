// expect: false
var g: bool;
procedure main() {
  assert g;
}
