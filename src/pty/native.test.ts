import { refuseMusl } from './native.js';

it('refuses musl libc before the native code could crash, with advice', () => {
  const report = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  delete report.header.glibcVersionRuntime;
  jest.spyOn(process.report, 'getReport').mockReturnValue(report);
  expect(refuseMusl).toThrow(
    expect.objectContaining({ code: 'UNSUPPORTED_PLATFORM', message: expect.stringContaining('Debian') }),
  );
});
