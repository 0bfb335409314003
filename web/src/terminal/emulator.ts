/**
 * Creates the page's terminal emulator: xterm.js with the colours and fonts of the design tokens. Loaded when the first
 * terminal is opened.
 */
import '@xterm/xterm/css/xterm.css';
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal, type ITheme } from '@xterm/xterm';
import { documentWithSheets, withSheets } from './csp-styles.js';
import { fontSizeFor, screenFor } from './font-size.js';
import { pasteSafely } from './paste.js';

const LEAD = 1.4;
const SCROLLBACK = 5000;
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

export interface Emulator {
  readonly terminal: Terminal;
  write(data: Uint8Array | string): Promise<void>;
  /** Discards the current screen and shows this one. */
  reset(cols: number, rows: number, data: string): Promise<void>;
  /** Makes the text as large as possible while the screen still fits the available space. */
  fitText(): void;
  /** Returns the size of the screen that would fill the available space. */
  screen(): { cols: number; rows: number };
  retheme(): void;
  dispose(): void;
}

/**
 * Opens the emulator.
 *
 * @param onCopy - Called when the program wants to copy text. The text may be written to the clipboard if the user
 * agrees; the program can never read the clipboard.
 */
export function openEmulator(place: HTMLElement, onCopy: (text: string) => void): Emulator {
  const fontFamily = token('--font-mono');
  const terminal = new Terminal({
    ...{ allowProposedApi: true, documentOverride: documentWithSheets, disableStdin: true, scrollback: SCROLLBACK },
    ...{ fontFamily, lineHeight: 1.1, minimumContrastRatio: 4.5, theme: themeOfTokens() },
    linkHandler: { activate: openLink },
    macOptionClickForcesSelection: true,
  });
  terminal.loadAddon(new UnicodeGraphemesAddon());
  terminal.loadAddon(new WebLinksAddon(openLink));
  terminal.parser.registerOscHandler(52, (data) => offerCopy(data, onCopy));
  withSheets(() => terminal.open(place));
  pasteSafely(place, terminal);
  void drawFaster(terminal);
  const ratio = widthRatio(fontFamily);
  const write = (data: Uint8Array | string): Promise<void> =>
    new Promise((resolve) => {
      terminal.write(data, resolve);
    });
  const fitText = (): void => {
    terminal.options.fontSize = fontSizeFor(place.clientWidth - 16, terminal.cols, ratio);
  };
  return {
    terminal,
    write,
    fitText,
    reset: (cols, rows, data) => {
      terminal.reset();
      terminal.resize(cols, rows);
      fitText();
      return write(data);
    },
    screen: () => screenFor(place.clientWidth - 16, place.clientHeight, terminal.options.fontSize ?? 13, ratio, LEAD),
    retheme: () => {
      terminal.options.theme = themeOfTokens();
    },
    dispose: () => terminal.dispose(),
  };
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
