/**
 * Tests commands that damage the shell integration: an exit code is correct or reported as unknown, and the next
 * command repairs the integration or is refused.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '../../../src/contract/command.js';
import { differ, expectEnd, PLAIN, ShellAtWork } from '../shell-at-work.js';
import type { ShellCase, ShellName } from '../shell-at-work.js';
import { damagesOf, ourNames } from './our-names.js';
import type { Damage } from './our-names.js';

/** The builtins that a line of the integration, or what is loaded before it, may use in one of the shells. */
const BUILTINS = [
  ...['builtin', 'command', 'eval', 'printf', 'print', 'test', 'true', 'false', 'return', 'unset', 'local', 'typeset'],
  ...['read', 'trap', 'set', 'export', 'shopt', 'emulate', 'setopt', 'source', 'break', 'string', 'math', 'status'],
  ...['functions', 'history', 'bind', 'zle', 'bindkey', 'cat', 'readlink', ':', '[', '.'],
];
/** Builtins through which all others are called. */
const REACHING = ['builtin', 'command'];

/** A function of this name that does nothing, that fails, or that swallows only calls that contain a certain word. */
function functionOf(at: ShellAtWork, name: string, does: string): string {
  const swallows = /^swallows (.*)$/.exec(does)?.[1];
  const status = does === 'fails' ? 7 : 0;
  if (at.isFish)
    return swallows === undefined
      ? `function ${name}; return ${status}; end`
      : `function ${name}; string match -q '*${swallows}*' -- "$argv"; or builtin ${name} $argv; end`;
  if (swallows === undefined) return `${name}() { \\return ${status}; }`;
  // The only way in all shells to call a builtin despite the function.
  const passedOn = at.name === 'bash' ? `\\command ${name} "$@"` : '"$@"';
  return `${name}() { case "$*" in *${swallows}*) ;; *) ${passedOn} ;; esac; }`;
}

const TAKEN: readonly (readonly [name: string, does: string])[] = [
  ...BUILTINS.map((name) => [name, 'fails'] as const),
  ...REACHING.flatMap((name) =>
    ['nothing', 'swallows eval', 'swallows read', 'swallows exit'].map((does) => [name, does] as const),
  ),
];

/** Shells in which builtins are replaced at the same time. */
const AT_ONCE = 4;

/** Replaces a builtin in a new shell; returns what is wrong afterwards. */
async function without(at: ShellAtWork, [name, does]: (typeof TAKEN)[number]): Promise<string[]> {
  const one = new ShellAtWork(at.manager, at.name);
  try {
    await one.start();
    await one.exec(functionOf(one, name, does));
    const answer = await one.exec('echo x; sh -c "exit 3"').catch((error: { code: string }) => error.code);
    return isTrue(answer, 3, 'x') ? [] : [`${name} ${does}: ${JSON.stringify(answer)}`];
  } finally {
    await one.end();
  }
}

export const DAMAGE: readonly ShellCase[] = [
  {
    name: 'has each builtin replaced by a function in turn: an exit code is right or unknown',
    start: () => Promise.resolve(),
    run: async (at) => {
      const wrong: string[] = [];
      const rest = [...TAKEN];
      const tryRest = async (): Promise<void> => {
        for (let next = rest.shift(); next !== undefined; next = rest.shift()) wrong.push(...(await without(at, next)));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, tryRest));
      expect(wrong).toEqual([]);
    },
  },
  {
    name: 'has an alias for each word that its lines begin with: an exit code is right or the command is refused',
    start: () => Promise.resolve(),
    differs: { fish: 'Its aliases are functions.' },
    run: async (at) => {
      const wrong: string[] = [];
      for (const alias of ['[[=false', ':=false', '{=true;{', '{=false;{'])
        wrong.push(...(await wrongAfter(at, { what: alias, command: `alias '${alias}' 2>/dev/null; true` })));
      expect(wrong).toEqual([]);
    },
  },
  {
    name: 'has a global alias for each further word of its lines: an exit code is right',
    differs: differ(['bash', 'fish', 'dash', 'busybox', 'mksh'], 'It has no global aliases.'),
    run: async (at) => {
      await at.exec("alias -g eval='echo eval' .='echo dot'");
      expectEnd(await at.exec('setopt noglob\n(exit 4)'), 4, '');
      expectEnd(await at.exec("alias k='echo k'\nk\n(exit 5)"), 5, 'k');
    },
  },
  {
    name: 'has builtins disabled: an exit code is right, or the command is refused',
    start: () => Promise.resolve(),
    differs: differ(['fish', 'dash', 'busybox', 'mksh'], 'It cannot disable a builtin.'),
    run: async (at) => {
      const [disable, names] =
        at.name === 'bash' ? ['enable -n', ['return', 'read', 'printf']] : ['disable', ['alias', 'typeset', 'read']];
      const wrong: string[] = [];
      for (const name of names) wrong.push(...(await wrongAfter(at, { what: name, command: `${disable} ${name}` })));
      expect(wrong).toEqual([]);
    },
  },
  {
    name: 'has no descriptors left: no command is run twice',
    run: async (at) => {
      const ran = join(at.home, 'ran');
      const pid = await at.pid();
      await at.exec(`echo ran >> '${ran}'`);
      execFileSync('prlimit', ['--pid', String(pid), '--nofile=6:4096']);
      await at.exec('true').catch(() => 'It may be refused.');
      expect(readFileSync(ran, 'utf8')).toBe('ran\n');
    },
  },
  {
    name:
      'has each function and variable of the integration removed or replaced in turn: an exit code is right or ' +
      'unknown',
    start: () => Promise.resolve(),
    run: async (at) => {
      const wrong: string[] = [];
      for (const damage of damagesOf(at)) wrong.push(...(await wrongAfter(at, damage)));
      expect(wrong).toEqual([]);
    },
  },
  {
    name: 'switches off its line editor: the rest of that command runs, with the right exit code',
    differs: differ(['fish', 'dash', 'busybox'], 'It has no such option.'),
    run: async (at) => {
      const off = { zsh: 'unsetopt zle', other: 'set +o emacs +o vi' };
      expectEnd(await at.exec(`${at.words(off)}\necho x\nsh -c "exit 5"`), 5, 'x');
      expectEnd(await at.exec('echo y; sh -c "exit 3"'), 3, 'y');
      expectEnd(await at.exec('false'), 1, '');
    },
  },
  {
    name: 'has its line editor switched off by a function: no wrong exit code is reported',
    differs: differ(['fish', 'dash', 'busybox'], 'It has no such option.'),
    run: async (at) => {
      await at.exec(`off() { ${at.words({ zsh: 'unsetopt zle', other: 'set +o emacs +o vi' })}; }`);
      const answer = await at.exec('off\nsh -c "exit 5"');
      expect([5, null]).toContain(answer.exitCode);
      expect(answer.completed).toBe(true);
      expectEnd(await at.exec('echo y; sh -c "exit 3"'), 3, 'y');
    },
  },
  {
    name: 'has all its functions removed',
    differs: differ(PLAIN, 'It cannot list its functions in a form that can be used to unset them.'),
    run: async (at) => {
      const answer = await at.exec({
        bash: 'unset -f $(compgen -A function)',
        zsh: 'unfunction -m "*"',
        other: 'functions -e (functions -n -a)',
      });
      expect(answer).toMatchObject({ completed: true, via: 'kernel', exitCode: null });
      const next = await at.exec('echo x; sh -c "exit 3"').catch((error: { code: string }) => error.code);
      expect(isTrue(next, 3, 'x')).toBe(true);
    },
  },
  {
    name: "has the integration's functions and variables and its prompt removed",
    run: async (at) => {
      const answer = await at.exec(`${withoutOurs(at)}; PS1='$ ' PS2='> '`);
      expect(answer).toMatchObject({ completed: true, via: 'kernel', exitCode: null });
      expectEnd(await at.exec('echo x; sh -c "exit 3"'), 3, 'x');
    },
    differs: differ(['fish'], 'Its prompt is a function of the integration.'),
  },
  {
    name: "has its line editor and the integration's functions removed",
    run: async (at) => {
      const answer = await at.exec(`${withoutOurs(at)}; PS1='$ ' PS2='> '\nset +o emacs +o vi`);
      expect(answer).toMatchObject({ completed: true, exitCode: null });
      expectEnd(await at.exec('echo x; sh -c "exit 3"'), 3, 'x');
    },
    differs: {
      ...differ(['fish', 'dash', 'busybox'], 'It has no such option.'),
      ...differ(
        ['zsh', 'mksh'],
        'Its prompt then looks like its `read`: commands are refused with `TERMINAL_BUSY`, which gives advice.',
      ),
    },
  },
  {
    name: 'has lost the integration, with a prompt that looks like its `read`: commands are refused with advice',
    differs: differ(['bash', 'fish', 'dash', 'busybox'], 'Its prompt does not look like a `read`.'),
    run: async (at) => {
      const off = at.words({ zsh: 'unsetopt zle', other: 'set +o emacs +o vi' });
      await at.exec(`${withoutOurs(at)}; PS1='$ ' PS2='> '\n${off}`);
      const refused = at.exec('echo x');
      await expect(refused).rejects.toMatchObject({
        code: 'TERMINAL_BUSY',
        message: expect.stringContaining('create a new terminal') as string,
      });
    },
  },
  {
    name: 'reads input for its command in any way: it is not taken to be at its prompt',
    run: async (at) => {
      for (const reads of READS[at.name]) {
        const asked = await at.exec(reads);
        expect(asked).toMatchObject({ completed: false, state: 'waiting' });
        await at.type('y\r');
        expectEnd(await at.collect(asked.commandId), 0);
        await at.prompt();
      }
    },
  },
];

const READS: Readonly<Record<ShellName, readonly string[]>> = {
  bash: ['read x', 'read -n1 x', 'read -s x', 'read -t 99 x'],
  zsh: ['read x', 'read -k1 x', 'read -s x'],
  fish: ['read x'],
  dash: ['read x'],
  busybox: ['read x', 'read -n1 x', 'read -s x'],
  mksh: ['read x'],
};

function withoutOurs(at: ShellAtWork): string {
  const { functions, variables } = ourNames(at);
  const extra = at.words({ bash: ' PROMPT_COMMAND PS0 TERM', zsh: ' zle_bracketed_paste', other: '' });
  // Not all of them exist.
  const unsets = [...functions.map((name) => `unset -f ${name}`), ...variables.map((name) => `unset ${name}`)];
  return [...unsets, ...(extra === '' ? [] : [`unset${extra}`])].join(' 2>/dev/null; ');
}

/** Returns false results from the damaging command and the two commands after it. */
async function wrongAfter({ manager, name }: ShellAtWork, { what, command }: Damage): Promise<string[]> {
  const one = new ShellAtWork(manager, name);
  const ask = (text: string): Promise<CommandResult | string> =>
    one.exec(text).catch((error: { code: string }) => error.code);
  try {
    await one.start();
    const told = [
      [await ask(command), 0, ''],
      [await ask('echo x; sh -c "exit 3"'), 3, 'x'],
      [await ask('echo y; sh -c "exit 4"'), 4, 'y'],
    ] as const;
    const wrong = told.filter(
      ([answer, exitCode, output]) => !isTrue(withoutComplaint(answer, output), exitCode, output),
    );
    return wrong.map(([answer]) => `${what}: ${JSON.stringify(answer)}`);
  } finally {
    await one.end();
  }
}

/** Removes fish's complaints about unknown names, and the line that zsh fills before a prompt. */
function withoutComplaint(answer: CommandResult | string, output: string): CommandResult | string {
  if (typeof answer === 'string' || !answer.output.startsWith(output)) return answer;
  return /^\s*(?:fish: Unknown command|$)/.test(answer.output.slice(output.length)) ? { ...answer, output } : answer;
}

/** Whether an answer is correct, or says that the result is unknown, or that nothing was run. */
function isTrue(answer: CommandResult | string, exitCode: number, output: string): boolean {
  if (typeof answer === 'string') return answer === 'NOT_INTEGRATED' || answer === 'TERMINAL_BUSY';
  if (!answer.completed) return false;
  if (answer.exitCode === null) return answer.via === 'kernel' || answer.via === 'exit';
  return answer.exitCode === exitCode && answer.output === output;
}
