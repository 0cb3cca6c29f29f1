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
      try {
        const found = await client.sendRequest("workspace/executeCommand", { command: "craig.check", arguments: [uri] });
        vscode.window.showInformationMessage(`Craig: ${found.message}`);
      } catch (problem) {
        vscode.window.showWarningMessage(`Craig: ${problem.message}`);
      }
    }),
  );
  try {
    await client.start();
  } catch (problem) {
    vscode.window.showErrorMessage(
      `Craig could not be started as '${run.command} lsp': ${problem.message}. Put craig on the path, or set craig.path.`,
    );
  }
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
