/**
 * Mounts MCP on the HTTP server. Loads the implementation of the protocol on the first MCP request, because most
 * servers never receive one.
 */
import type { CreateAnswerLink } from '../access/answer-links.js';
import type { TerminalManager } from '../contract/manager.js';
import type { HttpErrorHandlers, McpOverHttp } from './http.js';
import type { WorkspaceOptions } from './workspace.js';

export class McpMount {
  readonly path = '/mcp';
  readonly methods = ['POST', 'GET', 'DELETE'];
  readonly #manager: TerminalManager;
  readonly #faults: HttpErrorHandlers;
  readonly #options: Pick<WorkspaceOptions, 'placeFlags'>;
  readonly #createLink: CreateAnswerLink | undefined;
  #loaded: Promise<McpOverHttp> | undefined;

  /** @param createLink - Creates links for passwords. Default: there are none. */
  constructor(
    manager: TerminalManager,
    faults: HttpErrorHandlers,
    options: Pick<WorkspaceOptions, 'placeFlags'> = {},
    createLink?: CreateAnswerLink,
  ) {
    this.#options = options;
    this.#createLink = createLink;
    this.#manager = manager;
    this.#faults = faults;
  }

  /** Does the same as `McpOverHttp.handle`. */
  async handle(...args: Parameters<McpOverHttp['handle']>): Promise<Response> {
    const served = await (this.#loaded ??= this.#load());
    return served.handle(...args);
  }

  forget(principalId: string): void {
    void this.#loaded?.then((served) => served.forget(principalId)).catch(() => {});
  }

  async close(): Promise<void> {
    await (await this.#loaded)?.close();
  }

  async #load(): Promise<McpOverHttp> {
    const { Workspaces } = await import('./workspaces.js');
    const { McpOverHttp } = await import('./http.js');
    const workspaces = new Workspaces(this.#manager, this.#options);
    return new McpOverHttp(workspaces, this.#faults, undefined, {}, this.#createLink);
  }
}
