/** Completes a request to create a terminal like another one. Pure; uses only the description of the other terminal. */
import type { CreateTerminal, TerminalDetail } from '../contract/terminal.js';

/** Fills in the fields that a request omits with those of the model terminal. */
export function likeTerminal(
  request: Omit<CreateTerminal, 'like'>,
  model: TerminalDetail,
): Omit<CreateTerminal, 'like'> {
  const { shell, args, cwd, startCwd, cols, rows, history } = model;
  const isOther = request.command !== undefined || request.shell !== undefined;
  const program = isOther ? {} : { command: shell, args: request.args ?? args };
  return { cwd: cwd ?? startCwd, cols, rows, history, ...definedOf(request), ...program };
}

/** Removes undefined fields, so that spreading the object does not override others with them. */
function definedOf<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Value;
}
