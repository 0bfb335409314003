/** Shell builtins: which can run anything, and which are harmless. Pure. */

/** They run their arguments as commands, or change the meaning of a name. */
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

/** They write nothing and start nothing. A requester that may run any command in a shell may run these. */
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
