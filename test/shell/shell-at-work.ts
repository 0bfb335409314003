/**
 * A shell in its own terminal, as the cases use it: run a command, type text, wait for output. Each has a home
 * directory without start files, unless a case creates some.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandRecord, CommandResult, ExecCommand } from '../../src/contract/command.js';
import type { TerminalManager } from '../../src/contract/manager.js';
import type { CreateTerminal, TerminalInput } from '../../src/contract/terminal.js';
import { DEEP } from '../deep.js';
import { readUntilText, screenUntil, startEngine, stopEngines } from '../engine/engine-under-test.js';
import { eventually, PATIENCE_MS } from '../eventually.js';

export const SHELLS = {
  bash: { shell: '/bin/bash' },
  zsh: { shell: '/usr/bin/zsh' },
  fish: { shell: '/usr/bin/fish' },
  dash: { shell: '/usr/bin/dash' },
  busybox: { shell: '/usr/bin/busybox', args: ['sh'] },
  mksh: { shell: '/usr/bin/mksh' },
} satisfies Record<string, CreateTerminal>;
export type ShellName = keyof typeof SHELLS;

/** The same text for each shell; `other` for shells without an entry of their own. */
export type Wording = Partial<Record<ShellName, string>> & { readonly other: string };

export class ShellAtWork {
  readonly manager: TerminalManager;
  readonly name: ShellName;
  /** A directory of this case alone; the shell's working directory, with its home directory below. */
  readonly directory: string;
  readonly home: string;
  #id: string | null = null;

  constructor(manager: TerminalManager, name: ShellName) {
    this.manager = manager;
    this.name = name;
    this.directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-case-')));
    this.home = join(this.directory, 'home');
    mkdirSync(this.home);
    // Otherwise fish parses all manual pages in the background at its first start.
    this.put('.local/share/fish/generated_completions/none', '');
  }

  get isFish(): boolean {
    return this.name === 'fish';
  }

  get id(): string {
    if (this.#id === null) throw new Error('The shell was not started');
    return this.#id;
  }

  /** Before `start`: creates a file in the home directory. */
  put(path: string, text: string): string {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  async start(options: CreateTerminal = {}): Promise<void> {
    const { shell, ...rest }: CreateTerminal = SHELLS[this.name];
    const env = {
      HOME: this.home,
      XDG_CONFIG_HOME: join(this.home, '.config'),
      XDG_DATA_HOME: join(this.home, '.local/share'),
      PS1: '$ ',
      ...options.env,
    };
    const created = await this.manager.create({ shell, ...rest, cwd: this.directory, ...options, env });
    this.#id = created.id;
  }

  words(wording: Wording): string {
    return wording[this.name] ?? wording.other;
  }

  /** Runs a command that ends, or waits for input, long before its time limit. */
  exec(command: string | Wording, options: Partial<ExecCommand> = {}): Promise<CommandResult> {
    const text = typeof command === 'string' ? command : this.words(command);
    return this.manager.exec(this.id, { command: text, timeoutMs: PATIENCE_MS, maxLines: 1_000_000, ...options });
  }

  collect(commandId: number, options: { untilInput?: boolean; timeoutMs?: number } = {}): Promise<CommandResult> {
    return this.manager.collect(this.id, commandId, { timeoutMs: PATIENCE_MS, ...options });
  }

  /** Starts a command and returns while it runs. */
  async begin(command: string | Wording, marker: string | RegExp): Promise<CommandResult> {
    const begun = await this.exec(command, { detach: true });
    await this.shows(marker);
    return begun;
  }

  type(input: string | TerminalInput): Promise<void> {
    return this.manager.write(this.id, typeof input === 'string' ? { input, raw: true } : input);
  }

  /** Returns the history once it contains `marker`. */
  shows(marker: string | RegExp): Promise<string> {
    return readUntilText(this.manager, this.id, marker);
  }

  /** Resolves when all output, including its line endings, contains `text`. */
  async prints(text: string): Promise<void> {
    await this.manager.wait(this.id, { text, fromOffset: 0, timeoutMs: PATIENCE_MS });
  }

  async screenShows(isSo: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
    return (await screenUntil(this.manager, this.id, ({ lines }) => isSo(lines))).lines;
  }

  /** Resolves when the prompt is visible, so that text typed from now on is typed at it. */
  async prompt(): Promise<void> {
    await this.exec('true');
    await this.screenShows((lines) => /[#$>%] ?$/.test(lines.findLast((line) => line !== '') ?? ''));
  }

  /** Returns the newest record once `isSo` holds for it. */
  async record(isSo: (record: CommandRecord) => boolean): Promise<CommandRecord> {
    for (;;) {
      const newest = (await this.manager.commands(this.id)).at(-1);
      if (newest !== undefined && isSo(newest)) return newest;
      const { cursor } = await this.manager.read(this.id, { format: 'raw', since: Number.MAX_SAFE_INTEGER });
      await this.manager.read(this.id, { format: 'raw', cursor, timeoutMs: 50 });
    }
  }

  /** The pid of its process. */
  async pid(): Promise<number> {
    return (await this.manager.get(this.id)).pid;
  }

  /** The directory from which its integration was loaded. */
  async scripts(): Promise<string> {
    const pid = await this.pid();
    const started = ['cmdline', 'environ'].map((what) => readFileSync(`/proc/${pid}/${what}`, 'latin1')).join('');
    return /\/[^\0'=]*tenacitty-shell-[^/\0']+/.exec(started)![0];
  }

  /** The secret that identifies its marks. */
  async nonce(): Promise<string> {
    const directory = await this.scripts();
    const script = readdirSync(directory).find((name) => name.startsWith('tenacitty.'))!;
    return /'([\w-]{16})'/.exec(readFileSync(join(directory, script), 'utf8'))![1]!;
  }

  async end(): Promise<void> {
    if (this.#id !== null) await this.manager.remove(this.#id, { graceMs: 0 }).catch(() => undefined);
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** A shell for one test, which ends with that test. Call it where tests are declared. */
export function shellOfTest(): (name: ShellName) => Promise<ShellAtWork> {
  let at: ShellAtWork;
  afterEach(async () => {
    await at.end();
    await stopEngines();
  });
  return async (name) => {
    at = new ShellAtWork(startEngine(), name);
    await at.start();
    return at;
  };
}

/** A requirement for every shell. */
export interface ShellCase {
  /** A sentence that continues after the name of the shell. */
  readonly name: string;
  /** The shells that differ, each with a sentence that says how. Default: none. */
  readonly differs?: Differences;
  /** Default: a terminal without options. */
  readonly start?: (shell: ShellAtWork) => Promise<void>;
  readonly run: (shell: ShellAtWork) => Promise<void>;
}

export type Differences = Partial<Record<ShellName, string>>;

/** Assigns the same sentence to several shells. */
export function differ(names: readonly ShellName[], sentence: string): Differences {
  return Object.fromEntries(names.map((name) => [name, sentence]));
}

/** Shells without hooks and without keys that can be bound to a function. */
export const PLAIN: readonly ShellName[] = ['dash', 'busybox', 'mksh'];
/** Shells with both. */
export const RICH: readonly ShellName[] = ['bash', 'zsh', 'fish'];

/** Returns which of these shells this run tests: one with hooks and one without; in the deep run, all. */
export function underTest(names = Object.keys(SHELLS) as readonly ShellName[]): readonly ShellName[] {
  return DEEP ? names : names.filter((name) => name === 'bash' || name === 'dash');
}

/** Checks a result's exit code and output. */
export function expectEnd(result: CommandResult, exitCode: number | null, output?: string | RegExp): void {
  expect(result).toMatchObject({ completed: true, state: 'completed', exitCode });
  if (typeof output === 'string') expect(result.output).toBe(output);
  else if (output !== undefined) expect(result.output).toMatch(output);
}

/** Retries while another command runs, or a person is typing one. */
export async function untilTaken<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const { answer } = await eventually(async () => {
    try {
      return { answer: await ask() };
    } catch (error) {
      if ((error as { code?: string }).code !== 'TERMINAL_BUSY') throw error;
      return undefined;
    }
  });
  return answer;
}
