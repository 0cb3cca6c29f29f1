// expect: true
// property: valid-memsafety
// The library has an object for the result.
typedef long time_t; struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long a; const char *z; }; struct tm *gmtime(const time_t *);
int main(void) { time_t t = 5; struct tm *r = gmtime(&t); return r->tm_sec > 100; }
