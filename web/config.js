// Who answers: "http", the server that sent this page, or "wasm", the checker in this tab.
export const CHECKER = "http";
