import { forkPty } from './native.js';

const TRUE = { file: '/bin/true', args: [], env: {}, cwd: '/', cols: 80, rows: 24 };

describe('on musl libc', () => {
  it('a terminal is refused before the native code could crash, with advice', () => {
    const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
    delete report.header.glibcVersionRuntime;
    const spy = jest.spyOn(process.report, 'getReport').mockReturnValue(report);
    try {
      expect(() => forkPty(TRUE, () => {})).toThrow(
        expect.objectContaining({ code: 'UNSUPPORTED_PLATFORM', message: expect.stringContaining('Debian') }),
      );
    } finally {
      spy.mockRestore();
    }
  });
});
