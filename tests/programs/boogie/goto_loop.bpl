// expect: true
procedure main() {
  var i: int;
  i := 0;
  head:
    goto body, exit;
  body:
    assume i < 4;
    i := i + 1;
    goto head;
  exit:
    assume i >= 4;
    assert i == 4;
    return;
}
