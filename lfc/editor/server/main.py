"""The server: what it can do, and the loop over standard input and output."""

from __future__ import annotations

import gc
import logging
import os

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from lfc.base.version import __version__
from lfc.editor.analysis.addresses import path_of
from lfc.editor.server import checking, names, shape, texts, writing
from lfc.editor.server.names import REQUEST_FAILED
from lfc.editor.server.publish import Publisher
from lfc.editor.server.session import Session

NAME = "lfc"


class Server(LanguageServer):
    def __init__(self) -> None:
        super().__init__(NAME, __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.session = Session()
        self.publisher = Publisher(self, self.session)
        self.checker = checking.Checker(self)
        self.client_commands: frozenset[str] = frozenset()  # that the editor does itself


def make_server() -> Server:
    server = Server()

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        session = server.session
        session.folders = [path_of(f.uri) for f in params.workspace_folders or ()]
        if not session.folders and params.root_uri is not None:
            session.folders = [path_of(params.root_uri)]
        options = params.initialization_options
        told = options.get("commands", []) if isinstance(options, dict) else []
        server.client_commands = frozenset(c for c in told if isinstance(c, str))

    @server.feature(lsp.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.checker.supervisor.close()

    for room in (texts, names, writing, shape, checking):
        room.register(server)
    return server


def is_no_refusal(record: logging.LogRecord) -> bool:
    """A request that cannot be done is answered with the reason: nothing for the log."""
    error = record.exc_info[1] if record.exc_info else None
    return not (isinstance(error, JsonRpcException) and error.code == REQUEST_FAILED)


def serve() -> None:
    """Until the editor says `exit` or closes standard input."""
    server = make_server()
    for name in ("pygls.protocol.json_rpc", "pygls.protocol.language_server"):
        logging.getLogger(name).addFilter(is_no_refusal)
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)  # an analysis makes many objects, most of which go without a collection
    # The protocol has the streams to itself, also at the end, when they are closed: whatever is printed goes elsewhere.
    with os.fdopen(os.dup(0), "rb") as read, os.fdopen(os.dup(1), "wb") as write:
        os.dup2(2, 1)
        server.start_io(read, write)
