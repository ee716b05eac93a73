"""The server as a process: uvicorn, which tells everybody before it stops."""

from __future__ import annotations

import asyncio
import socket as sockets

import uvicorn
from starlette.applications import Starlette

from aiplay.serve.limits import Limits

__all__ = ["run"]

FAREWELL = 0.2  # seconds for the last messages
PATIENCE = 3  # seconds for connections to end


class _Server(uvicorn.Server):
    """Says goodbye while the connections are still open."""

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        app = self.config.app
        if isinstance(app, Starlette) and hasattr(app.state, "host"):
            app.state.host.close("the server stops")
            await asyncio.sleep(FAREWELL)
        await super().shutdown(sockets)


def run(app: Starlette, listener: sockets.socket, limits: Limits) -> None:
    """Serve until a signal ends it."""
    config = uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=limits.message,
        h11_max_incomplete_event_size=2**16,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=PATIENCE,
    )
    _Server(config).run([listener])
