/**
 * An isolated environment for one agent: a home directory, a scripted model and, where the system permits, no network
 * except its own loopback interface, on which the model listens. Starts nothing itself; returns the command to start,
 * and the agent's running processes.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesIn, processesWith } from '../pty/remains.js';
import { ModelServer } from './model-server.js';
import { commandLine } from './real-agent.js';
import type { RealAgent, AgentEnvironment } from './real-agent.js';
import { eventually } from '../eventually.js';

const RELAY = join(import.meta.dirname, 'relay.mjs');
/** Any port works, because nothing else uses this interface. */
const ISOLATED_PORT = 8080;
const ALONE = ['unshare', '--map-root-user', '--net', 'sh', '-c', 'busybox ip link set lo up && exec "$@"', 'sh'];

/** Whether programs can be started here without a network. */
export const CAN_ISOLATE = spawnSync(ALONE[0]!, [...ALONE.slice(1), 'true']).status === 0;

export class AgentPlace {
  readonly model = new ModelServer();
  /** The directory in which its sessions work. */
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
    place.#command = commandLine(agent, node, await place.#environment());
    return place;
  }

  /** The command line that starts the agent, including its environment. */
  get command(): readonly string[] {
    return this.#command;
  }

  /** The agent's own running processes, as `pid name`. */
  get agents(): string[] {
    return processesWith(`HOME=${this.#root}`);
  }

  /** The running processes of its commands. */
  get commands(): string[] {
    const agents = this.agents;
    return processesIn(this.project).filter((found) => !agents.includes(found));
  }

  /** Removes the directory once the last process of the agent has ended, because it may write until then. */
  async remove(): Promise<void> {
    await eventually(() => this.agents.length === 0);
    await this.model.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #environment(): Promise<AgentEnvironment> {
    if (CAN_ISOLATE) return { home: this.#root, ...(await isolated(this.model, this.#root)) };
    return { home: this.#root, modelUrl: `http://127.0.0.1:${await this.model.listen()}` };
  }
}

/** Without a network, but with this model, which listens on a socket in `directory`. */
export async function isolated(
  model: ModelServer,
  directory: string,
): Promise<Required<Pick<AgentEnvironment, 'modelUrl' | 'isolation'>>> {
  const socket = join(directory, 'model.sock');
  await model.listenAt(socket);
  const env = { MODEL_SOCKET: socket, MODEL_PORT: String(ISOLATED_PORT) };
  const isolation = { within: ALONE, preload: RELAY, env };
  return { modelUrl: `http://127.0.0.1:${ISOLATED_PORT}`, isolation };
}
