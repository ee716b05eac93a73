"""Runs the examples of a page."""

import doctest
import sys
import types


def run_page(path):
    """Run the examples of a page in a module of their own, so that their classes can be pickled; return the results."""
    module = sys.modules["page_of_examples"] = types.ModuleType("page_of_examples")
    try:
        test = doctest.DocTestParser().get_doctest(
            path.read_text(encoding="utf-8"), {}, path.name, str(path), 0
        )
        test.globs = vars(module)
        return doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False)
    finally:
        del sys.modules["page_of_examples"]
