// expect: false
type Color;
const red, green: Color;
procedure main() {
  assert red != green;
}
