"""The language server driven by a client library (pytest-lsp): every message is read into the types of the protocol.

    pip install pytest-lsp; CRAIG=target/debug/craig python3 -m pytest crates/cli/tests/lsp_client.py
"""
import ast
import asyncio
import os

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

PATIENCE = 120
UNSAFE = "procedure main() {\n  var x: int;\n  havoc x;\n  assume x > 3;\n  assert x != 7;\n}\n"
SAFE = """procedure main() {
  var x, y, z: int;
  assume y >= z;
  x := 0;
  while (x < y) {
    x := x + 1;
  }
  assert y >= z;
}
"""
# Nobody knows whether the loop always ends.
ENDLESS = """procedure main() {
  var n, steps: int;
  assume n > 0;
  steps := 0;
  while (n != 1) {
    if (n mod 2 == 0) { n := n div 2; } else { n := 3 * n + 1; }
    steps := steps + 1;
  }
  assert steps != 100000000;
}
"""
FUNCTIONS = "int half(int x) {\n    return x / 2;\n}\n\nint twice(int x) {\n    return x + x;\n}\n"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ.get("CRAIG", "craig"), "lsp"]))
async def client(lsp_client: LanguageClient):
    options = {"timeout": "60s", "property": "unreach-call"}
    capabilities = client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=capabilities, initialization_options=options)
    )
    yield
    await lsp_client.shutdown_session()


def opened(client, name, text, language="boogie"):
    """A text that is on no disk."""
    uri = f"file:///nowhere/{name}"
    item = lsp.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))
    return uri


async def published(client, uri):
    """The next diagnostics of a document."""
    while True:
        await asyncio.wait_for(client.wait_for_notification("textDocument/publishDiagnostics"), PATIENCE)
        if uri in client.diagnostics:
            return client.diagnostics.pop(uri)


def changed(client, uri, text, version):
    whole = lsp.TextDocumentContentChangeWholeDocument(text=text)
    document = lsp.VersionedTextDocumentIdentifier(uri=uri, version=version)
    client.text_document_did_change(
        lsp.DidChangeTextDocumentParams(text_document=document, content_changes=[whole])
    )


async def executed(client, command):
    params = lsp.ExecuteCommandParams(command=command.command, arguments=command.arguments)
    return await asyncio.wait_for(client.workspace_execute_command_async(params), PATIENCE)


@pytest.mark.asyncio
async def test_the_buffer_is_checked(client: LanguageClient):
    uri = opened(client, "buffer.bpl", UNSAFE)
    [violation] = await published(client, uri)
    assert violation.severity == lsp.DiagnosticSeverity.Error
    assert violation.range.start.line == 4
    assert violation.related_information
    changed(client, uri, SAFE, 2)
    assert list(await published(client, uri)) == []
    # The invariant is shown on the line of the loop.
    position = lsp.Position(line=4, character=2)
    document = lsp.TextDocumentIdentifier(uri=uri)
    hover = await client.text_document_hover_async(lsp.HoverParams(text_document=document, position=position))
    assert "y" in hover.contents.value


@pytest.mark.asyncio
async def test_lenses_and_actions(client: LanguageClient):
    configuration = lsp.DidChangeConfigurationParams(settings={"craig": {"property": "no-overflow", "checkOnOpen": False}})
    client.workspace_did_change_configuration(configuration)
    uri = opened(client, "functions.c", FUNCTIONS, "c")
    document = lsp.TextDocumentIdentifier(uri=uri)
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(text_document=document))
    assert [(l.range.start.line, l.command.title) for l in lenses] == [(0, "check half"), (4, "check twice")]
    half = await executed(client, lenses[0].command)
    twice = await executed(client, lenses[1].command)
    assert (half["result"], twice["result"]) == ("true", "false(no-overflow)")
    at = lsp.Position(line=5, character=4)
    params = lsp.CodeActionParams(
        text_document=document, range=lsp.Range(start=at, end=at), context=lsp.CodeActionContext(diagnostics=[])
    )
    actions = {a.title: a for a in await client.text_document_code_action_async(params)}
    command = actions["check twice"].command
    if isinstance(command, str):  # lsprotocol 2025.0 reads an action with a command as a command
        command = lsp.Command(**ast.literal_eval(command))
    assert (await executed(client, command))["result"] == "false(no-overflow)"
    [edit] = actions["insert a contract for twice"].edit.changes[uri]
    assert edit.range.start.line == 4 and edit.new_text.startswith("/*@ ")


@pytest.mark.asyncio
async def test_cancelling(client: LanguageClient):
    client.workspace_did_change_configuration(
        lsp.DidChangeConfigurationParams(settings={"craig": {"timeout": "300s", "checkOnOpen": False}})
    )
    uri = opened(client, "endless.bpl", ENDLESS)
    params = lsp.ExecuteCommandParams(command="craig.check", arguments=[uri])
    check = asyncio.ensure_future(client.workspace_execute_command_async(params))
    # The server asks for a token and reports on it; that is what an editor's button cancels.
    while not client.progress_reports:
        await asyncio.sleep(0.05)
    token = next(iter(client.progress_reports))
    client.window_work_done_progress_cancel(lsp.WorkDoneProgressCancelParams(token=token))
    with pytest.raises(JsonRpcException):
        await asyncio.wait_for(check, PATIENCE)
