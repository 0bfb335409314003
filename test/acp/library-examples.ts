/** Makes the library examples in docs/acp.md runnable here: on the sources, with an agent of the tests. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..', '..');
const { resolve } = createRequire(import.meta.url);
const source = (name: string) => pathToFileURL(join(ROOT, 'src', name)).href;
const NAMES = {
  "'tenacitty'": source('index.ts'),
  "'tenacitty/acp'": source('acp.ts'),
  "'@agentclientprotocol/sdk'": pathToFileURL(resolve('@agentclientprotocol/sdk')).href,
};

export const TSX = resolve('tsx');
/** The section of the page, starting at its heading. */
export const LIBRARY_PAGE = /\n## Library\n[^]*?(?=\n## )/.exec(readFileSync(join(ROOT, 'docs', 'acp.md'), 'utf8'))![0];
export const EXAMPLES: readonly string[] = [...LIBRARY_PAGE.matchAll(/^```ts\n([^]*?)^```$/gm)].map(
  ([, code]) => code!,
);

export interface ExampleProgram {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** @param agent - The full command line that `my-agent` runs. */
export function programOf(code: string, agent: readonly string[], folder: string): ExampleProgram {
  writeFileSync(join(folder, 'my-agent'), `#!/bin/sh\nexec ${agent.map((word) => `'${word}'`).join(' ')}\n`);
  chmodSync(join(folder, 'my-agent'), 0o755);
  const program = join(folder, 'program.mts');
  writeFileSync(
    program,
    Object.entries(NAMES).reduce((text, [name, url]) => text.replaceAll(name, `'${url}'`), code),
  );
  const env = { PATH: `${folder}${delimiter}${process.env['PATH']}` };
  return { file: process.execPath, args: ['--import', TSX, program], cwd: folder, env };
}
