/**
 * Start files as people have them: prompts that are made anew each time and say marks of their own, hooks and traps,
 * files that are slow, that print, that fail, that become another shell. Commands are exact, and what is the user's stays.
 */
import { startEngine, stopEngines } from '../engine/engine-under-test.js';
import { expectEnd, ShellAtWork } from './shell-at-work.js';
import type { ShellName } from './shell-at-work.js';

let at: ShellAtWork;
afterEach(async () => {
  await at.end();
  await stopEngines();
});

const RC_FILES: Partial<Record<ShellName, string>> = {
  bash: '.bashrc',
  zsh: '.zshrc',
  fish: '.config/fish/config.fish',
};

async function startWith(name: ShellName, rc: string): Promise<void> {
  at = new ShellAtWork(startEngine(), name);
  at.put(RC_FILES[name]!, rc);
  await at.start();
}

/** As starship does it: everything is asked of a program, before each prompt, by the status of the command before. */
const STARSHIP_BASH = `
starship_precmd() {
  STARSHIP_CMD_STATUS=$?
  local jobs=0
  for job in $(jobs -p); do jobs=$((jobs + 1)); done
  eval "$_PRESERVED_PROMPT_COMMAND"
  PS1="$(printf '\\n\\[\\e[1;36m\\]%s\\[\\e[0m\\] [%s]\\n\\[\\e[1;32m\\]❯\\[\\e[0m\\] ' '\\w' "$STARSHIP_CMD_STATUS")"
}
starship_preexec() { STARSHIP_START_TIME=$SECONDS; }
PROMPT_COMMAND=starship_precmd
PS0='$(starship_preexec)'
`;
const STARSHIP_ZSH = `
setopt promptsubst
starship_precmd() { STARSHIP_CMD_STATUS=$?; NEW='[%F{green}'$STARSHIP_CMD_STATUS'%f]' }
precmd_functions+=(starship_precmd)
PROMPT=$'\\n%B%F{cyan}%~%f%b $NEW\\n❯ '
RPROMPT='%F{yellow}%D{%H:%M}%f on main'
`;
const STARSHIP_FISH = `
function fish_prompt
    set -l last_status $status
    printf '\\n%s [%s]\\n❯ ' (prompt_pwd) $last_status
end
function fish_right_prompt
    echo -n 'on main'
end
`;

/** As powerlevel10k does it: a prompt before the shell has one, and marks of its own around everything. */
const POWERLEVEL = `
print -rn -- $'\\e]133;A\\ainstant ❯ \\e]133;B\\a\\r\\e[K'
setopt promptsubst promptpercent
typeset -g P9K_STATUS=0
p10k_precmd() { P9K_STATUS=$?; print -n $'\\e]133;D;77\\a\\e]133;A\\a'; PROMPT=$'%{\\e]133;A\\a%}%F{blue}%~%f %(?.ok.bad)%{\\e]133;B\\a%} ❯ ' }
p10k_preexec() { print -n $'\\e]133;C;\\a' }
precmd_functions=(p10k_precmd $precmd_functions)
preexec_functions=(p10k_preexec $preexec_functions)
RPROMPT=$'%{\\e[1m%}%D{%T}%{\\e[0m%}'
zle-line-init() { zle -R }; zle -N zle-line-init
zle-keymap-select() { zle reset-prompt }; zle -N zle-keymap-select
`;

/** As bash-preexec does it: a trap before each command, which knows by the prompt's hook that one was typed. */
const BASH_PREEXEC = `
__bp_preexec_interactive_mode=
__bp_precmd() { local status=$?; precmd_ran=$((precmd_ran + 1)); __bp_preexec_interactive_mode=on; return $status; }
__bp_preexec() {
  if [[ -n "\${COMP_LINE-}" || -z "$__bp_preexec_interactive_mode" ]]; then return; fi
  __bp_preexec_interactive_mode=
  preexec_ran=$((preexec_ran + 1))
}
trap '__bp_preexec "$_"' DEBUG
PROMPT_COMMAND='__bp_precmd'
`;

const DIRENV_BASH = `
_direnv_hook() { local previous=$?; trap -- '' SIGINT; eval "$(echo "export DIRENV_DIR='$PWD'")"; trap - SIGINT; return $previous; }
PROMPT_COMMAND="_direnv_hook\${PROMPT_COMMAND:+;$PROMPT_COMMAND}"
`;
const DIRENV_ZSH = `
_direnv_hook() { trap -- '' SIGINT; eval "$(echo "export DIRENV_DIR='$PWD'")"; trap - SIGINT }
typeset -ag precmd_functions chpwd_functions
precmd_functions=(_direnv_hook $precmd_functions)
chpwd_functions=(_direnv_hook $chpwd_functions)
`;
const DIRENV_FISH = `
function __direnv_export_eval --on-event fish_prompt
    set -gx DIRENV_DIR $PWD
end
function __direnv_cd --on-variable PWD
    set -gx DIRENV_DIR $PWD
end
`;

/** As oh-my-zsh does it: titles before and after, the prompt by functions, and keys of its own. */
const OH_MY_ZSH = `
autoload -Uz add-zsh-hook colors && colors
setopt promptsubst auto_cd extended_history hist_ignore_dups share_history interactivecomments
HISTFILE=~/.zsh_history HISTSIZE=1000 SAVEHIST=1000
title() { print -Pn "\\e]2;$2:q\\a\\e]1;$1:q\\a" }
omz_termsupport_precmd() { title '%15<..<%~%<<' '%n@%m:%~' }
omz_termsupport_preexec() { local words=(\${(z)2}); title "$words[1]" "%100>...>$2%<<" }
add-zsh-hook precmd omz_termsupport_precmd
add-zsh-hook preexec omz_termsupport_preexec
bindkey -e
zle-line-init() { echoti smkx 2>/dev/null }; zle -N zle-line-init
zle-line-finish() { echoti rmkx 2>/dev/null }; zle -N zle-line-finish
git_prompt_info() { echo "git:(main)" }
PROMPT="%(?:%{$fg_bold[green]%}➜ :%{$fg_bold[red]%}➜ ) %{$fg[cyan]%}%c%{$reset_color%}"
PROMPT+=' $(git_prompt_info) '
alias ll='ls -l'
`;

const CONTINUE = `
set -o noclobber
shopt -s extglob globstar histappend checkwinsize cdspell dotglob
HISTCONTROL=ignoreboth:erasedups HISTSIZE=5 HISTFILESIZE=5 HISTIGNORE='ls:bg'
export HISTTIMEFORMAT='%F %T '
`;

describe('commands are exact, and the prompt is the user’s, with', () => {
  it.each<[what: string, name: ShellName, rc: string, prompt: RegExp]>([
    ['a prompt by starship', 'bash', STARSHIP_BASH, /\[3\]\n❯ echo after$/m],
    ['a prompt by starship', 'zsh', STARSHIP_ZSH, /\[3\]\n❯ echo after/m],
    ['a prompt by starship', 'fish', STARSHIP_FISH, /\[3\] *\n❯ echo after/m],
    ['an instant prompt and marks of its own', 'zsh', POWERLEVEL, / bad ❯ echo after/m],
    ['a prompt by oh-my-zsh', 'zsh', OH_MY_ZSH, /➜ {2}.* git:\(main\) echo after/m],
    ['a trap before each command, as bash-preexec has', 'bash', BASH_PREEXEC, /[$#] echo after$/m],
    ['hooks as of direnv', 'bash', DIRENV_BASH, /[$#] echo after$/m],
    ['hooks as of direnv', 'zsh', DIRENV_ZSH, /. echo after$/m],
    ['hooks as of direnv', 'fish', DIRENV_FISH, /[>#] echo after/m],
    ['`set -u`', 'bash', 'set -u\n', /[$#] echo after$/m],
    ['`set -u`', 'zsh', 'set -u\n', /. echo after$/m],
    ['hooks in a string', 'bash', `PROMPT_COMMAND='n=$((n+1)); PS1="<$?> "; '\n`, /^<\d+> echo after$/m],
    ['hooks in an array', 'bash', `PROMPT_COMMAND=('n=$((n+1))' 'PS1="<$n> "')\n`, /^<\d+> echo after$/m],
    ['keys like vi', 'bash', 'set -o vi\nPS1="vi> "\n', /^vi> echo after$/m],
    ['keys like vi', 'zsh', 'bindkey -v\nPS1="vi> "\n', /^vi> echo after/m],
    ['keys like vi', 'fish', 'fish_vi_key_bindings\n', /[>#] echo after/m],
    ['many options', 'bash', CONTINUE, /[$#] echo after$/m],
    ['files that print', 'bash', 'echo "Welcome back"; printf "no line end"\n', /^Welcome back$/m],
    ['files that print', 'zsh', 'echo "Welcome back"; printf "no line end"\n', /^Welcome back$/m],
    ['files that print', 'fish', 'echo "Welcome back"; printf "no line end"\n', /^Welcome back$/m],
    ['files that fail', 'bash', 'no-such-program\nfalse; return 4\n', /no-such-program/],
    ['files that fail', 'zsh', 'no-such-program\nfalse; return 4\n', /no-such-program/],
    ['files that fail', 'fish', 'no-such-program\nfalse; return 4\n', /no-such-program/],
    ['files with an error of syntax', 'bash', 'alias mine=true\nif then fi\n', /syntax error/],
    ['files with an error of syntax', 'zsh', 'alias mine=true\nif then )\n', /parse error/],
    ['files with an error of syntax', 'fish', 'alias mine=true\nif end )\n', /config\.fish/],
    [
      'files that become another shell',
      'bash',
      'if [[ -z "$AGAIN" ]]; then AGAIN=1 exec bash; fi\n',
      /[$#] echo after$/m,
    ],
    ['files that become another shell', 'zsh', 'if [[ -z "$AGAIN" ]]; then AGAIN=1 exec zsh; fi\n', /. echo after/m],
  ])('%s: %s', async (_what, name, rc, prompt) => {
    await startWith(name, rc);
    expectEnd(await at.exec('echo first'), 0, 'first');
    expectEnd(await at.exec("sh -c 'echo out; exit 3'"), 3, 'out');
    expectEnd(await at.exec('echo after'), 0, 'after');
    await at.type('echo ty""ped; cd /usr\r');
    const typed = await at.record(({ origin, ended }) => origin === 'typed' && ended !== null);
    expect(typed).toMatchObject({ text: 'echo ty""ped; cd /usr', exitCode: 0 });
    expectEnd(await at.exec('pwd'), 0, '/usr');
    expect(await at.shows(prompt)).not.toMatch(/__tenacitty/);
    if (name !== 'zsh') expect((await at.exec('history')).output).not.toMatch(/__tenacitty/);
  });
});

describe('what start files have set up still works: ', () => {
  it('both hooks of bash-preexec', async () => {
    await startWith('bash', BASH_PREEXEC);
    await at.exec('true');
    await at.type('echo ty""ped\r');
    await at.record(({ origin, ended }) => origin === 'typed' && ended !== null);
    expectEnd(await at.exec('((precmd_ran >= 2 && preexec_ran >= 1))'), 0, '');
  });

  it.each([
    ['bash', DIRENV_BASH],
    ['zsh', DIRENV_ZSH],
    ['fish', DIRENV_FISH],
  ] as const)('direnv, in %s', async (name, rc) => {
    await startWith(name, rc);
    await at.exec('cd /usr');
    expectEnd(await at.exec('echo $DIRENV_DIR'), 0, '/usr');
  });

  it('the history that a person makes', async () => {
    await startWith('bash', CONTINUE);
    await at.exec('echo by a caller');
    await at.type('echo one""\r');
    await at.record(({ text, ended }) => text === 'echo one""' && ended !== null);
    await at.exec('echo by another');
    await at.type(' echo not kept\r');
    await at.record(({ text, ended }) => text.includes('not kept') && ended !== null);
    const { output } = await at.exec('HISTTIMEFORMAT= history');
    expect(output.split('\n').map((line) => line.replace(/^\s*\d+\s+/, ''))).toEqual(['echo one""']);
  });
});

describe('a start file that takes three seconds', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('is waited for: %s', async (name) => {
    await startWith(name, 'sleep 3\necho ready at last\n');
    const result = await at.exec('echo hi; sh -c "exit 2"');
    expectEnd(result, 2, 'hi');
    expect(await at.shows('hi')).toMatch(/ready at last\n/);
  });

  it('is waited for as long as was asked and no longer, which is told', async () => {
    await startWith('bash', 'sleep 1\n');
    await expect(at.exec('echo hi', { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'TERMINAL_BUSY',
      details: { state: 'starting' },
    });
    expectEnd(await at.exec('echo hi'), 0, 'hi');
  });
});
