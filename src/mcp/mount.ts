/**
 * Mounts MCP on the HTTP server. Loads the implementation of the protocol on the first MCP request, because most
 * servers never receive one.
 */
import type { TerminalManager } from '../contract/manager.js';
import type { HttpErrorHandlers, McpOverHttp } from './http.js';
import type { WorkspaceOptions } from './workspace.js';

export class McpMount {
  readonly path = '/mcp';
  readonly methods = ['POST', 'GET', 'DELETE'];
  readonly #manager: TerminalManager;
  readonly #faults: HttpErrorHandlers;
  readonly #options: Pick<WorkspaceOptions, 'placeFlags'>;
  #loaded: Promise<McpOverHttp> | undefined;

  constructor(manager: TerminalManager, faults: HttpErrorHandlers, options: Pick<WorkspaceOptions, 'placeFlags'> = {}) {
    this.#options = options;
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
    return new McpOverHttp(new Workspaces(this.#manager, this.#options), this.#faults);
  }
}
