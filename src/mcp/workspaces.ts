/**
 * The workspaces of those who call over HTTP, where no connection says whose numbers are meant: each principal has one,
 * and as many more as it names. It knows no transport.
 */
import { z } from 'zod';
import { MAX_LABEL_VALUE_CHARS } from '../contract/labels.js';
import type { TerminalManager } from '../contract/manager.js';
import type { Principal } from '../access/principal.js';
import { check } from '../check.js';
import { Remembered } from './remembered.js';
import { Workspace } from './workspace.js';
import type { WorkspaceOptions } from './workspace.js';

/** Names a workspace of the caller's. In a header, because it is for who sets up a client to say, not for a model. */
export const WORKSPACE_HEADER = 'Tenacitty-Workspace';
/** What is forgotten beyond is only what is remembered from one call to the next: the terminals are found again. */
const MAX_WORKSPACES = 1000;
/** With the id of a principal before it, it fits into a label. */
const MAX_NAME_CHARS = MAX_LABEL_VALUE_CHARS / 2;

const named = z.strictObject({
  [WORKSPACE_HEADER]: z
    .string()
    .regex(new RegExp(`^[\\x21-\\x7e]{1,${MAX_NAME_CHARS}}$`), {
      error: `1 to ${MAX_NAME_CHARS} printable characters of ASCII without spaces`,
    })
    .optional(),
});

export class Workspaces {
  readonly #manager: TerminalManager;
  readonly #options: Omit<WorkspaceOptions, 'namespace'>;
  readonly #known = new Remembered<Workspace>(MAX_WORKSPACES);

  constructor(manager: TerminalManager, options: Omit<WorkspaceOptions, 'namespace'> = {}) {
    this.#manager = manager;
    this.#options = options;
  }

  /**
   * @param name - A workspace of the principal's by name. Default: the one that has no name.
   * @throws `INVALID_INPUT` for what is no name.
   */
  of(principal: Principal, name?: string): Workspace {
    const namespace = namespaceOf(principal, check('', named, { [WORKSPACE_HEADER]: name })[WORKSPACE_HEADER]);
    return this.#known.get(namespace, () => new Workspace(this.#manager, { ...this.#options, namespace }));
  }
}

/** The server's own user finds by name what the same user has over stdio; a key has names of its own. */
function namespaceOf({ id, kind }: Principal, name: string | undefined): string {
  if (name === undefined) return id;
  return kind === 'local' ? name : `${id}/${name}`;
}
