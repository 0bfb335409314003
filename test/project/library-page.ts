/**
 * Generates the reference in docs/library.md from the manager's interface and the comments in its source. `npm run
 * docs` writes it and a test verifies it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { pageOf } from '../../scripts/docs/api-pages.js';
import { DEFAULT_ENGINE_OPTIONS } from '../../src/contract/options.js';
import { managerEvent } from '../../src/contract/watch.js';
import { ROUTES } from '../../src/http/routes.js';

const BEGIN = '<!-- reference: written by `npm run docs` from the sources; edit their comments, not this -->';
const END = '<!-- end of reference -->';
const SRC = join(import.meta.dirname, '..', '..', 'src');

/** The REST request that takes and returns the same, for each method that has one. */
const REQUEST_OF: Readonly<Record<string, string>> = {
  create: 'createTerminal',
  list: 'listTerminals',
  get: 'getTerminal',
  update: 'updateTerminal',
  write: 'sendInput',
  read: 'readOutput',
  search: 'searchOutput',
  stats: 'getStats',
  screen: 'readScreen',
  resize: 'resizeTerminal',
  signal: 'signalTerminal',
  clear: 'clearOutput',
  kill: 'terminateTerminal',
  remove: 'terminateTerminal',
  exec: 'execCommand',
  integrate: 'integrateShell',
  collect: 'collectCommand',
  interrupt: 'interruptCommand',
  commands: 'listCommands',
  command: 'getCommand',
  readCommand: 'readCommandOutput',
  wait: 'waitFor',
  answer: 'answerQuestion',
  watch: 'watchEvents',
  overview: 'overview',
  execInNewTerminal: 'execInNewTerminal',
  followExecInNewTerminal: 'execInNewTerminal',
  followExec: 'execCommand',
  followCommand: 'collectCommand',
  runProgram: 'runProgram',
  followProgram: 'runProgram',
  recordingOf: 'readRecording',
};

const FUNCTION_FILES = [
  'calls/exec-in-new-terminal.ts',
  'calls/follow-command.ts',
  'calls/run-program.ts',
  'recording/open-recording.ts',
  'end-on-signal.ts',
];

/** Returns the document with the text between its two marks replaced by the reference. */
export function withLibrary(document: string): string {
  const [before, after] = [document.slice(0, document.indexOf(BEGIN)), document.slice(document.indexOf(END))];
  return `${before}${BEGIN}\n\n${reference()}\n\n${after}`;
}

function reference(): string {
  const manager = sourceOf('contract/manager.ts');
  const events = interfacesOf(sourceOf('contract/event.ts')).map(eventRow);
  return [
    '## Methods of a manager',
    textOf(interfaceOf(manager, 'TerminalManager')),
    ...interfaceOf(manager, 'TerminalManager').members.map((method) => section(method, manager)),
    '## Functions',
    ...FUNCTION_FILES.flatMap(functionSections),
    '## Events of a subscription',
    table(['Event', 'Fields', ''], events),
    '## Events of a watch',
    table(['Event', 'Fields', ''], managerEvent.options.map(watchedRow)),
    ...['WaitOptions', 'OnceOptions', 'HoldOptions', 'ByOptions', 'ExecOptions', 'ManagerSummary'].map((name) =>
      fieldsOf(manager, name),
    ),
    fieldsOf(sourceOf('contract/options.ts'), 'EngineOptions', DEFAULT_ENGINE_OPTIONS),
    fieldsOf(sourceOf('host/options.ts'), 'RemoteOptions'),
  ].join('\n\n');
}

function sourceOf(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(SRC, path), 'utf8'), ts.ScriptTarget.Latest, true);
}

function interfacesOf(source: ts.SourceFile): ts.InterfaceDeclaration[] {
  return source.statements.filter(ts.isInterfaceDeclaration);
}

function interfaceOf(source: ts.SourceFile, name: string): ts.InterfaceDeclaration {
  const found = interfacesOf(source).find((one) => one.name.text === name);
  if (found === undefined) throw new Error(`${source.fileName} has no interface ${name}`);
  return found;
}

function functionSections(path: string): string[] {
  const source = sourceOf(path);
  const isExported = (node: ts.FunctionDeclaration) =>
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  // Functions that only the interfaces use are not part of the library.
  const isPublic = (node: ts.FunctionDeclaration) => LIBRARY.includes(` ${node.name?.text} `);
  return source.statements
    .filter(ts.isFunctionDeclaration)
    .filter((node) => isExported(node) && isPublic(node))
    .map((node) => section(node, source));
}

/** The exports of index.ts, each word between spaces. */
const LIBRARY = readFileSync(join(SRC, 'index.ts'), 'utf8').replaceAll(/[\s,{}]+/g, ' ');

function section(node: ts.TypeElement | ts.FunctionDeclaration, source: ts.SourceFile): string {
  const name = node.name!.getText(source);
  return [
    `### ${name}`,
    `\`\`\`ts\n${signatureOf(node, source)}\n\`\`\``,
    textOf(node),
    requestOf(name),
    ...ts.getJSDocTags(node).map((tag) => tagText(tag)),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function signatureOf(node: ts.TypeElement | ts.FunctionDeclaration, source: ts.SourceFile): string {
  const whole = node.getText(source);
  const end = 'body' in node && node.body ? node.body.getStart(source) - node.getStart(source) : whole.length;
  const words = whole
    .slice(0, end)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\( | \)|,(?= \))/g, (text) => text.trim());
  return words
    .replace(/^export (async )?function\*? /, '')
    .replaceAll(',)', ')')
    .replace(/;$/, '')
    .trim();
}

function requestOf(method: string): string {
  const route = ROUTES.find(({ name }) => name === REQUEST_OF[method]);
  if (route === undefined) return '';
  const anchor = route.summary
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
  return `The fields of the request and the result are described in [${route.summary}](${pageOf(route.tag)}#${anchor}).`;
}

function tagText(tag: ts.JSDocTag): string {
  const text = inOneLine(ts.getTextOfJSDocComment(tag.comment) ?? '').replace(/^- /, '');
  if (ts.isJSDocParameterTag(tag)) return `\`${tag.name.getText()}\`: ${text}`;
  return `${tag.tagName.text === 'throws' ? 'Throws' : 'Returns'}: ${text}`;
}

function textOf(node: ts.Node): string {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return inOneLine(comments.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '').join(' '));
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function fieldsOf(source: ts.SourceFile, name: string, defaults: object = {}): string {
  const declared = interfaceOf(source, name);
  const rows = declared.members.filter(ts.isPropertySignature).map((field) => {
    const key = field.name.getText(source);
    const type = inOneLine(field.type!.getText(source)).replaceAll('|', '\\|');
    const mark = field.questionToken === undefined ? '' : ' (optional)';
    return [`\`${key}\`${mark}`, `\`${type}\``, textOf(field) + defaultText(Object.entries(defaults), key)];
  });
  return [`## ${name}`, textOf(declared), table(['Field', 'Type', ''], rows)].filter(Boolean).join('\n\n');
}

function defaultText(defaults: readonly (readonly [string, unknown])[], key: string): string {
  const value = defaults.find(([name]) => name === key)?.[1];
  return value === undefined || typeof value === 'function' ? '' : ` Default: \`${JSON.stringify(value)}\`.`;
}

function eventRow(event: ts.InterfaceDeclaration): string[] {
  const [type, ...fields] = event.members.filter(ts.isPropertySignature);
  const names = fields.map((field) => `\`${field.name.getText()}\``);
  return [`\`${type!.type!.getText().replaceAll("'", '')}\``, names.join(', '), textOf(event)];
}

function watchedRow({ shape, description = '' }: (typeof managerEvent.options)[number]): string[] {
  const { type, ...fields } = shape;
  const names = Object.keys(fields).map((field) => `\`${field}\``);
  return [`\`${type.value}\``, names.join(', '), description];
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, headings.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
