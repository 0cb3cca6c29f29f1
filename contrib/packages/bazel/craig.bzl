"""craig_test: passes when Craig proves the property.

    load("//tools:craig.bzl", "craig_test")
    craig_test(name = "queue_proof", src = "queue_proof.c", hdrs = ["queue.c", "queue.h"], property = "no-overflow")
"""

def craig_test(name, src, hdrs = [], property = "unreach-call", timeout_seconds = 60, craig = "craig", **kwargs):
    native.genrule(
        name = name + "_script",
        outs = [name + ".sh"],
        cmd = "printf '#!/bin/sh\\nexec %s check --property %s --timeout %ss %s\\n' > $@" % (
            craig,
            property,
            timeout_seconds,
            "$$1",
        ),
    )
    native.sh_test(
        name = name,
        srcs = [name + ".sh"],
        args = ["$(location %s)" % src],
        data = [src] + hdrs,
        **kwargs
    )
