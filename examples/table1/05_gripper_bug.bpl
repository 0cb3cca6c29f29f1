// expect: false
// The same with a mistake: the right hand is emptied without looking whether it holds a ball.
procedure main() {
  var n, here, there, room, left, right: int;
  assume n >= 0;
  here, there, room := n, 0, 0;
  left, right := 0, 0;
  while (there != n) {
    if (*) {
      room := 1 - room;
    } else if (*) {
      if (room == 0 && here > 0 && left == 0) { left, here := 1, here - 1; }
    } else if (*) {
      if (room == 0 && here > 0 && right == 0) { right, here := 1, here - 1; }
    } else if (*) {
      if (room == 1 && left == 1) { left, there := 0, there + 1; }
    } else {
      if (room == 1) { right, there := 0, there + 1; }
    }
  }
  assert here + left + right == 0;
}
