import type { TerminalScreen } from '../contract/output.js';
import { screenText } from './screen-text.js';

it('omits what is empty at the right and at the bottom', () => {
  const lines = ['~   ', '', '  text  ', '   ', ''];
  expect(screenText({ lines } as unknown as TerminalScreen)).toBe('~\n\n  text');
});
