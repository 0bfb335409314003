/** Tests the display of terminals: those of the client, those of agents in each of their formats, and invalid input. */
import fc from 'fast-check';
import { ShownTerminals } from './shown-terminals.js';
import type { ShownTerminalsLimits, TerminalChange } from './shown-terminals.js';

const S = 'session';

function shown(limits: Partial<ShownTerminalsLimits> = {}) {
  const changes: TerminalChange[] = [];
  const terminals = new ShownTerminals((change) => changes.push(change), limits);
  const take = (update: unknown) => terminals.take(S, update);
  const types = () => changes.map(({ type }) => type);
  const outputs = () => changes.map((change) => (change.type === 'output' ? Buffer.from(change.data).toString() : ''));
  return { terminals, take, changes, types, outputs };
}

const base64 = (data: string | Uint8Array) => Buffer.from(data).toString('base64');
const chunk = (terminalId: string, data: string | Uint8Array) => ({
  ...{ sessionUpdate: 'terminal_output_chunk', terminalId, data: base64(data) },
});
const update = (terminalId: string, fields: object = {}) => ({
  sessionUpdate: 'terminal_update',
  terminalId,
  ...fields,
});
const call = (toolCallId: string, ...terminalIds: string[]) => ({
  ...{ sessionUpdate: 'tool_call', toolCallId },
  content: terminalIds.map((terminalId) => ({ type: 'terminal', terminalId })),
});
const meta = (_meta: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: 'call', _meta });

describe('a terminal of the client', () => {
  const ours = { terminalId: 't', sessionId: S, command: 'npm test', cwd: '/project' };

  it('is shown with its tool call while it runs, and stays after its end', () => {
    const { terminals, take, types } = shown();
    terminals.started(ours);
    take(call('call', 't'));
    terminals.output('t', Buffer.from('one\r\n'));
    terminals.output('t', Buffer.from('two\r\n'));
    terminals.ended('t', { exitCode: 3, signal: null });
    expect(types()).toEqual(['started', 'anchored', 'output', 'output', 'ended']);
    expect(terminals.get(S, 't')).toMatchObject({
      ...{ ...ours, owner: 'client', output: 'one\ntwo\n', isTruncated: false, toolCallIds: ['call'] },
      exit: { exitCode: 3, signal: null },
    });
  });

  it('is not changed by what the agent reports about it', () => {
    const { terminals, take, types } = shown();
    terminals.started(ours);
    terminals.output('t', Buffer.from('true'));
    take(update('t', { command: 'false', output: null, exitStatus: {} }));
    take(chunk('t', 'false'));
    take(meta({ terminal_output: { terminal_id: 't', data: 'false' }, terminal_exit: { terminal_id: 't' } }));
    expect(terminals.get(S, 't')).toMatchObject({ command: 'npm test', output: 'true', exit: null });
    expect(types()).toEqual(['started', 'output']);
  });

  it('replaces a terminal with the same name that the agent reported, but none in another session', () => {
    const { terminals, take } = shown();
    take(chunk('t', 'made up'));
    terminals.take('other', chunk('t', 'elsewhere'));
    terminals.started(ours);
    terminals.output('t', Buffer.from('true'));
    expect(terminals.get(S, 't')).toMatchObject({ owner: 'client', output: 'true' });
    expect(terminals.get('other', 't')).toMatchObject({ owner: 'agent', output: 'elsewhere' });
  });

  it('does not exist if it was not started', () => {
    const { terminals } = shown();
    terminals.output('x', Buffer.from('x'));
    terminals.ended('x', { exitCode: 0, signal: null });
    expect(terminals.list()).toEqual([]);
  });
});

describe('a reference to a terminal', () => {
  it('may come before anything is known of the terminal, and again after its end', () => {
    const { terminals, take, types } = shown();
    take(call('first', 't'));
    expect(terminals.get(S, 't')).toBeUndefined();
    take(update('t', { command: 'make', exitStatus: { exitCode: 0 } }));
    take(call('second', 't'));
    take(call('first', 't'));
    expect(types()).toEqual(['anchored', 'started', 'ended', 'anchored']);
    expect(terminals.get(S, 't')).toMatchObject({ command: 'make', toolCallIds: ['first', 'second'] });
  });
});

describe('terminals', () => {
  it('are found by their tool call, in its session', () => {
    const { terminals, take } = shown();
    for (const id of ['a', 'b', 'c']) take(update(id));
    take(call('one', 'a', 'c', 'unknown'));
    take(call('two', 'a'));
    const ids = (sessionId: string, toolCallId: string) =>
      terminals.ofToolCall(sessionId, toolCallId).map(({ terminalId }) => terminalId);
    expect(ids(S, 'one')).toEqual(['a', 'c']);
    expect(ids(S, 'two')).toEqual(['a']);
    expect(ids('other', 'one')).toEqual([]);
    expect(ids(S, 'none')).toEqual([]);
  });

  it('of a session are dropped with it, and no others', () => {
    const { terminals, take } = shown();
    terminals.started({ terminalId: 'ours', sessionId: S, command: 'make', cwd: '/' });
    take(update('theirs'));
    terminals.take('other', update('theirs'));
    terminals.forgetSession(S);
    terminals.output('ours', Buffer.from('late'));
    terminals.ended('ours', { exitCode: 0, signal: null });
    expect(terminals.list().map(({ sessionId }) => sessionId)).toEqual(['other']);
  });
});

describe('_meta of v1', () => {
  it.each(['terminal_output', 'terminal_output_delta'])('reports start, output and end by %s', (key) => {
    const { terminals, take, types } = shown();
    take({ ...call('t', 't'), _meta: { terminal_info: { terminal_id: 't', cwd: '/a' } } });
    take(meta({ [key]: { terminal_id: 't', data: 'one ' } }));
    take(meta({ [key]: { terminal_id: 't', data: 'two' } }));
    take(meta({ terminal_exit: { terminal_id: 't', exit_code: null, signal: 'SIGTERM' } }));
    expect(types()).toEqual(['anchored', 'started', 'output', 'output', 'ended']);
    expect(terminals.get(S, 't')).toMatchObject({
      ...{ owner: 'agent', cwd: '/a', command: null, output: 'one two', toolCallIds: ['t'] },
      exit: { exitCode: null, signal: 'SIGTERM' },
    });
  });

  it('in both forms at once counts once', () => {
    const { terminals, take } = shown();
    const said = { terminal_id: 't', data: 'x' };
    take(meta({ terminal_output: said, terminal_output_delta: said }));
    expect(terminals.get(S, 't')?.output).toBe('x');
  });

  it('joins a character whose surrogates come one after the other', () => {
    const { terminals, take } = shown();
    for (const data of ['a\uD83D', '\uDE00b']) take(meta({ terminal_output: { terminal_id: 't', data } }));
    expect(terminals.get(S, 't')?.output).toBe('a😀b');
  });

  it('may contain everything at once', () => {
    const { types, take } = shown();
    const terminal_id = 't';
    take(
      meta({
        terminal_exit: { terminal_id },
        terminal_output: { terminal_id, data: 'x' },
        terminal_info: { terminal_id },
      }),
    );
    expect(types()).toEqual(['started', 'output', 'ended']);
  });
});

describe('terminals of v2', () => {
  it('keep omitted values, clear null values, and set given values', () => {
    const { terminals, take } = shown();
    take(update('t', { command: 'a', cwd: '/a', output: { data: base64('x') }, exitStatus: { exitCode: -1 } }));
    take(update('t'));
    const whole = { command: 'a', cwd: '/a', output: 'x', exit: { exitCode: -1, signal: null } };
    expect(terminals.get(S, 't')).toMatchObject(whole);
    take(update('t', { command: null, cwd: '/b' }));
    expect(terminals.get(S, 't')).toMatchObject({ ...whole, command: null, cwd: '/b' });
    take(update('t', { output: null, exitStatus: null }));
    expect(terminals.get(S, 't')).toMatchObject({ cwd: '/b', output: '', exit: null });
  });

  it('replace all of their output, by longer or by different output', () => {
    const { terminals, take, types, outputs } = shown();
    const snapshot = (output: string) => take(update('t', { output: { data: base64(output) } }));
    snapshot('one');
    snapshot('one two');
    snapshot('one two');
    snapshot('three');
    expect(types()).toEqual(['started', 'output', 'output', 'replaced']);
    expect(outputs()).toEqual(['', 'one', ' two', '']);
    expect(terminals.get(S, 't')?.output).toBe('three');
  });

  it('have each chunk decoded separately', () => {
    const { terminals, take } = shown();
    for (const data of ['a', 'ab', 'abc', '']) take(chunk('t', data));
    expect(terminals.get(S, 't')?.output).toBe('aababc');
  });

  it.each([
    ['a number for a command', { command: 3 }],
    ['output that is no Base64', { output: { data: 'a b' } }],
    ['an invalid end', { exitStatus: 'yes' }],
  ])('are not changed by %s', (_what, fields) => {
    const { terminals, take } = shown();
    take(update('t', { command: 'a', output: { data: base64('x') } }));
    take(update('t', fields));
    expect(terminals.get(S, 't')).toMatchObject({ command: 'a', output: 'x', exit: null });
  });
});

describe('with any amount of data', () => {
  it('the last part of the output is kept, in whole characters', () => {
    const { terminals, take } = shown({ outputBytes: 10 });
    for (let count = 0; count < 1000; count++) take(chunk('t', 'xé'));
    expect(terminals.get(S, 't')).toMatchObject({ output: 'éxéxéxé'.slice(-6), isTruncated: true });
  });

  it('the terminals that ended first are dropped, then the oldest', () => {
    const { terminals, take } = shown({ terminals: 3 });
    for (const id of ['a', 'b', 'c']) take(update(id));
    take(update('b', { exitStatus: {} }));
    for (const id of ['d', 'e']) take(update(id));
    expect(terminals.list().map(({ terminalId }) => terminalId)).toEqual(['c', 'd', 'e']);
  });

  it('among running terminals, those that were only referenced are dropped first', () => {
    const { terminals, take } = shown({ terminals: 2 });
    take(update('a'));
    take(call('call', 'named'));
    take(update('b'));
    take(update('c', { exitStatus: {} }));
    expect(terminals.list().map(({ terminalId }) => terminalId)).toEqual(['b', 'c']);
  });

  it.each([{ outputBytes: -1 }, { outputBytes: NaN }, { terminals: 0 }, { terminals: 1.5 }])(
    'invalid limits are refused: %j',
    (limits) => {
      const [field] = Object.keys(limits);
      expect(() => new ShownTerminals(() => {}, limits)).toThrow(new RegExp(`^${field}: expected `));
    },
  );

  it('text split anywhere gives the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.infiniteStream(fc.nat(5)), (text, sizes) => {
        const bytes = Buffer.from(text.replaceAll('\r', ''));
        const { terminals, take } = shown();
        take(update('t'));
        for (let at = 0; at < bytes.length;) {
          const size = sizes.next().value! + 1;
          take(chunk('t', bytes.subarray(at, at + size)));
          at += size;
        }
        take(update('t', { exitStatus: {} }));
        expect(terminals.get(S, 't')?.output).toBe(bytes.toString());
      }),
    );
  });

  it('no agent message makes it throw or keep unlimited data', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const odd = fc.oneof(ids, fc.anything(), fc.constantFrom(null, undefined, '', 'eA==', { data: 'eA==' }));
    const said = fc.record({ terminal_id: odd, data: odd, exit_code: odd, signal: odd, cwd: odd });
    const updates = fc.oneof(
      fc.anything(),
      fc.record({
        ...{ sessionUpdate: fc.constantFrom('terminal_update', 'terminal_output_chunk', 'tool_call', 'else') },
        ...{ terminalId: odd, toolCallId: odd, command: odd, cwd: odd, data: odd, output: odd, exitStatus: odd },
        content: fc.oneof(odd, fc.array(fc.record({ type: fc.constant('terminal'), terminalId: odd }))),
        _meta: fc.oneof(odd, fc.record({ terminal_info: said, terminal_output: said, terminal_exit: said })),
      }),
    );
    fc.assert(
      fc.property(fc.array(updates), (all) => {
        const { terminals, take } = shown({ outputBytes: 8, terminals: 3 });
        for (const one of all) take(one);
        expect(terminals.list().length).toBeLessThanOrEqual(3);
        for (const { output } of terminals.list()) expect(Buffer.byteLength(output)).toBeLessThanOrEqual(8);
      }),
    );
  });
});
