/**
 * Generates the page where a person types a password, and its headers. The page loads nothing and stores nothing.
 * Independent of terminals.
 */
import { createHash } from 'node:crypto';

/** The ticket is in the fragment, which browsers do not send; the page immediately removes it from the address bar. */
const SCRIPT = `
const ticket = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
const by = (id) => document.getElementById(id);
const send = (path, body) => fetch(path, { method: 'POST', headers: { 'X-Ticket': ticket }, body });
const say = (text) => { by('said').textContent = text; by('form').hidden = true; };
send('/question', '').then(async (answer) => {
  if (!answer.ok) return say('This link was already used or has expired. Ask for a new one.');
  by('question').textContent = await answer.text();
  by('form').hidden = false;
  by('secret').focus();
}, () => say('The password is no longer needed. You can close this page.'));
by('form').addEventListener('submit', (event) => {
  event.preventDefault();
  const secret = by('secret').value;
  by('secret').value = '';
  send('/answer', secret).then(
    async (answer) => say(answer.ok ? 'Typed. You can close this page.' : await answer.text()),
    () => say('The password could not be sent. Ask for a new link.'),
  );
});
`;

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 3em auto; padding: 0 1em; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 1em; background: #8882; }
input, button { font: inherit; padding: 0.4em; }
`;

export const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>tenacitty: password request</title>
<style>${STYLE}</style>
<h1>Password request</h1>
<pre id="question"></pre>
<form id="form" hidden>
<label>Password <input id="secret" type="password" autocomplete="off" spellcheck="false"></label>
<button>Type it into the terminal</button>
<p>Only the program that is asking for it receives it. No model sees it, and it is not stored.</p>
</form>
<p id="said" role="status"></p>
<script>${SCRIPT}</script>
</html>
`;

/** Permit only the page's own script, which can connect only to its own origin. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src ${hashOf(SCRIPT)}`,
    `style-src ${hashOf(STYLE)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  Connection: 'close',
};

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
