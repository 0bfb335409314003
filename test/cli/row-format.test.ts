/** Tests the templates of `tenacitty ls --format`. */
import { formatProblem, formatted } from '../../src/cli/text-table.js';

const ROW = { id: 'a1', name: null, pid: 7, lastCommand: { text: 'make\n', exitCode: 0 }, labels: { job: 'x' } };

it.each([
  ['{{id}} {{ pid }}', 'a1 7\n'],
  ['{{.id}}\\t{{name}}|', 'a1\t|\n'],
  ['{{lastCommand.exitCode}} {{labels.job}} {{labels.none.deeper}}', '0 x \n'],
  ['{{labels}}', '{"job":"x"}\n'],
  ['plain', 'plain\n'],
])('formats %j', (template, line) => expect(formatted(template, ROW)).toBe(line));

it('prints no control characters of a value, and no inherited properties', () => {
  expect(formatted('{{name}}', { name: '\x1b[31m\nforged' })).not.toMatch(/\x1b|\n./);
  expect(formatted('[{{id.constructor}}{{constructor}}]', ROW)).toBe('[]\n');
});

it('names an unknown field, and the one that was probably meant', () => {
  expect(formatProblem('{{id}} {{lastCommand.text}}', ['id', 'lastCommand'])).toBeUndefined();
  expect(formatProblem('{{ID}}', ['id', 'pid'])).toBe('unknown field ID. Did you mean id? Fields: id, pid.');
});
