/** `tenacitty mcp` as clients use it: real processes, real shells, the official client, both revisions. */
import { Place } from '../cli/place.js';
import { Agent, ERAS } from './client.js';

let place: Place;
const agents: Agent[] = [];
beforeEach(async () => (place = await new Place().ready()));
afterEach(async () => {
  await Promise.all(agents.splice(0).map((agent) => agent.close()));
  await place.close();
});

async function agent(options?: Parameters<typeof Agent.start>[1]): Promise<Agent> {
  const started = await Agent.start(place, options);
  agents.push(started);
  return started;
}

describe.each(ERAS)('in the %s revision', (era) => {
  it('runs a command with just {command}, and keeps directory and variables for the next', async () => {
    const one = await agent({ era });
    const first = await one.call({ command: 'cd /usr && export GREETING=hello; echo here' });
    expect(first).toMatchObject({
      text: 'here',
      isError: false,
      meta: { terminal: 0, exit_code: 0, cwd: '/usr', completed: true, command_id: 1 },
    });
    expect(typeof first.meta['duration_ms']).toBe('number');
    const second = await one.call({ command: 'echo "$GREETING from $PWD"; (exit 7)' });
    expect(second).toMatchObject({ text: 'hello from /usr', meta: { exit_code: 7, completed: true } });
  });
});
