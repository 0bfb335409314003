import { openQuietLog, readable } from './log.js';

const line = (fields: object) => JSON.stringify({ level: 'info', time: '2026-01-02T03:04:05.678Z', ...fields });

describe('a line of the readable log', () => {
  it('contains the time, the level, the message and the fields', () => {
    expect(readable(line({ msg: 'Listening', url: 'http://a', count: 2 }))).toBe(
      '03:04:05.678 info  Listening url="http://a" count=2\n',
    );
    expect(readable(line({ level: 'error', msg: 'Broken' }))).toBe('03:04:05.678 error Broken\n');
  });

  it('cannot move the cursor or begin another line', () => {
    expect(readable(line({ msg: 'a\u001b[2Jb\nc', name: '\u001b]0;x\u0007' }))).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f]/,
    );
    const beyondJson = 'c1\u009b31m\u007f\u202e\u2066';
    expect(readable(line({ msg: beyondJson, [beyondJson]: beyondJson }))).toMatch(/^[^\p{C}]*\n$/u);
    expect(readable(line({ msg: 'a\nb' })).split('\n')).toHaveLength(2);
  });
});

describe('the log of a program that another program started', () => {
  const levelOf = (origin: string) =>
    openQuietLog({ logLevel: 'info', logFile: null, origins: { TENACITTY_LOG_LEVEL: origin } }).level;

  it('writes only problems to stderr, unless a level is set', () => {
    expect(levelOf('default')).toBe('warn');
    expect(levelOf('environment variable TENACITTY_LOG_LEVEL')).toBe('info');
  });
});
