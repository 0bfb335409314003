/**
 * The scenes to record: for each capture, the preparation of an empty directory, the program, and what a person types.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** The keyboard and the screen of the recorded terminal. */
export interface RecordedTerminal {
  type(text: string): Promise<void>;
  press(...keys: string[]): Promise<void>;
  /** Resolves once the pattern is on the screen. */
  sees(pattern: RegExp): Promise<void>;
}

export interface CaptureScript {
  /** Creates what the program needs in the directory in which it starts. */
  readonly prepare?: (directory: string) => void;
  /** Default: a shell with the prompt `$ `. */
  readonly command?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  readonly act?: (desk: RecordedTerminal) => Promise<void>;
}

/** Types a command that takes over the screen, uses it, and exits the shell afterwards. */
const inShell =
  (command: string, during: (desk: RecordedTerminal) => Promise<void>) => async (desk: RecordedTerminal) => {
    await desk.sees(/^\$/m);
    await desk.type(command);
    await during(desk);
    await desk.sees(/(^|\n)\$$/);
    await desk.type('echo back in the shell');
    await desk.sees(/\nback in the shell\n\$ *$/);
    await desk.type('exit');
  };

export const SCENES: Readonly<Record<string, CaptureScript>> = {
  'npm-install': {
    prepare: (directory) => writeFileSync(join(directory, 'package.json'), '{"name":"example","version":"1.0.0"}'),
    command: ['npm', 'install', '--no-audit', '--no-update-notifier', 'is-odd', 'debug', 'mkdirp'],
  },
  'git-clone': {
    prepare: makeRepository,
    command: ['git', 'clone', '--progress', 'file:///tmp/example/origin.git', 'copy'],
  },
  'cargo-build': { prepare: makeCrates, command: ['cargo', 'build', '--offline'] },
  'multi-bar': { command: belowFullScreen('node', join(import.meta.dirname, 'multi-bar.mjs')) },
  clear: {
    act: inShell('seq 5', async ({ type, sees }) => {
      await sees(/^5$/m);
      await type('clear');
      await sees(/^\$$/);
    }),
  },
  vim: {
    prepare: (directory) => writeFileSync(join(directory, 'notes.txt'), 'first\nsecond\nthird\n'),
    act: inShell('vim --clean notes.txt', editNotes),
  },
  less: {
    prepare: (directory) => {
      const lines = Array.from({ length: 300 }, (_, n) => `line ${n + 1} of a long log, for reading page by page\n`);
      writeFileSync(join(directory, 'long.log'), lines.join(''));
    },
    act: inShell('less long.log', readLog),
  },
  // In its own namespace, so that it shows no processes of this machine.
  htop: {
    command: [
      'unshare', '--pid', '--fork', '--mount-proc', '--uts',
      'bash', '--norc', '-c', 'hostname example; sleep 999 & sleep 999 & PS1="$ " exec bash --norc',
    ], // prettier-ignore
    act: inShell('htop --delay 3', watchProcesses),
  },
  'apt-install': {
    prepare: downloadPackages,
    command: belowFullScreen(
      'apt-get', 'install', '--reinstall', '-y',
      '-o', 'Dpkg::Progress-Fancy=1', '-o', 'Dir::Etc::sourceparts=/dev/null', './hello.deb', './tree.deb',
    ), // prettier-ignore
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  },
};

/** Output below a full screen scrolls as soon as its first line is printed. */
function belowFullScreen(...command: string[]): readonly [string, ...string[]] {
  return ['sh', '-c', 'seq 30; exec "$@"', 'sh', ...command];
}

/** Creates random files, which do not compress and therefore take long enough to show progress. */
function makeRepository(directory: string): void {
  const source = join(directory, 'source');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: source, stdio: 'ignore' });
  mkdirSync(source);
  for (let n = 0; n < 1500; n++) writeFileSync(join(source, `file-${n}.bin`), randomBytes(20_000));
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('-c', 'user.name=Example', '-c', 'user.email=example@example.com', 'commit', '--quiet', '-m', 'All');
  git('clone', '--quiet', '--bare', '.', '../origin.git');
}

const PACKAGES = ['hello', 'tree'];

/** Uses package files, which are shown by their path rather than by a host name. */
function downloadPackages(directory: string): void {
  execFileSync('apt-get', ['download', ...PACKAGES], { cwd: directory, stdio: 'ignore' });
  for (const file of readdirSync(directory)) {
    renameSync(join(directory, file), join(directory, file.replace(/_.*/, '.deb')));
  }
}

const CRATES = ['alpha', 'beta', 'gamma', 'delta'];

/** Creates several crates, so that the progress bar moves, and a warning, for colours. */
function makeCrates(directory: string): void {
  const dependencies = CRATES.map((name) => `${name} = { path = "${name}" }`).join('\n');
  makeCrate(
    directory,
    'hello',
    dependencies,
    'main.rs',
    'fn main() {\n    let unused = 1;\n    println!("Hello");\n}\n',
  );
  for (const name of CRATES) makeCrate(join(directory, name), name, '', 'lib.rs', 'pub fn one() -> u8 {\n    1\n}\n');
}

function makeCrate(directory: string, name: string, dependencies: string, file: string, source: string): void {
  const manifest = `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n${dependencies}\n`;
  mkdirSync(join(directory, 'src'), { recursive: true });
  writeFileSync(join(directory, 'Cargo.toml'), manifest);
  writeFileSync(join(directory, 'src', file), source);
}

async function editNotes({ type, press, sees }: RecordedTerminal): Promise<void> {
  await sees(/^third$/m);
  await press('G', 'o');
  await type('a fourth line, with — wide 你好 — characters');
  await sees(/fourth line.*characters/);
  await press('escape', 'g', 'g', 'd', 'd', 'u', 'x');
  await sees(/^irst$/m);
  await type('/second');
  await type(':set number');
  await sees(/2 second/);
  await press('ctrl-v', 'down', 'I');
  await press('>', 'escape');
  await sees(/3 >third/);
  await type(':wq');
}

async function readLog({ press, type, sees }: RecordedTerminal): Promise<void> {
  await sees(/^line 1 of/m);
  await press('space');
  await sees(/^line 40 of/m);
  await press('ctrl-b');
  await sees(/^line 1 of/m);
  await type('/line 150');
  await sees(/^line 150 of/m);
  await press('G');
  await sees(/^line 300 of/m);
  await press('k', 'k');
  await sees(/^line 276 of/m);
  await press('q');
}

async function watchProcesses({ press, sees }: RecordedTerminal): Promise<void> {
  await sees(/sleep 999/);
  await press('down', 'down', 'up');
  await press('f5');
  await sees(/└─|├─|`-/);
  await press('f1');
  await sees(/Memory bar:/);
  await press('space');
  await sees(/sleep 999/);
  await press('q');
}
