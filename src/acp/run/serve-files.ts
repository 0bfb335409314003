/** The two file methods, on a client made with the SDK. It knows neither the person nor how anything is shown. */
import { methods } from '@agentclientprotocol/sdk';
import type { ClientApp } from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { check } from '../../check.js';
import { TerminalError } from '../../errors.js';
import { asRequestError } from '../request-error.js';
import type { FileEvent } from './events.js';
import { SessionFiles } from './files.js';

export interface FileService {
  /** Absolute. */
  readonly cwd: string;
  /** @throws `INVALID_INPUT` for a session that there is not. */
  readonly checkSession: (sessionId: string) => void;
  readonly onEvent: (event: FileEvent) => void;
}

const place = { sessionId: z.string(), path: z.string() };
const wholeNumber = z.number().min(0).multipleOf(1).nullish();
const readParams = z.object({ ...place, line: wholeNumber, limit: wholeNumber });
const writeParams = z.object({ ...place, content: z.string() });

/** Serves the files of a directory to the agent that `app` is connected to. */
export function serveFiles(app: ClientApp, { cwd, checkSession, onEvent }: FileService): ClientApp {
  const files = new SessionFiles(cwd);
  const served = <Result>(action: FileEvent['action'], asked: FilePlace, work: () => Result): Result => {
    const { path } = asked;
    const tell = (error: string | null) => onEvent({ type: 'file', action, path, error });
    try {
      checkSession(asked.sessionId);
      const result = work();
      tell(null);
      return result;
    } catch (error) {
      tell(error instanceof TerminalError ? error.message : String(error));
      throw asRequestError(error);
    }
  };
  const { readTextFile, writeTextFile } = methods.client.fs;
  return app
    .onRequest(readTextFile, reader(readParams), ({ params }) => ({
      content: served('read', params, () => files.read(params.path, params)),
    }))
    .onRequest(writeTextFile, reader(writeParams), ({ params }) => {
      served('write', params, () => files.write(params.path, params.content));
      return {};
    });
}

type FilePlace = Readonly<z.infer<z.ZodObject<typeof place>>>;

function reader<Schema extends z.ZodType>(schema: Schema): (params: unknown) => z.output<Schema> {
  return (params) => {
    try {
      return check('', schema, params);
    } catch (error) {
      throw asRequestError(error);
    }
  };
}
