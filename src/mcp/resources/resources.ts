/**
 * Exposes terminals as resources: the screen of each, and its output as READ returns it. Resources
 * add nothing to the tool and are intended for clients that display or watch terminals.
 */
import { ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import type { ListResourcesResult, McpServer, ReadResourceResult } from '@modelcontextprotocol/server';
import { numberOfUri, OUTPUT_TEMPLATE, outputUri, SCREEN_TEMPLATE, screenUri } from './names.js';
import { screenText } from '../screen-text.js';
import { bufferOf, readExcerpt } from '../source.js';
import type { TargetTerminal, Workspace } from '../workspace.js';

const TEXT = 'text/plain';
const SCREEN = { description: 'The current screen, as a person would see it.', mimeType: TEXT } as const;
const OUTPUT = {
  description: 'Output of the last command. The middle of long output is left out.',
  mimeType: TEXT,
} as const;

/** @param onListed - Called before the list of resources is returned. */
export function registerResources(
  server: McpServer,
  workspace: Workspace,
  onListed: () => void | Promise<void> = () => {},
): void {
  const list = async () => {
    await onListed();
    return listed(workspace);
  };
  server.registerResource(
    'screen',
    new ResourceTemplate(SCREEN_TEMPLATE, { list }),
    { ...SCREEN, title: 'Screen of a terminal' },
    (uri) => read(workspace, uri, screenOf),
  );
  server.registerResource(
    'output',
    new ResourceTemplate(OUTPUT_TEMPLATE, { list: undefined }),
    { ...OUTPUT, title: 'Output of a terminal' },
    (uri) => read(workspace, uri, outputOf),
  );
}

/** Lists the two resources of each numbered terminal. */
async function listed({ numbers }: Workspace): Promise<ListResourcesResult> {
  const known = [...(await numbers.all()).keys()];
  const resources = known.flatMap((number) => [
    { ...SCREEN, uri: screenUri(number), name: `Terminal ${number}: screen`, title: `Screen of terminal ${number}` },
    { ...OUTPUT, uri: outputUri(number), name: `Terminal ${number}: output`, title: `Output of terminal ${number}` },
  ]);
  return { resources };
}

type Content = (workspace: Workspace, target: TargetTerminal) => Promise<string>;

async function read(workspace: Workspace, uri: URL, content: Content): Promise<ReadResourceResult> {
  const number = numberOfUri(uri.href);
  const found = number === undefined ? undefined : await workspace.numbers.find(number);
  if (found === undefined) throw new ResourceNotFoundError(uri.href);
  const text = await content(workspace, await workspace.targetOf(found.id));
  return { contents: [{ uri: uri.href, mimeType: TEXT, text }] };
}

async function screenOf({ manager }: Workspace, { id }: TargetTerminal): Promise<string> {
  return screenText(await manager.screen(id));
}

async function outputOf(workspace: Workspace, target: TargetTerminal): Promise<string> {
  const { text } = await readExcerpt(await bufferOf(workspace, target), target, {});
  return text;
}
