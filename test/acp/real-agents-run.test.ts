/** Tests agents from npm, started by `tenacitty acp run` for one turn. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentPlace } from '../agents/agent-place.js';
import { Place } from '../cli/place.js';
import type { RunningCommand } from '../cli/place.js';
import { describeAgents, firstTerminal, prepareAgent } from './real-agents.js';

/** The agent's request was not permitted. */
const NOT_PERMITTED = 125;

describeAgents('acp run with one prompt', (agent) => {
  let place: Place;
  let agents: AgentPlace;
  beforeEach(async () => {
    place = await new Place().ready();
    agents = await prepareAgent(agent);
  });
  afterEach(async () => {
    await agents.remove();
    await place.close();
  });

  function run(...flags: readonly string[]): RunningCommand {
    return place.start([
      'acp',
      'run',
      '--prompt',
      'Go on.',
      '--cwd',
      agents.project,
      ...flags,
      '--',
      ...agents.command,
    ]);
  }

  it('runs commands that are displayed, visible to others, reported to the model, and ended afterwards', async () => {
    const { model, project } = agents;
    model.script(
      agent.run('echo begun-$((20+3)); until [ -e go ]; do sleep 0.1; done; echo done-$((20+4))'),
      agent.run('pwd; echo failed-$((30+4)) >&2; exit 3'),
      agent.runInBackground('echo aside-$((30+5)); exec sleep 1000'),
      agent.stop,
      agent.runForASecond('echo late-$((40+5)); exec sleep 1000'),
    );
    const running = run('--yes');
    const early = running.ended().then(({ stdout, stderr }) => `it ended before: ${stdout}${stderr}`);
    const id = await Promise.race([firstTerminal(place), early]);
    await place.until(id, /begun-23/);
    expect(await place.stdout('ls', '--quiet')).toBe(`${id}\n`);
    writeFileSync(join(project, 'go'), '');

    const { code, stdout, stderr } = await running.ended();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/ begun-23\n[^]* done-24\n[^]*exit code 0\n[^]* failed-34\n[^]*exit code 3\n[^]*It gave: /);
    expect(model.results).toEqual([
      expect.stringMatching(/begun-23\n+done-24/),
      expect.stringMatching(/(?=[^]*failed-34)(?=[^]*code:? 3\b)/),
      expect.any(String),
      expect.stringContaining('killed'),
      expect.stringContaining('late-45'),
    ]);
    expect(model.results[1]).toContain(`${project}\n`);
    expect(await place.manager.list()).toEqual([]);
    expect({ agents: agents.agents, commands: agents.commands }).toEqual({ agents: [], commands: [] });
  });

  it('runs nothing without permission', async () => {
    agents.model.script(agent.run('touch ran'));
    const { code, stdout } = await run().ended();
    expect(code).toBe(NOT_PERMITTED);
    expect(stdout).toContain('touch ran');
    expect(existsSync(join(agents.project, 'ran'))).toBe(false);
    expect(agents.agents).toEqual([]);
  });
});
