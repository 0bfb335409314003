/** Runs one measurement in a process of its own and reads its result: one JSON value on stdout. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** No measurement takes nearly this long on any machine, so one that does has hung. */
const CONTENDER_TIMEOUT_MS = 10 * 60_000;

/** Runs `contenders/<name>.ts` with a request; resolves with its result. */
export function runContender<Answer>(name: string, request: unknown): Promise<Answer> {
  const file = fileURLToPath(new URL(`contenders/${name}.ts`, import.meta.url));
  return runProgram<Answer>(process.execPath, ['--import', 'tsx', file, JSON.stringify(request)]);
}

/** Runs any program that prints one JSON value on stdout. */
export async function runProgram<Answer>(file: string, args: readonly string[]): Promise<Answer> {
  const signal = AbortSignal.timeout(CONTENDER_TIMEOUT_MS);
  const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'], signal });
  const [answer] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const { exitCode } = child;
  if (exitCode !== 0) throw new Error(`${args.at(-2) ?? file} ended with ${exitCode}`);
  return JSON.parse(answer) as Answer;
}

/** In a contender: returns the request. */
export function request<Request>(): Request {
  return JSON.parse(process.argv[2] ?? 'null') as Request;
}

/** In a contender: prints the result and exits, even if something is still open. */
export function answer(value: unknown): void {
  process.stdout.write(JSON.stringify(value), () => process.exit(0));
}
