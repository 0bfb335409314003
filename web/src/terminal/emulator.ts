/**
 * Creates the page's terminal emulator: xterm.js with the colours and fonts of the design tokens. Loaded when the first
 * terminal is opened.
 */
import '@xterm/xterm/css/xterm.css';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal, type ITheme } from '@xterm/xterm';
import { documentWithSheets, withSheets } from './csp-styles.js';
import { ansiOf } from './cells.js';
import { fitting, roomIn, type Fitting } from './fitting.js';
import { Painter } from './painting.js';
import { pasteSafely } from './paste.js';
import { ViewportWatch, type Viewport } from './viewport.js';

const SCROLLBACK = 5000;
/** The oldest Windows whose terminals xterm.js wraps again when their width changes. */
const REFLOWING_BUILD = 21_376;
const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const MAX_CLIPBOARD_CHARS = 1_000_000;

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function themeOfTokens(): ITheme {
  const colours = COLOURS.flatMap((name) => [
    [name, token(`--a-${name}`)],
    [`bright${name[0]!.toUpperCase()}${name.slice(1)}`, token(`--a-${name}-2`)],
  ]);
  const background = token('--well');
  const rest = { background, foreground: token('--t-fg'), cursor: token('--t-cursor') };
  return { ...(Object.fromEntries(colours) as ITheme), ...rest, selectionBackground: token('--t-select') };
}

/** Opens web links and no others. */
function openLink(_event: MouseEvent, text: string): void {
  if (/^https?:\/\//i.test(text)) window.open(text, '_blank', 'noopener,noreferrer');
}

function widthRatio(family: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) return 0.6;
  context.font = `100px ${family}`;
  return context.measureText('W').width / 100;
}

export interface Emulator extends Fitting, Pick<Painter, 'write' | 'paint' | 'afterOutput'> {
  readonly terminal: Terminal;
  /** Returns which rows are shown. */
  viewport(): Viewport;
  /** Returns rows of the normal screen and its history, with colours. */
  textOf(first: number, count: number): string[];
  /** Calls the function, at most once per frame, when what is shown may have changed. */
  onChange(act: () => void): void;
  retheme(): void;
  dispose(): void;
}

/**
 * Opens the emulator.
 *
 * @param place - The element for the emulator.
 * @param frame - The element around it, which limits its size.
 * @param onCopy - Called when the program wants to copy text. The text may be written to the clipboard if the user
 * agrees; the program can never read the clipboard.
 */
export function openEmulator(place: HTMLElement, frame: HTMLElement, onCopy: (text: string) => void): Emulator {
  const fontFamily = token('--font-mono');
  const terminal = newTerminal(fontFamily);
  terminal.parser.registerOscHandler(52, (data) => offerCopy(data, onCopy));
  withSheets(() => terminal.open(place));
  pasteSafely(place, terminal);
  void drawFaster(terminal);
  const painter = new Painter(terminal);
  const watch = new ViewportWatch(terminal);
  return {
    terminal,
    ...fitting(terminal, frame, widthRatio(fontFamily)),
    write: (data) => painter.write(data),
    paint: (screen, lines, onPainted) => painter.paint(screen, lines, onPainted),
    afterOutput: (act) => painter.afterOutput(act),
    viewport: () => watch.look(roomIn(frame).height),
    textOf: (first, count) => Array.from({ length: count }, (_, index) => rowText(terminal, first + index)),
    onChange: (act) => callOnChange(terminal, act),
    retheme: () => {
      terminal.options.theme = themeOfTokens();
    },
    dispose: () => terminal.dispose(),
  };
}

function newTerminal(fontFamily: string): Terminal {
  const terminal = new Terminal({
    ...{ allowProposedApi: true, documentOverride: documentWithSheets, disableStdin: true, scrollback: SCROLLBACK },
    ...{ fontFamily, lineHeight: 1.1, minimumContrastRatio: 4.5, theme: themeOfTokens() },
    // As on the server: a narrower screen wraps the cursor's line, and a taller one takes no rows from the history.
    reflowCursorLine: true,
    windowsPty: { backend: 'conpty', buildNumber: REFLOWING_BUILD },
    linkHandler: { activate: openLink },
    macOptionClickForcesSelection: true,
  });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.loadAddon(new WebLinksAddon(openLink));
  return terminal;
}

function rowText(terminal: Terminal, row: number): string {
  const line = terminal.buffer.normal.getLine(row);
  return line === undefined ? '' : ansiOf(line);
}

function callOnChange(terminal: Terminal, act: () => void): void {
  let isAwaited = false;
  const later = (): void => {
    if (isAwaited) return;
    isAwaited = true;
    requestAnimationFrame(() => {
      isAwaited = false;
      act();
    });
  };
  for (const event of [terminal.onRender, terminal.onScroll, terminal.onResize, terminal.buffer.onBufferChange])
    event(later);
}

function offerCopy(data: string, onCopy: (text: string) => void): boolean {
  const content = data.slice(data.indexOf(';') + 1);
  if (content === '?' || content.length > MAX_CLIPBOARD_CHARS) return true;
  try {
    const bytes = Uint8Array.from(atob(content), (each) => each.charCodeAt(0));
    onCopy(new TextDecoder().decode(bytes));
  } catch {
    // Not base64, so there is nothing to copy.
  }
  return true;
}

/** Uses WebGL if it is available. */
async function drawFaster(terminal: Terminal): Promise<void> {
  try {
    const { WebglAddon } = await import('@xterm/addon-webgl');
    const addon = new WebglAddon();
    addon.onContextLoss(() => addon.dispose());
    terminal.loadAddon(addon);
  } catch {
    // Without WebGL, xterm.js renders with DOM elements.
  }
}
