#pragma once
char *dirname(char *);
