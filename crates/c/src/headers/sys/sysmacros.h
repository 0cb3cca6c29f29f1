#pragma once
#define major(dev) ((unsigned int)(((dev) >> 8 & 0xfff) | ((unsigned long long)(dev) >> 32 & ~0xfffu)))
#define minor(dev) ((unsigned int)(((dev) & 0xff) | ((unsigned long long)(dev) >> 12 & ~0xffu)))
#define makedev(maj, min) (((unsigned long long)((maj) & 0xfffu) << 8) | ((unsigned long long)((maj) & ~0xfffu) << 32) | ((min) & 0xffu) | ((unsigned long long)((min) & ~0xffu) << 12))
