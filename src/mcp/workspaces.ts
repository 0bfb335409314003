/**
 * The workspaces of those who call over HTTP, where no connection says whose numbers are meant: each principal has one,
 * and as many more as it names. It knows no transport.
 */
import { z } from 'zod';
import { MAX_LABEL_VALUE_CHARS } from '../contract/labels.js';
import type { TerminalManager } from '../contract/manager.js';
import type { Principal } from '../access/principal.js';
import { check } from '../check.js';
import { Workspace } from './workspace.js';
import type { WorkspaceOptions } from './workspace.js';

/** What is forgotten beyond is only what is remembered from one call to the next: the terminals are found again. */
const MAX_WORKSPACES = 1000;
/** With the id of a principal before it, it fits into a label. */
const MAX_NAME_CHARS = MAX_LABEL_VALUE_CHARS / 2;

const named = z.strictObject({
  'Tenacitty-Workspace': z
    .string()
    .regex(new RegExp(`^[\\x21-\\x7e]{1,${MAX_NAME_CHARS}}$`), {
      error: `1 to ${MAX_NAME_CHARS} printable characters of ASCII without spaces`,
    })
    .optional(),
});
const FIELD = 'Tenacitty-Workspace';

export class Workspaces {
  readonly #manager: TerminalManager;
  readonly #options: Omit<WorkspaceOptions, 'namespace'>;
  readonly #known = new Map<string, Workspace>();

  constructor(manager: TerminalManager, options: Omit<WorkspaceOptions, 'namespace'> = {}) {
    this.#manager = manager;
    this.#options = options;
  }

  /**
   * @param name - A workspace of the principal's by name. Default: the one that has no name.
   * @throws `INVALID_INPUT` for what is no name.
   */
  of(principal: Principal, name?: string): Workspace {
    const namespace = namespaceOf(principal, check('', named, { [FIELD]: name })[FIELD]);
    const workspace = this.#known.get(namespace) ?? new Workspace(this.#manager, { ...this.#options, namespace });
    this.#known.delete(namespace);
    this.#known.set(namespace, workspace);
    const oldest = this.#known.keys().next().value!;
    if (this.#known.size > MAX_WORKSPACES) this.#known.delete(oldest);
    return workspace;
  }
}

/** The server's own user finds by name what the same user has over stdio; a key has names of its own. */
function namespaceOf({ id, kind }: Principal, name: string | undefined): string {
  if (name === undefined) return id;
  return kind === 'local' ? name : `${id}/${name}`;
}
