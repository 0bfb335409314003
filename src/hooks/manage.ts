/** Creates and lists hooks, for servers and commands. Does not run them. */
import type { DescribedPolicy } from '../access/policy/create-command-policy.js';
import type { CreatedHook, HookRequest, HookState, ShownHook } from '../contract/hooks.js';
import { invalidInput, TerminalError } from '../errors.js';
import { permitCommand } from './command.js';
import type { HookFiles, HookMaker, SavedHook } from './hook-files.js';
import { NEW_STATE } from './progress.js';
import { checkedAddresses } from './webhook.js';
import type { Resolve } from './webhook.js';

/** Maximum time for resolving the host name of a new hook. */
const LOOKUP_TIMEOUT_MS = 5000;

/** The rules that a new hook is checked against. */
export interface HookRules {
  readonly policy: DescribedPolicy | null;
  /** Default: as the system resolves names. */
  readonly resolve?: Resolve;
  /** Default: `LOOKUP_TIMEOUT_MS`. */
  readonly lookupTimeoutMs?: number;
}

/**
 * Creates a hook. @throws `FORBIDDEN` if the maker is not allowed to create hooks that run commands, `COMMAND_DENIED`
 * if the policy does not allow the command, `LIMIT_REACHED` if there are too many hooks, or `INVALID_INPUT` if the
 * pattern is invalid, the address is refused or the hook cannot be stored.
 */
export async function addHook(
  files: HookFiles,
  request: HookRequest,
  maker: HookMaker,
  { policy, resolve, lookupTimeoutMs = LOOKUP_TIMEOUT_MS }: HookRules,
): Promise<CreatedHook> {
  const { exec, url, pattern } = request;
  if (pattern !== undefined) await checkPattern(pattern);
  if (exec !== undefined) await checkCommand(exec, maker, policy);
  if (url !== undefined && !maker.isLocal) await checkUrl(url, resolve, lookupTimeoutMs);
  const hook = await files.add(request, maker);
  return { ...shown(hook, NEW_STATE), secret: hook.secret };
}

/** Checks a pattern. Loads the regular expression engine only when this is called. */
async function checkPattern(pattern: string): Promise<void> {
  const { regexPattern } = await import('../wait/pattern.js');
  try {
    regexPattern(pattern);
  } catch (error) {
    const message = (error as Error).message.replace(/^regex: /, '');
    throw invalidInput({ field: 'pattern', message, given: pattern });
  }
}

async function checkCommand(command: string, { isLocal }: HookMaker, policy: DescribedPolicy | null): Promise<void> {
  const message = "exec: only the server's own user, without an API key, can create hooks that run commands";
  if (!isLocal) throw new TerminalError('FORBIDDEN', message);
  await permitCommand(command, policy);
}

/**
 * Checks a URL. Accepts a host name that cannot be resolved now, because the name is checked again for each request.
 */
async function checkUrl(url: string, resolve: Resolve | undefined, timeoutMs: number): Promise<void> {
  const late = AbortSignal.timeout(timeoutMs);
  await checkedAddresses({ url, mayBePrivate: false, resolve }, late).catch((error: unknown) => {
    if (error instanceof TerminalError) throw error;
    if (!late.aborted) return;
    const message = `its host name was not resolved within ${timeoutMs} ms`;
    throw invalidInput({ field: 'url', message, given: url });
  });
}

/** Returns whether the key of a principal is still valid. */
type IsAccepted = (principalId: string) => boolean;

/**
 * Returns all hooks, oldest first.
 *
 * @param stateOf - Returns the state of a hook. Default: the saved state.
 */
export function shownHooks(
  files: HookFiles,
  isAccepted: IsAccepted,
  stateOf = (id: string): HookState => files.savedState(id),
): ShownHook[] {
  return files.list().map((hook) => ({ ...shown(hook, stateOf(hook.id)), active: isActive(hook, isAccepted) }));
}

/** Returns false if the hook was created with a key that is no longer valid. */
export function isActive({ maker }: SavedHook, isAccepted: IsAccepted): boolean {
  return maker.isLocal || isAccepted(maker.id);
}

function shown({ id, created, maker, request }: SavedHook, state: HookState): ShownHook {
  const { secret: _secret, ...fields } = request;
  return { id, created, createdBy: maker.name, active: true, ...fields, state };
}
