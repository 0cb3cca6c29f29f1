// expect: true
type Class;
const unique Object: Class;
const unique Animal: Class extends unique Object;
const unique Cat: Class extends Animal complete;
procedure main(c: Class) {
  assert Cat <: Object;
  assert c <: Cat ==> c <: Animal;
  assert c <: Cat && Cat <: c ==> c == Cat;
}
