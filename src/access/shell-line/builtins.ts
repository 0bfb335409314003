/** What shells do themselves, without a program: which of it can run anything, and which changes variables. Pure. */
import type { Argument } from './found.js';

/** They run what they are given as text, or change what a name means from then on. */
export const DOUBTFUL_BUILTINS: ReadonlySet<string> = new Set([
  ...[
    'eval',
    '.',
    'source',
    'alias',
    'trap',
    'let',
    'enable',
    'bind',
    'complete',
    'compgen',
    'compopt',
    'fc',
    'history',
  ],
  ...['autoload', 'bindkey', 'emulate', 'functions', 'print', 'r', 'sched', 'vared', 'zcompile', 'zle', 'zmodload'],
  ...['zstyle', 'zformat', 'zparseopts', 'zregexparse', 'float', 'integer', 'shopt', 'setopt', 'unsetopt', 'aliases'],
]);

/** They write nothing and start nothing: whoever may give a shell any command may give it these. */
export const HARMLESS_BUILTINS: ReadonlySet<string> = new Set([
  ...[
    ':',
    'true',
    'false',
    'test',
    '[',
    'echo',
    'printf',
    'pwd',
    'cd',
    'pushd',
    'popd',
    'dirs',
    'read',
    'type',
    'times',
  ],
  ...[
    'break',
    'continue',
    'return',
    'exit',
    'shift',
    'set',
    'unset',
    'export',
    'readonly',
    'local',
    'declare',
    'typeset',
  ],
  ...['wait', 'jobs', 'fg', 'bg', 'disown', 'umask', 'ulimit', 'getopts', 'mapfile', 'readarray'],
]);

const DECLARING = ['export', 'declare', 'typeset', 'local', 'readonly'];
const SETTING = [...DECLARING, 'read', 'getopts', 'mapfile', 'readarray'];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** What these are given can be the name of a variable, and a subscript of it is evaluated. */
const NAMING = [...SETTING, 'unset', 'wait', 'printf', 'test', '['];

/** Why something could be run that does not stand there as a command; null where it cannot. */
export function doubtOfBuiltin(program: string, args: readonly Argument[]): string | null {
  const texts = args.filter((argument) => typeof argument === 'string');
  const hasUnknown = texts.length < args.length;
  if (NAMING.includes(program) && texts.some((text) => /\$\(|`/.test(text))) {
    return `\`${program}\` evaluates the subscripts of variables`;
  }
  if (SETTING.includes(program) && hasUnknown) return `\`${program}\` of a variable whose name only the shell knows`;
  if (SETTING.includes(program) && texts.some((text) => text.includes('['))) {
    return `\`${program}\` evaluates the subscripts of variables`;
  }
  const options = texts.filter((text) => /^[-+]/.test(text));
  if (DECLARING.includes(program) && options.some((text) => /[inf]/.test(text))) {
    return `\`${program} ${options.join(' ')}\` can make values run`;
  }
  if (program === 'hash' && args.length > 0) return '`hash` changes what a name means';
  if (/^(?:mapfile|readarray)$/.test(program) && options.some((text) => text.includes('C'))) {
    return `\`${program} -C\` is not looked into`;
  }
  return null;
}

/** Variables that it sets. */
export function namesSetBy(program: string, args: readonly Argument[]): string[] {
  const names = args.filter((argument): argument is string => typeof argument === 'string');
  if (SETTING.includes(program)) return names.map((name) => name.split('=')[0]!).filter((name) => NAME.test(name));
  if (program === 'printf' && names[0]?.startsWith('-v')) return [names[0].slice(2) || (names[1] ?? '')];
  return [];
}
