// expect: false
// may: unknown
// timeout: 3s
// The polynomial has a root near -1.4418, beside the one at minus the root of 2.
procedure main()
{
  var x: real;
  havoc x;
  if (x*x*x*x*x - 5.0*x*x*x*x - 5.0*x*x*x + 19.0*x*x + 6.0*x - 18.0 == 0.0 && x < 0.0 - 1.42) {
    assert false;
  }
}
