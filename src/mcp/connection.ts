/**
 * Recognises commands that open a shell which this system cannot observe, on another machine or in a container.
 * Examines only the text, which determines only how long to wait and what advice to give afterwards. Pure.
 */

/** Options of ssh that take the next argument as their value. */
const SSH_VALUES = /^-[^BbcDEeFIiJLlmOopPQRSWw]*[BbcDEeFIiJLlmOopPQRSWw]$/;
/** Options that stop ssh from allocating a terminal or starting a shell. */
const SSH_WITHOUT_SHELL = /^-[^BbcDEeFIiJLlmOopPQRSWw]*[TNVGfnQOW]/;
const INTO_CONTAINER = /^(?:docker|podman|nerdctl|kubectl|oc|lxc|incus|nomad)(?: \S+)*? (?:exec|run|attach|shell)\b/;
const WITH_TERMINAL = / (?:-[a-z]*t[a-z]*|--tty(?:=true)?)(?= |$)/;
/** Marks text that is more than one simple command, so that other programs also run. */
const COMPOUND = /[;&|<>()`\n]/;

/** Returns whether a command, if it succeeds, most likely opens a prompt that cannot be observed. */
export function leadsToPrompt(command: string): boolean {
  const text = command.trim().replace(/^(?:sudo|command|exec)\s+/, '');
  if (COMPOUND.test(text)) return false;
  const [program, ...args] = text.split(/\s+/);
  if (program === 'ssh') return isLoginBySsh(args);
  return program === 'mosh' || program === 'telnet' || (INTO_CONTAINER.test(text) && WITH_TERMINAL.test(text));
}

/** Returns whether the arguments specify a host but no command to run on it. */
function isLoginBySsh(args: readonly string[]): boolean {
  const operands: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (SSH_WITHOUT_SHELL.test(arg)) return false;
    if (SSH_VALUES.test(arg)) i++;
    else if (!arg.startsWith('-')) operands.push(arg);
  }
  return operands.length === 1;
}
