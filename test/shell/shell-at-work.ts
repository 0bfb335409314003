/**
 * A shell in a terminal of its own, as the cases use it: run this, type that, wait until it shows. Each has a home
 * directory without start files, unless a case puts some there.
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

/** The same said in each shell's own words; `other` where there is no word of its own. */
export type Wording = Partial<Record<ShellName, string>> & { readonly other: string };

export class ShellAtWork {
  readonly manager: TerminalManager;
  readonly name: ShellName;
  /** A directory of this case alone; the shell is in it, and its home is below. */
  readonly directory: string;
  readonly home: string;
  #id: string | null = null;

  constructor(manager: TerminalManager, name: ShellName) {
    this.manager = manager;
    this.name = name;
    this.directory = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-case-')));
    this.home = join(this.directory, 'home');
    mkdirSync(this.home);
    // Or else fish reads all manual pages in the background, at its first start.
    this.put('.local/share/fish/generated_completions/none', '');
  }

  get isFish(): boolean {
    return this.name === 'fish';
  }

  get id(): string {
    if (this.#id === null) throw new Error('The shell was not started');
    return this.#id;
  }

  /** Before `start`: gives the user a file. */
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

  /** Runs a command; it has an end, or waits for input, long before time is up. */
  exec(command: string | Wording, options: Partial<ExecCommand> = {}): Promise<CommandResult> {
    const text = typeof command === 'string' ? command : this.words(command);
    return this.manager.exec(this.id, { command: text, timeoutMs: PATIENCE_MS, maxLines: 1_000_000, ...options });
  }

  collect(commandId: number, options: { untilInput?: boolean } = {}): Promise<CommandResult> {
    return this.manager.collect(this.id, commandId, { timeoutMs: PATIENCE_MS, ...options });
  }

  /** Begins a command and comes back while it runs. */
  async begin(command: string | Wording, marker: string | RegExp): Promise<CommandResult> {
    const begun = await this.exec(command, { detach: true });
    await this.shows(marker);
    return begun;
  }

  type(input: string | TerminalInput): Promise<void> {
    return this.manager.write(this.id, typeof input === 'string' ? { input, raw: true } : input);
  }

  /** The history once `marker` is in it. */
  shows(marker: string | RegExp): Promise<string> {
    return readUntilText(this.manager, this.id, marker);
  }

  /** Resolves when `text` is among all that was printed, its line ends too. */
  async prints(text: string): Promise<void> {
    await this.manager.wait(this.id, { text, fromOffset: 0, timeoutMs: PATIENCE_MS });
  }

  async screenShows(isSo: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
    return (await screenUntil(this.manager, this.id, ({ lines }) => isSo(lines))).lines;
  }

  /** A prompt that everybody can see: what is typed from now on is typed there. */
  async prompt(): Promise<void> {
    await this.exec('true');
    await this.screenShows((lines) => /[#$>%] ?$/.test(lines.findLast((line) => line !== '') ?? ''));
  }

  /** The newest record once `isSo` holds for it. */
  async record(isSo: (record: CommandRecord) => boolean): Promise<CommandRecord> {
    for (;;) {
      const newest = (await this.manager.commands(this.id)).at(-1);
      if (newest !== undefined && isSo(newest)) return newest;
      const { cursor } = await this.manager.read(this.id, { format: 'raw', since: Number.MAX_SAFE_INTEGER });
      await this.manager.read(this.id, { format: 'raw', cursor, timeoutMs: 50 });
    }
  }

  /** Of its process. */
  async pid(): Promise<number> {
    return (await this.manager.get(this.id)).pid;
  }

  /** The directory that its integration was loaded from. */
  async scripts(): Promise<string> {
    const pid = await this.pid();
    const started = ['cmdline', 'environ'].map((what) => readFileSync(`/proc/${pid}/${what}`, 'latin1')).join('');
    return /\/[^\0'=]*tenacitty-shell-[^/\0']+/.exec(started)![0];
  }

  /** By which its marks are known. */
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

/** The shell of one test, which ends with that test. To be called where tests are declared. */
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

/** What can go wrong with a shell, and must not. */
export interface ShellCase {
  /** A sentence that goes on after the name of the shell. */
  readonly name: string;
  /** The shells for which it is not so, each with a sentence that says what is so instead. Default: none. */
  readonly differs?: Differences;
  /** Default: a terminal without more. */
  readonly start?: (shell: ShellAtWork) => Promise<void>;
  readonly run: (shell: ShellAtWork) => Promise<void>;
}

export type Differences = Partial<Record<ShellName, string>>;

/** The same sentence for several shells. */
export function differ(names: readonly ShellName[], sentence: string): Differences {
  return Object.fromEntries(names.map((name) => [name, sentence]));
}

/** Without hooks, and without keys that can be given a function. */
export const PLAIN: readonly ShellName[] = ['dash', 'busybox', 'mksh'];
/** With both. */
export const RICH: readonly ShellName[] = ['bash', 'zsh', 'fish'];

/** Of these shells the ones that this run tries: one with hooks and one without; in the deep run all. */
export function underTest(names = Object.keys(SHELLS) as readonly ShellName[]): readonly ShellName[] {
  return DEEP ? names : names.filter((name) => name === 'bash' || name === 'dash');
}

/** Holds a result to its exit code and output. */
export function expectEnd(result: CommandResult, exitCode: number | null, output?: string | RegExp): void {
  expect(result).toMatchObject({ completed: true, state: 'completed', exitCode });
  if (typeof output === 'string') expect(result.output).toBe(output);
  else if (output !== undefined) expect(result.output).toMatch(output);
}

/** Asks again for as long as another command runs, or somebody is typing one. */
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
