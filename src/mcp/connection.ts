/**
 * Which commands lead to a shell that this system does not see: on another machine, in a container. By their text alone,
 * which decides no more than how long an answer is waited for, and what is said then. Pure.
 */

/** Options of ssh that are followed by a value. */
const SSH_VALUES = /^-[^BbcDEeFIiJLlmOopPQRSWw]*[BbcDEeFIiJLlmOopPQRSWw]$/;
/** Which makes no terminal at the other end, or no shell. */
const SSH_WITHOUT_SHELL = /^-[^BbcDEeFIiJLlmOopPQRSWw]*[TNVGfnQOW]/;
const INTO_CONTAINER = /^(?:docker|podman|nerdctl|kubectl|oc|lxc|incus|nomad)(?: \S+)*? (?:exec|run|attach|shell)\b/;
const WITH_TERMINAL = / (?:-[a-z]*t[a-z]*|--tty(?:=true)?)(?= |$)/;
/** More than words: what runs there is not only this. */
const COMPOUND = /[;&|<>()`\n]/;

/** Whether a command, if it succeeds, most likely leads to a prompt there. */
export function leadsToPrompt(command: string): boolean {
  const text = command.trim().replace(/^(?:sudo|command|exec)\s+/, '');
  if (COMPOUND.test(text)) return false;
  const [program, ...args] = text.split(/\s+/);
  if (program === 'ssh') return isLoginBySsh(args);
  return program === 'mosh' || program === 'telnet' || (INTO_CONTAINER.test(text) && WITH_TERMINAL.test(text));
}

/** With a host and nothing behind it. */
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
