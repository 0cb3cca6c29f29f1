// expect: false(valid-deref)
// property: valid-memsafety
// The broken-down time is read and written.
typedef long time_t; struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long a; const char *z; }; time_t mktime(struct tm *);
int main(void) { struct tm *t = 0; return mktime(t) > 5; }
