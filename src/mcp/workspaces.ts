/**
 * Manages the workspaces of HTTP callers, whose namespaces are not identified by a connection. Each principal has one
 * unnamed workspace, and any number of named ones.
 */
import { z } from 'zod';
import { MAX_LABEL_VALUE_CHARS } from '../contract/labels.js';
import type { TerminalManager } from '../contract/manager.js';
import type { Principal } from '../access/principal.js';
import { check } from '../check.js';
import { LruMap } from '../lru-map.js';
import { Workspace } from './workspace.js';
import type { WorkspaceOptions } from './workspace.js';

/**
 * Header that names one of the caller's workspaces. It is a header because the person who configures the client chooses
 * the name, not the model.
 */
export const WORKSPACE_HEADER = 'Tenacitty-Workspace';
/**
 * Maximum number of workspaces in memory. Beyond it, only what is remembered between calls is lost; the terminals are
 * found again.
 */
const MAX_WORKSPACES = 1000;
/** Chosen so that a name of this length and a principal's id fit into one label. */
const MAX_NAME_CHARS = MAX_LABEL_VALUE_CHARS / 2;

const named = z.strictObject({
  [WORKSPACE_HEADER]: z
    .string()
    .regex(new RegExp(`^[\\x21-\\x7e]{1,${MAX_NAME_CHARS}}$`), {
      error: `1 to ${MAX_NAME_CHARS} printable ASCII characters without spaces`,
    })
    .optional(),
});

export class Workspaces {
  readonly #manager: TerminalManager;
  readonly #options: Omit<WorkspaceOptions, 'namespace'>;
  readonly #known = new LruMap<Workspace>(MAX_WORKSPACES);

  constructor(manager: TerminalManager, options: Omit<WorkspaceOptions, 'namespace'> = {}) {
    this.#manager = manager;
    this.#options = options;
  }

  /**
   * Returns a workspace of a principal.
   *
   * @param name - The name of one of the principal's workspaces. Default: the unnamed one.
   * @throws `INVALID_INPUT` if the name is invalid.
   */
  of(principal: Principal, name?: string): Workspace {
    const namespace = namespaceOf(principal, check('', named, { [WORKSPACE_HEADER]: name })[WORKSPACE_HEADER]);
    return this.#known.get(namespace, () => new Workspace(this.#manager, { ...this.#options, namespace }));
  }
}

/**
 * Returns the namespace of a workspace. The server's own user shares workspaces with that user's stdio servers if they
 * have the same name. A key has names of its own.
 */
function namespaceOf({ id, kind }: Principal, name: string | undefined): string {
  if (name === undefined) return id;
  return kind === 'local' ? name : `${id}/${name}`;
}
