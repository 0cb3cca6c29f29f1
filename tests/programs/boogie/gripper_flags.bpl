// expect: true
// The planning problem: a robot with two hands carries balls from room 0 to room 1. Each iteration performs
// one action. No ball is lost: when all are in room 1, the hands are empty.
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
      if (room == 0 && here > 0 && !right) { right, here := true, here - 1; }
    } else if (*) {
      if (room == 1 && left) { left, there := false, there + 1; }
    } else {
      if (room == 1 && right) { right, there := false, there + 1; }
    }
  }
  assert there == n ==> !left && !right && here == 0;
}
