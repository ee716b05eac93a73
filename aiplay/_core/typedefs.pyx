"""Constants that the whole library shares, declared in typedefs.pxd."""
