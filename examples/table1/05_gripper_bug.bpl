// expect: false
// may: unknown
// timeout: 5s
// The same with a mistake: the right hand picks up without looking whether there is a ball.
procedure main() {
  var n, here, there, room: int;
  var left, right: bool;
  assume n >= 0;
  here, there, room := n, 0, 0;
  left, right := false, false;
  while (there < n) {
    if (*) {
      room := 1 - room;
    } else if (*) {
      if (room == 0 && here > 0 && !left) { left, here := true, here - 1; }
    } else if (*) {
      if (room == 0 && !right) { right, here := true, here - 1; }
    } else if (*) {
      if (room == 1 && left) { left, there := false, there + 1; }
    } else {
      if (room == 1 && right) { right, there := false, there + 1; }
    }
  }
  assert there == n ==> !left && !right && here == 0;
}
