/** Runs the commands of the specification unchanged, except that its placeholder path and id are filled in. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript, startDocumentedServer } from './shell.js';

type Server = Awaited<ReturnType<typeof startDocumentedServer>>;

let server: Server;
let project: string;
beforeAll(async () => {
  server = await startDocumentedServer();
  project = realpathSync(mkdtempSync(join(tmpdir(), 'tenacitty-project-')));
  const scripts = { dev: 'echo dev in $PWD is ready', start: 'echo start in $PWD is ready' };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ scripts }));
});
afterAll(async () => {
  await server.stop();
  rmSync(project, { recursive: true });
});

const run = (script: string, variables = {}) => runScript(script, server.home, variables);

it('runs example 1: starting a development server', async () => {
  const created = await run(
    `curl -X POST http://localhost:3001/api/terminals \\
  -H "Content-Type: application/json" \\
  -d '{"cwd": "/path/to/project"}'`.replace('/path/to/project', project),
  );
  const { success, data } = JSON.parse(created);
  expect([success, data.cwd]).toEqual([true, project]);
  const sent = await run(
    `curl -X POST http://localhost:3001/api/terminals/abc-123/input \\
  -H "Content-Type: application/json" \\
  -d '{"input": "npm run dev"}'`.replace('abc-123', data.terminalId),
  );
  expect(JSON.parse(sent)).toEqual({ success: true, message: 'Input sent successfully' });
  await server.api.readUntil(data.terminalId, `dev in ${project} is ready`);
  const read = await run(
    'curl "http://localhost:3001/api/terminals/abc-123/output?mode=tail&tailLines=30"'.replace(
      'abc-123',
      data.terminalId,
    ),
  );
  expect(JSON.parse(read).data.output).toContain(`dev in ${project} is ready`);
});

it('runs example 2: watching a long-running command', async () => {
  const begun = await run(
    `TERMINAL_ID=$(curl -X POST http://localhost:3001/api/terminals \\
  -H "Content-Type: application/json" \\
  -d '{"cwd": "/path"}' | jq -r '.data.terminalId')

curl -X POST http://localhost:3001/api/terminals/$TERMINAL_ID/input \\
  -H "Content-Type: application/json" \\
  -d '{"input": "npm start"}'
echo; echo $TERMINAL_ID`.replace('"/path"', JSON.stringify(project)),
  );
  const id = begun.trim().split('\n').at(-1) ?? '';
  const seen = await server.api.readUntil(id, `start in ${project} is ready`);
  expect(seen).toContain('npm start');
  const watched = await run(
    `LAST_LINE=0
for ROUND in 1 2; do
  OUTPUT=$(curl "http://localhost:3001/api/terminals/$TERMINAL_ID/output?since=$LAST_LINE")
  echo "$OUTPUT"
  LAST_LINE=$(echo "$OUTPUT" | jq -r '.data.nextReadFrom')
done`,
    { TERMINAL_ID: id },
  );
  const pages = watched
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).data);
  expect(pages[0].output).toContain(`start in ${project} is ready`);
  expect(pages[1].fromLine).toBe(pages[0].nextReadFrom);
  expect(pages[1].output).not.toContain('is ready');
});
