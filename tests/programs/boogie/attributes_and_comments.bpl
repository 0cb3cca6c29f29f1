// expect: true
/* comments /* may nest */ here */
type {:datatype} T;
const {:some "attribute", 3} c: int;
procedure {:inline 1} {:entry} main()
{
  assume {:partition} true;
  assert {:msg "one"} {:id 4} 1 + 1 == 2; // end of line
}
