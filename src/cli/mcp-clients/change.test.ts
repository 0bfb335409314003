import { installed, uninstalled } from './change.js';
import { jsonFormat } from './json-format.js';

const ENTRY = { command: '/usr/bin/node', args: ['/usr/lib/node_modules/tenacitty/dist/cli/main.js', 'mcp'] };
const goalOf = (name = 'tenacitty', entry: Record<string, string | string[]> = ENTRY) => ({
  format: jsonFormat,
  place: { container: 'mcpServers', name },
  entry,
});
const GOAL = goalOf();
const FRESH = installed(null, GOAL).text!;
const having = (name: string, entry: object) => JSON.stringify({ mcpServers: { [name]: entry } });

describe('installing', () => {
  it('adds, changes, and leaves what is as it is to be', () => {
    expect(installed(null, GOAL)).toEqual({ outcome: 'added', text: expect.any(String) });
    expect(installed('{}', GOAL)).toEqual({ outcome: 'added', text: expect.any(String) });
    expect(installed(FRESH, GOAL)).toEqual({ outcome: 'unchanged', text: FRESH });
    expect(installed(FRESH, goalOf('tenacitty', { command: 'x' }))).toMatchObject({ outcome: 'changed' });
  });

  it.each([
    { command: 'npx', args: ['-y', 'tenacitty@0.1.0', 'mcp'] },
    { command: '/home/x/bin/tenacitty', args: ['mcp'] },
    { command: '/usr/bin/node', args: ['/y/node_modules/tenacitty/dist/cli/main.js', 'mcp'] },
  ])('takes over what starts tenacitty, whatever its name: %j', (entry) => {
    expect(installed(having('mine', entry), goalOf('mine'))).toMatchObject({ outcome: expect.any(String) });
  });

  it.each([
    { command: 'npx', args: ['-y', 'other-tenacitty', 'mcp'] },
    { url: 'http://x/tenacitty/mcp' },
    {},
    { command: '/usr/bin/node', args: ['/x.js', 'mcp'] },
    { command: 'npx', args: ['-y', 'server-filesystem', '/home/x/tenacitty'] },
  ])('keeps away from a server of somebody else: %j', (entry) => {
    const text = having('mine', entry);
    expect(() => installed(text, goalOf('mine'))).toThrow(expect.objectContaining({ name: 'ForeignEntry' }));
    expect(() => uninstalled(text, goalOf('mine'), [])).toThrow(expect.objectContaining({ name: 'ForeignEntry' }));
  });

  it('knows a program of a name of its own by being given it again', () => {
    const goal = goalOf('mine', { command: '/opt/start', args: ['mcp'] });
    const { text } = installed('{}', goal);
    const later = goalOf('mine', { command: '/opt/start', args: ['mcp', '--workspace', 'w'] });
    expect(uninstalled(text, later, ['{}'])).toEqual({ outcome: 'removed', text: '{}' });
  });
});

describe('uninstalling', () => {
  it('does nothing where there is nothing', () => {
    for (const text of [null, '', '{}', '{"mcpServers":{"a":{}}}']) {
      expect(uninstalled(text, GOAL, [])).toEqual({ outcome: 'unchanged', text });
    }
  });

  it('takes away a file that is all ours', () => {
    expect(uninstalled(FRESH, GOAL, [])).toEqual({ outcome: 'removed', text: null });
    expect(uninstalled(FRESH, GOAL, [FRESH])).toEqual({ outcome: 'removed', text: null });
    expect(uninstalled(FRESH, GOAL, [''])).toEqual({ outcome: 'removed', text: '' });
  });

  it('brings the newest earlier text back only where nothing else has changed since', () => {
    const [earlier, now] = ['{"a": 1}', installed('{"a": 1}', GOAL).text!];
    expect(uninstalled(now, GOAL, ['broken {', '{"a": 2}', earlier]).text).toBe(earlier);
    const later = now.replace('"a": 1', '"a": 2');
    expect(uninstalled(later, GOAL, [earlier]).text).toBe('{"mcpServers": {},"a": 2}');
  });

  it('finds the earlier text even after the entry was changed', () => {
    const first = installed('{ }', GOAL).text!;
    const second = installed(first, goalOf('tenacitty', { command: 'x', args: ['mcp'] })).text!;
    expect(uninstalled(second, GOAL, [first, '{ }']).text).toBe('{ }');
  });
});
