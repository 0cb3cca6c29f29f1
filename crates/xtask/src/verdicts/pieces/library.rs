//! Calls of the library, some with pointers that are null, dangling, or to too little.

use super::{Piece, local, with};

pub(super) const PIECES: &[Piece] = &[
    // Locks.
    with(
        "static pthread_mutex_t m$k = PTHREAD_MUTEX_INITIALIZER;",
        "pthread_mutex_t *p = $s > ⟨0¦1¦9⟩ ? ⟨0¦&m$k⟩ : &m$k; ⟨if (p)¦if (p)¦if (p != 0)¦⟩ acc += ⟨pthread_mutex_lock(p)¦pthread_mutex_trylock(p)⟩; acc += 2;",
    ),
    local(
        "pthread_mutex_t *p = malloc(sizeof *p); pthread_mutex_init(p, 0); pthread_mutex_lock(p); acc++; pthread_mutex_unlock(p); \
         ⟨pthread_mutex_destroy(p); free(p);¦free(p);¦free(p); «DEREF» pthread_mutex_lock(p);¦free(p); «DEREF» pthread_mutex_destroy(p);¦free(p); «DEREF» pthread_mutex_unlock(p);⟩",
    ),
    local(
        "pthread_rwlock_t l; pthread_rwlock_init(⟨&l¦&l¦&l¦0⟩, 0); pthread_rwlock_⟨rd¦wr⟩lock(&l); acc += 3; pthread_rwlock_unlock(&l);",
    ),
    local(
        "sem_t s, *p = $s ⟨<¦>⟩ 9 ? &s : 0; ⟨if (!p) p = &s;¦⟩ sem_init(p, 0, 1); sem_wait(p); acc += 1; sem_post(p);",
    ),
    // Streams.
    local(
        "char b[8] = \"q\"; FILE *f = fopen(\"/nonexistent/file\", \"r\"); ⟨if (f) {¦if (f) {¦{⟩ \
         ⟨fgets(b, 8, f);¦fputs(\"x\", f);¦fprintf(f, \"%d\", 1);¦acc += fgetc(f);¦fputc('a', f);¦acc += (int)fread(b, 1, 4, f);¦acc += (int)fwrite(b, 1, 4, f);¦rewind(f);¦acc += feof(f);¦acc += getc(f);¦fseek(f, 0, SEEK_SET);⟩ fclose(f); } acc += b[0] != 0;",
    )
    .open(),
    local("FILE *f = fopen(⟨\"/nonexistent/file\"¦\"/dev/null\"⟩, \"r\"); ⟨if (f)¦⟩ fclose(f); acc++;").open(),
    local(
        "FILE *f = fopen(\"/dev/null\", \"w\"); if (f) { fputs(\"t\", f); fclose(f); ⟨¦«DEREF» fputc('x', f);¦«DEREF» fclose(f);¦f = 0;⟩ acc++; }",
    )
    .open(),
    local("char b[8]; char *r = fgets(b, ⟨4¦6¦8⟩, stdin); acc += r != 0;").some_values(),
    local("char b[⟨4¦6⟩]; char *r = fgets(b, ⟨4¦5¦7⟩, stdin); acc += r != 0;").open(),
    local("char *s = ⟨0¦\"text\"¦\"\"⟩; ⟨if (s)¦if (s)¦⟩ fputs(s, ⟨stdout¦stderr⟩); acc++;"),
    local("char s[3] = ⟨\"ab\"¦\"abc\"¦\"\"¦{ 'x', 'y' }¦{ 'x', 'y', 'z' }⟩; ⟨puts(s);¦printf(\"%s\", s);¦printf(\"%d %s\\n\", 3, s);¦printf(\"%.3s\", s);¦printf(\"%.2s\", s);¦fputs(s, stdout);¦printf(\"%c\", s[2]);⟩ acc += 1;"),
    local("acc += ⟨printf(\"ab%d\", $c)¦printf(\"%5d|\", $v)¦snprintf(0, 0, \"%d\", $v)¦printf(\"%s\", \"xyz\")¦(putchar('a') < 98)⟩;"),
    // Results through pointers.
    local("int e = 7; double d = frexp(⟨8.0¦0.5¦0.0¦-3.0⟩, ⟨&e¦&e¦&e¦0¦(int *)0⟩); acc += e + (int)(d * 8);"),
    local("double w; double f = modf(⟨2.75¦-1.5¦4.0⟩, ⟨&w¦&w¦&w¦0⟩); acc += (int)w + (int)(f * 4);"),
    local("int q = 1; double r = remquo(⟨7.0¦5.0⟩, ⟨2.0¦3.0⟩, ⟨&q¦&q¦0⟩); acc += (int)(r * 2) + (q != 0);"),
    local("double *p = ⟨0¦malloc(sizeof *p)¦malloc(sizeof *p)¦malloc(4)⟩; double f = modf(2.5, p); acc += (int)(f * 2); free(p);"),
    local("char *e = 0; const char *t = ⟨\"12z\"¦\"0x1f\"¦\"\"¦\" 8\"⟩; long v = strtol(t, ⟨&e¦&e¦0⟩, ⟨10¦16¦0⟩); acc += (int)v; ⟨if (e)¦⟩ acc += *e;"),
    local("int n = 5, m = 6; int r = sscanf(⟨\"12 34\"¦\"7\"¦\"x\"¦\"\"⟩, \"%d%d\", ⟨&n¦&n¦&n¦0⟩, &m); acc += n + m + r;"),
    local("char w[⟨4¦8⟩] = \"\"; int r = sscanf(⟨\"abc\"¦\"abcde fg\"¦\"\"⟩, ⟨\"%s\"¦\"%3s\"¦\"%2s\"⟩, w); acc += r + w[0];"),
    // Times and the environment.
    local("time_t t = 0, *p = ⟨&t¦&t¦0⟩; struct tm *g = ⟨gmtime(p)¦localtime(p)⟩; ⟨if (g)¦if (g)¦⟩ acc += g->tm_year > 0;").open(),
    local("time_t t = 5; time_t u = time(⟨0¦&t¦&t⟩); acc += u == (time_t)0; ⟨acc += t == u;¦⟩").open(),
    local("struct tm x = { 0 }; x.tm_year = 100; x.tm_mday = 1; time_t t = mktime(⟨&x¦&x¦0⟩); acc += t != 0;").open(),
    local("char *e = getenv(⟨\"CRAIG_NO_SUCH\"¦\"CRAIG_NO_SUCH\"¦0⟩); ⟨if (e)¦if (e)¦⟩ acc += e[0] != 0;").open(),
    local("acc += setenv(\"CRAIG_A\", ⟨\"b\"¦\"b\"¦0⟩, 1) ⟨!= 0¦== 0⟩;").open(),
    // Texts without an end, freed, null, or in too little room.
    local("char b[4] = { 'a', 'b', 'c', ⟨0¦0¦'d'⟩ }; acc += ⟨(int)strlen(b)¦strcmp(b, \"abc\") > 0¦atoi(b)¦strcmp(\"abd\", b) > 0¦(int)strcspn(b, \"z\")¦strchr(b, 'c') != 0¦strchr(b, 'q') != 0¦(int)strnlen(b, 4)¦strncmp(b, \"abcd\", 4) < 0⟩;"),
    local("char *p = malloc(4); strcpy(p, ⟨\"abc\"¦\"ab\"¦\"abcd\"⟩); ⟨free(p);¦¦⟩ acc += ⟨(int)strlen(p)¦p[0]¦memcmp(p, \"ab\", 2)¦strcmp(p, \"abc\") != 0⟩; ⟨¦«if (block_of(p) < 0 || !blocks[block_of(p)].live) FREE» free(p);⟩"),
    local("const char *p = $s > ⟨2¦9⟩ ? 0 : \"abc\"; acc += ⟨(int)strlen(p)¦strcmp(p, \"x\") < 0¦atoi(p)¦strchr(p, 'b') != 0¦strcmp(\"a\", p) < 0¦memcmp(p, \"abc\", 3)⟩;"),
    local("char a[8] = \"abcdefg\"; mem⟨cpy¦move¦move⟩(a + ⟨0¦1¦4⟩, a + ⟨0¦4¦3⟩, ⟨3¦4¦1⟩); acc += a[1] + a[4] * 2 + a[6];"),
    local("char d[⟨6¦4¦8⟩]; char *e = stpcpy(d, ⟨\"abc\"¦\"abcd\"¦\"\"⟩); acc += (int)(e - d) + d[0] + (*e == 0);"),
    local("char s[] = \"a b  c\", *save, *t = strtok_r(s, \" \", &save); int n = 0; while (t) { n = n * 10 + t[0] - 'a' + 1; t = strtok_r(0, \" \", ⟨&save¦&save¦&save¦0⟩); } acc += n;"),
    local("char *d = strndup(\"hello\", ⟨2¦9¦0¦$s⟩); acc += (int)strlen(d) + d[0]; ⟨free(d);¦free(d);¦⟩"),
    local("char a[4] = \"xyz\"; strncpy(a, \"pqrs\", ⟨2¦3¦4⟩); acc += a[0] + ⟨(int)strlen(a)¦a[3]⟩; memset(a, ⟨0¦1⟩, ⟨4¦5¦sizeof a⟩); acc += a[2];"),
    local("char a[6] = \"ab\"; strcat(a, ⟨\"cde\"¦\"cdef\"¦\"\"⟩); acc += (int)strlen(a); ⟨strncat(a, \"zz\", ⟨1¦2⟩);¦⟩ acc += a[1];"),
    local("char b[⟨4¦5¦12⟩]; int n = snprintf(b, ⟨sizeof b¦4¦6⟩, \"%s%d\", \"ab\", ⟨12¦123¦$v⟩); acc += n + b[0] + (int)strlen(b);"),
    local("char b[⟨4¦5¦12⟩]; sprintf(b, ⟨\"%d\"¦\"%03d\"¦\"<%d>\"¦\"%x\"⟩, ⟨12¦-7¦999⟩); acc += b[0] + (int)strlen(b);"),
    local("int a[3] = { 1, 2, 3 }, b[3] = { 1, 2, ⟨3¦4⟩ }; acc += memcmp(a, b, ⟨8¦12¦sizeof a¦13⟩) ⟨== 0¦> 0¦< 0⟩; ⟨memcpy(b + 1, a, ⟨8¦9¦4⟩); acc += b[2];¦⟩"),
    local("wchar_t w[4] = ⟨L\"abc\"¦L\"a\"⟩; acc += (int)wcslen(w) + (int)sizeof(w) + (w[0] == L'a');"),
    // Numbers.
    local("div_t d = div(⟨17¦-17¦$v⟩, ⟨5¦-3⟩); acc += d.quot * 10 + d.rem; ldiv_t l = ldiv(-9L, 2L); acc += (int)(l.quot + l.rem);"),
    local("acc += abs(⟨-5¦7¦$v⟩) + (int)labs(⟨-3L¦0L⟩) + (isdigit(⟨'4'¦'x'⟩) ? 2 : 3) + toupper(⟨'b'¦'Z'¦'!'⟩);"),
    local("acc += (int)sqrt(⟨16.0¦2.25¦0.0⟩) + (int)floor(⟨-1.5¦2.5⟩) + (int)ceil(⟨1.25¦-0.5⟩) + (int)fabs(⟨-3.0¦3.5⟩) + (int)trunc(⟨-2.75¦2.75⟩) + (int)fmod(⟨7.5¦-7.5⟩, 2.0) + (int)lround(⟨2.5¦-2.5⟩) + (int)fmax(1.0, ⟨2.0¦0.5⟩);"),
    // Memory.
    local("void *p = 0; int r = posix_memalign(⟨&p¦&p¦0⟩, 16, ⟨8¦16⟩); if (r == 0) { ((char *)p)[⟨7¦0¦8⟩] = 1; acc++; free(p); }").open(),
    local("int *p = calloc(⟨2¦3⟩, ⟨4¦sizeof *p¦2⟩); acc += p[0] + p[1]; p = realloc(p, ⟨4¦8¦16⟩); p[⟨0¦1⟩] = 3; ⟨free(p);¦free(p);¦free(p); free(p);¦free(p + 1);¦⟩"),
    local("char b[8]; char *p = ⟨memchr(b, 'z', 0)¦memset(b, 'a', 8)¦memcpy(b, \"12345678\", 8)⟩; ⟨if (p)¦⟩ acc += p[0];"),
    with(
        "static int less$k(const void *a, const void *b) { return *(const short *)a - *(const short *)b; }",
        "short a[4] = { 3, $c, 2, 1 }; qsort(a, ⟨4¦3¦2¦5⟩, sizeof *a, less$k); acc += a[0] * 10 + a[1];",
    ),
    local("int *p = ⟨malloc(sizeof(int))¦malloc(2)¦malloc(0)¦calloc(1, 1)⟩; *p = 5; acc += *p; free(p);"),
    local("errno = 0; long v = strtol(⟨\"99999999999999999999\"¦\"5\"⟩, 0, 10); acc += errno ⟨== ERANGE¦== 0⟩ + (v > 9);"),
    local("char *a[] = { \"b\", \"a\", 0 }; int n = 0; for (char **p = a; *p⟨¦¦[⟨0¦1⟩]⟩; p++) n += **p; acc += n;"),
];
