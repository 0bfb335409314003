/**
 * Generates pages for browsers: their common layout, and the pages for errors. They contain no script and load nothing;
 * their only style sheet is part of each page, and its hash permits it. Pure.
 */
import type { TerminalError } from '../errors.js';

/** Must equal the text between the style tags, because its hash is part of the Content-Security-Policy. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 3rem; } h3 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; background: var(--soft); border-radius: 4px; }
code { padding: .1em .3em; } pre { padding: .8rem; overflow-x: auto; } pre.curl { user-select: all; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
.method { font-weight: 700; }
`;

/** Returns a complete page. @param body - HTML. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

const ABOUT = 'A server for persistent terminals, which keep running after their users disconnect.';

/** Returns the page that a browser shows for an error. */
export function problemPage({ code, kind, message }: TerminalError): string {
  const title = `tenacitty: ${kind.status} ${code}`;
  return htmlPage(
    title,
    `<h1>${escape(title)}</h1>
<p>${prose(message)}</p>
<p>${ABOUT} <a href="/">Its page</a> shows the terminals to whoever signs in. <a href="/docs">The documentation</a> can be
read on the machine that the server runs on, as <code>localhost</code>.</p>`,
  );
}

/** Escapes text, and formats only \`code\`. */
export function prose(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
