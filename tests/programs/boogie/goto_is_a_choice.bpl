// expect: false
procedure main() {
  var x: int;
  start:
    goto left, right;
  left:
    x := 1;
    goto done;
  right:
    x := 2;
    goto done;
  done:
    assert x != 2;
}
