/** Makes the library examples in docs/acp.md runnable here: on the build, with an agent of the tests. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtUrl } from '../build.js';
import { compiled, withoutTypes } from '../compiled.js';

const ROOT = join(import.meta.dirname, '..', '..');
const { resolve } = createRequire(import.meta.url);
const NAMES = {
  "'tenacitty'": builtUrl('index.js'),
  "'tenacitty/acp'": builtUrl('acp.js'),
  "'@agentclientprotocol/sdk'": pathToFileURL(resolve('@agentclientprotocol/sdk')).href,
};

/** The command line of an agent that does what it is told. */
export const DRIVEN_AGENT = [process.execPath, compiled(join(import.meta.dirname, 'driven-agent-process.ts'))];
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
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    withoutTypes(Object.entries(NAMES).reduce((text, [name, url]) => text.replaceAll(name, `'${url}'`), code)),
  );
  const env = { PATH: `${folder}${delimiter}${process.env['PATH']}` };
  return { file: process.execPath, args: [program], cwd: folder, env };
}
