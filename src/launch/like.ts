/** What a request for a terminal like another one comes to. Pure: it knows no terminal but by its description. */
import type { CreateTerminal, TerminalDetail } from '../contract/terminal.js';

/** Fills in what a request leaves to the terminal it names as its model. */
export function asModel(request: Omit<CreateTerminal, 'like'>, model: TerminalDetail): Omit<CreateTerminal, 'like'> {
  const { shell, args, cwd, startCwd, cols, rows, history } = model;
  const isOther = request.command !== undefined || request.shell !== undefined;
  const program = isOther ? {} : { command: shell, args: request.args ?? args };
  return { cwd: cwd ?? startCwd, cols, rows, history, ...definedOf(request), ...program };
}

/** Without what is undefined, so that it does not hide what stands beside it. */
function definedOf<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Value;
}
