"""The server: what it can do, and the loop over standard input and output."""

from __future__ import annotations

import gc
import os

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from lfc.base.version import __version__
from lfc.editor.server import names, shape, texts, writing
from lfc.editor.server.publish import Publisher
from lfc.editor.server.session import Session

NAME = "lfc"


class Server(LanguageServer):
    def __init__(self) -> None:
        super().__init__(NAME, __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.session = Session()
        self.publisher = Publisher(self, self.session)


def make_server() -> Server:
    server = Server()
    for room in (texts, names, writing, shape):
        room.register(server)
    return server


def serve() -> None:
    """Until the editor says `exit` or closes standard input."""
    server = make_server()
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)  # an analysis makes many objects, most of which go without a collection
    # The protocol has the streams to itself, also at the end, when they are closed: whatever is printed goes elsewhere.
    with os.fdopen(os.dup(0), "rb") as read, os.fdopen(os.dup(1), "wb") as write:
        os.dup2(2, 1)
        server.start_io(read, write)
