/** What counts as a password prompt. */
import { looksLikePasswordPrompt } from './password-prompt.js';

describe('what looks like a password prompt', () => {
  it.each([
    ['Password:', true],
    ['[sudo] password for ann: ', true],
    ["ann@host's password: ", true],
    ['Enter passphrase for key "/home/ann/.ssh/id": ', true],
    ['Passwort: ', true],
    ['Verification code: ', true],
    ['PIN?', true],
    ['Password accepted.', false],
    ['ann@host:~$ ', false],
    ['spinning: ', false],
    ['Continue? [y/n] ', false],
    ['the password is asked for later', false],
  ])('%s', (line, looksSo) => {
    expect(looksLikePasswordPrompt(line)).toBe(looksSo);
  });
});
