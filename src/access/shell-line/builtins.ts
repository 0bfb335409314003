/** What shells do themselves, without a program: which of it can run anything, and which harms nothing. Pure. */

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
  ...['compctl', 'compcall', 'getln', 'pushln', 'disable', 'zpty', 'zsocket', 'ztcp', 'sysread', 'zstat', 'strftime'],
  ...['private'],
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
