/**
 * Requirements for every way in which an agent from npm runs commands in tenacitty's terminals: its model, which is
 * scripted, gets their output and exit status, other clients see them meanwhile, and nothing is left behind.
 */
import { readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentPlace, CAN_ISOLATE } from '../agents/agent-place.js';
import type { ModelStep } from '../agents/conversation.js';
import { CLAUDE, KIMI, nodeOf } from '../agents/real-agent.js';
import type { RealAgent } from '../agents/real-agent.js';
import { Place } from '../cli/place.js';
import type { AgentClient } from './agent-client.js';
import { DEEP } from '../deep.js';
import { where } from '../where.js';
import { eventually } from '../eventually.js';

export const prepareAgent = (agent: RealAgent): Promise<AgentPlace> => AgentPlace.prepare(agent, nodeOf(agent)!);

/** Describes tests for one agent; in the deep run, for every known agent. */
export function describeAgents(title: string, tests: (agent: RealAgent) => void): void {
  for (const agent of DEEP ? [CLAUDE, KIMI] : [CLAUDE]) {
    const { describe } = where(nodeOf(agent) !== undefined, `a newer Node, for ${agent.name}`);
    describe(`${agent.name}, ${title}`, () => tests(agent));
  }
}

const CREATE = 'terminal/create';
const KILL = 'terminal/kill';
const RELEASE = 'terminal/release';
/** A further request to the model that may remain unanswered. */
const COUNT_TOKENS = 'POST /v1/messages/count_tokens';

/** How an editor reaches an agent whose commands run in tenacitty's terminals. */
export interface EditorRoute {
  readonly start: (place: Place, agents: AgentPlace) => Promise<AgentClient>;
  /** Whether the editor itself receives terminal requests. */
  readonly asksEditor: boolean;
}

export function agentsWork(title: string, { start, asksEditor }: EditorRoute): void {
  describeAgents(title, (agent) => {
    let place: Place;
    let agents: AgentPlace;
    let editor: AgentClient;
    beforeAll(async () => {
      place = await new Place().ready();
      agents = await prepareAgent(agent);
      editor = await start(place, agents);
    });
    beforeEach(() => void editor.asked.splice(0));
    afterAll(async () => {
      await editor?.close();
      await agents?.remove();
      await place?.close();
    });

    /** Runs one turn in which the model takes these steps; returns the results of its tools. */
    async function turn(...steps: readonly ModelStep[]): Promise<readonly string[]> {
      agents.model.script(...steps);
      expect(await editor.turn(agents.project)).toBe('end_turn');
      expect(agents.model.results).toHaveLength(steps.length);
      return agents.model.results;
    }

    /** Returns the editor's terminal requests except outputs and waits, each once, because one agent releases twice. */
    function asked(): string[] {
      return [...new Set(editor.asked.filter((method) => [CREATE, KILL, RELEASE].includes(method)))];
    }

    where(CAN_ISOLATE, 'to make a network namespace').it('has no network except its own loopback', () => {
      const networks = agents.agents.map((process) => readlinkSync(`/proc/${process.split(' ')[0]}/ns/net`));
      expect(networks.length).toBeGreaterThan(0);
      expect(networks).not.toContain(readlinkSync('/proc/self/ns/net'));
    });

    it('runs a command that others can see meanwhile', async () => {
      const turned = turn(agent.run('echo begun-$((20+3)); until [ -e go ]; do sleep 0.1; done; echo done-$((20+4))'));
      const id = await Promise.race([firstTerminal(place), turned.then(() => 'the turn ended before')]);
      await place.until(id, /begun-23/);
      expect(await place.stdout('ls', '--quiet')).toBe(`${id}\n`);
      writeFileSync(join(agents.project, 'go'), '');
      expect(await turned).toEqual([expect.stringMatching(/begun-23\n+done-24/)]);
      expect(asked()).toEqual(asksEditor ? [CREATE, RELEASE] : []);
      expect(await place.manager.list()).toEqual([]);
      const told = JSON.stringify(editor.updates.filter(({ sessionUpdate }) => sessionUpdate === 'tool_call_update'));
      // An editor sees a terminal that is not its own as text.
      expect(told).toMatch(asksEditor ? /"type":"terminal"/ : /begun-23[^"]*done-24/);
      if (!asksEditor) expect(told).not.toContain('"type":"terminal"');
    });

    it('is told how a command failed', async () => {
      const [result] = await turn(agent.run('pwd; echo failed-$((30+4)) >&2; exit 3'));
      expect(result).toContain(`${agents.project}\n`);
      expect(result).toContain('failed-34');
      expect(result).toMatch(/code:? 3\b/);
    });

    it('ends a command that it did not wait for', async () => {
      const [, stopped] = await turn(agent.runInBackground('echo begun; exec sleep 1000'), agent.stop);
      expect(stopped).toMatch(/killed/);
      expect(asked()).toEqual(asksEditor ? [CREATE, KILL, RELEASE] : []);
      expect(await place.manager.list()).toEqual([]);
      expect(agents.commands).toEqual([]);
    });

    it(`${agent.leavesRunning ? 'leaves' : 'ends'} a command that takes too long, whose processes all end with the agent`, async () => {
      const [result] = await turn(agent.runForASecond('echo begun-$((40+5)); exec sleep 1000'));
      expect(result).toContain('begun-45');
      expect(asked()).toEqual(asksEditor ? [CREATE, ...(agent.leavesRunning ? [] : [RELEASE])] : []);
      expect(await place.manager.list()).toHaveLength(agent.leavesRunning ? 1 : 0);
      expect(agents.commands).toHaveLength(agent.leavesRunning ? 1 : 0);
      expect(agents.model.strays.filter((request) => request !== COUNT_TOKENS)).toEqual([]);
      await editor.close();
      await eventually(() => agents.commands.length === 0 && agents.agents.length === 0);
      await eventually(async () => (await place.manager.list()).length === 0);
    });
  });
}

/** Returns the id of the first terminal. */
export async function firstTerminal(place: Place): Promise<string> {
  let ids: string[] = [];
  await eventually(async () => {
    ids = (await place.manager.list()).map(({ id }) => id);
    return ids.length > 0;
  });
  return ids[0]!;
}
