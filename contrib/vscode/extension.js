"use strict";
// Starts `craig lsp`; everything else is the language server's work.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate(context) {
  const settings = vscode.workspace.getConfiguration("craig");
  const run = { command: settings.get("path", "craig"), args: ["lsp"] };
  client = new LanguageClient(
    "craig",
    "Craig",
    { run, debug: run },
    {
      documentSelector: [
        { scheme: "file", language: "c" },
        { scheme: "file", language: "boogie" },
      ],
      synchronize: { configurationSection: "craig" },
      initializationOptions: settings,
    },
  );
  context.subscriptions.push(
    vscode.commands.registerCommand("craig.checkNow", async () => {
      const editor = vscode.window.activeTextEditor;
      if (!editor) return;
      const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
      const found = await client.sendRequest("workspace/executeCommand", { command: "craig.check", arguments: [uri] });
      vscode.window.showInformationMessage(`Craig: ${found.message}`);
    }),
  );
  await client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
