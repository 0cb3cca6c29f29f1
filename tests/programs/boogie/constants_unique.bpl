// expect: true
type Color;
const unique red, green: Color;
const unique blue: Color;
const other: Color;
procedure main() {
  assert red != green && green != blue && red != blue;
}
