/** Renders the home page before the first terminal exists: what a terminal is, and four ways to start one. */
import { openNew } from '../palette/dialogs.js';
import { copy } from '../ui/copying.js';
import { Icon } from '../ui/icon.js';

const curl = (): string =>
  `curl -s -X POST ${location.origin}/api/exec \\\n  -H "Content-Type: application/json" \\\n  -d '{"command": "npm test"}'`;

const WAYS = [
  ['From any program', curl, 'Runs the command in a new shell and returns its output and exit code.'],
  ['For an agent', () => 'tenacitty mcp install claude', 'Also for cursor, vscode, codex, gemini, windsurf and zed.'],
  ['In your shell', () => 'tenacitty run -- npm run dev', 'Runs it right here; you can leave, and it keeps running.'],
] as const;

export function Empty() {
  return (
    <div class="hollow">
      <h1>No terminals yet</h1>
      <p>
        Terminals that you start here keep running after you leave, keep their output, and appear on this page. Start
        one:
      </p>
      <div class="ways">
        {WAYS.map(([title, text, words]) => (
          <div class="way" key={title}>
            <h2>{title}</h2>
            <div class="copyline">
              <pre>{text()}</pre>
              <button class="btn btn-quiet btn-icon" aria-label={`Copy: ${title}`} onClick={() => void copy(text())}>
                <Icon name="copy" />
              </button>
            </div>
            <p>{words}</p>
          </div>
        ))}
        <div class="way">
          <h2>On this page</h2>
          <div>
            <button class="btn btn-main" onClick={openNew}>
              <Icon name="plus" />
              New terminal <kbd>n</kbd>
            </button>
          </div>
          <p>Opens your own shell.</p>
        </div>
      </div>
      <p class="listening">
        <i class="caret" />
        The first terminal appears here automatically.
      </p>
    </div>
  );
}
