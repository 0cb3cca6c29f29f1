#pragma once
/* Types of which only the size and the alignment matter. Unnamed bit-fields are padding, which costs nothing. */
#define __craig_word long : __LONG_WIDTH__;
#define __craig_words4 __craig_word __craig_word __craig_word __craig_word
#define __craig_words16 __craig_words4 __craig_words4 __craig_words4 __craig_words4
#define __craig_opaque __attribute__((__aligned__(sizeof(long))))
