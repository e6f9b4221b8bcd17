// As much of the module vscode as the extension needs to be activated outside the editor: files, commands, tests, tasks.
const { readdirSync } = require("node:fs");
const Module = require("node:module");
const { basename, join } = require("node:path");

const disposable = () => ({ dispose() {} });

class Uri {
  constructor(path) {
    Object.assign(this, { scheme: "file", fsPath: path, path });
  }
  static file = (path) => new Uri(path);
  static parse = (text) => new Uri(text.replace("file://", ""));
}

class TestMessage {
  constructor(message) {
    this.message = message;
  }
  static diff = (message, expectedOutput, actualOutput) =>
    Object.assign(new TestMessage(message), { expectedOutput, actualOutput });
}

class Items extends Map {
  add = (item) => this.set(item.id, item);
  replace = (items) => {
    this.clear();
    items.forEach(this.add);
  };
}

/** Anything else: a class, a namespace and a function, all of which do nothing. */
function anything(known) {
  return new Proxy(known, {
    get(target, name) {
      if (name in target) {
        const value = target[name];
        return value?.constructor === Object ? anything(value) : value;
      }
      return typeof name === "symbol" || name === "then" ? undefined : anything(class {});
    },
    apply: disposable,
  });
}

/** Puts the stub in the place of vscode; what the extension does with it is noted in the result. */
exports.install = (root, command) => {
  const noted = { commands: {}, messages: [], tasks: [], results: [], controller: undefined, run: undefined };
  const note = (outcome) => (item, message) => noted.results.push([outcome, item.label, message]);
  const files = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  const vscode = anything({
    version: "1.100.0",
    TestRunProfileKind: { Run: 1 },
    TaskScope: { Workspace: 2 },
    TaskRevealKind: { Always: 1 },
    Uri,
    TestMessage,
    EventEmitter: class {
      event = disposable;
      fire() {}
      dispose() {}
    },
    Position: class {
      constructor(line, character) {
        Object.assign(this, { line, character });
      }
    },
    Range: class {
      constructor(line) {
        this.start = { line };
      }
    },
    Location: class {
      constructor(uri, range) {
        Object.assign(this, { uri, range });
      }
    },
    RelativePattern: class {
      constructor(base, pattern) {
        Object.assign(this, { base, pattern });
      }
    },
    Disposable: { from: disposable },
    ProcessExecution: class {
      constructor(process, args) {
        Object.assign(this, { process, args });
      }
    },
    Task: class {
      constructor(_type, _scope, name, _source, execution) {
        Object.assign(this, { name, execution });
      }
    },
    commands: { registerCommand: (id, run) => ((noted.commands[id] = run), disposable()) },
    tasks: { executeTask: (task) => noted.tasks.push([task.execution.process, ...task.execution.args]) },
    window: {
      createOutputChannel: () => ({
        error() {},
        warn() {},
        info() {},
        append() {},
        appendLine() {},
        show() {},
        dispose() {},
      }),
      showErrorMessage: async (message) => void noted.messages.push(message),
      activeTextEditor: undefined,
    },
    tests: {
      createTestController: () =>
        (noted.controller = {
          items: new Items(),
          createTestItem: (id, label) => ({ id, label, children: new Items() }),
          createRunProfile: (_name, _kind, run) => (noted.run = run),
          createTestRun: () => ({
            started: note("started"),
            passed: note("passed"),
            failed: note("failed"),
            errored: note("errored"),
            appendOutput() {},
            end() {},
          }),
        }),
    },
    workspace: {
      workspaceFolders: [{ uri: Uri.file(root) }],
      textDocuments: [],
      getConfiguration: () => ({ get: () => command }),
      getWorkspaceFolder: () => undefined,
      onDidChangeTextDocument: disposable,
      onDidChangeConfiguration: disposable,
      createFileSystemWatcher: () => ({ onDidCreate: disposable, onDidChange: disposable, onDidDelete: disposable }),
      findFiles: async (pattern) => {
        const wanted = (pattern.pattern ?? pattern).replace("**/", "");
        const fits = wanted.startsWith("*")
          ? (path) => path.endsWith(wanted.slice(1))
          : (path) => basename(path) === wanted;
        return files(pattern.base ?? root)
          .filter(fits)
          .map(Uri.file);
      },
    },
  });
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  return noted;
};
