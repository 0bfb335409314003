/** Tests that everything an agent sends is displayed in some form, and that no escape sequence in it takes effect. */
import fc from 'fast-check';
import { ShownTerminals } from '../shown-terminals.js';
import { JsonLines } from './as-json.js';
import { terminalEvent, type RunEvent } from './events.js';
import { textStyles } from './text-styles.js';
import { EventRenderer } from './event-renderer.js';
import { UpdateParser } from './update-parser.js';

/** Returns these updates as displayed, and as JSON. */
function shownOf(said: readonly unknown[], hasColour = false): { text: string; json: string } {
  let [text, json] = ['', ''];
  const renderer = new EventRenderer(
    textStyles(hasColour),
    (more) => (text += more),
    (words) => `tenacitty ${words}`,
    () => ({ columns: 80, rows: 24 }),
  );
  const lines = new JsonLines();
  const show = (event: RunEvent | null) => {
    if (event === null) return;
    renderer.render(event);
    json += lines.lineOf(event);
  };
  const updates = new UpdateParser();
  const terminals = new ShownTerminals((change) => show(terminalEvent(change)));
  for (const update of said) {
    show(updates.read(update));
    terminals.take('s', update);
    show({ type: 'question', ...updates.readQuestion(update) });
  }
  renderer.endLine();
  return { text, json };
}

const evil = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\x1b]0;x\x07', '\x9b2J', 'a\rb', '\u202e'));
const odd = fc.oneof(evil, fc.anything(), fc.constantFrom(null, undefined, 'in_progress', 'completed', 'failed'));
const content = fc.oneof(
  odd,
  fc.record({ type: fc.constantFrom('text', 'image', 'resource_link'), text: evil, uri: odd }),
);
const item = fc.oneof(
  odd,
  fc.record({ type: fc.constantFrom('content', 'diff', 'terminal'), content, path: evil, oldText: odd, newText: evil }),
);
const update = fc.record({
  sessionUpdate: fc.constantFrom(
    ...['agent_message_chunk', 'agent_thought_chunk', 'user_message_chunk', 'tool_call', 'tool_call_update', 'plan'],
    ...['notice', 'terminal_update', 'terminal_output_chunk', '__proto__'],
  ),
  ...{ toolCallId: odd, terminalId: odd, title: evil, kind: odd, status: odd, command: odd, exitStatus: odd },
  data: fc.oneof(
    evil.map((text) => Buffer.from(text).toString('base64')),
    odd,
  ),
  content: fc.oneof(content, fc.array(item, { maxLength: 3 })),
  entries: fc.oneof(odd, fc.array(fc.oneof(odd, fc.record({ content: evil, status: odd })), { maxLength: 3 })),
  options: fc.oneof(odd, fc.array(fc.record({ optionId: evil, name: odd, kind: odd }), { maxLength: 3 })),
  toolCall: odd,
});

it('no message makes it throw, or leaves a control character in its output', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(update, fc.anything()), { maxLength: 5 }), (said) => {
      const { text, json } = shownOf(said);
      expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
      expect(json).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
      for (const line of json.split('\n').slice(0, -1)) JSON.parse(line);
    }),
  );
});

it('a tool call is shown when it starts and when it ends, each change once, and text shortened', () => {
  const call = { sessionUpdate: 'tool_call_update', toolCallId: 'a' };
  const text = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n');
  const diff = { type: 'diff', path: '/a', oldText: null, newText: 'new\n' };
  const { text: shown } = shownOf([
    { ...call, title: 'Read' },
    { ...call, status: 'in_progress', content: [diff] },
    { ...call, content: [diff, { type: 'content', content: { type: 'text', text } }] },
    { ...call, status: 'completed' },
  ]);
  expect(shown.split('\n').filter((line) => !line.startsWith('?'))).toEqual([
    ...['○ Read', '✔ Read', '  ± /a  +1 −0', '  + new'],
    ...Array.from({ length: 8 }, (_, line) => `  line ${line}`),
    ...['  … 12 more lines', ''],
  ]);
});

it('an agent without a name is shown without an empty separator', () => {
  let text = '';
  const renderer = new EventRenderer(
    textStyles(false),
    (more) => (text += more),
    (words) => `tenacitty ${words}`,
    () => ({ columns: 80, rows: 24 }),
  );
  renderer.render({ type: 'agent', name: null, version: null });
  renderer.render({ type: 'agent', name: 'a', version: null });
  expect(text).toBe('a\n');
});

it('uses colours only if they are wanted', () => {
  const said = [{ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } }];
  expect(shownOf(said, true).text).toContain('\x1b[2mhm\x1b[0m');
  expect(shownOf(said).text).toContain('hm\n');
});

it('an unknown status is shown as unknown', () => {
  const entries = ['__proto__', 'constructor'].map((status) => ({ content: 'a', status }));
  const tool = { sessionUpdate: 'tool_call', toolCallId: 't', title: 'b', status: 'toString' };
  const { text } = shownOf([{ sessionUpdate: 'plan', entries }, tool]);
  expect(text).toContain('Plan\n  ☐ a\n  ☐ a\n');
  expect(text).toContain('○ b\n');
});
