"""The page of `aiplay serve` as a folder of static files: bots in the browser, without a server."""
