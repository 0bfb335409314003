/**
 * A place for one agent: a home, a scripted model, and, where the system lets us, no network at all but a loopback of
 * its own, on which the model is. It starts nothing but says what
 * to start, and what of it lives.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesIn, processesWith } from '../pty/remains.js';
import { ModelServer } from './model-server.js';
import { commandLine } from './real-agent.js';
import type { RealAgent, Surroundings } from './real-agent.js';
import { eventually } from '../eventually.js';

const RELAY = join(import.meta.dirname, 'relay.mjs');
/** Any will do: there is nobody else. */
const ISOLATED_PORT = 8080;
const ALONE = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'busybox ip link set lo up && exec "$@"', 'sh'];

/** Whether programs can be started here that have no network. */
export const CAN_ISOLATE = spawnSync(ALONE[0]!, [...ALONE.slice(1), 'true']).status === 0;

export class AgentPlace {
  readonly model = new ModelServer();
  /** Where its sessions work. */
  readonly project: string;
  readonly #root: string;
  #command: readonly string[] = [];

  private constructor() {
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-agent-')));
    this.project = join(this.#root, 'project');
    mkdirSync(this.project);
  }

  static async prepare(agent: RealAgent, node: string): Promise<AgentPlace> {
    const place = new AgentPlace();
    place.#command = commandLine(agent, node, await place.#surroundings());
    return place;
  }

  /** The words that start the agent; its environment is within them. */
  get command(): readonly string[] {
    return this.#command;
  }

  /** The agent's own processes that live, as `pid name`. */
  get agents(): string[] {
    return processesWith(`HOME=${this.#root}`);
  }

  /** What lives of the commands that it had run. */
  get commands(): string[] {
    const agents = this.agents;
    return processesIn(this.project).filter((found) => !agents.includes(found));
  }

  /** Once the last of the agent's processes has ended: it may write until then. */
  async remove(): Promise<void> {
    await eventually(() => this.agents.length === 0);
    await this.model.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #surroundings(): Promise<Surroundings> {
    if (CAN_ISOLATE) return { home: this.#root, ...(await isolated(this.model, this.#root)) };
    return { home: this.#root, modelUrl: `http://127.0.0.1:${await this.model.listen()}` };
  }
}

/** Without a network, but with this model, which listens on a socket in `directory`. */
export async function isolated(
  model: ModelServer,
  directory: string,
): Promise<Required<Pick<Surroundings, 'modelUrl' | 'isolation'>>> {
  const socket = join(directory, 'model.sock');
  await model.listenAt(socket);
  const env = { MODEL_SOCKET: socket, MODEL_PORT: String(ISOLATED_PORT) };
  const isolation = { within: ALONE, preload: RELAY, env };
  return { modelUrl: `http://127.0.0.1:${ISOLATED_PORT}`, isolation };
}
