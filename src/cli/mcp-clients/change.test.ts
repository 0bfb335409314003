import { installEntry, uninstallEntry } from './change.js';
import { jsonFormat } from './json-format.js';

const ENTRY = { command: '/usr/bin/node', args: ['/usr/lib/node_modules/tenacitty/dist/cli/main.js', 'mcp'] };
const goalOf = (name = 'tenacitty', entry: Record<string, string | string[]> = ENTRY) => ({
  format: jsonFormat,
  place: { container: 'mcpServers', name },
  entry,
});
const GOAL = goalOf();
const FRESH = installEntry(null, GOAL).text!;
const having = (name: string, entry: object) => JSON.stringify({ mcpServers: { [name]: entry } });

describe('installEntry', () => {
  it('adds an entry, changes it, and leaves an equal one unchanged', () => {
    expect(installEntry(null, GOAL)).toEqual({ outcome: 'added', text: expect.any(String) });
    expect(installEntry('{}', GOAL)).toEqual({ outcome: 'added', text: expect.any(String) });
    expect(installEntry(FRESH, GOAL)).toEqual({ outcome: 'unchanged', text: FRESH });
    expect(installEntry(FRESH, goalOf('tenacitty', { command: 'x' }))).toMatchObject({ outcome: 'changed' });
  });

  it.each([
    { command: 'npx', args: ['-y', 'tenacitty@0.1.0', 'mcp'] },
    { command: '/home/x/bin/tenacitty', args: ['mcp'] },
    { command: '/usr/bin/node', args: ['/y/node_modules/tenacitty/dist/cli/main.js', 'mcp'] },
  ])('takes over entries that start tenacitty, whatever their name: %j', (entry) => {
    expect(installEntry(having('mine', entry), goalOf('mine'))).toMatchObject({ outcome: expect.any(String) });
  });

  it.each([
    { command: 'npx', args: ['-y', 'other-tenacitty', 'mcp'] },
    { url: 'http://x/tenacitty/mcp' },
    {},
    { command: '/usr/bin/node', args: ['/x.js', 'mcp'] },
    { command: 'npx', args: ['-y', 'server-filesystem', '/home/x/tenacitty'] },
  ])('does not touch another server: %j', (entry) => {
    const text = having('mine', entry);
    expect(() => installEntry(text, goalOf('mine'))).toThrow(expect.objectContaining({ name: 'ForeignEntry' }));
    expect(() => uninstallEntry(text, goalOf('mine'), [])).toThrow(expect.objectContaining({ name: 'ForeignEntry' }));
  });

  it('recognises a program with a different name if it is given again', () => {
    const goal = goalOf('mine', { command: '/opt/start', args: ['mcp'] });
    const { text } = installEntry('{}', goal);
    const later = goalOf('mine', { command: '/opt/start', args: ['mcp', '--workspace', 'w'] });
    expect(uninstallEntry(text, later, ['{}'])).toEqual({ outcome: 'removed', text: '{}' });
  });
});

describe('uninstallEntry', () => {
  it('does nothing if there is no entry', () => {
    for (const text of [null, '', '{}', '{"mcpServers":{"a":{}}}']) {
      expect(uninstallEntry(text, GOAL, [])).toEqual({ outcome: 'unchanged', text });
    }
  });

  it('removes a file that contains only the entry', () => {
    expect(uninstallEntry(FRESH, GOAL, [])).toEqual({ outcome: 'removed', text: null });
    expect(uninstallEntry(FRESH, GOAL, [FRESH])).toEqual({ outcome: 'removed', text: null });
    expect(uninstallEntry(FRESH, GOAL, [''])).toEqual({ outcome: 'removed', text: '' });
  });

  it('restores the newest earlier text only if nothing else has changed since', () => {
    const [earlier, now] = ['{"a": 1}', installEntry('{"a": 1}', GOAL).text!];
    expect(uninstallEntry(now, GOAL, ['broken {', '{"a": 2}', earlier]).text).toBe(earlier);
    const later = now.replace('"a": 1', '"a": 2');
    expect(uninstallEntry(later, GOAL, [earlier]).text).toBe('{"mcpServers": {},"a": 2}');
  });

  it('finds the earlier text even if the entry was changed later', () => {
    const first = installEntry('{ }', GOAL).text!;
    const second = installEntry(first, goalOf('tenacitty', { command: 'x', args: ['mcp'] })).text!;
    expect(uninstallEntry(second, GOAL, [first, '{ }']).text).toBe('{ }');
  });
});
